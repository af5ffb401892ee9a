/* sys/time.h - POSIX; all clocks are virtual */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <orrery_features.h>
#include <orrery_time.h>
#include <sys/select.h>

struct timezone {
    int tz_minuteswest, tz_dsttime;
};
struct itimerval {
    struct timeval it_interval, it_value;
};

#define ITIMER_REAL    0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF    2

int gettimeofday(struct timeval *place, void *zone);
int getitimer(int timer, struct itimerval *value);
int setitimer(int timer, const struct itimerval *value, struct itimerval *old);
int utimes(const char *path, const struct timeval times[2]);

#ifdef __ORRERY_MISC
int settimeofday(const struct timeval *time, const struct timezone *zone);
int adjtime(const struct timeval *change, struct timeval *old);
int futimes(int descriptor, const struct timeval times[2]);
int lutimes(const char *path, const struct timeval times[2]);
#define TIMEVAL_TO_TIMESPEC(tv, ts) ((ts)->tv_sec = (tv)->tv_sec, (ts)->tv_nsec = (tv)->tv_usec * 1000, (void)0)
#define TIMESPEC_TO_TIMEVAL(tv, ts) ((tv)->tv_sec = (ts)->tv_sec, (tv)->tv_usec = (ts)->tv_nsec / 1000, (void)0)
#define timerclear(t)      ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t)      ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op(b)->tv_usec : (a)->tv_sec op(b)->tv_sec)
#define timeradd(a, b, sum)                                                                                           \
    do {                                                                                                              \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec;                                                                    \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec;                                                                 \
        if ((sum)->tv_usec >= 1000000) {                                                                              \
            ++(sum)->tv_sec;                                                                                          \
            (sum)->tv_usec -= 1000000;                                                                                \
        }                                                                                                             \
    } while (0)
#define timersub(a, b, difference)                                                                                    \
    do {                                                                                                              \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec;                                                             \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec;                                                          \
        if ((difference)->tv_usec < 0) {                                                                              \
            --(difference)->tv_sec;                                                                                   \
            (difference)->tv_usec += 1000000;                                                                         \
        }                                                                                                             \
    } while (0)
#endif

#endif
