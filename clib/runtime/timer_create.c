/* timer_create.c - timers that tell a process in the way that it wants (POSIX XSH timer_create): by a signal, or by
 * calling a function in a thread. That is a thread of the timer's own, which waits for a signal that programs cannot
 * name. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1024, BILLION = 1000000000, PRIVATE_SIGNAL = 32 };

struct timer {
    struct sigevent event;
    clockid_t clock;
    pthread_t caller; /* of the function; 0: none */
};

/* By number; 0 is that of alarm(). */
static struct timer *timers[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int refuse(int error)
{
    errno = error;
    return -1;
}

static struct timer *find(timer_t id)
{
    unsigned long number = (unsigned long)id;
    return number < MOST ? timers[number] : 0;
}

/* The thread of a timer; a signal with another value than 0 ends it. */
static void *call(void *argument)
{
    struct sigevent event = *(struct sigevent *)argument;
    struct __orrery_signal signal;
    free(argument);
    for (;;) {
        int number = __orrery_signal_wait(1UL << (PRIVATE_SIGNAL - 1), &signal, __ORRERY_NEVER);
        if (number == PRIVATE_SIGNAL && signal.value.sival_ptr)
            return 0;
        if (number == PRIVATE_SIGNAL)
            event.sigev_notify_function(event.sigev_value);
    }
}

static int start(struct timer *timer)
{
    sigset_t before, all = ~0UL;
    pthread_attr_t attributes;
    struct sigevent *event = malloc(sizeof *event);
    if (!event)
        return EAGAIN;
    *event = timer->event;
    if (event->sigev_notify_attributes)
        attributes = *(pthread_attr_t *)event->sigev_notify_attributes;
    else
        pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&timer->caller, &attributes, call, event);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (error)
        free(event);
    return error;
}

static int make(struct timer *timer, unsigned long *number)
{
    int error = EAGAIN;
    pthread_mutex_lock(&lock);
    for (*number = 1; *number < MOST && timers[*number]; ++*number)
        continue;
    if (*number < MOST)
        error = timer->event.sigev_notify == SIGEV_THREAD ? start(timer) : 0;
    if (!error)
        timers[*number] = timer;
    pthread_mutex_unlock(&lock);
    return error;
}

int timer_create(clockid_t clock, struct sigevent *event, timer_t *id)
{
    struct sigevent usual = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct sigevent *wanted = event ? event : &usual;
    unsigned long number;
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return refuse(clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID ? ENOTSUP : EINVAL);
    if (wanted->sigev_notify < SIGEV_SIGNAL || wanted->sigev_notify > SIGEV_THREAD ||
        (wanted->sigev_notify == SIGEV_SIGNAL && (wanted->sigev_signo < 1 || wanted->sigev_signo >= NSIG)))
        return refuse(EINVAL);
    struct timer *timer = calloc(1, sizeof *timer);
    if (!timer)
        return refuse(EAGAIN);
    timer->event = *wanted;
    timer->clock = clock;
    int error = make(timer, &number);
    if (error) {
        free(timer);
        return refuse(error);
    }
    if (!event)
        timer->event.sigev_value.sival_int = (int)number;
    *id = (timer_t)number;
    return 0;
}

static void set(timer_t id, const struct timer *timer, unsigned long times[2])
{
    int notify = timer->event.sigev_notify;
    int number = notify == SIGEV_SIGNAL ? timer->event.sigev_signo : notify == SIGEV_THREAD ? PRIVATE_SIGNAL : 0;
    __orrery_thread_attend();
    __orrery_timer_set((unsigned)(unsigned long)id, times, timer->caller, number,
                       notify == SIGEV_SIGNAL ? (unsigned long)timer->event.sigev_value.sival_ptr : 0);
}

int timer_delete(timer_t id)
{
    unsigned long times[2] = {0, 0};
    struct timer *timer = find(id);
    if (!timer)
        return refuse(EINVAL);
    set(id, timer, times);
    if (timer->caller)
        __orrery_signal_send(timer->caller, PRIVATE_SIGNAL, 0, 1);
    pthread_mutex_lock(&lock);
    timers[(unsigned long)id] = 0;
    pthread_mutex_unlock(&lock);
    free(timer);
    return 0;
}

static void store(struct itimerspec *value, const unsigned long times[2])
{
    value->it_value.tv_sec = (long)(times[0] / BILLION);
    value->it_value.tv_nsec = (long)(times[0] % BILLION);
    value->it_interval.tv_sec = (long)(times[1] / BILLION);
    value->it_interval.tv_nsec = (long)(times[1] % BILLION);
}

int timer_gettime(timer_t id, struct itimerspec *value)
{
    unsigned long times[2] = {0, 0};
    if (!find(id))
        return refuse(EINVAL);
    __orrery_timer_look((unsigned)(unsigned long)id, times);
    store(value, times);
    return 0;
}

int timer_getoverrun(timer_t id)
{
    unsigned long times[2];
    return find(id) ? __orrery_timer_look((unsigned)(unsigned long)id, times) : refuse(EINVAL);
}

static int is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < BILLION;
}

static unsigned long nanoseconds(const struct timespec *time)
{
    return (unsigned long)time->tv_sec * BILLION + (unsigned long)time->tv_nsec;
}

int timer_settime(timer_t id, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    struct timer *timer = find(id);
    if (!timer || !is_time(&value->it_value) || !is_time(&value->it_interval))
        return refuse(EINVAL);
    unsigned long times[2] = {nanoseconds(&value->it_value), nanoseconds(&value->it_interval)};
    if (times[0] && flags & TIMER_ABSTIME) {
        struct timespec now;
        clock_gettime(timer->clock, &now);
        times[0] = times[0] > nanoseconds(&now) ? times[0] - nanoseconds(&now) : 1;
    }
    set(id, timer, times);
    if (old)
        store(old, times);
    return 0;
}
