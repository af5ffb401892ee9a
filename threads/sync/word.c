/* word.c - waiting by address, as futexes do, and sleeping. */
#include "threads/sync/sync.h"

static ThreadsStep waited(ThreadsCall *call)
{
    if (call->wait.result == 0)
        threads_acquired(call->thread, THREADS_WORD, call->args[0], false, call->now);
    return threads_wait_result(call);
}

ThreadsStep threads_do_wait(ThreadsCall *call)
{
    const int32_t *word = threads_call_readable(call, call->args[0], sizeof *word);
    if (!word)
        return THREADS_STEP_FAULT;
    if (*word != (int32_t)call->args[1]) {
        threads_acquired(call->thread, THREADS_WORD, call->args[0], false, call->now);
        return threads_return(call, EAGAIN);
    }
    call->wait.point = call->binding->point;
    call->wait.interruptible = call->binding->point;
    return threads_wait(call, THREADS_WORD, call->args[0], call->args[2], waited);
}

ThreadsStep threads_do_wake(ThreadsCall *call)
{
    const ThreadsCosts *costs = &call->world->costs;
    int32_t most = (int32_t)call->args[1], woken = 0;
    threads_charge(call, costs->signal);
    threads_released(call->thread, THREADS_WORD, call->args[0], false, call->now);
    for (ThreadsObject *object;
         woken < most && (object = threads_wait_find(call->process, THREADS_WORD, call->args[0])); woken++) {
        threads_charge(call, costs->signal_per_thread);
        threads_wait_leave(threads_wait_first(object), 0, call->now + costs->hand_over);
    }
    return threads_return(call, woken);
}

/* __orrery_deadline(clock, until), __orrery_deadline_in(ns) */
ThreadsStep threads_do_deadline(ThreadsCall *call)
{
    uint64_t deadline_ps = 0;
    int error;
    if (!threads_deadline(call, (int)call->args[0], call->args[1], &deadline_ps, &error) && !error)
        return THREADS_STEP_FAULT;
    return threads_return(call, (int64_t)deadline_ps);
}

ThreadsStep threads_do_deadline_in(ThreadsCall *call)
{
    return threads_return(call,
                          (int64_t)(call->now + threads_deadline_span(0, (int64_t)MIN(call->args[0], INT64_MAX))));
}

/* -- sleeping: args[1] is the address for the time left, args[2] says that the result is in seconds -- */

#define LONGEST_PS (UINT64_C(1) << 62)

static uint64_t left_ps(const ThreadsCall *call)
{
    return call->state > call->now ? call->state - call->now : 0;
}

static ThreadsStep slept(ThreadsCall *call)
{
    if (call->wait.result == THREADS_CANCELLED)
        return threads_call_attend(call, true);
    if (call->wait.result == ETIMEDOUT)
        return threads_return(call, 0);
    if (call->args[2]) /* sleep() returns the seconds left, to the nearest, the others -1; `attention` has set errno */
        return threads_return(call, (int64_t)((left_ps(call) + 500000000000) / 1000000000000));
    int64_t *left = call->args[1] ? threads_call_memory(call, call->args[1], 16) : NULL;
    if (call->args[1] && !left)
        return THREADS_STEP_FAULT;
    if (left) {
        left[0] = (int64_t)(left_ps(call) / 1000000000000);
        left[1] = (int64_t)(left_ps(call) % 1000000000000 / 1000);
    }
    return threads_return(call, -1);
}

static ThreadsStep sleep_for(ThreadsCall *call, uint64_t ps, uint64_t left, bool in_seconds)
{
    call->args[1] = left;
    call->args[2] = in_seconds;
    call->wait.point = true;
    call->wait.interruptible = 1;
    call->wait.spins = true; /* it is what was asked for, and costs nothing more */
    call->state = call->now + MIN(ps, LONGEST_PS);
    threads_wait(call, THREADS_SLEEP, call->thread->id, call->state, slept);
    return THREADS_STEP_BLOCK;
}

ThreadsStep threads_do_nanosleep(ThreadsCall *call)
{
    int64_t time[2];
    const void *bytes = threads_call_readable(call, call->args[0], sizeof time);
    if (!bytes)
        return THREADS_STEP_FAULT;
    memcpy(time, bytes, sizeof time);
    if (time[0] < 0 || time[1] < 0 || time[1] > 999999999) {
        const VmExtern *library = call->binding->library; /* refuses that, with errno */
        VmCallResult result = library->function(call->vm, call->args, 2, library->user);
        return result == VM_CALL_FAULT ? THREADS_STEP_FAULT : threads_return(call, (int64_t)call->args[0]);
    }
    return sleep_for(call, threads_deadline_span(time[0], time[1]), call->args[1], false);
}

ThreadsStep threads_do_usleep(ThreadsCall *call)
{
    return sleep_for(call, (uint64_t)(uint32_t)call->args[0] * 1000000, 0, false);
}

ThreadsStep threads_do_seconds(ThreadsCall *call)
{
    return sleep_for(call, threads_deadline_span((uint32_t)call->args[0], 0), 0, true);
}
