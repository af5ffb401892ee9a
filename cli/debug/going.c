/* going.c - debugger commands that let the program go on. */
#include "cli/debug/debug.h"
#include "cli/run/run.h"
#include "monitor/monitor.h"

typedef enum Going { CONTINUE, STEP_INTO, STEP_OVER, FINISH } Going;

/* Lets the program go on. Ctrl-C returns to the prompt. */
static void go(DebugSession *session, Going how, uint32_t rank)
{
    CliInterrupt *interrupt = cli_interrupt_watch(session->machine, false, false);
    MonEvent event = how == CONTINUE ? mon_debug_continue(session->debugger)
                     : how == FINISH ? mon_debug_finish(session->debugger, rank)
                                     : mon_debug_step(session->debugger, rank, how == STEP_INTO);
    cli_interrupt_end(interrupt);
    cli_debug_say_event(session, event);
}

void cli_debug_do_run(DebugSession *session, const char *arguments)
{
    (void)arguments;
    g_autoptr(GError) error = NULL;
    if (session->started && !cli_debug_make_machine(session, &error)) {
        g_string_append_printf(session->out, "cannot start again: %s\n",
                               error ? error->message : "it does not compile");
        session->quit = true;
        return;
    }
    session->started = true;
    go(session, CONTINUE, 0);
}

void cli_debug_do_continue(DebugSession *session, const char *arguments)
{
    uint64_t count;
    if (!cli_debug_parse_count(session, arguments, &count))
        return;
    if (count > 1 && !mon_debug_break_ignore(session->debugger, session->breakpoint, count - 1)) {
        g_string_append(session->out,
                        "not stopped at a breakpoint that could be passed so often: continue without a number\n");
        return;
    }
    if (count > 1)
        g_string_append_printf(session->out, "breakpoint %u does not stop the next %" G_GUINT64_FORMAT " time%s\n",
                               session->breakpoint, count - 1, count == 2 ? "" : "s");
    go(session, CONTINUE, 0);
}

static void step(DebugSession *session, const char *arguments, Going how)
{
    uint32_t rank = session->rank;
    if (cli_debug_parse_rank(session, arguments, &rank) && cli_debug_still_there(session, rank))
        go(session, how, rank);
}

void cli_debug_do_step(DebugSession *session, const char *arguments)
{
    step(session, arguments, STEP_INTO);
}

void cli_debug_do_next(DebugSession *session, const char *arguments)
{
    step(session, arguments, STEP_OVER);
}

void cli_debug_do_finish(DebugSession *session, const char *arguments)
{
    step(session, arguments, FINISH);
}
