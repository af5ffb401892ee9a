/* plain_buffer.h - recognises, by a few tests, the simple buffers of nearly all calls. */
#ifndef ORRERY_MPI_PLAIN_BUFFER_H
#define ORRERY_MPI_PLAIN_BUFFER_H

#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/type/type.h"

#include <string.h>

enum { MPI_NOT_PLAIN = -1 };
/* Returns the bytes of `count` items of a plain predefined type, as an int count and a handle say; MPI_NOT_PLAIN: the
 * type is another one, or the count is wrong. */
static inline int64_t mpi_buffer_plain_bytes(uint64_t count, MpiHandle type)
{
    uint64_t primitive = type - MPI_HANDLE(MPI_KIND_TYPE, 1);
    if (primitive >= MPI_PLAIN_PRIMITIVES || (int)count < 0)
        return MPI_NOT_PLAIN;
    return (int64_t)(int)count * mpi_type_plain_bytes[primitive];
}

/* Whether the memory of a buffer without gaps exists, and no check has anything to say against it: see the question
 * `buffer` of hooks.def. */
static inline bool mpi_buffer_is_sound(const MpiRank *rank, unsigned arg, uint64_t address, uint64_t bytes,
                                       bool writable)
{
    VmRank *process = rank->process;
    if (G_UNLIKELY(rank->areas || mpi_hooks_mind(rank->world, MPI_HOOK_buffer)))
        return false;
    if (G_UNLIKELY(vm_rank_is_watched(process)))
        return vm_check_is_sound(process, arg, address, bytes, writable);
    return writable ? vm_rank_can_write(process, address, bytes) : vm_rank_can_read(process, address, bytes);
}

/* Copies the data of a plain buffer: mostly a single number. */
static inline void mpi_buffer_plain_copy(void *to, const void *from, uint64_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, bytes);
}

/* Recognises a correct buffer with an int count of a predefined type without gaps, as nearly all are. Returns false
 * for all others, correct or not. */
static inline bool mpi_buffer_is_plain(MpiCall *call, unsigned arg, bool writable, MpiBuffer *buffer)
{
    uint64_t primitive = call->args[arg + 2] - MPI_HANDLE(MPI_KIND_TYPE, 1), address = call->args[arg];
    int count = mpi_int(call, arg + 1);
    if (primitive >= MPI_PRIMITIVE_COUNT || count < 0 || call->large)
        return false;
    MpiType *type = mpi_type_predefined((MpiPrimitive)primitive);
    uint64_t bytes = (uint64_t)(unsigned)count * type->size;
    buffer->process = call->process;
    buffer->address = address;
    buffer->host = NULL;
    buffer->type = type;
    buffer->count = (uint64_t)(unsigned)count;
    return type->contiguous && mpi_buffer_is_sound(call->rank, arg, address, bytes, writable);
}

#endif
