/* sync.h - what threads synchronise by: what the files of this room share, and others need of it. */
#ifndef ORRERY_THREADS_SYNC_SYNC_H
#define ORRERY_THREADS_SYNC_SYNC_H

#include "threads/core/call.h"

/* The handlers of this room: threads_do_NAME(). */
#define THREADS_FUNCTION(name, handler, arity, mode) ThreadsStep threads_do_##handler(ThreadsCall *call);
#include "threads/functions.def"

/* Makes the call the holder of a free mutex. Returns what locking it returns: 0 or EOWNERDEAD. */
int threads_mutex_take(ThreadsCall *call, ThreadsMutex *mutex, uint64_t address, uint64_t time_ps);
/* Gives a mutex back that its holder has locked once, at call->now: the first who waits has it. */
void threads_mutex_give(ThreadsCall *call, ThreadsMutex *mutex, uint64_t address);
/* The thread ends at time_ps: robust mutexes that it still holds go to others, who are told. */
void threads_mutex_bequeath(ThreadsCall *call);
/* Whether the bytes are a mutex that can be used. */
bool threads_mutex_is_valid(const ThreadsMutex *mutex);

/* Under THREADS_CHECK_USE: the call gives back a lock that its thread does not hold, or it destroys or makes anew what
 * is in use. */
void threads_misuse_foreign(ThreadsCall *call, ThreadsSort sort, uint64_t address);
void threads_misuse_in_use(ThreadsCall *call, ThreadsSort sort, uint64_t address);

/* What stands before a function of the C library: whether a call of it must wait for another thread to unlock its
 * stream; the handler that waits. */
bool threads_stream_must_wait(const ThreadsThread *thread, const ThreadsBinding *binding, const uint64_t *args,
                              unsigned n);
ThreadsStep threads_stream_await(ThreadsCall *call);

/* Step of a call that waits for a lock: counts the time, and returns the result. */
ThreadsStep threads_mutex_waited(ThreadsCall *call);

#endif
