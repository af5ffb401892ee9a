/* topology_mesh.c - mesh: a grid of 1 to 8 dimensions and any extents, without wrap-around. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_extents(params, "mesh", error);
}

static uint64_t links(const NetParams *params)
{
    return net_grid_links(params, false);
}

static void build(const NetParams *params, NetGraph *graph)
{
    net_grid_build(params, graph, false);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return net_grid_next(params, graph, at, to, false);
}

static uint32_t diameter(const NetParams *params)
{
    return net_grid_diameter(params, false);
}

const NetTopology net_topology_mesh = {
    .name = "mesh",
    .check = check,
    .links = links,
    .build = build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = next,
    .diameter = diameter,
};
