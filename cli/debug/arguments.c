/* arguments.c - parses the arguments of debugger commands: ranks and counts. */
#include "cli/debug/desk.h"
#include <stdlib.h>

bool cli_debug_parse_rank(DebugSession *session, const char *text, uint32_t *rank)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text == '\0')
        return true;
    if (end == text || *end != '\0' || number >= mon_session_ranks(session->core)) {
        cli_debug_fail(session, "no rank '%s': there are 0 to %u", text, mon_session_ranks(session->core) - 1);
        return false;
    }
    *rank = (uint32_t)number;
    return true;
}

bool cli_debug_parse_count(DebugSession *session, const char *text, uint64_t *count)
{
    guint64 number = 1;
    if (*text != '\0' && !g_ascii_string_to_unsigned(text, 10, 1, INT32_MAX, &number, NULL)) {
        cli_debug_fail(session, "'%s' is no number of times", text);
        return false;
    }
    *count = number;
    return true;
}

bool cli_debug_still_there(DebugSession *session, uint32_t rank)
{
    uint32_t before = session->rank;
    session->rank = rank;
    bool there = cli_debug_frames(session, NULL) > 0;
    session->rank = before;
    if (!there)
        cli_debug_fail(session, "rank %u has ended", rank);
    return there;
}
