/* time.h - C11 7.27 and POSIX; all clocks are virtual */
#ifndef _TIME_H
#define _TIME_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#undef NULL
#define NULL ((void *)0)

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC       1

#ifndef __ORRERY_TIMESPEC
#define __ORRERY_TIMESPEC
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

clock_t clock(void);
time_t time(time_t *place);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *calendar);
int timespec_get(struct timespec *place, int base);
char *asctime(const struct tm *calendar);
char *ctime(const time_t *seconds);
struct tm *gmtime(const time_t *seconds);
struct tm *localtime(const time_t *seconds);
size_t strftime(char *text, size_t size, const char *format, const struct tm *calendar);

#ifdef __ORRERY_POSIX
#define CLOCK_REALTIME           0
#define CLOCK_MONOTONIC          1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID  3
#define CLOCK_MONOTONIC_RAW      4
#define CLOCK_REALTIME_COARSE    5
#define CLOCK_MONOTONIC_COARSE   6
#define CLOCK_BOOTTIME           7
int clock_gettime(clockid_t clock, struct timespec *place);
int clock_getres(clockid_t clock, struct timespec *place);
int nanosleep(const struct timespec *request, struct timespec *remaining);
struct tm *gmtime_r(const time_t *seconds, struct tm *calendar);
struct tm *localtime_r(const time_t *seconds, struct tm *calendar);
char *asctime_r(const struct tm *calendar, char *text);
char *ctime_r(const time_t *seconds, char *text);
time_t timegm(struct tm *calendar);
void tzset(void);
#endif

#endif
