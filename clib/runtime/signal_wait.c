/* signal_wait.c - waiting for signals, which other threads of the process and timers send. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int wait_for(const sigset_t *set, siginfo_t *information, unsigned long deadline)
{
    struct __orrery_signal signal = {0};
    int number = __orrery_signal_wait(*set, &signal, deadline);
    if (number < 0) {
        errno = -number;
        return -1;
    }
    if (information) {
        siginfo_t found = {.si_signo = number, .si_code = (int)signal.code, .si_pid = getpid(), .si_uid = getuid()};
        found.si_value = signal.value;
        *information = found;
    }
    return number;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *information)
{
    return wait_for(set, information, __ORRERY_NEVER);
}

int sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *timeout)
{
    if (!timeout)
        return sigwaitinfo(set, information);
    if (timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    return wait_for(
        set, information,
        __orrery_deadline_in((unsigned long)timeout->tv_sec * 1000000000 + (unsigned long)timeout->tv_nsec));
}

int sigwait(const sigset_t *set, int *number)
{
    int before = errno, found;
    while ((found = sigwaitinfo(set, 0)) < 0 && errno == EINTR)
        continue;
    errno = before;
    *number = found;
    return 0;
}

int pause(void)
{
    __orrery_thread_attend();
    __orrery_signal_wait(0, 0, __ORRERY_NEVER); /* ends when a handler has run */
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *mask)
{
    sigset_t before;
    pthread_testcancel();
    __orrery_thread_attend();
    sigprocmask(SIG_BLOCK, 0, &before);
    __orrery_thread_set_word(WORD_BLOCKED, (void *)(*mask & ~(1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1))));
    if (!__orrery_signals_deliver())
        __orrery_signal_wait(0, 0, __ORRERY_NEVER);
    sigprocmask(SIG_SETMASK, &before, 0);
    errno = EINTR;
    return -1;
}
