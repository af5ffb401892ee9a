/* omp_environment.c - OpenMP's environment variables (OpenMP 4.5, chapter 4), read when the program first meets OpenMP.
 *
 * A value that is wrong is said and ignored, as libgomp does. OMP_DISPLAY_ENV shows what holds.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "omp_places.h"
#include "omp_team.h"

struct omp_globals __omp_globals;

static const char *blank(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Whether the text goes on with the word, in any case; then goes behind it and the blanks there. */
static bool word(const char **text, const char *expected)
{
    unsigned long length = strlen(expected);
    const char *at = blank(*text);
    if (strncasecmp(at, expected, length) != 0 || isalnum((unsigned char)at[length]) || at[length] == '_')
        return false;
    *text = blank(at + length);
    return true;
}

static bool number(const char **text, long least, long most, long *value)
{
    char *end;
    const char *at = blank(*text);
    if (!isdigit((unsigned char)*at) && *at != '-' && *at != '+')
        return false;
    *value = strtol(at, &end, 10);
    *text = blank(end);
    return end != at && *value >= least && *value <= most;
}

static bool is_true(const char **text, bool *value)
{
    *value = word(text, "true");
    return *value || word(text, "false");
}

/* -- one variable each: they return false if the text is wrong --------------------------------- */

static bool read_schedule(struct omp_globals *g, const char **text)
{
    static const char *const kinds[] = {"static", "dynamic", "guided", "auto"};
    unsigned modifier = 0;
    bool monotonic = word(text, "monotonic"), any = monotonic || word(text, "nonmonotonic");
    if (any) {
        if (*(*text)++ != ':')
            return false;
        modifier = monotonic ? (unsigned)omp_sched_monotonic : 0;
    }
    for (unsigned i = 0; i < 4; i++)
        if (word(text, kinds[i])) {
            long chunk = i > 0; /* static: shares */
            if (**text == ',') {
                ++*text;
                if (!number(text, 0, INT_MAX, &chunk))
                    return false;
                if (chunk == 0 && i)
                    chunk = 1;
            }
            g->icvs.schedule = (i + 1) | (i == 0 && !any ? (unsigned)omp_sched_monotonic : modifier);
            g->icvs.chunk = (int)chunk;
            return true;
        }
    return false;
}

static bool read_threads(struct omp_globals *g, const char **text)
{
    unsigned *list = NULL, n = 0;
    do {
        long value;
        *text += n > 0;
        if (!number(text, 1, INT_MAX, &value) || !(list = realloc(list, (n + 1) * sizeof *list)))
            return false;
        list[n++] = (unsigned)value;
    } while (**text == ',');
    if (**text)
        return false;
    g->icvs.threads = list[0];
    g->threads = list;
    g->n_threads = n;
    if (n > 1)
        g->icvs.levels = OMP_MOST_LEVELS;
    return true;
}

static bool read_dynamic(struct omp_globals *g, const char **text)
{
    return is_true(text, &g->icvs.dynamic);
}

static bool read_bind(struct omp_globals *g, const char **text)
{
    static const struct {
        const char *name;
        unsigned char bind;
    } rows[] = {{"master", 2}, {"primary", 2}, {"close", 3}, {"spread", 4}};
    bool value;
    if (is_true(text, &value)) {
        g->icvs.bind = value;
        return true;
    }
    unsigned char list[32];
    unsigned n = 0;
    do {
        *text += n > 0;
        unsigned i = 0;
        while (i < 4 && !word(text, rows[i].name))
            i++;
        if (i == 4 || n == sizeof list)
            return false;
        list[n++] = rows[i].bind;
    } while (**text == ',');
    if (**text || !(g->binds = malloc(n)))
        return false;
    memcpy(g->binds, list, n);
    g->n_binds = n;
    g->icvs.bind = list[0];
    if (n > 1)
        g->icvs.levels = OMP_MOST_LEVELS;
    return true;
}

static bool read_places(struct omp_globals *g, const char **text)
{
    bool good = __omp_read_places(g, *text);
    *text += good ? strlen(*text) : 0;
    return good;
}

static bool read_nested(struct omp_globals *g, const char **text)
{
    bool value, good = is_true(text, &value);
    if (good)
        g->icvs.levels = value ? OMP_MOST_LEVELS : 1;
    return good;
}

static bool read_levels(struct omp_globals *g, const char **text)
{
    long value;
    if (!number(text, 0, INT_MAX, &value))
        return false;
    g->icvs.levels = value < OMP_MOST_LEVELS ? (int)value : OMP_MOST_LEVELS;
    return true;
}

static bool read_limit(struct omp_globals *g, const char **text)
{
    long value;
    if (!number(text, 1, INT_MAX, &value))
        return false;
    g->icvs.thread_limit = (unsigned)value;
    return true;
}

static bool read_stack(struct omp_globals *g, const char **text)
{
    static const char units[] = "bkmg";
    long value;
    if (!number(text, 0, LONG_MAX >> 30, &value))
        return false;
    const char *unit = **text ? strchr(units, tolower((unsigned char)**text)) : units + 1; /* without one: KiB */
    if (!unit)
        return false;
    *text = **text ? blank(*text + 1) : *text;
    g->stack = (unsigned long)value << 10 * (unit - units);
    return true;
}

static bool read_policy(struct omp_globals *g, const char **text)
{
    g->active_wait = word(text, "active");
    return g->active_wait || word(text, "passive");
}

static bool read_cancellation(struct omp_globals *g, const char **text)
{
    return is_true(text, &g->cancellation);
}

static bool read_device(struct omp_globals *g, const char **text)
{
    long value;
    if (!number(text, 0, INT_MAX, &value))
        return false;
    g->icvs.device = (int)value;
    return true;
}

static bool read_priority(struct omp_globals *g, const char **text)
{
    long value;
    if (!number(text, 0, INT_MAX, &value))
        return false;
    g->most_priority = (int)value;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct omp_globals *g, const char **text);
} variables[] = {
    {"OMP_SCHEDULE", read_schedule},
    {"OMP_DYNAMIC", read_dynamic},
    {"OMP_CANCELLATION", read_cancellation},
    {"OMP_DEFAULT_DEVICE", read_device},
    {"OMP_MAX_TASK_PRIORITY", read_priority},
    {"OMP_THREAD_LIMIT", read_limit},
    {"OMP_NESTED", read_nested},
    {"OMP_NUM_THREADS", read_threads},
    {"OMP_PROC_BIND", read_bind},
    {"OMP_MAX_ACTIVE_LEVELS", read_levels},
    {"OMP_PLACES", read_places},
    {"OMP_WAIT_POLICY", read_policy},
    {"OMP_STACKSIZE", read_stack},
};

/* -- OMP_DISPLAY_ENV --------------------------------------------------------------------------- */

static const char *truth(bool value)
{
    return value ? "TRUE" : "FALSE";
}

static void show_schedule(const struct omp_icvs *icvs)
{
    static const char *const kinds[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    unsigned kind = icvs->schedule & __OMP_SCHEDULE_KIND;
    bool monotonic = kind != omp_sched_static && icvs->schedule & (unsigned)omp_sched_monotonic;
    fprintf(stderr, "  OMP_SCHEDULE = '%s%s", monotonic ? "MONOTONIC:" : "", kinds[kind - 1]);
    if (icvs->chunk != (kind != omp_sched_static))
        fprintf(stderr, ",%d", icvs->chunk);
    fprintf(stderr, "'\n");
}

static void show_places(const struct omp_globals *g)
{
    fprintf(stderr, "  OMP_PLACES = '");
    for (int i = 0; i < g->n_places; i++) {
        const char *before = i ? ",{" : "{";
        for (int first = 0, end; first < 1024; first = end) { /* runs of processors */
            for (end = first; end < 1024 && g->places[i][end / 64] >> end % 64 & 1; end++)
                ;
            if (end == first) {
                end++;
                continue;
            }
            fprintf(stderr, end - first > 1 ? "%s%d:%d" : "%s%d", before, first, end - first);
            before = ",";
        }
        fprintf(stderr, "}");
    }
    fprintf(stderr, "'\n");
}

static void show(const struct omp_globals *g)
{
    static const char *const binds[] = {"FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD"};
    fprintf(stderr, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
    fprintf(stderr, "  OMP_DYNAMIC = '%s'\n", truth(g->icvs.dynamic));
    fprintf(stderr, "  OMP_NESTED = '%s'\n", truth(g->icvs.levels > 1));
    fprintf(stderr, "  OMP_NUM_THREADS = '%u", g->icvs.threads);
    for (unsigned i = 1; i < g->n_threads; i++)
        fprintf(stderr, ",%u", g->threads[i]);
    fprintf(stderr, "'\n");
    show_schedule(&g->icvs);
    fprintf(stderr, "  OMP_PROC_BIND = '%s", binds[g->icvs.bind]);
    for (unsigned i = 1; i < g->n_binds; i++)
        fprintf(stderr, ",%s", binds[g->binds[i]]);
    fprintf(stderr, "'\n");
    show_places(g);
    fprintf(stderr, "  OMP_STACKSIZE = '%lu'\n", g->stack);
    fprintf(stderr, "  OMP_WAIT_POLICY = '%s'\n", g->active_wait ? "ACTIVE" : "PASSIVE");
    fprintf(stderr, "  OMP_THREAD_LIMIT = '%u'\n", g->icvs.thread_limit);
    fprintf(stderr, "  OMP_MAX_ACTIVE_LEVELS = '%d'\n", g->icvs.levels);
    fprintf(stderr, "  OMP_CANCELLATION = '%s'\n", truth(g->cancellation));
    fprintf(stderr, "  OMP_DEFAULT_DEVICE = '%d'\n", g->icvs.device);
    fprintf(stderr, "  OMP_MAX_TASK_PRIORITY = '%d'\n", g->most_priority);
    fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT END\n");
}

/* -- all of them ------------------------------------------------------------------------------- */

static void say_wrong(const char *name)
{
    fprintf(stderr, "OpenMP: the value '%s' of %s is wrong, and ignored\n", getenv(name), name);
}

void __omp_read_environment(void)
{
    struct omp_globals *g = &__omp_globals;
    if (g->ready)
        return;
    g->ready = true;
    g->processors = (int)__orrery_processors();
    g->icvs = (struct omp_icvs){.threads = (unsigned)g->processors, .thread_limit = UINT_MAX, .levels = 1};
    g->icvs.schedule = omp_sched_dynamic;
    g->icvs.chunk = 1;
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *text = getenv(variables[i].name);
        if (!text || !*blank(text))
            continue;
        struct omp_globals before = *g;
        text = blank(text);
        if (!variables[i].read(g, &text) || *text) {
            *g = before;
            say_wrong(variables[i].name);
        }
    }
    if (g->n_places && !getenv("OMP_PROC_BIND"))
        g->icvs.bind = omp_proc_bind_true;
    if (g->icvs.bind && !g->n_places)
        __omp_read_places(g, "cores");
    const char *display = getenv("OMP_DISPLAY_ENV");
    bool wanted = false;
    if (!display)
        return;
    if (word(&display, "verbose"))
        wanted = true;
    else if (!is_true(&display, &wanted))
        display = "?";
    if (*display)
        say_wrong("OMP_DISPLAY_ENV");
    else if (wanted)
        show(g);
}
