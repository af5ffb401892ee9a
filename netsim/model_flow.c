/* model_flow.c - messages as flows that share the links on their way, at max-min fair rates. Explicitly ordered.
 *
 * A message flows along its route at one rate, the same on all its links; rates change when a flow begins or ends
 * (flow_rates.c), at once everywhere.
 *
 *   INJECT  a flow begins        HOP  a flow ends, or its last byte arrives        GRANT  rates are worked out anew
 *
 * All that begins and ends at a time comes before the one GRANT of that time. Rates are whole bytes per second; what a
 * flow has left is counted in 10^-12 bytes, so that rate times picoseconds is exact and no rounding adds up. The
 * latencies of links and routers follow the last byte.
 *
 * Leaves out packets, buffers, and the time that it takes until rates have adjusted: good for long messages, far too
 * kind to short ones that meet.
 */
#include "netsim/flow.h"

#include <string.h>

#define UNITS   ((__uint128_t)NET_PS_PER_S) /* in a byte */
#define ARRIVAL UINT64_MAX                  /* version in the event of a last byte's arrival; `a` is the message */
enum { LONGEST_ROUTE = 1 << 16 };

static void *start(Network *net)
{
    FlowState *state = g_new0(FlowState, 1);
    uint32_t links = MAX(net->graph.links, 1);
    state->links = links;
    state->order = net_order_new();
    state->medium = g_new0(Medium, links);
    state->flows_on = g_new0(uint32_t, links);
    state->busy_since = g_new0(uint64_t, links);
    state->free_flow = NET_NONE;
    state->changed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->connected = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->filling = net_queue_new();
    state->route = g_new(uint32_t, LONGEST_ROUTE);
    return state;
}

static void clear_flow(Flow *flow)
{
    g_free(flow->link);
    g_free(flow->place);
    *flow = (Flow){.version = flow->version + 1};
}

static void stop(void *pointer)
{
    FlowState *state = pointer;
    for (uint32_t i = 0; i < state->links; i++)
        g_free(state->medium[i].crossing);
    for (uint32_t i = 0; i < state->n_flows; i++)
        clear_flow(&state->flow[i]);
    g_free(state->flow);
    g_free(state->medium);
    g_free(state->flows_on);
    g_free(state->busy_since);
    g_free(state->route);
    g_array_unref(state->changed);
    g_array_unref(state->connected);
    net_queue_free(state->filling);
    net_order_free(state->order);
    g_free(state);
}

/* -- flows and the media on their way -------------------------------------------------------------------------------
 */

static uint32_t take_flow(FlowState *state)
{
    if (state->free_flow == NET_NONE) {
        if (state->n_flows == state->capacity) {
            state->capacity = MAX(2 * state->capacity, 64);
            state->flow = g_renew(Flow, state->flow, state->capacity);
        }
        state->flow[state->n_flows] = (Flow){0};
        return state->n_flows++;
    }
    uint32_t index = state->free_flow;
    state->free_flow = state->flow[index].next;
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

static void note_change(Network *net, uint32_t medium)
{
    FlowState *state = net->model_state;
    if (!state->changed->len)
        net_queue_push(net->queue, net->now, NET_EVENT_GRANT, 0, 0, 0);
    g_array_append_val(state->changed, medium);
}

static void enter_links(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Flow *flow = &state->flow[index];
    for (uint32_t hop = 0; hop < flow->n_links; hop++) {
        uint32_t link = flow->link[hop], medium = flow_medium(net, link);
        flow->place[hop] = add_crossing(&state->medium[medium], (Crossing){index, hop});
        if (!state->flows_on[link]++)
            state->busy_since[link] = net->now;
        note_change(net, medium);
    }
}

static void leave_links(Network *net, uint32_t index, uint64_t wire_bytes, uint64_t packets)
{
    FlowState *state = net->model_state;
    const Flow *flow = &state->flow[index];
    for (uint32_t hop = 0; hop < flow->n_links; hop++) {
        uint32_t link = flow->link[hop], at = flow->place[hop];
        Medium *medium = &state->medium[flow_medium(net, link)];
        Crossing moved = medium->crossing[at] = medium->crossing[--medium->n];
        state->flow[moved.flow].place[moved.hop] = at;
        NetLink *counts = &net->graph.link[link];
        counts->bytes += wire_bytes;
        counts->packets += packets;
        if (!--state->flows_on[link])
            counts->busy_ps += net->now - state->busy_since[link];
        note_change(net, flow_medium(net, link));
    }
}

/* -- beginning and end ----------------------------------------------------------------------------------------------
 */

static uint64_t wire_bytes_of(const Network *net, const NetMessage *message)
{
    return message->bytes + message->packets * net->params.header_bytes;
}

static void find_route(const Network *net, Flow *flow, const NetMessage *message, uint64_t number)
{
    FlowState *state = net->model_state;
    NetQuery query = net_query_begin(net, message->from, message->to, number);
    query.nic = message->nic;
    for (; query.at != message->to; flow->n_links++) {
        assert(flow->n_links < LONGEST_ROUTE);
        NetHop hop = net_next_hop(net, &query);
        flow->latency_ps += net_vertex_latency(net, query.at) + net->graph.link[hop.link].latency_ps;
        state->route[flow->n_links] = hop.link;
        net_query_advance(net, &query, hop);
    }
    flow->link = g_memdup2(state->route, flow->n_links * sizeof *flow->link);
    flow->place = g_new(uint32_t, flow->n_links);
}

static void inject(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    NetMessage *message = net_message(net, index);
    net_order_begin(state->order, net, index);
    uint32_t number = take_flow(state);
    Flow *flow = &state->flow[number];
    flow->message = index;
    flow->since_ps = net->now;
    flow->left = wire_bytes_of(net, message) * UNITS;
    find_route(net, flow, message, net_mix(net->params.seed, message->from, state->begun++));
    message->injected = message->packets;
    enter_links(net, number);
}

/* To observers all packets are one, which is on all links at once and has had each for as long as its bytes take. */
static void tell_flow(Network *net, const Flow *flow)
{
    const NetMessage *message = net_message(net, flow->message);
    uint64_t wire_bytes = wire_bytes_of(net, message), begun = message->ready_ps;
    for (uint32_t hop = 0; hop < flow->n_links; hop++) {
        uint64_t busy = net_serialise(wire_bytes, net->graph.link[flow->link[hop]].bandwidth);
        NetPassage passage = {.packets = message->packets,
                              .hop = hop,
                              .link = flow->link[hop],
                              .asked_ps = begun,
                              .got_ps = begun,
                              .reached_ps = begun,
                              .left_ps = net->now,
                              .bytes = wire_bytes,
                              .busy_ps = MIN(busy, net->now - begun)};
        net_watch_passed(net, flow->message, flow_medium(net, flow->link[hop]), &passage);
    }
    net_watch_arrived(net, flow->message, 0, net->now + flow->latency_ps);
}

static void end_flow(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Flow *flow = &state->flow[index];
    const NetMessage *message = net_message(net, flow->message);
    leave_links(net, index, wire_bytes_of(net, message), message->packets);
    if (G_UNLIKELY(net->watch))
        tell_flow(net, flow);
    net_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, flow->message, 0);
    net_queue_push(net->queue, net->now + flow->latency_ps, NET_EVENT_HOP, message->to, flow->message, ARRIVAL);
    clear_flow(flow);
    flow->next = state->free_flow;
    state->free_flow = index;
}

/* -- rates ------------------------------------------------------------------------------------------------------------
 */

/* What has flowed until now has flowed at the rate before. */
static void settle(const Network *net, Flow *flow, uint64_t rate)
{
    flow->left -= (__uint128_t)rate * (net->now - flow->since_ps);
    flow->since_ps = net->now;
}

static void plan_end(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Flow *flow = &state->flow[index];
    __uint128_t time_ps = (flow->left + flow->rate - 1) / flow->rate;
    uint64_t bounded = time_ps > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time_ps;
    net_queue_push(net->queue, net->now + bounded, NET_EVENT_HOP, net_message(net, flow->message)->from, index,
                   ++flow->version);
}

static void change_rates(Network *net)
{
    FlowState *state = net->model_state;
    flow_work_out_rates(net, state);
    g_array_set_size(state->changed, 0);
    for (guint i = 0; i < state->connected->len; i++) {
        uint32_t index = g_array_index(state->connected, uint32_t, i);
        Flow *flow = &state->flow[index];
        if (flow->rate == flow->rate_before)
            continue;
        settle(net, flow, flow->rate_before);
        plan_end(net, index);
    }
}

static void arrive(Network *net, uint32_t index)
{
    const FlowState *state = net->model_state;
    NetMessage *message = net_message(net, index);
    message->delivered = message->packets;
    net_order_arrived(state->order, net, index);
}

static void event(Network *net, const NetEvent *what)
{
    FlowState *state = net->model_state;
    if (what->kind == NET_EVENT_GRANT)
        change_rates(net);
    else if (what->b == ARRIVAL)
        arrive(net, (uint32_t)what->a);
    else if (state->flow[what->a].version == what->b)
        end_flow(net, (uint32_t)what->a);
}

/* startup + wire / bandwidth + routing + h * latency */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    if (!net_closed_form(net))
        return net_measure(net, from, to, bytes);
    NetPath path = net_path(net, from, to);
    uint64_t wire_bytes = bytes + net_packet_count(&net->params, bytes) * net->params.header_bytes;
    return net->params.startup_ps + net_serialise(wire_bytes, net->params.bandwidth) + path.routing_ps +
           path.hops * net->params.link_latency_ps;
}

static uint64_t load(const Network *net, uint32_t link)
{
    const FlowState *state = net->model_state;
    return state->medium[flow_medium(net, link)].n;
}

const NetModel net_model_flow = {
    .name = "flow",
    .needs_links = true,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = zero_load,
    .load = load,
};
