/* collective_vectors.c - the memory for input and result of collectives: one piece, or a block per peer.
 *
 * Counts and displacements are int arrays; in the _c forms, arrays of MPI_Count and MPI_Aint. In the w forms each block
 * has its own datatype, and displacements are in bytes.
 */
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- arguments --------------------------------------------------------------------------------- */

bool mpi_vector_parse(MpiCall *call, MpiComm *comm, unsigned buffer, unsigned count, unsigned type, uint64_t blocks,
                      bool writable, MpiVector *vector, MpiStep *step)
{
    int64_t items;
    MpiType *of;
    *vector = (MpiVector){.process = call->process, .address = call->args[buffer]};
    if (!mpi_check_any_count(call, comm, count, &items, step) ||
        !mpi_check_type_of(call, comm, type, !items, &of, step))
        return false;
    vector->type = mpi_type_ref(of);
    if (__builtin_mul_overflow(blocks, (uint64_t)items, &vector->count))
        vector->count = INT64_MAX; /* more than any memory, unless the items are empty */
    vector->bytes = vector->count * of->size;
    return mpi_check_memory(call, comm, buffer, vector->address, of, vector->count, writable, step);
}

/* Returns element i of an array of counts or displacements. */
static int64_t element(bool wide, const char *array, uint32_t i)
{
    return wide ? ((const MpiInt64 *)(const void *)array)[i] : ((const MpiInt32 *)(const void *)array)[i];
}

static MpiType *block_type(const MpiVector *vector, uint32_t i)
{
    return vector->types ? vector->types[i] : vector->type;
}

/* Parses type i of the array. The type may be invalid if nothing is to be copied (not `needed`). */
static bool type_parse(MpiCall *call, MpiComm *comm, unsigned arg, uint32_t i, bool needed, MpiVector *vector,
                       MpiStep *step)
{
    const MpiWord *array = vm_rank_read(call->process, call->args[arg] + 8 * (uint64_t)i, 8);
    MpiType *type = mpi_handle_lookup(call->rank, MPI_KIND_TYPE, *array);
    if (!type && !needed)
        type = mpi_type_predefined(MPI_PRIM_BYTE);
    if (type && (type->committed || !needed)) {
        vector->types[i] = mpi_type_ref(type);
        return true;
    }
    char where[64];
    g_snprintf(where, sizeof where, "number %u, from 0, of argument %u", i, arg + 1);
    *step = type ? mpi_call_error(call, comm, MPI_ERR_TYPE,
                                  "%s has not been committed (%s); call MPI_Type_commit before using it",
                                  mpi_type_describe(type), where)
                 : mpi_argument_bad_handle(call, comm, MPI_KIND_TYPE, *array, where);
    return false;
}

static void make_blocks(MpiVector *vector, uint32_t n)
{
    vector->n = n;
    vector->block_bytes = g_new(uint64_t, 2 * (size_t)n + 1);
    vector->block_offsets = vector->block_bytes + n;
    vector->places = g_new(int64_t, (size_t)n + 1);
}

static void set_block(MpiVector *vector, uint32_t i, uint64_t count, int64_t place)
{
    const MpiType *type = block_type(vector, i);
    if (__builtin_mul_overflow(count, type->size, &vector->block_bytes[i]))
        vector->block_bytes[i] = UINT64_MAX; /* too large: the check of the memory refuses it */
    vector->block_offsets[i] = vector->bytes;
    vector->places[i] = (int64_t)((uint64_t)place * (vector->types ? 1 : (uint64_t)type->extent));
    vector->bytes += vector->block_bytes[i];
    vector->count += count;
}

static bool block_parse(MpiCall *call, MpiComm *comm, MpiBlockArguments arguments, uint32_t i, int64_t count,
                        int64_t place, bool writable, MpiVector *vector, MpiStep *step)
{
    if (count < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_COUNT,
                               "the count for rank %u, in argument %u, is negative (%" G_GINT64_FORMAT ")", i,
                               arguments.counts + 1, count);
        return false;
    }
    if (vector->types && !type_parse(call, comm, arguments.type, i, count > 0, vector, step))
        return false;
    set_block(vector, i, (uint64_t)count, place);
    return mpi_check_memory(call, comm, arguments.buffer, vector->address + (uint64_t)vector->places[i],
                            block_type(vector, i), (uint64_t)count, writable, step);
}

static bool all_empty(bool wide, const void *counts, uint32_t n)
{
    bool empty = true;
    for (uint32_t i = 0; i < n && empty; i++)
        empty = !element(wide, counts, i);
    return empty;
}

bool mpi_vector_parse_blocks(MpiCall *call, MpiComm *comm, MpiBlockArguments arguments, bool each, uint32_t n,
                             bool writable, MpiVector *vector, MpiStep *step)
{
    bool wide = call->large || arguments.wide_places;
    uint64_t bytes = n * (call->large ? UINT64_C(8) : 4), place_bytes = n * (wide ? UINT64_C(8) : 4);
    const void *counts, *places = NULL, *types;
    MpiType *type = NULL;
    *vector = (MpiVector){.process = call->process, .address = call->args[arguments.buffer]};
    if (!mpi_check_input(call, comm, arguments.counts, bytes, &counts, step) ||
        (arguments.places && !mpi_check_input(call, comm, arguments.places, place_bytes, &places, step)) ||
        (each && !mpi_check_input(call, comm, arguments.type, 8 * (uint64_t)n, &types, step)))
        return false;
    if (!each && !mpi_check_type_of(call, comm, arguments.type, all_empty(call->large, counts, n), &type, step))
        return false;
    if (type)
        vector->type = mpi_type_ref(type);
    make_blocks(vector, n);
    if (each)
        vector->types = g_new0(MpiType *, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t place = places ? element(wide, places, i) : (int64_t)vector->count;
        if (!block_parse(call, comm, arguments, i, element(call->large, counts, i), place, writable, vector, step))
            return false;
    }
    return true;
}

/* -- shapes ------------------------------------------------------------------------------------ */

void mpi_vector_split(MpiVector *vector, uint32_t n)
{
    uint64_t each = n ? vector->count / n : 0;
    g_assert(!vector->n && vector->type);
    vector->count = vector->bytes = 0;
    make_blocks(vector, n);
    for (uint32_t i = 0; i < n; i++)
        set_block(vector, i, each, (int64_t)(i * each));
}

static uint64_t block_items(const MpiVector *vector, uint32_t i)
{
    const MpiType *type = block_type(vector, i);
    return type->size ? vector->block_bytes[i] / type->size : 0;
}

uint64_t mpi_vector_block_bytes(const MpiVector *vector, uint32_t i, uint32_t n)
{
    return vector->n ? vector->block_bytes[i] : vector->bytes / n;
}

void mpi_vector_block(MpiVector *to, const MpiVector *from, uint32_t i, uint32_t n)
{
    *to = (MpiVector){.process = from->process, .address = from->address, .type = mpi_type_ref(block_type(from, i))};
    if (from->n) {
        to->count = block_items(from, i);
        to->address += (uint64_t)from->places[i];
    } else {
        to->count = from->count / n;
        to->address += i * to->count * (uint64_t)from->type->extent;
    }
    to->bytes = to->count * to->type->size;
}

void mpi_vector_clear(MpiVector *vector)
{
    if (vector->type)
        mpi_type_unref(vector->type);
    for (uint32_t i = 0; vector->types && i < vector->n; i++)
        if (vector->types[i])
            mpi_type_unref(vector->types[i]);
    g_free(vector->types);
    g_free(vector->block_bytes);
    g_free(vector->places);
    *vector = (MpiVector){0};
}

/* -- packing ----------------------------------------------------------------------------------- */

uint64_t mpi_vector_copy_ps(const MpiCall *call, const MpiVector *vector)
{
    uint64_t bytes = vector->type && !vector->type->contiguous ? vector->bytes : 0;
    for (uint32_t i = 0; vector->types && i < vector->n; i++)
        bytes += vector->types[i]->contiguous ? 0 : vector->block_bytes[i];
    return mpi_call_copying_ps(call, 0, bytes);
}

bool mpi_vector_pack(const MpiVector *vector, uint8_t *out)
{
    bool read = true;
    for (uint32_t i = 0; i < vector->n; i++)
        if (vector->block_bytes[i])
            read = mpi_type_pack(block_type(vector, i), block_items(vector, i), vector->process,
                                 vector->address + (uint64_t)vector->places[i], out + vector->block_offsets[i]) &&
                   read;
    if (!vector->n && vector->bytes)
        read = mpi_type_pack(vector->type, vector->count, vector->process, vector->address, out);
    return read;
}

bool mpi_vector_unpack(const MpiVector *vector, const uint8_t *in)
{
    bool written = true;
    for (uint32_t i = 0; i < vector->n; i++)
        if (vector->block_bytes[i])
            written = mpi_type_unpack(block_type(vector, i), block_items(vector, i), vector->process,
                                      vector->address + (uint64_t)vector->places[i], in + vector->block_offsets[i],
                                      vector->block_bytes[i]) &&
                      written;
    if (!vector->n && vector->bytes)
        written = mpi_type_unpack(vector->type, vector->count, vector->process, vector->address, in, vector->bytes);
    return written;
}
