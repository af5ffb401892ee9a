/* strptime.c - parses dates (POSIX strptime) in the C locale. Where POSIX leaves the meaning open, it is glibc's. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

/* Fields that have been read and that determine other fields at the end. */
struct reading {
    int century, year_of_century; /* -1: not read */
    int pm;                       /* -1: not read */
    int week_sunday, week_monday; /* -1: not read */
    int have_weekday, have_month, have_day, have_year_day, have_year;
};

/* Parses a number of up to `digits` digits between low and high. Returns 0 if there is none. */
static const char *number(const char *text, int low, int high, int digits, int *value)
{
    while (*text == ' ')
        text++;
    if (!isdigit((unsigned char)*text))
        return 0;
    int result = 0;
    for (; digits-- > 0 && isdigit((unsigned char)*text); text++)
        result = result * 10 + (*text - '0');
    *value = result;
    return result >= low && result <= high ? text : 0;
}

/* Parses one of some names, whole or its first three letters. */
static const char *name(const char *text, const char *const names[], int count, int *value)
{
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(text, names[i], length) != 0)
            length = 3;
        if (strncasecmp(text, names[i], length) == 0) {
            *value = i;
            return text + length;
        }
    }
    return 0;
}

static const char *zone(const char *text, struct tm *t)
{
    while (isspace((unsigned char)*text))
        text++;
    if (*text == 'Z') {
        t->tm_gmtoff = 0;
        return text + 1;
    }
    if (*text != '+' && *text != '-')
        return 0;
    int sign = *text++ == '-' ? -1 : 1, digits = 0, value = 0;
    while (digits < 4 && isdigit((unsigned char)*text)) {
        value = value * 10 + (*text++ - '0');
        if (++digits == 2 && *text == ':')
            text++;
    }
    if (digits == 2)
        value *= 100;
    else if (digits != 4)
        return 0;
    if (value > 1400 || value % 100 >= 60)
        return 0;
    t->tm_gmtoff = sign * (value / 100 * 3600L + value % 100 * 60L);
    return text;
}

static const char *read_all(const char *text, const char *format, struct tm *t, struct reading *r);

static const char *read_seconds(const char *text, struct tm *t)
{
    char *end;
    time_t seconds = strtol(text, &end, 10);
    return end != text && localtime_r(&seconds, t) ? end : 0;
}

static const char *read_one(const char *text, char conversion, struct tm *t, struct reading *r)
{
    int value;
    switch (conversion) {
    case '%': return *text == '%' ? text + 1 : 0;
    case 'n':
    case 't':
        while (isspace((unsigned char)*text))
            text++;
        return text;
    case 'a':
    case 'A': r->have_weekday = 1; return name(text, days, 7, &t->tm_wday);
    case 'b':
    case 'B':
    case 'h': r->have_month = 1; return name(text, months, 12, &t->tm_mon);
    case 'c': return read_all(text, "%a %b %e %H:%M:%S %Y", t, r);
    case 'C': return number(text, 0, 99, 2, &r->century);
    case 'd':
    case 'e': r->have_day = 1; return number(text, 1, 31, 2, &t->tm_mday);
    case 'x':
    case 'D': return read_all(text, "%m/%d/%y", t, r);
    case 'F': return read_all(text, "%Y-%m-%d", t, r);
    case 'H':
    case 'k': r->pm = -1; return number(text, 0, 23, 2, &t->tm_hour);
    case 'I':
    case 'l':
        text = number(text, 1, 12, 2, &value);
        t->tm_hour = value % 12;
        r->pm = r->pm < 0 ? 0 : r->pm;
        return text;
    case 'j':
        text = number(text, 1, 366, 3, &value);
        t->tm_yday = value - 1;
        r->have_year_day = 1;
        return text;
    case 'm':
        text = number(text, 1, 12, 2, &value);
        t->tm_mon = value - 1;
        r->have_month = 1;
        return text;
    case 'M': return number(text, 0, 59, 2, &t->tm_min);
    case 'p':
        if (strncasecmp(text, "AM", 2) != 0 && strncasecmp(text, "PM", 2) != 0)
            return 0;
        r->pm = toupper((unsigned char)*text) == 'P';
        return text + 2;
    case 'r': return read_all(text, "%I:%M:%S %p", t, r);
    case 'R': return read_all(text, "%H:%M", t, r);
    case 's': return read_seconds(text, t);
    case 'S': return number(text, 0, 61, 2, &t->tm_sec);
    case 'X':
    case 'T': return read_all(text, "%H:%M:%S", t, r);
    case 'u':
        text = number(text, 1, 7, 1, &value);
        t->tm_wday = value % 7;
        r->have_weekday = 1;
        return text;
    case 'w': r->have_weekday = 1; return number(text, 0, 6, 1, &t->tm_wday);
    case 'U': return number(text, 0, 53, 2, &r->week_sunday);
    case 'W': return number(text, 0, 53, 2, &r->week_monday);
    case 'g':
    case 'V': return number(text, 0, conversion == 'V' ? 53 : 99, 2, &value);
    case 'G': return number(text, 0, 9999, 4, &value);
    case 'y':
        text = number(text, 0, 99, 2, &r->year_of_century);
        t->tm_year = r->year_of_century >= 69 ? r->year_of_century : r->year_of_century + 100;
        r->have_year = 1;
        return text;
    case 'Y':
        text = number(text, 0, 9999, 4, &value);
        t->tm_year = value - 1900;
        r->have_year = 1;
        r->century = r->year_of_century = -1;
        return text;
    case 'z': return zone(text, t);
    case 'Z': return text; /* as in glibc, names of time zones are not read */
    default: return 0;
    }
}

static const char *read_all(const char *text, const char *format, struct tm *t, struct reading *r)
{
    for (; text && *format; format++) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*text))
                text++;
        } else if (*format != '%') {
            if (*text++ != *format)
                return 0;
        } else {
            do
                format++;
            while (strchr("-_0^#EO", *format) && *format);
            if (!*format)
                return 0;
            text = read_one(text, *format, t, r);
        }
    }
    return text;
}

static int is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_before(int month, int year)
{
    static const short sums[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return sums[month] + (month > 1 && is_leap(year));
}

/* The weekday of January 1st. */
static int first_weekday(int year)
{
    int y = year - 1;
    return (1 + y * 365 + y / 4 - y / 100 + y / 400) % 7;
}

static void settle_dates(struct tm *t, struct reading *r)
{
    int year = t->tm_year + 1900, first = first_weekday(year);
    if (r->have_year_day && !(r->have_month && r->have_day)) {
        int month = 0;
        while (month < 11 && days_before(month + 1, year) <= t->tm_yday)
            month++;
        if (!r->have_month)
            t->tm_mon = month;
        if (!r->have_day)
            t->tm_mday = t->tm_yday - days_before(t->tm_mon, year) + 1;
        r->have_month = r->have_day = 1;
    }
    if ((r->week_sunday >= 0 || r->week_monday >= 0) && r->have_weekday && !(r->have_month && r->have_day)) {
        int offset = r->week_sunday >= 0 ? 0 : 1, week = r->week_sunday >= 0 ? r->week_sunday : r->week_monday;
        int weekday = (t->tm_wday - offset + 7) % 7;
        t->tm_yday = (7 - (first - offset)) % 7 + (week - 1) * 7 + weekday;
        int month = 0;
        while (month < 11 && days_before(month + 1, year) <= t->tm_yday)
            month++;
        t->tm_mon = month;
        t->tm_mday = t->tm_yday - days_before(month, year) + 1;
        return;
    }
    if (!(r->have_month || r->have_day || r->have_year))
        return;
    int in_range = t->tm_mon >= 0 && t->tm_mon < 12;
    if (!r->have_year_day && in_range)
        t->tm_yday = days_before(t->tm_mon, year) + t->tm_mday - 1;
    if (!r->have_weekday && in_range)
        t->tm_wday = ((first + days_before(t->tm_mon, year) + t->tm_mday - 1) % 7 + 7) % 7;
}

char *strptime(const char *text, const char *format, struct tm *calendar)
{
    struct reading r = {.century = -1, .year_of_century = -1, .pm = -1, .week_sunday = -1, .week_monday = -1};
    text = read_all(text, format, calendar, &r);
    if (!text)
        return 0;
    if (r.pm > 0)
        calendar->tm_hour += 12;
    if (r.century >= 0) {
        calendar->tm_year =
            (r.century - 19) * 100 + (r.year_of_century >= 0 ? r.year_of_century : calendar->tm_year % 100);
        r.have_year = 1;
    }
    settle_dates(calendar, &r);
    return (char *)text;
}
