/* subjects.c - what info tells of the program's parts, and of what the user has set up. */
#include "cli/debug/desk.h"

#include <string.h>

void cli_debug_info_stack(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_BACKTRACE, NULL);
}

void cli_debug_info_frame(DebugSession *session)
{
    g_string_append_printf(session->out, "#%-3u ", session->frame);
    cli_debug_tell(session, MON_QUERY_FRAME, NULL);
    cli_debug_say_source_line(session);
}

void cli_debug_info_program(DebugSession *session)
{
    if (!session->started)
        g_string_append(session->out, "the program is not running yet: type run\n");
    else if (session->ended)
        g_string_append_printf(session->out, "the program has ended with exit status %d\n", session->desk->exit_status);
    else
        cli_debug_say_place(session);
}

void cli_debug_info_functions(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "functions");
}

void cli_debug_info_variables(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "globals");
}

void cli_debug_info_sources(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "files");
}
