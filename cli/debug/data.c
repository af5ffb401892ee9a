/* data.c - debugger commands that show values, types, and lists of what exists. */
#include "cli/debug/debug.h"
#include "monitor/monitor.h"

#include <string.h>

void cli_debug_do_print(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    GString *value = g_string_new(NULL);
    if (mon_debug_print(session->debugger, session->rank, session->frame, arguments, value, &error))
        g_string_append_printf(session->out, "%s = %s\n", arguments, value->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
    g_string_free(value, TRUE);
}

static void print_type(DebugSession *session, const char *arguments, bool whole)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (mon_debug_print_type(session->debugger, session->rank, session->frame, arguments, whole, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
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
