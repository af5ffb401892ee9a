/* strptime, strftime, clock_nanosleep and mktime on the same dates (POSIX). */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void try(const char *text, const char *format)
{
    struct tm t;
    memset(&t, 0, sizeof t);
    const char *end = strptime(text, format, &t);
    printf("%s %s: ", text, format);
    if (!end)
        printf("none\n");
    else
        printf("%d-%d-%d %d:%d:%d w%d y%d rest \"%s\"\n", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
               t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday, end);
}

int main(void)
{
    try("2024-02-29 23:59:58", "%Y-%m-%d %H:%M:%S");
    try("2024-02-29T01:02:03Z tail", "%FT%T");
    try("Mon Feb  5 10:11:12 2001", "%a %b %d %H:%M:%S %Y");
    try("Mon Feb  5 10:11:12 2001", "%c");
    try("february 3, 1999", "%B %d, %Y");
    try("12/31/99", "%D");
    try("12/31/68", "%m/%d/%y");
    try("11:30 PM", "%I:%M %p");
    try("12:00 am", "%I:%M %p");
    try("366 2024", "%j %Y");
    try("60 2023", "%j %Y");
    try("13/2020", "%m/%Y");
    try("25:00", "%H:%M");
    try("20 21", "%C %y");
    try("1 2 3", "%d %m %H");
    try("  7:5:3", "%H:%M:%S");
    try("%x", "%%x");
    try("5 abc", "%d abc");
    try("86400", "%s");
    try("10 2024 Tue", "%U %Y %a");
    try("+0530", "%z");
    struct tm t = {.tm_year = 124, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25};
    time_t seconds = mktime(&t);
    char text[200];
    strftime(text, sizeof text,
             "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %m %M %n %p %r %R %S %t %T %u %U %V %w %W %x %X %y %Y %%",
             &t);
    printf("%ld %s\n", (long)seconds, text);
    return 0;
}
