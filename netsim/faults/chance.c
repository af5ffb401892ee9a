/* chance.c - what happens by chance to packets on their way: some are lost, some come late.
 *
 * Random numbers are functions of (seed, source, number of the message there, number of the packet, repetition, link).
 * So losses do not depend on what else happens. Chances are integers, fractions of 2^64, so they are the same on every
 * host.
 */
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/faults/faults.h"
#include "netsim/faults/transport.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

/* Bit in the packet number from which random numbers of acknowledgements are drawn. */
#define ACKNOWLEDGEMENT (UINT64_C(1) << 63)

/* Returns the chance that all of `bits` bits get across, in units of 2^-64. Repeated squaring in 1.63 fixed point. */
static uint64_t all_intact(uint64_t intact_q63, uint64_t bits)
{
    uint64_t result = UINT64_C(1) << 63;
    for (uint64_t power = intact_q63; bits; bits >>= 1) {
        if (bits & 1)
            result = (uint64_t)((unsigned __int128)result * power >> 63);
        power = (uint64_t)((unsigned __int128)power * power >> 63);
    }
    return result >> 63 ? UINT64_MAX : result << 1;
}

static uint64_t chance_intact(NetTransport *transport, uint64_t wire_bytes)
{
    if (transport->intact_bytes != wire_bytes) {
        transport->intact_bytes = wire_bytes;
        transport->intact_chance = all_intact(transport->intact_q63, 8 * wire_bytes);
    }
    return transport->intact_chance;
}

/* Draws a random number for a packet on a link. Each `use` has numbers of its own. */
static uint64_t draw(const Network *net, uint32_t index, uint32_t link, uint64_t use)
{
    const NetTransport *transport = net->transport;
    const Copy *copy = &transport->copy[index];
    const Packet *packet = &transport->packet[copy->packet];
    uint64_t number = packet->number | (copy->acknowledges ? ACKNOWLEDGEMENT : 0);
    return base_random_mix(base_random_mix(packet->key, number, copy->attempt), link, use);
}

bool net_chance_crosses(const Network *net, uint32_t packet, uint32_t link)
{
    NetTransport *transport = net->transport;
    if (!transport->lossy)
        return true;
    uint64_t lost = net->params.faults.loss, number = draw(net, packet, link, 0);
    if (lost && (uint64_t)((unsigned __int128)number * NET_CHANCE_ONE >> 64) < lost)
        return false;
    return !net->params.faults.bit_errors ||
           draw(net, packet, link, 1) <=
               chance_intact(transport, net_transport_wire_bytes(net, net_message(net, packet)));
}

uint64_t net_chance_jitter(const Network *net, uint32_t packet, uint32_t link)
{
    uint64_t jitter = net->params.faults.jitter_ps;
    if (!jitter)
        return 0;
    uint64_t number = draw(net, packet, link, 2);
    if (net->params.faults.jitter_distribution == BASE_DISTRIBUTION_EXPONENTIAL)
        return base_random_spread(BASE_DISTRIBUTION_EXPONENTIAL, jitter, number);
    return (uint64_t)((unsigned __int128)number * (jitter + 1) >> 64);
}

bool net_chance_crosses_all(Network *net, uint32_t index, uint64_t *late_ps)
{
    const NetMessage *message = net_message(net, index);
    *late_ps = 0;
    if (!net->model->needs_links || net->topology->shared_medium) { /* there is one wire, or no links at all */
        *late_ps = net_chance_jitter(net, index, 0);
        if (net_chance_crosses(net, index, 0))
            return true;
        net_transport_lost(net, index, NET_LOST_DAMAGED, NET_NONE);
        return false;
    }
    NetQuery query =
        net_route_begin(net, message->from, message->to, base_random_mix(net->params.seed, message->from, 0));
    while (query.at != message->to) {
        NetHop hops[NET_MAX_CANDIDATES];
        if (!net_candidates(net, &query, hops))
            break; /* failures have left no way meanwhile */
        *late_ps += net_chance_jitter(net, index, hops[0].link);
        if (!net_chance_crosses(net, index, hops[0].link)) {
            net_transport_lost(net, index, NET_LOST_DAMAGED, hops[0].link);
            return false;
        }
        net_route_advance(net, &query, hops[0]);
    }
    return true;
}
