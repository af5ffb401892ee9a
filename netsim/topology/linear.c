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
    NET_GRID_MESH,
    .position = net_grid_position,
    .drawing = NET_DRAWING_ROW,
};
