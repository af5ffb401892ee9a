/* torus.c - torus (k-ary n-cube): a grid in which every row, column ... is a ring. */
#include "netsim/params/params.h"
#include "netsim/topology/grid.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_extents(params, "torus", error);
}

const NetTopology net_topology_torus = {
    .name = "torus",
    .check = check,
    NET_GRID_TORUS,
    .position = net_grid_position,
    .drawing = NET_DRAWING_PLANES,
};
