/* cancel.c - cancellation (POSIX XSH 2.9.5).
 *
 * The simulator knows who is to end, and when it must act on that; clean-up handlers and destructors run in simulated
 * code, which the function `attention` of clib/runtime/pthread.c begins. A cancellation is acted on at cancellation
 * points, or, by a thread that is cancellable at any time, at its next synchronising operation or end of a turn. */
#include "threads/life/life.h"

enum { ENABLE, DISABLE };
enum { DEFERRED, ASYNCHRONOUS };

/* __orrery_thread_attention(function): what upcalls call. */
ThreadsStep threads_do_thread_attention(ThreadsCall *call)
{
    call->process->attention = call->args[0];
    return threads_return(call, 0);
}

/* Acts at once on a cancellation that the caller may no longer put off. */
static ThreadsStep act(ThreadsCall *call)
{
    ThreadsThread *thread = call->thread;
    if (!threads_is_cancelled(thread) || !thread->asynchronous)
        return threads_return(call, 0);
    return call->local ? THREADS_STEP_GLOBAL : threads_call_attend(call, true);
}

/* __orrery_thread_cancel(thread) */
ThreadsStep threads_do_thread_cancel(ThreadsCall *call)
{
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    if (call->local)
        return THREADS_STEP_GLOBAL;
    if (!thread)
        return threads_return(call, ESRCH);
    threads_charge(call, call->world->costs.signal);
    if (thread->ended)
        return threads_return(call, 0);
    threads_call_order(call);
    thread->cancel = true;
    threads_released(call->thread, THREADS_SIGNAL, threads_signal_key(thread->id, 0), false, call->now);
    if (thread == call->thread)
        return act(call);
    threads_wait_alert(thread, call->now + call->world->costs.hand_over);
    return threads_return(call, 0);
}

/* Stores an old setting, if the caller wants it. */
static bool store(ThreadsCall *call, int32_t old)
{
    int32_t *place = call->args[1] ? threads_call_memory(call, call->args[1], sizeof *place) : NULL;
    if (place)
        *place = old;
    return place || !call->args[1];
}

ThreadsStep threads_do_setcancelstate(ThreadsCall *call)
{
    int32_t state = (int32_t)call->args[0];
    if (state != ENABLE && state != DISABLE)
        return threads_return(call, EINVAL);
    if (call->local && call->thread->cancel)
        return THREADS_STEP_GLOBAL;
    if (!store(call, call->thread->uncancellable ? DISABLE : ENABLE))
        return THREADS_STEP_FAULT;
    call->thread->uncancellable = state == DISABLE;
    return act(call);
}

ThreadsStep threads_do_setcanceltype(ThreadsCall *call)
{
    int32_t type = (int32_t)call->args[0];
    if (type != DEFERRED && type != ASYNCHRONOUS)
        return threads_return(call, EINVAL);
    if (call->local && call->thread->cancel)
        return THREADS_STEP_GLOBAL;
    if (!store(call, call->thread->asynchronous ? ASYNCHRONOUS : DEFERRED))
        return THREADS_STEP_FAULT;
    call->thread->asynchronous = type == ASYNCHRONOUS;
    return act(call);
}

/* A point where nothing else happens. */
ThreadsStep threads_do_testcancel(ThreadsCall *call)
{
    return threads_return(call, 0);
}

/* __orrery_thread_ending(): the thread runs its clean-up handlers and is cancelled no more. */
ThreadsStep threads_do_thread_ending(ThreadsCall *call)
{
    call->thread->ending = true;
    return threads_return(call, 0);
}

/* __orrery_thread_word_of(thread, i): a word of another thread. */
ThreadsStep threads_do_thread_word_of(ThreadsCall *call)
{
    const ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    return threads_return(
        call, thread && !thread->ended && call->args[1] < THREADS_WORDS ? (int64_t)thread->words[call->args[1]] : 0);
}
