/* data.c - debugger commands that show values, types, and lists of what exists. */
#include "cli/debug/debug.h"

#include <string.h>

void cli_debug_do_print(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL);
    if (cli_debug_ask(session, MON_QUERY_PRINT, arguments, value, &error))
        g_string_append_printf(session->out, "%s = %s\n", arguments, value->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

static void print_type(DebugSession *session, const char *arguments, MonQuery query)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (cli_debug_ask(session, query, arguments, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

void cli_debug_do_whatis(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_WHATIS);
}

void cli_debug_do_ptype(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_PTYPE);
}

static void tell_history(DebugSession *session)
{
    MonHistory history;
    mon_session_history(session->core, &history);
    g_autofree char *bytes = g_format_size_full(history.bytes, G_FORMAT_SIZE_IEC_UNITS);
    g_autofree char *limit = g_format_size_full(history.limit, G_FORMAT_SIZE_IEC_UNITS);
    g_string_append_printf(session->out,
                           "moment %" G_GUINT64_FORMAT " (statements begun, of all ranks together)\n"
                           "%u snapshot%s to go back from, %s of at most %s\n",
                           history.moment, history.snapshots, history.snapshots == 1 ? "" : "s", bytes, limit);
}

void cli_debug_do_info(DebugSession *session, const char *arguments)
{
    gsize least = strlen(arguments);
    if (g_str_has_prefix("ranks", arguments) && least)
        cli_debug_tell(session, MON_QUERY_RANKS, NULL);
    else if (g_str_has_prefix("threads", arguments) && least)
        cli_debug_tell(session, MON_QUERY_THREADS, NULL);
    else if (g_str_has_prefix("locks", arguments) && least > 2)
        cli_debug_tell(session, MON_QUERY_LOCKS, NULL);
    else if (g_str_has_prefix("breakpoints", arguments) && least)
        cli_debug_list_breakpoints(session);
    else if (g_str_has_prefix("history", arguments) && least)
        tell_history(session);
    else if (g_str_has_prefix("locals", arguments) && least)
        cli_debug_tell(session, MON_QUERY_LOCALS, NULL);
    else if (!cli_debug_ask(session, MON_QUERY_OBJECTS, arguments, session->out, NULL))
        g_string_append(session->out,
                        "info ranks, info threads, info locks, info breakpoints, info history, info locals, "
                        "info communicators, info requests, info windows or info files\n");
}
