/* store_and_forward.c - every router receives a whole packet before it sends it on. The engine is packet_switching.c.
 *
 * The model leaves out finite buffers and flow control: a router holds as many packets as come.
 */
#include "netsim/core/core.h"
#include "netsim/model/packet_switching.h"
#include "netsim/params/params.h"

static void *start(Network *net)
{
    return net_packet_switching_new(net, false);
}

/* P packets take S each, the last one s <= S, over h hops. The last packet follows the others without a gap, and on
 * each link it waits for the packet before it:
 *   startup + routing + h * latency + (P == 1 ? h * s : (P + h - 2) * S + s)
 */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    if (!net_path_is_closed_form(net))
        return NET_MEASURE;
    NetPath path = net_path(net, from, to);
    uint64_t packets = net_packet_count(&net->params, bytes);
    uint64_t last = net_path_last_packet_ps(net, bytes);
    uint64_t serial = packets == 1 ? path.hops * last : (packets + path.hops - 2) * net->full_packet_ps + last;
    return net->params.startup_ps + path.routing_ps + path.hops * net->params.link_latency_ps + serial;
}

const NetModel net_model_store_and_forward = {
    .name = "store-and-forward",
    .needs_links = true,
    .observable = true,
    .start = start,
    .stop = net_packet_switching_free,
    .inject = net_packet_switching_inject,
    .event = net_packet_switching_event,
    .zero_load = zero_load,
    .load = net_packet_switching_load,
    .fail = net_packet_switching_fail,
    .loses = true,
};
