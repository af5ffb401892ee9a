/* signal_wait.c - waiting for signals, which only other threads of the process can send. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Takes the lowest signal of a set that pends for the thread or the process. 0: none. */
int __orrery_signal_take(sigset_t set);
/* Sleeps until a signal may pend or a handler has run, or to the deadline. Returns 0, EINTR or ETIMEDOUT. */
int __orrery_signal_sleep(unsigned long deadline);

static int wait_for(const sigset_t *set, siginfo_t *information, unsigned long deadline)
{
    int number, error = 0;
    pthread_testcancel();
    while ((number = __orrery_signal_take(*set)) == 0) {
        if (error == ETIMEDOUT)
            error = EAGAIN;
        if (error) {
            errno = error;
            return -1;
        }
        error = __orrery_signal_sleep(deadline);
    }
    if (information) {
        siginfo_t found = {.si_signo = number, .si_code = SI_TKILL, .si_pid = getpid(), .si_uid = getuid()};
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

/* A handler has run when the sleep says so. */
int pause(void)
{
    pthread_testcancel();
    while (__orrery_signal_sleep(__ORRERY_NEVER) != EINTR)
        continue;
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *mask)
{
    sigset_t before;
    int ran = 0;
    pthread_testcancel();
    sigprocmask(SIG_BLOCK, 0, &before);
    __orrery_thread_set_word(WORD_BLOCKED, (void *)(*mask & ~(1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1))));
    ran = __orrery_signals_deliver();
    while (!ran && __orrery_signal_sleep(__ORRERY_NEVER) != EINTR)
        continue;
    sigprocmask(SIG_SETMASK, &before, 0);
    errno = EINTR;
    return -1;
}
