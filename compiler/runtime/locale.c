/* locale.c - <locale.h>, <langinfo.h>: the only locale is "C". */
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>

static int is_known(const char *name)
{
    return !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

char *setlocale(int category, const char *name)
{
    if (category < LC_CTYPE || category > LC_ALL)
        return 0;
    return !name || is_known(name) ? "C" : 0;
}

struct lconv *localeconv(void)
{
    enum { NONE = CHAR_MAX };
    static struct lconv convention = {".",  "",   "",   "",   "",   "",   "",   "",   "",   "",   NONE, NONE,
                                      NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};
    return &convention;
}

static char the_locale;

locale_t newlocale(int mask, const char *name, locale_t base)
{
    (void)base;
    if ((mask & ~LC_ALL_MASK) == 0 && name && is_known(name))
        return (locale_t)&the_locale;
    errno = name ? ENOENT : EINVAL;
    return 0;
}

locale_t uselocale(locale_t locale)
{
    static locale_t present = LC_GLOBAL_LOCALE;
    locale_t before = present;
    if (locale)
        present = locale;
    return before;
}

locale_t duplocale(locale_t locale)
{
    (void)locale;
    return (locale_t)&the_locale;
}

void freelocale(locale_t locale)
{
    (void)locale;
}

char *nl_langinfo(nl_item item)
{
    static char *const times[] = {"Sun",
                                  "Mon",
                                  "Tue",
                                  "Wed",
                                  "Thu",
                                  "Fri",
                                  "Sat",
                                  "Sunday",
                                  "Monday",
                                  "Tuesday",
                                  "Wednesday",
                                  "Thursday",
                                  "Friday",
                                  "Saturday",
                                  "Jan",
                                  "Feb",
                                  "Mar",
                                  "Apr",
                                  "May",
                                  "Jun",
                                  "Jul",
                                  "Aug",
                                  "Sep",
                                  "Oct",
                                  "Nov",
                                  "Dec",
                                  "January",
                                  "February",
                                  "March",
                                  "April",
                                  "May",
                                  "June",
                                  "July",
                                  "August",
                                  "September",
                                  "October",
                                  "November",
                                  "December",
                                  "AM",
                                  "PM",
                                  "%a %b %e %H:%M:%S %Y",
                                  "%m/%d/%y",
                                  "%H:%M:%S",
                                  "%I:%M:%S %p"};
    if (item >= ABDAY_1 && item <= T_FMT_AMPM)
        return times[item - ABDAY_1];
    switch (item) {
    case CODESET: return "ANSI_X3.4-1968";
    case RADIXCHAR: return ".";
    case YESEXPR: return "^[yY]";
    case NOEXPR: return "^[nN]";
    default: return "";
    }
}
