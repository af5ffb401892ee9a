/* read.c - goes through a trace, and what is said of a run in a line. */
#include "plot/data/data.h"

#include "base/units.h"

#include <string.h>

enum { MOST_LOCATIONS = 1 << 24 };

/* Returns when the run ended, or, if the trace does not say, its last event: samples may reach beyond the run. */
static uint64_t end_of(const TraceReader *reader)
{
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    const char *makespan = trace_reader_note(reader, "makespan_ps");
    uint64_t end_ps = makespan ? g_ascii_strtoull(makespan, NULL, 10) : 0;
    return end_ps ? MIN(end_ps, summary.to_ps) : summary.to_ps;
}

bool plot_data_span(const PlotRequest *request, uint64_t *from_ps, uint64_t *to_ps, GError **error)
{
    TraceSummary summary;
    uint64_t end_ps = end_of(request->reader);
    trace_reader_summary(request->reader, &summary);
    if (!summary.events) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "there are no events in the trace");
        return false;
    }
    if (summary.locations > MOST_LOCATIONS) { /* a forged trace could ask for any memory */
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT, "the trace has %u ranks and threads, more than can be drawn",
                    summary.locations);
        return false;
    }
    *from_ps = request->selection.from_ps;
    *to_ps = MIN(request->selection.to_ps, end_ps);
    if (*from_ps < *to_ps || (*from_ps == *to_ps && end_ps == 0))
        return true;
    g_autofree char *from = base_units_format_time(*from_ps), *end = base_units_format_time(end_ps);
    g_set_error(error, PLOT_ERROR, PLOT_ERROR_EMPTY,
                "nothing is to be seen from %s on: the recorded run ends at %s, and --to, if given, must be later than "
                "--from",
                from, end);
    return false;
}

static char *facts_of_profile(const PlotProfile *profile)
{
    g_autofree char *time = base_units_format_time(profile->makespan_ps);
    return g_strdup_printf("%" G_GUINT64_FORMAT " rank%s on %s; ran for %s", profile->ranks,
                           profile->ranks == 1 ? "" : "s", profile->machine, time);
}

char *plot_data_facts(const PlotRequest *request)
{
    const TraceReader *reader = request->reader;
    if (request->profile)
        return facts_of_profile(request->profile);
    const char *program = trace_reader_note(reader, "program"), *machine = trace_reader_note(reader, "machine"),
               *ranks = trace_reader_note(reader, "ranks");
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    GString *text = g_string_new(NULL);
    if (program) {
        g_autofree char *name = g_path_get_basename(program);
        g_autofree char *fitting = plot_text_fit(name, 12, false, 360);
        g_string_append(text, fitting);
    }
    if (ranks)
        g_string_append_printf(text, "%s%s rank%s", text->len ? ", " : "", ranks, strcmp(ranks, "1") ? "s" : "");
    if (machine)
        g_string_append_printf(text, " on %s", machine);
    g_autofree char *time = base_units_format_time(end_of(reader));
    g_string_append_printf(text, "%sran for %s", text->len ? "; " : "", time);
    if (!summary.whole)
        g_string_append(text, "; the recording ended early");
    return g_string_free(text, FALSE);
}

bool plot_data_missing(const PlotRequest *request, const char *what, const char *why, GError **error)
{
    bool part = request->selection.from_ps || request->selection.to_ps != UINT64_MAX || request->selection.locations;
    g_set_error(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "%s has no %s%s%s%s",
                part ? "what is selected of the trace" : "the trace", what, *why ? "; " : "", why, "");
    return false;
}

DataMessage plot_data_message(const TraceEvent *event)
{
    return (DataMessage){.from = (uint32_t)event->fields[TRACE_MESSAGE_SENDER],
                         .to = event->location,
                         .id = event->fields[TRACE_MESSAGE_ID],
                         .sent_ps = event->fields[TRACE_MESSAGE_SENT],
                         .arrived_ps = event->time_ps,
                         .bytes = event->fields[TRACE_MESSAGE_BYTES],
                         .inner = (int64_t)event->fields[TRACE_MESSAGE_TAG] < 0};
}

static bool read_intervals(const PlotRequest *request, const DataListener *listener, GError **error)
{
    g_autoptr(AnalysisStates) states = analysis_states_new(request->reader, &request->selection);
    AnalysisInterval interval;
    analysis_states_any_order(states);
    while (analysis_states_next(states, &interval))
        listener->interval(listener->user, &interval);
    return analysis_states_end(states, error);
}

static bool read_events(const PlotRequest *request, const DataListener *listener, GError **error)
{
    TraceSelection selection = request->selection;
    TraceEvent event;
    selection.kinds = listener->kinds;
    selection.locations = NULL; /* messages have two */
    g_autoptr(TraceCursor) cursor = trace_cursor_new(request->reader, &selection);
    while (trace_cursor_next(cursor, &event))
        listener->event(listener->user, &event);
    return trace_cursor_end(cursor, error);
}

bool plot_data_read(const PlotRequest *request, const DataListener *listener, GError **error)
{
    return (!listener->interval || read_intervals(request, listener, error)) &&
           (!listener->event || read_events(request, listener, error));
}
