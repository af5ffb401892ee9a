/* timeline.c - what locations did: the time between calls and pauses is computing. */
#include "cli/export/timeline.h"

#include <string.h>

typedef struct Line {      /* of a location */
    uint64_t last_ps;      /* end of the last call or pause */
    uint64_t computing_ps; /* since the last call */
    GArray *waits;         /* ExportWait: those of the call that is told next; NULL: none yet */
} Line;

typedef struct Walk {
    const ExportJob *job;
    const ExportTimeline *tell;
    Line *lines;
    bool *selected; /* locations; messages from others are left out */
} Walk;

static void compute_until(Walk *walk, uint32_t location, uint64_t until_ps)
{
    Line *line = &walk->lines[location];
    if (until_ps <= line->last_ps)
        return;
    if (walk->tell->computing)
        walk->tell->computing(walk->tell->user, location, line->last_ps, until_ps);
    line->computing_ps += until_ps - line->last_ps;
    line->last_ps = until_ps;
}

/* Returns what has been computed since the last call. */
static uint64_t take_computing(Line *line)
{
    uint64_t computing_ps = line->computing_ps;
    line->computing_ps = 0;
    return computing_ps;
}

static void take_wait(Walk *walk, const TraceEvent *event)
{
    Line *line = &walk->lines[event->location];
    ExportWait wait = {event->fields[TRACE_WAIT_FROM], event->time_ps,
                       trace_reader_text(walk->job->reader, event->fields[TRACE_WAIT_CAUSE])};
    if (!line->waits)
        line->waits = g_array_new(FALSE, FALSE, sizeof(ExportWait));
    g_array_append_val(line->waits, wait);
}

static void take_call(Walk *walk, const TraceEvent *event)
{
    Line *line = &walk->lines[event->location];
    ExportCall call = {.location = event->location,
                       .from_ps = event->fields[TRACE_CALL_FROM],
                       .to_ps = event->time_ps,
                       .blocked_ps = event->fields[TRACE_CALL_BLOCKED],
                       .function = trace_reader_text(walk->job->reader, event->fields[TRACE_CALL_FUNCTION]),
                       .site = event->fields[TRACE_CALL_SITE],
                       .arguments = (const int64_t *)event->list,
                       .n_arguments = (unsigned)event->fields[TRACE_CALL_ARGUMENTS]};
    compute_until(walk, event->location, call.from_ps);
    call.computing_ps = take_computing(line);
    if (line->waits) {
        call.waits = (const ExportWait *)(const void *)line->waits->data;
        call.n_waits = line->waits->len;
    }
    if (walk->tell->call)
        walk->tell->call(walk->tell->user, &call);
    if (line->waits)
        g_array_set_size(line->waits, 0);
    line->last_ps = MAX(line->last_ps, call.to_ps);
}

static void take_pause(Walk *walk, const TraceEvent *event)
{
    Line *line = &walk->lines[event->location];
    uint64_t from_ps = event->fields[TRACE_PAUSE_FROM];
    compute_until(walk, event->location, from_ps);
    if (walk->tell->pause)
        walk->tell->pause(walk->tell->user, event->location, from_ps, event->time_ps,
                          trace_reader_text(walk->job->reader, event->fields[TRACE_PAUSE_WHY]));
    line->last_ps = MAX(line->last_ps, event->time_ps);
}

static void take_message(Walk *walk, const TraceEvent *event)
{
    ExportMessage message = {.from = (uint32_t)event->fields[TRACE_MESSAGE_SENDER],
                             .to = event->location,
                             .sent_ps = event->fields[TRACE_MESSAGE_SENT],
                             .delivered_ps = event->time_ps,
                             .id = event->fields[TRACE_MESSAGE_ID],
                             .context = event->fields[TRACE_MESSAGE_CONTEXT],
                             .bytes = event->fields[TRACE_MESSAGE_BYTES],
                             .tag = (int64_t)event->fields[TRACE_MESSAGE_TAG]};
    if (walk->tell->message && message.from < walk->job->locations && walk->selected[message.from])
        walk->tell->message(walk->tell->user, &message);
}

static void take(Walk *walk, const TraceEvent *event)
{
    if (event->location >= walk->job->locations)
        return; /* a damaged trace: nothing is known of such a location */
    switch (event->kind) {
    case TRACE_WAIT: take_wait(walk, event); break;
    case TRACE_CALL: take_call(walk, event); break;
    case TRACE_PAUSE: take_pause(walk, event); break;
    case TRACE_MESSAGE: take_message(walk, event); break;
    case TRACE_ENDED: {
        compute_until(walk, event->location, event->time_ps);
        if (walk->tell->ended)
            walk->tell->ended(walk->tell->user, event->location, event->time_ps,
                              take_computing(&walk->lines[event->location]));
        break;
    }
    case TRACE_STARTED: walk->lines[event->location].last_ps = event->time_ps; /* fall through */
    default:
        if (walk->tell->other)
            walk->tell->other(walk->tell->user, event);
        break;
    }
}

bool export_timeline(const ExportJob *job, const ExportTimeline *timeline, GError **error)
{
    g_autoptr(TraceCursor) cursor = trace_cursor_new(job->reader, job->selection);
    g_autoptr(GArray) locations = export_timeline_locations(job);
    Walk walk = {job, timeline, g_new0(Line, job->locations + 1), g_new0(bool, job->locations + 1)};
    TraceEvent event;
    for (guint i = 0; i < locations->len; i++)
        walk.selected[g_array_index(locations, uint32_t, i)] = true;
    for (uint32_t i = 0; i < job->locations; i++)
        walk.lines[i].last_ps = job->selection->from_ps;
    while (trace_cursor_next(cursor, &event))
        take(&walk, &event);
    for (uint32_t i = 0; i < job->locations; i++)
        if (walk.lines[i].waits)
            g_array_unref(walk.lines[i].waits);
    g_free(walk.lines);
    g_free(walk.selected);
    return trace_cursor_end(cursor, error);
}

char *export_timeline_name(const ExportJob *job, uint32_t location)
{
    TraceLocation at = trace_reader_location(job->reader, location);
    return at.thread ? g_strdup_printf("rank %u thread %u", at.rank, at.thread) : g_strdup_printf("rank %u", at.rank);
}

GArray *export_timeline_locations(const ExportJob *job)
{
    if (job->selection->locations)
        return g_array_ref((GArray *)job->selection->locations);
    GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), job->locations);
    for (uint32_t i = 0; i < job->locations; i++)
        g_array_append_val(all, i);
    return all;
}

const char *export_timeline_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
