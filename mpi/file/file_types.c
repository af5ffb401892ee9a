/* file_types.c - datatypes as they are in a file whose representation gives primitives other sizes than memory has.
 *
 * A datatype in a file is what its constructors would have made of the primitives in the file (MPI-4.1 section 14.5.1):
 * counts of items become larger or smaller with them, displacements in bytes stay as the program gave them, which are
 * to be found with MPI_File_get_type_extent. So the type is made again, from its envelope. Only its layout matters, so
 * a primitive is so many bytes. */
#include "mpi/file/access.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type_map.h"

/* The numbers of an envelope, in the order of the constructor's parameters. */
typedef struct Reader {
    const MpiEnvelope *envelope;
    guint next[MPI_PARTS];
} Reader;

static int64_t next_of(Reader *reader, MpiEnvelopePart part)
{
    return g_array_index(reader->envelope->numbers[part], int64_t, reader->next[part]++);
}

static int64_t next_int(Reader *reader)
{
    return next_of(reader, MPI_PART_INTEGERS);
}

static int64_t next_count(Reader *reader)
{
    return next_of(reader, reader->envelope->wide ? MPI_PART_COUNTS : MPI_PART_INTEGERS);
}

static int64_t next_aint(Reader *reader)
{
    return next_of(reader, reader->envelope->wide ? MPI_PART_COUNTS : MPI_PART_ADDRESSES);
}

static int64_t *next_counts(Reader *reader, size_t n, bool aints)
{
    int64_t *numbers = g_new(int64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        numbers[i] = aints ? next_aint(reader) : next_count(reader);
    return numbers;
}

static int64_t *next_ints(Reader *reader, size_t n)
{
    int64_t *numbers = g_new(int64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        numbers[i] = next_int(reader);
    return numbers;
}

static MpiType *make_named(const MpiFileSizes *sizes, const MpiType *type)
{
    MpiType *bytes =
        mpi_type_make_vector(1, mpi_representation_bytes(sizes, type), 0, mpi_type_predefined(MPI_PRIM_BYTE));
    return bytes;
}

/* Lists: indexed and hindexed types, with blocks of equal length or not, and structs. */
static MpiType *make_list(Reader *reader, GPtrArray *types, bool equal, bool in_bytes, bool structure)
{
    size_t n = (size_t)next_count(reader);
    g_autofree int64_t *lengths = equal ? NULL : next_counts(reader, n, false);
    int64_t length = equal ? next_count(reader) : 0;
    g_autofree int64_t *places = next_counts(reader, n, in_bytes);
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, n + 1);
    for (size_t i = 0; i < n; i++) {
        const MpiType *type = types->pdata[structure ? i : 0];
        parts[i] = (MpiTypePart){.displacement = in_bytes ? places[i] : places[i] * type->extent,
                                 .count = (uint64_t)(equal ? length : lengths[i]),
                                 .type = type};
    }
    return mpi_type_make_list(parts, n, structure);
}

static MpiType *make_vector(Reader *reader, const MpiType *old, bool in_bytes)
{
    uint64_t count = (uint64_t)next_count(reader), length = (uint64_t)next_count(reader);
    int64_t stride = in_bytes ? next_aint(reader) : next_count(reader) * old->extent;
    return mpi_type_make_vector(count, length, stride, old);
}

static void reverse(int64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        int64_t last = numbers[n - 1 - i];
        numbers[n - 1 - i] = numbers[i];
        numbers[i] = last;
    }
}

static MpiType *make_subarray(Reader *reader, const MpiType *old)
{
    size_t n = (size_t)next_int(reader);
    int64_t *arrays[3];
    for (int i = 0; i < 3; i++)
        arrays[i] = next_counts(reader, n, false);
    if (next_int(reader) == MPI_ORDER_FORTRAN_)
        for (int i = 0; i < 3; i++)
            reverse(arrays[i], n);
    MpiType *type = mpi_type_make_subarray((unsigned)n, arrays[0], arrays[1], arrays[2], old);
    for (int i = 0; i < 3; i++)
        g_free(arrays[i]);
    return type;
}

static MpiType *make_darray(Reader *reader, const MpiType *old)
{
    next_int(reader); /* the number of processes */
    int64_t rank = next_int(reader);
    size_t n = (size_t)next_int(reader);
    g_autofree int64_t *sizes = next_counts(reader, n, false), *kinds = next_ints(reader, n),
                       *arguments = next_ints(reader, n), *processes = next_ints(reader, n);
    bool fortran = next_int(reader) == MPI_ORDER_FORTRAN_;
    g_autofree MpiDarrayDimension *dimensions = g_new0(MpiDarrayDimension, n);
    for (size_t i = n; i-- > 0; rank /= processes[i])
        dimensions[fortran ? n - 1 - i : i] = (MpiDarrayDimension){.size = sizes[i],
                                                                   .distribution = (int)kinds[i],
                                                                   .argument = (int)arguments[i],
                                                                   .processes = (int)processes[i],
                                                                   .place = (int)(rank % processes[i])};
    return mpi_type_make_darray((int)n, dimensions, old);
}

static MpiType *make(Reader *reader, GPtrArray *types)
{
    const MpiType *old = types->len ? types->pdata[0] : NULL;
    switch (reader->envelope->combiner) {
    case MPI_COMBINER_CONTIGUOUS_: return mpi_type_make_vector((uint64_t)next_count(reader), 1, old->extent, old);
    case MPI_COMBINER_VECTOR_: return make_vector(reader, old, false);
    case MPI_COMBINER_HVECTOR_:
    case MPI_COMBINER_HVECTOR_INTEGER_: return make_vector(reader, old, true);
    case MPI_COMBINER_INDEXED_: return make_list(reader, types, false, false, false);
    case MPI_COMBINER_HINDEXED_:
    case MPI_COMBINER_HINDEXED_INTEGER_: return make_list(reader, types, false, true, false);
    case MPI_COMBINER_INDEXED_BLOCK_: return make_list(reader, types, true, false, false);
    case MPI_COMBINER_HINDEXED_BLOCK_: return make_list(reader, types, true, true, false);
    case MPI_COMBINER_STRUCT_:
    case MPI_COMBINER_STRUCT_INTEGER_: return make_list(reader, types, false, true, true);
    case MPI_COMBINER_SUBARRAY_: return make_subarray(reader, old);
    case MPI_COMBINER_DARRAY_: return make_darray(reader, old);
    case MPI_COMBINER_RESIZED_: {
        int64_t lb = next_aint(reader), extent = next_aint(reader);
        return mpi_type_make_resized(old, lb, extent);
    }
    default: return mpi_type_make_copy(old);
    }
}

static void unref(void *type)
{
    mpi_type_unref(type);
}

/* Makes it again from the inside out. Types may be nested as deeply as a program likes, but the host's stack holds as
 * many levels as programs have. */
static MpiType *make_again(const MpiFileSizes *sizes, const MpiType *type, unsigned depth)
{
    enum { DEEPEST = 10000 };
    const MpiEnvelope *envelope = type->envelope;
    if (!envelope || !envelope->types || !envelope->types->len)
        return make_named(sizes, type);
    if (depth == DEEPEST)
        return NULL;
    g_autoptr(GPtrArray) types = g_ptr_array_new_with_free_func(unref);
    for (guint i = 0; i < envelope->types->len; i++) {
        MpiType *old = make_again(sizes, envelope->types->pdata[i], depth + 1);
        if (!old)
            return NULL;
        g_ptr_array_add(types, old);
    }
    Reader reader = {.envelope = envelope};
    return make(&reader, types);
}

static bool is_same(const MpiFileSizes *sizes, const MpiType *type)
{
    for (uint32_t i = 0; i < type->n_blocks; i++)
        if (sizes->of[type->blocks[i].primitive] != type->blocks[i].bytes)
            return false;
    return true;
}

MpiType *mpi_file_type(const MpiFileSizes *sizes, const MpiType *type)
{
    if (is_same(sizes, type) && type->layout)
        return mpi_type_ref((MpiType *)type);
    MpiType *made = is_same(sizes, type) ? mpi_type_make_copy(type) : make_again(sizes, type, 0);
    if (made)
        mpi_type_commit(made);
    return made;
}
