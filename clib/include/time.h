/* time.h - C11 7.27 and POSIX; all clocks are virtual */
#ifndef _TIME_H
#define _TIME_H

#include <orrery_features.h>
#include <orrery_timespec.h>

typedef unsigned long size_t;
typedef long clock_t;
struct orrery_locale;
typedef int clockid_t;
#undef NULL
#define NULL ((void *)0)

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC       1

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
#define TIMER_ABSTIME            1
typedef void *timer_t;
typedef int pid_t;
struct sigevent;
struct itimerspec {
    struct timespec it_interval, it_value;
};
int clock_gettime(clockid_t clock, struct timespec *place);
int clock_getres(clockid_t clock, struct timespec *place);
int clock_settime(clockid_t clock, const struct timespec *time);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remaining);
int clock_getcpuclockid(pid_t process, clockid_t *clock);
int nanosleep(const struct timespec *request, struct timespec *remaining);
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int timer_delete(timer_t timer);
int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old);
int timer_getoverrun(timer_t timer);
int timer_gettime(timer_t timer, struct itimerspec *value);
struct tm *gmtime_r(const time_t *seconds, struct tm *calendar);
struct tm *localtime_r(const time_t *seconds, struct tm *calendar);
char *asctime_r(const struct tm *calendar, char *text);
char *ctime_r(const time_t *seconds, char *text);
size_t strftime_l(char *text, size_t size, const char *format, const struct tm *calendar,
                  struct orrery_locale *locale);
void tzset(void);
extern char *tzname[2];
#endif
#if defined __ORRERY_MISC || defined __ORRERY_XOPEN
extern int daylight;
extern long timezone;
#endif
#ifdef __ORRERY_MISC
time_t timegm(struct tm *calendar);
time_t timelocal(struct tm *calendar);
int stime(const time_t *time);
int dysize(int year);
#endif
#ifdef __ORRERY_XOPEN
char *strptime(const char *text, const char *format, struct tm *calendar);
struct tm *getdate(const char *text);
#endif

#endif
