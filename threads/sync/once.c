/* once.c - pthread_once() and call_once(), whose routine simulated code calls (clib/runtime/pthread.c).
 *
 * The control is an int: 0 at first, 2 when the routine has run, and while it runs 1 + 4 * id of the thread. */
#include "threads/sync/sync.h"

enum { FRESH = 0, RUNS = 1, RAN = 2, MINE = 1 };

static uint32_t *control_of(ThreadsCall *call)
{
    return threads_call_memory(call, call->args[0], sizeof(uint32_t));
}

static ThreadsStep waited(ThreadsCall *call)
{
    threads_acquired(call->thread, THREADS_ONCE, call->args[0], false, call->now);
    return threads_wait_result(call);
}

/* Returns 1 if the caller must run the routine, 0 if it has run. */
ThreadsStep threads_do_once_begin(ThreadsCall *call)
{
    uint32_t *control = control_of(call);
    if (!control)
        return THREADS_STEP_FAULT;
    if (*control == FRESH) {
        *control = (uint32_t)call->thread->id << 2 | RUNS;
        return threads_return(call, MINE);
    }
    if ((*control & 3) == RUNS)
        return threads_wait(call, THREADS_ONCE, call->args[0], THREADS_NEVER, waited);
    threads_acquired(call->thread, THREADS_ONCE, call->args[0], false, call->now);
    return threads_return(call, 0);
}

/* The routine has run, or it was cancelled, and the next one runs it. */
ThreadsStep threads_do_once_end(ThreadsCall *call)
{
    const ThreadsCosts *costs = &call->world->costs;
    bool ran = (int32_t)call->args[1] != 0;
    uint32_t *control = control_of(call);
    if (!control)
        return THREADS_STEP_FAULT;
    *control = ran ? RAN : FRESH;
    threads_released(call->thread, THREADS_ONCE, call->args[0], false, call->now);
    ThreadsObject *object;
    while ((object = threads_wait_find(call->process, THREADS_ONCE, call->args[0]))) {
        ThreadsCall *next = threads_wait_first(object);
        if (!ran)
            *control = (uint32_t)next->thread->id << 2 | RUNS;
        threads_wait_leave(next, ran ? 0 : MINE, call->now + costs->hand_over);
        if (!ran)
            break;
    }
    return threads_return(call, 0);
}
