/* Signals that a process sends itself (C11 7.14, POSIX): actions, masks, pending ones, information, one-shot handlers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t last, count;
static sigjmp_buf back;

static void handler(int number)
{
    last = number;
    count++;
}

static void informed(int number, siginfo_t *information, void *context)
{
    last = number;
    count += information->si_value.sival_int + (context != NULL);
}

static void jump(int number)
{
    siglongjmp(back, number);
}

int main(void)
{
    printf("%d ", signal(SIGUSR1, handler) == SIG_DFL);
    printf("%d %d %d\n", raise(SIGUSR1), last == SIGUSR1, signal(SIGUSR1, SIG_IGN) == handler);
    printf("%d %d\n", raise(SIGUSR1), count);
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    printf("%d ", sigaction(SIGUSR2, &action, NULL));
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("%d %d\n", count, old.sa_handler == SIG_DFL);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = informed;
    sigaction(SIGUSR1, &action, NULL);
    union sigval value = {.sival_int = 40};
    printf("%d %d\n", sigqueue(getpid(), SIGUSR1, value), count);
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    signal(SIGTERM, handler);
    sigprocmask(SIG_BLOCK, &set, &old.sa_mask);
    kill(getpid(), SIGTERM);
    sigpending(&pending);
    printf("%d %d %d ", count, sigismember(&pending, SIGTERM), sigismember(&pending, SIGINT));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d %d\n", count, last == SIGTERM);
    signal(SIGINT, jump);
    int number = sigsetjmp(back, 1);
    if (number == 0)
        raise(SIGINT);
    printf("%d\n", number == SIGINT);
    printf("%d %d ", sigaddset(&set, 1000), errno == EINVAL);
    printf("%d ", signal(SIGKILL, handler) == SIG_ERR);
    printf("%d %d\n", kill(getpid(), 0), raise(SIGCHLD));
    fflush(stdout);
    signal(SIGABRT, handler);
    return 0;
}
