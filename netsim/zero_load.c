/* zero_load.c - what the closed forms for an empty network share: a route in numbers. */
#include "netsim/internal.h"

NetPath net_path(const Network *net, uint32_t from, uint32_t to)
{
    NetPath path = {0};
    for (uint32_t at = from; at != to; path.hops++) {
        path.routing_ps += net_vertex_latency(net, at);
        at = net->graph.link[net_next_hop(net, at, to).link].to;
    }
    return path;
}

uint64_t net_last_packet_ps(const Network *net, uint64_t bytes)
{
    uint64_t last = net_packet_count(&net->params, bytes) - 1;
    return net_packet_ps(net, net_packet_bytes(&net->params, bytes, last));
}
