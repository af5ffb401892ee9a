/* messages.c - the way of a message from net_send() to the client that is told of its delivery, and the events on it.
 *
 * Explicitly ordered: everything happens in net_step(), one event of the queue after the other in the order (time,
 * kind, rank, sequence). Each NIC takes up one message at a time, for startup_ps; the message then goes to the
 * switching model, which ends it by a SENT and a DELIVERED event. Clients are called from those two alone, when no
 * model is in the middle of anything, so they may send.
 */
#include "base/queue.h"
#include "netsim/faults.h"

enum { FEW_MESSAGES = 256, MOST_EVENTS = 64 };

/* -- sizes ------------------------------------------------------------------------------------- */

uint64_t net_serialise(uint64_t bytes, uint64_t bandwidth)
{
    assert(bandwidth > 0);
    if (bytes <= UINT64_MAX / NET_PS_PER_S - 1) { /* 64 bits will do */
        uint64_t product = bytes * NET_PS_PER_S;
        uint64_t time = product / bandwidth + (product % bandwidth != 0);
        return MIN(time, NET_MAX_TIME);
    }
    unsigned __int128 time = ((unsigned __int128)bytes * NET_PS_PER_S + bandwidth - 1) / bandwidth;
    return time > NET_MAX_TIME ? NET_MAX_TIME : (uint64_t)time;
}

uint64_t net_packet_count(const NetParams *params, uint64_t bytes)
{
    return bytes ? (bytes - 1) / params->packet_bytes + 1 : 1;
}

uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index)
{
    uint64_t before = index * params->packet_bytes;
    assert(before <= bytes);
    return MIN(bytes - before, params->packet_bytes) + params->header_bytes;
}

/* -- queues ------------------------------------------------------------------------------------ */

void net_fifo_push(Network *net, NetFifo *fifo, uint32_t message)
{
    net_message(net, message)->next = NET_NONE;
    if (fifo->head == NET_NONE)
        fifo->head = message;
    else
        net_message(net, fifo->tail)->next = message;
    fifo->tail = message;
}

uint32_t net_fifo_pop(Network *net, NetFifo *fifo)
{
    uint32_t message = fifo->head;
    assert(message != NET_NONE);
    fifo->head = net_message(net, message)->next;
    return message;
}

/* -- sending ----------------------------------------------------------------------------------- */

static bool is_idle(const Network *net)
{
    return !base_queue_top(net->queue) && !net_transport_busy(net->transport);
}

uint32_t net_message_make(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                          uint64_t cookie, bool unreported)
{
    assert(nic < net->params.nics && from < net->params.nodes && to < net->params.nodes);
    assert(time_ps >= net->now);
    if (net->failures)
        net_failures_begin(net->failures, time_ps, is_idle(net));
    uint32_t index = net_message_new(net);
    uint64_t *free_ps = &net->nic_free[from * net->params.nics + nic];
    uint64_t ready = *free_ps = MAX(time_ps, *free_ps) + net->params.startup_ps;
    *net_message(net, index) = (NetMessage){
        .from = from,
        .to = to,
        .bytes = bytes,
        .cookie = cookie,
        .ready_ps = ready,
        .packets = net_packet_count(&net->params, bytes),
        .next = NET_NONE,
        .unreported = unreported,
        .nic = (uint8_t)nic,
    };
    return index;
}

static void hand_over(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    if (net->ahead && message->from != message->to)
        net->model->inject_ahead(net, index);
    else
        base_queue_push(net->queue, message->ready_ps, NET_EVENT_INJECT, message->from, index, 0);
}

void net_send_by_nic(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                     uint64_t cookie, bool unreported)
{
    uint32_t index = net_message_make(net, nic, from, to, bytes, time_ps, cookie, unreported);
    if (G_UNLIKELY(net->watch))
        net_watch_accepted(net, index, time_ps);
    hand_over(net, index);
}

void net_send(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    net_send_by_nic(net, 0, from, to, bytes, time_ps, cookie, false);
}

void net_send_unreported(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    net_send_by_nic(net, 0, from, to, bytes, time_ps, cookie, true);
}

void net_set_background(Network *net, const NetClient *client)
{
    assert(client->delivered && client->undeliverable);
    net->background = *client;
}

void net_send_background(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    assert(from != to);
    uint32_t index = net_message_make(net, 0, from, to, bytes, time_ps, cookie, true);
    net_message(net, index)->background = true;
    if (G_UNLIKELY(net->watch))
        net_watch_part(net, index, NET_NOBODY, 0);
    hand_over(net, index);
}

bool net_in_order(const Network *net)
{
    return net->model->in_order && !net->transport;
}

/* -- events ------------------------------------------------------------------------------------ */

/* When something fails or is repaired next, if there is anything that this could matter to. */
static uint64_t next_failure(const Network *net)
{
    return is_idle(net) ? UINT64_MAX : net_failures_next(net->failures);
}

uint64_t net_now(const Network *net)
{
    return net->now;
}

uint64_t net_next_time(const Network *net)
{
    uint64_t time_ps = base_queue_next_time(net->queue);
    return G_UNLIKELY(net->failures) ? MIN(time_ps, next_failure(net)) : time_ps;
}

static void event_inject(Network *net, uint32_t index)
{
    const NetMessage *message = net_message(net, index);
    if (message->from != message->to) {
        (net->transport ? net_transport_inject : net->model->inject)(net, index);
        return;
    }
    base_queue_push(net->queue, net->now, NET_EVENT_SENT, message->from, index, 0);
    base_queue_push(net->queue, net->now, NET_EVENT_DELIVERED, message->to, index, 0);
}

static void event_sent(Network *net, uint32_t index)
{
    if (net_message(net, index)->is_packet)
        net_transport_sent(net, index);
    else if (net->client.sent && !net_message(net, index)->unreported)
        net->client.sent(net->client.user, net_message(net, index)->cookie, net->now);
}

static void event_delivered(Network *net, uint32_t index, uint32_t part)
{
    const NetMessage *message = net_message(net, index);
    if (G_UNLIKELY(message->group)) {
        net_group_hand_over(net, index, part);
        return;
    }
    if (G_UNLIKELY(message->is_packet)) {
        net_transport_arrived(net, index);
        return;
    }
    uint64_t cookie = message->cookie;
    bool background = message->background;
    if (G_UNLIKELY(net->watch))
        net_watch_delivered(net, index);
    net_message_free(net, index);
    if (G_UNLIKELY(background)) {
        net->background.delivered(net->background.user, cookie, net->now);
        return;
    }
    if (net->client.delivered)
        net->client.delivered(net->client.user, cookie, net->now);
}

/* Of many messages, lets the client fetch what it will need. */
static void tell_expected(Network *net, unsigned events, bool begun)
{
    const BaseEvent *event = base_queue_soon(net->queue, events);
    const NetMessage *next = event && event->kind == NET_EVENT_DELIVERED ? net_message(net, (uint32_t)event->a) : NULL;
    if (next && !next->group && !next->is_packet && !next->background)
        net->client.expect(net->client.user, next->cookie, begun);
}

/* Whether something failed or was repaired now, before the next event. */
static bool step_failures(Network *net)
{
    uint64_t next = next_failure(net);
    if (next == UINT64_MAX || next > net_next_time(net))
        return false;
    net_failures_step(net);
    return true;
}

/* One event; whether the client may have been told something. */
static inline bool take_event(Network *net)
{
    BaseEvent event;
    if (!base_queue_pop(net->queue, &event))
        return true;
    if (net->client.expect && net->messages.count > FEW_MESSAGES) {
        tell_expected(net, 10, false);
        tell_expected(net, 5, true);
    }
    assert(event.time_ps >= net->now);
    net->now = event.time_ps;
    switch ((NetEventKind)event.kind) {
    case NET_EVENT_SENT: event_sent(net, (uint32_t)event.a); return true;
    case NET_EVENT_DELIVERED: event_delivered(net, (uint32_t)event.a, (uint32_t)event.b); return true;
    case NET_EVENT_INJECT: event_inject(net, (uint32_t)event.a); return false;
    case NET_EVENT_HOP:
    case NET_EVENT_GRANT:
    case NET_EVENT_TICK: net->model->event(net, &event); return net->is_deadlocked;
    case NET_EVENT_TIMER: net_transport_timer(net, &event); return true;
    }
    return true;
}

void net_step(Network *net)
{
    if (G_UNLIKELY(net->failures) && step_failures(net))
        return;
    take_event(net);
}

/* With failures and with NICs that send again, any event may tell the client something. */
uint32_t net_advance(Network *net, uint64_t before_ps)
{
    if (G_UNLIKELY(net->failures || net->transport)) {
        net_step(net);
        return 1;
    }
    uint32_t events = 1;
    while (!take_event(net) && events < MOST_EVENTS && net_next_time(net) < before_ps)
        events++;
    return events;
}
