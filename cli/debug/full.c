/* full.c - the full-screen layout. */
#include "cli/debug/desk.h"

bool cli_debug_full_screen(DebugSession *session)
{
    cli_debug_fail(session, "no full screen");
    return false;
}

void cli_debug_do_tui(DebugSession *session, const char *arguments)
{
    (void)arguments;
    session->desk->full_screen = true;
}

void cli_debug_do_layout(DebugSession *session, const char *arguments)
{
    (void)arguments;
    session->desk->full_screen = true;
}
