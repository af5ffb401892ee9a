/* packet_switching.c - whole packets hop by hop: what store-and-forward and cut-through share. Explicitly ordered.
 *
 * Packets that meet nobody go together where that can be (trains.c). Apart from that there is one event per packet and
 * hop: HOP at a vertex says "the routing decision is made, the packet is ready for
 * its next link". Links serve packets first come, first served in the order of these events. So the state of a link is
 * only the time when it is free again. Buffers are unlimited, so there is no deadlock.
 *
 *   ready at v --(wait for link)--> start --+-- serialisation --+-- link latency --> at the next vertex
 *                                           |                    store-and-forward: whole packet, then routing decision
 *                                           +-- header ---------- cut-through: routing decision at once
 *
 * If the routing offers several links, a packet takes the one that is free first; among equals, the best one. Packets
 * can overtake each other under such a routing. Messages between two nodes are still handed over in the order in which
 * they were sent.
 *
 * A packet that is lost on an unreliable link occupies the link all the same. When a link fails, packets that are on it
 * or in line for it are lost. This shows at the time when they would have come to the next vertex. Packets in routers
 * ask the routing again.
 *
 * Each NIC sends its messages in order, one packet at a time. The next packet is ready when the one before has left and
 * its own preparation is over, which takes packet_startup_ps.
 */
#include "netsim/model/packet_switching.h"

#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/model/packet_trace.h"
#include "netsim/params/params.h"

void *net_packet_switching_new(Network *net, bool cut_through)
{
    NetPacketSwitching *state = g_new0(NetPacketSwitching, 1);
    state->cut_through = cut_through;
    state->several = net->routing->candidates || net->routing->choose_via;
    state->order = state->several ? net_order_new() : NULL;
    state->traces = net->failures ? net_traces_new() : NULL;
    state->header_ps = net_serialise(net->params.header_bytes, net->params.bandwidth);
    uint32_t nics = net->params.nodes * net->params.nics;
    state->port = g_new0(NetPort, nics);
    for (uint32_t nic = 0; nic < nics; nic++)
        state->port[nic].waiting.head = NET_NONE;
    state->link_free = g_new0(uint64_t, MAX(net->graph.links, 1));
    state->trains = cut_through ? net_trains_new(net) : NULL;
    return state;
}

void net_packet_switching_free(void *pointer)
{
    NetPacketSwitching *state = pointer;
    g_free(state->port);
    g_free(state->link_free);
    if (state->order)
        net_order_free(state->order);
    net_traces_free(state->traces);
    net_trains_free(state->trains);
    g_free(state);
}

/* HOP events carry message and size in `a` and the vertex in `rank`. `b` holds the link and class by which the packet
 * came, and the vertex that it is sent to first or, where there are trains, how long ago the event was caused. Each
 * number but the last is less than 2^26. */
static void push_caused(Network *net, uint64_t time_ps, const NetQuery *query, uint32_t message, uint64_t wire_bytes,
                        uint64_t cause_ps, bool injected)
{
    NetTrains *trains = ((NetPacketSwitching *)net->model_state)->trains;
    uint64_t via = query->via == NET_NONE ? 0 : query->via + UINT64_C(1);
    uint64_t in = query->in_link == NET_NONE ? 0 : query->in_link + UINT64_C(1);
    uint64_t high = trains ? net_trains_note(trains, time_ps - cause_ps, injected) : via;
    base_queue_push(net->queue, time_ps, NET_EVENT_HOP, query->at, (uint64_t)message << 32 | wire_bytes,
                    high << NET_TRAINS_NOTE_SHIFT | in << 8 | query->in_class);
}

static void push_hop(Network *net, uint64_t time_ps, const NetQuery *query, uint32_t message, uint64_t wire_bytes)
{
    push_caused(net, time_ps, query, message, wire_bytes, net->now, false);
}

/* Under source routing, all packets of a message take one path. */
static uint64_t path_number(const Network *net, const NetMessage *message)
{
    uint64_t nic = (uint64_t)message->nic << 32 | message->from;
    return net->source_routed ? base_random_mix(net->params.seed, nic, message->ready_ps) : 0;
}

static NetQuery query_of(const Network *net, const BaseEvent *event, const NetMessage *message)
{
    const NetPacketSwitching *state = net->model_state;
    uint32_t via = state->trains ? 0 : (uint32_t)(event->b >> NET_TRAINS_NOTE_SHIFT);
    uint32_t in = (uint32_t)(event->b >> 8) & ((UINT32_C(1) << 26) - 1);
    return (NetQuery){.from = message->from,
                      .to = message->to,
                      .via = via - 1, /* 0: NET_NONE */
                      .at = event->rank,
                      .in_link = in - 1,
                      .in_class = event->b & 0xff,
                      .nic = message->nic,
                      .number = path_number(net, message)};
}

void net_packet_leaves(Network *net, uint32_t index, uint64_t time_ps, uint64_t cause_ps, bool injected)
{
    NetMessage *message = net_message(net, index);
    uint32_t node = message->from;
    uint64_t wire_bytes = net_packet_bytes(&net->params, message->bytes, message->injected++);
    NetQuery query = {.from = node, .to = message->to, .via = NET_NONE, .at = node, .in_link = NET_NONE};
    push_caused(net, time_ps, &query, index, wire_bytes, cause_ps, injected);
}

static void port_start(Network *net, NetPort *port, bool injected)
{
    uint32_t index = port->waiting.head;
    if (port->busy || index == NET_NONE)
        return;
    const NetMessage *message = net_message(net, index);
    uint64_t ready = MAX(message->ready_ps + net_vertex_latency(net, message->from), port->free_ps);
    port->busy = true;
    net_packet_leaves(net, index, ready + net->params.packet_startup_ps, net->now, injected);
}

static void port_sent(Network *net, NetPort *port, uint64_t time_ps)
{
    const NetMessage *message = net_message(net, port->waiting.head);
    port->busy = false;
    port->free_ps = time_ps;
    if (message->injected == message->packets)
        base_queue_push(net->queue, time_ps, NET_EVENT_SENT, message->from, net_fifo_pop(net, &port->waiting), 0);
    port_start(net, port, false);
}

void net_packet_left(Network *net, uint32_t message, uint64_t time_ps)
{
    NetPacketSwitching *state = net->model_state;
    port_sent(net, &state->port[net_nic_of(net, net_message(net, message))], time_ps);
}

void net_packet_switching_inject(Network *net, uint32_t message)
{
    NetPacketSwitching *state = net->model_state;
    NetPort *port = &state->port[net_nic_of(net, net_message(net, message))];
    if (state->order)
        net_order_begin(state->order, net, message);
    net_fifo_push(net, &port->waiting, message);
    port_start(net, port, true);
}

static uint64_t *link_free(const Network *net, uint32_t index)
{
    const NetPacketSwitching *state = net->model_state;
    return &state->link_free[MIN(index, net->graph.link[index].partner)];
}

uint64_t net_packet_switching_load(const Network *net, uint32_t link)
{
    uint64_t free = *link_free(net, link);
    return free > net->now ? free - net->now : 0;
}

/* Takes the link for one packet, from `ready` on. Returns when its first bit is sent. */
static uint64_t link_take(Network *net, uint32_t index, uint64_t wire_bytes, uint64_t ready, uint64_t duration)
{
    NetLink *link = &net->graph.link[index];
    uint64_t begin = MAX(ready, *link_free(net, index));
    *link_free(net, index) = begin + duration;
    link->bytes += wire_bytes;
    link->packets++;
    link->busy_ps += duration;
    link->blocked_ps += begin - ready;
    return begin;
}

/* Tells observers of a hop that has just been decided on. The packet arrives at the end of that hop, unless it is lost.
 */
static void tell_hop(Network *net, const NetQuery *query, uint32_t index, NetPassage passage, uint64_t latency_ps,
                     bool crosses)
{
    const NetMessage *message = net_message(net, index);
    const NetLink *link = &net->graph.link[passage.link];
    if (query->in_link == NET_NONE)
        passage.packet = message->injected - 1;
    else
        net_watch_come(net, query->in_link, index, &passage.packet, &passage.hop);
    passage.hop += query->in_link != NET_NONE;
    net_watch_passed(net, index, MIN(passage.link, link->partner), &passage);
    net_watch_waited(net, passage.link, passage.asked_ps, passage.got_ps);
    if (crosses && link->to == message->to)
        net_watch_arrived(net, index, passage.packet, passage.left_ps + latency_ps);
    else if (crosses)
        net_watch_under_way(net, passage.link, index, passage.packet, passage.hop);
}

/* A packet of a message arrives completely at `time_ps`. If messages can overtake each other, this is processed when
 * that time has come. */
static void packet_arrives(Network *net, const NetQuery *query, uint32_t index, uint64_t wire_bytes, uint64_t time_ps)
{
    const NetPacketSwitching *state = net->model_state;
    NetMessage *message = net_message(net, index);
    if (state->several && time_ps > net->now) {
        push_hop(net, time_ps, query, index, wire_bytes);
        return;
    }
    if (state->traces)
        net_traces_clear(state->traces, index);
    if (++message->delivered == message->packets && state->order)
        net_order_arrived(state->order, net, index);
    else if (message->delivered == message->packets)
        base_queue_push(net->queue, time_ps, NET_EVENT_DELIVERED, message->to, index, 0);
}

/* Returns the candidate that is free first. Its link is NET_NONE if failures have left none. */
static NetHop choose_hop(const Network *net, const NetQuery *query)
{
    NetHop hops[NET_MAX_CANDIDATES] = {{.link = NET_NONE}};
    if (!net->routing->candidates)
        return net_only_hop(net, query);
    uint32_t count = net_candidates(net, query, hops);
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (net_packet_switching_load(net, hops[i].link) < net_packet_switching_load(net, hops[best].link))
            best = i;
    return hops[best];
}

/* Returns when the header may go on. If the previous link is slower, the header waits until the rest can follow without
 * a gap. */
static uint64_t ready_to_stream(const Network *net, const NetQuery *query, uint64_t wire_bytes, uint64_t duration)
{
    const NetPacketSwitching *state = net->model_state;
    if (net->graph.uniform || !state->cut_through || query->in_link == NET_NONE)
        return net->now;
    uint64_t before = net_link_ps(net, query->in_link, wire_bytes);
    return net->now + (before > duration ? before - duration : 0);
}

static uint64_t header_ps(const Network *net, uint32_t link)
{
    const NetPacketSwitching *state = net->model_state;
    return net->graph.uniform ? state->header_ps
                              : net_serialise(net->params.header_bytes, net->graph.link[link].bandwidth);
}

/* The packet is lost and takes no further link. */
static void packet_lost(Network *net, uint32_t index, NetLoss why, uint32_t link)
{
    const NetPacketSwitching *state = net->model_state;
    if (state->traces)
        net_traces_clear(state->traces, index);
    net_transport_lost(net, index, why, link);
}

/* The packet is lost at a vertex. Observers must first forget the link by which it came. */
static void packet_lost_at(Network *net, const NetQuery *query, uint32_t index, NetLoss why, uint32_t link)
{
    uint64_t number;
    uint32_t hop;
    if (G_UNLIKELY(net->watch) && !net->brief && query->in_link != NET_NONE && query->at != query->to)
        net_watch_come(net, query->in_link, index, &number, &hop);
    packet_lost(net, index, why, link);
}

void net_packet_switching_fail(Network *net, uint32_t link)
{
    const NetPacketSwitching *state = net->model_state;
    net_traces_fail(net, state->traces, link);
    if (net->graph.link[link].partner == NET_NONE)
        *link_free(net, link) = net->now;
}

/* Finds the packet's next hop. Returns false if the packet is lost, because its link has failed meanwhile or no link is
 * left. */
static bool find_hop(Network *net, NetQuery *query, uint32_t index, NetHop *hop)
{
    const NetPacketSwitching *state = net->model_state;
    const NetMessage *message = net_message(net, index);
    NetPort *port = &state->port[net_nic_of(net, message)];
    bool first = query->in_link == NET_NONE;
    uint32_t lost_on;
    if (state->traces && net_traces_lost(state->traces, index, &lost_on)) {
        packet_lost_at(net, query, index, NET_LOST_FAILURE, lost_on);
        return false;
    }
    if (query->at == query->to)
        return true;
    if (first && state->several) {
        uint32_t nic = message->nic;
        *query = net_route_begin(net, query->from, query->to,
                                 base_random_mix(net->params.seed, (uint64_t)nic << 32 | query->from, port->packets++));
        query->nic = nic;
    }
    *hop = choose_hop(net, query);
    if (hop->link != NET_NONE)
        return true;
    packet_lost_at(net, query, index, NET_LOST_NO_WAY, NET_NONE);
    if (first)
        port_sent(net, port, net->now);
    return false;
}

/* Applies delays and losses to a packet that crosses a link: adds its delay to `latency_ps`, and returns false if it is
 * lost. */
static bool cross(Network *net, uint32_t index, const NetCrossing *crossing, uint64_t *latency_ps)
{
    const NetPacketSwitching *state = net->model_state;
    *latency_ps += net_chance_jitter(net, index, crossing->link);
    if (!net_chance_crosses(net, index, crossing->link)) {
        packet_lost(net, index, NET_LOST_DAMAGED, crossing->link);
        return false;
    }
    if (state->traces) {
        NetCrossing whole = *crossing;
        whole.end_ps += *latency_ps;
        net_traces_add(state->traces, index, &whole);
    }
    return true;
}

/* The packet takes the link of `hop`. Returns when the link is free again. */
static uint64_t cross_link(Network *net, NetQuery *query, uint32_t index, uint64_t wire_bytes, NetHop hop)
{
    const NetPacketSwitching *state = net->model_state;
    uint64_t duration = net_link_ps(net, hop.link, wire_bytes);
    uint64_t ready = ready_to_stream(net, query, wire_bytes, duration);
    uint64_t begin = link_take(net, hop.link, wire_bytes, ready, duration);
    uint64_t latency = net->graph.link[hop.link].latency_ps;
    NetCrossing crossing = {hop.link, wire_bytes, begin, duration, begin + duration};
    bool crosses = !net->transport || cross(net, index, &crossing, &latency);
    if (G_UNLIKELY(net->brief))
        net_watch_crossed(net, index, hop.link, ready, begin);
    else if (G_UNLIKELY(net->watch))
        tell_hop(
            net, query, index,
            (NetPassage){.link = hop.link,
                         .asked_ps = ready,
                         .got_ps = begin,
                         .reached_ps = begin + (state->cut_through ? header_ps(net, hop.link) : duration) + latency,
                         .left_ps = begin + duration,
                         .bytes = wire_bytes,
                         .busy_ps = duration},
            latency, crosses);
    net_route_advance(net, query, hop);
    if (crosses && query->at == query->to)
        packet_arrives(net, query, index, wire_bytes, begin + duration + latency);
    else if (crosses)
        push_hop(net,
                 begin + (state->cut_through ? header_ps(net, hop.link) : duration) + latency +
                     net_vertex_latency(net, query->at),
                 query, index, wire_bytes);
    return begin + duration;
}

void net_packet_crosses(Network *net, NetQuery *query, uint32_t message, uint64_t wire_bytes, NetHop hop)
{
    net_trains_used(net, hop.link, message);
    cross_link(net, query, message, wire_bytes, hop);
}

void net_packet_comes(Network *net, const BaseEvent *event, NetRequest *request)
{
    const NetPacketSwitching *state = net->model_state;
    uint32_t index = (uint32_t)(event->a >> 32);
    uint64_t wire_bytes = (uint32_t)event->a;
    NetQuery query = query_of(net, event, net_message(net, index));
    NetPort *port = &state->port[net_nic_of(net, net_message(net, index))];
    bool first = query.in_link == NET_NONE;
    NetHop hop;
    if (!find_hop(net, &query, index, &hop))
        return;
    if (query.at == query.to) {
        packet_arrives(net, &query, index, wire_bytes, net->now);
        return;
    }
    if (state->trains) {
        if (first && net_trains_begin(net, index, hop, request))
            return;
        net_trains_meet(net, hop.link, request);
        net_trains_used(net, hop.link, index);
    }
    uint64_t free_ps = cross_link(net, &query, index, wire_bytes, hop);
    if (first)
        port_sent(net, port, free_ps);
}

void net_packet_switching_event(Network *net, const BaseEvent *event)
{
    const NetPacketSwitching *state = net->model_state;
    if (state->trains)
        net_trains_event(net, event);
    else
        net_packet_comes(net, event, NULL);
}

void net_packet_switching_settle(Network *net, uint64_t time_ps)
{
    const NetPacketSwitching *state = net->model_state;
    if (state->trains)
        net_trains_settle(net, time_ps);
}
