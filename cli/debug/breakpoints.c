/* breakpoints.c - debugger commands for breakpoints and watchpoints. */
#include "cli/debug/desk.h"

#include <string.h>

/* Takes " if CONDITION" off the text. Returns the condition, or NULL. The caller frees it with g_free(). */
static char *take_condition(char *text)
{
    char *at = g_str_has_prefix(text, "if ") ? text : strstr(text, " if ");
    if (!at)
        return NULL;
    char *condition = g_strstrip(g_strdup(strstr(at, "if ") + strlen("if ")));
    *at = '\0';
    g_strchomp(text);
    return condition;
}

static void set(DebugSession *session, const char *arguments, MonBreakpoint *wanted)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *where = g_strdup(arguments);
    g_autofree char *condition = take_condition(where);
    wanted->where = where;
    wanted->condition = condition;
    unsigned number = *where ? mon_session_break(session->core, wanted, session->frame, &error) : 0;
    if (number)
        g_string_append_printf(session->out, "%s %u at %s\n", wanted->watch ? "watchpoint" : "breakpoint", number,
                               mon_session_breakpoint(session->core, number)->described);
    else
        cli_debug_fail(session, "%s", error ? error->message : "where?");
}

void cli_debug_do_break(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){0});
}

void cli_debug_do_tbreak(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){.temporary = true});
}

void cli_debug_do_dprintf(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){.log = true});
}

void cli_debug_do_watch(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){.watch = true, .watch_rank = session->rank});
}

/* Finds the breakpoint whose number the text begins with. *rest: what follows it. Says so if there is none. */
static MonBreakpoint *find(DebugSession *session, const char *text, const char **rest)
{
    char *end;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    MonBreakpoint *point =
        end > text && number <= UINT32_MAX ? mon_session_breakpoint(session->core, (unsigned)number) : NULL;
    *rest = end + strspn(end, " \t");
    if (!point || (*end && *rest == end)) {
        cli_debug_fail(session, "there is no breakpoint '%s': type info breakpoints", text);
        return NULL;
    }
    return point;
}

static void delete_one(DebugSession *session, const char *arguments)
{
    const char *rest;
    const MonBreakpoint *point = find(session, arguments, &rest);
    if (!point)
        return;
    unsigned number = point->number;
    mon_session_break_remove(session->core, number);
    g_string_append_printf(session->out, "breakpoint %u is gone\n", number);
}

void cli_debug_do_delete(DebugSession *session, const char *arguments)
{
    cli_debug_for_points(session, arguments, delete_one);
}

static void enable(DebugSession *session, const char *arguments, bool enabled)
{
    const char *rest;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (point)
        point->disabled = !enabled;
}

static void disable_one(DebugSession *session, const char *number)
{
    enable(session, number, false);
}

static void enable_one(DebugSession *session, const char *number)
{
    enable(session, number, true);
}

void cli_debug_do_disable(DebugSession *session, const char *arguments)
{
    cli_debug_for_points(session, arguments, disable_one);
}

void cli_debug_do_enable(DebugSession *session, const char *arguments)
{
    cli_debug_for_points(session, arguments, enable_one);
}

void cli_debug_do_condition(DebugSession *session, const char *arguments)
{
    const char *rest;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (!point)
        return;
    g_free(point->condition);
    point->condition = *rest ? g_strdup(rest) : NULL;
}

void cli_debug_do_ignore(DebugSession *session, const char *arguments)
{
    const char *rest;
    guint64 count = 0;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (point && g_ascii_string_to_unsigned(rest, 10, 0, INT32_MAX, &count, NULL))
        point->ignore = count;
    else if (point)
        cli_debug_fail(session, "'%s' is no number of times", rest);
}

void cli_debug_list_breakpoints(DebugSession *session)
{
    const GPtrArray *points = mon_session_breakpoints(session->core);
    for (guint i = 0; i < points->len; i++) {
        const MonBreakpoint *point = g_ptr_array_index(points, i);
        /* "(name)" repeats what stands before it */
        g_autofree char *where = g_strdup(point->described);
        g_autofree char *name = g_strdup_printf(" (%s)", point->where);
        if (g_str_has_suffix(where, name))
            where[strlen(where) - strlen(name)] = '\0';
        g_string_append_printf(session->out, "%u  %s  at %s", point->number, point->where, where);
        if (point->condition)
            g_string_append_printf(session->out, ", if %s", point->condition);
        if (point->ignore)
            g_string_append_printf(session->out, ", passed %" G_GUINT64_FORMAT " more times", point->ignore);
        if (point->disabled)
            g_string_append(session->out, ", disabled");
        g_string_append_printf(session->out, ", reached %" G_GUINT64_FORMAT " time%s\n", point->hits,
                               point->hits == 1 ? "" : "s");
    }
    if (points->len == 0)
        g_string_append(session->out, "no breakpoints\n");
}
