/* stack.c - debugger commands that select another rank or frame. */
#include "cli/debug/desk.h"

void cli_debug_do_rank(DebugSession *session, const char *arguments)
{
    if (!cli_debug_parse_rank(session, arguments, &session->rank))
        return;
    cli_debug_look_at_program(session);
    cli_debug_say_place(session);
}

static void go_to_frame(DebugSession *session, int64_t level)
{
    uint32_t depth = cli_debug_frames(session, NULL);
    if (level < 0 || level >= depth) {
        g_string_append_printf(session->out, "rank %u has frames 0 to %d\n", session->rank, (int)depth - 1);
        return;
    }
    session->frame = (uint32_t)level;
    session->listed_last = 0;
    g_string_append_printf(session->out, "#%-3u ", session->frame);
    cli_debug_tell(session, MON_QUERY_FRAME, NULL);
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
    uint32_t before = session->rank, rank = before;
    if (!cli_debug_parse_rank(session, arguments, &rank))
        return;
    session->rank = rank;
    cli_debug_tell(session, MON_QUERY_BACKTRACE, NULL);
    session->rank = before;
}
