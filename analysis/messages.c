/* messages.c - each message with the call that sent it and the call that took it.
 *
 * A trace tells a message when it arrives, and a call when it is over. The call that sent it may be over long before,
 * or still go on: so each location keeps its last calls, and messages whose calls are not known yet.
 */
#include "analysis/homes.h"

#include <string.h>

enum {
    CALLS_KEPT = 64,       /* of a location; messages that are longer under way than these have no sending call */
    ANY_TAG = -1000000409, /* MPI_ANY_TAG of mpi.h */
    TAG_OF_RECEIVE = 4     /* argument of MPI_Recv */
};

typedef struct Flight {
    AnalysisMessage message;
    bool send_known, receive_known;
} Flight;

typedef struct Place {
    AnalysisCall *calls; /* the last ones, a ring */
    uint32_t n_calls, room;
    uint32_t home;
    GPtrArray *leaving;  /* Flight: sent in a call that is not over, or not told */
    GPtrArray *arriving; /* Flight: arrived, and not yet taken; of the home location */
} Place;

struct AnalysisMessages {
    TraceReader *reader;
    TraceCursor *cursor;
    TraceSelection selection;
    GArray *locations;
    Place *places;
    uint32_t n;
    GQueue ready; /* Flight: both calls are known */
    bool drained;
};

/* -- calls of a location ----------------------------------------------------------------------- */

static bool polls(const char *function)
{
    return strstr(function, "_Test") || strstr(function, "probe");
}

static void keep_call(Place *place, const AnalysisCall *call)
{
    if (place->n_calls == place->room && place->room < CALLS_KEPT) {
        place->room = place->room ? 2 * place->room : 2;
        place->calls = g_renew(AnalysisCall, place->calls, place->room);
    }
    place->calls[place->n_calls++ % place->room] = *call;
}

/* Returns the last call that began at time_ps or earlier; NULL: it is not kept. */
static const AnalysisCall *call_before(const Place *place, uint64_t time_ps)
{
    uint32_t kept = MIN(place->n_calls, place->room);
    for (uint32_t i = 0; i < kept; i++) {
        const AnalysisCall *call = &place->calls[(place->n_calls - 1 - i) % place->room];
        if (call->from_ps <= time_ps)
            return call;
    }
    return NULL;
}

static void settle(AnalysisMessages *messages, Flight *flight)
{
    if (flight->send_known && flight->receive_known)
        g_queue_push_tail(&messages->ready, flight);
}

static void know_send(AnalysisMessages *messages, Flight *flight)
{
    const AnalysisCall *call = call_before(&messages->places[flight->message.sender], flight->message.sent_ps);
    if (call)
        flight->message.send = *call;
    flight->send_known = true;
    settle(messages, flight);
}

/* -- which call took a message ----------------------------------------------------------------- */

typedef enum Takes { NONE, ONE, ALL } Takes;

/* Returns how many messages between ranks (or, `inner`, of collective operations) a call can have taken. */
static Takes takes(const char *function, bool inner)
{
    bool receives = strstr(function, "ecv") && !g_str_has_prefix(function, "MPI_I") && !strstr(function, "_init");
    bool completes = strstr(function, "_Wait") || strstr(function, "_Test");
    if (inner)
        return completes || !(strstr(function, "ecv") || strstr(function, "end") || strstr(function, "probe")) ? ALL
                                                                                                               : NONE;
    if (receives)
        return ONE;
    return !completes ? NONE : g_str_has_suffix(function, "all") || g_str_has_suffix(function, "some") ? ALL : ONE;
}

static bool has_tag(const TraceEvent *call, const char *function, int32_t tag)
{
    if (strcmp(function, "MPI_Recv") != 0 || call->fields[TRACE_CALL_ARGUMENTS] <= TAG_OF_RECEIVE)
        return true;
    int32_t asked = (int32_t)call->list[TAG_OF_RECEIVE];
    return asked == ANY_TAG || asked == tag;
}

/* The call takes what it can have taken of the messages that have arrived, the oldest first. */
static void take_arrived(AnalysisMessages *messages, Place *home, const TraceEvent *event, const AnalysisCall *call)
{
    Takes left[2] = {takes(call->function, false), takes(call->function, true)};
    for (guint i = 0; home->arriving && i < home->arriving->len;) {
        Flight *flight = home->arriving->pdata[i];
        bool inner = flight->message.tag < 0;
        if (left[inner] == NONE || flight->message.delivered_ps > call->to_ps ||
            (!inner && !has_tag(event, call->function, flight->message.tag))) {
            i++;
            continue;
        }
        if (left[inner] == ONE)
            left[inner] = NONE;
        flight->message.receive = *call;
        flight->receive_known = true;
        g_ptr_array_remove_index(home->arriving, i);
        settle(messages, flight);
    }
}

/* -- events ------------------------------------------------------------------------------------ */

static void take_call(AnalysisMessages *messages, const TraceEvent *event)
{
    Place *place = &messages->places[event->location];
    AnalysisCall call = {.from_ps = event->fields[TRACE_CALL_FROM],
                         .to_ps = event->time_ps,
                         .function = trace_reader_text(messages->reader, event->fields[TRACE_CALL_FUNCTION]),
                         .site = (uint32_t)event->fields[TRACE_CALL_SITE]};
    if (!polls(call.function))
        keep_call(place, &call);
    for (guint i = 0; place->leaving && i < place->leaving->len;) {
        Flight *flight = place->leaving->pdata[i];
        if (flight->message.sent_ps > call.to_ps) {
            i++;
            continue;
        }
        g_ptr_array_remove_index(place->leaving, i);
        know_send(messages, flight);
    }
    take_arrived(messages, &messages->places[place->home], event, &call);
}

static void add_to(GPtrArray **flights, Flight *flight)
{
    if (!*flights)
        *flights = g_ptr_array_new();
    g_ptr_array_add(*flights, flight);
}

static int by_number(gconstpointer a, gconstpointer b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static bool is_wanted(const AnalysisMessages *messages, uint32_t location)
{
    return !messages->locations || g_array_binary_search((GArray *)messages->locations, &location, by_number, NULL);
}

static void take_message(AnalysisMessages *messages, const TraceEvent *event)
{
    uint32_t sender = (uint32_t)event->fields[TRACE_MESSAGE_SENDER];
    if (sender >= messages->n || !is_wanted(messages, sender))
        return;
    Flight *flight = g_new0(Flight, 1);
    flight->message = (AnalysisMessage){.id = event->fields[TRACE_MESSAGE_ID],
                                        .sender = sender,
                                        .receiver = event->location,
                                        .sent_ps = event->fields[TRACE_MESSAGE_SENT],
                                        .delivered_ps = event->time_ps,
                                        .bytes = event->fields[TRACE_MESSAGE_BYTES],
                                        .tag = (int32_t)event->fields[TRACE_MESSAGE_TAG],
                                        .context = (uint32_t)event->fields[TRACE_MESSAGE_CONTEXT]};
    const Place *from = &messages->places[sender];
    const AnalysisCall *last = from->n_calls ? &from->calls[(from->n_calls - 1) % from->room] : NULL;
    add_to(&messages->places[event->location].arriving, flight);
    if (last && last->to_ps >= flight->message.sent_ps)
        know_send(messages, flight);
    else
        add_to(&messages->places[sender].leaving, flight);
}

static int by_id(gconstpointer a, gconstpointer b, gpointer user)
{
    const Flight *one = a, *other = b;
    (void)user;
    return (one->message.id > other->message.id) - (one->message.id < other->message.id);
}

/* There are no more events: what is not known now is not told. */
static void drain(AnalysisMessages *messages)
{
    GQueue rest = G_QUEUE_INIT;
    messages->drained = true;
    for (uint32_t at = 0; at < messages->n; at++) {
        Place *place = &messages->places[at];
        for (guint i = 0; place->leaving && i < place->leaving->len; i++)
            know_send(messages, place->leaving->pdata[i]);
        for (guint i = 0; place->arriving && i < place->arriving->len; i++)
            g_queue_push_tail(&rest, place->arriving->pdata[i]);
        g_clear_pointer(&place->leaving, g_ptr_array_unref);
        g_clear_pointer(&place->arriving, g_ptr_array_unref);
    }
    g_queue_sort(&rest, by_id, NULL);
    for (GList *link = rest.head; link; link = link->next)
        g_queue_push_tail(&messages->ready, link->data);
    g_queue_clear(&rest);
}

/* -- the iterator ------------------------------------------------------------------------------ */

AnalysisMessages *analysis_messages_new(TraceReader *reader, const TraceSelection *selection)
{
    AnalysisMessages *messages = g_new0(AnalysisMessages, 1);
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    messages->reader = reader;
    messages->selection = *selection;
    messages->locations = selection->locations ? g_array_copy((GArray *)selection->locations) : NULL;
    messages->selection.locations = messages->locations;
    messages->selection.kinds = UINT64_C(1) << TRACE_CALL | UINT64_C(1) << TRACE_MESSAGE;
    messages->n = summary.locations;
    messages->places = g_new0(Place, MAX(1, messages->n));
    g_autofree uint32_t *homes = analysis_homes(reader, messages->n);
    for (uint32_t at = 0; at < messages->n; at++)
        messages->places[at].home = homes[at];
    g_queue_init(&messages->ready);
    messages->cursor = trace_cursor_new(reader, &messages->selection);
    return messages;
}

bool analysis_messages_next(AnalysisMessages *messages, AnalysisMessage *message)
{
    TraceEvent event;
    while (!messages->ready.head && !messages->drained) {
        if (!trace_cursor_next(messages->cursor, &event))
            drain(messages);
        else if (event.location < messages->n && event.kind == TRACE_CALL)
            take_call(messages, &event);
        else if (event.location < messages->n)
            take_message(messages, &event);
    }
    Flight *flight = g_queue_pop_head(&messages->ready);
    if (!flight)
        return false;
    *message = flight->message;
    g_free(flight);
    return true;
}

bool analysis_messages_end(const AnalysisMessages *messages, GError **error)
{
    return trace_cursor_end(messages->cursor, error);
}

/* Frees the messages that are not ready: those that have not been taken are in `arriving`, the others in `leaving`. */
static void free_place(Place *place)
{
    for (guint i = 0; place->leaving && i < place->leaving->len; i++)
        if (((const Flight *)place->leaving->pdata[i])->receive_known)
            g_free(place->leaving->pdata[i]);
    for (guint i = 0; place->arriving && i < place->arriving->len; i++)
        g_free(place->arriving->pdata[i]);
    if (place->leaving)
        g_ptr_array_unref(place->leaving);
    if (place->arriving)
        g_ptr_array_unref(place->arriving);
    g_free(place->calls);
}

void analysis_messages_free(AnalysisMessages *messages)
{
    if (!messages)
        return;
    g_queue_clear_full(&messages->ready, g_free);
    for (uint32_t at = 0; at < messages->n; at++)
        free_place(&messages->places[at]);
    trace_cursor_free(messages->cursor);
    if (messages->locations)
        g_array_unref(messages->locations);
    g_free(messages->places);
    g_free(messages);
}
