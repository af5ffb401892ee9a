/* states.c - what each location did at each time.
 *
 *     events of a location        pause     wait  wait  call            call   ended
 *     intervals       computing | paused | overhead, waiting, overhead | ... | computing
 *
 * An event tells of the time before it, so it gives intervals whose ends may lie behind those of other locations. They
 * wait in a heap until every location has come as far; a tree over the locations knows the one that is behind.
 */
#include "analysis/homes.h"

#include <string.h>

typedef struct Wait { /* told, and its call is not over yet */
    uint64_t from_ps, to_ps, message;
    const char *cause;
    uint32_t peer;
} Wait;

typedef struct Place { /* a location */
    uint64_t done_ps;  /* its intervals reach up to here; UINT64_MAX: it has ended, or is not wanted */
    uint32_t after;    /* place of its last call */
    uint32_t home;     /* the location at which its messages arrive: that of its rank */
    uint32_t sibling;  /* next location of its rank; ANALYSIS_NOBODY: none */
    bool begun;        /* it has intervals, or begins with the run */
    bool ended;
    uint64_t arrived_ps, sent_ps, message; /* of the last message that has arrived */
    uint32_t sender;
    bool inner;       /* that one belongs to a collective operation */
    GArray *waits;    /* Wait */
    GArray *unplaced; /* AnalysisInterval: pauses, before the call that follows is known; NULL: none */
} Place;

struct AnalysisStates {
    TraceReader *reader;
    TraceCursor *cursor;
    TraceSelection selection;
    GArray *locations; /* own copy of the selection's */
    Place *places;
    uint32_t n, leaves;
    uint64_t *least; /* tree over done_ps of the locations: [1] is the least of all */
    GArray *heap;    /* AnalysisInterval */
    bool drained;    /* there are no more events */
    bool any_order;  /* the heap is a queue */
    guint given;     /* of the queue */
    GArray *endings; /* Ending: ranks that have ended, whose threads may still have something to tell of then */
    GError *error;
};

typedef struct Ending {
    uint32_t location;
    uint64_t time_ps;
} Ending;

static const char *const state_names[] = {
#define ANALYSIS_STATE(identifier, name, help) name,
#include "analysis/states.def"
};

const char *analysis_state_name(AnalysisState state)
{
    return state_names[state];
}

/* -- the heap of intervals --------------------------------------------------------------------- */

static bool before(const AnalysisInterval *a, const AnalysisInterval *b)
{
    return a->to_ps != b->to_ps ? a->to_ps < b->to_ps : a->location < b->location;
}

static void heap_add(GArray *heap, const AnalysisInterval *interval)
{
    g_array_append_vals(heap, interval, 1);
    AnalysisInterval *all = (AnalysisInterval *)(void *)heap->data;
    guint at = heap->len - 1;
    for (; at > 0 && before(interval, &all[(at - 1) / 2]); at = (at - 1) / 2)
        all[at] = all[(at - 1) / 2];
    all[at] = *interval;
}

static AnalysisInterval heap_take(GArray *heap)
{
    AnalysisInterval *all = (AnalysisInterval *)(void *)heap->data;
    AnalysisInterval first = all[0], last = all[heap->len - 1];
    g_array_set_size(heap, heap->len - 1);
    guint at = 0;
    for (guint child = 1; child < heap->len; child = 2 * at + 1) {
        if (child + 1 < heap->len && before(&all[child + 1], &all[child]))
            child++;
        if (!before(&all[child], &last))
            break;
        all[at] = all[child];
        at = child;
    }
    if (heap->len)
        all[at] = last;
    return first;
}

/* -- the location that is behind ---------------------------------------------------------------- */

static void set_done(AnalysisStates *states, uint32_t location, uint64_t done_ps)
{
    states->places[location].done_ps = done_ps;
    uint32_t at = states->leaves + location;
    states->least[at] = done_ps;
    for (at /= 2; at; at /= 2) {
        uint64_t least = MIN(states->least[2 * at], states->least[2 * at + 1]);
        if (states->least[at] == least)
            return;
        states->least[at] = least;
    }
}

/* -- intervals --------------------------------------------------------------------------------- */

/* Adds an interval that goes on to `to_ps` from where the location's last one ended. */
static void add(AnalysisStates *states, uint32_t location, uint64_t to_ps, const AnalysisInterval *what)
{
    Place *place = &states->places[location];
    if (to_ps <= place->done_ps)
        return;
    AnalysisInterval interval = *what;
    interval.location = location;
    interval.from_ps = MAX(place->done_ps, states->selection.from_ps);
    interval.to_ps = MIN(to_ps, states->selection.to_ps);
    if (interval.from_ps < interval.to_ps && states->any_order)
        g_array_append_val(states->heap, interval);
    else if (interval.from_ps < interval.to_ps)
        heap_add(states->heap, &interval);
    place->done_ps = to_ps; /* the tree follows when all of the event's intervals are there */
}

/* Adds what comes before a call (or the end) that begins at from_ps: computing, and the pauses in it. */
static void add_outside(AnalysisStates *states, uint32_t location, uint64_t from_ps, const char *function,
                        uint32_t site)
{
    Place *place = &states->places[location];
    AnalysisInterval computing = {.state = ANALYSIS_COMPUTING,
                                  .function = function,
                                  .site = site,
                                  .after = place->after,
                                  .peer = ANALYSIS_NOBODY};
    for (guint i = 0; place->unplaced && i < place->unplaced->len; i++) {
        AnalysisInterval paused = g_array_index(place->unplaced, AnalysisInterval, i);
        paused.function = function;
        paused.site = site;
        paused.after = place->after;
        add(states, location, paused.from_ps, &computing);
        add(states, location, paused.to_ps, &paused);
    }
    if (place->unplaced)
        g_array_set_size(place->unplaced, 0);
    add(states, location, from_ps, &computing);
}

/* A location that begins later than the run has its first interval. */
static void begin(AnalysisStates *states, uint32_t location, uint64_t from_ps)
{
    Place *place = &states->places[location];
    if (place->begun)
        return;
    place->begun = true;
    place->done_ps = MAX(place->done_ps, from_ps);
}

static void take_pause(AnalysisStates *states, const TraceEvent *event)
{
    Place *place = &states->places[event->location];
    AnalysisInterval paused = {.state = ANALYSIS_PAUSED,
                               .from_ps = event->fields[TRACE_PAUSE_FROM],
                               .to_ps = event->time_ps,
                               .cause = trace_reader_text(states->reader, event->fields[TRACE_PAUSE_WHY]),
                               .peer = ANALYSIS_NOBODY};
    begin(states, event->location, paused.from_ps);
    if (!place->unplaced)
        place->unplaced = g_array_new(FALSE, FALSE, sizeof paused);
    g_array_append_val(place->unplaced, paused);
}

static void take_wait(AnalysisStates *states, const TraceEvent *event)
{
    Place *place = &states->places[event->location];
    uint32_t peer = (uint32_t)event->fields[TRACE_WAIT_PEER];
    Wait wait = {.from_ps = event->fields[TRACE_WAIT_FROM],
                 .to_ps = event->time_ps,
                 .message = event->fields[TRACE_WAIT_MESSAGE],
                 .cause = trace_reader_text(states->reader, event->fields[TRACE_WAIT_CAUSE]),
                 .peer = peer == event->location || peer >= states->n ? ANALYSIS_NOBODY : peer};
    if (!place->waits)
        place->waits = g_array_new(FALSE, FALSE, sizeof wait);
    g_array_append_val(place->waits, wait);
}

/* Adds the waits of a call as the trace tells them, with overhead between them. */
static void add_told(AnalysisStates *states, uint32_t location, const AnalysisInterval *overhead)
{
    Place *place = &states->places[location];
    for (guint i = 0; i < place->waits->len; i++) {
        const Wait *wait = &g_array_index(place->waits, Wait, i);
        AnalysisInterval waiting = *overhead;
        waiting.state = ANALYSIS_WAITING;
        waiting.cause = wait->cause;
        waiting.peer = wait->peer;
        waiting.message = wait->message;
        waiting.told = true;
        if (strcmp(wait->cause, "program") == 0) { /* functions of the program: they compute, as --stats has it */
            waiting = *overhead;
            waiting.state = ANALYSIS_COMPUTING;
        }
        add(states, location, MIN(wait->from_ps, overhead->to_ps), overhead);
        add(states, location, MIN(wait->to_ps, overhead->to_ps), &waiting);
    }
    g_array_set_size(place->waits, 0);
}

/* The trace tells no waits of the call: it was blocked for so long up to the arrival of the last message in it, or to
 * its end. Before the message was sent, it waited for the sender; then, for the network. */
static void add_worked_out(AnalysisStates *states, uint32_t location, const AnalysisInterval *overhead,
                           uint64_t from_ps, uint64_t blocked_ps)
{
    const Place *home = &states->places[states->places[location].home];
    bool arrived = home->message && home->arrived_ps > from_ps && home->arrived_ps <= overhead->to_ps;
    uint64_t until_ps = MAX(arrived ? home->arrived_ps : overhead->to_ps, from_ps + blocked_ps);
    AnalysisInterval waiting = *overhead;
    waiting.state = ANALYSIS_WAITING;
    waiting.cause = "other";
    add(states, location, until_ps - blocked_ps, overhead);
    if (arrived) {
        waiting.peer = home->sender;
        waiting.message = home->message;
        waiting.cause = home->inner ? "wait at collective" : "late sender";
        add(states, location, MIN(home->sent_ps, until_ps), &waiting);
        waiting.cause = "transfer";
    }
    add(states, location, until_ps, &waiting);
}

static void take_call(AnalysisStates *states, const TraceEvent *event)
{
    Place *place = &states->places[event->location];
    uint64_t from_ps = event->fields[TRACE_CALL_FROM], blocked_ps = event->fields[TRACE_CALL_BLOCKED];
    AnalysisInterval overhead = {.state = ANALYSIS_OVERHEAD,
                                 .to_ps = event->time_ps,
                                 .function = trace_reader_text(states->reader, event->fields[TRACE_CALL_FUNCTION]),
                                 .site = (uint32_t)event->fields[TRACE_CALL_SITE],
                                 .peer = ANALYSIS_NOBODY};
    begin(states, event->location, from_ps);
    add_outside(states, event->location, from_ps, overhead.function, overhead.site);
    from_ps = MAX(from_ps, place->done_ps);
    blocked_ps = MIN(blocked_ps, event->time_ps - MIN(from_ps, event->time_ps));
    if (place->waits && place->waits->len)
        add_told(states, event->location, &overhead);
    else if (blocked_ps)
        add_worked_out(states, event->location, &overhead, from_ps, blocked_ps);
    add(states, event->location, event->time_ps, &overhead);
    place->after = overhead.site;
    set_done(states, event->location, place->done_ps);
}

static void take_message(AnalysisStates *states, const TraceEvent *event)
{
    Place *place = &states->places[event->location];
    if (event->time_ps < place->arrived_ps)
        return;
    place->arrived_ps = event->time_ps;
    place->sent_ps = event->fields[TRACE_MESSAGE_SENT];
    place->message = event->fields[TRACE_MESSAGE_ID];
    place->sender = (uint32_t)MIN(event->fields[TRACE_MESSAGE_SENDER], states->n);
    if (place->sender == states->n)
        place->sender = ANALYSIS_NOBODY;
    place->inner = (int64_t)event->fields[TRACE_MESSAGE_TAG] < 0;
}

/* A thread is over with its rank, and nothing tells when it has. What is known goes up to its last pause; if it never
 * paused, it has computed all the time. */
static void end_with_rank(AnalysisStates *states, uint32_t location, uint64_t end_ps)
{
    const Place *place = &states->places[location];
    bool paused = place->unplaced && place->unplaced->len;
    if (paused)
        end_ps = g_array_index(place->unplaced, AnalysisInterval, place->unplaced->len - 1).to_ps;
    if (place->begun && !place->ended && (paused || !place->after))
        add_outside(states, location, end_ps, "", 0);
}

/* A rank has ended, and its threads with it; or one of these. */
static void take_end(AnalysisStates *states, const TraceEvent *event)
{
    Place *place = &states->places[event->location];
    Ending ending = {event->location, event->time_ps};
    begin(states, event->location, event->time_ps);
    add_outside(states, event->location, event->time_ps, "", 0);
    place->ended = true;
    set_done(states, event->location, UINT64_MAX);
    if (place->home == event->location && place->sibling != ANALYSIS_NOBODY)
        g_array_append_val(states->endings, ending);
}

/* Ends the threads of ranks that have ended before time_ps. */
static void end_threads(AnalysisStates *states, uint64_t time_ps)
{
    guint kept = 0;
    for (guint i = 0; i < states->endings->len; i++) {
        Ending ending = g_array_index(states->endings, Ending, i);
        if (ending.time_ps >= time_ps) {
            g_array_index(states->endings, Ending, kept++) = ending;
            continue;
        }
        for (uint32_t at = states->places[ending.location].sibling; at != ANALYSIS_NOBODY;
             at = states->places[at].sibling) {
            if (!states->places[at].ended)
                end_with_rank(states, at, ending.time_ps);
            states->places[at].ended = true;
            set_done(states, at, UINT64_MAX);
        }
    }
    g_array_set_size(states->endings, kept);
}

static void take(AnalysisStates *states, const TraceEvent *event)
{
    if (event->location >= states->n || states->places[event->location].ended)
        return;
    switch (event->kind) {
    case TRACE_PAUSE: take_pause(states, event); break;
    case TRACE_WAIT: take_wait(states, event); break;
    case TRACE_CALL: take_call(states, event); break;
    case TRACE_MESSAGE: take_message(states, event); break;
    case TRACE_STARTED: begin(states, event->location, event->time_ps); break;
    case TRACE_ENDED: take_end(states, event); break;
    default: break;
    }
}

/* -- the end ----------------------------------------------------------------------------------- */

/* A location of which nothing is told up to the end of the selected time computes there, if something is told later.
 * Reads on until that is known of all. */
static void add_tails(AnalysisStates *states)
{
    if (states->selection.to_ps == UINT64_MAX)
        return;
    uint32_t open = 0;
    for (uint32_t at = 0; at < states->n; at++)
        open += states->places[at].done_ps < states->selection.to_ps;
    TraceSelection later = states->selection;
    later.from_ps = later.to_ps;
    later.to_ps = UINT64_MAX;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(states->reader, &later);
    TraceEvent event;
    while (open && trace_cursor_next(cursor, &event)) {
        if (event.location >= states->n || !states->places[event.location].begun ||
            states->places[event.location].done_ps >= states->selection.to_ps || event.kind == TRACE_MESSAGE)
            continue;
        bool call = event.kind == TRACE_CALL;
        add_outside(states, event.location, states->selection.to_ps,
                    call ? trace_reader_text(states->reader, event.fields[TRACE_CALL_FUNCTION]) : "",
                    call ? (uint32_t)event.fields[TRACE_CALL_SITE] : 0);
        open--;
    }
    trace_cursor_end(cursor, &states->error);
}

/* -- the iterator ------------------------------------------------------------------------------ */

/* Threads of a rank are linked to the rank's own location. */
static void place_all(AnalysisStates *states)
{
    g_autofree uint32_t *homes = analysis_homes(states->reader, states->n);
    const char *ranks = trace_reader_note(states->reader, "ranks");
    uint64_t beginning = ranks ? g_ascii_strtoull(ranks, NULL, 10) : UINT64_MAX;
    for (uint32_t at = 0; at < states->n; at++)
        states->places[at] =
            (Place){.home = homes[at], .sibling = ANALYSIS_NOBODY, .begun = homes[at] == at && at < beginning};
    for (uint32_t at = 0; at < states->n; at++) {
        if (homes[at] == at)
            continue;
        states->places[at].sibling = states->places[homes[at]].sibling;
        states->places[homes[at]].sibling = at;
    }
}

/* Locations that are not wanted are ahead of all others. */
static void begin_tree(AnalysisStates *states)
{
    for (states->leaves = 1; states->leaves < states->n;)
        states->leaves *= 2;
    states->least = g_new(uint64_t, 2 * (gsize)states->leaves);
    memset(states->least, 0xff, 2 * (gsize)states->leaves * sizeof *states->least);
    for (uint32_t at = 0; at < states->n; at++)
        states->places[at].done_ps = states->locations ? UINT64_MAX : 0;
    for (guint i = 0; states->locations && i < states->locations->len; i++)
        if (g_array_index(states->locations, uint32_t, i) < states->n)
            states->places[g_array_index(states->locations, uint32_t, i)].done_ps = 0;
    for (uint32_t at = 0; at < states->n; at++)
        states->least[states->leaves + at] = states->places[at].done_ps;
    for (uint32_t at = states->leaves; at-- > 1;)
        states->least[at] = MIN(states->least[2 * at], states->least[2 * at + 1]);
}

AnalysisStates *analysis_states_new(TraceReader *reader, const TraceSelection *selection)
{
    AnalysisStates *states = g_new0(AnalysisStates, 1);
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    states->reader = reader;
    states->selection = *selection;
    states->locations = selection->locations ? g_array_copy((GArray *)selection->locations) : NULL;
    states->selection.locations = states->locations;
    states->selection.kinds = UINT64_C(1) << TRACE_PAUSE | UINT64_C(1) << TRACE_CALL | UINT64_C(1) << TRACE_MESSAGE |
                              UINT64_C(1) << TRACE_ENDED | UINT64_C(1) << TRACE_WAIT | UINT64_C(1) << TRACE_STARTED;
    states->n = summary.locations;
    states->places = g_new(Place, MAX(1, states->n));
    states->heap = g_array_new(FALSE, FALSE, sizeof(AnalysisInterval));
    states->endings = g_array_new(FALSE, FALSE, sizeof(Ending));
    place_all(states);
    begin_tree(states);
    states->cursor = trace_cursor_new(reader, &states->selection);
    return states;
}

static bool is_settled(const AnalysisStates *states)
{
    if (states->any_order)
        return states->given < states->heap->len;
    return states->heap->len &&
           (states->drained || g_array_index(states->heap, AnalysisInterval, 0).to_ps <= states->least[1]);
}

static void drain(AnalysisStates *states)
{
    end_threads(states, UINT64_MAX);
    states->drained = true;
    if (trace_cursor_end(states->cursor, &states->error))
        add_tails(states);
}

static AnalysisInterval queue_take(AnalysisStates *states)
{
    AnalysisInterval first = g_array_index(states->heap, AnalysisInterval, states->given++);
    if (states->given == states->heap->len) {
        g_array_set_size(states->heap, 0);
        states->given = 0;
    }
    return first;
}

bool analysis_states_next(AnalysisStates *states, AnalysisInterval *interval)
{
    TraceEvent event;
    while (!is_settled(states)) {
        if (states->drained)
            return false;
        if (trace_cursor_next(states->cursor, &event)) {
            if (G_UNLIKELY(states->endings->len))
                end_threads(states, event.time_ps);
            take(states, &event);
        } else
            drain(states);
    }
    *interval = states->any_order ? queue_take(states) : heap_take(states->heap);
    return true;
}

void analysis_states_any_order(AnalysisStates *states)
{
    states->any_order = true;
}

bool analysis_states_end(const AnalysisStates *states, GError **error)
{
    if (states->error)
        g_propagate_error(error, g_error_copy(states->error));
    return !states->error;
}

void analysis_states_free(AnalysisStates *states)
{
    if (!states)
        return;
    for (uint32_t at = 0; at < states->n; at++) {
        if (states->places[at].waits)
            g_array_unref(states->places[at].waits);
        if (states->places[at].unplaced)
            g_array_unref(states->places[at].unplaced);
    }
    trace_cursor_free(states->cursor);
    g_clear_error(&states->error);
    g_array_unref(states->heap);
    g_array_unref(states->endings);
    if (states->locations)
        g_array_unref(states->locations);
    g_free(states->least);
    g_free(states->places);
    g_free(states);
}
