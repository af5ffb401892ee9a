/* combine.c - what an access does at its target: moves data, or combines them with what is there.
 *
 * Each access is done as a whole at one instant, so that accumulates are atomic, element by element and more. */
#include "mpi/rma/windows.h"
#include "mpi/type/envelope.h"

#include <string.h>

/* Indices of operators in handles.def. */
enum {
#define MPI_PREDEFINED(kind, name, index) INDEX_##name = index,
#include "mpi/handles.def"
};

static bool is_op(const MpiOp *op, unsigned index)
{
    return op->handle == MPI_HANDLE(MPI_KIND_OP, index);
}

bool mpi_combine_replaces(const MpiOp *op)
{
    return is_op(op, INDEX_REPLACE);
}

bool mpi_combine_is_none(const MpiOp *op)
{
    return is_op(op, INDEX_NO_OP);
}

MpiPrimitive mpi_combine_element(const MpiType *type)
{
    MpiPrimitive primitive = mpi_type_primitive(type);
    const GPtrArray *parts = type->envelope ? type->envelope->types : NULL;
    if (primitive != MPI_PRIMITIVE_COUNT || !parts || !parts->len)
        return primitive;
    primitive = mpi_combine_element(parts->pdata[0]); /* pairs are two entries of the type map */
    for (guint i = 1; i < parts->len; i++)
        if (mpi_combine_element(parts->pdata[i]) != primitive)
            return MPI_PRIMITIVE_COUNT;
    return primitive;
}

bool mpi_combine_allows(const MpiOp *op, const MpiType *type)
{
    MpiPrimitive primitive = mpi_combine_element(type);
    if (!op->predefined || primitive == MPI_PRIMITIVE_COUNT)
        return false;
    return mpi_combine_replaces(op) || mpi_combine_is_none(op) || op->apply[primitive];
}

enum { SMALL = 128 };

/* Combines remote->data with the items at the target. If `old` is not NULL, it gets these as they were. */
static bool combine(MpiRemote *remote, uint8_t *old)
{
    uint64_t bytes = remote->count * remote->type->size;
    _Alignas(16) uint8_t small[SMALL];
    if (old && !mpi_window_load(remote->target, remote->address, remote->type, remote->count, old))
        return false;
    if (mpi_combine_is_none(remote->op))
        return true;
    if (mpi_combine_replaces(remote->op))
        return mpi_window_store(remote->target, remote->address, remote->type, remote->count, remote->data, bytes);
    uint8_t *items = bytes <= SMALL ? small : g_malloc(bytes);
    bool there = true;
    if (old)
        memcpy(items, old, bytes);
    else
        there = mpi_window_load(remote->target, remote->address, remote->type, remote->count, items);
    if (there) {
        const MpiType *type = mpi_type_predefined(mpi_combine_element(remote->type));
        mpi_op_apply(remote->op, type, bytes / type->size, remote->data, items);
        there = mpi_window_store(remote->target, remote->address, remote->type, remote->count, items, bytes);
    }
    if (items != small)
        g_free(items);
    return there;
}

/* Exchanges remote->data for what was at the target. */
static bool fetch(MpiRemote *remote)
{
    MpiPayloads *payloads = &remote->origin->window->world->payloads;
    uint64_t bytes = remote->count * remote->type->size, sent = remote->bytes;
    uint8_t *data = remote->data, *old = mpi_pool_payload_take(payloads, bytes);
    bool there = combine(remote, old);
    if (!there)
        memset(old, 0, bytes);
    if (data && data != remote->bytes_inline)
        mpi_pool_payload_give(payloads, data, sent);
    mpi_remote_take_data(remote, bytes);
    memcpy(remote->data, old, bytes);
    mpi_pool_payload_give(payloads, old, bytes);
    return there;
}

/* The data are the new value and the one to compare with. */
static bool swap(MpiRemote *remote)
{
    uint64_t bytes = remote->type->size;
    uint8_t old[16];
    g_assert(bytes <= sizeof old && remote->bytes == 2 * bytes);
    bool there = mpi_window_load(remote->target, remote->address, remote->type, 1, old);
    if (there && !memcmp(old, remote->data + bytes, bytes))
        there = mpi_window_store(remote->target, remote->address, remote->type, 1, remote->data, bytes);
    memcpy(remote->data, old, bytes);
    remote->bytes = bytes;
    return there;
}

bool mpi_combine(MpiRemote *remote)
{
    switch ((MpiRemoteSort)remote->sort) {
    case MPI_REMOTE_PUT:
        return mpi_window_store(remote->target, remote->address, remote->type, remote->count, remote->data,
                                remote->bytes);
    case MPI_REMOTE_GET: {
        mpi_remote_take_data(remote, remote->count * remote->type->size);
        bool there = mpi_window_load(remote->target, remote->address, remote->type, remote->count, remote->data);
        if (!there)
            memset(remote->data, 0, remote->bytes);
        return there;
    }
    case MPI_REMOTE_ACCUMULATE: return combine(remote, NULL);
    case MPI_REMOTE_FETCH: return fetch(remote);
    case MPI_REMOTE_SWAP: return swap(remote);
    default: g_assert_not_reached();
    }
    return false;
}
