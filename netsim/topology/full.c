/* full.c - fully connected: a link from every node to every other. */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "fully connected network", 1, error);
}

static uint64_t links(const NetParams *params)
{
    return (uint64_t)params->nodes * (params->nodes - 1);
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t from = 0; from < params->nodes; from++)
        for (uint32_t to = 0; to < params->nodes; to++)
            if (from != to)
                net_graph_add(graph, from, to);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    net_topology_circle_position(vertex, params->nodes, x, y);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    (void)params;
    assert(at != to && to < params->nodes);
    return (NetHop){.link = graph->first_out[at] + (to < at ? to : to - 1)};
}

static uint32_t diameter(const NetParams *params)
{
    return params->nodes > 1 ? 1 : 0;
}

const NetTopology net_topology_full = {
    .name = "full",
    .check = check,
    .links = links,
    .build = build,
    .position = position,
    .next = next,
    .diameter = diameter,
    .drawing = NET_DRAWING_FULL,
};
