/* signal.c - signals that a process sends to itself (C11 7.14, 7.22.4.1). Nothing else sends any.
 *
 * raise() calls the handler at once. What has no handler ends the process, except the signals whose default is to be
 * ignored; the end is the host function __orrery_abort, a fault that names the signal.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

_Noreturn void __orrery_abort(int number);

static __orrery_signal_handler handlers[NSIG];

__orrery_signal_handler signal(int number, __orrery_signal_handler handler)
{
    if (number <= 0 || number >= NSIG || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __orrery_signal_handler old = handlers[number];
    handlers[number] = handler;
    return old;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number <= 0 || number >= NSIG || (action && (number == SIGKILL || number == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    if (old) {
        old->sa_handler = handlers[number];
        old->sa_mask = 0;
        old->sa_flags = 0;
    }
    if (action)
        handlers[number] = action->sa_handler;
    return 0;
}

int raise(int number)
{
    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    __orrery_signal_handler handler = handlers[number];
    if (handler == SIG_IGN)
        return 0;
    if (handler != SIG_DFL) {
        handler(number);
        return 0;
    }
    if (number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH)
        __orrery_abort(number);
    return 0;
}

void abort(void)
{
    __orrery_signal_handler handler = handlers[SIGABRT];
    handlers[SIGABRT] = SIG_DFL;
    if (handler != SIG_DFL && handler != SIG_IGN)
        handler(SIGABRT);
    __orrery_abort(SIGABRT);
}

static unsigned long bit(int number)
{
    return number > 0 && number < NSIG ? 1UL << (number - 1) : 0;
}

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
    *set |= bit(number);
    return bit(number) ? 0 : -1;
}

int sigdelset(sigset_t *set, int number)
{
    *set &= ~bit(number);
    return bit(number) ? 0 : -1;
}

int sigismember(const sigset_t *set, int number)
{
    return (*set & bit(number)) != 0;
}
