/* bus.c - one shared medium: one frame at a time, first come, first served. Explicitly ordered.
 *
 * A message is sent as frames (packets). A node asks for the medium when its NIC's startup is over, and again after
 * each frame of its own. So long messages of several nodes take turns frame by frame. Requests are served in the order
 * (time, node), by an arbiter that costs nothing. The medium is free again when the last bit has left. The frame has
 * arrived link_latency_ps later.
 *
 *   HOP(node)    the node asks        -> it joins the queue of requests, in event order
 *   GRANT        the medium is free   -> the frame of the next node in the queue begins
 *
 * GRANT is the greater kind, so nodes that ask at the moment of release are in the queue before it is served. All nodes
 * hear every frame, so a multicast is sent once. The model leaves out collisions and back-off (real Ethernet near
 * saturation).
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/model/medium.h"
#include "netsim/params/params.h"

typedef struct BusState {
    NetFifo *waiting;   /* per node: its messages; the head is being sent */
    uint32_t *next;     /* per node: the next node in the queue of requests */
    uint64_t *asked_ps; /* per node: when it joined the queue */
    uint32_t head, tail;
    bool granted; /* a GRANT event is pending, or the medium is busy until one */
} BusState;

static void *start(Network *net)
{
    BusState *bus = g_new0(BusState, 1);
    bus->waiting = g_new(NetFifo, net->params.nodes);
    bus->next = g_new(uint32_t, net->params.nodes);
    bus->asked_ps = g_new0(uint64_t, net->params.nodes);
    for (uint32_t node = 0; node < net->params.nodes; node++)
        bus->waiting[node].head = NET_NONE;
    bus->head = NET_NONE;
    return bus;
}

static void stop(void *pointer)
{
    BusState *bus = pointer;
    g_free(bus->waiting);
    g_free(bus->next);
    g_free(bus->asked_ps);
    g_free(bus);
}

/* The node asks for the medium as soon as its next frame is ready. It begins to make that frame at `time_ps`. */
static void ask(Network *net, uint32_t node, uint64_t time_ps)
{
    base_queue_push(net->queue, time_ps + net->params.packet_startup_ps, NET_EVENT_HOP, node, 0, 0);
}

static void inject(Network *net, uint32_t index)
{
    BusState *bus = net->model_state;
    uint32_t node = net_message(net, index)->from;
    bool idle = bus->waiting[node].head == NET_NONE;
    net_fifo_push(net, &bus->waiting[node], index);
    if (idle)
        ask(net, node, net->now);
}

static void queue_asker(Network *net, uint32_t node)
{
    BusState *bus = net->model_state;
    bus->next[node] = NET_NONE;
    bus->asked_ps[node] = net->now;
    if (G_UNLIKELY(net->watch))
        net_watch_waits(net, net_medium_tap(net, node), net->now, 1, net->now);
    if (bus->head == NET_NONE)
        bus->head = node;
    else
        bus->next[bus->tail] = node;
    bus->tail = node;
    if (bus->granted)
        return;
    bus->granted = true;
    base_queue_push(net->queue, net->now, NET_EVENT_GRANT, 0, 0, 0);
}

/* Sends the next frame of the node whose turn it is. */
static void send_frame(Network *net, uint32_t node)
{
    BusState *bus = net->model_state;
    uint32_t index = bus->waiting[node].head;
    NetMessage *message = net_message(net, index);
    uint64_t wire_bytes = net_packet_bytes(&net->params, message->bytes, message->injected++);
    uint64_t duration = net_packet_ps(net, wire_bytes);
    uint64_t end = net->now + duration;
    net_medium_count_frame(net, index, wire_bytes, duration, net->now - bus->asked_ps[node]);
    if (G_UNLIKELY(net->watch)) {
        net_watch_waits(net, net_medium_tap(net, node), net->now, -1, net->now);
        net_medium_tell_frame(net, index, wire_bytes, duration, bus->asked_ps[node], net->now);
    }
    if (message->injected == message->packets) {
        base_queue_push(net->queue, end, NET_EVENT_SENT, node, index, 0);
        net_medium_deliver(net, index, end + net->params.link_latency_ps);
        net_fifo_pop(net, &bus->waiting[node]);
    }
    base_queue_push(net->queue, end, NET_EVENT_GRANT, 0, 0, 0);
    if (bus->waiting[node].head != NET_NONE)
        ask(net, node, end);
}

static void grant(Network *net)
{
    BusState *bus = net->model_state;
    uint32_t node = bus->head;
    bus->granted = node != NET_NONE;
    if (node == NET_NONE)
        return;
    bus->head = bus->next[node];
    send_frame(net, node);
}

static void event(Network *net, const BaseEvent *what)
{
    if (what->kind == NET_EVENT_HOP)
        queue_asker(net, what->rank);
    else
        grant(net);
}

/* startup + P * packet-startup + (P - 1) * S + s + latency, for P packets that take S each and the last one s */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    (void)from;
    (void)to;
    uint64_t before = net_packet_count(&net->params, bytes) - 1;
    return net->params.startup_ps + (before + 1) * net->params.packet_startup_ps + before * net->full_packet_ps +
           net_path_last_packet_ps(net, bytes) + net->params.link_latency_ps;
}

const NetModel net_model_bus = {
    .name = "bus",
    .needs_links = true,
    .shared_medium = true,
    .broadcast = true,
    .observable = true,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = zero_load,
    .fail = net_transport_lost_on_medium,
};
