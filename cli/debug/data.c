/* data.c - debugger commands that show values, types, and lists of what exists. */
#include "cli/debug/debug.h"
#include "monitor/look.h"
#include "monitor/monitor.h"

#include <string.h>

static void say_error(DebugSession *session, const GError *error)
{
    g_string_append_printf(session->out, "%s\n", error->message);
}

void cli_debug_do_print(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL);
    MonSpot spot = {session->machine, session->rank, session->frame};
    MonFormat format;
    if (*arguments == '@') {
        cli_debug_print_over(session, arguments, false);
        return;
    }
    g_autoptr(MonExpression) expression =
        mon_expression_format(&arguments, &format, &error) ? mon_expression_new(&spot, arguments, &error) : NULL;
    if (expression && mon_expression_print(expression, &spot, &format, value, &error))
        g_string_append_printf(session->out, "%s = %s\n", arguments, value->str);
    else
        say_error(session, error);
}

/* The address that x/ begins at: the value of a pointer or number, or that of an object in memory. */
static bool find_address(const MonSpot *spot, const char *text, uint64_t *address, GError **error)
{
    MonNumber number;
    uint64_t bytes;
    g_autoptr(MonExpression) expression = mon_expression_new(spot, text, error);
    if (!expression)
        return false;
    if (mon_expression_number(expression, spot, &number, NULL)) {
        *address = (uint64_t)number.whole;
        return true;
    }
    return mon_expression_memory(expression, spot, address, &bytes, error);
}

void cli_debug_do_x(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    MonSpot spot = {session->machine, session->rank, session->frame};
    MonFormat format;
    uint64_t address;
    if (!mon_expression_format(&arguments, &format, &error) || !find_address(&spot, arguments, &address, &error) ||
        !mon_memory_print(&spot, address, &format, session->out, &error))
        say_error(session, error);
}

void cli_debug_do_set(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL);
    MonSpot spot = {session->machine, session->rank, session->frame};
    if (!g_str_has_prefix(arguments, "var ") && !g_str_has_prefix(arguments, "variable ")) {
        g_string_append(session->out,
                        "set var VARIABLE = EXPRESSION changes a variable; NAME = RANKS names a set of ranks\n");
        return;
    }
    arguments = g_strchug((char *)strchr(arguments, ' '));
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, arguments, &error);
    if (expression && mon_expression_set(expression, &spot, value, &error))
        g_string_append_printf(session->out, "%s: now %s\n", arguments, value->str);
    else
        say_error(session, error);
}

static void print_type(DebugSession *session, const char *arguments, bool whole)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (mon_debug_print_type(session->debugger, session->rank, session->frame, arguments, whole, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        say_error(session, error);
}

void cli_debug_do_whatis(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, false);
}

void cli_debug_do_ptype(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, true);
}

/* -- info -------------------------------------------------------------------------------------- */

static void info_ranks(DebugSession *session)
{
    mon_debug_info_ranks(session->debugger, session->out);
}

static void info_threads(DebugSession *session)
{
    mon_debug_info_threads(session->debugger, session->rank, session->out);
}

static void info_locks(DebugSession *session)
{
    mon_debug_info_locks(session->debugger, session->rank, session->out);
}

static void info_breakpoints(DebugSession *session)
{
    mon_debug_break_list(session->debugger, session->out);
}

static void info_locals(DebugSession *session)
{
    gsize before = session->out->len;
    mon_debug_locals(session->debugger, session->rank, session->frame, session->out);
    if (strstr(session->out->str + before, "<optimized out>"))
        g_string_append(session->out, "(what is optimized out is there with -O0)\n");
}

static MonSpot spot_of(const DebugSession *session)
{
    return (MonSpot){session->machine, session->rank, session->frame};
}

static void info_args(DebugSession *session)
{
    MonSpot spot = spot_of(session);
    mon_expression_arguments(&spot, session->out);
}

static void info_scope(DebugSession *session)
{
    MonSpot spot = spot_of(session);
    mon_expression_visible(&spot, session->out);
}

static void info_line(DebugSession *session)
{
    MonSpot spot = spot_of(session);
    mon_expression_line(&spot, session->out);
}

/* In the order in which beginnings of names are tried. */
static const struct {
    const char *name;
    void (*tell)(DebugSession *session);
} subjects[] = {
    {"ranks", info_ranks}, {"threads", info_threads},         {"locals", info_locals}, {"locks", info_locks},
    {"line", info_line},   {"breakpoints", info_breakpoints}, {"args", info_args},     {"scope", info_scope},
};

void cli_debug_do_info(DebugSession *session, const char *arguments)
{
    for (size_t i = 0; *arguments && i < G_N_ELEMENTS(subjects); i++)
        if (g_str_has_prefix(subjects[i].name, arguments)) {
            subjects[i].tell(session);
            return;
        }
    if (mon_debug_info_objects(session->debugger, arguments, session->out))
        return;
    g_string_append(session->out, "info ");
    for (size_t i = 0; i < G_N_ELEMENTS(subjects); i++)
        g_string_append_printf(session->out, "%s, ", subjects[i].name);
    g_string_append(session->out, "communicators, requests, datatypes, windows or files\n");
}
