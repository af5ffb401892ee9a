/* send.c - hands messages to NICs.
 *
 * Each NIC takes up one message at a time, for startup_ps. The message then goes to the switching model, either by an
 * INJECT event or, if the model and the client allow it, at once.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/params/params.h"

static inline uint32_t take_up(Network *net, const NetSend *send)
{
    assert(send->nic < net->params.nics && send->from < net->params.nodes && send->to < net->params.nodes);
    assert(send->time_ps >= net->now);
    if (net->failures)
        net_failures_begin(net->failures, send->time_ps, net_transport_is_idle(net));
    uint32_t index = net_message_new(net);
    uint64_t *free_ps = &net->nic_free[send->from * net->params.nics + send->nic];
    uint64_t ready = *free_ps = MAX(send->time_ps, *free_ps) + net->params.startup_ps;
    *net_message(net, index) = (NetMessage){
        .from = send->from,
        .to = send->to,
        .bytes = send->bytes,
        .cookie = send->cookie,
        .ready_ps = ready,
        .packets = net_packet_count(&net->params, send->bytes),
        .next = NET_NONE,
        .unreported = send->unreported || send->background,
        .background = send->background,
        .nic = (uint8_t)send->nic,
    };
    return index;
}

static void watch(Network *net, uint32_t index, const NetSend *send)
{
    if (send->background)
        net_watch_part(net, index, NET_NOBODY, 0);
    else
        net_watch_accepted(net, index, send->time_ps);
}

/* Returns whether nothing can come before the INJECT event of a message. */
static inline bool can_inject(const Network *net, const NetMessage *message, uint64_t time_ps)
{
    return net->client.fast.drives && !net->transport && message->from != message->to && message->ready_ps == time_ps &&
           base_queue_next_time(net->queue) > time_ps;
}

static inline void inject(Network *net, uint32_t index)
{
    net->now = net_message(net, index)->ready_ps;
    net->model->inject(net, index);
}

void net_send(Network *net, const NetSend *send)
{
    assert(!send->background || send->from != send->to);
    uint32_t index = take_up(net, send);
    if (G_UNLIKELY(net->watch))
        watch(net, index, send);
    const NetMessage *message = net_message(net, index);
    if (net->ahead && message->from != message->to)
        net->model->inject_ahead(net, index);
    else if (can_inject(net, message, send->time_ps))
        inject(net, index);
    else
        base_queue_push(net->queue, message->ready_ps, NET_EVENT_INJECT, message->from, index, 0);
}

void net_send_multicast(Network *net, const NetSend *send, const uint32_t *to, const uint64_t *to_cookies, uint32_t n)
{
    assert(net->model->broadcast && n > 0 && send->to == to[0] && !send->background);
    uint32_t index = take_up(net, send);
    net_group_make(net, index, to, to_cookies, n);
    if (G_UNLIKELY(net->watch))
        net_group_watch(net, index, send->time_ps);
    base_queue_push(net->queue, net_message(net, index)->ready_ps, NET_EVENT_INJECT, send->from, index, 0);
}

bool net_send_has_multicast(const Network *net)
{
    return net->model->broadcast && !net->transport; /* a transport waits for acknowledgements, one from each node */
}
