/* spin.c - spin locks: who waits keeps its processor busy and goes on without being woken. The object is an int, the id
 * of the holder or 0. */
#include "threads/sync/sync.h"

static uint32_t *lock_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(uint32_t));
}

static void take(ThreadsCall *call, uint32_t *lock, uint64_t time_ps)
{
    *lock = (uint32_t)call->thread->id;
    threads_call_locked(call, THREADS_SPIN_LOCK, call->args[0], false, time_ps);
}

static ThreadsStep spin(ThreadsCall *call, bool tries)
{
    uint32_t *lock = lock_of(call);
    if (!lock)
        return THREADS_STEP_FAULT;
    threads_charge(call, call->world->costs.lock);
    if (!*lock) {
        take(call, lock, call->now);
        return threads_return(call, 0);
    }
    if (tries)
        return threads_return(call, EBUSY);
    call->wait.spins = true;
    return threads_wait(call, THREADS_SPIN_LOCK, call->args[0], THREADS_NEVER, threads_mutex_waited);
}

ThreadsStep threads_do_spin_lock(ThreadsCall *call)
{
    return spin(call, false);
}

ThreadsStep threads_do_spin_trylock(ThreadsCall *call)
{
    return spin(call, true);
}

ThreadsStep threads_do_spin_unlock(ThreadsCall *call)
{
    const ThreadsCosts *costs = &call->world->costs;
    uint32_t *lock = lock_of(call);
    if (!lock)
        return THREADS_STEP_FAULT;
    threads_charge(call, costs->unlock);
    if (*lock != (uint32_t)call->thread->id)
        threads_misuse_foreign(call, THREADS_SPIN_LOCK, call->args[0]);
    *lock = 0;
    threads_call_unlocked(call, THREADS_SPIN_LOCK, call->args[0], false);
    ThreadsObject *object = threads_wait_find(call->process, THREADS_SPIN_LOCK, call->args[0]);
    if (object) {
        ThreadsCall *next = threads_wait_first(object);
        threads_wait_remove(next);
        take(next, lock, call->now);
        threads_wait_end(next, 0, call->now + costs->lock);
    }
    return threads_return(call, 0);
}
