/* session.c - the machine of a debugger: made anew for each start, with the breakpoints that were set before. */
#include "cli/debug/debug.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "monitor/monitor.h"

#include <stdio.h>

static size_t read_input(void *user, char *bytes, size_t size)
{
    DebugSession *session = user;
    return session->input ? fread(bytes, 1, size, session->input) : 0;
}

void cli_debug_drop_machine(DebugSession *session)
{
    g_clear_pointer(&session->debugger, mon_debugger_free);
    g_clear_pointer(&session->machine, mach_run_free);
    cli_run_clear(&session->run);
}

/* Sets the breakpoints again under their old numbers. The program may have changed meanwhile. */
static void restore_breakpoints(DebugSession *session)
{
    for (guint i = 0; i < session->places->len; i++) {
        g_autoptr(GError) error = NULL;
        char **place = (char **)&g_ptr_array_index(session->places, i);
        mon_debug_break_reserve(session->debugger, i + 1);
        if (*place && mon_debug_break_add(session->debugger, *place, &error) == 0) {
            g_string_append_printf(session->out, "breakpoint %u is gone: %s\n", i + 1, error->message);
            g_clear_pointer(place, g_free);
        }
    }
    mon_debug_break_reserve(session->debugger, session->places->len + 1);
}

bool cli_debug_make_machine(DebugSession *session, GError **error)
{
    cli_debug_drop_machine(session);
    if (session->input)
        rewind(session->input);
    /* cli_run_prepare() may rearrange its arguments: every start gets a fresh copy */
    g_auto(GStrv) argv = g_new0(char *, (gsize)session->argc + 1);
    for (int i = 0; i < session->argc; i++)
        argv[i] = g_strdup(session->argv[i]);
    g_autofree char **borrowed = g_memdup2(argv, ((gsize)session->argc + 1) * sizeof *argv);
    session->run.example = "orrery debug -n 4 hello.c";
    if (!cli_run_prepare(&session->run, &session->target->run, session->argc, borrowed, error))
        return false;
    session->run.options.input = read_input;
    session->run.options.user = session;
    session->machine = cli_run_machine(&session->run, error);
    if (!session->machine)
        return false;
    session->debugger = mon_debugger_new(session->machine);
    session->started = session->ended = false;
    session->rank = session->frame = 0;
    restore_breakpoints(session);
    return true;
}
