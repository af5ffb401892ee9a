/* signal.c - signals that a process sends to itself (C11 7.14, 7.22.4.1, POSIX). There are no other signals.
 *
 * raise() calls the handler at once, unless the signal is blocked; then the signal waits until it is unblocked. A
 * signal without a handler ends the process, unless its default is to be ignored. The end is the host function
 * __orrery_abort, a fault that names the signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void __orrery_abort(int number);

static struct sigaction actions[NSIG];
static sigset_t blocked, pending;

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
    sigset_t before = blocked;
    blocked |= action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t information = {.si_signo = number, .si_code = code, .si_pid = getpid(), .si_uid = getuid()};
        information.si_value = value;
        long context[16] = {0};
        action.sa_sigaction(number, &information, context);
    } else {
        action.sa_handler(number);
    }
    blocked = before;
}

/* Delivers signals that have waited and are not blocked any more, the lowest first. */
static void deliver_pending(void)
{
    union sigval none = {0};
    for (int i = 1; i < NSIG; i++)
        if (pending & ~blocked & bit(i)) {
            pending &= ~bit(i);
            deliver(i, SI_USER, none);
        }
}

static int send(int number, int code, union sigval value)
{
    if (bad_number(number))
        return -1;
    if (is_fixed(number))
        __orrery_abort(number);
    if (blocked & bit(number))
        pending |= bit(number);
    else
        deliver(number, code, value);
    return 0;
}

int raise(int number)
{
    union sigval none = {0};
    return send(number, SI_TKILL, none);
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

int pthread_kill(unsigned long thread, int number)
{
    return thread != 1 ? ESRCH : number == 0 || raise(number) == 0 ? 0 : errno;
}

void abort(void)
{
    blocked &= ~bit(SIGABRT);
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

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t before = blocked;
    if (set) {
        switch (how) {
        case SIG_BLOCK: blocked |= *set; break;
        case SIG_UNBLOCK: blocked &= ~*set; break;
        case SIG_SETMASK: blocked = *set; break;
        default: errno = EINVAL; return -1;
        }
        blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
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
    *set = pending;
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
