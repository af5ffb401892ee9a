/* stream.c - the locks of streams (POSIX XSH flockfile), and what stands before functions of the C library that take
 * effect in order.
 *
 * Each such function is one step, so it needs no lock of its own: it only waits while another thread holds the
 * stream's. A stream has no bytes in the program's memory, so its lock is here, by the value of its FILE *. It exists
 * while somebody holds it, or is to hold it next. */
#include "threads/sync/sync.h"

static void take(ThreadsThread *thread, uint64_t stream, uint64_t time_ps)
{
    ThreadsProcess *process = thread->process;
    ThreadsStreamLock lock = {(uint32_t)thread->id, 1};
    if (!process->streams)
        process->streams = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_hash_table_insert(process->streams, GSIZE_TO_POINTER(stream), g_memdup2(&lock, sizeof lock));
    threads_acquired(thread, THREADS_STREAM, stream, false, time_ps);
}

/* A process with one thread needs no lock, and pays none. */
static void charge(ThreadsCall *call, uint64_t ps)
{
    if (!call->local)
        threads_charge(call, ps);
}

static ThreadsStep waited(ThreadsCall *call)
{
    call->process->stats.wait_ps += call->now - call->wait.since_ps;
    return threads_wait_result(call);
}

static ThreadsStep lock(ThreadsCall *call, bool tries)
{
    ThreadsStreamLock *held = threads_stream_lock(call->process, call->args[0]);
    charge(call, call->world->costs.lock);
    if (!held) {
        take(call->thread, call->args[0], call->now);
        return threads_return(call, 0);
    }
    if (held->owner == (uint32_t)call->thread->id) {
        held->depth++;
        return threads_return(call, 0);
    }
    return tries ? threads_return(call, EBUSY)
                 : threads_wait(call, THREADS_STREAM, call->args[0], THREADS_NEVER, waited);
}

ThreadsStep threads_do_flockfile(ThreadsCall *call)
{
    return lock(call, false);
}

ThreadsStep threads_do_ftrylockfile(ThreadsCall *call)
{
    return lock(call, true);
}

/* Those who wait to use the stream once all go on, up to one who wants to keep it. */
static void admit(ThreadsCall *call, uint64_t stream)
{
    ThreadsObject *object;
    uint64_t next_ps = call->now + call->world->costs.hand_over;
    while (!threads_stream_lock(call->process, stream) &&
           (object = threads_wait_find(call->process, THREADS_STREAM, stream))) {
        ThreadsCall *next = threads_wait_first(object);
        if (next->binding->handler != threads_stream_await)
            take(next->thread, stream, next_ps);
        threads_wait_leave(next, 0, next_ps);
    }
}

ThreadsStep threads_do_funlockfile(ThreadsCall *call)
{
    ThreadsStreamLock *held = threads_stream_lock(call->process, call->args[0]);
    charge(call, call->world->costs.unlock);
    if (!held || held->owner != (uint32_t)call->thread->id) {
        threads_misuse_foreign(call, THREADS_STREAM, call->args[0]);
        return threads_return(call, 0);
    }
    if (--held->depth)
        return threads_return(call, 0);
    threads_released(call->thread, THREADS_STREAM, call->args[0], false, call->now);
    g_hash_table_remove(call->process->streams, GSIZE_TO_POINTER(call->args[0]));
    admit(call, call->args[0]);
    return threads_return(call, 0);
}

/* -- functions of the C library ------------------------------------------------------------------ */

/* The stream that a call uses; 0: none. */
static uint64_t stream_of(const ThreadsBinding *binding, const uint64_t *args, unsigned n)
{
    switch (binding->stream) {
    case THREADS_NO_STREAM: return 0;
    case THREADS_STDIN: return 1;
    case THREADS_STDOUT: return 2;
    default: return (unsigned)binding->stream < n ? args[binding->stream] : 0;
    }
}

bool threads_stream_must_wait(const ThreadsThread *thread, const ThreadsBinding *binding, const uint64_t *args,
                              unsigned n)
{
    const ThreadsStreamLock *held = threads_stream_lock(thread->process, stream_of(binding, args, n));
    return held && held->owner != (uint32_t)thread->id;
}

ThreadsStep threads_stream_await(ThreadsCall *call)
{
    if (!threads_stream_must_wait(call->thread, call->binding, call->args, THREADS_ARGUMENTS))
        return threads_return(call, 0);
    return threads_wait(call, THREADS_STREAM, stream_of(call->binding, call->args, THREADS_ARGUMENTS), THREADS_NEVER,
                        waited);
}
