/* streams.c - streams of flows with the same route: how they are found by their pair of nodes, entered into the lists
 * of the media on their way, and how their flows' ends are ordered. */
#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/flow/flow.h"
#include "netsim/params/params.h"

#include <string.h>

/* Mixes both halves of the key. g_direct_hash() would use the lower half only. */
static guint hash_pair(gconstpointer key)
{
    return (guint)((uint64_t)GPOINTER_TO_SIZE(key) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

FlowState *net_flow_state_new(uint32_t links)
{
    FlowState *state = g_new0(FlowState, 1);
    state->links = MAX(links, 1);
    state->order = net_order_new();
    state->medium = g_new0(Medium, state->links);
    for (uint32_t i = 0; i < state->links; i++)
        state->medium[i].level = FLOW_UNLIMITED;
    state->flows_on = g_new0(uint32_t, state->links);
    state->busy_since = g_new0(uint64_t, state->links);
    state->armed_ps = UINT64_MAX;
    state->patience = 1;
    state->between = g_hash_table_new(hash_pair, g_direct_equal);
    state->dirty = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->changed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->connected = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->route = g_new(uint32_t, FLOW_LONGEST_ROUTE);
    return state;
}

void net_flow_state_free(FlowState *state)
{
    for (uint32_t i = 0; i < state->links; i++)
        g_free(state->medium[i].crossing);
    for (uint32_t i = 0; i < state->streams.count; i++) {
        g_free(state->stream[i].link);
        g_free(state->stream[i].end);
    }
    g_free(state->stream);
    g_free(state->calendar);
    g_free(state->medium);
    g_free(state->flows_on);
    g_free(state->busy_since);
    g_free(state->route);
    g_hash_table_unref(state->between);
    g_array_unref(state->dirty);
    g_array_unref(state->changed);
    g_array_unref(state->touched);
    g_array_unref(state->connected);
    g_free(state->filling);
    g_free(state->share);
    net_order_free(state->order);
    g_free(state);
}

void net_flow_touch(FlowState *state, uint32_t stream)
{
    if (state->stream[stream].touched)
        return;
    state->stream[stream].touched = true;
    g_array_append_val(state->touched, stream);
}

void net_flow_note_dirty(FlowState *state, uint32_t medium)
{
    if (state->medium[medium].dirty)
        return;
    state->medium[medium].dirty = true;
    g_array_append_val(state->dirty, medium);
}

/* -- by pair of nodes -------------------------------------------------------------------------- */

static gpointer pair_key(uint32_t from, uint32_t to)
{
    return GSIZE_TO_POINTER((uint64_t)from << 32 | to);
}

/* The table stores indices + 1, so a missing entry becomes NET_NONE. */
static uint32_t first_between(const FlowState *state, uint32_t from, uint32_t to)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(state->between, pair_key(from, to))) - 1;
}

static void set_first_between(FlowState *state, uint32_t from, uint32_t to, uint32_t stream)
{
    if (stream == NET_NONE)
        g_hash_table_remove(state->between, pair_key(from, to));
    else
        g_hash_table_insert(state->between, pair_key(from, to), GUINT_TO_POINTER(stream + 1));
}

/* Takes a slot for a stream. A slot that has never been used is zeroed. */
static uint32_t take_stream(FlowState *state)
{
    BasePool before = state->streams;
    uint32_t index = BASE_POOL_TAKE(&state->streams, state->stream);
    if (state->streams.capacity > before.capacity) {
        state->share = g_renew(FlowShare, state->share, state->streams.capacity);
        state->calendar = g_renew(FlowDate, state->calendar, state->streams.capacity);
    }
    if (state->streams.count > before.count)
        state->stream[index] = (Stream){0};
    return index;
}

static uint32_t add_crossing(Medium *medium, Crossing crossing)
{
    if (medium->n == medium->capacity) {
        medium->capacity = MAX(2 * medium->capacity, 4);
        medium->crossing = g_renew(Crossing, medium->crossing, medium->capacity);
    }
    medium->crossing[medium->n] = crossing;
    return medium->n++;
}

static void list_stream(FlowState *state, uint32_t index)
{
    Stream *stream = &state->stream[index];
    stream->unlisted = false;
    stream->next = first_between(state, stream->from, stream->to);
    set_first_between(state, stream->from, stream->to, index);
}

/* Adds a stream. It keeps two things of the slot's previous stream: its memory, and whether it is in FlowState.touched.
 */
static uint32_t add_stream(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links,
                           bool unlisted)
{
    uint32_t index = take_stream(state);
    Stream *stream = &state->stream[index];
    state->share[index] = (FlowShare){.rate = FLOW_UNLIMITED, .limit = NET_NONE};
    *stream = (Stream){.touched = stream->touched,
                       .n_links = n_links,
                       .link = stream->link,
                       .room = stream->room,
                       .end = stream->end,
                       .capacity = stream->capacity,
                       .from = from,
                       .to = to,
                       .unlisted = unlisted,
                       .next = NET_NONE,
                       .calendar = NET_NONE};
    if (stream->room < n_links) {
        stream->room = MAX(n_links, 8);
        stream->link = g_renew(uint32_t, stream->link, 2 * (gsize)stream->room);
    }
    stream->place = stream->link + n_links;
    memcpy(stream->link, state->route, n_links * sizeof *stream->link);
    if (!unlisted)
        list_stream(state, index);
    state->crossings += n_links;
    for (uint32_t hop = 0; hop < n_links; hop++)
        stream->place[hop] = add_crossing(&state->medium[flow_medium(net, stream->link[hop])], (Crossing){index, hop});
    return index;
}

uint32_t net_flow_new_stream_alone(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links)
{
    return add_stream(net, state, from, to, n_links, true);
}

/* Another stream is about to cross the media of the route. What crosses them alone must be found from now on. */
static void list_met(const Network *net, FlowState *state, uint32_t n_links)
{
    for (uint32_t hop = 0; hop < n_links; hop++) {
        const Medium *medium = &state->medium[flow_medium(net, state->route[hop])];
        if (medium->n == 1 && state->stream[medium->crossing[0].stream].unlisted)
            list_stream(state, medium->crossing[0].stream);
    }
}

uint32_t net_flow_find_stream(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links)
{
    list_met(net, state, n_links);
    for (uint32_t i = first_between(state, from, to); i != NET_NONE; i = state->stream[i].next)
        if (state->stream[i].n_links == n_links &&
            memcmp(state->stream[i].link, state->route, n_links * sizeof *state->route) == 0)
            return i;
    return add_stream(net, state, from, to, n_links, false);
}

static void strike_stream(FlowState *state, uint32_t index)
{
    const Stream *stream = &state->stream[index];
    uint32_t first = first_between(state, stream->from, stream->to);
    if (first == index) {
        set_first_between(state, stream->from, stream->to, stream->next);
    } else {
        while (state->stream[first].next != index)
            first = state->stream[first].next;
        state->stream[first].next = stream->next;
    }
}

void net_flow_remove_stream(const Network *net, FlowState *state, uint32_t index)
{
    Stream *stream = &state->stream[index];
    assert(!state->share[index].flows);
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        Medium *medium = &state->medium[flow_medium(net, stream->link[hop])];
        uint32_t at = stream->place[hop];
        Crossing moved = medium->crossing[at] = medium->crossing[--medium->n];
        state->stream[moved.stream].place[moved.hop] = at;
    }
    state->crossings -= stream->n_links;
    if (!stream->unlisted)
        strike_stream(state, index);
    net_flow_drop_date(state, index);
    BASE_POOL_GIVE(&state->streams, state->stream, index);
}

/* -- ends -------------------------------------------------------------------------------------- */

static bool ends_before(const FlowEnd *a, const FlowEnd *b)
{
    return a->at < b->at || (a->at == b->at && a->sequence < b->sequence);
}

void net_flow_push_end(FlowState *state, uint32_t index, FlowEnd end)
{
    Stream *stream = &state->stream[index];
    uint32_t hole = state->share[index].flows++;
    if (hole == stream->capacity) {
        stream->capacity = MAX(2 * stream->capacity, 1);
        stream->end = g_renew(FlowEnd, stream->end, stream->capacity);
    }
    for (; hole && ends_before(&end, &stream->end[(hole - 1) / 2]); hole = (hole - 1) / 2)
        stream->end[hole] = stream->end[(hole - 1) / 2];
    stream->end[hole] = end;
}

FlowEnd net_flow_pop_end(FlowState *state, uint32_t index)
{
    Stream *stream = &state->stream[index];
    assert(state->share[index].flows);
    uint32_t flows = --state->share[index].flows;
    FlowEnd first = stream->end[0], last = stream->end[flows];
    uint32_t hole = 0;
    for (uint32_t child; (child = 2 * hole + 1) < flows; hole = child) {
        if (child + 1 < flows && ends_before(&stream->end[child + 1], &stream->end[child]))
            child++;
        if (!ends_before(&stream->end[child], &last))
            break;
        stream->end[hole] = stream->end[child];
    }
    stream->end[hole] = last;
    return first;
}
