/* cut_through.c - virtual cut-through: the header goes on as soon as it is routed, and a blocked packet is buffered
 * whole. Kermani and Kleinrock, "Virtual Cut-Through: A New Computer Communication Switching Technique", Computer
 * Networks 3, 1979. The engine is packet_switching.c.
 *
 * The model leaves out finite buffers: a blocked packet never blocks packets behind it that go to other links.
 */
#include "netsim/core/core.h"
#include "netsim/model/packet_switching.h"
#include "netsim/params/params.h"

static void *start(Network *net)
{
    return net_packet_switching_new(net, true);
}

/* Each hop but the last costs routing, latency and the header; the packets then stream without a gap:
 *   startup + routing + h * latency + (h - 1) * header + (P - 1) * S + s */
static uint64_t zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes)
{
    if (!net_path_is_closed_form(net))
        return NET_MEASURE;
    NetPath path = net_path(net, from, to);
    uint64_t header = net_serialise(net->params.header_bytes, net->params.bandwidth);
    uint64_t before = net_packet_count(&net->params, bytes) - 1;
    return net->params.startup_ps + path.routing_ps + path.hops * net->params.link_latency_ps +
           (path.hops - 1) * header + before * net->full_packet_ps + net_path_last_packet_ps(net, bytes);
}

const NetModel net_model_cut_through = {
    .name = "cut-through",
    .needs_links = true,
    .observable = true,
    .start = start,
    .stop = net_packet_switching_free,
    .inject = net_packet_switching_inject,
    .event = net_packet_switching_event,
    .zero_load = zero_load,
    .load = net_packet_switching_load,
    .fail = net_packet_switching_fail,
    .settle = net_packet_switching_settle,
    .loses = true,
};
