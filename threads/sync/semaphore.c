/* semaphore.c - semaphores (POSIX XSH sem_wait). The functions return error numbers; clib/runtime/semaphore.c makes
 * errno of them. */
#include "threads/sync/sync.h"

enum { MOST = INT32_MAX };

static ThreadsSemaphore *semaphore_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(ThreadsSemaphore));
}

static void leave(ThreadsCall *call, int result, uint64_t time_ps)
{
    ThreadsSemaphore *semaphore = vm_rank_write(call->vm, call->args[0], sizeof *semaphore);
    if (semaphore && semaphore->waiters)
        semaphore->waiters--;
    threads_wait_leave(call, result, time_ps);
}

static ThreadsStep waited(ThreadsCall *call)
{
    if (call->wait.result == 0)
        threads_acquired(call->thread, THREADS_SEMAPHORE, call->args[0], false, call->now);
    return threads_wait_result(call);
}

/* Takes one of the semaphore. Returns true if that must wait; else the call is over, or, if *semaphore is NULL, it has
 * a fault. */
static bool must_wait(ThreadsCall *call, ThreadsSemaphore **semaphore)
{
    ThreadsSemaphore *s = *semaphore = semaphore_of(call);
    if (!s)
        return false;
    threads_charge(call, call->world->costs.lock);
    call->result = s->kind == THREADS_DESTROYED ? EINVAL : 0;
    if (call->result)
        return false;
    if (s->value == 0)
        return true;
    s->value--;
    threads_acquired(call->thread, THREADS_SEMAPHORE, call->args[0], false, call->now);
    return false;
}

static ThreadsStep wait_until(ThreadsCall *call, ThreadsSemaphore *semaphore, uint64_t deadline_ps)
{
    call->wait.point = true;
    call->wait.interruptible = deadline_ps == THREADS_NEVER ? 2 : 1; /* as Linux does it */
    return threads_wait_counted(call, THREADS_SEMAPHORE, &semaphore->waiters, deadline_ps, waited, leave);
}

ThreadsStep threads_do_sem_wait(ThreadsCall *call)
{
    ThreadsSemaphore *semaphore;
    if (must_wait(call, &semaphore))
        return wait_until(call, semaphore, THREADS_NEVER);
    return semaphore ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
}

ThreadsStep threads_do_sem_clockwait(ThreadsCall *call)
{
    ThreadsSemaphore *semaphore;
    uint64_t deadline_ps;
    int error;
    if (!threads_deadline_clock((int)call->args[1]))
        return threads_return(call, EINVAL);
    if (!must_wait(call, &semaphore))
        return semaphore ? THREADS_STEP_DONE : THREADS_STEP_FAULT;
    if (!threads_deadline(call, (int)call->args[1], call->args[2], &deadline_ps, &error))
        return error ? threads_return(call, error) : THREADS_STEP_FAULT;
    return wait_until(call, semaphore, deadline_ps);
}

ThreadsStep threads_do_sem_trywait(ThreadsCall *call)
{
    ThreadsSemaphore *semaphore;
    bool busy = must_wait(call, &semaphore);
    if (!semaphore)
        return THREADS_STEP_FAULT;
    return busy ? threads_return(call, EAGAIN) : THREADS_STEP_DONE;
}

ThreadsStep threads_do_sem_post(ThreadsCall *call)
{
    const ThreadsCosts *costs = &call->world->costs;
    ThreadsSemaphore *semaphore = semaphore_of(call);
    if (!semaphore)
        return THREADS_STEP_FAULT;
    threads_charge(call, costs->unlock);
    if (semaphore->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    if (semaphore->value >= MOST)
        return threads_return(call, EOVERFLOW);
    threads_released(call->thread, THREADS_SEMAPHORE, call->args[0], false, call->now);
    ThreadsObject *object =
        semaphore->waiters ? threads_wait_find(call->process, THREADS_SEMAPHORE, call->args[0]) : NULL;
    if (object) {
        semaphore->waiters--;
        threads_wait_leave(threads_wait_first(object), 0, call->now + costs->hand_over);
    } else {
        semaphore->value++;
    }
    return threads_return(call, 0);
}

ThreadsStep threads_do_sem_destroy(ThreadsCall *call)
{
    ThreadsSemaphore *semaphore = semaphore_of(call);
    if (!semaphore)
        return THREADS_STEP_FAULT;
    if (semaphore->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    if (threads_wait_find(call->process, THREADS_SEMAPHORE, call->args[0])) {
        threads_misuse_in_use(call, THREADS_SEMAPHORE, call->args[0]);
        return threads_return(call, EBUSY);
    }
    semaphore->kind = THREADS_DESTROYED;
    return threads_return(call, 0);
}
