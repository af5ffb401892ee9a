/* topology_mesh.c - mesh: a grid of 1 to 8 dimensions and any extents, without wrap-around. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_extents(params, "mesh", error);
}

const NetTopology net_topology_mesh = {
    .name = "mesh",
    .grid_kind = NET_GRID_MESH,
    .check = check,
    .links = net_mesh_links,
    .build = net_mesh_build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = net_mesh_next,
    .diameter = net_mesh_diameter,
};
