/* pipe.c - functions of the C library that wait for pipes, sockets and event counters (vm/pipe.h).
 *
 * The VM performs them, in their turn. One that cannot go on is halted, and becomes a call here, which waits in a queue
 * and has the VM perform it again, until it ends. Of those who wait to read a pipe, or to write it, the first goes on;
 * it passes on what it leaves. All go on when the other end is closed. Who waits for several descriptors goes on when
 * one is ready, without taking anything from others. */
#include "threads/pipe/pipe.h"
#include "threads/life/life.h"

enum { PIPE_SIGNAL = 13 };

static ThreadsStep perform(ThreadsCall *call);

static ThreadsStep waited(ThreadsCall *call)
{
    switch (call->wait.result) {
    case THREADS_CANCELLED: return threads_call_attend(call, true);
    case EINTR: vm_rank_halt_over(call->vm, VM_HALT_INTERRUPTED); break;
    case ETIMEDOUT: vm_rank_halt_over(call->vm, VM_HALT_TIMED_OUT); break;
    default: break;
    }
    return perform(call);
}

/* The caller gets SIGPIPE, and goes on with the same call if it lives. */
static ThreadsStep break_off(ThreadsCall *call)
{
    threads_signal_self(call, PIPE_SIGNAL);
    vm_rank_halt_over(call->vm, VM_HALT_SIGNALLED);
    call->begun = false;
    return threads_call_attend(call, false);
}

static ThreadsStep await(ThreadsCall *call)
{
    const VmHalt *halt = &call->thread->halt;
    call->wait.point = call->binding->point;
    if (halt->reason == VM_HALT_ANY) {
        call->wait.interruptible = 1;
        return threads_wait(call, THREADS_POLL, 0, halt->deadline_ps, waited);
    }
    call->wait.interruptible = 2; /* a handler with SA_RESTART does not end it */
    return threads_wait(call, halt->reason == VM_HALT_DATA ? THREADS_DATA : THREADS_ROOM, halt->pipe, THREADS_NEVER,
                        waited);
}

static ThreadsStep perform(ThreadsCall *call)
{
    VmClock *clock = vm_rank_clock(call->vm);
    vm_clock_set(clock, MAX(call->now, vm_clock_now(clock)));
    VmStop stop = vm_rank_perform(call->vm);
    call->now = MAX(call->now, vm_clock_now(clock));
    if (stop != VM_STOP_REQUEST)
        return stop == VM_STOP_QUANTUM ? THREADS_STEP_PERFORMED : THREADS_STEP_FAULT;
    call->thread->halt = *vm_rank_halted(call->vm);
    return call->thread->halt.reason == VM_HALT_BROKEN ? break_off(call) : await(call);
}

ThreadsStep threads_pipe_await(ThreadsCall *call)
{
    return perform(call);
}

/* -- what others do ------------------------------------------------------------------------------ */

static void wake(ThreadsProcess *process, ThreadsSort sort, uint64_t pipe, bool all, uint64_t time_ps)
{
    ThreadsObject *object;
    while ((object = threads_wait_find(process, sort, pipe))) {
        threads_wait_leave(threads_wait_first(object), 0, time_ps);
        if (!all)
            break;
    }
}

static void wake_pollers(ThreadsProcess *process, uint64_t time_ps)
{
    const ThreadsObject *object = threads_wait_find(process, THREADS_POLL, 0);
    for (ThreadsCall *call = object ? object->first : NULL, *next; call; call = next) {
        next = call->wait.behind;
        if (vm_rank_pipes_ready(process->vm, &call->thread->halt))
            threads_wait_leave(call, 0, time_ps);
    }
}

void threads_pipe_changed(ThreadsProcess *process, const VmPipeChange *change)
{
    const ThreadsThread *self = threads_thread_selected(process);
    uint64_t now_ps = vm_clock_now(vm_rank_clock(process->vm));
    uint64_t time_ps = now_ps + process->world->costs.hand_over;
    if (change->taken)
        threads_acquired(self, THREADS_DATA, change->pipe, false, now_ps);
    if (change->put)
        threads_released(self, THREADS_DATA, change->pipe, false, now_ps);
    if (change->data || change->ended)
        wake(process, THREADS_DATA, change->pipe, change->ended, time_ps);
    if (change->room || change->ended)
        wake(process, THREADS_ROOM, change->pipe, change->ended, time_ps);
    wake_pollers(process, time_ps);
}
