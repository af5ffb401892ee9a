/* packet_switching.c - whole packets hop by hop: what store-and-forward and cut-through share. Explicitly ordered.
 *
 * One event per packet and hop: HOP at a vertex says "the routing decision is made, the packet is ready for its next
 * link". Links serve packets first come, first served in the order of these events, so a link is no more than the time
 * when it is free again. Buffers are unlimited, hence no deadlock.
 *
 *   ready at v --(wait for link)--> start --+-- serialisation --+-- link latency --> at the next vertex
 *                                           |                    store-and-forward: whole packet, then routing decision
 *                                           +-- header ---------- cut-through: routing decision at once
 *
 * Each NIC sends its messages in order, one packet at a time: the next packet is ready when the one before has left.
 */
#include "netsim/internal.h"

typedef struct NetPort {
    NetFifo waiting;  /* messages; the head is being sent */
    bool busy;        /* a packet of this node is on its way to its first link */
    uint64_t free_ps; /* the last packet has left */
} NetPort;

struct NetPacketSwitching {
    bool cut_through;
    uint64_t header_ps;
    NetPort *port;       /* per node */
    uint64_t *link_free; /* per link */
};

void *net_packet_switching_new(Network *net, bool cut_through)
{
    NetPacketSwitching *state = g_new0(NetPacketSwitching, 1);
    state->cut_through = cut_through;
    state->header_ps = net_serialise(net->params.header_bytes, net->params.bandwidth);
    state->port = g_new0(NetPort, net->params.nodes);
    for (uint32_t node = 0; node < net->params.nodes; node++)
        state->port[node].waiting.head = NET_NONE;
    state->link_free = g_new0(uint64_t, MAX(net->graph.links, 1));
    return state;
}

void net_packet_switching_free(void *pointer)
{
    NetPacketSwitching *state = pointer;
    g_free(state->port);
    g_free(state->link_free);
    g_free(state);
}

/* HOP events carry message and size in `a` and the vertex in `rank`. */
static void push_hop(Network *net, uint64_t time_ps, uint32_t vertex, uint32_t message, uint64_t wire_bytes)
{
    net_queue_push(net->queue, time_ps, NET_EVENT_HOP, vertex, (uint64_t)message << 32 | wire_bytes, 0);
}

static void port_start(Network *net, uint32_t node)
{
    NetPacketSwitching *state = net->model_state;
    NetPort *port = &state->port[node];
    uint32_t index = port->waiting.head;
    if (port->busy || index == NET_NONE)
        return;
    NetMessage *message = net_message(net, index);
    uint64_t ready = MAX(message->ready_ps + net_vertex_latency(net, node), port->free_ps);
    uint64_t wire_bytes = net_packet_bytes(&net->params, message->bytes, message->injected++);
    port->busy = true;
    push_hop(net, ready, node, index, wire_bytes);
}

static void port_sent(Network *net, uint32_t node, uint64_t time_ps)
{
    NetPacketSwitching *state = net->model_state;
    NetPort *port = &state->port[node];
    const NetMessage *message = net_message(net, port->waiting.head);
    port->busy = false;
    port->free_ps = time_ps;
    if (message->injected == message->packets)
        net_queue_push(net->queue, time_ps, NET_EVENT_SENT, node, net_fifo_pop(net, &port->waiting), 0);
    port_start(net, node);
}

void net_packet_switching_inject(Network *net, uint32_t message)
{
    NetPacketSwitching *state = net->model_state;
    uint32_t node = net_message(net, message)->from;
    net_fifo_push(net, &state->port[node].waiting, message);
    port_start(net, node);
}

/* Takes the link for one packet; answers when its first bit goes. */
static uint64_t link_take(Network *net, uint32_t index, uint64_t wire_bytes, uint64_t duration)
{
    NetPacketSwitching *state = net->model_state;
    NetLink *link = &net->graph.link[index];
    uint64_t begin = MAX(net->now, state->link_free[index]);
    state->link_free[index] = begin + duration;
    link->bytes += wire_bytes;
    link->packets++;
    link->busy_ps += duration;
    link->blocked_ps += begin - net->now;
    return begin;
}

static void packet_arrives(Network *net, uint32_t index, uint64_t time_ps)
{
    NetMessage *message = net_message(net, index);
    if (++message->delivered == message->packets)
        net_queue_push(net->queue, time_ps, NET_EVENT_DELIVERED, message->to, index, 0);
}

void net_packet_switching_event(Network *net, const NetEvent *event)
{
    NetPacketSwitching *state = net->model_state;
    uint32_t index = (uint32_t)(event->a >> 32);
    uint64_t wire_bytes = (uint32_t)event->a;
    const NetMessage *message = net_message(net, index);
    uint32_t to = message->to;
    bool first = event->rank == message->from;
    uint32_t link = net_next_hop(net, event->rank, to).link;
    uint64_t duration = net_packet_ps(net, wire_bytes);
    uint64_t begin = link_take(net, link, wire_bytes, duration);
    uint64_t latency = net->params.link_latency_ps;
    uint32_t next = net->graph.link[link].to;
    if (next == to)
        packet_arrives(net, index, begin + duration + latency);
    else
        push_hop(net,
                 begin + (state->cut_through ? state->header_ps : duration) + latency + net_vertex_latency(net, next),
                 next, index, wire_bytes);
    if (first)
        port_sent(net, event->rank, begin + duration);
}
