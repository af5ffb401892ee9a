/* read_write_lock.c - read-write locks (POSIX XSH pthread_rwlock_rdlock).
 *
 * Readers may join readers even if a writer waits, unless the lock prefers writers (pthread_rwlockattr_setkind_np). An
 * unlock that frees the lock lets the one in that waits longest; if that is a reader, all readers that wait. */
#include "threads/sync/sync.h"

enum { PREFER_WRITERS = 2 };

static ThreadsReadWriteLock *lock_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(ThreadsReadWriteLock));
}

static bool is_valid(const ThreadsReadWriteLock *lock)
{
    return lock->kind >= 0 && lock->kind <= PREFER_WRITERS && lock->readers >= 0;
}

static bool may_read(const ThreadsReadWriteLock *lock)
{
    return !lock->writer && !(lock->kind == PREFER_WRITERS && lock->writers);
}

static void take(ThreadsCall *call, ThreadsReadWriteLock *lock, bool shared, uint64_t time_ps)
{
    if (shared) {
        lock->readers++;
        lock->reader = (uint32_t)call->thread->id;
    } else {
        lock->writer = (uint32_t)call->thread->id;
    }
    lock->since = call->pc;
    threads_call_locked(call, THREADS_READ_WRITE_LOCK, call->args[0], shared, time_ps);
}

/* Lets in who can go on now. */
static void admit(ThreadsProcess *process, ThreadsReadWriteLock *lock, uint64_t address, uint64_t time_ps,
                  uint64_t hand_over_ps)
{
    ThreadsObject *object;
    while (lock->waiters && !lock->writer && (object = threads_wait_find(process, THREADS_READ_WRITE_LOCK, address))) {
        ThreadsCall *next = threads_wait_first(object);
        if (lock->readers && (!next->wait.shared || !may_read(lock))) {
            if (next->wait.shared || lock->kind == PREFER_WRITERS)
                return;
            do /* readers pass writers that wait */
                next = next->wait.behind;
            while (next && !next->wait.shared);
            if (!next)
                return;
        }
        lock->waiters--;
        lock->writers -= !next->wait.shared;
        threads_wait_remove(next);
        take(next, lock, next->wait.shared, time_ps);
        threads_wait_end(next, 0, time_ps + hand_over_ps);
    }
}

static void leave(ThreadsCall *call, int result, uint64_t time_ps)
{
    ThreadsReadWriteLock *lock = vm_rank_write(call->vm, call->args[0], sizeof *lock);
    threads_wait_leave(call, result, time_ps);
    if (!lock || !lock->waiters)
        return;
    lock->waiters--;
    lock->writers -= !call->wait.shared && lock->writers;
    admit(call->process, lock, call->args[0], time_ps, call->world->costs.hand_over);
}

/* Returns whether the call must wait. Otherwise it is over with call->result, or, if *lock is NULL, with a fault. */
static bool must_wait(ThreadsCall *call, bool shared, ThreadsReadWriteLock **lock)
{
    ThreadsReadWriteLock *l = *lock = lock_of(call);
    if (!l)
        return false;
    threads_charge(call, call->world->costs.lock);
    call->result = 0;
    call->wait.shared = shared;
    if (!is_valid(l))
        call->result = EINVAL;
    else if (l->writer == (uint32_t)call->thread->id)
        call->result = EDEADLK;
    else if (shared && l->readers == INT32_MAX)
        call->result = EAGAIN;
    else if (shared ? may_read(l) : !l->writer && !l->readers)
        take(call, l, shared, call->now);
    else
        return true;
    return false;
}

static ThreadsStep lock_until(ThreadsCall *call, ThreadsReadWriteLock *lock, uint64_t deadline_ps)
{
    ThreadsStep step =
        threads_wait_counted(call, THREADS_READ_WRITE_LOCK, &lock->waiters, deadline_ps, threads_mutex_waited, leave);
    lock->writers += step == THREADS_STEP_BLOCK && !call->wait.shared;
    return step;
}

static ThreadsStep lock(ThreadsCall *call, bool shared)
{
    ThreadsReadWriteLock *l;
    if (must_wait(call, shared, &l))
        return lock_until(call, l, THREADS_NEVER);
    return l ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
}

static ThreadsStep try_lock(ThreadsCall *call, bool shared)
{
    ThreadsReadWriteLock *l;
    bool busy = must_wait(call, shared, &l);
    if (!l)
        return THREADS_STEP_FAULT;
    return busy || call->result == EDEADLK ? threads_return(call, EBUSY) : THREADS_STEP_DONE;
}

static ThreadsStep timed_lock(ThreadsCall *call, bool shared, int clock, uint64_t time)
{
    ThreadsReadWriteLock *l;
    uint64_t deadline_ps;
    int error;
    if (!threads_deadline_clock(clock))
        return threads_return(call, EINVAL);
    if (!must_wait(call, shared, &l))
        return l ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
    if (!threads_deadline(call, clock, time, &deadline_ps, &error))
        return error ? threads_return(call, error) : THREADS_STEP_FAULT;
    return lock_until(call, l, deadline_ps);
}

ThreadsStep threads_do_rwlock_rdlock(ThreadsCall *call)
{
    return lock(call, true);
}

ThreadsStep threads_do_rwlock_wrlock(ThreadsCall *call)
{
    return lock(call, false);
}

ThreadsStep threads_do_rwlock_tryrdlock(ThreadsCall *call)
{
    return try_lock(call, true);
}

ThreadsStep threads_do_rwlock_trywrlock(ThreadsCall *call)
{
    return try_lock(call, false);
}

ThreadsStep threads_do_rwlock_timedrdlock(ThreadsCall *call)
{
    return timed_lock(call, true, 0, call->args[1]);
}

ThreadsStep threads_do_rwlock_timedwrlock(ThreadsCall *call)
{
    return timed_lock(call, false, 0, call->args[1]);
}

ThreadsStep threads_do_rwlock_clockrdlock(ThreadsCall *call)
{
    return timed_lock(call, true, (int)call->args[1], call->args[2]);
}

ThreadsStep threads_do_rwlock_clockwrlock(ThreadsCall *call)
{
    return timed_lock(call, false, (int)call->args[1], call->args[2]);
}

ThreadsStep threads_do_rwlock_unlock(ThreadsCall *call)
{
    ThreadsReadWriteLock *l = lock_of(call);
    if (!l)
        return THREADS_STEP_FAULT;
    threads_charge(call, call->world->costs.unlock);
    if (!is_valid(l))
        return threads_return(call, EINVAL);
    bool shared = !l->writer;
    if (shared ? l->readers == 0 : l->writer != (uint32_t)call->thread->id)
        threads_misuse_foreign(call, THREADS_READ_WRITE_LOCK, call->args[0]);
    if (shared)
        l->readers -= l->readers > 0;
    else
        l->writer = 0;
    threads_call_unlocked(call, THREADS_READ_WRITE_LOCK, call->args[0], shared);
    admit(call->process, l, call->args[0], call->now, call->world->costs.hand_over);
    return threads_return(call, 0);
}

ThreadsStep threads_do_rwlock_destroy(ThreadsCall *call)
{
    ThreadsReadWriteLock *l = lock_of(call);
    if (!l)
        return THREADS_STEP_FAULT;
    if (!is_valid(l))
        return threads_return(call, EINVAL);
    if (l->writer || l->readers) {
        threads_misuse_in_use(call, THREADS_READ_WRITE_LOCK, call->args[0]);
        if (l->waiters)
            return threads_return(call, EBUSY);
    } /* POSIX allows EBUSY here, too; like glibc, it is let pass if nobody waits */
    l->kind = THREADS_DESTROYED;
    threads_call_unmade(call, THREADS_READ_WRITE_LOCK, call->args[0]);
    return threads_return(call, 0);
}
