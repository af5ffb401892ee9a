/* alarm(), setitimer(), timer_create(), queued signals and those who wait for them. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int count, values[16], n_values;

static void counts(int number)
{
    (void)number;
    count++;
}

static void notes(int number, siginfo_t *information, void *context)
{
    (void)context;
    values[n_values++] = (number - SIGRTMIN) * 100 + information->si_value.sival_int;
}

static void called(union sigval value)
{
    count += value.sival_int;
}

static void *waits(void *argument)
{
    int number = 0;
    sigwait(argument, &number);
    return (void *)(long)number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void alarms(void)
{
    signal(SIGALRM, counts);
    alarm(10);
    double start = now();
    unsigned left = alarm(1);
    int error = pause();
    printf("%u s were left; pause: %d, %d; %.3f s, %d alarm\n", left, error, errno == EINTR, now() - start, count);
    alarm(3);
    printf("sleep leaves %u\n", sleep(5));
    struct itimerval each = {{0, 1000}, {0, 500}}, none = {{0, 0}, {0, 0}}, old;
    count = 0;
    start = now();
    setitimer(ITIMER_REAL, &each, 0);
    while (count < 4) /* computes */
        continue;
    setitimer(ITIMER_REAL, &none, &old);
    printf("%d alarms in %.3f ms, then every %ld us\n", count, (now() - start) * 1e3, (long)old.it_interval.tv_usec);
    int error_of = setitimer(ITIMER_PROF, &each, 0);
    printf("no timer of computing time: %d, %d\n", error_of, errno == EINVAL);
}

static void queues(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    sigset_t set, pending;
    action.sa_sigaction = notes;
    sigaction(SIGRTMIN, &action, 0);
    sigaction(SIGRTMIN + 1, &action, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigaddset(&set, SIGRTMIN + 1);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, 0);
    for (int i = 0; i < 4; i++)
        sigqueue(getpid(), SIGRTMIN + 1 - i % 2, (union sigval){.sival_int = i});
    kill(getpid(), SIGUSR2);
    kill(getpid(), SIGUSR2);
    sigpending(&pending);
    printf("pending: %d %d %d\n", sigismember(&pending, SIGRTMIN), sigismember(&pending, SIGUSR1),
           sigismember(&pending, SIGUSR2));
    struct timespec soon = {0, 1000};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    int first = sigtimedwait(&one, 0, &soon), second = sigtimedwait(&one, 0, &soon);
    printf("one of two equal ones: %d %d %d\n", first == SIGUSR2, second, errno == EAGAIN);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    for (int i = 0; i < n_values; i++)
        printf("%d ", values[i]);
    puts("");
    pthread_t thread;
    void *result;
    sigprocmask(SIG_BLOCK, &one, 0);
    pthread_create(&thread, 0, waits, &one);
    usleep(10);
    kill(getpid(), SIGUSR2);
    pthread_join(thread, &result);
    printf("sigwait: %d\n", (long)result == SIGUSR2);
}

static void timers(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = called};
    struct itimerspec each = {{0, 1000000}, {0, 1000000}}, left;
    timer_t timer, quiet;
    event.sigev_value.sival_int = 10;
    count = 0;
    printf("%d", timer_create(CLOCK_MONOTONIC, &event, &timer));
    event.sigev_notify = SIGEV_NONE;
    printf(" %d", timer_create(CLOCK_REALTIME, &event, &quiet));
    printf(" %d %d\n", timer_create(99, &event, &timer), errno == EINVAL);
    timer_settime(timer, 0, &each, 0);
    timer_settime(quiet, 0, &each, 0);
    usleep(3500);
    timer_gettime(quiet, &left);
    printf("%d, %ld us left\n", count, left.it_value.tv_nsec / 1000);
    timer_delete(timer);
    usleep(3500);
    printf("%d, deleted twice: %d\n", count, timer_delete(timer));
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &each, 0);
    usleep(4500);
    siginfo_t information;
    sigwaitinfo(&set, &information);
    printf("timer's signal: %d %d, overrun %d\n", information.si_code == SI_TIMER, information.si_value.sival_int,
           timer_getoverrun(timer));
}

int main(void)
{
    alarms();
    queues();
    timers();
    alarm(1000); /* it outlives nobody */
    return 0;
}
