/* mesh.c - mesh: a grid of 1 to 8 dimensions and any extents, without wrap-around. */
#include "netsim/params/params.h"
#include "netsim/topology/grid.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_extents(params, "mesh", error);
}

const NetTopology net_topology_mesh = {
    .name = "mesh",
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
    .drawing = NET_DRAWING_PLANES,
};
