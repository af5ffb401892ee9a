/* mesh.c - mesh: a grid of 1 to 16 dimensions and any extents, without wrap-around. */
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
    NET_GRID_MESH,
    .position = net_grid_position,
    .drawing = NET_DRAWING_PLANES,
};
