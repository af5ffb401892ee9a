/* topology_torus.c - torus (k-ary n-cube): a grid in which every row, column ... is a ring. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_extents(params, "torus", error);
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

static uint32_t diameter(const NetParams *params)
{
    return net_grid_diameter(params, true);
}

const NetTopology net_topology_torus = {
    .name = "torus",
    .check = check,
    .links = links,
    .build = build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = next,
    .diameter = diameter,
    .classes = net_grid_ring_classes,
};
