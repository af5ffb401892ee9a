/* signal.c - signals that a process and its threads send to themselves (C11 7.14, 7.22.4.1, POSIX). There are no
 * others.
 *
 * Each thread has a mask, one of its words. Signals that nobody takes pend in the simulator (threads/life/signal.c).
 * raise() calls the handler at once, unless the signal is blocked; then the signal waits until it is unblocked. A
 * signal without a handler ends the process, unless its default is to be ignored. The end is the host function
 * __orrery_abort, a fault that names the signal.
 */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void __orrery_abort(int number);

static struct sigaction actions[NSIG];

static sigset_t blocked(void)
{
    return (sigset_t)__orrery_thread_word(WORD_BLOCKED);
}

static void block(sigset_t set)
{
    __orrery_thread_set_word(WORD_BLOCKED, (void *)set);
}

static int bad_number(int number)
{
    if (number > 0 && number < NSIG)
        return 0;
    errno = EINVAL;
    return 1;
}

static sigset_t bit(int number)
{
    return 1UL << (number - 1);
}

static int is_fixed(int number)
{
    return number == SIGKILL || number == SIGSTOP;
}

__orrery_signal_handler signal(int number, __orrery_signal_handler handler)
{
    if (bad_number(number) || is_fixed(number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __orrery_signal_handler old = actions[number].sa_handler;
    memset(&actions[number], 0, sizeof actions[number]);
    actions[number].sa_handler = handler;
    actions[number].sa_flags = SA_RESTART;
    return old;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (bad_number(number) || (action && is_fixed(number))) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction before = actions[number];
    if (action)
        actions[number] = *action;
    if (old)
        *old = before;
    return 0;
}

int siginterrupt(int number, int flag)
{
    if (bad_number(number))
        return -1;
    if (flag)
        actions[number].sa_flags &= ~SA_RESTART;
    else
        actions[number].sa_flags |= SA_RESTART;
    return 0;
}

static int is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
static int handled; /* since it was cleared: 2, a handler ran that ends waits; 1, one that does not */

/* Does what the program has set for a signal that is not blocked. */
static void deliver(int number, int code, union sigval value)
{
    struct sigaction action = actions[number];
    if (action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && is_ignored_by_default(number)))
        return;
    if (action.sa_handler == SIG_DFL)
        __orrery_abort(number);
    if (action.sa_flags & SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    sigset_t before = blocked();
    block(before | action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : bit(number)));
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t information = {.si_signo = number, .si_code = code, .si_pid = getpid(), .si_uid = getuid()};
        information.si_value = value;
        long context[16] = {0};
        action.sa_sigaction(number, &information, context);
    } else {
        action.sa_handler(number);
    }
    block(before);
    handled = MAX_OF(handled, action.sa_flags & SA_RESTART ? 1 : 2);
}

/* Delivers signals that have waited and are not blocked any more, the lowest first. */
static void deliver_pending(void)
{
    struct __orrery_signal signal;
    int number;
    while (__orrery_signals_pending() & ~blocked() && (number = __orrery_signal_take(~blocked(), &signal)) > 0)
        deliver(number, (int)signal.code, signal.value);
}

int __orrery_signals_deliver(void)
{
    handled = 0;
    deliver_pending();
    return handled;
}

static int refuse(int error)
{
    if (error)
        errno = error;
    return error ? -1 : 0;
}

static int send(int number, int code, union sigval value)
{
    if (bad_number(number))
        return -1;
    if (is_fixed(number))
        __orrery_abort(number);
    if (!(blocked() & bit(number))) {
        deliver(number, code, value);
        return 0;
    }
    return refuse(__orrery_signal_send(0, number, code, (unsigned long)value.sival_ptr));
}

/* Sends a signal to the calling thread. */
static int send_here(int number, int code, union sigval value)
{
    if (bad_number(number))
        return -1;
    if (is_fixed(number))
        __orrery_abort(number);
    if (blocked() & bit(number))
        return refuse(__orrery_signal_send(__orrery_thread_self(), number, code, (unsigned long)value.sival_ptr));
    deliver(number, code, value);
    return 0;
}

int raise(int number)
{
    union sigval none = {0};
    return send_here(number, SI_TKILL, none);
}

int kill(pid_t process, int number)
{
    union sigval none = {0};
    if (number != 0 && bad_number(number))
        return -1;
    if (process != 0 && process != getpid() && process != -getpid()) {
        errno = process == -1 ? EPERM : ESRCH; /* no other process is visible */
        return -1;
    }
    return number ? send(number, SI_USER, none) : 0;
}

int killpg(pid_t group, int number)
{
    return kill(group ? -group : 0, number);
}

int sigqueue(pid_t process, int number, const union sigval value)
{
    if (process == getpid())
        return number ? send(number, SI_QUEUE, value) : 0;
    errno = ESRCH;
    return -1;
}

static int send_to(unsigned long thread, int number, int code, union sigval value)
{
    int before = errno, error = 0;
    if (number < 0 || number >= NSIG)
        return EINVAL;
    if (number == 0)
        return __orrery_thread_exists(thread);
    if (thread == __orrery_thread_self())
        error = send_here(number, code, value) == 0 ? 0 : errno;
    else if (is_fixed(number) && (error = __orrery_thread_exists(thread)) == 0)
        __orrery_abort(number);
    else if (!error)
        error = __orrery_signal_send(thread, number, code, (unsigned long)value.sival_ptr);
    errno = before;
    return error;
}

int pthread_kill(unsigned long thread, int number)
{
    union sigval none = {0};
    return send_to(thread, number, SI_TKILL, none);
}

int pthread_sigqueue(unsigned long thread, int number, const union sigval value)
{
    return send_to(thread, number, SI_QUEUE, value);
}

void abort(void)
{
    block(blocked() & ~bit(SIGABRT));
    __orrery_signal_handler handler = actions[SIGABRT].sa_handler;
    if (handler != SIG_DFL && handler != SIG_IGN)
        raise(SIGABRT);
    __orrery_abort(SIGABRT);
}

/* -- sets -------------------------------------------------------------------------------------- */

int sigemptyset(sigset_t *set)
{
    *set = 0;
    return 0;
}

int sigfillset(sigset_t *set)
{
    *set = ~0UL;
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    if (bad_number(number))
        return -1;
    *set |= bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (bad_number(number))
        return -1;
    *set &= ~bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    return bad_number(number) ? -1 : (*set & bit(number)) != 0;
}

int sigisemptyset(const sigset_t *set)
{
    return *set == 0;
}

int sigandset(sigset_t *result, const sigset_t *a, const sigset_t *b)
{
    *result = *a & *b;
    return 0;
}

int sigorset(sigset_t *result, const sigset_t *a, const sigset_t *b)
{
    *result = *a | *b;
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t before = blocked(), now = before;
    if (set) {
        switch (how) {
        case SIG_BLOCK: now |= *set; break;
        case SIG_UNBLOCK: now &= ~*set; break;
        case SIG_SETMASK: now = *set; break;
        default: errno = EINVAL; return -1;
        }
        block(now & ~(bit(SIGKILL) | bit(SIGSTOP)));
    }
    if (old)
        *old = before;
    deliver_pending();
    return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    int before = errno;
    int error = sigprocmask(how, set, old) == 0 ? 0 : errno;
    errno = before;
    return error;
}

int sigpending(sigset_t *set)
{
    *set = __orrery_signals_pending();
    return 0;
}

/* Faults of the program run no handler, so no handler needs a stack of its own. */
int sigaltstack(const stack_t *stack, stack_t *old)
{
    static stack_t present = {0, SS_DISABLE, 0};
    stack_t before = present;
    if (stack)
        present = *stack;
    if (old)
        *old = before;
    return 0;
}

void psignal(int number, const char *text)
{
    if (text && *text)
        fprintf(stderr, "%s: %s\n", text, strsignal(number));
    else
        fprintf(stderr, "%s\n", strsignal(number));
}

void psiginfo(const siginfo_t *information, const char *text)
{
    psignal(information->si_signo, text);
}
