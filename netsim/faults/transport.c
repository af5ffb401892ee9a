/* transport.c - reliable network interfaces on networks that lose packets, delay them, and lose their links.
 *
 * A NIC cuts messages into packets, hands them to its switching model one after the other, and keeps a copy of each
 * until it is acknowledged. A packet that is not acknowledged in time is sent again, before new packets. The first
 * repetition comes a timeout after the packet left the node, the next ones after twice that, four times that and so on
 * (selective repeat with exponential back-off). After `retransmission_limit` repetitions the packet's message is given
 * up, and the client is told. Messages from one node to another are handed over in the order in which they were sent.
 *
 *   acknowledgement_bytes = 0   acknowledgements are free: a NIC learns at once of what has arrived, and only packets
 *                               that are lost are sent again
 *   acknowledgement_bytes > 0   acknowledgements are packets, go before all others, and may be lost themselves; a late
 *                               packet is sent again too, and the second of two that arrive is dropped
 *
 *   net_transport_inject -> [queue of the NIC] -> launch -> model --+-> net_transport_arrived -> NetOrder -> DELIVERED
 *                                  ^                                |
 *                                  +--- timer <--- net_transport_lost -+
 */
#include "netsim/faults/transport.h"

#include "base/pool.h"
#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/params/params.h"

#include <string.h>

enum { MOST_DOUBLINGS = 32 };
enum { TIMER_RESEND, TIMER_ARRIVE }; /* low bit of a timer event's b */

/* -- making ------------------------------------------------------------------------------------ */

static bool check(Network *net, GError **error)
{
    NetParams *params = &net->params;
    if (params->faults.loss > NET_CHANCE_ONE || params->faults.bit_errors > NET_CHANCE_ONE)
        return net_error_refuse(error, params->faults.loss > NET_CHANCE_ONE ? "loss" : "bit-error-rate",
                                "a chance is at most 1: of every packet");
    if ((params->faults.loss || params->faults.bit_errors) && net->model->fluid)
        return net_error_refuse(error, params->faults.loss ? "loss" : "bit-error-rate",
                                "%s has no packets that could be lost; store-and-forward and cut-through have",
                                net->model->name);
    if (params->transport.acknowledgement_bytes > params->packet_bytes)
        return net_error_refuse(error, "acknowledgement-bytes",
                                "an acknowledgement of %u bytes is more than a packet of %u",
                                params->transport.acknowledgement_bytes, params->packet_bytes);
    if (!params->transport.timeout_ps)
        return net_error_refuse(error, "retransmission-timeout",
                                "it must be more than 0: packets would be sent again at once");
    return true;
}

NetTransport *net_transport_new(Network *net, GError **error)
{
    const NetParams *params = &net->params;
    if ((!params->faults.loss && !params->faults.bit_errors && !params->faults.jitter_ps && !net->failures) ||
        !check(net, error))
        return NULL;
    NetTransport *transport = g_new0(NetTransport, 1);
    uint32_t nics = transport->nics = params->nodes * params->nics;
    transport->port = g_new0(Port, nics);
    for (uint32_t nic = 0; nic < nics; nic++) {
        transport->port[nic].messages.head = NET_NONE;
        transport->port[nic].again.head = NET_NONE;
    }
    transport->order = net_order_new();
    transport->lossy = params->faults.loss || params->faults.bit_errors;
    transport->intact_q63 =
        (uint64_t)(((unsigned __int128)(NET_CHANCE_ONE - params->faults.bit_errors) << 63) / NET_CHANCE_ONE);
    transport->intact_bytes = UINT64_MAX;
    return transport;
}

void net_transport_free(NetTransport *transport)
{
    if (!transport)
        return;
    for (uint32_t nic = 0; nic < transport->nics; nic++)
        if (transport->port[nic].acknowledgements)
            g_array_unref(transport->port[nic].acknowledgements);
    net_order_free(transport->order);
    g_free(transport->packet);
    g_free(transport->copy);
    g_free(transport->key);
    g_free(transport->undeliverable);
    g_free(transport->port);
    g_free(transport);
}

/* -- packets and their copies ------------------------------------------------------------------ */

/* Takes a slot for a packet. The version of a slot goes on counting, because timers of its previous packet may still be
 * due. */
static uint32_t packet_new(NetTransport *transport)
{
    uint32_t known = transport->packets.count, index = BASE_POOL_TAKE(&transport->packets, transport->packet);
    if (transport->packets.count > known)
        transport->packet[index].version = 0;
    return index;
}

/* Frees the slot of a packet that is done, as soon as no queue and no copy refers to it. */
static void packet_settle(NetTransport *transport, uint32_t index)
{
    Packet *packet = &transport->packet[index];
    if (!packet->done || packet->queued || packet->flying)
        return;
    packet->version++;
    BASE_POOL_GIVE(&transport->packets, transport->packet, index);
}

static void packet_done(NetTransport *transport, uint32_t index)
{
    transport->packet[index].done = true;
    transport->packet[index].version++;
}

static Copy *copy_of(NetTransport *transport, uint32_t index)
{
    if (index >= transport->copy_capacity) {
        uint32_t before = transport->copy_capacity;
        transport->copy_capacity = MAX(index + 1, 2 * transport->copy_capacity);
        transport->copy = g_renew(Copy, transport->copy, transport->copy_capacity);
        memset(transport->copy + before, 0, (transport->copy_capacity - before) * sizeof *transport->copy);
    }
    return &transport->copy[index];
}

static void copy_settle(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    const Copy *copy = &transport->copy[index];
    if (!copy->sent || !copy->gone)
        return;
    uint32_t packet = copy->packet;
    transport->packet[packet].flying--;
    transport->copy[index].flies = false;
    net_message_free(net, index);
    packet_settle(transport, packet);
}

static Port *port_of(const Network *net, uint32_t node, uint32_t nic)
{
    return &net->transport->port[node * net->params.nics + nic];
}

static void start_timer(Network *net, uint32_t index, uint64_t from_ps)
{
    Packet *packet = &net->transport->packet[index];
    unsigned __int128 wait = (unsigned __int128)net->params.transport.timeout_ps
                             << MIN(packet->attempt, MOST_DOUBLINGS);
    uint64_t due = from_ps + (uint64_t)MIN(wait, NET_MAX_TIME);
    base_queue_push(net->queue, MAX(due, net->now), NET_EVENT_TIMER, packet->from, index,
                    (uint64_t)++packet->version << 1 | TIMER_RESEND);
}

/* -- giving up --------------------------------------------------------------------------------- */

static void give_up(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    const Packet *packet = &transport->packet[index];
    if (packet->arrived) /* the message may already be freed: only acknowledgements were lost */
        return;
    NetMessage *message = net_message(net, packet->message);
    uint64_t cookie = message->cookie;
    packet_done(transport, index);
    packet_settle(transport, index);
    if (message->given_up)
        return;
    message->given_up = true;
    transport->busy--;
    if (message->background) {
        net->background.undeliverable(net->background.user, cookie, NULL);
        return;
    }
    transport->counts.undeliverable++;
    g_free(transport->undeliverable);
    transport->undeliverable = net_transport_undeliverable(net, packet, message);
    if (net->client.undeliverable)
        net->client.undeliverable(net->client.user, cookie, transport->undeliverable);
}

/* -- sending ----------------------------------------------------------------------------------- */

static void launch(Network *net, uint32_t index, bool acknowledges)
{
    NetTransport *transport = net->transport;
    uint32_t place = net_message_new(net);
    Packet *packet = &transport->packet[index];
    uint32_t from = acknowledges ? packet->to : packet->from;
    uint64_t bytes = acknowledges ? net->params.transport.acknowledgement_bytes : packet->bytes;
    Port *port = port_of(net, from, packet->nic);
    /* If it does not begin, the packet only follows the one before it. */
    bool begins = acknowledges || (!port->leaving && net->model->packets_ahead > 1);
    *net_message(net, place) = (NetMessage){
        .from = from,
        .to = acknowledges ? packet->from : packet->to,
        .bytes = bytes,
        .ready_ps = begins ? net->now : packet->ready_ps,
        .packets = net_packet_count(&net->params, bytes),
        .next = NET_NONE,
        .nic = (uint8_t)packet->nic,
        .is_packet = true,
    };
    *copy_of(transport, place) =
        (Copy){.packet = index, .attempt = packet->attempt, .acknowledges = acknowledges, .flies = true};
    if (G_UNLIKELY(net->watch))
        net_watch_part(net, place, packet->label, packet->number | (acknowledges ? NET_ACKNOWLEDGEMENT : 0));
    if (!acknowledges && packet->flown) {
        transport->counts.resent++;
        transport->counts.resent_bytes += net_transport_wire_bytes(net, net_message(net, place));
    }
    packet->flown |= !acknowledges;
    packet->flying++;
    port->leaving++;
    transport->counts.acknowledgements += acknowledges;
    net->model->inject(net, place);
}

/* Returns whether the routing has no way for the packet. If so, the packet is tried again if something will still be
 * repaired; else its message is given up. */
static bool is_cut_off(Network *net, uint32_t index)
{
    Packet *packet = &net->transport->packet[index];
    if (!net->failures || net_damage_reaches(net, packet->from, packet->to))
        return false;
    packet->lost_by = NET_LOST_NO_WAY;
    packet->lost_ps = net->now;
    if (net_failures_will_repair(net->failures) && packet->attempt < net->params.transport.limit)
        start_timer(net, index, net->now);
    else
        give_up(net, index);
    return true;
}

static void send_data(Network *net, uint32_t index)
{
    if (!is_cut_off(net, index))
        launch(net, index, false);
}

static void send_acknowledgement(Network *net, Port *port)
{
    uint32_t index = g_array_index(port->acknowledgements, uint32_t, port->acknowledged++);
    if (port->acknowledged == port->acknowledgements->len) {
        g_array_set_size(port->acknowledgements, 0);
        port->acknowledged = 0;
    }
    launch(net, index, true);
    net->transport->packet[index].flying--; /* the count of the waiting acknowledgement, see acknowledge() */
}

static uint32_t take_again(NetTransport *transport, Port *port)
{
    uint32_t index = port->again.head;
    Packet *packet = &transport->packet[index];
    port->again.head = packet->next;
    packet->queued = false;
    return index;
}

/* Takes the next packet of the first message in the queue. */
static uint32_t take_new(Network *net, Port *port)
{
    NetTransport *transport = net->transport;
    uint32_t place = port->messages.head;
    NetMessage *message = net_message(net, place);
    uint32_t index = packet_new(transport);
    uint64_t number = message->injected++, before = number * net->params.packet_bytes;
    bool whole = net->model->whole_messages;
    transport->packet[index] = (Packet){
        .message = place,
        .from = message->from,
        .to = message->to,
        .nic = message->nic,
        .bytes = whole ? message->bytes : MIN(message->bytes - before, net->params.packet_bytes),
        .number = number,
        .key = transport->key[place],
        .version = transport->packet[index].version,
        .ready_ps = message->ready_ps,
        .lost_link = NET_NONE,
        .last = message->injected == message->packets,
    };
    if (G_UNLIKELY(net->watch))
        transport->packet[index].label = net_watch_label(net, place);
    if (transport->packet[index].last)
        net_fifo_pop(net, &port->messages);
    return index;
}

static void next_packet(Network *net, uint32_t node, uint32_t nic)
{
    NetTransport *transport = net->transport;
    Port *port = port_of(net, node, nic);
    while (port->leaving < MAX(net->model->packets_ahead, 1)) {
        if (port->acknowledgements && port->acknowledged < port->acknowledgements->len) {
            send_acknowledgement(net, port);
        } else if (port->again.head != NET_NONE) {
            uint32_t index = take_again(transport, port);
            if (transport->packet[index].done)
                packet_settle(transport, index);
            else
                send_data(net, index);
        } else if (port->messages.head != NET_NONE && net_message(net, port->messages.head)->given_up) {
            net_fifo_pop(net, &port->messages);
        } else if (port->messages.head != NET_NONE) {
            send_data(net, take_new(net, port));
        } else {
            break;
        }
    }
}

void net_transport_inject(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    NetMessage *message = net_message(net, index);
    Port *port = port_of(net, message->from, message->nic);
    if (index >= transport->key_capacity) {
        transport->key_capacity = MAX(index + 1, 2 * transport->key_capacity);
        transport->key = g_renew(uint64_t, transport->key, transport->key_capacity);
    }
    if (net->model->whole_messages)
        message->packets = 1;
    transport->key[index] = base_random_mix(~net->params.seed, net_nic_of(net, message), port->serial++);
    transport->busy++;
    net_order_begin(transport->order, net, index);
    net_fifo_push(net, &port->messages, index);
    next_packet(net, message->from, message->nic);
}

/* Tells the client that the message has been sent, when its last packet has left for the first time. The NIC then has a
 * copy of everything. */
static void tell_sent(Network *net, Packet *packet)
{
    if (!packet->last || packet->told)
        return;
    packet->told = true;
    base_queue_push(net->queue, net->now, NET_EVENT_SENT, packet->from, packet->message, 0);
}

void net_transport_sent(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    Copy *copy = &transport->copy[index];
    Packet *packet = &transport->packet[copy->packet];
    const NetMessage *message = net_message(net, index);
    uint32_t node = message->from, nic = message->nic;
    copy->sent = true;
    if (!copy->acknowledges) {
        packet->left_ps = net->now;
        tell_sent(net, packet);
        if (!packet->done && (net->params.transport.acknowledgement_bytes || copy->gone))
            start_timer(net, copy->packet, net->now);
    }
    copy_settle(net, index);
    port_of(net, node, nic)->leaving--;
    next_packet(net, node, nic);
}

/* -- losing ------------------------------------------------------------------------------------ */

void net_transport_lost(Network *net, uint32_t index, NetLoss why, uint32_t link)
{
    NetTransport *transport = net->transport;
    Copy *copy = &transport->copy[index];
    Packet *packet = &transport->packet[copy->packet];
    assert(!copy->gone);
    transport->counts.lost++;
    transport->counts.lost_bytes += net_transport_wire_bytes(net, net_message(net, index));
    copy->gone = true;
    if (!copy->acknowledges) {
        packet->lost_by = (uint8_t)why;
        packet->lost_link = link;
        packet->lost_ps = net->now;
        if (!net->params.transport.acknowledgement_bytes && copy->sent)
            start_timer(net, copy->packet, packet->left_ps);
    }
    copy_settle(net, index);
}

void net_transport_lost_on_medium(Network *net, uint32_t link)
{
    NetTransport *transport = net->transport;
    const NetLink *tap = &net->graph.link[link];
    for (uint32_t i = 0; i < MIN(net->messages.count, transport->copy_capacity); i++) {
        Copy *copy = &transport->copy[i];
        const NetMessage *message = net_message(net, i);
        if (!copy->flies || copy->gone || copy->doomed || (message->from != tap->from && message->to != tap->to))
            continue;
        copy->doomed = true;
        copy->link = link;
    }
}

static void send_again(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    Packet *packet = &transport->packet[index];
    if (packet->attempt == net->params.transport.limit) {
        give_up(net, index);
        return;
    }
    Port *port = port_of(net, packet->from, packet->nic);
    packet->attempt++;
    packet->ready_ps = net->now;
    packet->queued = true;
    packet->next = NET_NONE;
    if (port->again.head == NET_NONE)
        port->again.head = index;
    else
        transport->packet[port->again.tail].next = index;
    port->again.tail = index;
    next_packet(net, packet->from, packet->nic);
}

/* -- arriving ---------------------------------------------------------------------------------- */

static void acknowledge(Network *net, uint32_t index)
{
    Packet *packet = &net->transport->packet[index];
    if (!net->params.transport.acknowledgement_bytes) {
        packet_done(net->transport, index);
        return;
    }
    Port *port = port_of(net, packet->to, packet->nic);
    if (!port->acknowledgements)
        port->acknowledgements = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(port->acknowledgements, index);
    packet->flying++; /* until the acknowledgement is sent, which is counted by launch() */
}

static void data_arrives(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    Packet *packet = &transport->packet[index];
    if (packet->arrived) {
        transport->counts.duplicates++;
    } else {
        NetMessage *message = net_message(net, packet->message);
        packet->arrived = true;
        if (++message->delivered == message->packets && !message->given_up) {
            transport->busy--;
            net_order_arrived(transport->order, net, packet->message);
        }
    }
    acknowledge(net, index);
}

static void arrive(Network *net, uint32_t index)
{
    NetTransport *transport = net->transport;
    Copy *copy = &transport->copy[index];
    uint32_t packet = copy->packet;
    uint32_t node = net_message(net, index)->to, nic = net_message(net, index)->nic;
    copy->gone = true;
    if (copy->acknowledges)
        packet_done(transport, packet);
    else
        data_arrives(net, packet);
    copy_settle(net, index);
    if (net->params.transport.acknowledgement_bytes)
        next_packet(net, node, nic);
}

void net_transport_arrived(Network *net, uint32_t index)
{
    uint64_t late_ps = 0;
    const Copy *copy = &net->transport->copy[index];
    if (copy->doomed) {
        net_transport_lost(net, index, NET_LOST_FAILURE, copy->link);
        return;
    }
    if (!net->model->loses && !net_chance_crosses_all(net, index, &late_ps))
        return;
    if (late_ps)
        base_queue_push(net->queue, net->now + late_ps, NET_EVENT_TIMER, net_message(net, index)->to, index,
                        TIMER_ARRIVE);
    else
        arrive(net, index);
}

void net_transport_timer(Network *net, const BaseEvent *event)
{
    const NetTransport *transport = net->transport;
    uint32_t index = (uint32_t)event->a;
    if ((event->b & 1) == TIMER_ARRIVE)
        arrive(net, index);
    else if (transport->packet[index].version == event->b >> 1)
        send_again(net, index);
}

/* -- questions --------------------------------------------------------------------------------- */

bool net_transport_is_idle(const Network *net)
{
    return !base_queue_top(net->queue) && !net->transport->busy;
}

void net_transport_counts(const NetTransport *transport, NetFaultCounts *counts)
{
    *counts = transport->counts;
}
