/* nics.c - the NICs of both wormhole engines: messages become packets, and injection channels send them.
 *
 *   messages, in order --> packets --+--> injection channel 0 --> links of the node
 *   aborted packets, first ----------+--> ...
 *
 * See rules 5 and 8 of rules.h. What an injection channel has not sent yet of its packet is treated by the engines as
 * the buffer of that channel. Two-phase: a channel that is given a packet in a cycle can send from the next cycle on.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/faults/faults.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/rules.h"

void net_nics_init(NetNics *nics, const NetWormhole *rules)
{
    uint32_t sources = rules->channels - rules->link_channels;
    *nics = (NetNics){.nic = g_new0(NetNic, rules->nics), .source = g_new0(NetSource, sources)};
    for (uint32_t i = 0; i < rules->nics; i++) {
        nics->nic[i].waiting.head = NET_NONE;
        nics->nic[i].last_served = rules->injection_channels - 1;
    }
    for (uint32_t i = 0; i < sources; i++)
        nics->source[i].packet = NET_NONE;
    if (rules->injection_flits)
        nics->turn = g_new0(uint8_t, sources);
}

void net_nics_clear(NetNics *nics)
{
    g_free(nics->nic);
    g_free(nics->source);
    g_free(nics->turn);
    if (nics->retries)
        g_array_free(nics->retries, TRUE);
}

void net_nics_add(NetNics *nics, Network *net, uint32_t message)
{
    net_fifo_push(net, &nics->nic[net_nic_of(net, net_message(net, message))].waiting, message);
}

/* Takes the NIC's first aborted packet. Returns false if it has none. */
static bool take_retry(NetNics *nics, uint32_t nic, NetSource *source)
{
    for (guint i = 0; nics->retries && i < nics->retries->len; i++) {
        NetRetry retry = g_array_index(nics->retries, NetRetry, i);
        if (retry.nic != nic)
            continue;
        *source = (NetSource){.packet = retry.packet, .ready = retry.ready};
        g_array_remove_index(nics->retries, i);
        return true;
    }
    return false;
}

static bool take_new(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t index,
                     NetSource *source)
{
    NetNic *nic = &nics->nic[index];
    if (nic->waiting.head == NET_NONE)
        return false;
    uint32_t place = nic->waiting.head;
    NetMessage *message = net_message(net, place);
    uint64_t ready =
        net_wormhole_cycle_from(rules, message->ready_ps) + net_wormhole_routing_cycles(rules, message->from);
    if (net->now > message->ready_ps) /* the packet had to wait for those ahead of it */
        ready = MAX(ready, net_wormhole_cycle_from(rules, net->now));
    *source = (NetSource){
        .packet = net_wormhole_packets_new(packets, net, place, message->injected++, nic->serial++),
        .ready = ready + rules->packet_cycles,
    };
    if (message->injected == message->packets)
        net_fifo_pop(net, &nic->waiting);
    return true;
}

uint32_t net_nics_load(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t nic)
{
    if (nics->nic[nic].waiting.head == NET_NONE && !nics->retries)
        return NET_NONE;
    uint32_t first = nic * rules->injection_channels;
    uint32_t idle = first;
    while (idle < first + rules->injection_channels && nics->source[idle].packet != NET_NONE)
        idle++;
    if (idle == first + rules->injection_channels)
        return NET_NONE;
    NetSource *source = &nics->source[idle];
    bool found = take_retry(nics, nic, source) || take_new(nics, net, rules, packets, nic, source);
    return found ? rules->link_channels + idle : NET_NONE;
}

/* Returns whether packets of a message have still to leave the NIC for the first time. */
static bool is_leaving(const NetNics *nics, const NetWormhole *rules, const NetPackets *packets, uint32_t nic,
                       uint32_t message)
{
    for (uint32_t i = 0; i < rules->injection_channels; i++) {
        uint32_t packet = nics->source[nic * rules->injection_channels + i].packet;
        if (packet != NET_NONE && packets->packet[packet].message == message && !packets->packet[packet].has_left)
            return true;
    }
    return false;
}

void net_nics_sent(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t channel,
                   uint64_t cycle)
{
    NetSource *source = net_nics_source(nics, rules, channel);
    assert(source->packet != NET_NONE);
    NetPacket *packet = &packets->packet[source->packet];
    const NetMessage *message = net_message(net, packet->message);
    bool again = packet->has_left;
    packet->has_left = true;
    source->packet = NET_NONE;
    if (message->unreported && net->client.fast.drives && !message->is_packet)
        return; /* nobody wants to know when it has been sent */
    if (!again && message->injected == message->packets &&
        !is_leaving(nics, rules, packets, net_wormhole_nic(rules, channel), packet->message))
        base_queue_push(net->queue, (cycle + 1) * rules->cycle_ps, NET_EVENT_SENT, message->from, packet->message, 0);
}

uint32_t net_nics_retry(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                        uint64_t cycle)
{
    const NetPacket *what = &packets->packet[packet];
    uint32_t nic = what->from * rules->node_nics + what->nic;
    uint64_t ready = cycle + 1 + rules->retry_cycles + net_wormhole_routing_cycles(rules, what->from);
    for (uint32_t i = nic * rules->injection_channels; i < (nic + 1) * rules->injection_channels; i++)
        if (nics->source[i].packet == packet) {
            nics->source[i] = (NetSource){.packet = packet, .ready = ready};
            return rules->link_channels + i;
        }
    NetRetry retry = {.nic = nic, .packet = packet, .ready = ready};
    if (!nics->retries)
        nics->retries = g_array_new(FALSE, FALSE, sizeof(NetRetry));
    g_array_append_val(nics->retries, retry);
    return net_nics_load(nics, net, rules, packets, nic);
}

uint32_t net_nics_lose(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                       NetLoss why, uint32_t link)
{
    const NetPacket *what = &packets->packet[packet];
    uint32_t nic = what->from * rules->node_nics + what->nic;
    uint32_t message = what->message;
    assert(net->transport && net_message(net, message)->packets == 1);
    for (uint32_t i = nic * rules->injection_channels; i < (nic + 1) * rules->injection_channels; i++)
        if (nics->source[i].packet == packet)
            nics->source[i].packet = NET_NONE;
    if (!what->has_left)
        base_queue_push(net->queue, net->now, NET_EVENT_SENT, what->from, message, 0);
    net_wormhole_packets_release(packets, packet);
    net_transport_lost(net, message, why, link);
    return net_nics_load(nics, net, rules, packets, nic);
}

/* -- limited injection ------------------------------------------------------------------------- */

enum { IDLE, WANTS, MAY, MAY_NOT };

static void give_turns(NetNics *nics, const NetWormhole *rules, uint32_t index)
{
    NetNic *nic = &nics->nic[index];
    uint32_t count = rules->injection_channels;
    uint32_t last = nic->last_served;
    uint32_t given = 0;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t channel = (last + i) % count;
        uint8_t *turn = &nics->turn[index * count + channel];
        if (*turn != WANTS)
            continue;
        *turn = given < rules->injection_flits ? MAY : MAY_NOT;
        if (given++ < rules->injection_flits)
            nic->last_served = channel;
    }
}

void net_nics_limit(NetNics *nics, const NetWormhole *rules, NetSending *sending, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sending[i].may = sending[i].from < rules->link_channels;
        if (!sending[i].may)
            nics->turn[sending[i].from - rules->link_channels] = WANTS;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sending[i].may)
            continue;
        uint8_t *turn = &nics->turn[sending[i].from - rules->link_channels];
        if (*turn == WANTS)
            give_turns(nics, rules, net_wormhole_nic(rules, sending[i].from));
        sending[i].may = *turn == MAY;
        *turn = IDLE;
    }
}
