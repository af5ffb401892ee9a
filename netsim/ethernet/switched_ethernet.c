/* switched_ethernet.c - Ethernet of bridges with finite buffers: how frames move. Explicitly ordered. See
 * switched_ethernet.h for the picture, and pause.c for buffers and flow control.
 *
 * Frames are those of csma-cd: `header_bytes` are preamble, addresses, type and check sum, shorter frames are padded,
 * and 96 bit times pass between two frames. A bridge receives a whole frame (store and forward), takes its latency, and
 * queues it for the next link. Links serve their queues first come, first served. If the routing offers several links,
 * the one with the shortest queue is taken. A node's NIC has room for everything and sends one frame at a time.
 *
 * A frame that a buffer has no room for is lost. Its source sends it again when `retransmission_timeout` has passed
 * since its last bit left, the next time when twice that has passed, and so on. What was received is not sent again,
 * and messages are handed over in order. With pause frames and sufficient thresholds nothing is ever lost.
 *
 * A multicast frame is sent once over each link. Where the ways to its destinations part, the bridge makes copies. They
 * share the frame's memory in the buffer until the last copy has left.
 *
 * When a link fails, the frames on it are lost, which shows when they would arrive. Frames that wait for it go another
 * way, or are lost if there is none. Pauses that went by it are over.
 *
 * At the same time frames first leave their slots, then others arrive and are queued (all HOP, by vertex), then links
 * take the next frame (GRANT).
 */
#include "netsim/ethernet/switched_ethernet.h"

#include "base/pool.h"
#include "base/queue.h"
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <string.h>

/* -- frames and places ------------------------------------------------------------------------- */

static void frame_free(Ethernet *ethernet, uint32_t index)
{
    EthernetFrame *frame = &ethernet->frame[index];
    g_clear_pointer(&frame->targets, g_array_unref);
    BASE_POOL_GIVE(&ethernet->frames, ethernet->frame, index);
}

static uint32_t place_new(Ethernet *ethernet, EthernetPlace place)
{
    uint32_t index = BASE_POOL_TAKE(&ethernet->places, ethernet->place);
    ethernet->place[index] = place;
    return index;
}

static void push_frame(Network *net, uint64_t time_ps, EthernetStage stage, uint32_t index)
{
    const Ethernet *ethernet = net->model_state;
    /* A number above those of all vertices, so that at equal times frames leave their slots first (ETHERNET_END). */
    uint32_t place = net->graph.vertices + ethernet->frame[index].query.at;
    base_queue_push(net->queue, time_ps, NET_EVENT_HOP, place, index, stage);
}

/* -- the source -------------------------------------------------------------------------------- */

/* Returns the nodes that a frame from the source of a multicast is for: all of them. */
static GArray *all_targets(const Network *net, uint32_t message)
{
    const NetGroup *group = net_group(net, message);
    GArray *targets = g_array_sized_new(FALSE, FALSE, sizeof(EthernetTarget), group->nodes);
    for (uint32_t i = 0; i < group->nodes; i++) {
        EthernetTarget target = {.index = i};
        g_array_append_val(targets, target);
    }
    return targets;
}

/* The NIC takes up the next frame of its first message. */
static void nic_offer(Network *net, EthernetNic *nic)
{
    Ethernet *ethernet = net->model_state;
    uint32_t message_index = nic->waiting.head;
    if (nic->busy || message_index == NET_NONE)
        return;
    NetMessage *message = net_message(net, message_index);
    uint32_t index = BASE_POOL_TAKE(&ethernet->frames, ethernet->frame), node = message->from;
    uint64_t number = message->injected++;
    nic->busy = true;
    ethernet->frame[index] = (EthernetFrame){
        .message = message_index,
        .number = number,
        .place = NET_NONE,
        .wire_bytes = (uint32_t)net_packet_bytes(&net->params, message->bytes, number),
        .query =
            {.from = node, .to = message->to, .via = NET_NONE, .at = node, .in_link = NET_NONE, .nic = message->nic},
        .targets = message->group ? all_targets(net, message_index) : NULL};
    uint64_t taken_up_ps = MAX(net->now, message->ready_ps + net_vertex_latency(net, node));
    push_frame(net, taken_up_ps + net->params.packet_startup_ps, ETHERNET_READY, index);
}

static void nic_sent(Network *net, EthernetNic *nic)
{
    const NetMessage *message = net_message(net, nic->waiting.head);
    nic->busy = false;
    if (message->injected == message->packets)
        base_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, net_fifo_pop(net, &nic->waiting), 0);
    nic_offer(net, nic);
}

static void inject(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    const NetMessage *message = net_message(net, index);
    if (ethernet->order && !message->group)
        net_order_begin(ethernet->order, net, index);
    EthernetNic *nic = &ethernet->nic[net_nic_of(net, message)];
    net_fifo_push(net, &nic->waiting, index);
    nic_offer(net, nic);
}

/* -- links ------------------------------------------------------------------------------------- */

static uint64_t link_load(const Network *net, uint32_t link)
{
    const Ethernet *ethernet = net->model_state;
    const EthernetPort *port = &ethernet->port[link];
    uint64_t rest = port->free_ps > net->now ? port->free_ps - net->now : 0;
    return rest + net_serialise(port->queued_bytes, net->graph.link[link].bandwidth);
}

void net_ethernet_kick(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[index];
    bool may_send = port->first != NET_NONE && !port->paused;
    if (port->granted || !(may_send || net_ethernet_has_control(ethernet, port)))
        return;
    port->granted = true;
    base_queue_push(net->queue, MAX(net->now, port->free_ps), NET_EVENT_GRANT, index, 0, 0);
}

static void enqueue(Network *net, NetHop hop, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[hop.link];
    EthernetFrame *frame = &ethernet->frame[index];
    frame->ready_ps = net->now;
    frame->next = NET_NONE;
    frame->query.in_link = hop.link; /* the frame will come by this link */
    frame->query.in_class = hop.channel_class;
    if (port->first == NET_NONE)
        port->first = index;
    else
        ethernet->frame[port->last].next = index;
    port->last = index;
    port->queued_bytes += net_ethernet_padded(frame->wire_bytes);
    if (G_UNLIKELY(net->watch))
        net_watch_waits(net, hop.link, net->now, 1, net->now);
    net_ethernet_kick(net, hop.link);
}

static void tell_sent(Network *net, uint32_t link, const EthernetFrame *frame, uint64_t duration)
{
    NetPassage passage = {.packet = frame->number,
                          .hop = frame->hop,
                          .link = link,
                          .asked_ps = frame->ready_ps,
                          .got_ps = net->now,
                          .reached_ps = net->now + duration + net->graph.link[link].latency_ps,
                          .left_ps = net->now + duration,
                          .bytes = frame->wire_bytes,
                          .busy_ps = duration};
    net_watch_waits(net, link, net->now, -1, net->now);
    net_watch_passed(net, frame->message, link, &passage);
}

/* Sends the first frame of the queue. Its slot is freed when its last bit has left. */
static void send_frame(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[index];
    NetLink *link = &net->graph.link[index];
    uint32_t frame_index = port->first;
    EthernetFrame *frame = &ethernet->frame[frame_index];
    uint64_t padded = net_ethernet_padded(frame->wire_bytes), duration = net_link_ps(net, index, padded);
    port->first = frame->next;
    port->queued_bytes -= padded;
    port->free_ps = net->now + duration + net_serialise(ETHERNET_GAP_BYTES, link->bandwidth);
    link->bytes += frame->wire_bytes;
    link->packets++;
    link->busy_ps += duration;
    link->blocked_ps += net->now - frame->ready_ps;
    if (G_UNLIKELY(net->watch))
        tell_sent(net, index, frame, duration);
    frame->hop++;
    if (link->from == frame->query.from)
        frame->left_ps = net->now + duration;
    base_queue_push(net->queue, net->now + duration, NET_EVENT_HOP, link->from, frame->place, ETHERNET_END);
    frame->place = NET_NONE;
    frame->breaks = port->breaks;
    frame->query.at = link->to;
    push_frame(net, net->now + duration + link->latency_ps, ETHERNET_RECEIVED, frame_index);
    net_ethernet_kick(net, index);
}

static void grant(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[index];
    port->granted = false;
    if (net_ethernet_has_control(ethernet, port)) {
        net_ethernet_send_control(net, index);
        net_ethernet_kick(net, index);
    } else if (port->first != NET_NONE && !port->paused) {
        send_frame(net, index);
    }
}

/* A copy of the frame in the slot has left. */
static void place_left(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetPlace *place = &ethernet->place[index];
    if (--place->copies)
        return;
    EthernetPlace was = *place;
    BASE_POOL_GIVE(&ethernet->places, ethernet->place, index);
    if (was.link != NET_NONE)
        net_ethernet_release(net, was.link, was.bytes);
    else if (!was.resent)
        nic_sent(net, &ethernet->nic[was.nic]);
}

/* -- where to ---------------------------------------------------------------------------------- */

/* Returns the candidate with the shortest queue. Its link is NET_NONE if there is no candidate. */
static NetHop choose_hop(const Network *net, const NetQuery *query)
{
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, query, hops), best = 0;
    if (!count)
        return (NetHop){.link = NET_NONE};
    for (uint32_t i = 1; i < count; i++)
        if (link_load(net, hops[i].link) < link_load(net, hops[best].link))
            best = i;
    return hops[best];
}

static NetQuery target_query(const Network *net, const EthernetFrame *frame, const EthernetTarget *target)
{
    NetQuery query = frame->query;
    query.to = net_group(net, frame->message)->to[target->index];
    query.in_class = target->in_class;
    return query;
}

/* A copy of a multicast frame, and the hop that it takes. */
typedef struct Copy {
    NetHop hop;
    uint32_t frame;
} Copy;

/* Returns the copy that goes over the link of `hop`. Makes it if there is none. */
static uint32_t copy_for(Network *net, GArray *copies, NetHop hop, uint32_t original)
{
    Ethernet *ethernet = net->model_state;
    for (guint i = 0; i < copies->len; i++)
        if (g_array_index(copies, Copy, i).hop.link == hop.link)
            return g_array_index(copies, Copy, i).frame;
    Copy copy = {hop, BASE_POOL_TAKE(&ethernet->frames, ethernet->frame)};
    ethernet->frame[copy.frame] = ethernet->frame[original];
    ethernet->frame[copy.frame].targets = g_array_new(FALSE, FALSE, sizeof(EthernetTarget));
    g_array_append_val(copies, copy);
    return copy.frame;
}

/* Makes a copy for each link with which the ways to the destinations begin. */
static void enqueue_copies(Network *net, uint32_t original)
{
    Ethernet *ethernet = net->model_state;
    g_autoptr(GArray) copies = g_array_new(FALSE, FALSE, sizeof(Copy)),
                      targets = g_array_ref(ethernet->frame[original].targets);
    for (guint i = 0; i < targets->len; i++) {
        EthernetTarget target = g_array_index(targets, EthernetTarget, i);
        NetQuery query = target_query(net, &ethernet->frame[original], &target);
        NetHop hop = net_route_next_hop(net, &query);
        target.in_class = hop.channel_class;
        uint32_t copy = copy_for(net, copies, hop, original);
        g_array_append_val(ethernet->frame[copy].targets, target);
    }
    ethernet->place[ethernet->frame[original].place].copies = copies->len;
    frame_free(ethernet, original);
    for (guint i = 0; i < copies->len; i++)
        enqueue(net, g_array_index(copies, Copy, i).hop, g_array_index(copies, Copy, i).frame);
}

/* The frame leaves its source: it occupies the memory of the node, and its way is chosen. */
static void leave_source(Network *net, EthernetFrame *frame)
{
    Ethernet *ethernet = net->model_state;
    uint32_t node = frame->query.from, number = frame->query.nic;
    uint32_t nic = net_nic_of(net, net_message(net, frame->message));
    if (!frame->targets) {
        uint64_t random = base_random_mix(net->params.seed, (uint64_t)number << 32 | node, ethernet->nic[nic].frames++);
        frame->query = net_route_begin(net, node, frame->query.to, random);
        frame->query.nic = number;
    }
    frame->place =
        place_new(ethernet, (EthernetPlace){.link = NET_NONE, .nic = nic, .copies = 1, .resent = frame->resent});
    ethernet->sent_again += frame->resent;
    frame->resent = false;
}

/* The frame is lost. The transport at its source is told. */
static void lose(Network *net, uint32_t index, NetLoss why, uint32_t link)
{
    Ethernet *ethernet = net->model_state;
    const EthernetFrame *frame = &ethernet->frame[index];
    uint32_t message = frame->message;
    if (frame->place != NET_NONE)
        place_left(net, frame->place);
    frame_free(ethernet, index);
    net_transport_lost(net, message, why, link);
}

/* The link that the frame waits for has failed. Puts the frame back to where it was before it was queued. */
static void ask_again(Network *net, uint32_t link, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetFrame *frame = &ethernet->frame[index];
    frame->query.in_link = ethernet->place[frame->place].link;
    frame->query.in_class = ethernet->place[frame->place].in_class;
    if (G_UNLIKELY(net->watch))
        net_watch_waits(net, link, net->now, -1, net->now);
    push_frame(net, net->now, ETHERNET_READY, index);
}

static void fail(Network *net, uint32_t link)
{
    Ethernet *ethernet = net->model_state;
    EthernetPort *port = &ethernet->port[link];
    uint32_t waiting = port->first;
    port->breaks++;
    port->dead = true;
    port->first = NET_NONE;
    port->queued_bytes = 0;
    for (uint32_t next; waiting != NET_NONE; waiting = next) {
        next = ethernet->frame[waiting].next;
        ask_again(net, link, waiting);
    }
    net_ethernet_reset_pauses(net, link);
}

static void restore(Network *net, uint32_t link)
{
    Ethernet *ethernet = net->model_state;
    ethernet->port[link].dead = false;
    net_ethernet_kick(net, link);
}

static void ready(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetFrame *frame = &ethernet->frame[index];
    if (frame->place == NET_NONE)
        leave_source(net, frame);
    if (frame->targets) {
        enqueue_copies(net, index);
        return;
    }
    NetHop hop = choose_hop(net, &frame->query);
    if (hop.link != NET_NONE)
        enqueue(net, hop, index);
    else
        lose(net, index, NET_LOST_NO_WAY, NET_NONE);
}

/* -- receiving --------------------------------------------------------------------------------- */

/* Hands a frame over to those of its targets that are here, and keeps the other targets. */
static void deliver_targets(Network *net, EthernetFrame *frame)
{
    NetGroup *group = net_group(net, frame->message);
    guint left = 0;
    for (guint i = 0; i < frame->targets->len; i++) {
        EthernetTarget target = g_array_index(frame->targets, EthernetTarget, i);
        if (group->to[target.index] != frame->query.at)
            g_array_index(frame->targets, EthernetTarget, left++) = target;
        else {
            if (G_UNLIKELY(net->watch))
                net_group_arrived(net, frame->message, frame->number);
            if (++group->arrived[target.index] == net_message(net, frame->message)->packets)
                net_group_deliver(net, frame->message, target.index, net->now);
        }
    }
    g_array_set_size(frame->targets, left);
}

/* Delivers a frame that has reached a destination. Returns whether it is needed no more. */
static bool deliver(Network *net, EthernetFrame *frame)
{
    Ethernet *ethernet = net->model_state;
    NetMessage *message = net_message(net, frame->message);
    if (frame->targets) {
        deliver_targets(net, frame);
        return frame->targets->len == 0;
    }
    if (frame->query.at != frame->query.to)
        return false;
    if (G_UNLIKELY(net->watch))
        net_watch_arrived(net, frame->message, frame->number, net->now);
    if (++message->delivered < message->packets)
        return true;
    if (ethernet->order)
        net_order_arrived(ethernet->order, net, frame->message);
    else
        base_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, message->to, frame->message, 0);
    return true;
}

/* Drops the frame. Its source will send it again. */
static void drop(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetFrame *frame = &ethernet->frame[index];
    uint64_t timeout = net->params.transport.timeout_ps << MIN(frame->attempts, (uint32_t)ETHERNET_MOST_DOUBLINGS);
    frame->attempts++;
    frame->hop = 0;
    frame->resent = true;
    frame->query.at = frame->query.from;
    frame->query.in_link = NET_NONE;
    frame->query.in_class = 0;
    frame->query.via = NET_NONE;
    for (guint i = 0; frame->targets && i < frame->targets->len; i++)
        g_array_index(frame->targets, EthernetTarget, i).in_class = 0;
    ethernet->dropped++;
    push_frame(net, MAX(net->now, frame->left_ps + timeout), ETHERNET_READY, index);
}

static void received(Network *net, uint32_t index)
{
    Ethernet *ethernet = net->model_state;
    EthernetFrame *frame = &ethernet->frame[index];
    uint32_t link = frame->query.in_link, bytes = (uint32_t)net_ethernet_stored(frame->wire_bytes);
    if (frame->breaks != ethernet->port[link].breaks) {
        lose(net, index, NET_LOST_FAILURE, link);
        return;
    }
    if (deliver(net, frame)) {
        frame_free(ethernet, index);
        return;
    }
    if (!net_ethernet_hold(net, link, bytes)) {
        drop(net, index);
        return;
    }
    frame->place = place_new(
        ethernet, (EthernetPlace){.link = link, .bytes = bytes, .copies = 1, .in_class = frame->query.in_class});
    push_frame(net, net->now + net_vertex_latency(net, frame->query.at), ETHERNET_READY, index);
}

/* A pause frame has arrived, unless the link that it was on has failed. */
static void control(Network *net, uint64_t what)
{
    const Ethernet *ethernet = net->model_state;
    uint32_t link = (uint32_t)what >> 1;
    if (ethernet->port[ethernet->port[link].reverse].breaks == what >> 32)
        net_ethernet_heed(net, link, what & 1);
}

static void event(Network *net, const BaseEvent *what)
{
    if (what->kind == NET_EVENT_GRANT) {
        grant(net, what->rank);
        return;
    }
    if (what->kind == NET_EVENT_TICK) {
        net_ethernet_tick(net, what->rank);
        return;
    }
    switch ((EthernetStage)what->b) {
    case ETHERNET_END: place_left(net, (uint32_t)what->a); break;
    case ETHERNET_RECEIVED: received(net, (uint32_t)what->a); break;
    case ETHERNET_CONTROL: control(net, what->a); break;
    case ETHERNET_READY: ready(net, (uint32_t)what->a); break;
    }
}

/* -- the model --------------------------------------------------------------------------------- */

static bool check(const Network *net, GError **error)
{
    const NetParams *params = &net->params;
    uint64_t longest = net_ethernet_longest(params), stored = longest - ETHERNET_PREAMBLE_BYTES;
    if (params->ethernet.buffer_bytes < stored)
        return net_error_refuse(error, "buffer-bytes",
                                "a buffer of %" G_GUINT64_FORMAT " B never has room for a frame of %" G_GUINT64_FORMAT
                                " B",
                                params->ethernet.buffer_bytes, stored);
    if (params->ethernet.xoff_bytes > params->ethernet.buffer_bytes)
        return net_error_refuse(error, "xoff-threshold",
                                "%" G_GUINT64_FORMAT " B are never in a buffer of %" G_GUINT64_FORMAT " B",
                                params->ethernet.xoff_bytes, params->ethernet.buffer_bytes);
    if (params->ethernet.xoff_bytes && params->ethernet.xon_bytes > params->ethernet.xoff_bytes)
        return net_error_refuse(error, "xon-threshold",
                                "%" G_GUINT64_FORMAT " B are more than the xoff-threshold of %" G_GUINT64_FORMAT
                                " B: a pause would be over before it begins",
                                params->ethernet.xon_bytes, params->ethernet.xoff_bytes);
    uint64_t quanta = 2 * (longest + ETHERNET_GAP_BYTES) / ETHERNET_QUANTUM_BYTES + 1;
    if (params->ethernet.pause_quanta < quanta || params->ethernet.pause_quanta > UINT16_MAX)
        return net_error_refuse(
            error, "pause-quanta", "%u quanta of 512 bit times %s", params->ethernet.pause_quanta,
            params->ethernet.pause_quanta > UINT16_MAX
                ? "are more than the 65,535 that a pause frame can ask for"
                : "end before a pause can be renewed behind a frame of full length; give at least twice its time");
    return true;
}

static void *start(Network *net)
{
    Ethernet *ethernet = g_new0(Ethernet, 1);
    uint32_t nics = net->params.nodes * net->params.nics;
    ethernet->nic = g_new0(EthernetNic, nics);
    for (uint32_t nic = 0; nic < nics; nic++)
        ethernet->nic[nic].waiting.head = NET_NONE;
    ethernet->order = net->transport ? NULL : net_order_new(); /* a transport keeps the order of messages itself */
    ethernet->pauses = net->params.ethernet.flow_control == NET_FLOW_CONTROL_PAUSE;
    net_ethernet_make_ports(net, ethernet);
    return ethernet;
}

static void stop(void *state)
{
    Ethernet *ethernet = state;
    for (uint32_t i = 0; i < ethernet->frames.count; i++)
        if (ethernet->frame[i].targets)
            g_array_unref(ethernet->frame[i].targets);
    g_free(ethernet->port);
    g_free(ethernet->nic);
    g_free(ethernet->frame);
    g_free(ethernet->place);
    if (ethernet->order)
        net_order_free(ethernet->order);
    g_free(ethernet);
}

/* Returns whether a continuous stream of frames never makes a buffer ask for a pause. The buffer then holds only frames
 * that are being looked up or sent. */
static bool flows_freely(const Network *net)
{
    const Ethernet *ethernet = net->model_state;
    uint64_t longest = net_ethernet_longest(&net->params);
    uint64_t latency = MAX(net->params.switch_latency_ps, net->params.router_latency_ps);
    uint64_t frame = net_packet_ps(net, longest);
    uint64_t apart = frame + net_serialise(ETHERNET_GAP_BYTES, net->params.bandwidth);
    uint64_t most = ((latency + frame) / apart + 2) * (longest - ETHERNET_PREAMBLE_BYTES);
    return most <= (ethernet->pauses ? ethernet->port[0].xoff : net->params.ethernet.buffer_bytes);
}

/* Frames follow one another with a gap between them. The last one, which may be shorter, waits for those before it:
 *   startup + routing + h * latency + (P == 1 ? h * s : (P - 1) (S + gap) + (h - 1) S + s)
 */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    if (!net_path_is_closed_form(net) || !flows_freely(net))
        return NET_MEASURE;
    NetPath path = net_path(net, from, to);
    uint64_t packets = net_packet_count(&net->params, bytes);
    uint64_t full = net_packet_ps(net, net_ethernet_longest(&net->params));
    uint64_t last = net_packet_ps(net, net_ethernet_padded(net_packet_bytes(&net->params, bytes, packets - 1)));
    uint64_t gap = net_serialise(ETHERNET_GAP_BYTES, net->params.bandwidth);
    uint64_t serial = packets == 1 ? path.hops * last : (packets - 1) * (full + gap) + (path.hops - 1) * full + last;
    return net->params.startup_ps + path.routing_ps + path.hops * net->params.link_latency_ps + serial;
}

static uint32_t counters(const Network *net, NetCounter *out)
{
    const Ethernet *ethernet = net->model_state;
    uint64_t paused_ps = ethernet->paused_ps;
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (ethernet->port[i].paused)
            paused_ps += net->now - ethernet->port[i].paused_ps;
    const NetCounter values[] = {
        {"pauses", "pause frames that stopped a link", NET_COUNTER_NUMBER, ethernet->n_pauses},
        {"resumes", "pause frames that let it go on", NET_COUNTER_NUMBER, ethernet->n_resumes},
        {"paused", "time paused, of all links", NET_COUNTER_TIME, paused_ps},
        {"dropped", "frames dropped for lack of room", NET_COUNTER_NUMBER, ethernet->dropped},
        {"retransmitted", "frames sent again", NET_COUNTER_NUMBER, ethernet->sent_again},
        {"fullest_buffer", "most that a buffer held", NET_COUNTER_BYTES, ethernet->fullest_bytes},
    };
    memcpy(out, values, sizeof values);
    return G_N_ELEMENTS(values);
}

const NetModel net_model_switched_ethernet = {
    .name = "switched-ethernet",
    .can_deadlock = true,
    .stops_links = true,
    .needs_links = true,
    .broadcast = true,
    .observable = true,
    .check = check,
    .check_links = net_ethernet_check_buffers,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = zero_load,
    .deadlock = net_ethernet_explain,
    .load = link_load,
    .counters = counters,
    .fail = fail,
    .restore = restore,
};
