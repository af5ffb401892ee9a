/* routes.c - what callers ask of any routing function: a packet's first query, its next hop, and its whole path. */
#include "base/random.h"
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

uint32_t net_source_route(const Network *net, const NetQuery *query, NetHop *hops, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!hops[i].escape)
            hops[left++] = hops[i];
    if (query->in_link == NET_NONE || left < 2)
        return left;
    hops[0] = hops[base_random_mix(net->params.seed, query->number, query->at) % left];
    return 1;
}

NetQuery net_route_begin(const Network *net, uint32_t from, uint32_t to, uint64_t number)
{
    NetQuery query = {.from = from, .to = to, .via = NET_NONE, .at = from, .in_link = NET_NONE, .number = number};
    if (net->routing->choose_via && from != to)
        query.via = net->routing->choose_via(net, from, to, number);
    return query;
}

NetHop net_route_next_hop(const Network *net, const NetQuery *query)
{
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, query, hops);
    assert(count > 0);
    (void)count;
    return hops[0];
}

uint32_t net_route(const Network *net, uint32_t from, uint32_t to, uint32_t *links, uint32_t max)
{
    assert(from < net->params.nodes && to < net->params.nodes);
    uint32_t hops = 0;
    if (!net->graph.links)
        return 0;
    NetQuery query = net_route_begin(net, from, to, base_random_mix(net->params.seed, from, 0));
    for (; query.at != to; hops++) {
        NetHop candidates[NET_MAX_CANDIDATES];
        if (!net_candidates(net, &query, candidates))
            return 0;
        NetHop hop = candidates[0];
        assert(hops < 4 * net->graph.vertices);
        if (hops < max)
            links[hops] = hop.link;
        net_route_advance(net, &query, hop);
    }
    return hops;
}
