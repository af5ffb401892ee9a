/* cut.c - `orrery trace cut`: a part of a trace as a trace. Texts and sites get new numbers; locations keep theirs. */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

static void copy_note(void *user, const char *key, const char *value)
{
    trace_writer_note(user, key, value);
}

/* Gives what the event speaks of its numbers in the new trace. */
static void translate(const TraceReader *reader, TraceWriter *writer, TraceEvent *event)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    for (unsigned i = 0; i < info->n_fields; i++) {
        uint64_t *field = &event->fields[i];
        if (info->fields[i].form == TRACE_FORM_TEXT && *field)
            *field = trace_writer_text(writer, trace_reader_text(reader, *field));
        if (info->fields[i].form == TRACE_FORM_SITE && *field) {
            TraceSite site = trace_reader_site(reader, *field);
            *field = trace_writer_site(writer, &site);
        }
    }
}

static bool copy(TraceReader *reader, const TraceSelection *selection, TraceWriter *writer, GError **error)
{
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, selection);
    g_autoptr(GError) why = NULL;
    TraceSummary summary;
    TraceEvent event;
    trace_reader_summary(reader, &summary);
    trace_reader_notes(reader, copy_note, writer);
    for (uint32_t i = 0; i < summary.locations; i++) {
        TraceLocation location = trace_reader_location(reader, i);
        trace_writer_location(writer, i, &location);
    }
    while (trace_cursor_next(cursor, &event, &why)) {
        translate(reader, writer, &event);
        trace_writer_add(writer, &event);
    }
    if (!why)
        return true;
    g_propagate_error(error, g_steal_pointer(&why));
    return false;
}

bool cli_trace_cut(const TraceTarget *target, char **files, GError **error)
{
    TraceSelection selection = {0};
    TraceSummary summary;
    if (!target->output)
        return cli_error_usage(error, "trace cut: where to? For example: -o part.trace");
    g_autoptr(TraceReader) reader = trace_reader_new(files[0], error);
    if (!reader || !cli_trace_select(target, reader, &selection, error))
        return false;
    trace_reader_summary(reader, &summary);
    g_autofree char *part = g_strconcat(target->output, ".part", NULL);
    TraceWriter *writer = trace_writer_new(part, summary.locations, error);
    bool good = writer && copy(reader, &selection, writer, error);
    if (writer && !trace_writer_end(writer, good ? error : NULL))
        good = false;
    if (selection.locations)
        g_array_unref((GArray *)selection.locations);
    return cli_trace_settle(part, target->output, good, error);
}
