/* events.c - intervals and messages of a trace as columns of numbers.
 *
 * A page stays small and quick, however long the run was: there are at most MOST_INTERVALS and MOST_MESSAGES. When
 * there would be more, intervals shorter than some time are told together, as shares of states ("mixed"), and that time
 * is doubled until they fit; of the messages, every second one goes. What has been done stands on the page.
 */
#include "analysis/analysis.h"
#include "base/units.h"
#include "monitor/page/parts.h"

#include <string.h>

enum { MOST_INTERVALS = 1000000, MOST_MESSAGES = 500000, MIXED = 0 /* number of the mixed activity */ };
#define SHORTEST_PS UINT64_C(1000) /* what is told together first is shorter than this */

typedef struct Interval {
    uint64_t from_ps, to_ps;
    uint32_t what;
    AnalysisState state;          /* unless it is mixed */
    uint64_t ps[ANALYSIS_STATES]; /* if it is mixed */
} Interval;

typedef struct Message {
    uint64_t id, sent_ps, delivered_ps, bytes;
    uint32_t sender, receiver; /* ranks */
    int32_t tag;
    uint32_t context, send, receive; /* activities */
} Message;

typedef struct Reading {
    const MonPage *page;
    MonPageSources *sources;
    MonPageRoutes *routes;
    MonPageEvents *events;
    GPtrArray *of_location; /* GArray of Interval; NULL: none yet */
    size_t n;               /* of intervals */
    uint64_t short_ps;      /* intervals shorter than this are told together */
    GArray *messages;       /* Message */
    uint64_t every;         /* every so-many-th message is kept */
} Reading;

/* -- intervals --------------------------------------------------------------------------------- */

static bool is_short(const Reading *reading, const Interval *interval)
{
    return interval->to_ps - interval->from_ps < reading->short_ps;
}

static void make_mixed(Interval *interval)
{
    if (interval->what == MIXED)
        return;
    memset(interval->ps, 0, sizeof interval->ps);
    interval->ps[interval->state] = interval->to_ps - interval->from_ps;
    interval->what = MIXED;
}

/* Puts an interval at the end of a list, or into the last one, if both are short. */
static void append(Reading *reading, GArray *list, Interval interval)
{
    Interval *last = list->len ? &g_array_index(list, Interval, list->len - 1) : NULL;
    if (!last || !is_short(reading, last) || !is_short(reading, &interval) || last->to_ps != interval.from_ps ||
        interval.to_ps - last->from_ps >= 2 * reading->short_ps) {
        g_array_append_val(list, interval);
        reading->n++;
        return;
    }
    make_mixed(last);
    make_mixed(&interval);
    for (unsigned i = 0; i < ANALYSIS_STATES; i++)
        last->ps[i] += interval.ps[i];
    last->to_ps = interval.to_ps;
}

static GArray *list_of(Reading *reading, uint32_t location)
{
    if (location >= reading->of_location->len)
        g_ptr_array_set_size(reading->of_location, (gint)location + 1);
    if (!reading->of_location->pdata[location])
        reading->of_location->pdata[location] = g_array_new(FALSE, FALSE, sizeof(Interval));
    return reading->of_location->pdata[location];
}

/* Tells more intervals together. */
static void coarsen(Reading *reading)
{
    reading->short_ps = reading->short_ps ? 2 * reading->short_ps : SHORTEST_PS;
    reading->n = 0;
    for (guint location = 0; location < reading->of_location->len; location++) {
        g_autoptr(GArray) old = reading->of_location->pdata[location];
        if (!old)
            continue;
        GArray *fresh = g_array_new(FALSE, FALSE, sizeof(Interval));
        for (guint i = 0; i < old->len; i++)
            append(reading, fresh, g_array_index(old, Interval, i));
        reading->of_location->pdata[location] = fresh;
    }
}

static void list_free(gpointer list)
{
    if (list)
        g_array_unref(list);
}

static void take_interval(Reading *reading, const AnalysisInterval *from)
{
    bool computing = from->state == ANALYSIS_COMPUTING;
    uint64_t length_ps = from->to_ps - from->from_ps;
    Interval interval = {.from_ps = from->from_ps, .to_ps = from->to_ps, .state = from->state};
    interval.what =
        mon_page_activity(reading->sources, from->state, computing ? NULL : from->function, from->site, from->cause);
    if (trace_reader_location(reading->page->trace, from->location).thread == 0)
        reading->events->totals_ps[from->state] += length_ps;
    mon_page_add_time(reading->sources, from->site, from->state, length_ps);
    append(reading, list_of(reading, from->location), interval);
    while (reading->n > MOST_INTERVALS)
        coarsen(reading);
}

static bool read_intervals(Reading *reading, GError **error)
{
    TraceSelection all = trace_selection_all();
    g_autoptr(AnalysisStates) states = analysis_states_new(reading->page->trace, &all);
    AnalysisInterval interval;
    while (analysis_states_next(states, &interval))
        take_interval(reading, &interval);
    return analysis_states_end(states, error);
}

static void put_interval(GByteArray *out, const Interval *interval, uint64_t *time_ps)
{
    uint64_t length_ps = interval->to_ps - interval->from_ps;
    mon_page_put(out, interval->from_ps - *time_ps);
    mon_page_put(out, length_ps);
    mon_page_put(out, interval->what);
    for (unsigned state = 0; interval->what == MIXED && state + 1 < ANALYSIS_STATES; state++)
        mon_page_put(out, (uint64_t)((unsigned __int128)interval->ps[state] * 1000 / length_ps));
    *time_ps = interval->to_ps;
}

static void put_intervals(const Reading *reading, GByteArray *out)
{
    mon_page_put(out, reading->n);
    for (guint row = 0; row < reading->events->rows->len; row++) {
        uint32_t location = g_array_index(reading->events->rows, uint32_t, row);
        const GArray *list = location < reading->of_location->len ? reading->of_location->pdata[location] : NULL;
        uint64_t time_ps = 0;
        mon_page_put(out, list ? list->len : 0);
        for (guint i = 0; list && i < list->len; i++)
            put_interval(out, &g_array_index(list, Interval, i), &time_ps);
    }
}

/* -- messages ---------------------------------------------------------------------------------- */

static void thin_out(Reading *reading)
{
    guint kept = 0;
    reading->every *= 2;
    for (guint i = 0; i < reading->messages->len; i++) {
        Message message = g_array_index(reading->messages, Message, i);
        if (message.id % reading->every == 0)
            g_array_index(reading->messages, Message, kept++) = message;
    }
    g_array_set_size(reading->messages, kept);
}

static uint32_t call_activity(MonPageSources *sources, const AnalysisCall *call)
{
    return mon_page_activity(sources, ANALYSIS_OVERHEAD, call->function, call->function ? call->site : 0, NULL);
}

static void take_message(Reading *reading, const AnalysisMessage *from)
{
    reading->events->n_messages++;
    if (from->id % reading->every)
        return;
    Message message = {.id = from->id,
                       .sent_ps = from->sent_ps,
                       .delivered_ps = from->delivered_ps,
                       .bytes = from->bytes,
                       .sender = trace_reader_location(reading->page->trace, from->sender).rank,
                       .receiver = trace_reader_location(reading->page->trace, from->receiver).rank,
                       .tag = from->tag,
                       .context = from->context,
                       .send = call_activity(reading->sources, &from->send),
                       .receive = call_activity(reading->sources, &from->receive)};
    g_array_append_val(reading->messages, message);
    if (reading->messages->len > MOST_MESSAGES)
        thin_out(reading);
}

static int by_sending(gconstpointer a, gconstpointer b)
{
    const Message *one = a, *other = b;
    if (one->sent_ps != other->sent_ps)
        return one->sent_ps < other->sent_ps ? -1 : 1;
    return one->id < other->id ? -1 : one->id > other->id;
}

static bool read_messages(Reading *reading, GError **error)
{
    TraceSelection all = trace_selection_all();
    g_autoptr(AnalysisMessages) messages = analysis_messages_new(reading->page->trace, &all);
    AnalysisMessage message;
    while (analysis_messages_next(messages, &message))
        take_message(reading, &message);
    g_array_sort(reading->messages, by_sending);
    return analysis_messages_end(messages, error);
}

static void put_messages(const Reading *reading, GByteArray *out)
{
    uint64_t time_ps = 0, id = 0;
    mon_page_put(out, reading->messages->len);
    for (guint i = 0; i < reading->messages->len; i++) {
        const Message *message = &g_array_index(reading->messages, Message, i);
        mon_page_put(out, message->sent_ps - time_ps);
        mon_page_put(out, message->delivered_ps - message->sent_ps);
        mon_page_put(out, message->sender);
        mon_page_put(out, message->receiver);
        mon_page_put(out, message->bytes);
        mon_page_put_signed(out, message->tag);
        mon_page_put(out, message->context);
        mon_page_put_signed(out, (int64_t)(message->id - id));
        mon_page_put(out, message->send);
        mon_page_put(out, message->receive);
        mon_page_put(out, mon_page_route(reading->routes, message->id, message->sender, message->receiver));
        time_ps = message->sent_ps;
        id = message->id;
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

static int by_rank(gconstpointer a, gconstpointer b, gpointer user)
{
    TraceLocation one = trace_reader_location(user, *(const uint32_t *)a),
                  other = trace_reader_location(user, *(const uint32_t *)b);
    if (one.rank != other.rank)
        return one.rank < other.rank ? -1 : 1;
    return one.thread < other.thread ? -1 : one.thread > other.thread;
}

static GArray *make_rows(TraceReader *trace)
{
    TraceSummary summary;
    trace_reader_summary(trace, &summary);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t location = 0; location < summary.locations; location++)
        g_array_append_val(rows, location);
    g_array_sort_with_data(rows, by_rank, trace);
    return rows;
}

static char *tell_left_out(const Reading *reading)
{
    GString *text = g_string_new(NULL);
    if (reading->short_ps) {
        g_autofree char *time = base_units_format_time(reading->short_ps);
        g_string_append_printf(text, "Intervals shorter than %s are drawn together. ", time);
    }
    if (reading->every > 1)
        g_string_append_printf(text, "Of the messages, one of %" G_GUINT64_FORMAT " is shown. ", reading->every);
    if (text->len)
        g_string_append(text, "The trace beside this page has all of them; orrery trace cut takes a part of it.");
    return g_string_free(text, !text->len);
}

bool mon_page_events_read(const MonPage *page, MonPageSources *sources, MonPageRoutes *routes, MonPageEvents *events,
                          GError **error)
{
    Reading reading = {.page = page, .sources = sources, .routes = routes, .events = events, .every = 1};
    *events = (MonPageEvents){
        .rows = make_rows(page->trace), .intervals = g_byte_array_new(), .messages = g_byte_array_new()};
    reading.of_location = g_ptr_array_new_with_free_func(list_free);
    reading.messages = g_array_new(FALSE, FALSE, sizeof(Message));
    bool good = read_intervals(&reading, error) && read_messages(&reading, error) &&
                mon_page_routes_read(routes, page->trace, reading.every, error);
    if (good) {
        put_intervals(&reading, events->intervals);
        put_messages(&reading, events->messages);
        events->left_out = tell_left_out(&reading);
    }
    g_ptr_array_unref(reading.of_location);
    g_array_unref(reading.messages);
    return good;
}

void mon_page_events_clear(MonPageEvents *events)
{
    g_array_unref(events->rows);
    g_byte_array_unref(events->intervals);
    g_byte_array_unref(events->messages);
    g_free(events->left_out);
}
