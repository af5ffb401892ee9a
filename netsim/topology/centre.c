/* centre.c - what bus and crossbar share: vertex `nodes` is in the middle, with a link to and from every node. */
#include "netsim/topology/centre.h"

#include "base/queue.h"
#include "netsim/graph/graph.h"

uint32_t net_centre_switches(const NetParams *params)
{
    (void)params;
    return 1;
}

uint64_t net_centre_links(const NetParams *params)
{
    return UINT64_C(2) * params->nodes;
}

void net_centre_build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 0; node < params->nodes; node++)
        net_graph_add_both(graph, node, params->nodes);
}

NetHop net_centre_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return (NetHop){.link = graph->first_out[at] + (at == params->nodes ? to : 0)};
}

uint32_t net_centre_diameter(const NetParams *params)
{
    return params->nodes > 1 ? 2 : 0;
}
