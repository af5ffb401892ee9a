/* topology_linear.c - linear array: node i is linked to i - 1 and i + 1. A mesh of one dimension. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "linear array", 1, error);
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

const NetTopology net_topology_linear = {
    .name = "linear",
    .check = check,
    .links = links,
    .build = build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = next,
    .diameter = diameter,
};
