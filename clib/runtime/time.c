/* time.c - calendar functions that return static memory (C11 7.27.3). Local time is UTC. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int __orrery_calendar(time_t seconds, struct tm *calendar);

double difftime(time_t later, time_t earlier)
{
    return (double)(later - earlier);
}

struct tm *gmtime_r(const time_t *seconds, struct tm *calendar)
{
    if (__orrery_calendar(*seconds, calendar) != 0)
        return 0;
    calendar->tm_zone = "GMT";
    return calendar;
}

struct tm *localtime_r(const time_t *seconds, struct tm *calendar)
{
    if (!gmtime_r(seconds, calendar))
        return 0;
    calendar->tm_zone = "UTC";
    return calendar;
}

static struct tm present;

struct tm *gmtime(const time_t *seconds)
{
    return gmtime_r(seconds, &present);
}

struct tm *localtime(const time_t *seconds)
{
    return localtime_r(seconds, &present);
}

char *asctime_r(const struct tm *calendar, char *text)
{
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int day = calendar->tm_wday, month = calendar->tm_mon;
    int length = snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day < 0 || day > 6 ? "???" : days + 3 * day,
                          month < 0 || month > 11 ? "???" : months + 3 * month, calendar->tm_mday, calendar->tm_hour,
                          calendar->tm_min, calendar->tm_sec, 1900 + calendar->tm_year);
    if (length < 26)
        return text;
    errno = EOVERFLOW;
    return 0;
}

char *asctime(const struct tm *calendar)
{
    static char text[26];
    return asctime_r(calendar, text);
}

char *ctime_r(const time_t *seconds, char *text)
{
    struct tm calendar;
    return localtime_r(seconds, &calendar) ? asctime_r(&calendar, text) : 0;
}

char *ctime(const time_t *seconds)
{
    struct tm *calendar = localtime(seconds);
    return calendar ? asctime(calendar) : 0;
}

char *tzname[2] = {"UTC", "UTC"};
int daylight;
long timezone;

void tzset(void) {}

time_t timelocal(struct tm *calendar)
{
    return mktime(calendar);
}

int dysize(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

size_t strftime_l(char *text, size_t size, const char *format, const struct tm *calendar, struct orrery_locale *locale)
{
    (void)locale;
    return strftime(text, size, format, calendar);
}

static int is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* Nobody can sleep by the processor time of the thread that sleeps. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remaining)
{
    struct timespec time = *request;
    int old = errno;
    if (clock == CLOCK_THREAD_CPUTIME_ID || !is_time(&time) || clock_getres(clock, 0) != 0) {
        errno = old;
        return EINVAL;
    }
    if (flags & TIMER_ABSTIME) {
        struct timespec now;
        clock_gettime(clock, &now);
        remaining = 0;
        time.tv_sec -= now.tv_sec;
        time.tv_nsec -= now.tv_nsec;
        if (time.tv_nsec < 0) {
            time.tv_nsec += 1000000000;
            time.tv_sec--;
        }
        if (time.tv_sec < 0)
            return 0;
    }
    int error = nanosleep(&time, remaining) == 0 ? 0 : errno;
    errno = old;
    return error;
}

int clock_getcpuclockid(pid_t process, clockid_t *clock)
{
    (void)process;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

/* A virtual clock cannot be set. */
static int refuse(void)
{
    errno = EPERM;
    return -1;
}

int clock_settime(clockid_t clock, const struct timespec *time)
{
    if (clock != CLOCK_REALTIME || !is_time(time)) {
        errno = EINVAL;
        return -1;
    }
    return refuse();
}

int settimeofday(const struct timeval *time, const struct timezone *zone)
{
    (void)time, (void)zone;
    return refuse();
}

int adjtime(const struct timeval *change, struct timeval *old)
{
    if (change)
        return refuse();
    if (old)
        memset(old, 0, sizeof *old);
    return 0;
}

int stime(const time_t *time)
{
    (void)time;
    return refuse();
}
