/* signal.c - signals between the threads of a process, and timers that send them (POSIX XSH 2.4).
 *
 * A signal that nobody takes at once pends, for a thread or for the process. Handlers are simulated code: a thread that
 * has a signal to look at calls `attention` (core/call.c), which takes it with __orrery_signal_take(). Signals up to 33
 * pend once, the others as often as they are sent.
 */
#include "threads/life/life.h"

enum { REALTIME = 34, TIMER_CODE = -2, MOST_QUEUED = 1 << 16 };
#define LEAST_PERIOD_PS UINT64_C(1000000) /* a process would do nothing else but look at its signals */

static uint64_t bit(int number)
{
    return UINT64_C(1) << (number - 1);
}

static uint64_t set_of(const GArray *signals)
{
    uint64_t set = 0;
    for (guint i = 0; signals && i < signals->len; i++)
        set |= bit(g_array_index(signals, ThreadsSignal, i).number);
    return set;
}

/* Returns whether the signal pends now and did not before. */
static bool add(GArray **signals, const ThreadsSignal *signal)
{
    GArray *queue = *signals;
    if (!queue)
        *signals = queue = g_array_new(FALSE, FALSE, sizeof *signal);
    if (queue->len >= MOST_QUEUED || (signal->number < REALTIME && set_of(queue) & bit(signal->number)))
        return false;
    g_array_append_vals(queue, signal, 1);
    return true;
}

/* Takes the first signal of a number. */
static bool take_number(GArray *signals, int number, ThreadsSignal *signal)
{
    for (guint i = 0; signals && i < signals->len; i++)
        if (g_array_index(signals, ThreadsSignal, i).number == number) {
            *signal = g_array_index(signals, ThreadsSignal, i);
            g_array_remove_index(signals, i);
            return true;
        }
    return false;
}

/* Takes the lowest signal of a set, of those for the thread and for the process. */
static bool take_of(const ThreadsCall *call, uint64_t set, ThreadsSignal *signal)
{
    const ThreadsThread *thread = call->thread;
    uint64_t there = (set_of(thread->signals) | set_of(thread->process->signals)) & set;
    if (!there)
        return false;
    int number = __builtin_ctzll(there) + 1;
    bool own = take_number(thread->signals, number, signal);
    threads_acquired(thread, THREADS_SIGNAL, threads_signal_key(own ? thread->id : 0, number), false, call->now);
    return own || take_number(thread->process->signals, number, signal);
}

/* -- sending ----------------------------------------------------------------------------------- */

/* The set that a thread waits for in __orrery_signal_wait(). */
static uint64_t awaited(const ThreadsThread *thread)
{
    const ThreadsCall *call = thread->call;
    bool waits = call && call->wait.object && !call->wait.over && call->wait.sort == THREADS_SIGNAL;
    return waits ? call->args[0] : 0;
}

static uint64_t blocked(const ThreadsThread *thread)
{
    return thread->words[THREADS_WORD_BLOCKED];
}

/* A signal has come that the thread can take: it goes on, if it waits for it, or looks at it. */
static void tell(ThreadsThread *thread, int number, uint64_t time_ps)
{
    if (awaited(thread) & bit(number)) {
        threads_wait_leave(thread->call, 0, time_ps);
    } else {
        thread->attention = true;
        threads_wait_alert(thread, time_ps);
    }
}

static void send_to_thread(ThreadsThread *thread, const ThreadsSignal *signal, uint64_t time_ps)
{
    if (add(&thread->signals, signal) && (awaited(thread) | ~blocked(thread)) & bit(signal->number))
        tell(thread, signal->number, time_ps);
}

/* The thread that takes a signal for the process: the first that waits for it, else the first that lets it in. */
static ThreadsThread *receiver(const ThreadsProcess *process, int number)
{
    ThreadsThread *found = NULL;
    for (guint i = 0; i < process->threads->len; i++) {
        ThreadsThread *thread = g_ptr_array_index(process->threads, i);
        if (!thread || thread->ended || thread->ending)
            continue;
        if (awaited(thread) & bit(number))
            return thread;
        if (!found && !(blocked(thread) & bit(number)))
            found = thread;
    }
    return found;
}

static void send_to_process(ThreadsProcess *process, const ThreadsSignal *signal, uint64_t time_ps)
{
    ThreadsThread *thread = add(&process->signals, signal) ? receiver(process, signal->number) : NULL;
    if (thread)
        tell(thread, signal->number, time_ps);
}

static bool is_signal(uint64_t number)
{
    return number >= 1 && number <= 64;
}

/* The call sends a signal to a thread, 0: the process, or sees to it that a timer does. */
static void sends(const ThreadsCall *call, uint64_t thread, int number)
{
    threads_released(call->thread, THREADS_SIGNAL, threads_signal_key(thread, number), false, call->now);
}

void threads_signal_self(ThreadsCall *call, int number)
{
    ThreadsSignal signal = {.number = number};
    sends(call, call->thread->id, number);
    add(&call->thread->signals, &signal);
}

/* __orrery_signal_send(thread, number, code, value); thread 0: the process */
ThreadsStep threads_do_signal_send(ThreadsCall *call)
{
    ThreadsSignal signal = {(int)call->args[1], (int)call->args[2], call->args[3]};
    uint64_t time_ps = call->now + call->world->costs.signal + call->world->costs.hand_over;
    if (!is_signal(call->args[1]))
        return threads_return(call, EINVAL);
    if (!call->args[0]) {
        sends(call, 0, signal.number);
        threads_charge(call, call->world->costs.signal);
        send_to_process(call->process, &signal, time_ps);
        return threads_return(call, 0);
    }
    ThreadsThread *thread = threads_thread_by_id(call->process, call->args[0]);
    if (!thread)
        return threads_return(call, ESRCH);
    sends(call, thread->id, signal.number);
    threads_charge(call, call->world->costs.signal);
    if (!thread->ended)
        send_to_thread(thread, &signal, time_ps);
    return threads_return(call, 0);
}

/* -- taking ------------------------------------------------------------------------------------ */

/* Stores code and value of a signal where the call wants them, and returns its number. */
static ThreadsStep give(ThreadsCall *call, const ThreadsSignal *signal)
{
    uint64_t *to = call->args[1] ? threads_call_memory(call, call->args[1], 2 * sizeof *to) : NULL;
    if (call->args[1] && !to)
        return THREADS_STEP_FAULT;
    if (to) {
        to[0] = (uint64_t)(int64_t)signal->code;
        to[1] = signal->value;
    }
    return threads_return(call, signal->number);
}

/* __orrery_signals_pending() */
ThreadsStep threads_do_signals_pending(ThreadsCall *call)
{
    return threads_return(call, (int64_t)(set_of(call->thread->signals) | set_of(call->process->signals)));
}

/* __orrery_signal_take(set, information): 0: none */
ThreadsStep threads_do_signal_take(ThreadsCall *call)
{
    ThreadsSignal signal;
    return take_of(call, call->args[0], &signal) ? give(call, &signal) : threads_return(call, 0);
}

static ThreadsStep waited(ThreadsCall *call)
{
    ThreadsSignal signal;
    call->process->stats.wait_ps += call->now - call->wait.since_ps;
    if (call->wait.result == THREADS_CANCELLED)
        return threads_call_attend(call, true);
    if (call->wait.result)
        return threads_return(call, call->wait.result == ETIMEDOUT ? -EAGAIN : -call->wait.result);
    if (take_of(call, call->args[0], &signal))
        return give(call, &signal);
    return threads_return(call, -EINTR); /* somebody was faster */
}

/* __orrery_signal_wait(set, information, deadline): the number, -EAGAIN at the deadline, or -EINTR: a handler ran */
ThreadsStep threads_do_signal_wait(ThreadsCall *call)
{
    ThreadsSignal signal;
    if (take_of(call, call->args[0], &signal))
        return give(call, &signal);
    call->wait.point = true;
    call->wait.interruptible = 1;
    return threads_wait(call, THREADS_SIGNAL, 0, call->args[2], waited);
}

/* -- timers ------------------------------------------------------------------------------------ */

static uint64_t in_ns(const ThreadsCall *call, uint64_t due_ps)
{
    return due_ps > call->now ? (due_ps - call->now + 999) / 1000 : 0;
}

static ThreadsTimer *timer_of(ThreadsProcess *process, uint64_t number)
{
    enum { MOST = 1 << 12 };
    if (number >= MOST)
        return NULL;
    if (!process->timers)
        process->timers = g_array_new(FALSE, TRUE, sizeof(ThreadsTimer));
    if (number >= process->timers->len)
        g_array_set_size(process->timers, (guint)number + 1);
    return &g_array_index(process->timers, ThreadsTimer, number);
}

static void arm(ThreadsProcess *process, uint64_t number)
{
    const ThreadsEnv *env = &process->world->env;
    ThreadsTimer *timer = timer_of(process, number);
    timer->setting = ++process->waits;
    if (timer->due_ps)
        env->alarm(env->user, process->rank, 0, timer->due_ps, THREADS_TIMER_COOKIE | timer->setting);
}

static ThreadsStep look(ThreadsCall *call, const ThreadsTimer *timer)
{
    uint64_t *times = threads_call_memory(call, call->args[1], 2 * sizeof *times);
    if (!times)
        return THREADS_STEP_FAULT;
    times[0] = in_ns(call, timer->due_ps);
    times[1] = timer->period_ps / 1000;
    return threads_return(call, timer->overrun);
}

/* __orrery_timer_look(timer, times): stores nanoseconds until it sends (0: never) and between its signals. Returns how
 * many signals it could not send because the one before was still pending. */
ThreadsStep threads_do_timer_look(ThreadsCall *call)
{
    const ThreadsTimer *timer = timer_of(call->process, call->args[0]);
    return timer ? look(call, timer) : threads_return(call, -EINVAL);
}

/* __orrery_timer_set(timer, times, thread, number, value): sets it, and stores what was set before. */
ThreadsStep threads_do_timer_set(ThreadsCall *call)
{
    if (call->local)
        return THREADS_STEP_GLOBAL;
    ThreadsTimer *timer = timer_of(call->process, call->args[0]), before;
    const uint64_t *times = threads_call_readable(call, call->args[1], 2 * sizeof *times);
    if (!times)
        return THREADS_STEP_FAULT;
    if (!timer || (call->args[3] && !is_signal(call->args[3])))
        return threads_return(call, -EINVAL);
    before = *timer;
    threads_call_order(call);
    uint64_t first_ps = threads_deadline_span(0, (int64_t)MIN(times[0], INT64_MAX));
    *timer = (ThreadsTimer){
        .due_ps = times[0] ? call->now + first_ps : 0,
        .period_ps = times[1] ? MAX(threads_deadline_span(0, (int64_t)MIN(times[1], INT64_MAX)), LEAST_PERIOD_PS) : 0,
        .thread = call->args[2],
        .signal = {(int)call->args[3], TIMER_CODE, call->args[4]}};
    if (timer->due_ps && timer->signal.number)
        sends(call, timer->thread, timer->signal.number);
    arm(call->process, call->args[0]);
    return look(call, &before);
}

static void expire(ThreadsProcess *process, uint64_t number, uint64_t time_ps)
{
    ThreadsTimer *timer = timer_of(process, number);
    ThreadsThread *thread = timer->thread ? threads_thread_by_id(process, timer->thread) : NULL;
    const GArray *queue = thread ? thread->signals : process->signals;
    timer->due_ps = timer->period_ps ? time_ps + timer->period_ps : 0;
    if (timer->signal.number && set_of(queue) & bit(timer->signal.number))
        timer->overrun++;
    else if (thread && timer->signal.number)
        timer->overrun = 0, send_to_thread(thread, &timer->signal, time_ps);
    else if (timer->signal.number)
        timer->overrun = 0, send_to_process(process, &timer->signal, time_ps);
    arm(process, number);
}

void threads_signal_expire(ThreadsProcess *process, uint64_t setting, uint64_t time_ps)
{
    for (guint i = 0; process->timers && i < process->timers->len; i++) {
        const ThreadsTimer *timer = &g_array_index(process->timers, ThreadsTimer, i);
        if (timer->setting == setting && timer->due_ps) {
            expire(process, i, time_ps);
            return;
        }
    }
}
