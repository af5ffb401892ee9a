/* holder.c - who holds a lock, as its bytes in the program's memory say. */
#include "threads/core/call.h"

static const void *peek(const ThreadsProcess *process, uint64_t address, uint64_t bytes)
{
    return vm_rank_peek(process->vm, address, bytes);
}

static bool mutex_holder(const ThreadsMutex *mutex, uint32_t *id, uint32_t *since)
{
    *id = mutex->owner;
    *since = mutex->depth || mutex->since ? mutex->since : VCODE_NONE;
    return mutex->depth > 0;
}

static bool read_write_lock_holder(const ThreadsReadWriteLock *lock, uint32_t *id, uint32_t *since)
{
    *id = lock->writer ? lock->writer : lock->readers ? lock->reader : 0;
    *since = *id ? lock->since : VCODE_NONE;
    return *id != 0;
}

static bool stream_holder(const ThreadsProcess *process, uint64_t stream, uint32_t *id)
{
    const ThreadsStreamLock *lock = threads_stream_lock(process, stream);
    *id = lock ? lock->owner : 0;
    return lock != NULL;
}

bool threads_holder(const ThreadsProcess *process, ThreadsSort sort, uint64_t address, uint32_t *id, uint32_t *since)
{
    *id = 0;
    *since = VCODE_NONE;
    const void *bytes;
    switch (sort) {
    case THREADS_MUTEX:
        bytes = peek(process, address, sizeof(ThreadsMutex));
        return bytes && mutex_holder(bytes, id, since);
    case THREADS_READ_WRITE_LOCK:
        bytes = peek(process, address, sizeof(ThreadsReadWriteLock));
        return bytes && read_write_lock_holder(bytes, id, since);
    case THREADS_SPIN_LOCK:
    case THREADS_ONCE:
        bytes = peek(process, address, sizeof(uint32_t));
        *id = bytes ? *(const uint32_t *)bytes >> (sort == THREADS_ONCE ? 2 : 0) : 0;
        return *id != 0;
    case THREADS_STREAM: return stream_holder(process, address, id);
    case THREADS_THREAD: *id = (uint32_t)address; return true;
    default: return false;
    }
}
