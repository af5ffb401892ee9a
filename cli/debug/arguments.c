/* arguments.c - parses the arguments of debugger commands: ranks and counts. */
#include "cli/debug/debug.h"
#include "machine/machine.h"
#include "vm/vm.h"

#include <stdlib.h>

bool cli_debug_parse_rank(DebugSession *session, const char *text, uint32_t *rank)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text == '\0')
        return true;
    if (end == text || *end != '\0' || number >= mach_run_ranks(session->machine)) {
        g_string_append_printf(session->out, "no rank '%s': there are 0 to %u\n", text,
                               mach_run_ranks(session->machine) - 1);
        return false;
    }
    *rank = (uint32_t)number;
    return true;
}

bool cli_debug_parse_count(DebugSession *session, const char *text, uint64_t *count)
{
    guint64 number = 1;
    if (*text != '\0' && !g_ascii_string_to_unsigned(text, 10, 1, INT32_MAX, &number, NULL)) {
        g_string_append_printf(session->out, "'%s' is no number of times\n", text);
        return false;
    }
    *count = number;
    return true;
}

bool cli_debug_still_there(DebugSession *session, uint32_t rank)
{
    if (vm_rank_depth(mach_run_rank(session->machine, rank)) > 0)
        return true;
    g_string_append_printf(session->out, "rank %u has ended\n", rank);
    return false;
}
