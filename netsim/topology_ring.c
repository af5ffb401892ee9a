/* topology_ring.c - ring: a linear array whose ends meet. A torus of one dimension, drawn as a circle. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "ring", 1, error);
}

static uint64_t links(const NetParams *params)
{
    return net_grid_links(params, true);
}

static void build(const NetParams *params, NetGraph *graph)
{
    net_grid_build(params, graph, true);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return net_grid_next(params, graph, at, to, true);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    net_circle_position(vertex, params->nodes, x, y);
}

static uint32_t diameter(const NetParams *params)
{
    return net_grid_diameter(params, true);
}

const NetTopology net_topology_ring = {
    .name = "ring",
    .check = check,
    .links = links,
    .build = build,
    .vertex_name = net_grid_name,
    .position = position,
    .next = next,
    .diameter = diameter,
    .classes = net_grid_ring_classes,
};
