/* path.c - what the closed forms for an empty network share: a route described by a few numbers. */
#include "netsim/core/core.h"
#include "netsim/params/params.h"

NetPath net_path(const Network *net, uint32_t from, uint32_t to)
{
    NetPath path = {0};
    NetQuery query = net_route_begin(net, from, to, 0);
    for (; query.at != to; path.hops++) {
        path.routing_ps += net_vertex_latency(net, query.at);
        net_route_advance(net, &query, net_route_next_hop(net, &query));
    }
    return path;
}

bool net_has_one_path(const Network *net)
{
    return !net->routing->candidates && !net->routing->choose_via;
}

bool net_path_is_closed_form(const Network *net)
{
    return net->graph.uniform && net_has_one_path(net) && !net->params.packet_startup_ps;
}

uint64_t net_path_last_packet_ps(const Network *net, uint64_t bytes)
{
    uint64_t last = net_packet_count(&net->params, bytes) - 1;
    return net_packet_ps(net, net_packet_bytes(&net->params, bytes, last));
}
