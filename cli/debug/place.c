/* place.c - says where a rank is, and why the program has stopped. */
#include "base/units.h"
#include "cli/debug/debug.h"

#include <string.h>

void cli_debug_say_source_line(DebugSession *session)
{
    gsize before = session->out->len;
    if (cli_debug_ask(session, MON_QUERY_LINE, NULL, session->out, NULL) && session->out->len > before)
        g_string_append_c(session->out, '\n');
}

void cli_debug_say_place(DebugSession *session)
{
    if (!cli_debug_tell(session, MON_QUERY_PLACE, NULL))
        return;
    g_string_append(session->out, ": ");
    cli_debug_tell(session, MON_QUERY_FRAME, NULL);
    cli_debug_say_source_line(session);
}

static void say_end(DebugSession *session, const MonStop *stop)
{
    session->ended = true;
    g_string_append(session->out, stop->text);
    if (session->out->len > 0 && session->out->str[session->out->len - 1] != '\n')
        g_string_append_c(session->out, '\n');
    g_autofree char *makespan = base_units_format_time(stop->makespan_ps);
    g_string_append_printf(session->out, "the program has ended at %s with exit status %d\n", makespan,
                           stop->exit_status);
}

static bool stands_there(const MonStop *stop, uint32_t rank)
{
    for (guint i = 0; i < stop->ranks->len; i++)
        if (g_array_index(stop->ranks, uint32_t, i) == rank)
            return true;
    return false;
}

/* Several ranks are one stop, and a line for each place: mostly one. */
static void say_ranks(DebugSession *session, const MonStop *stop)
{
    g_autoptr(GString) ranks = g_string_new(NULL);
    cli_debug_append_ranks(stop->ranks, ranks);
    if (stop->breakpoint)
        g_string_append_printf(session->out, "breakpoint %u, ", stop->breakpoint);
    g_string_append_printf(session->out, "%u ranks:\n", stop->ranks->len);
    cli_debug_tell_ranks(session, MON_QUERY_WHERE, ranks->str);
    cli_debug_say_source_line(session);
}

static void say_lines(DebugSession *session, const GPtrArray *lines, const char *before)
{
    for (guint i = 0; i < lines->len; i++)
        g_string_append_printf(session->out, "%s%s\n", before, (const char *)g_ptr_array_index(lines, i));
}

/* Says the reason before the place. */
static void say_reason(DebugSession *session, const MonStop *stop)
{
    switch (stop->reason) {
    case MON_BREAKPOINT:
        g_string_append_printf(session->out, *stop->text ? "breakpoint %u, %s\n" : "breakpoint %u, ", stop->breakpoint,
                               stop->text);
        break;
    case MON_WATCHPOINT:
        if (stop->breakpoint)
            g_string_append_printf(session->out, "watchpoint %u, ", stop->breakpoint);
        g_string_append_printf(session->out, "%s\n", stop->text);
        break;
    case MON_STEP:
        if (stop->over)
            g_string_append_printf(session->out, "thread %" G_GUINT64_FORMAT " has ended, ", stop->over);
        break;
    case MON_INTERRUPTED: g_string_append(session->out, "interrupted, "); break;
    case MON_ARRIVED:
        if (*stop->text)
            g_string_append_printf(session->out, "%s\n", stop->text);
        break;
    case MON_BEGINNING:
    case MON_ENDED: break;
    }
}

static void say_also(DebugSession *session, const MonStop *stop)
{
    for (guint i = 0; i < stop->also->len; i++)
        g_string_append_printf(session->out, "also at breakpoint %u\n", g_array_index(stop->also, unsigned, i));
}

void cli_debug_say_stop(DebugSession *session, const MonStop *stop)
{
    bool together = stop->reason == MON_BREAKPOINT || stop->reason == MON_STEP;
    bool keeps = stop->reason == MON_INTERRUPTED || (together && stands_there(stop, session->rank));
    say_lines(session, stop->logged, "");
    gsize before = session->out->len;
    bool silent = cli_debug_note_stop(session, stop);
    session->ended = false;
    session->listed_last = 0;
    session->breakpoint = stop->breakpoint;
    if (!keeps)
        session->rank = stop->rank;
    session->frame = 0;
    say_lines(session, stop->lost, "");
    if (stop->reason == MON_ENDED && stop->breakpoint)
        g_string_append_printf(session->out, "breakpoint %u: ", stop->breakpoint);
    if (stop->reason == MON_ENDED)
        say_end(session, stop);
    if (stop->reason == MON_ENDED || stop->reason == MON_INTERRUPTED)
        cli_debug_look_at_program(session);
    if (stop->reason == MON_BEGINNING)
        g_string_append(session->out, "the beginning of the program: nothing lies before\n");
    else if (stop->ranks->len > 1)
        say_ranks(session, stop);
    else if (stop->reason != MON_ENDED) {
        say_reason(session, stop);
        cli_debug_say_place(session);
    }
    say_also(session, stop);
    say_lines(session, stop->passed, "meanwhile: ");
    if (silent)
        g_string_truncate(session->out, before);
}
