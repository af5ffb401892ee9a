/* condition.c - condition variables (POSIX XSH pthread_cond_wait).
 *
 * A thread that is signalled does not run to find its mutex locked: it takes the mutex at once if that is free, and
 * waits in the mutex's queue otherwise. The same holds at a deadline and for a cancellation, which both end the wait
 * with the mutex locked. There are no spurious wake-ups. */
#include "threads/sync/sync.h"

static ThreadsCondition *condition_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(ThreadsCondition));
}

/* A call that waits for its mutex again can only get it. A cancellation waits meanwhile. */
static void stay(ThreadsCall *call, int result, uint64_t time_ps)
{
    (void)call, (void)result, (void)time_ps;
}

/* Ends the wait for the condition at time_ps; that for the mutex begins. */
static void want_mutex(ThreadsCall *call, int result, uint64_t time_ps)
{
    ThreadsCondition *condition = vm_rank_write(call->vm, call->args[0], sizeof *condition);
    ThreadsMutex *mutex = vm_rank_write(call->vm, call->args[1], sizeof *mutex);
    if (condition && condition->waiters)
        condition->waiters--;
    if (mutex && mutex->conditions)
        mutex->conditions--;
    call->wait.result = result;
    call->wait.leave = stay;
    call->wait.point = false;
    if (!mutex || !threads_mutex_is_valid(mutex)) {
        threads_wait_leave(call, EINVAL, time_ps);
    } else if (mutex->kind & THREADS_MUTEX_LOST) {
        threads_wait_leave(call, ENOTRECOVERABLE, time_ps);
    } else if (mutex->depth && mutex->owner == (uint32_t)call->thread->id) {
        mutex->depth++; /* it had locked a recursive mutex more than once */
        threads_wait_leave(call, result, time_ps);
    } else if (mutex->depth == 0) {
        threads_wait_remove(call);
        int taken = threads_mutex_take(call, mutex, call->args[1], time_ps);
        threads_wait_end(call, result ? result : taken, time_ps);
    } else {
        mutex->waiters++;
        threads_wait_move(call, THREADS_MUTEX, call->args[1], time_ps);
    }
}

static ThreadsStep waited(ThreadsCall *call)
{
    if (call->wait.result == 0)
        threads_acquired(call->thread, THREADS_CONDITION, call->args[0], false, call->now);
    return threads_wait_result(call);
}

/* Returns the mutex if the calling thread may wait with it; NULL: the call is over with call->result, or, if that is 0,
 * with a fault. */
static ThreadsMutex *mutex_to_wait_with(ThreadsCall *call)
{
    ThreadsMutex *mutex = threads_call_memory(call, call->args[1], sizeof *mutex);
    call->result = 0;
    if (!mutex)
        return NULL;
    bool own = mutex->depth > 0 && mutex->owner == (uint32_t)call->thread->id;
    if (!threads_mutex_is_valid(mutex))
        call->result = EINVAL;
    else if (!own && (mutex->depth || mutex->kind & (THREADS_MUTEX_TYPE | THREADS_MUTEX_ROBUST)))
        call->result = EPERM; /* a normal mutex that is free passes, as it does with glibc */
    return call->result ? NULL : mutex;
}

static ThreadsStep wait_until(ThreadsCall *call, ThreadsCondition *condition, uint64_t deadline_ps)
{
    if (call->local)
        return THREADS_STEP_GLOBAL;
    ThreadsMutex *mutex = mutex_to_wait_with(call);
    if (!mutex)
        return call->result ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
    if (condition->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    threads_charge(call, call->world->costs.unlock);
    if (mutex->depth > 1)
        mutex->depth--; /* POSIX leaves open what becomes of a mutex that is locked several times */
    else if (mutex->depth)
        threads_mutex_give(call, mutex, call->args[1]);
    condition->waiters++;
    mutex->conditions++;
    call->wait.point = true;
    call->wait.leave = want_mutex;
    return threads_wait(call, THREADS_CONDITION, call->args[0], deadline_ps, waited);
}

ThreadsStep threads_do_cond_wait(ThreadsCall *call)
{
    ThreadsCondition *condition = condition_of(call);
    return condition ? wait_until(call, condition, THREADS_NEVER) : THREADS_STEP_FAULT;
}

static ThreadsStep timed_wait(ThreadsCall *call, ThreadsCondition *condition, int clock, uint64_t time)
{
    uint64_t deadline_ps;
    int error;
    if (!threads_deadline(call, clock, time, &deadline_ps, &error))
        return error ? threads_return(call, error) : THREADS_STEP_FAULT;
    return wait_until(call, condition, deadline_ps);
}

ThreadsStep threads_do_cond_timedwait(ThreadsCall *call)
{
    ThreadsCondition *condition = condition_of(call);
    return condition ? timed_wait(call, condition, condition->clock, call->args[2]) : THREADS_STEP_FAULT;
}

ThreadsStep threads_do_cond_clockwait(ThreadsCall *call)
{
    ThreadsCondition *condition = condition_of(call);
    return condition ? timed_wait(call, condition, (int)call->args[2], call->args[3]) : THREADS_STEP_FAULT;
}

static ThreadsStep wake(ThreadsCall *call, bool all)
{
    const ThreadsCosts *costs = &call->world->costs;
    ThreadsCondition *condition = condition_of(call);
    if (!condition)
        return THREADS_STEP_FAULT;
    if (condition->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    threads_charge(call, costs->signal);
    threads_released(call->thread, THREADS_CONDITION, call->args[0], false, call->now);
    uint32_t n = all ? condition->waiters : MIN(condition->waiters, 1);
    for (ThreadsObject *object; n > 0 && (object = threads_wait_find(call->process, THREADS_CONDITION, call->args[0]));
         n--) {
        threads_charge(call, costs->signal_per_thread);
        want_mutex(threads_wait_first(object), 0, call->now + costs->hand_over);
    }
    return threads_return(call, 0);
}

ThreadsStep threads_do_cond_signal(ThreadsCall *call)
{
    return wake(call, false);
}

ThreadsStep threads_do_cond_broadcast(ThreadsCall *call)
{
    return wake(call, true);
}

ThreadsStep threads_do_cond_destroy(ThreadsCall *call)
{
    ThreadsCondition *condition = condition_of(call);
    if (!condition)
        return THREADS_STEP_FAULT;
    if (condition->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    if (condition->waiters && threads_wait_find(call->process, THREADS_CONDITION, call->args[0])) {
        threads_misuse_in_use(call, THREADS_CONDITION, call->args[0]);
        return threads_return(call, EBUSY);
    }
    condition->kind = THREADS_DESTROYED;
    return threads_return(call, 0);
}
