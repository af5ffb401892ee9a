/* place.c - says where a rank is, and why the program has stopped. */
#include "base/units.h"
#include "cli/debug/debug.h"
#include "machine/machine.h"
#include "monitor/monitor.h"
#include "vm/vm.h"

#include <string.h>

void cli_debug_say_source_line(DebugSession *session)
{
    g_autoptr(GString) source = g_string_new(NULL);
    mon_debug_list_source(session->debugger, session->rank, session->frame, source);
    const char *arrow = g_str_has_prefix(source->str, "->") ? source->str : strstr(source->str, "\n->");
    if (arrow) {
        arrow += *arrow == '\n';
        g_string_append_printf(session->out, "%.*s\n", (int)strcspn(arrow, "\n"), arrow);
    }
}

void cli_debug_say_place(DebugSession *session)
{
    VmRank *rank = mach_run_rank(session->machine, session->rank);
    if (vm_rank_depth(rank) == 0) {
        g_string_append_printf(session->out, "rank %u has ended\n", session->rank);
        return;
    }
    g_autofree char *time = base_units_format_time(vm_clock_now(vm_rank_clock(rank)));
    g_string_append_printf(session->out, "rank %u", session->rank);
    mon_debug_append_thread(session->debugger, session->rank, session->out);
    g_string_append_printf(session->out, " at %s: ", time);
    mon_debug_describe_frame(session->debugger, session->rank, session->frame, session->out);
    cli_debug_say_source_line(session);
}

static void say_end(DebugSession *session)
{
    session->ended = true;
    mach_explain(session->machine, session->out);
    if (session->out->len > 0 && session->out->str[session->out->len - 1] != '\n')
        g_string_append_c(session->out, '\n');
    g_autofree char *makespan = base_units_format_time(mach_run_makespan(session->machine));
    g_string_append_printf(session->out, "the program has ended at %s with exit status %d\n", makespan,
                           mach_run_exit_status(session->machine));
}

void cli_debug_say_event(DebugSession *session, MonEvent event)
{
    bool interrupted = event.reason == MON_ENDED && event.stop == MACH_STOP_INTERRUPT;
    if (!interrupted) /* Ctrl-C stops all ranks: stay with the current one */
        session->rank = event.rank;
    session->breakpoint = event.reason == MON_BREAKPOINT ? event.breakpoint : 0;
    session->listed.first = 0;
    if (event.reason == MON_ENDED && !interrupted)
        say_end(session);
    session->frame = event.reason == MON_ENDED ? mon_debug_program_frame(session->debugger, session->rank) : 0;
    if (event.reason == MON_ENDED && !interrupted)
        return;
    if (event.reason == MON_STEP && event.over)
        g_string_append_printf(session->out, "thread %" G_GUINT64_FORMAT " has ended, ", event.over);
    if (interrupted)
        g_string_append(session->out, "interrupted, ");
    if (event.reason == MON_BREAKPOINT)
        g_string_append_printf(session->out, "breakpoint %u, ", event.breakpoint);
    cli_debug_say_place(session);
}
