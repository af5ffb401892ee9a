/* Signals order threads: what a thread does before it sends one, or cancels another thread, happens before the handler,
 * the end of the wait, and the clean-up handlers there. What it does later is not ordered. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int to_wait, to_handler, to_process, by_timer, to_cleanup, later;
static volatile sig_atomic_t seen;
static pthread_t waiter;

static void handler(int number)
{
    (void)number;
    to_handler++;
    seen = 1;
}

static void clean_up(void *argument)
{
    (void)argument;
    to_cleanup++;
}

static void await(const sigset_t *set, int number)
{
    int got = 0;
    if (sigwait(set, &got) || got != number)
        printf("signal %d instead of %d\n", got, number);
}

static void *wait_for_signals(void *argument)
{
    sigset_t *set = argument, one, open;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    await(&one, SIGUSR1);
    to_wait++;
    pthread_sigmask(SIG_SETMASK, NULL, &open);
    sigdelset(&open, SIGUSR2);
    while (!seen)
        sigsuspend(&open);
    sigemptyset(&one);
    sigaddset(&one, SIGTERM);
    await(&one, SIGTERM);
    to_process++;
    await(set, SIGALRM);
    by_timer++;
    later++;
    pthread_cleanup_push(clean_up, NULL);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    sigset_t set;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec soon = {.it_value.tv_nsec = 2000000};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR2, handler);
    pthread_create(&waiter, NULL, wait_for_signals, &set);
    to_wait++;
    pthread_kill(waiter, SIGUSR1);
    to_handler++;
    pthread_kill(waiter, SIGUSR2);
    to_process++;
    sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 1});
    by_timer++;
    if (timer_create(CLOCK_REALTIME, &event, &timer) || timer_settime(timer, 0, &soon, NULL))
        return 1;
    later++; /* nothing orders this one with the waiter's */
    usleep(10000);
    to_cleanup++;
    pthread_cancel(waiter);
    pthread_join(waiter, NULL);
    printf("%d %d %d %d %d %d\n", to_wait, to_handler, to_process, by_timer, to_cleanup, later);
    return 0;
}
