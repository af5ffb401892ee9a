/* breakpoints.c - debugger commands for breakpoints. */
#include "cli/debug/debug.h"
#include "monitor/monitor.h"

void cli_debug_do_break(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    unsigned number = mon_debug_break_add(session->debugger, arguments, &error);
    if (number == 0) {
        g_string_append_printf(session->out, "%s\n", error->message);
        return;
    }
    while (session->places->len < number)
        g_ptr_array_add(session->places, NULL);
    g_free(g_ptr_array_index(session->places, number - 1));
    g_ptr_array_index(session->places, number - 1) = g_strdup(arguments);
    g_string_append_printf(session->out, "breakpoint %u at ", number);
    mon_debug_break_describe(session->debugger, number, session->out);
    g_string_append_c(session->out, '\n');
}

void cli_debug_do_delete(DebugSession *session, const char *arguments)
{
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned(arguments, 10, 1, UINT32_MAX, &number, NULL) ||
        !mon_debug_break_remove(session->debugger, (unsigned)number)) {
        g_string_append_printf(session->out, "there is no breakpoint '%s': type info breakpoints\n", arguments);
        return;
    }
    g_clear_pointer(&g_ptr_array_index(session->places, number - 1), g_free);
    g_string_append_printf(session->out, "breakpoint %u is gone\n", (unsigned)number);
}
