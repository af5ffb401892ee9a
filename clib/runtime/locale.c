/* locale.c - <locale.h>, <langinfo.h>: the locales "C" and "C.UTF-8", which differ only in their charset.
 *
 * A category keeps the name under which it was requested. The charset in force is that of LC_CTYPE, or of uselocale()'s
 * locale. The host functions are told whenever it may have changed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void __orrery_set_utf8(int utf8);

#define CATEGORIES                                                                                                     \
    X(LC_CTYPE)                                                                                                        \
    X(LC_NUMERIC)                                                                                                      \
    X(LC_TIME)                                                                                                         \
    X(LC_COLLATE)                                                                                                      \
    X(LC_MONETARY)                                                                                                     \
    X(LC_MESSAGES)                                                                                                     \
    X(LC_PAPER)                                                                                                        \
    X(LC_NAME)                                                                                                         \
    X(LC_ADDRESS)                                                                                                      \
    X(LC_TELEPHONE)                                                                                                    \
    X(LC_MEASUREMENT)                                                                                                  \
    X(LC_IDENTIFICATION)

enum { N_CATEGORIES = LC_IDENTIFICATION + 1 };

/* The categories in the order of a composite name. LC_ALL is not among them. */
static const struct {
    int category;
    const char *name;
} categories[] = {
#define X(category) {category, #category},
    CATEGORIES
#undef X
};

enum { N_NAMED = sizeof categories / sizeof *categories };

/* Names of the locales in force, indexed by category. */
static const char *names[N_CATEGORIES] = {"C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C"};

/* Whether a name means "C.UTF-8", also as glibc would spell it, with any modifier behind it. */
static int is_utf8(const char *name)
{
    if (strncmp(name, "C.", 2) != 0)
        return 0;
    name += 2;
    size_t length = strncasecmp(name, "utf-8", 5) == 0 ? 5 : strncasecmp(name, "utf8", 4) == 0 ? 4 : 0;
    return length && (!name[length] || name[length] == '@');
}

/* The value of the environment for a category (POSIX, "Environment Variables"). */
static const char *from_environment(const char *category)
{
    const char *const variables[] = {"LC_ALL", category, "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return value;
    }
    return "C";
}

/* Keeps one copy of each text that was ever returned, so that the text stays valid for the program. */
static const char *intern(const char *text, size_t length)
{
    static struct known {
        struct known *next;
        char text[];
    } * all;
    if (length == 1 && *text == 'C')
        return "C";
    for (struct known *known = all; known; known = known->next)
        if (strncmp(known->text, text, length) == 0 && !known->text[length])
            return known->text;
    struct known *known = malloc(sizeof *known + length + 1);
    if (!known)
        return 0;
    memcpy(known->text, text, length);
    known->text[length] = '\0';
    known->next = all;
    all = known;
    return known->text;
}

/* The name that a category gets for `name` of this length. Returns 0 with errno if there is no such locale. */
static const char *known_name(int index, const char *name, size_t length)
{
    const char *wanted = length ? intern(name, length) : from_environment(categories[index].name);
    if (!wanted)
        return 0;
    if (strcmp(wanted, "C") == 0 || strcmp(wanted, "POSIX") == 0)
        return "C";
    if (is_utf8(wanted))
        return intern(wanted, strlen(wanted));
    errno = strchr(wanted, '/') ? EINVAL : ENOENT;
    return 0;
}

/* The part of "LC_CTYPE=...;LC_NUMERIC=...;..." for a category; 0: there is none. */
static const char *part_of(const char *name, const char *category, size_t *length)
{
    size_t own = strlen(category);
    for (const char *at = name; *at;) {
        size_t size = strcspn(at, ";");
        if (size > own && strncmp(at, category, own) == 0 && at[own] == '=') {
            *length = size - own - 1;
            return at + own + 1;
        }
        at += size + (at[size] == ';');
    }
    return 0;
}

/* Finds the names of the categories in `mask` and stores them in `fresh`. Returns 0 with errno if one is not known. */
static int resolve(int mask, const char *name, const char *fresh[N_CATEGORIES])
{
    /* each of several categories has a name of its own */
    int composite = strchr(name, ';') && (mask & (mask - 1)) != 0;
    for (int i = 0; i < N_NAMED; i++) {
        size_t length = strlen(name);
        const char *part = composite ? part_of(name, categories[i].name, &length) : name;
        if (!part)
            errno = EINVAL;
        if (!part)
            return 0;
        const char *known = mask >> categories[i].category & 1 ? known_name(i, part, length) : "";
        if (!known)
            return 0;
        if (*known)
            fresh[categories[i].category] = known;
    }
    return 1;
}

/* The name of all categories together: the common name, or a composite one if they differ. */
static char *name_of_all(void)
{
    size_t size = 1;
    int same = 1;
    for (int i = 0; i < N_NAMED; i++) {
        const char *name = names[categories[i].category];
        size += strlen(categories[i].name) + strlen(name) + 2;
        same &= strcmp(name, names[LC_CTYPE]) == 0;
    }
    if (same)
        return (char *)names[LC_CTYPE];
    char *text = malloc(size), *at = text;
    if (!text)
        return 0;
    for (int i = 0; i < N_NAMED; i++) {
        at = stpcpy(stpcpy(at, categories[i].name), "=");
        at = stpcpy(stpcpy(at, names[categories[i].category]), i + 1 < N_NAMED ? ";" : "");
    }
    const char *kept = intern(text, (size_t)(at - text));
    free(text);
    return (char *)kept;
}

/* The object that a locale_t points to. Locales differ only in their charset. */
static struct orrery_locale {
    int utf8;
} locales[2] = {{0}, {1}};

static locale_t in_use = LC_GLOBAL_LOCALE;

static int charset_of(locale_t locale)
{
    return locale == LC_GLOBAL_LOCALE ? is_utf8(names[LC_CTYPE]) : locale->utf8;
}

char *setlocale(int category, const char *name)
{
    const char *fresh[N_CATEGORIES];
    if (category < LC_CTYPE || category >= N_CATEGORIES) {
        errno = EINVAL;
        return 0;
    }
    memcpy(fresh, names, sizeof fresh);
    if (name && !resolve(category == LC_ALL ? -1 : 1 << category, name, fresh))
        return 0;
    memcpy(names, fresh, sizeof names);
    if (name)
        __orrery_set_utf8(charset_of(in_use));
    return category == LC_ALL ? name_of_all() : (char *)names[category];
}

struct lconv *localeconv(void)
{
    enum { NONE = CHAR_MAX };
    static struct lconv convention = {".",  "",   "",   "",   "",   "",   "",   "",   "",   "",   NONE, NONE,
                                      NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};
    return &convention;
}

locale_t newlocale(int mask, const char *name, locale_t base)
{
    const char *fresh[N_CATEGORIES];
    if ((mask & ~(LC_ALL_MASK | 1 << LC_ALL)) != 0 || !name) {
        errno = EINVAL;
        return 0;
    }
    fresh[LC_CTYPE] = base && charset_of(base) ? "C.UTF-8" : "C";
    return resolve(mask, name, fresh) ? &locales[is_utf8(fresh[LC_CTYPE])] : 0;
}

locale_t uselocale(locale_t locale)
{
    locale_t before = in_use;
    if (locale) {
        in_use = locale;
        __orrery_set_utf8(charset_of(in_use));
    }
    return before;
}

locale_t duplocale(locale_t locale)
{
    return &locales[charset_of(locale)];
}

void freelocale(locale_t locale)
{
    (void)locale;
}

char *nl_langinfo_l(nl_item item, locale_t locale)
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
    case CODESET: return charset_of(locale) ? "UTF-8" : "ANSI_X3.4-1968";
    case RADIXCHAR: return ".";
    case YESEXPR: return "^[yY]";
    case NOEXPR: return "^[nN]";
    default: return "";
    }
}

char *nl_langinfo(nl_item item)
{
    return nl_langinfo_l(item, in_use);
}
