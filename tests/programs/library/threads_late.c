/* Handlers of signals that last longer than the deadline of the wait that they interrupt; clocks and policies that are
 * refused; the policy of the process, which is that of its first thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void handle(int number)
{
    (void)number;
    sleep(4);
}

static struct timespec in_two_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 2;
    return time;
}

static void *wait(void *what)
{
    struct timespec time = in_two_seconds();
    int error = strcmp(what, "reading") == 0       ? pthread_rwlock_timedrdlock(&lock, &time)
                : strcmp(what, "writing") == 0     ? pthread_rwlock_timedwrlock(&lock, &time)
                : strcmp(what, "mutex") == 0       ? pthread_mutex_timedlock(&mutex, &time)
                : sem_timedwait(&semaphore, &time) ? errno
                                                   : 0;
    printf("%s: %s\n", (const char *)what, strerror(error));
    if (!error && strcmp(what, "mutex") == 0)
        pthread_mutex_unlock(&mutex);
    else if (!error && strcmp(what, "semaphore") != 0)
        pthread_rwlock_unlock(&lock);
    return 0;
}

/* The handler runs from 1 to 5, the deadline is at 2; the lock is given back at 3, or at 6. */
static void late(char *what, int until)
{
    pthread_t thread;
    pthread_rwlock_wrlock(&lock);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, wait, what);
    sleep(1);
    pthread_kill(thread, SIGUSR1);
    sleep((unsigned)until - 1);
    pthread_rwlock_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}

static void policies(void)
{
    struct sched_param priority = {.sched_priority = 20};
    int policy;
    printf("%d", sched_getscheduler(0) == SCHED_OTHER);
    printf(" %d", sched_setscheduler(0, -1, &priority) == -1 && errno == EINVAL);
    printf(" %d", sched_setscheduler(0, SCHED_FIFO, &priority) == 0 && sched_getscheduler(getpid()) == SCHED_FIFO);
    printf(" %d", pthread_getschedparam(pthread_self(), &policy, &priority) == 0 && policy == SCHED_FIFO);
    priority.sched_priority = 7;
    printf(" %d",
           sched_setparam(0, &priority) == 0 && sched_getparam(0, &priority) == 0 && priority.sched_priority == 7);
    priority.sched_priority = 100;
    printf(" %d", sched_setparam(0, &priority) == -1 && errno == EINVAL);
    printf(" %d\n", sched_getparam(-2, &priority) == -1 && errno == EINVAL);
}

static void clocks(void)
{
    struct timespec time = {0, 1}, left = {5, 5};
    printf("%d", clock_nanosleep(9999, 0, &time, 0) == EINVAL);
    printf(" %d", clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &time, 0) == EINVAL);
    time.tv_nsec = 1000000000;
    printf(" %d", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == EINVAL);
    time.tv_nsec = 1;
    printf(" %d", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, &left) == 0 && left.tv_sec == 5);
    printf(" %d", clock_settime(9999, &time) == -1 && errno == EINVAL);
    time.tv_nsec = -1;
    printf(" %d\n", clock_settime(CLOCK_REALTIME, &time) == -1 && errno == EINVAL);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, 0);
    sem_init(&semaphore, 0, 0);
    late("reading", 3);
    late("writing", 3);
    late("mutex", 3);
    late("reading", 6);
    late("writing", 6);
    late("mutex", 6);
    late("semaphore", 3);
    policies();
    clocks();
    intptr_t number = -1;
    printf("%ld %ld %d\n", (long)number, sysconf(_SC_TIMERS), sysconf(_SC_CPUTIME) > 0);
    return 0;
}
