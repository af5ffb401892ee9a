/* flow.c - messages as flows that share the links on their way, at max-min fair rates. Explicitly ordered.
 *
 * A message flows along its route at one rate, the same on all its links. Rates change when a flow begins or ends
 * (rates.c), and they change at once everywhere.
 *
 *   INJECT  a flow begins        HOP  a flow ends, or its last byte arrives        GRANT  rates are computed anew
 *
 * All beginnings and ends at a time come before the one GRANT of that time. A flow that begins where nothing flows has
 * its rate at once, and where it was alone it leaves nothing to compute: such flows need no GRANT. Rates are whole
 * bytes per second. Service is counted in 10^-12 bytes, so rate times picoseconds is exact and rounding errors do not
 * add up. The latencies of links and routers are added after the last byte.
 *
 * The model leaves out packets, buffers, and the time that rates need to adjust. It is good for long messages, and far
 * too optimistic for short ones that meet.
 */
#include "netsim/flow/flow.h"

#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#define UNITS ((__uint128_t)NET_PS_PER_S) /* units of service in a byte */
enum { ARRIVES, ENDS }; /* what a HOP event says: message `a` arrives; or a stream from node `rank` ends a flow */

static void *start(Network *net)
{
    return net_flow_state_new(net->graph.links);
}

static void stop(void *state)
{
    net_flow_state_free(state);
}

/* -- beginning and end ------------------------------------------------------------------------- */

static uint64_t wire_bytes_of(const Network *net, const NetMessage *message)
{
    return message->bytes + message->packets * net->params.header_bytes;
}

static void note_change(Network *net, uint32_t medium)
{
    FlowState *state = net->model_state;
    if (!state->dirty->len)
        base_queue_push(net->queue, net->now, NET_EVENT_GRANT, 0, 0, 0);
    net_flow_note_dirty(state, medium);
}

static void enter_links(Network *net, uint32_t index, bool alone)
{
    FlowState *state = net->model_state;
    const Stream *stream = &state->stream[index];
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        uint32_t link = stream->link[hop], medium = flow_medium(net, link);
        state->medium[medium].flows++;
        if (!state->flows_on[link]++)
            state->busy_since[link] = net->now;
        if (!alone)
            note_change(net, medium);
    }
}

static void leave_links(Network *net, uint32_t index, uint64_t wire_bytes, uint64_t packets)
{
    FlowState *state = net->model_state;
    const Stream *stream = &state->stream[index];
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        uint32_t link = stream->link[hop], medium = flow_medium(net, link);
        NetLink *counts = &net->graph.link[link];
        counts->bytes += wire_bytes;
        counts->packets += packets;
        if (!--state->flows_on[link])
            counts->busy_ps += net->now - state->busy_since[link];
        if (--state->medium[medium].flows || state->medium[medium].dirty)
            note_change(net, medium);
        else
            state->medium[medium].level = FLOW_UNLIMITED; /* nobody is left whose rate it could change */
    }
}

/* Writes the route to state->route. Returns its length, and sets `latency_ps` to the latencies of its links and
 * routers. */
static uint32_t find_route(const Network *net, const NetMessage *message, uint64_t number, uint64_t *latency_ps)
{
    FlowState *state = net->model_state;
    NetQuery query = net_route_begin(net, message->from, message->to, number);
    query.nic = message->nic;
    uint32_t n_links = 0;
    for (*latency_ps = 0; query.at != message->to; n_links++) {
        assert(n_links < FLOW_LONGEST_ROUTE);
        NetHop hop = net_route_next_hop(net, &query);
        *latency_ps += net_vertex_latency(net, query.at) + net->graph.link[hop.link].latency_ps;
        state->route[n_links] = hop.link;
        net_route_advance(net, &query, hop);
    }
    return n_links;
}

/* Adds the service since since_ps, at the rate so far. */
static void settle(const Network *net, Stream *stream)
{
    stream->served += (__uint128_t)stream->rate_now * (net->now - stream->since_ps);
    stream->since_ps = net->now;
}

static uint64_t divide_up(__uint128_t part, uint64_t by)
{
    if (part <= UINT64_MAX - by)
        return ((uint64_t)part + by - 1) / by;
    __uint128_t quotient = (part + by - 1) / by;
    return quotient > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)quotient;
}

static void plan_end(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Stream *stream = &state->stream[index];
    __uint128_t at = stream->end[0].at;
    uint64_t time_ps = divide_up(at > stream->served ? at - stream->served : 0, stream->rate_now);
    stream->end_ps = net->now + MIN(time_ps, NET_MAX_TIME);
    net_flow_set_date(state, index);
}

/* Puts the event for the first end into the network's queue, unless it is there. */
static void arm(Network *net)
{
    FlowState *state = net->model_state;
    uint32_t first = net_flow_first_date(state);
    if (first == NET_NONE)
        return;
    const Stream *stream = &state->stream[first];
    if (stream->end_ps > state->armed_ps || (stream->end_ps == state->armed_ps && stream->from >= state->armed_from))
        return;
    state->armed_ps = stream->end_ps;
    state->armed_from = stream->from;
    base_queue_push(net->queue, stream->end_ps, NET_EVENT_HOP, stream->from, 0, ENDS);
}

static void inject(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    NetMessage *message = net_message(net, index);
    net_order_begin(state->order, net, index);
    uint64_t sequence = state->begun++, latency_ps;
    uint32_t n_links =
        find_route(net, message, base_random_mix(net->params.seed, message->from, sequence), &latency_ps);
    bool alone = net_flow_is_idle(net, state, n_links);
    uint32_t number =
        (alone ? net_flow_new_stream_alone : net_flow_find_stream)(net, state, message->from, message->to, n_links);
    Stream *stream = &state->stream[number];
    stream->latency_ps = latency_ps;
    settle(net, stream);
    net_flow_push_end(state, number, (FlowEnd){stream->served + wire_bytes_of(net, message) * UNITS, sequence, index});
    message->injected = message->packets;
    enter_links(net, number, alone);
    if (alone) {
        net_flow_rate_alone(net, state, number);
        stream->rate_now = state->share[number].rate;
        plan_end(net, number);
        arm(net);
    } else {
        net_flow_touch(state, number);
    }
}

/* For observers all packets of a flow are one. It is on all links at once, and has held each for as long as its bytes
 * take. */
static void tell_flow(Network *net, const Stream *stream, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    uint64_t wire_bytes = wire_bytes_of(net, message), begun = message->ready_ps;
    for (uint32_t hop = 0; hop < stream->n_links; hop++) {
        uint64_t busy = net_serialise(wire_bytes, net->graph.link[stream->link[hop]].bandwidth);
        NetPassage passage = {.packets = message->packets,
                              .hop = hop,
                              .link = stream->link[hop],
                              .asked_ps = begun,
                              .got_ps = begun,
                              .reached_ps = begun,
                              .left_ps = net->now,
                              .bytes = wire_bytes,
                              .busy_ps = MIN(busy, net->now - begun)};
        net_watch_passed(net, index, flow_medium(net, stream->link[hop]), &passage);
    }
    net_watch_arrived(net, index, 0, net->now + stream->latency_ps);
}

static void end_flow(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Stream *stream = &state->stream[index];
    uint32_t ended = net_flow_pop_end(state, index).message;
    const NetMessage *message = net_message(net, ended);
    leave_links(net, index, wire_bytes_of(net, message), message->packets);
    if (G_UNLIKELY(net->watch))
        tell_flow(net, stream, ended);
    base_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, ended, 0);
    base_queue_push(net->queue, net->now + stream->latency_ps, NET_EVENT_HOP, message->to, ended, ARRIVES);
}

/* -- failures: flows go round a link that has failed, with what is left of them; those that cannot are lost -- */

static void go_round(Network *net, uint32_t link, FlowEnd end, __uint128_t left)
{
    FlowState *state = net->model_state;
    NetMessage *message = net_message(net, end.message);
    if (!net_damage_reaches(net, message->from, message->to)) {
        base_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, end.message, 0);
        net_transport_lost(net, end.message, NET_LOST_FAILURE, link);
        return;
    }
    uint64_t latency_ps, headers = message->packets * net->params.header_bytes;
    uint64_t bytes = (uint64_t)((left + UNITS - 1) / UNITS);
    /* What the links that it takes from now on will have carried. */
    message->bytes = bytes > headers ? bytes - headers : 0;
    uint32_t n_links =
        find_route(net, message, base_random_mix(net->params.seed, message->from, end.sequence), &latency_ps);
    uint32_t number = net_flow_find_stream(net, state, message->from, message->to, n_links);
    Stream *stream = &state->stream[number];
    stream->latency_ps = latency_ps;
    settle(net, stream);
    end.at = stream->served + left;
    net_flow_push_end(state, number, end);
    net_flow_touch(state, number);
    enter_links(net, number, false);
}

static void empty_stream(Network *net, uint32_t index, uint32_t link)
{
    FlowState *state = net->model_state;
    net_flow_drop_date(state, index);
    settle(net, &state->stream[index]);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(FlowEnd));
    __uint128_t served = state->stream[index].served;
    while (state->share[index].flows) {
        FlowEnd end = net_flow_pop_end(state, index);
        const NetMessage *message = net_message(net, end.message);
        uint64_t left = (uint64_t)((end.at > served ? end.at - served : 0) / UNITS);
        leave_links(net, index, wire_bytes_of(net, message) - MIN(left, wire_bytes_of(net, message)), 0);
        g_array_append_val(ends, end);
    }
    net_flow_touch(state, index);
    net_flow_remove_stream(net, state, index);
    for (guint i = 0; i < ends->len; i++) {
        FlowEnd end = g_array_index(ends, FlowEnd, i);
        go_round(net, link, end, end.at > served ? end.at - served : 0);
    }
}

static bool takes_link(const Stream *stream, uint32_t link)
{
    for (uint32_t hop = 0; hop < stream->n_links; hop++)
        if (stream->link[hop] == link)
            return true;
    return false;
}

static void fail(Network *net, uint32_t link)
{
    FlowState *state = net->model_state;
    for (uint32_t i = 0; i < state->streams.count; i++)
        if (state->share[i].flows && takes_link(&state->stream[i], link))
            empty_stream(net, i, link);
}

static void end_flows(Network *net, uint32_t index)
{
    FlowState *state = net->model_state;
    Stream *stream = &state->stream[index];
    net_flow_drop_date(state, index);
    settle(net, stream);
    while (state->share[index].flows && stream->end[0].at <= stream->served)
        end_flow(net, index);
    if (state->share[index].flows)
        net_flow_touch(state, index);
    else
        net_flow_remove_stream(net, state, index);
}

/* Handles the armed event. An event that has been superseded is ignored. */
static void end_first(Network *net, uint32_t from)
{
    FlowState *state = net->model_state;
    if (net->now != state->armed_ps || from != state->armed_from)
        return;
    state->armed_ps = UINT64_MAX;
    uint32_t first = net_flow_first_date(state);
    if (first != NET_NONE && state->stream[first].end_ps == net->now && state->stream[first].from == from)
        end_flows(net, first);
    arm(net);
}

/* -- rates ------------------------------------------------------------------------------------- */

static void change_rates(Network *net)
{
    FlowState *state = net->model_state;
    net_flow_work_out_rates(net, state);
    for (guint i = 0; i < state->touched->len; i++) {
        uint32_t index = g_array_index(state->touched, uint32_t, i);
        Stream *stream = &state->stream[index];
        stream->touched = false;
        if (!state->share[index].flows)
            continue;
        assert(state->share[index].rate != FLOW_UNLIMITED);
        settle(net, stream);
        stream->rate_now = state->share[index].rate;
        plan_end(net, index);
    }
    g_array_set_size(state->touched, 0);
    arm(net);
}

static void arrive(Network *net, uint32_t index)
{
    const FlowState *state = net->model_state;
    NetMessage *message = net_message(net, index);
    message->delivered = message->packets;
    net_order_arrived(state->order, net, index);
}

static void event(Network *net, const BaseEvent *what)
{
    if (what->kind == NET_EVENT_GRANT)
        change_rates(net);
    else if (what->b == ENDS)
        end_first(net, what->rank);
    else
        arrive(net, (uint32_t)what->a);
}

/* startup + wire / bandwidth + routing + h * latency */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    if (!net_path_is_closed_form(net))
        return NET_MEASURE;
    NetPath path = net_path(net, from, to);
    uint64_t wire_bytes = bytes + net_packet_count(&net->params, bytes) * net->params.header_bytes;
    return net->params.startup_ps + net_serialise(wire_bytes, net->params.bandwidth) + path.routing_ps +
           path.hops * net->params.link_latency_ps;
}

static uint64_t load(const Network *net, uint32_t link)
{
    const FlowState *state = net->model_state;
    return state->medium[flow_medium(net, link)].flows;
}

const NetModel net_model_flow = {
    .name = "flow",
    .needs_links = true,
    .observable = true,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = zero_load,
    .load = load,
    .whole_messages = true,
    .fluid = true,
    .fail = fail,
    .packets_ahead = UINT32_MAX,
};
