/* barrier.c - barriers: those of POSIX, which are objects of the program, and those of teams, which are addresses that
 * nothing is stored at. All who wait go on together, when the barrier's cost is paid from the last arrival on. */
#include "threads/sync/sync.h"

enum { SERIAL = -1 /* PTHREAD_BARRIER_SERIAL_THREAD */ };

static ThreadsStep waited(ThreadsCall *call)
{
    if (call->wait.result != THREADS_CANCELLED)
        threads_acquired(call->thread, (ThreadsSort)call->state, call->args[0], false, call->now);
    if (call->world->counts_locks && call->state == THREADS_TEAM && call->wait.result == 0)
        threads_region_leave(call, call->args[0], (uint32_t)call->args[1]);
    return threads_wait_result(call);
}

/* The last of `n` threads has come: all go on. */
static void release(ThreadsCall *call, ThreadsSort sort, uint32_t n)
{
    const ThreadsCosts *costs = &call->world->costs;
    threads_charge(call, costs->barrier + costs->barrier_per_thread * n);
    for (ThreadsObject *object; (object = threads_wait_find(call->process, sort, call->args[0]));)
        threads_wait_leave(object->first, 0, call->now);
    threads_acquired(call->thread, sort, call->args[0], false, call->now);
}

static ThreadsStep arrive(ThreadsCall *call, ThreadsSort sort)
{
    call->state = sort;
    return threads_wait(call, sort, call->args[0], THREADS_NEVER, waited);
}

static ThreadsBarrier *barrier_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(ThreadsBarrier));
}

ThreadsStep threads_do_barrier_init(ThreadsCall *call)
{
    ThreadsBarrier *barrier = barrier_of(call);
    if (!barrier)
        return THREADS_STEP_FAULT;
    uint32_t count = (uint32_t)call->args[2];
    if (count == 0 || count > INT32_MAX)
        return threads_return(call, EINVAL);
    if (threads_wait_find(call->process, THREADS_BARRIER, call->args[0])) {
        threads_misuse_in_use(call, THREADS_BARRIER, call->args[0]);
        return threads_return(call, EBUSY);
    }
    *barrier = (ThreadsBarrier){.count = count};
    return threads_return(call, 0);
}

ThreadsStep threads_do_barrier_wait(ThreadsCall *call)
{
    ThreadsBarrier *barrier = barrier_of(call);
    if (!barrier)
        return THREADS_STEP_FAULT;
    if (barrier->kind == THREADS_DESTROYED || barrier->count == 0)
        return threads_return(call, EINVAL);
    if (call->local && barrier->count > 1)
        return THREADS_STEP_GLOBAL;
    call->process->stats.barriers++;
    threads_released(call->thread, THREADS_BARRIER, call->args[0], false, call->now);
    if (barrier->arrived + 1 < barrier->count) {
        barrier->arrived++;
        return arrive(call, THREADS_BARRIER);
    }
    barrier->arrived = 0;
    release(call, THREADS_BARRIER, barrier->count);
    return threads_return(call, SERIAL);
}

ThreadsStep threads_do_barrier_destroy(ThreadsCall *call)
{
    ThreadsBarrier *barrier = barrier_of(call);
    if (!barrier)
        return THREADS_STEP_FAULT;
    if (barrier->kind == THREADS_DESTROYED)
        return threads_return(call, EINVAL);
    if (threads_wait_find(call->process, THREADS_BARRIER, call->args[0])) {
        threads_misuse_in_use(call, THREADS_BARRIER, call->args[0]);
        return threads_return(call, EBUSY);
    }
    barrier->kind = THREADS_DESTROYED;
    return threads_return(call, 0);
}

/* -- teams ------------------------------------------------------------------------------------- */

static ThreadsStep team_barrier(ThreadsCall *call)
{
    uint32_t n = (uint32_t)call->args[1];
    const ThreadsObject *object = threads_wait_find(call->process, THREADS_TEAM, call->args[0]);
    uint32_t waiting = object ? object->waiting : 0;
    if (call->local && n > 1)
        return THREADS_STEP_GLOBAL;
    call->process->stats.barriers++;
    threads_released(call->thread, THREADS_TEAM, call->args[0], false, call->now);
    if (call->world->counts_locks)
        threads_region_arrive(call, call->args[0], n);
    if (waiting + 1 < n)
        return arrive(call, THREADS_TEAM);
    release(call, THREADS_TEAM, n);
    if (call->world->counts_locks)
        threads_region_leave(call, call->args[0], n);
    return threads_return(call, 1);
}

ThreadsStep threads_do_team_barrier(ThreadsCall *call)
{
    return team_barrier(call);
}

ThreadsStep threads_do_team_barrier_or_work(ThreadsCall *call)
{
    return team_barrier(call);
}

ThreadsStep threads_do_team_disturb(ThreadsCall *call)
{
    const ThreadsCosts *costs = &call->world->costs;
    const ThreadsObject *object = threads_wait_find(call->process, THREADS_TEAM, call->args[0]);
    int32_t most = (int32_t)call->args[1], woken = 0;
    threads_charge(call, costs->signal);
    threads_released(call->thread, THREADS_TEAM, call->args[0], false, call->now);
    for (ThreadsCall *waiter = object ? object->first : NULL, *behind; waiter && woken < most; waiter = behind) {
        behind = waiter->wait.behind;
        if (waiter->binding->handler != threads_do_team_barrier_or_work)
            continue;
        threads_charge(call, costs->signal_per_thread);
        threads_wait_leave(waiter, -1, call->now + costs->hand_over);
        woken++;
    }
    return threads_return(call, woken);
}
