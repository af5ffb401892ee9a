/* rules.c - what both wormhole engines share besides the rules in rules.h: parameters, packets, and the closed form for
 * an empty network. */
#include "netsim/wormhole/rules.h"

#include "base/pool.h"
#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

#define MOST_FLIT_BUFFERS (UINT64_C(1) << 26) /* with these, the engine takes about 1 GiB */

static uint64_t cycles_of(uint64_t time_ps, uint64_t cycle_ps)
{
    return time_ps / cycle_ps + (time_ps % cycle_ps != 0);
}

/* Returns the cycle: the time of one flit on the fastest link of the network. */
static uint64_t cycle_of(const Network *net)
{
    const NetGraph *graph = &net->graph;
    uint64_t bandwidth = graph->links && !graph->uniform ? 0 : net->params.bandwidth;
    for (uint32_t i = 0; !graph->uniform && i < graph->links; i++)
        bandwidth = MAX(bandwidth, graph->link[i].bandwidth);
    return net_serialise(net->params.wormhole.flit_bytes, bandwidth);
}

static uint32_t class_first(const NetWormhole *rules, uint32_t channel_class)
{
    return channel_class * rules->virtual_channels / rules->classes;
}

/* Returns the bit set first .. end - 1. */
static uint64_t bits_between(uint32_t first, uint32_t end)
{
    uint64_t below = end == 64 ? UINT64_MAX : (UINT64_C(1) << end) - 1;
    return below & ~((UINT64_C(1) << first) - 1);
}

static void share_channels(NetWormhole *rules, const Network *net)
{
    for (uint32_t i = 0; i < rules->classes; i++) {
        uint64_t share = net->routing->share ? net->routing->share(net, i, rules->virtual_channels)
                                             : bits_between(class_first(rules, i), class_first(rules, i + 1));
        rules->class_share[i] = share;
        for (; share; share &= share - 1)
            rules->class_of[__builtin_ctzll(share)] = i;
    }
}

void net_wormhole_init(NetWormhole *rules, const Network *net)
{
    const NetParams *params = &net->params;
    uint64_t cycle = cycle_of(net);
    uint32_t stages = params->wormhole.router_stages;
    *rules = (NetWormhole){
        .virtual_channels = params->wormhole.virtual_channels,
        .buffer_flits = params->wormhole.buffer_flits,
        .classes = net->routing->classes(net),
        .link_channels = net->graph.links * params->wormhole.virtual_channels,
        .nics = params->nodes * params->nics,
        .node_nics = params->nics,
        .injection_channels = params->wormhole.injection_channels,
        .injection_flits = params->wormhole.injection_flits < params->wormhole.injection_channels
                               ? params->wormhole.injection_flits
                               : 0,
        .vc_allocator = params->wormhole.vc_allocator,
        .switch_allocator = params->wormhole.switch_allocator,
        .iterations = MAX(params->wormhole.iterations, 1),
        .speculates = params->wormhole.switch_allocator && params->wormhole.speculation == NET_SPECULATION_YES,
        .cycle_ps = cycle,
        .cycle_inverse = UINT64_MAX / cycle,
        .router_cycles = stages ? stages : cycles_of(params->router_latency_ps, cycle),
        .switch_cycles = stages ? stages : cycles_of(params->switch_latency_ps, cycle),
        .credit_cycles = cycles_of(params->wormhole.credit_delay_ps, cycle),
        .ejection_flits = params->wormhole.ejection_flits,
        .deadlock_cycles = net->may_deadlock ? MIN(params->wormhole.deadlock_cycles, MAX(NET_MAX_TIME / cycle, 1)) : 0,
        .retry_cycles = cycles_of(params->wormhole.retry_delay_ps, cycle),
        .packet_cycles = cycles_of(params->packet_startup_ps, cycle),
        .resolves = params->deadlock == NET_DEADLOCK_RESOLVE,
        .allocation = params->wormhole.allocation,
        .whole_buffers = net->routing->adaptive && !net->source_routed,
        .nodes = params->nodes,
        .node_is_hub = net->topology->node_is_hub,
    };
    if (rules->switch_allocator)
        rules->injection_flits = 0; /* a NIC is a port, so one flit passes */
    rules->channels = rules->link_channels + rules->nics * rules->injection_channels;
    for (uint32_t i = 0; !net->graph.uniform && i < net->graph.links; i++)
        rules->half_duplex |= net->graph.link[i].partner != NET_NONE;
    share_channels(rules, net);
}

uint64_t net_wormhole_flight(const NetWormhole *rules, const NetLink *link)
{
    return cycles_of(link->latency_ps, rules->cycle_ps);
}

uint64_t net_wormhole_period(const NetWormhole *rules, const Network *net, const NetLink *link)
{
    return cycles_of(net_serialise(net->params.wormhole.flit_bytes, link->bandwidth), rules->cycle_ps);
}

/* Checks what rules 10 to 12 do not cover. */
static bool check_allocators(const NetParams *params, GError **error)
{
    const NetWormholeParams *wormhole = &params->wormhole;
    if (wormhole->vc_allocator && wormhole->allocation != NET_ALLOCATE_LOWEST &&
        wormhole->allocation != NET_ALLOCATE_MESSAGE_CLASS)
        return net_error_refuse(error, "vc-allocator",
                                "%s has turns of its own, so vc-allocation cannot be %s: use lowest or message-class",
                                net_choice_allocators()[wormhole->vc_allocator],
                                net_choice_allocations()[wormhole->allocation]);
    if (wormhole->switch_allocator && wormhole->injection_channels > NET_MOST_PORTS)
        return net_error_refuse(error, "switch-allocator",
                                "a port of a switch has at most %d channels, and %u injection-channels are more",
                                NET_MOST_PORTS, wormhole->injection_channels);
    return true;
}

bool net_wormhole_check_links(const Network *net, GError **error)
{
    const NetGraph *graph = &net->graph;
    if (!net->params.wormhole.switch_allocator)
        return true;
    g_autofree uint32_t *ports = g_new0(uint32_t, graph->vertices);
    for (uint32_t i = 0; i < graph->links; i++) {
        const NetLink *link = &graph->link[i];
        if (link->partner != NET_NONE)
            return net_error_refuse(error, "switch-allocator",
                                    "no allocator serves both ends of a half-duplex link: use duplex = full");
        ports[link->to]++;
    }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t entering = ports[v] + (v < net->params.nodes ? net->params.nics : 0);
        uint32_t most = MAX(entering, graph->first_out[v + 1] - graph->first_out[v]);
        if (most > NET_MOST_PORTS)
            return net_error_refuse(error, "switch-allocator",
                                    "a switch has at most %d ports, and vertex %u would have %u", NET_MOST_PORTS, v,
                                    most);
    }
    return true;
}

static bool check_sizes(const NetParams *params, uint64_t links, GError **error)
{
    if (params->wormhole.flit_bytes == 0)
        return net_error_refuse(error, "flit-bytes", "a flit must have at least 1 byte");
    if (params->wormhole.flit_bytes > (uint64_t)params->packet_bytes + params->header_bytes)
        return net_error_refuse(error, "flit-bytes",
                                "a flit of %u bytes is larger than a packet of %u with its header of %u",
                                params->wormhole.flit_bytes, params->packet_bytes, params->header_bytes);
    if (net_serialise(params->wormhole.flit_bytes, params->bandwidth) > NET_PS_PER_S)
        return net_error_refuse(error, "flit-bytes",
                                "a flit of %u bytes takes more than a second on a link of this bandwidth",
                                params->wormhole.flit_bytes);
    if (params->wormhole.virtual_channels == 0)
        return net_error_refuse(error, "virtual-channels",
                                "wormhole switching needs at least 1 virtual channel per link");
    if (params->wormhole.virtual_channels > NET_MAX_CHANNELS)
        return net_error_refuse(error, "virtual-channels", "%u are more than the %d that a link may have",
                                params->wormhole.virtual_channels, NET_MAX_CHANNELS);
    if (params->wormhole.buffer_flits == 0)
        return net_error_refuse(error, "buffer-flits", "the buffer of a virtual channel must hold at least 1 flit");
    if (params->wormhole.injection_channels == 0)
        return net_error_refuse(error, "injection-channels", "a network interface needs at least 1 injection channel");
    if (params->wormhole.deadlock_cycles == 0)
        return net_error_refuse(error, "deadlock-interval",
                                "the detector of deadlocks must look every so many cycles, 1 at least");
    uint64_t sources = (uint64_t)params->nodes * params->nics * params->wormhole.injection_channels;
    if (sources > NET_MAX_NODES)
        return net_error_refuse(error, "injection-channels",
                                "%u of each network interface are too many: %" G_GUINT64_FORMAT " in all",
                                params->wormhole.injection_channels, sources);
    uint64_t slots = links * params->wormhole.virtual_channels;
    if (slots > NET_NONE / 2 || slots * params->wormhole.buffer_flits > MOST_FLIT_BUFFERS)
        return net_error_refuse(error, "buffer-flits",
                                "%" G_GUINT64_FORMAT
                                " links with %u virtual channels of %u flits need more than 2^26 flit buffers",
                                links, params->wormhole.virtual_channels, params->wormhole.buffer_flits);
    return true;
}

bool net_wormhole_check(const Network *net, GError **error)
{
    if (!check_sizes(&net->params, net->topology->links(&net->params), error) || !check_allocators(&net->params, error))
        return false;
    uint32_t classes = net->routing->classes(net);
    if (net->params.wormhole.virtual_channels < classes)
        return net_error_refuse(
            error, "virtual-channels",
            "%s routing on a %s of this size needs at least %u virtual channels, not %u: with fewer, packets can wait "
            "for each other all the way round a ring (deadlock); use %u, or shortest-path routing to see it happen",
            net->routing->name, net->topology->name, classes, net->params.wormhole.virtual_channels, classes);
    return true;
}

/* -- packets ----------------------------------------------------------------------------------- */

uint32_t net_wormhole_flits(NetPackets *packets, const Network *net, uint64_t bytes)
{
    uint32_t flit_bytes = net->params.wormhole.flit_bytes;
    if (bytes != packets->last_bytes) {
        packets->last_bytes = bytes;
        packets->last_flits = (uint32_t)(bytes / flit_bytes + (bytes % flit_bytes != 0));
    }
    return MAX(packets->last_flits, 1);
}

uint32_t net_wormhole_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index,
                                  uint32_t serial)
{
    const NetMessage *of = net_message(net, message);
    uint64_t bytes = net_packet_bytes(&net->params, of->bytes, index);
    uint32_t place = BASE_POOL_TAKE(&packets->places, packets->packet);
    packets->alive++;
    packets->packet[place] = (NetPacket){
        .message = message,
        .flits = net_wormhole_flits(packets, net, bytes),
        .from = of->from,
        .to = of->to,
        .via = NET_NONE,
        .index = (uint32_t)index,
        .serial = serial,
        .nic = of->nic,
        .is_long = of->packets > 1,
        .number = net->routing->choose_via || net->source_routed
                      ? base_random_mix(net->params.seed, (uint64_t)of->nic << 32 | of->from, serial)
                      : 0,
        .ready_ps = of->ready_ps,
        .wire_bytes = bytes,
    };
    return place;
}

void net_wormhole_packets_release(NetPackets *packets, uint32_t packet)
{
    assert(packets->alive > 0);
    packets->alive--;
    BASE_POOL_GIVE(&packets->places, packets->packet, packet);
}

uint64_t net_wormhole_share(const NetWormhole *rules, const NetPacket *packet, uint32_t channel_class)
{
    uint64_t share = rules->class_share[channel_class];
    if (rules->allocation != NET_ALLOCATE_MESSAGE_CLASS || !(share & (share - 1)))
        return share;
    uint32_t count = (uint32_t)__builtin_popcountll(share);
    uint64_t lower = 0;
    for (uint32_t i = 0; i < count / 2; i++)
        lower |= (share ^ lower) & -(share ^ lower);
    return packet->is_long ? lower : share ^ lower;
}

NetQuery net_wormhole_query(const NetWormhole *rules, const NetPacket *packet, uint32_t channel, uint32_t vertex)
{
    NetQuery query = {.from = packet->from,
                      .to = packet->to,
                      .via = packet->via,
                      .at = vertex,
                      .in_link = NET_NONE,
                      .nic = packet->nic,
                      .number = packet->number};
    if (channel < rules->link_channels) {
        query.in_link = channel / rules->virtual_channels;
        query.in_class = rules->class_of[channel % rules->virtual_channels];
    }
    return query;
}

uint32_t net_wormhole_best(const NetHop *hops, const uint64_t *free_channels, uint32_t count)
{
    uint32_t best = NET_NONE;
    int most = 0;
    for (uint32_t i = 0; i < count; i++) {
        int free_count = __builtin_popcountll(free_channels[i]);
        int score = free_count && hops[i].escape ? 1 : 2 * free_count;
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

uint32_t net_wormhole_pick(const NetWormhole *rules, uint64_t free_channels, uint32_t last)
{
    assert(free_channels);
    uint64_t later = free_channels & ~bits_between(0, last + 1);
    bool turn = rules->allocation == NET_ALLOCATE_ROUND_ROBIN && later;
    return (uint32_t)__builtin_ctzll(turn ? later : free_channels);
}

void net_wormhole_tell_release(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                               uint32_t channel, uint64_t cycle)
{
    const NetPacket *what = &packets->packet[packet];
    const NetLink *link = &net->graph.link[channel / rules->virtual_channels];
    uint64_t period = net_wormhole_period(rules, net, link);
    uint64_t header = period + net_wormhole_flight(rules, link);
    net_watch_released(net, packet, what->message, channel, what->wire_bytes, what->flits * period * rules->cycle_ps,
                       header * rules->cycle_ps, (cycle + period) * rules->cycle_ps);
}

void net_wormhole_tell_abort(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                             uint32_t channel, uint64_t cycle)
{
    net_watch_released(net, packet, packets->packet[packet].message, channel, 0, 0, 0, (cycle + 1) * rules->cycle_ps);
}

uint32_t net_wormhole_counters(const Network *net, NetCounter *counters)
{
    if (!net->may_deadlock || net->params.deadlock != NET_DEADLOCK_RESOLVE)
        return 0;
    counters[0] = (NetCounter){.key = "deadlocks_resolved",
                               .text = "deadlocks resolved by aborting a packet",
                               .value = net_deadlocks_resolved(net)};
    return 1;
}

void net_wormhole_begin(Network *net, NetOrder *order, uint32_t message)
{
    if (!net->transport)
        net_order_begin(order, net, message);
}

void net_wormhole_arrived(Network *net, NetOrder *order, uint32_t message)
{
    if (++net_message(net, message)->delivered < net_message(net, message)->packets)
        return;
    if (net->transport)
        base_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, net_message(net, message)->to, message, 0);
    else
        net_order_arrived(order, net, message);
}

/* -- an empty network -------------------------------------------------------------------------- */

/* Returns the flits of a message, all packets together. */
static uint64_t count_flits(const Network *net, uint64_t bytes)
{
    const NetParams *params = &net->params;
    uint64_t full = (uint64_t)params->packet_bytes + params->header_bytes;
    uint64_t before = net_packet_count(params, bytes) - 1;
    uint64_t last = net_packet_bytes(params, bytes, before);
    return before * cycles_of(full, params->wormhole.flit_bytes) + MAX(cycles_of(last, params->wormhole.flit_bytes), 1);
}

/* The time from the first cycle at or after the end of startup, for F flits over h links with routing pipelines R1 ..
 * Rh:
 *
 *     h (1 + D) + R1 + .. + Rh + (F - 1) + floor((F - 1) / B) * max(0, loop - B)
 *
 * The last term counts if buffers are too small to keep a link busy. A slot is free again `loop` = D + 2 + R cycles
 * after its flit was sent (R the greatest of the routers between; D + 1 if the destination follows). So after every B
 * flits the stream stands still for loop - B cycles. This holds while all packets follow each other on the same virtual
 * channels. If buffers are too small and there are several channels to choose from, the answer is measured. A link
 * brings one flit per cycle, so limited ejection causes no delay.
 *
 * Where a switch is allocated without speculation, each header waits a cycle at each link, and each packet but the
 * first a cycle in the NIC.
 */
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    NetWormhole rules;
    net_wormhole_init(&rules, net);
    bool in_turn = rules.injection_channels == 1 || net_packet_count(&net->params, bytes) == 1;
    if (!net_path_is_closed_form(net) || rules.credit_cycles || !in_turn)
        return NET_MEASURE;
    uint64_t flits = count_flits(net, bytes);
    uint64_t flight = cycles_of(net->params.link_latency_ps, rules.cycle_ps);
    uint64_t wait = rules.switch_allocator && !rules.speculates;
    uint64_t packets = net_packet_count(&net->params, bytes);
    uint64_t cycles = flits - 1 + wait * (packets - 1);
    uint64_t loop = flight + 1 + wait;
    NetQuery query = net_route_begin(net, from, to, 0);
    while (query.at != to) {
        uint64_t routing = net_wormhole_routing_cycles(&rules, query.at);
        cycles += 1 + flight + routing + wait;
        if (query.at != from)
            loop = MAX(loop, flight + 2 + routing + wait);
        net_route_advance(net, &query, net_route_next_hop(net, &query));
    }
    if (loop > rules.buffer_flits) {
        if (wait || (packets > 1 && rules.virtual_channels > rules.classes))
            return NET_MEASURE;
        cycles += (flits - 1) / rules.buffer_flits * (loop - rules.buffer_flits);
    }
    return (net_wormhole_cycle_from(&rules, net->params.startup_ps) + cycles) * rules.cycle_ps;
}
