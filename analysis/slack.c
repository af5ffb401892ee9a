/* slack.c - by how much everything could be later without the run ending later.
 *
 * Backwards in time, over all locations together: at its end a location may be as much later as the run ends after it.
 * Computing and work keep that. A wait for others adds its own length, since it would shrink. Where a message was sent,
 * it may not be later than its use at the receiver allows: the slack there and what it lay about before.
 */
#include "analysis/run.h"

#include <string.h>

typedef struct Front { /* where the sweep is in a location */
    uint64_t time_ps, slack_ps;
    uint32_t slots, sends, uses; /* that are left */
    bool loose;                  /* the interval below */
} Front;

typedef struct Sweep {
    AnalysisRun *run;
    AnalysisPathLocation *locations;
    Front *fronts;
    uint32_t *heap; /* locations by their next points, the latest first */
    uint32_t n_heap;
} Sweep;

static RunMessage *message_at(const Sweep *sweep, const GArray *numbers, uint32_t left)
{
    return left ? &g_array_index(sweep->run->messages, RunMessage, g_array_index(numbers, uint32_t, left - 1)) : NULL;
}

/* Returns the time of the location's next point plus 1; 0: there is none. */
static uint64_t next_of(const Sweep *sweep, uint32_t at)
{
    const RunLocation *location = &sweep->run->locations[at];
    const Front *front = &sweep->fronts[at];
    const RunMessage *use = message_at(sweep, location->uses, front->uses),
                     *send = message_at(sweep, location->sends, front->sends);
    uint64_t next = front->slots ? run_slot(location, front->slots - 1)->to_ps + 1 : 0;
    next = MAX(next, use ? use->used_ps + 1 : 0);
    return MAX(next, send ? send->sent_ps + 1 : 0);
}

/* -- the heap ---------------------------------------------------------------------------------- */

static bool before(const Sweep *sweep, uint32_t a, uint32_t b)
{
    uint64_t x = next_of(sweep, a), y = next_of(sweep, b);
    return x != y ? x > y : a < b;
}

static void sink(Sweep *sweep, uint32_t at)
{
    for (;;) {
        uint32_t first = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < sweep->n_heap; child++)
            if (before(sweep, sweep->heap[child], sweep->heap[first]))
                first = child;
        if (first == at)
            return;
        uint32_t moved = sweep->heap[at];
        sweep->heap[at] = sweep->heap[first];
        sweep->heap[first] = moved;
        at = first;
    }
}

/* -- points ------------------------------------------------------------------------------------ */

static void advance(Front *front, uint64_t time_ps)
{
    if (time_ps >= front->time_ps)
        return;
    if (front->loose)
        front->slack_ps += front->time_ps - time_ps;
    front->time_ps = time_ps;
}

/* A wait for somebody who was late, which no message ended: he may not be later either. */
static void bind_peer(Sweep *sweep, const RunSlot *slot, const Front *front)
{
    if (!slot->told || slot->message || slot->peer >= sweep->run->n || !slot->loose)
        return;
    Front *peer = &sweep->fronts[slot->peer];
    advance(peer, slot->to_ps);
    peer->slack_ps = MIN(peer->slack_ps, front->slack_ps);
}

static void pass_slot(Sweep *sweep, uint32_t at)
{
    Front *front = &sweep->fronts[at];
    const RunSlot *slot = run_slot(&sweep->run->locations[at], --front->slots);
    advance(front, slot->to_ps);
    front->loose = slot->loose;
    bind_peer(sweep, slot, front);
    if (slot->loose)
        return;
    AnalysisLine *line = run_line(sweep->run, slot->line);
    line->slack_ps = MIN(line->slack_ps, front->slack_ps);
    sweep->locations[at].slack_ps = MIN(sweep->locations[at].slack_ps, front->slack_ps);
}

/* At one time: uses, then sends, then the interval that ends. */
static void pass_point(Sweep *sweep, uint32_t at)
{
    Front *front = &sweep->fronts[at];
    const RunLocation *location = &sweep->run->locations[at];
    uint64_t time_ps = next_of(sweep, at) - 1;
    RunMessage *use = message_at(sweep, location->uses, front->uses),
               *send = message_at(sweep, location->sends, front->sends);
    if (use && use->used_ps == time_ps) {
        front->uses--;
        advance(front, time_ps);
        use->slack_ps = front->slack_ps + (time_ps - use->delivered_ps);
    } else if (send && send->sent_ps == time_ps) {
        front->sends--;
        advance(front, time_ps);
        front->slack_ps = MIN(front->slack_ps, send->slack_ps);
    } else {
        pass_slot(sweep, at);
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

static void begin(Sweep *sweep, uint32_t at, uint64_t makespan_ps)
{
    const RunLocation *location = &sweep->run->locations[at];
    uint64_t end_ps = sweep->locations[at].end_ps;
    sweep->locations[at].slack_ps = makespan_ps - end_ps;
    sweep->fronts[at] = (Front){.time_ps = end_ps,
                                .slack_ps = makespan_ps - end_ps,
                                .slots = location->slots->len,
                                .sends = location->sends ? location->sends->len : 0,
                                .uses = location->uses ? location->uses->len : 0};
    if (next_of(sweep, at))
        sweep->heap[sweep->n_heap++] = at;
}

void analysis_run_slack(AnalysisRun *run, uint64_t makespan_ps, AnalysisPathLocation *locations)
{
    Sweep sweep = {.run = run,
                   .locations = locations,
                   .fronts = g_new0(Front, MAX(1, run->n)),
                   .heap = g_new(uint32_t, MAX(1, run->n))};
    for (uint32_t at = 0; at < run->n; at++)
        begin(&sweep, at, makespan_ps);
    for (uint32_t at = sweep.n_heap / 2; at-- > 0;)
        sink(&sweep, at);
    while (sweep.n_heap) {
        uint32_t at = sweep.heap[0];
        pass_point(&sweep, at);
        if (!next_of(&sweep, at))
            sweep.heap[0] = sweep.heap[--sweep.n_heap];
        sink(&sweep, 0);
    }
    for (guint i = 0; i < run->lines->len; i++)
        if (run_line(run, i)->path_ps)
            run_line(run, i)->slack_ps = 0;
    g_free(sweep.fronts);
    g_free(sweep.heap);
}
