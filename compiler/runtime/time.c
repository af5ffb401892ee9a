/* time.c - calendar functions that give out static memory (C11 7.27.3). Local time is UTC. */
#include <errno.h>
#include <stdio.h>
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

void tzset(void) {}
