/* plain_buffer.h - recognises, by a few tests, the simple buffers of nearly all calls. */
#ifndef ORRERY_MPI_PLAIN_BUFFER_H
#define ORRERY_MPI_PLAIN_BUFFER_H

#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/type/type.h"

/* Recognises a correct buffer with an int count of a predefined type without gaps, as nearly all are. Returns false
 * for all others, correct or not. */
static inline bool mpi_buffer_is_plain(MpiCall *call, unsigned arg, bool writable, MpiBuffer *buffer)
{
    uint64_t primitive = call->args[arg + 2] - MPI_HANDLE(MPI_KIND_TYPE, 1), address = call->args[arg];
    int count = mpi_int(call, arg + 1);
    if (primitive >= MPI_PRIMITIVE_COUNT || count < 0 || call->large || mpi_listens_buffer(call->world) ||
        vm_rank_is_watched(call->process))
        return false;
    MpiType *type = mpi_type_predefined((MpiPrimitive)primitive);
    uint64_t bytes = (uint64_t)(unsigned)count * type->size;
    buffer->process = call->process;
    buffer->address = address;
    buffer->host = NULL;
    buffer->type = type;
    buffer->count = (uint64_t)(unsigned)count;
    return type->contiguous &&
           (writable ? vm_rank_write(call->process, address, bytes) : vm_rank_read(call->process, address, bytes));
}

#endif
