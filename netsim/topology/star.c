/* star.c - star: node 0 in the middle, every other node linked to it.
 *
 * Messages between two outer nodes go through the router of node 0, which takes switch_latency_ps. There they compete
 * with what node 0 itself sends. (For a switch in the middle that is not a node, see crossbar.)
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "star", 1, error);
}

static uint64_t links(const NetParams *params)
{
    return UINT64_C(2) * (params->nodes - 1);
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 1; node < params->nodes; node++)
        net_graph_add_both(graph, node, 0);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    *x = *y = 0;
    if (vertex > 0)
        net_topology_circle_position(vertex - 1, MAX(params->nodes - 1, 6), x, y);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    (void)params;
    assert(at != to && to < params->nodes);
    return (NetHop){.link = graph->first_out[at] + (at == 0 ? to - 1 : 0)};
}

static uint32_t diameter(const NetParams *params)
{
    return MIN(params->nodes - 1, 2);
}

const NetTopology net_topology_star = {
    .name = "star",
    .check = check,
    .links = links,
    .build = build,
    .position = position,
    .next = next,
    .diameter = diameter,
    .node_is_hub = true,
    .drawing = NET_DRAWING_STAR,
};
