/* darray.c - MPI_Type_create_darray: one process's part of a distributed array (MPI-3.1 section 4.1.4, as in High
 * Performance Fortran).
 *
 * The processes form a grid in C order, whatever the order of the array. The type is built from the dimension that is
 * contiguous in memory outwards. In each dimension, the type built so far is repeated at the indices that the process
 * has in this dimension:
 *
 *      gsize 10, 2 processes, cyclic(3), process 0        [xxx...xxx.]      whole blocks: a vector; the rest: a list
 *
 * Displacements count from the origin of the array, and the extent is that of the whole array.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

typedef MpiDarrayDimension Dimension;

/* One process's share of a dimension: `count` blocks of `length` elements, `stride` apart, from `first` on. Then
 * `rest` elements follow where the next block would begin. */
typedef struct Share {
    int64_t first, count, length, stride, rest;
} Share;

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static Share share_of_block(const Dimension *d)
{
    int64_t length = d->argument == MPI_DISTRIBUTE_DFLT_DARG_ ? divide_up(d->size, d->processes) : d->argument;
    int64_t first = MIN((int64_t)d->place * length, d->size);
    return (Share){.first = first, .count = 1, .length = MIN(length, d->size - first)};
}

static Share share_of_cycles(const Dimension *d)
{
    int64_t length = d->argument == MPI_DISTRIBUTE_DFLT_DARG_ ? 1 : d->argument;
    int64_t first = (int64_t)d->place * length, stride = (int64_t)d->processes * length;
    if (first >= d->size) {
        return (Share){0};
    }
    int64_t left = d->size - first, whole = left / stride, end = left % stride;
    return (Share){.first = first,
                   .count = whole + (end >= length),
                   .length = length,
                   .stride = stride,
                   .rest = end >= length ? 0 : end};
}

static Share share_of(const Dimension *d)
{
    switch (d->distribution) {
    case MPI_DISTRIBUTE_BLOCK_: return share_of_block(d);
    case MPI_DISTRIBUTE_CYCLIC_: return share_of_cycles(d);
    default: return (Share){.count = 1, .length = d->size};
    }
}

/* -- the type ---------------------------------------------------------------------------------- */

/* Repeats `inner` (consumed), whose elements are `extent` bytes apart. Returns NULL if the result is too large. */
static MpiType *distribute(MpiType *inner, const Share *share, int64_t extent)
{
    int64_t stride, first, end;
    if (__builtin_mul_overflow(share->stride, extent, &stride) ||
        __builtin_mul_overflow(share->first, extent, &first) ||
        __builtin_mul_overflow(share->first + share->count * share->stride, extent, &end)) {
        mpi_type_unref(inner);
        return NULL;
    }
    MpiType *element = mpi_type_make_resized(inner, 0, extent);
    mpi_type_unref(inner);
    MpiType *blocks =
        element ? mpi_type_make_vector((uint64_t)share->count, (uint64_t)share->length, stride, element) : NULL;
    MpiType *whole = NULL;
    if (blocks) {
        const MpiTypePart parts[] = {{first, 1, blocks}, {end, (uint64_t)share->rest, element}};
        whole = mpi_type_make_list(parts, share->rest ? 2 : 1, false);
    }
    mpi_type_unref(element);
    mpi_type_unref(blocks);
    return whole;
}

MpiType *mpi_type_make_darray(int n, const Dimension *dimensions, const MpiType *old)
{
    MpiType *type = mpi_type_make_copy(old);
    int64_t extent = old->extent;
    for (int i = n; i-- > 0 && type;) {
        if (dimensions[i].size > MPI_TYPE_MAX_DISTANCE) { /* larger than any type, and shares must not overflow */
            g_clear_pointer(&type, mpi_type_unref);
            break;
        }
        Share share = share_of(&dimensions[i]);
        type = distribute(type, &share, extent);
        if (__builtin_mul_overflow(extent, dimensions[i].size, &extent)) {
            g_clear_pointer(&type, mpi_type_unref);
        }
    }
    MpiType *whole = type ? mpi_type_make_resized(type, 0, extent) : NULL;
    mpi_type_unref(type);
    return whole;
}

/* -- MPI_Type_create_darray -------------------------------------------------------------------- */

enum { SIZE, RANK, DIMENSIONS, GSIZES, DISTRIBUTIONS, ARGUMENTS, PROCESSES, ORDER, OLD, NEW };

typedef struct Arrays { /* the arguments of the program */
    int64_t *sizes, *distributions, *arguments, *processes;
} Arrays;

static void arrays_clear(Arrays *arrays)
{
    g_free(arrays->sizes);
    g_free(arrays->distributions);
    g_free(arrays->arguments);
    g_free(arrays->processes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Arrays, arrays_clear)

static bool bad(MpiCall *call, MpiStep *step, int i, const char *what, int64_t value, unsigned arg)
{
    *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "dimension %d: %s %" G_GINT64_FORMAT " (argument %u)", i, what,
                           value, arg + 1);
    return false;
}

static bool check_dimension(MpiCall *call, int i, const Dimension *d, MpiStep *step)
{
    bool standard = d->argument == MPI_DISTRIBUTE_DFLT_DARG_;
    if (d->size < 1) {
        return bad(call, step, i, "the array has the size", d->size, GSIZES);
    }
    if (d->processes < 1) {
        return bad(call, step, i, "the number of processes is", d->processes, PROCESSES);
    }
    switch (d->distribution) {
    case MPI_DISTRIBUTE_NONE_:
        return d->processes == 1 ||
               bad(call, step, i, "it is not distributed, but the number of processes is", d->processes, PROCESSES);
    case MPI_DISTRIBUTE_BLOCK_:
        if (!standard && d->argument >= 1 && (int64_t)d->argument * d->processes < d->size) {
            return bad(call, step, i, "the blocks do not cover the array: their length is", d->argument, ARGUMENTS);
        }
        break;
    case MPI_DISTRIBUTE_CYCLIC_: break;
    default: return bad(call, step, i, "there is no distribution", d->distribution, DISTRIBUTIONS);
    }
    return standard || d->argument >= 1 || bad(call, step, i, "the length of blocks is", d->argument, ARGUMENTS);
}

static bool read_arrays(MpiCall *call, int n, bool wide, Arrays *arrays, MpiStep *step)
{
    return mpi_check_type_numbers(call, GSIZES, (uint64_t)n, wide, &arrays->sizes, step) &&
           mpi_check_type_numbers(call, DISTRIBUTIONS, (uint64_t)n, false, &arrays->distributions, step) &&
           mpi_check_type_numbers(call, ARGUMENTS, (uint64_t)n, false, &arrays->arguments, step) &&
           mpi_check_type_numbers(call, PROCESSES, (uint64_t)n, false, &arrays->processes, step);
}

/* Checks all dimensions and finds the coordinates of the process in the grid. */
static bool read_dimensions(MpiCall *call, int n, const Arrays *arrays, Dimension *dimensions, MpiStep *step)
{
    int64_t size = mpi_int(call, SIZE), rank = mpi_int(call, RANK), product = 1;
    for (int i = 0; i < n; i++) {
        dimensions[i] = (Dimension){.size = arrays->sizes[i],
                                    .distribution = (int)arrays->distributions[i],
                                    .argument = (int)arrays->arguments[i],
                                    .processes = (int)arrays->processes[i]};
        if (!check_dimension(call, i, &dimensions[i], step)) {
            return false;
        }
        product = MIN(product * dimensions[i].processes, (int64_t)1 << 31);
    }
    if (product != size) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "the grid has %" G_GINT64_FORMAT " processes (argument %d), but the number of processes "
                               "is %" G_GINT64_FORMAT " (argument 1)",
                               product, PROCESSES + 1, size);
        return false;
    }
    for (int i = n; i-- > 0; rank /= dimensions[i].processes) {
        dimensions[i].place = (int)(rank % dimensions[i].processes);
    }
    return true;
}

static MpiEnvelope *make_envelope(MpiCall *call, int n, const Arrays *arrays, bool wide)
{
    MpiEnvelope *envelope = mpi_envelope_new(MPI_COMBINER_DARRAY_, wide);
    mpi_envelope_int(envelope, mpi_int(call, SIZE));
    mpi_envelope_int(envelope, mpi_int(call, RANK));
    mpi_envelope_int(envelope, n);
    for (int i = 0; i < n; i++) {
        mpi_envelope_count(envelope, arrays->sizes[i]);
    }
    const int64_t *const rest[] = {arrays->distributions, arrays->arguments, arrays->processes};
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < n; i++) {
            mpi_envelope_int(envelope, rest[j][i]);
        }
    }
    mpi_envelope_int(envelope, mpi_int(call, ORDER));
    return envelope;
}

static void reverse(Dimension *dimensions, int n)
{
    for (int i = 0; i < n / 2; i++) {
        Dimension last = dimensions[n - 1 - i];
        dimensions[n - 1 - i] = dimensions[i];
        dimensions[i] = last;
    }
}

static bool check_grid(MpiCall *call, MpiStep *step)
{
    int size = mpi_int(call, SIZE), rank = mpi_int(call, RANK), n = mpi_int(call, DIMENSIONS);
    if (size < 1 || rank < 0 || rank >= size) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "process %d (argument 2) of %d (argument 1)", rank, size);
    } else if (n < 1) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "%d dimensions (argument 3); an array has at least one", n);
    }
    return size >= 1 && rank >= 0 && rank < size && n >= 1;
}

static MpiStep make_darray(MpiCall *call, bool wide)
{
    g_auto(Arrays) arrays = {0};
    int n = mpi_int(call, DIMENSIONS);
    MpiType *old;
    MpiStep step;
    if (!check_grid(call, &step) || !mpi_check_type_order(call, ORDER, &step) ||
        !read_arrays(call, n, wide, &arrays, &step)) {
        return step;
    }
    g_autofree Dimension *dimensions = g_new0(Dimension, (size_t)n);
    if (!read_dimensions(call, n, &arrays, dimensions, &step) || !mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    MpiEnvelope *envelope = make_envelope(call, n, &arrays, wide);
    mpi_envelope_type(envelope, old);
    if (mpi_int(call, ORDER) == MPI_ORDER_FORTRAN_) {
        reverse(dimensions, n);
    }
    return mpi_type_give(call, NEW, mpi_type_make_darray(n, dimensions, old), envelope);
}

MPI_HANDLER(Type_create_darray, make_darray(call, false))
MPI_HANDLER(Type_create_darray_c, make_darray(call, true))
