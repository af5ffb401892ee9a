/* stack.c - debugger commands that select another rank or frame. */
#include "cli/debug/debug.h"
#include "monitor/monitor.h"

void cli_debug_do_rank(DebugSession *session, const char *arguments)
{
    if (!cli_debug_parse_rank(session, arguments, &session->rank))
        return;
    session->frame = mon_debug_program_frame(session->debugger, session->rank);
    session->listed.first = 0;
    cli_debug_say_place(session);
}

static void go_to_frame(DebugSession *session, int64_t level)
{
    uint32_t depth = mon_debug_frames(session->debugger, session->rank);
    if (level < 0 || level >= depth) {
        g_string_append_printf(session->out, "rank %u has frames 0 to %d\n", session->rank, (int)depth - 1);
        return;
    }
    session->frame = (uint32_t)level;
    session->listed.first = 0;
    g_string_append_printf(session->out, "#%-3u ", session->frame);
    mon_debug_describe_frame(session->debugger, session->rank, session->frame, session->out);
    cli_debug_say_source_line(session);
}

void cli_debug_do_frame(DebugSession *session, const char *arguments)
{
    guint64 level = session->frame;
    if (*arguments != '\0' && !g_ascii_string_to_unsigned(arguments, 10, 0, INT32_MAX, &level, NULL))
        g_string_append_printf(session->out, "'%s' is no frame: type backtrace to see which there are\n", arguments);
    else
        go_to_frame(session, (int64_t)level);
}

void cli_debug_do_up(DebugSession *session, const char *arguments)
{
    uint64_t count;
    if (cli_debug_parse_count(session, arguments, &count))
        go_to_frame(session, (int64_t)session->frame + (int64_t)count);
}

void cli_debug_do_down(DebugSession *session, const char *arguments)
{
    uint64_t count;
    if (cli_debug_parse_count(session, arguments, &count))
        go_to_frame(session, (int64_t)session->frame - (int64_t)count);
}

void cli_debug_do_backtrace(DebugSession *session, const char *arguments)
{
    uint32_t rank = session->rank;
    if (cli_debug_parse_rank(session, arguments, &rank))
        mon_debug_backtrace(session->debugger, rank, session->out);
}
