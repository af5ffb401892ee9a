/* chrome.c - trace events in JSON, as chrome://tracing and Perfetto read them ("Trace Event Format").
 *
 * A rank is a process, a location of it a thread. Calls are slices (ph X) with what they waited for inside them, also
 * as slices; messages are flows (s and f) from the sender's slice to the receiver's; queues and links are counters (C).
 * Times are in microseconds, with six digits behind the point, so that no picosecond is lost. */
#include "cli/export/timeline.h"

typedef struct Chrome {
    const ExportJob *job;
    TraceText *text;
    bool any;          /* an event has been written */
    uint64_t accesses; /* number of them */
} Chrome;

#define TIME_FORMAT "%" G_GUINT64_FORMAT ".%06u"
#define TIME_OF(ps) (ps) / 1000000, (unsigned)((ps) % 1000000)

/* Appends the text in quotes. Bytes that are no UTF-8 become replacement characters. */
static void append_text(GString *out, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(out, '"');
    for (const char *at = valid; *at; at++) {
        if (*at == '"' || *at == '\\')
            g_string_append_printf(out, "\\%c", *at);
        else if ((unsigned char)*at < ' ')
            g_string_append_printf(out, "\\u%04x", (unsigned char)*at);
        else
            g_string_append_c(out, *at);
    }
    g_string_append_c(out, '"');
}

/* Begins an event: {"ph":"X","pid":1,"tid":0. Its name and what else it has follow. */
static GString *begin(Chrome *chrome, char phase, uint32_t location)
{
    GString *out = cli_trace_text(chrome->text);
    TraceLocation at = trace_reader_location(chrome->job->reader, location);
    g_string_append_printf(out, "%s{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", chrome->any ? ",\n" : "", phase, at.rank,
                           at.thread);
    chrome->any = true;
    return out;
}

static GString *begin_slice(Chrome *chrome, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *name,
                            const char *category)
{
    GString *out = begin(chrome, 'X', location);
    uint64_t lasts_ps = to_ps - from_ps;
    g_string_append_printf(out,
                           ",\"ts\":" TIME_FORMAT ",\"dur\":" TIME_FORMAT ",\"cat\":\"%s\",\"name\":", TIME_OF(from_ps),
                           TIME_OF(lasts_ps), category);
    append_text(out, name);
    return out;
}

static void write_computing(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps)
{
    g_string_append_c(begin_slice(user, location, from_ps, to_ps, "computing", "computing"), '}');
}

static void write_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    g_autofree char *name = g_strconcat("paused: ", why, NULL);
    g_string_append_c(begin_slice(user, location, from_ps, to_ps, name, "pause"), '}');
}

static void write_call(void *user, const ExportCall *call)
{
    Chrome *chrome = user;
    TraceSite site = trace_reader_site(chrome->job->reader, call->site);
    GString *out = begin_slice(chrome, call->location, call->from_ps, call->to_ps, call->function, "MPI");
    g_string_append_printf(out, ",\"args\":{\"blocked_ps\":%" G_GUINT64_FORMAT, call->blocked_ps);
    if (site.file) {
        g_autofree char *place = g_strdup_printf("%s:%u", site.file, site.line);
        g_string_append(out, ",\"site\":");
        append_text(out, place);
        g_string_append(out, ",\"caller\":");
        append_text(out, site.function);
    }
    g_string_append(out, "}}");
    for (unsigned i = 0; i < call->n_waits; i++)
        g_string_append_c(begin_slice(chrome, call->location, call->waits[i].from_ps, call->waits[i].to_ps,
                                      call->waits[i].cause, "waiting"),
                          '}');
}

static void write_message(void *user, const ExportMessage *message)
{
    Chrome *chrome = user;
    const char *category = message->tag < 0 ? "collective message" : "message";
    GString *out = begin(chrome, 's', message->from);
    g_string_append_printf(out,
                           ",\"ts\":" TIME_FORMAT ",\"id\":\"%u>%u>%" G_GUINT64_FORMAT
                           "\",\"cat\":\"%s\",\"name\":\"message\""
                           ",\"args\":{\"bytes\":%" G_GUINT64_FORMAT ",\"tag\":%" G_GINT64_FORMAT "}}",
                           TIME_OF(message->sent_ps), message->from, message->to, message->id, category, message->bytes,
                           (gint64)message->tag);
    out = begin(chrome, 'f', message->to);
    g_string_append_printf(out,
                           ",\"bp\":\"e\",\"ts\":" TIME_FORMAT ",\"id\":\"%u>%u>%" G_GUINT64_FORMAT
                           "\",\"cat\":\"%s\",\"name\":\"message\"}",
                           TIME_OF(message->delivered_ps), message->from, message->to, message->id, category);
}

static void write_link(Chrome *chrome, const TraceEvent *event)
{
    uint64_t from_ps = event->fields[TRACE_LINK_FROM], lasts_ps = event->time_ps - from_ps;
    uint64_t thousandths =
        lasts_ps ? (uint64_t)((unsigned __int128)event->fields[TRACE_LINK_BUSY] * 1000 / lasts_ps) : 0;
    g_autofree char *name =
        g_strconcat("link ", trace_reader_text(chrome->job->reader, event->fields[TRACE_LINK_LINK]), NULL);
    GString *out = begin(chrome, 'C', 0);
    g_string_append_printf(out, ",\"ts\":" TIME_FORMAT ",\"name\":", TIME_OF(from_ps));
    append_text(out, name);
    g_string_append_printf(out, ",\"args\":{\"busy\":%u.%03u}}", (unsigned)(thousandths / 1000),
                           (unsigned)(thousandths % 1000));
}

/* Accesses may overlap calls, and each other, so they are no slices of the rank but on lines of their own. */
static void write_access(Chrome *chrome, const TraceEvent *event)
{
    const char *name = trace_reader_text(chrome->job->reader, event->fields[TRACE_ACCESS_FUNCTION]);
    const char phases[] = {'b', 'e'};
    const uint64_t times[] = {event->fields[TRACE_ACCESS_FROM], event->time_ps};
    chrome->accesses++;
    for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++) {
        GString *out = begin(chrome, phases[i], event->location);
        g_string_append_printf(out,
                               ",\"ts\":" TIME_FORMAT ",\"id\":\"a%" G_GUINT64_FORMAT "\",\"cat\":\"access\",\"name\":",
                               TIME_OF(times[i]), chrome->accesses);
        append_text(out, name);
        g_string_append_printf(out, ",\"args\":{\"bytes\":%" G_GUINT64_FORMAT "}}", event->fields[TRACE_ACCESS_BYTES]);
    }
}

static void write_other(void *user, const TraceEvent *event)
{
    Chrome *chrome = user;
    const TraceReader *reader = chrome->job->reader;
    switch (event->kind) {
    case TRACE_REGION:
        g_string_append_c(begin_slice(chrome, event->location, event->fields[TRACE_REGION_FROM], event->time_ps,
                                      trace_reader_text(reader, event->fields[TRACE_REGION_NAME]), "region"),
                          '}');
        break;
    case TRACE_ACCESS: write_access(chrome, event); break;
    case TRACE_QUEUE:
        g_string_append_printf(begin(chrome, 'C', event->location),
                               ",\"ts\":" TIME_FORMAT ",\"name\":\"queues\",\"args\":{\"posted\":%" G_GUINT64_FORMAT
                               ",\"unexpected\":%" G_GUINT64_FORMAT "}}",
                               TIME_OF(event->time_ps), event->fields[TRACE_QUEUE_POSTED],
                               event->fields[TRACE_QUEUE_UNEXPECTED]);
        break;
    case TRACE_LINK: write_link(chrome, event); break;
    case TRACE_FINDING: {
        GString *out = begin(chrome, 'i', event->location);
        g_string_append_printf(
            out, ",\"s\":\"t\",\"ts\":" TIME_FORMAT ",\"cat\":\"finding\",\"name\":", TIME_OF(event->time_ps));
        append_text(out, trace_reader_text(reader, event->fields[TRACE_FINDING_TEXT]));
        g_string_append_c(out, '}');
        break;
    }
    default: break;
    }
}

static void write_names(Chrome *chrome)
{
    g_autoptr(GArray) locations = export_timeline_locations(chrome->job);
    for (guint i = 0; i < locations->len; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        TraceLocation at = trace_reader_location(chrome->job->reader, location);
        if (at.thread == 0) {
            g_string_append_printf(begin(chrome, 'M', location),
                                   ",\"name\":\"process_name\",\"args\":{\"name\":\"rank %u\"}}", at.rank);
            g_string_append_printf(begin(chrome, 'M', location),
                                   ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%u}}", at.rank);
        }
        g_autofree char *name = at.thread ? g_strdup_printf("thread %u", at.thread) : g_strdup("main");
        GString *out = begin(chrome, 'M', location);
        g_string_append(out, ",\"name\":\"thread_name\",\"args\":{\"name\":");
        append_text(out, name);
        g_string_append(out, "}}");
    }
}

static void append_note(void *user, const char *key, const char *value)
{
    GString *out = user;
    if (out->str[out->len - 1] != '{')
        g_string_append_c(out, ',');
    append_text(out, key);
    g_string_append_c(out, ':');
    append_text(out, value);
}

bool export_chrome(const ExportJob *job, GError **error)
{
    Chrome chrome = {.job = job, .text = cli_trace_text_to(job->output, error)};
    if (!chrome.text)
        return false;
    GString *out = cli_trace_text(chrome.text);
    g_string_append(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{");
    trace_reader_notes(job->reader, append_note, out);
    g_string_append(out, "},\n\"traceEvents\":[\n");
    write_names(&chrome);
    bool good = export_timeline(job,
                                &(ExportTimeline){.user = &chrome,
                                                  .computing = write_computing,
                                                  .pause = write_pause,
                                                  .call = write_call,
                                                  .message = write_message,
                                                  .other = write_other},
                                error);
    g_string_append(cli_trace_text(chrome.text), "\n]}\n");
    return cli_trace_text_end(chrome.text, good, error);
}
