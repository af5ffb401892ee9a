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

void cli_debug_do_info(DebugSession *session, const char *arguments)
{
    if (g_str_has_prefix("ranks", arguments) && *arguments != '\0')
        mon_debug_info_ranks(session->debugger, session->out);
    else if (g_str_has_prefix("threads", arguments) && *arguments != '\0')
        mon_debug_info_threads(session->debugger, session->rank, session->out);
    else if (g_str_has_prefix("locks", arguments) && strlen(arguments) > 2)
        mon_debug_info_locks(session->debugger, session->rank, session->out);
    else if (g_str_has_prefix("breakpoints", arguments) && *arguments != '\0')
        mon_debug_break_list(session->debugger, session->out);
    else if (g_str_has_prefix("locals", arguments) && *arguments != '\0')
        mon_debug_locals(session->debugger, session->rank, session->frame, session->out);
    else if (!mon_debug_info_objects(session->debugger, arguments, session->out))
        g_string_append(session->out, "info ranks, info threads, info locks, info breakpoints, info locals, "
                                      "info communicators, info requests, info windows or info files\n");
}
