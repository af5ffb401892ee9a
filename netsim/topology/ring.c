/* ring.c - ring: a linear array whose ends meet. A torus of one dimension, drawn as a circle. */
#include "netsim/params/params.h"
#include "netsim/topology/grid.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "ring", 1, error);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    net_topology_circle_position(vertex, params->nodes, x, y);
}

const NetTopology net_topology_ring = {
    .name = "ring",
    .check = check,
    NET_GRID_TORUS,
    .position = position,
    .drawing = NET_DRAWING_RING,
};
