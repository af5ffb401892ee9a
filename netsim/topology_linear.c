/* topology_linear.c - linear array: node i is linked to i - 1 and i + 1. A mesh of one dimension. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "linear array", 1, error);
}

const NetTopology net_topology_linear = {
    .name = "linear",
    .grid_kind = NET_GRID_MESH,
    .check = check,
    .links = net_mesh_links,
    .build = net_mesh_build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = net_mesh_next,
    .diameter = net_mesh_diameter,
};
