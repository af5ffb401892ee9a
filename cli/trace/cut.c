/* cut.c - `orrery trace cut`: a part of a trace as a trace. Texts and sites get new numbers; locations keep theirs. */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/write_file.h"

#include <unistd.h>

static bool copy_events(TraceReader *reader, const TraceSelection *selection, TraceWriter *writer, GError **error)
{
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, selection);
    TraceSummary summary;
    TraceEvent event;
    TraceCopy copy = {.reader = reader, .writer = writer};
    trace_reader_summary(reader, &summary);
    trace_reader_notes(reader, cli_trace_copy_note, writer);
    for (uint32_t i = 0; i < summary.locations; i++) {
        TraceLocation location = trace_reader_location(reader, i);
        trace_writer_location(writer, i, &location);
    }
    while (trace_cursor_next(cursor, &event)) {
        cli_trace_copy_translate(&copy, &event);
        trace_writer_add(writer, &event);
    }
    cli_trace_copy_clear(&copy);
    return trace_cursor_end(cursor, error);
}

static bool write_part(TraceReader *reader, const TraceSelection *selection, const char *path, int file, GError **error)
{
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    TraceWriter *writer = trace_writer_new_on(file, path, summary.locations);
    bool good = copy_events(reader, selection, writer, error);
    return trace_writer_end(writer, good ? error : NULL) && good;
}

bool cli_trace_cut(const TraceTarget *target, char **files, GError **error)
{
    TraceSelection selection = {0};
    if (!target->output)
        return cli_error_usage(error, "trace cut: where to? For example: -o part.trace");
    g_autoptr(TraceReader) reader = trace_reader_new(files[0], error);
    if (!reader || !cli_trace_select(target, reader, &selection, error))
        return false;
    BaseWriting *writing = base_write_begin(target->output, error);
    bool good = writing && write_part(reader, &selection, target->output, dup(base_write_descriptor(writing)), error);
    if (selection.locations)
        g_array_unref((GArray *)selection.locations);
    return writing && base_write_end(writing, good, error);
}
