/* linear.c - linear array: node i is linked to i - 1 and i + 1. A mesh of one dimension. */
#include "netsim/params/params.h"
#include "netsim/topology/grid.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "linear array", 1, error);
}

const NetTopology net_topology_linear = {
    .name = "linear",
    .check = check,
    .links = net_grid_mesh_links,
    .build = net_grid_mesh_build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = net_grid_mesh_next,
    .diameter = net_grid_mesh_diameter,
    .grid = net_grid_mesh_extents,
    .nearer = net_grid_mesh_nearer,
    .turns = true,
    .drawing = NET_DRAWING_ROW,
};
