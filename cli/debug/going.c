/* going.c - debugger commands that let the program go on, and back. */
#include "base/units.h"
#include "cli/debug/debug.h"
#include "cli/run/run.h"

#include <string.h>

static void interrupt(void *core)
{
    mon_session_interrupt(core);
}

/* Says where the program has come to, or why it has not moved. Takes the stop. */
static void arrive(DebugSession *session, MonStop *stop, const GError *error)
{
    if (stop)
        cli_debug_say_stop(session, stop);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
    mon_session_free_stop(stop);
}

/* Lets the program go on, or back. Ctrl-C returns to the prompt. */
static void go(DebugSession *session, const MonGo *going)
{
    g_autoptr(GError) error = NULL;
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_go(session->core, going, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}

void cli_debug_begin(DebugSession *session)
{
    session->started = true;
    go(session, &(MonGo){.kind = MON_GO_CONTINUE});
}

void cli_debug_do_run(DebugSession *session, const char *arguments)
{
    (void)arguments;
    g_autoptr(GError) error = NULL;
    if (session->started && !cli_debug_start(session, &error)) {
        g_string_append_printf(session->out, "cannot start again: %s\n",
                               error ? error->message : "it does not compile");
        session->quit = true;
        return;
    }
    cli_debug_begin(session);
}

void cli_debug_do_continue(DebugSession *session, const char *arguments)
{
    uint64_t count;
    if (!cli_debug_parse_count(session, arguments, &count))
        return;
    MonBreakpoint *point = session->breakpoint ? mon_session_breakpoint(session->core, session->breakpoint) : NULL;
    if (count > 1 && !point) {
        g_string_append(session->out,
                        "not stopped at a breakpoint that could be passed so often: continue without a number\n");
        return;
    }
    if (count > 1) {
        point->ignore = count - 1;
        g_string_append_printf(session->out, "breakpoint %u does not stop the next %" G_GUINT64_FORMAT " time%s\n",
                               session->breakpoint, count - 1, count == 2 ? "" : "s");
    }
    go(session, &(MonGo){.kind = MON_GO_CONTINUE});
}

static void step(DebugSession *session, const char *arguments, MonGoKind kind, bool backwards)
{
    uint32_t rank = session->rank;
    if (cli_debug_parse_rank(session, arguments, &rank) && (backwards || cli_debug_still_there(session, rank)))
        go(session, &(MonGo){.kind = kind, .rank = rank, .backwards = backwards});
}

void cli_debug_do_step(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_STEP, false);
}

void cli_debug_do_next(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_NEXT, false);
}

void cli_debug_do_finish(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_FINISH, false);
}

void cli_debug_do_stepi(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_INSTRUCTION, false);
}

void cli_debug_do_until(DebugSession *session, const char *arguments)
{
    if (cli_debug_still_there(session, session->rank))
        go(session, &(MonGo){.kind = MON_GO_UNTIL, .rank = session->rank, .where = arguments});
}

void cli_debug_do_reverse_step(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_STEP, true);
}

void cli_debug_do_reverse_next(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_NEXT, true);
}

void cli_debug_do_reverse_finish(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_FINISH, true);
}

void cli_debug_do_reverse_continue(DebugSession *session, const char *arguments)
{
    (void)arguments;
    go(session, &(MonGo){.kind = MON_GO_CONTINUE, .backwards = true});
}

/* "goto 1.5us" is a time, "goto 1234" a moment. */
void cli_debug_do_goto(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    guint64 moment;
    uint64_t time_ps;
    if (g_ascii_string_to_unsigned(arguments, 10, 0, INT64_MAX, &moment, NULL))
        go(session, &(MonGo){.kind = MON_GO_MOMENT, .to = moment});
    else if (base_units_parse(arguments, BASE_UNIT_TIME, &time_ps, &error))
        go(session, &(MonGo){.kind = MON_GO_TIME, .to = time_ps, .backwards = session->ended});
    else
        g_string_append_printf(
            session->out, "'%s' is neither a virtual time, such as 1.5us, nor a moment of info history\n", arguments);
}

void cli_debug_do_branch(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned(arguments, 10, 0, UINT32_MAX, &number, NULL)) {
        g_string_append_printf(session->out, "'%s' is not the number of a branch: 'info branches' lists them\n",
                               arguments);
        return;
    }
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_switch(session->core, (unsigned)number, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}
