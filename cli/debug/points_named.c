/* points_named.c - which breakpoints a command means: numbers, ranges, all; those at a place. */
#include "cli/debug/desk.h"

#include <string.h>

/* The numbers of all breakpoints between two; they may go while the list is used. Free it with g_array_unref(). */
static GArray *numbers_between(DebugSession *session, guint64 low, guint64 high)
{
    const GPtrArray *points = mon_session_breakpoints(session->core);
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(unsigned));
    for (guint i = 0; i < points->len; i++) {
        unsigned number = ((const MonBreakpoint *)g_ptr_array_index(points, i))->number;
        if (number >= low && number <= high)
            g_array_append_val(numbers, number);
    }
    return numbers;
}

static void each(DebugSession *session, guint64 low, guint64 high, void (*act)(DebugSession *, const char *))
{
    g_autoptr(GArray) numbers = numbers_between(session, low, high);
    for (guint i = 0; i < numbers->len; i++) {
        g_autofree char *number = g_strdup_printf("%u", g_array_index(numbers, unsigned, i));
        act(session, number);
    }
    if (numbers->len == 0)
        cli_debug_fail(session, "there is no such breakpoint: type info breakpoints");
}

void cli_debug_for_points(DebugSession *session, const char *text,
                          void (*act)(DebugSession *session, const char *number))
{
    g_auto(GStrv) words = cli_console_split(text);
    if (!*words)
        each(session, 0, UINT32_MAX, act);
    for (char **word = words; *word; word++) {
        guint64 low, high;
        char *dash = strchr(*word, '-');
        if (dash && dash > *word) {
            *dash = '\0';
            if (g_ascii_string_to_unsigned(*word, 10, 1, UINT32_MAX, &low, NULL) &&
                g_ascii_string_to_unsigned(dash + 1, 10, low, UINT32_MAX, &high, NULL)) {
                each(session, low, high, act);
                continue;
            }
            *dash = '-';
        }
        act(session, *word);
    }
}

/* Whether a breakpoint was set there: by the same words, or at the same line. */
static bool is_at(const MonBreakpoint *point, const char *place)
{
    g_autofree char *described =
        g_strndup(point->described ? point->described : "", strcspn(point->described ? point->described : "", " "));
    const char *colon = strrchr(described, ':'), *base = strrchr(described, '/');
    if (point->watch)
        return false;
    return strcmp(point->where, place) == 0 || strcmp(described, place) == 0 ||
           (base && strcmp(base + 1, place) == 0) || (colon && strcmp(colon + 1, place) == 0);
}

void cli_debug_do_clear(DebugSession *session, const char *arguments)
{
    g_autoptr(GArray) numbers = numbers_between(session, 0, UINT32_MAX);
    bool any = false;
    for (guint i = 0; i < numbers->len; i++) {
        unsigned number = g_array_index(numbers, unsigned, i);
        g_autofree char *text = g_strdup_printf("%u", number);
        if (!is_at(mon_session_breakpoint(session->core, number), arguments))
            continue;
        any = true;
        cli_debug_do_delete(session, text);
    }
    if (!any)
        cli_debug_fail(session, "there is no breakpoint at %s: type info breakpoints", arguments);
}
