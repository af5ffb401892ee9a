/* source.c - the debugger command that shows source text. */
#include "cli/debug/debug.h"
#include "monitor/monitor.h"

enum { LINES_LISTED = 10 };

/* Without arguments it lists the lines around the current one, and then on from there. */
void cli_debug_do_list(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    MonLines *listed = &session->listed;
    if (*arguments == '\0' && !session->started && listed->first == 0)
        arguments = "main";
    if (*arguments != '\0') {
        if (!mon_debug_find_lines(session->debugger, session->rank, session->frame, arguments, listed, &error)) {
            g_string_append_printf(session->out, "%s\n", error->message);
            return;
        }
    } else if (listed->first > 0) {
        listed->first = listed->last + 1;
        listed->last = listed->last + LINES_LISTED;
    } else if (!mon_debug_present_lines(session->debugger, session->rank, session->frame, listed)) {
        g_string_append(session->out, "the source text is not there\n");
        return;
    }
    if (!mon_debug_list_lines(session->debugger, session->rank, session->frame, listed, session->out))
        g_string_append(session->out, "the source text is not there\n");
    else if (listed->first > listed->last)
        g_string_append_printf(session->out, "the file has %u lines\n", listed->last);
}
