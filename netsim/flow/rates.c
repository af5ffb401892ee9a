/* rates.c - rates of flows that share links: max-min fairness (Bertsekas and Gallager, "Data Networks", 1992, section
 * 6.5.2), computed anew only where something changes.
 *
 * Progressive filling defines the rates. The first medium to be full is the one with the least share for each of its
 * flows; ties go by number. Its flows get that rate, in whole bytes per second, which is the medium's level. What they
 * take is subtracted from the other media on their way. This goes on until every flow has a rate. A flow belongs to the
 * medium that set its rate; (rate, medium) is its key, and flows are filled in the order of keys.
 *
 * When flows begin or end, nothing can change that is filled before the first key that changes. So this is a sweep by
 * ascending key over the affected media, each of which is looked at by itself. level_of() computes where a medium would
 * be full if the other media were as they are known. A medium that would be full later than before releases its flows.
 * A medium at its level takes all flows that would be filled later. In both cases the other media on the way of these
 * flows are looked at again. Everything with a key below the sweep's current key is final. Therefore the result is that
 * of filling everything anew.
 *
 * If a change spreads so far that the sweep is more work than that, the sweep is abandoned. Then all flows that are
 * connected with the changed media, through shared media, are filled anew. How soon this happens depends on how the
 * last sweeps went.
 */
#include "netsim/core/core.h"
#include "netsim/flow/flow.h"
#include "netsim/params/params.h"

enum { FEW_CROSSINGS = 256, MOST_PATIENCE = 8 };

static uint64_t share_of(uint64_t left, uint64_t flows)
{
    return MAX(left / flows, 1);
}

static uint64_t take_away(uint64_t left, __uint128_t taken)
{
    return taken < left ? left - (uint64_t)taken : 0;
}

/* Returns the bandwidth, limited to less than FLOW_UNLIMITED, which is not a rate. */
static uint64_t capacity_of(const Network *net, uint32_t medium)
{
    return MIN(net->graph.link[medium].bandwidth, FLOW_UNLIMITED - 1);
}

/* -- media by rate, then by number ------------------------------------------------------------- */

static void queue_at(FlowState *state, uint64_t rate, uint32_t medium)
{
    if (state->n_filling == state->filling_capacity) {
        state->filling_capacity = MAX(2 * state->filling_capacity, 64);
        state->filling = g_renew(__uint128_t, state->filling, state->filling_capacity);
    }
    __uint128_t key = (__uint128_t)rate << 32 | medium, *heap = state->filling;
    uint32_t hole = state->n_filling++;
    for (; hole && key < heap[(hole - 1) / 2]; hole = (hole - 1) / 2)
        heap[hole] = heap[(hole - 1) / 2];
    heap[hole] = key;
}

static bool take_least(FlowState *state, uint64_t *rate, uint32_t *medium)
{
    if (!state->n_filling)
        return false;
    __uint128_t *heap = state->filling, last = heap[--state->n_filling];
    *rate = (uint64_t)(heap[0] >> 32);
    *medium = (uint32_t)heap[0];
    uint32_t hole = 0;
    for (uint32_t child; (child = 2 * hole + 1) < state->n_filling; hole = child) {
        child += child + 1 < state->n_filling && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = last;
    return true;
}

static bool is_filled_before(const FlowShare *share, uint64_t rate, uint32_t medium)
{
    return share->rate < rate || (share->rate == rate && share->limit < medium);
}

/* -- a flow alone ------------------------------------------------------------------------------- */

bool net_flow_is_idle(const Network *net, FlowState *state, uint32_t n_links)
{
    uint32_t idle = 0;
    for (; idle < n_links; idle++) {
        Medium *medium = &state->medium[flow_medium(net, state->route[idle])];
        if (medium->flows || medium->dirty || medium->met)
            break;
        medium->met = true;
    }
    for (uint32_t hop = 0; hop < idle; hop++)
        state->medium[flow_medium(net, state->route[hop])].met = false;
    return idle == n_links;
}

/* What the sweep would find: the medium with the least capacity, the lowest of several, limits the flow. */
void net_flow_rate_alone(const Network *net, FlowState *state, uint32_t index)
{
    const Stream *stream = &state->stream[index];
    FlowShare *share = &state->share[index];
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        uint32_t medium = flow_medium(net, stream->link[hop]);
        uint64_t rate = share_of(capacity_of(net, medium), 1);
        if (is_filled_before(share, rate, medium))
            continue;
        share->rate = rate;
        share->limit = medium;
    }
    state->medium[share->limit].level = share->rate;
}

/* -- by sweep ---------------------------------------------------------------------------------- */

/* Returns where a medium is full if the other media stay as they are. Each pass removes the flows that are filled
 * before the rate found so far. This leaves more for each of the others. */
static FlowLevel level_of(const Network *net, FlowState *state, uint32_t index)
{
    const Medium *medium = &state->medium[index];
    uint64_t capacity = capacity_of(net, index), open = medium->flows, left = capacity;
    while (open) {
        FlowLevel level = {.rate = share_of(left, open)};
        __uint128_t taken = 0;
        uint64_t filled = 0;
        for (uint32_t i = 0; i < medium->n; i++) {
            const FlowShare *share = &state->share[medium->crossing[i].stream];
            if (share->limit == index) {
                level.pending |= share->rate != level.rate;
            } else if (is_filled_before(share, level.rate, index)) {
                taken += (__uint128_t)share->rate * share->flows;
                filled += share->flows;
            } else {
                level.pending = true;
            }
        }
        state->work += medium->n;
        if (medium->flows - filled == open)
            return level;
        open = medium->flows - filled;
        left = take_away(capacity, taken);
    }
    return (FlowLevel){.rate = FLOW_UNLIMITED};
}

static void set_rate(const Network *net, FlowState *state, uint32_t index, uint64_t rate, uint32_t limit)
{
    const Stream *stream = &state->stream[index];
    state->share[index].rate = rate;
    state->share[index].limit = limit;
    net_flow_touch(state, index);
    for (uint32_t hop = 0; hop < stream->n_links; hop++)
        net_flow_note_dirty(state, flow_medium(net, stream->link[hop]));
}

static void let_go(const Network *net, FlowState *state, uint32_t index)
{
    Medium *medium = &state->medium[index];
    for (uint32_t i = 0; i < medium->n; i++)
        if (state->share[medium->crossing[i].stream].limit == index)
            set_rate(net, state, medium->crossing[i].stream, FLOW_UNLIMITED, NET_NONE);
    medium->level = FLOW_UNLIMITED;
    net_flow_note_dirty(state, index);
}

static void take_at(const Network *net, FlowState *state, uint32_t index, uint64_t rate)
{
    Medium *medium = &state->medium[index];
    for (uint32_t i = 0; i < medium->n; i++) {
        uint32_t number = medium->crossing[i].stream;
        const FlowShare *share = &state->share[number];
        if (share->limit == index ? share->rate != rate : !is_filled_before(share, rate, index))
            set_rate(net, state, number, rate, index);
    }
    medium->level = rate;
}

/* The sweep has come to (rate, index). Entries that have been superseded find nothing to do. */
static void visit(const Network *net, FlowState *state, uint32_t index, uint64_t rate)
{
    const Medium *medium = &state->medium[index];
    if (medium->coming.rate > rate && medium->level == rate)
        let_go(net, state, index);
    else if (medium->coming.rate == rate && (medium->coming.pending || medium->level != rate))
        take_at(net, state, index, rate);
}

/* Queues each dirty medium that is not at the level it should have, at the rate where the difference first shows. */
static void queue_dirty(const Network *net, FlowState *state)
{
    for (guint i = 0; i < state->dirty->len; i++) {
        uint32_t index = g_array_index(state->dirty, uint32_t, i);
        Medium *medium = &state->medium[index];
        medium->dirty = false;
        medium->coming = level_of(net, state, index);
        if (medium->coming.rate != medium->level || medium->coming.pending)
            queue_at(state, MIN(medium->coming.rate, medium->level), index);
    }
    g_array_set_size(state->dirty, 0);
}

/* Returns whether the sweep finished before it was more work than it saves. */
static bool sweep(const Network *net, FlowState *state)
{
    uint64_t rate;
    uint32_t medium;
    state->work = 0;
    queue_dirty(net, state);
    while (state->work <= state->patience * state->crossings + FEW_CROSSINGS && take_least(state, &rate, &medium)) {
        visit(net, state, medium, rate);
        queue_dirty(net, state);
    }
    return state->n_filling == 0;
}

/* -- all anew ---------------------------------------------------------------------------------- */

static void meet_medium(const Network *net, FlowState *state, uint32_t index)
{
    Medium *medium = &state->medium[index];
    if (medium->met)
        return;
    medium->met = true;
    medium->level = FLOW_UNLIMITED;
    medium->unfilled = medium->flows;
    medium->left = capacity_of(net, index);
    g_array_append_val(state->dirty, index);
    for (uint32_t i = 0; i < medium->n; i++) {
        uint32_t number = medium->crossing[i].stream;
        Stream *stream = &state->stream[number];
        if (stream->met)
            continue;
        stream->met = stream->again = true;
        g_array_append_val(state->connected, number);
    }
}

/* Breadth-first search over streams and media. The media found are left in state->dirty. */
static void find_connected(const Network *net, FlowState *state)
{
    g_array_set_size(state->connected, 0);
    for (guint i = 0; i < state->changed->len; i++)
        meet_medium(net, state, g_array_index(state->changed, uint32_t, i));
    for (guint i = 0; i < state->connected->len; i++) {
        const Stream *stream = &state->stream[g_array_index(state->connected, uint32_t, i)];
        for (uint32_t hop = 0; hop < stream->n_links; hop++)
            meet_medium(net, state, flow_medium(net, stream->link[hop]));
    }
}

static void queue_medium(FlowState *state, uint32_t index)
{
    const Medium *medium = &state->medium[index];
    if (medium->unfilled)
        queue_at(state, share_of(medium->left, medium->unfilled), index);
}

static void fill_stream(const Network *net, FlowState *state, uint32_t index, uint64_t rate, uint32_t limit)
{
    Stream *stream = &state->stream[index];
    uint32_t flows = state->share[index].flows;
    stream->again = false;
    state->share[index].rate = rate;
    state->share[index].limit = limit;
    net_flow_touch(state, index);
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        Medium *medium = &state->medium[flow_medium(net, stream->link[hop])];
        medium->left = take_away(medium->left, (__uint128_t)rate * flows);
        medium->unfilled -= flows;
    }
}

static void fill_medium(const Network *net, FlowState *state, uint32_t index, uint64_t rate)
{
    Medium *medium = &state->medium[index];
    medium->level = rate;
    for (uint32_t i = 0; i < medium->n; i++)
        if (state->stream[medium->crossing[i].stream].again)
            fill_stream(net, state, medium->crossing[i].stream, rate, index);
}

/* Fills all connected flows anew. Shares only grow meanwhile, so a medium whose share has grown since it was queued
 * goes back into the queue. */
static void fill_all(const Network *net, FlowState *state)
{
    uint64_t rate;
    uint32_t index;
    state->n_filling = 0;
    find_connected(net, state);
    for (guint i = 0; i < state->dirty->len; i++)
        queue_medium(state, g_array_index(state->dirty, uint32_t, i));
    while (take_least(state, &rate, &index)) {
        const Medium *medium = &state->medium[index];
        if (medium->unfilled && share_of(medium->left, medium->unfilled) > rate)
            queue_medium(state, index);
        else if (medium->unfilled)
            fill_medium(net, state, index, rate);
    }
    for (guint i = 0; i < state->dirty->len; i++)
        state->medium[g_array_index(state->dirty, uint32_t, i)].met = false;
    for (guint i = 0; i < state->connected->len; i++)
        state->stream[g_array_index(state->connected, uint32_t, i)].met = false;
    g_array_set_size(state->dirty, 0);
}

void net_flow_work_out_rates(const Network *net, FlowState *state)
{
    g_array_set_size(state->changed, 0);
    g_array_append_vals(state->changed, state->dirty->data, state->dirty->len);
    if (sweep(net, state)) {
        state->patience = MIN(2 * state->patience, MOST_PATIENCE);
        return;
    }
    state->patience = MAX(state->patience / 2, 1);
    fill_all(net, state);
}
