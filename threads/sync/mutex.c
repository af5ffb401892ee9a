/* mutex.c - mutexes (POSIX XSH pthread_mutex_lock): normal, recursive, errorcheck, adaptive, robust.
 *
 * A mutex that somebody waits for is handed over: the one who waits longest has it from the unlock on, and goes on when
 * the hand-over is paid. Nobody who comes in between gets it. */
#include "threads/sync/sync.h"

static int type_of(const ThreadsMutex *mutex)
{
    return mutex->kind & THREADS_MUTEX_TYPE;
}

bool threads_mutex_is_valid(const ThreadsMutex *mutex)
{
    return (mutex->kind & ~THREADS_MUTEX_KINDS) == 0 && mutex->depth >= 0;
}

static ThreadsMutex *mutex_of(ThreadsCall *call, uint64_t address)
{
    return threads_call_memory(call, address, sizeof(ThreadsMutex));
}

static bool holds(const ThreadsCall *call, const ThreadsMutex *mutex)
{
    return mutex->depth > 0 && mutex->owner == (uint32_t)call->thread->id;
}

/* -- robust mutexes: the list of those that a thread holds --------------------------------------- */

static void note_robust(ThreadsThread *thread, uint64_t address)
{
    if (!thread->robust)
        thread->robust = g_array_new(FALSE, FALSE, sizeof address);
    g_array_append_val(thread->robust, address);
}

static void drop_robust(ThreadsThread *thread, uint64_t address)
{
    for (guint i = thread->robust ? thread->robust->len : 0; i-- > 0;)
        if (g_array_index(thread->robust, uint64_t, i) == address) {
            g_array_remove_index(thread->robust, i);
            return;
        }
}

void threads_mutex_bequeath(ThreadsCall *call)
{
    GArray *robust = call->thread->robust;
    while (robust && robust->len) {
        uint64_t address = g_array_index(robust, uint64_t, robust->len - 1);
        ThreadsMutex *mutex = vm_rank_write(call->vm, address, sizeof *mutex);
        g_array_set_size(robust, robust->len - 1);
        if (!mutex || !threads_mutex_is_valid(mutex) || !holds(call, mutex))
            continue;
        mutex->kind |= THREADS_MUTEX_INCONSISTENT;
        threads_mutex_give(call, mutex, address);
    }
}

/* -- taking and giving back ---------------------------------------------------------------------- */

int threads_mutex_take(ThreadsCall *call, ThreadsMutex *mutex, uint64_t address, uint64_t time_ps)
{
    mutex->depth = 1;
    mutex->owner = (uint32_t)call->thread->id;
    mutex->since = call->pc;
    if (G_UNLIKELY(mutex->kind & THREADS_MUTEX_ROBUST))
        note_robust(call->thread, address);
    threads_call_locked(call, THREADS_MUTEX, address, false, time_ps);
    return mutex->kind & THREADS_MUTEX_INCONSISTENT ? EOWNERDEAD : 0;
}

/* Ends the waits of all who wait for a mutex that can never be had again. */
static void disappoint(ThreadsCall *call, ThreadsMutex *mutex, uint64_t address, uint64_t time_ps)
{
    mutex->waiters = 0;
    for (ThreadsObject *object; (object = threads_wait_find(call->process, THREADS_MUTEX, address));)
        threads_wait_leave(object->first, ENOTRECOVERABLE, time_ps);
}

void threads_mutex_give(ThreadsCall *call, ThreadsMutex *mutex, uint64_t address)
{
    uint64_t next_ps = call->now + call->world->costs.hand_over;
    mutex->depth = 0;
    mutex->owner = 0;
    if (G_UNLIKELY(mutex->kind & THREADS_MUTEX_ROBUST))
        drop_robust(call->thread, address);
    threads_call_unlocked(call, THREADS_MUTEX, address, false);
    if (mutex->kind & THREADS_MUTEX_LOST)
        disappoint(call, mutex, address, next_ps);
    ThreadsObject *object = mutex->waiters ? threads_wait_find(call->process, THREADS_MUTEX, address) : NULL;
    if (!object)
        return;
    ThreadsCall *next = threads_wait_first(object);
    mutex->waiters--;
    threads_wait_remove(next);
    int result = threads_mutex_take(next, mutex, address, call->now);
    threads_wait_end(next, next->wait.result ? next->wait.result : result, next_ps);
}

ThreadsStep threads_mutex_waited(ThreadsCall *call)
{
    return threads_wait_result(call);
}

/* Ends a wait for a mutex with an error: the mutex counts its waiters. */
static void leave(ThreadsCall *call, int result, uint64_t time_ps)
{
    ThreadsMutex *mutex = vm_rank_write(call->vm, call->args[0], sizeof *mutex);
    if (mutex && mutex->waiters)
        mutex->waiters--;
    threads_wait_leave(call, result, time_ps);
}

/* A thread that already holds the mutex locks it. Returns true if it thereby has to wait. */
static bool lock_again(ThreadsMutex *mutex, int *result)
{
    if (type_of(mutex) == THREADS_MUTEX_ERRORCHECK)
        *result = EDEADLK;
    else if (type_of(mutex) != THREADS_MUTEX_RECURSIVE)
        return true;
    else if (mutex->depth == INT32_MAX)
        *result = EAGAIN;
    else
        mutex->depth++, *result = 0;
    return false;
}

/* What every way to lock begins with. Returns false if the call is over, with call->result; or if it is a fault, then
 * *mutex is NULL. */
static bool must_wait(ThreadsCall *call, ThreadsMutex **mutex)
{
    ThreadsMutex *m = *mutex = mutex_of(call, call->args[0]);
    if (!m)
        return false;
    threads_charge(call, call->world->costs.lock);
    int result = 0;
    bool protect = (m->kind & THREADS_MUTEX_PROTOCOL) == THREADS_MUTEX_PROTECT;
    if (!threads_mutex_is_valid(m) || (protect && call->thread->priority > m->ceiling))
        result = EINVAL;
    else if (m->kind & THREADS_MUTEX_LOST)
        result = ENOTRECOVERABLE;
    else if (m->depth == 0)
        result = threads_mutex_take(call, m, call->args[0], call->now);
    else if (!holds(call, m) || lock_again(m, &result))
        return true;
    call->result = (uint64_t)result;
    return false;
}

static ThreadsStep lock_until(ThreadsCall *call, ThreadsMutex *mutex, uint64_t deadline_ps)
{
    return threads_wait_counted(call, THREADS_MUTEX, &mutex->waiters, deadline_ps, threads_mutex_waited, leave);
}

ThreadsStep threads_do_mutex_lock(ThreadsCall *call)
{
    ThreadsMutex *mutex;
    if (must_wait(call, &mutex))
        return lock_until(call, mutex, THREADS_NEVER);
    return mutex ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
}

static ThreadsStep timed_lock(ThreadsCall *call, int clock, uint64_t time)
{
    ThreadsMutex *mutex;
    uint64_t deadline_ps;
    int error;
    if (!threads_deadline_clock(clock))
        return threads_return(call, EINVAL);
    if (!must_wait(call, &mutex))
        return mutex ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
    if (!threads_deadline(call, clock, time, &deadline_ps, &error))
        return error ? threads_return(call, error) : THREADS_STEP_FAULT;
    return lock_until(call, mutex, deadline_ps);
}

ThreadsStep threads_do_mutex_timedlock(ThreadsCall *call)
{
    return timed_lock(call, 0, call->args[1]);
}

ThreadsStep threads_do_mutex_clocklock(ThreadsCall *call)
{
    return timed_lock(call, (int)call->args[1], call->args[2]);
}

ThreadsStep threads_do_mutex_trylock(ThreadsCall *call)
{
    ThreadsMutex *mutex;
    bool busy = must_wait(call, &mutex);
    if (!mutex)
        return THREADS_STEP_FAULT;
    return busy || call->result == EDEADLK ? threads_return(call, EBUSY) : THREADS_STEP_DONE;
}

static bool is_strict(const ThreadsMutex *mutex)
{
    return type_of(mutex) == THREADS_MUTEX_RECURSIVE || type_of(mutex) == THREADS_MUTEX_ERRORCHECK ||
           mutex->kind & THREADS_MUTEX_ROBUST;
}

ThreadsStep threads_do_mutex_unlock(ThreadsCall *call)
{
    ThreadsMutex *mutex = mutex_of(call, call->args[0]);
    if (!mutex)
        return THREADS_STEP_FAULT;
    threads_charge(call, call->world->costs.unlock);
    if (!threads_mutex_is_valid(mutex))
        return threads_return(call, EINVAL);
    if (!holds(call, mutex) && is_strict(mutex))
        return threads_return(call, EPERM);
    if (!holds(call, mutex))
        threads_misuse_foreign(call, THREADS_MUTEX, call->args[0]);
    if (!mutex->depth)
        return threads_return(call, 0);
    if (mutex->depth > 1) {
        mutex->depth--;
        return threads_return(call, 0);
    }
    if (mutex->kind & THREADS_MUTEX_INCONSISTENT) /* nobody has said that it is consistent again */
        mutex->kind = (mutex->kind & ~THREADS_MUTEX_INCONSISTENT) | THREADS_MUTEX_LOST;
    threads_mutex_give(call, mutex, call->args[0]);
    return threads_return(call, 0);
}

ThreadsStep threads_do_mutex_consistent(ThreadsCall *call)
{
    ThreadsMutex *mutex = mutex_of(call, call->args[0]);
    if (!mutex)
        return THREADS_STEP_FAULT;
    if (!threads_mutex_is_valid(mutex) || !(mutex->kind & THREADS_MUTEX_INCONSISTENT) || !holds(call, mutex))
        return threads_return(call, EINVAL);
    mutex->kind &= ~THREADS_MUTEX_INCONSISTENT;
    return threads_return(call, 0);
}

/* -- destroying -------------------------------------------------------------------------------- */

ThreadsStep threads_do_mutex_destroy(ThreadsCall *call)
{
    ThreadsMutex *mutex = mutex_of(call, call->args[0]);
    if (!mutex)
        return THREADS_STEP_FAULT;
    if (!threads_mutex_is_valid(mutex))
        return threads_return(call, EINVAL);
    if (mutex->depth || mutex->conditions) {
        threads_misuse_in_use(call, THREADS_MUTEX, call->args[0]);
        return threads_return(call, EBUSY);
    }
    mutex->kind = THREADS_DESTROYED;
    threads_call_unmade(call, THREADS_MUTEX, call->args[0]);
    return threads_return(call, 0);
}

/* pthread_mutex_init() with the kind that its attributes say. The bytes may be anything, so whether they look like a
 * mutex that is in use is asked only if somebody waits for it. */
ThreadsStep threads_do_mutex_init(ThreadsCall *call)
{
    ThreadsMutex *mutex = mutex_of(call, call->args[0]);
    if (!mutex)
        return THREADS_STEP_FAULT;
    if (threads_wait_find(call->process, THREADS_MUTEX, call->args[0]))
        threads_misuse_in_use(call, THREADS_MUTEX, call->args[0]);
    threads_call_unmade(call, THREADS_MUTEX, call->args[0]);
    *mutex = (ThreadsMutex){.kind = (int32_t)call->args[1], .ceiling = (int32_t)call->args[2]};
    return threads_return(call, 0);
}
