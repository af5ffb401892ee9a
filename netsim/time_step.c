/* time_step.c - advances virtual time: processes the events of a network one after the other and calls its clients.
 *
 * Explicitly ordered: everything happens in net_step(), one event of the queue after the other, in the order (time,
 * kind, rank, sequence). A switching model ends a message by a SENT and a DELIVERED event. Clients are called from
 * those two events alone. No model is in the middle of anything then, so clients may send.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"

enum { FEW_MESSAGES = 2048, MOST_EVENTS = 64 };

/* Returns when something fails or is repaired next; UINT64_MAX if nothing is under way that this could affect. */
static uint64_t next_failure(const Network *net)
{
    return net_transport_is_idle(net) ? UINT64_MAX : net_failures_next(net->failures);
}

uint64_t net_time_now(const Network *net)
{
    return net->now;
}

uint64_t net_next_time_with_failures(const Network *net)
{
    return MIN(base_queue_next_time(net->queue), next_failure(net));
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
    NetMessage *message = net_message(net, index);
    if (G_UNLIKELY(message->postponed)) {
        message->postponed = false;
        net->model->announce_again(net, index);
        return;
    }
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
    if (message->in_line)
        net->model->leave_line(net, index);
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

/* With many messages under way, lets the client prefetch what it will need for one of them. */
static void tell_expected(Network *net, unsigned events, unsigned stage)
{
    const BaseEvent *event = base_queue_soon(net->queue, events);
    const NetMessage *next = event && event->kind == NET_EVENT_DELIVERED ? net_message(net, (uint32_t)event->a) : NULL;
    if (next && !next->group && !next->is_packet && !next->background)
        net->client.fast.expect(net->client.user, next->cookie, stage);
}

/* Processes a failure or repair that comes before the next event. Returns whether there was one. */
static bool step_failures(Network *net)
{
    uint64_t next = next_failure(net);
    if (next == UINT64_MAX || next > net_next_time(net))
        return false;
    net_failures_step(net);
    return true;
}

/* Processes one event. Returns whether the client may have been told something. */
static inline bool take_event(Network *net)
{
    BaseEvent event;
    const BaseEvent *top = base_queue_top(net->queue);
    if (!top)
        return true;
    if (top->kind == NET_EVENT_DELIVERED && net->messages.count <= FEW_MESSAGES) { /* the usual case, in short */
        uint32_t index = (uint32_t)top->a, part = (uint32_t)top->b;
        net->now = top->time_ps;
        base_queue_drop(net->queue);
        event_delivered(net, index, part);
        return true;
    }
    base_queue_pop(net->queue, &event);
    if (net->client.fast.expect && net->messages.count > FEW_MESSAGES) {
        tell_expected(net, 12, 0);
        tell_expected(net, 8, 1);
        tell_expected(net, 4, 2);
    }
    assert(event.time_ps >= net->now);
    net->now = event.time_ps;
    switch ((NetEventKind)event.kind) {
    case NET_EVENT_SENT: event_sent(net, (uint32_t)event.a); return true;
    case NET_EVENT_AT_ONCE:
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

void net_step_before(Network *net, uint64_t before_ps)
{
    net->before_ps = net->failures || net->transport ? 0 : before_ps;
    while (net_next_time(net) < before_ps)
        net_step(net);
    net->before_ps = 0;
}

/* With failures or with NICs that send again, any event may tell the client something. */
uint32_t net_step_until(Network *net, uint64_t before_ps)
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
