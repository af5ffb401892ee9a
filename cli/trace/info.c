/* info.c - `orrery trace info`: what is in a trace. */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

typedef struct Function { /* the calls of one function */
    const char *name;
    uint64_t calls, time_ps, blocked_ps, longest_ps;
} Function;

typedef struct Totals {
    uint64_t of_kind[TRACE_KINDS];
    GHashTable *functions; /* name, as the reader has it -> Function */
} Totals;

static void count_call(Totals *totals, const TraceReader *reader, const TraceEvent *event)
{
    const char *name = trace_reader_text(reader, event->fields[TRACE_CALL_FUNCTION]);
    Function *function = g_hash_table_lookup(totals->functions, name);
    uint64_t time_ps = event->time_ps - event->fields[TRACE_CALL_FROM];
    if (!function) {
        function = g_new0(Function, 1);
        function->name = name;
        g_hash_table_insert(totals->functions, (gpointer)name, function);
    }
    function->calls++;
    function->time_ps += time_ps;
    function->blocked_ps += event->fields[TRACE_CALL_BLOCKED];
    function->longest_ps = MAX(function->longest_ps, time_ps);
}

static bool count(TraceReader *reader, Totals *totals, GError **error)
{
    TraceSelection all = trace_selection_all();
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &all);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        totals->of_kind[event.kind]++;
        if (event.kind == TRACE_CALL)
            count_call(totals, reader, &event);
    }
    return trace_cursor_end(cursor, error);
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const Function *one = *(const Function *const *)a, *other = *(const Function *const *)b;
    if (one->time_ps != other->time_ps)
        return one->time_ps < other->time_ps ? 1 : -1;
    return g_strcmp0(one->name, other->name);
}

static void append_functions(GHashTable *functions, GString *out)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, functions);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        g_ptr_array_add(rows, value);
    if (rows->len == 0)
        return;
    g_ptr_array_sort(rows, by_time);
    g_string_append(
        out, "\n  function                          calls          time in all   of that blocked           longest\n");
    for (guint i = 0; i < rows->len; i++) {
        const Function *function = rows->pdata[i];
        g_autofree char *time = base_units_format_time(function->time_ps);
        g_autofree char *blocked = base_units_format_time(function->blocked_ps);
        g_autofree char *longest = base_units_format_time(function->longest_ps);
        g_string_append_printf(out, "  %-26s %12" G_GUINT64_FORMAT " %20s %17s %17s\n", function->name, function->calls,
                               time, blocked, longest);
    }
}

static void append_note(void *user, const char *key, const char *value)
{
    if (g_str_has_suffix(key, "_ps")) {
        g_autofree char *name = g_strndup(key, strlen(key) - 3);
        g_autofree char *time = base_units_format_time(g_ascii_strtoull(value, NULL, 10));
        g_string_append_printf(user, "%-9s %s\n", name, time);
    } else if (strcmp(key, TRACE_NOTE_ENDED_EARLY) == 0) {
        return; /* see append_end() */
    } else if (strcmp(key, "exit_status") != 0 || strcmp(value, "0") != 0) {
        g_string_append_printf(user, "%-9s %s\n", key, value);
    }
}

static void append_end(const TraceReader *reader, const TraceSummary *summary, GString *out)
{
    const char *why = trace_reader_note(reader, TRACE_NOTE_ENDED_EARLY);
    if (summary->whole)
        return;
    g_string_append(out, "The recording ended early: ");
    if (why)
        g_string_append_printf(out, "%s.\n", why);
    else if (summary->lost_bytes == 0)
        g_string_append(out, "there is no index.\n");
    else
        g_string_append_printf(
            out, "there is no index, and the last %" G_GUINT64_FORMAT " bytes belong to no whole block.\n",
            summary->lost_bytes);
}

static void append(const TraceReader *reader, const char *file, const Totals *totals, GString *out)
{
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    g_autofree char *from = base_units_format_time(summary.from_ps), *to = base_units_format_time(summary.to_ps);
    g_string_append_printf(out, "trace     %s, %" G_GUINT64_FORMAT " bytes\n", file, summary.bytes);
    trace_reader_notes(reader, append_note, out);
    g_string_append_printf(out, "time      %s to %s\n", from, to);
    g_string_append_printf(out, "events    %" G_GUINT64_FORMAT, summary.events);
    const char *before = ":";
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (totals->of_kind[kind])
            g_string_append_printf(out, "%s %s %" G_GUINT64_FORMAT, before, trace_kinds[kind].name,
                                   totals->of_kind[kind]);
        before = totals->of_kind[kind] ? "," : before;
    }
    g_string_append_c(out, '\n');
    append_end(reader, &summary, out);
    append_functions(totals->functions, out);
}

bool cli_trace_info(const TraceTarget *target, char **files, GError **error)
{
    g_autoptr(TraceReader) reader = trace_reader_new(files[0], error);
    if (!reader)
        return false;
    TraceText *text = cli_trace_text_new(target, error);
    if (!text)
        return false;
    Totals totals = {.functions = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free)};
    bool good = count(reader, &totals, error);
    if (good)
        append(reader, files[0], &totals, cli_trace_text(text));
    g_hash_table_unref(totals.functions);
    return cli_trace_text_end(text, good, error);
}
