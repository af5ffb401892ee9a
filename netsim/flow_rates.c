/* flow_rates.c - rates of flows that share links: max-min fairness by progressive filling (Bertsekas and Gallager,
 * "Data Networks", 1992, section 6.5.2).
 *
 * Of all media, the one that has the least for each of its flows is full first: these flows have that rate, what they
 * take is taken from the other media on their way, and so on until every flow has one. Only flows that share media
 * with those that changed, directly or by way of others, can have another rate than before. Shares only grow while
 * flows are filled, so a queue by share serves: a medium whose share has grown since goes back into it.
 */
#include "netsim/flow.h"

/* A medium takes part from the first time that a flow of this round crosses it. */
static void meet_medium(const Network *net, FlowState *state, uint32_t index)
{
    Medium *medium = &state->medium[index];
    if (medium->round == state->round)
        return;
    medium->round = state->round;
    medium->unfilled = medium->n;
    medium->left = net->graph.link[index].bandwidth;
    for (uint32_t i = 0; i < medium->n; i++) {
        uint32_t flow = medium->crossing[i].flow;
        if (state->flow[flow].round == state->round)
            continue;
        state->flow[flow].round = state->round;
        state->flow[flow].filled = false;
        g_array_append_val(state->connected, flow);
    }
}

/* Breadth first over flows and media. */
static void find_connected(const Network *net, FlowState *state)
{
    g_array_set_size(state->connected, 0);
    state->round++;
    for (guint i = 0; i < state->changed->len; i++)
        meet_medium(net, state, g_array_index(state->changed, uint32_t, i));
    for (guint i = 0; i < state->connected->len; i++) {
        const Flow *flow = &state->flow[g_array_index(state->connected, uint32_t, i)];
        for (uint32_t hop = 0; hop < flow->n_links; hop++)
            meet_medium(net, state, flow_medium(net, flow->link[hop]));
    }
}

static uint64_t share_of(const Medium *medium)
{
    return MAX(medium->left / medium->unfilled, 1);
}

static void queue_medium(FlowState *state, uint32_t index)
{
    if (state->medium[index].unfilled)
        net_queue_push(state->filling, share_of(&state->medium[index]), 0, index, 0, 0);
}

static void fill_flow(const Network *net, FlowState *state, uint32_t index, uint64_t rate)
{
    Flow *flow = &state->flow[index];
    flow->filled = true;
    flow->rate = rate;
    for (uint32_t hop = 0; hop < flow->n_links; hop++) {
        Medium *medium = &state->medium[flow_medium(net, flow->link[hop])];
        medium->left -= MIN(medium->left, rate);
        medium->unfilled--;
    }
}

static void fill_medium(const Network *net, FlowState *state, const Medium *medium, uint64_t rate)
{
    for (uint32_t i = 0; i < medium->n; i++)
        if (!state->flow[medium->crossing[i].flow].filled)
            fill_flow(net, state, medium->crossing[i].flow, rate);
}

/* The media on a flow's way, each with the first flow that crosses it. */
static void queue_media(const Network *net, FlowState *state, uint32_t index)
{
    const Flow *flow = &state->flow[index];
    for (uint32_t hop = 0; hop < flow->n_links; hop++) {
        uint32_t medium = flow_medium(net, flow->link[hop]);
        if (flow->place[hop] == 0)
            queue_medium(state, medium);
    }
}

void flow_work_out_rates(const Network *net, FlowState *state)
{
    find_connected(net, state);
    for (guint i = 0; i < state->connected->len; i++) {
        uint32_t index = g_array_index(state->connected, uint32_t, i);
        state->flow[index].rate_before = state->flow[index].rate;
        queue_media(net, state, index);
    }
    NetEvent least;
    while (net_queue_pop(state->filling, &least)) {
        const Medium *medium = &state->medium[least.rank];
        if (medium->unfilled && share_of(medium) > least.time_ps)
            queue_medium(state, least.rank);
        else if (medium->unfilled)
            fill_medium(net, state, medium, least.time_ps);
    }
}
