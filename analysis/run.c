/* run.c - reads all intervals and messages of a run into memory. */
#include "analysis/run.h"
#include "analysis/homes.h"

#include <string.h>

/* -- lines ------------------------------------------------------------------------------------- */

typedef struct RunLineKey {
    const char *kind, *function; /* texts that are the same have the same address */
    uint64_t site;
} RunLineKey;

static guint hash_line(gconstpointer a)
{
    const RunLineKey *key = a;
    return g_direct_hash(key->kind) ^ g_direct_hash(key->function) * 31 ^ (guint)key->site * 2654435761u;
}

static gboolean same_line(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(RunLineKey)) == 0;
}

uint32_t analysis_run_line(AnalysisRun *run, const char *kind, const char *function, uint32_t site)
{
    RunLineKey key = {g_intern_string(kind), g_intern_string(function), site};
    gpointer number = g_hash_table_lookup(run->numbers, &key);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    AnalysisLine line = {.kind = key.kind,
                         .function = key.function,
                         .site = trace_reader_site(run->reader, site),
                         .slack_ps = UINT64_MAX};
    g_array_append_val(run->lines, line);
    RunLineKey *own = g_memdup2(&key, sizeof key);
    g_ptr_array_add(run->keys, own);
    g_hash_table_insert(run->numbers, own, GUINT_TO_POINTER(run->lines->len));
    return run->lines->len - 1;
}

uint32_t analysis_run_line_site(const AnalysisRun *run, uint32_t line)
{
    const RunLineKey *key = run->keys->pdata[line];
    return (uint32_t)key->site;
}

uint32_t analysis_run_line_as(AnalysisRun *run, uint32_t line, const char *kind)
{
    const RunLineKey *key = run->keys->pdata[line];
    return analysis_run_line(run, kind, key->function, (uint32_t)key->site);
}

/* -- intervals --------------------------------------------------------------------------------- */

bool analysis_run_in_network(const char *cause)
{
    return cause &&
           (strcmp(cause, "transfer") == 0 || strcmp(cause, "contention") == 0 || strcmp(cause, "hand-shake") == 0);
}

static void take_interval(AnalysisRun *run, const AnalysisInterval *interval)
{
    RunLocation *location = &run->locations[interval->location];
    const char *kind = interval->cause ? interval->cause : analysis_state_name(interval->state);
    RunSlot slot = {.to_ps = interval->to_ps,
                    .message = (uint32_t)interval->message,
                    .peer = interval->peer,
                    .line = analysis_run_line(run, kind, interval->function, interval->site),
                    .state = (uint8_t)interval->state,
                    .told = interval->told,
                    .loose = interval->state == ANALYSIS_WAITING &&
                             (interval->message ||
                              (interval->peer != ANALYSIS_NOBODY && !analysis_run_in_network(interval->cause)))};
    g_assert(interval->location < run->n && location->slots);
    if (location->slots->len == 0)
        location->from_ps = interval->from_ps;
    g_array_append_val(location->slots, slot);
    run_line(run, slot.line)->time_ps += interval->to_ps - interval->from_ps;
}

static bool read_intervals(AnalysisRun *run, GError **error)
{
    TraceSelection all = trace_selection_all();
    g_autoptr(AnalysisStates) states = analysis_states_new(run->reader, &all);
    AnalysisInterval interval;
    while (analysis_states_next(states, &interval))
        take_interval(run, &interval);
    return analysis_states_end(states, error);
}

/* -- messages ---------------------------------------------------------------------------------- */

static int by_id(gconstpointer a, gconstpointer b)
{
    const RunMessage *one = a, *other = b;
    return (one->id > other->id) - (one->id < other->id);
}

static bool read_messages(AnalysisRun *run, GError **error)
{
    TraceSelection all = trace_selection_all();
    g_autoptr(AnalysisMessages) messages = analysis_messages_new(run->reader, &all);
    AnalysisMessage told;
    while (analysis_messages_next(messages, &told)) {
        RunMessage message = {.id = told.id,
                              .sent_ps = MIN(told.sent_ps, told.delivered_ps),
                              .delivered_ps = told.delivered_ps,
                              .used_ps =
                                  told.receive.function ? MAX(told.delivered_ps, told.receive.from_ps) : UINT64_MAX,
                              .slack_ps = UINT64_MAX,
                              .sender = told.sender,
                              .receiver = told.receiver};
        g_array_append_val(run->messages, message);
    }
    g_array_sort(run->messages, by_id);
    return analysis_messages_end(messages, error);
}

RunMessage *analysis_run_message(const AnalysisRun *run, uint64_t id)
{
    RunMessage asked = {.id = id};
    guint at;
    if (!id || !g_array_binary_search(run->messages, &asked, by_id, &at))
        return NULL;
    return &g_array_index(run->messages, RunMessage, at);
}

/* -- other events ------------------------------------------------------------------------------ */

static int by_message(gconstpointer a, gconstpointer b)
{
    const RunHop *one = a, *other = b;
    if (one->message != other->message)
        return one->message < other->message ? -1 : 1;
    if (one->packet != other->packet)
        return one->packet < other->packet ? -1 : 1;
    return (one->from_ps > other->from_ps) - (one->from_ps < other->from_ps);
}

/* A message arrives with its last packet. Before that one, the others were at its first link. */
static void give_hops(AnalysisRun *run)
{
    g_array_sort(run->hops, by_message);
    uint64_t first_ps = 0;
    for (guint i = 0; i < run->hops->len; i++) {
        RunHop *hop = &g_array_index(run->hops, RunHop, i);
        const RunHop *before = i ? hop - 1 : NULL;
        RunMessage *message = analysis_run_message(run, hop->message);
        bool same = before && before->message == hop->message;
        if (!message)
            continue;
        if (!same)
            first_ps = hop->from_ps;
        if (!same || before->packet != hop->packet) {
            message->hops = i;
            message->n_hops = 0;
            hop->from_ps = first_ps;
        }
        message->n_hops++;
    }
}

static bool read_others(AnalysisRun *run, GError **error)
{
    TraceSelection others = trace_selection_all();
    others.kinds = UINT64_C(1) << TRACE_HOP | UINT64_C(1) << TRACE_STARTED;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(run->reader, &others);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        RunHop hop = {.from_ps = event.fields[TRACE_HOP_FROM],
                      .message = (uint32_t)event.fields[TRACE_HOP_MESSAGE],
                      .packet = (uint32_t)event.fields[TRACE_HOP_PACKET],
                      .link = trace_reader_text(run->reader, event.fields[TRACE_HOP_LINK])};
        if (event.kind == TRACE_HOP)
            g_array_append_val(run->hops, hop);
        else if (event.location < run->n && event.fields[TRACE_STARTED_PARENT] < run->n)
            run->locations[event.location].parent = (uint32_t)event.fields[TRACE_STARTED_PARENT];
    }
    give_hops(run);
    return trace_cursor_end(cursor, error);
}

/* -- messages of each location ----------------------------------------------------------------- */

typedef uint64_t TimeOf(const RunMessage *message);
static uint64_t delivery_of(const RunMessage *message)
{
    return message->delivered_ps;
}
static uint64_t sending_of(const RunMessage *message)
{
    return message->sent_ps;
}
static uint64_t use_of(const RunMessage *message)
{
    return message->used_ps;
}

typedef struct Order {
    const GArray *messages;
    TimeOf *time;
} Order;

static int by_time(gconstpointer a, gconstpointer b, gpointer user)
{
    const Order *order = user;
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    uint64_t x = order->time(&g_array_index(order->messages, RunMessage, one)),
             y = order->time(&g_array_index(order->messages, RunMessage, other));
    return x != y ? (x < y ? -1 : 1) : (one > other) - (one < other);
}

static void add_number(GArray **numbers, uint32_t number)
{
    if (!*numbers)
        *numbers = g_array_new(FALSE, FALSE, sizeof number);
    g_array_append_val(*numbers, number);
}

static void give_messages(AnalysisRun *run)
{
    for (guint i = 0; i < run->messages->len; i++) {
        const RunMessage *message = &g_array_index(run->messages, RunMessage, i);
        add_number(&run->locations[message->sender].sends, i);
        add_number(&run->locations[message->receiver].arrivals, i);
        if (message->used_ps != UINT64_MAX)
            add_number(&run->locations[message->receiver].uses, i);
    }
    for (uint32_t at = 0; at < run->n; at++) {
        RunLocation *location = &run->locations[at];
        if (location->sends)
            g_array_sort_with_data(location->sends, by_time, &(Order){run->messages, sending_of});
        if (location->arrivals)
            g_array_sort_with_data(location->arrivals, by_time, &(Order){run->messages, delivery_of});
        if (location->uses)
            g_array_sort_with_data(location->uses, by_time, &(Order){run->messages, use_of});
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

AnalysisRun *analysis_run_new(TraceReader *reader, GError **error)
{
    AnalysisRun *run = g_new0(AnalysisRun, 1);
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    run->reader = reader;
    run->n = summary.locations;
    run->locations = g_new0(RunLocation, MAX(1, run->n));
    run->messages = g_array_new(FALSE, FALSE, sizeof(RunMessage));
    run->hops = g_array_new(FALSE, FALSE, sizeof(RunHop));
    run->lines = g_array_new(FALSE, FALSE, sizeof(AnalysisLine));
    run->keys = g_ptr_array_new_with_free_func(g_free);
    run->numbers = g_hash_table_new(hash_line, same_line);
    g_autofree uint32_t *homes = analysis_homes(reader, run->n);
    for (uint32_t at = 0; at < run->n; at++) {
        run->locations[at].slots = g_array_new(FALSE, FALSE, sizeof(RunSlot));
        run->locations[at].parent = ANALYSIS_NOBODY;
        run->locations[at].home = homes[at];
    }
    if (read_intervals(run, error) && read_messages(run, error) && read_others(run, error)) {
        give_messages(run);
        return run;
    }
    analysis_run_free(run);
    return NULL;
}

void analysis_run_free(AnalysisRun *run)
{
    if (!run)
        return;
    for (uint32_t at = 0; at < run->n; at++) {
        RunLocation *location = &run->locations[at];
        g_array_unref(location->slots);
        g_clear_pointer(&location->arrivals, g_array_unref);
        g_clear_pointer(&location->sends, g_array_unref);
        g_clear_pointer(&location->uses, g_array_unref);
    }
    g_free(run->locations);
    g_array_unref(run->messages);
    g_array_unref(run->hops);
    g_array_unref(run->lines);
    g_hash_table_unref(run->numbers);
    g_ptr_array_unref(run->keys);
    g_free(run);
}
