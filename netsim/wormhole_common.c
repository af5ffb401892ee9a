/* wormhole_common.c - what both wormhole engines share besides the rules in wormhole.h: parameters, packets, NICs,
 * handing over in order, and the closed form for an empty network.
 */
#include "netsim/wormhole.h"

#include <string.h>

#define MOST_FLIT_BUFFERS (UINT64_C(1) << 26) /* 1 GiB */

static uint64_t cycles_of(uint64_t time_ps, uint64_t cycle_ps)
{
    return time_ps / cycle_ps + (time_ps % cycle_ps != 0);
}

void net_wormhole_init(NetWormhole *rules, const Network *net)
{
    const NetParams *params = &net->params;
    uint64_t cycle = net_serialise(params->flit_bytes, params->bandwidth);
    *rules = (NetWormhole){
        .virtual_channels = params->virtual_channels,
        .buffer_flits = params->buffer_flits,
        .classes = net->routing->classes(net),
        .link_channels = net->graph.links * params->virtual_channels,
        .channels = net->graph.links * params->virtual_channels + params->nodes,
        .cycle_ps = cycle,
        .link_cycles = cycles_of(params->link_latency_ps, cycle),
        .router_cycles = cycles_of(params->router_latency_ps, cycle),
        .switch_cycles = cycles_of(params->switch_latency_ps, cycle),
        .nodes = params->nodes,
        .node_is_hub = net->topology->node_is_hub,
    };
}

static bool check_sizes(const NetParams *params, uint64_t links, GError **error)
{
    if (params->flit_bytes == 0)
        return net_refuse(error, "flit-bytes", "a flit must have at least 1 byte");
    if (params->flit_bytes > (uint64_t)params->packet_bytes + params->header_bytes)
        return net_refuse(error, "flit-bytes", "a flit of %u bytes is larger than a packet of %u with its header of %u",
                          params->flit_bytes, params->packet_bytes, params->header_bytes);
    if (net_serialise(params->flit_bytes, params->bandwidth) > NET_PS_PER_S)
        return net_refuse(error, "flit-bytes",
                          "a flit of %u bytes takes more than a second on a link of this bandwidth",
                          params->flit_bytes);
    if (params->virtual_channels == 0)
        return net_refuse(error, "virtual-channels", "wormhole switching needs at least 1 virtual channel per link");
    if (params->virtual_channels > NET_MAX_CHANNELS)
        return net_refuse(error, "virtual-channels", "%u are more than the %d that a link may have",
                          params->virtual_channels, NET_MAX_CHANNELS);
    if (params->buffer_flits == 0)
        return net_refuse(error, "buffer-flits", "the buffer of a virtual channel must hold at least 1 flit");
    uint64_t slots = links * params->virtual_channels;
    if (slots > NET_NONE / 2 || slots * params->buffer_flits > MOST_FLIT_BUFFERS)
        return net_refuse(error, "buffer-flits",
                          "%" G_GUINT64_FORMAT
                          " links with %u virtual channels of %u flits need more than 2^26 flit buffers",
                          links, params->virtual_channels, params->buffer_flits);
    return true;
}

bool net_wormhole_check(const Network *net, GError **error)
{
    if (!check_sizes(&net->params, net->topology->links(&net->params), error))
        return false;
    uint32_t classes = net->routing->classes(net);
    if (net->params.virtual_channels < classes)
        return net_refuse(
            error, "virtual-channels",
            "%s routing on a %s of this size needs at least %u virtual channels, not %u: with fewer, packets can wait "
            "for each other all the way round a ring (deadlock); use %u, or shortest-path routing to see it happen",
            net->routing->name, net->topology->name, classes, net->params.virtual_channels, classes);
    return true;
}

/* -- packets ------------------------------------------------------------------------------------------------------ */

void net_packets_init(NetPackets *packets)
{
    *packets = (NetPackets){.free = NET_NONE};
}

static uint32_t packet_place(NetPackets *packets)
{
    packets->alive++;
    uint32_t index = packets->free;
    if (index != NET_NONE) {
        packets->free = packets->packet[index].next;
        return index;
    }
    if (packets->count == packets->capacity) {
        packets->capacity = MAX(64, packets->capacity * 2);
        packets->packet = g_renew(NetPacket, packets->packet, packets->capacity);
    }
    return packets->count++;
}

uint32_t net_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index)
{
    const NetMessage *of = net_message(net, message);
    uint64_t bytes = net_packet_bytes(&net->params, of->bytes, index);
    uint32_t flit_bytes = net->params.flit_bytes;
    uint32_t place = packet_place(packets);
    packets->packet[place] = (NetPacket){
        .message = message,
        .flits = (uint32_t)MAX(bytes / flit_bytes + (bytes % flit_bytes != 0), 1),
        .to = of->to,
        .wire_bytes = bytes,
    };
    return place;
}

void net_packets_release(NetPackets *packets, uint32_t packet)
{
    assert(packets->alive > 0);
    packets->alive--;
    packets->packet[packet].next = packets->free;
    packets->free = packet;
}

/* -- NICs ------------------------------------------------------------------------------------------------------------
 */

NetNic *net_nics_new(uint32_t nodes)
{
    NetNic *nics = g_new0(NetNic, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        nics[node].waiting.head = NET_NONE;
        nics[node].packet = NET_NONE;
    }
    return nics;
}

static void nic_next_packet(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets)
{
    uint32_t index = nic->waiting.head;
    nic->packet = NET_NONE;
    if (index == NET_NONE)
        return;
    NetMessage *message = net_message(net, index);
    nic->packet = net_packets_new(packets, net, index, message->injected++);
    nic->flit = 0;
    nic->ready = net_wormhole_cycle_from(rules, message->ready_ps) + net_wormhole_routing_cycles(rules, message->from);
}

bool net_nic_add(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t message)
{
    net_fifo_push(net, &nic->waiting, message);
    if (nic->packet != NET_NONE)
        return false;
    nic_next_packet(nic, net, rules, packets);
    return true;
}

void net_nic_sent_flit(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint64_t cycle)
{
    assert(nic->packet != NET_NONE);
    if (++nic->flit < packets->packet[nic->packet].flits)
        return;
    const NetMessage *message = net_message(net, nic->waiting.head);
    if (message->injected == message->packets)
        net_queue_push(net->queue, (cycle + 1) * rules->cycle_ps, NET_EVENT_SENT, message->from,
                       net_fifo_pop(net, &nic->waiting), 0);
    nic_next_packet(nic, net, rules, packets);
}

/* -- handing over in order
 * ---------------------------------------------------------------------------------------------- */

/* Messages under way between two nodes, oldest first. */
struct NetOrder {
    GHashTable *pairs; /* from << 32 | to -> GQueue of message numbers; looked up, never walked */
};

static void pair_free(void *queue)
{
    g_queue_free(queue);
}

/* Both halves must count: g_int64_hash() would put all pairs with the same destination in one place. */
static guint pair_hash(gconstpointer key)
{
    guint64 mixed = (guint64) * (const gint64 *)key * UINT64_C(0x9e3779b97f4a7c15); /* Fibonacci hashing (Knuth 6.4) */
    return (guint)(mixed >> 32);
}

NetOrder *net_order_new(void)
{
    NetOrder *order = g_new0(NetOrder, 1);
    order->pairs = g_hash_table_new_full(pair_hash, g_int64_equal, g_free, pair_free);
    return order;
}

void net_order_free(NetOrder *order)
{
    g_hash_table_destroy(order->pairs);
    g_free(order);
}

static gint64 pair_key(const NetMessage *message)
{
    return (gint64)((uint64_t)message->from << 32 | message->to);
}

static GQueue *pair_queue(NetOrder *order, const NetMessage *message)
{
    gint64 key = pair_key(message);
    GQueue *queue = g_hash_table_lookup(order->pairs, &key);
    if (queue)
        return queue;
    queue = g_queue_new();
    g_hash_table_insert(order->pairs, g_memdup2(&key, sizeof key), queue);
    return queue;
}

void net_order_begin(NetOrder *order, Network *net, uint32_t message)
{
    g_queue_push_tail(pair_queue(order, net_message(net, message)), GUINT_TO_POINTER(message));
}

static bool is_complete(const Network *net, uint32_t message)
{
    return net_message(net, message)->delivered == net_message(net, message)->packets;
}

void net_order_arrived(NetOrder *order, Network *net, uint32_t message)
{
    assert(is_complete(net, message));
    const NetMessage *first = net_message(net, message);
    gint64 key = pair_key(first);
    GQueue *queue = pair_queue(order, first);
    while (!g_queue_is_empty(queue)) {
        uint32_t oldest = GPOINTER_TO_UINT(g_queue_peek_head(queue));
        if (!is_complete(net, oldest))
            break;
        g_queue_pop_head(queue);
        net_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, net_message(net, oldest)->to, oldest, 0);
    }
    if (g_queue_is_empty(queue))
        g_hash_table_remove(order->pairs, &key);
}

/* -- an empty network
 * ---------------------------------------------------------------------------------------------------- */

typedef struct Probe {
    uint64_t delivered_ps;
} Probe;

static void probe_delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)cookie;
    ((Probe *)user)->delivered_ps = time_ps;
}

/* Sends the message through a network of its own. */
static uint64_t measure(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    Probe probe = {0};
    NetClient client = {.user = &probe, .delivered = probe_delivered};
    Network *empty = net_new(&net->params, &client, NULL);
    assert(empty); /* the same parameters made `net` */
    net_send(empty, from, to, bytes, 0, 0);
    while (net_next_time(empty) != UINT64_MAX)
        net_step(empty);
    net_free(empty);
    return probe.delivered_ps;
}

/* Flits of a message, all packets one after the other. */
static uint64_t count_flits(const Network *net, uint64_t bytes)
{
    const NetParams *params = &net->params;
    uint64_t full = (uint64_t)params->packet_bytes + params->header_bytes;
    uint64_t before = net_packet_count(params, bytes) - 1;
    uint64_t last = net_packet_bytes(params, bytes, before);
    return before * cycles_of(full, params->flit_bytes) + MAX(cycles_of(last, params->flit_bytes), 1);
}

/* From the first cycle at or after the end of startup, for F flits over h links with routing pipelines R1 .. Rh:
 *
 *     h (1 + D) + R1 + .. + Rh + (F - 1) + floor((F - 1) / B) * max(0, loop - B)
 *
 * The last term is there when buffers are too small to keep a link busy: a slot is free again `loop` = D + 2 + R cycles
 * after its flit was sent (R the greatest of the routers between; D + 1 where the destination follows), so every B
 * flits the stream stands still for loop - B. It holds while all packets follow each other on the same virtual
 * channels. Where buffers are too small and there are several channels to turn to, the answer is measured. */
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    NetWormhole rules;
    net_wormhole_init(&rules, net);
    uint64_t flits = count_flits(net, bytes);
    uint64_t cycles = flits - 1;
    uint64_t loop = rules.link_cycles + 1;
    for (uint32_t at = from; at != to;) {
        uint64_t routing = net_wormhole_routing_cycles(&rules, at);
        cycles += 1 + rules.link_cycles + routing;
        if (at != from)
            loop = MAX(loop, rules.link_cycles + 2 + routing);
        at = net->graph.link[net_next_hop(net, at, to).link].to;
    }
    if (loop > rules.buffer_flits) {
        if (net_packet_count(&net->params, bytes) > 1 && rules.virtual_channels > rules.classes)
            return measure(net, from, to, bytes);
        cycles += (flits - 1) / rules.buffer_flits * (loop - rules.buffer_flits);
    }
    return (net_wormhole_cycle_from(&rules, net->params.startup_ps) + cycles) * rules.cycle_ps;
}
