/* timers.c - alarm() and its like: timers of the process that send it SIGALRM. Timer 0 is theirs; timer_create.c makes
 * others. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

enum { REAL = 0, MILLION = 1000000, BILLION = 1000000000 };

static void set(unsigned long times[2])
{
    __orrery_thread_attend();
    __orrery_timer_set(REAL, times, 0, SIGALRM, 0);
}

/* Returns the seconds left, rounded to the nearest, but never 0. */
unsigned alarm(unsigned seconds)
{
    unsigned long times[2] = {seconds * (unsigned long)BILLION, 0};
    set(times);
    return times[0] && times[0] < BILLION / 2 ? 1 : (unsigned)((times[0] + BILLION / 2) / BILLION);
}

unsigned ualarm(unsigned microseconds, unsigned interval)
{
    unsigned long times[2] = {microseconds * 1000UL, interval * 1000UL};
    set(times);
    return (unsigned)((times[0] + 999) / 1000);
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

static void store(struct itimerval *value, const unsigned long times[2])
{
    value->it_value.tv_sec = (long)(times[0] / BILLION);
    value->it_value.tv_usec = (long)(times[0] % BILLION / 1000);
    value->it_interval.tv_sec = (long)(times[1] / BILLION);
    value->it_interval.tv_usec = (long)(times[1] % BILLION / 1000);
}

/* Timers of computing time do not exist. */
int getitimer(int timer, struct itimerval *value)
{
    unsigned long times[2] = {0, 0};
    if (timer != ITIMER_REAL)
        return refuse(EINVAL);
    __orrery_timer_look(REAL, times);
    store(value, times);
    return 0;
}

static int is_time(const struct timeval *time)
{
    return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < MILLION;
}

static unsigned long nanoseconds(const struct timeval *time)
{
    return (unsigned long)time->tv_sec * BILLION + (unsigned long)time->tv_usec * 1000;
}

int setitimer(int timer, const struct itimerval *value, struct itimerval *old)
{
    unsigned long times[2] = {0, 0};
    if (timer != ITIMER_REAL || (value && !(is_time(&value->it_value) && is_time(&value->it_interval))))
        return refuse(EINVAL);
    if (value) {
        times[0] = nanoseconds(&value->it_value);
        times[1] = nanoseconds(&value->it_interval);
    }
    set(times);
    if (old)
        store(old, times);
    return 0;
}
