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
    .links = net_grid_torus_links,
    .build = net_grid_torus_build,
    .vertex_name = net_grid_name,
    .position = position,
    .next = net_grid_torus_next,
    .diameter = net_grid_torus_diameter,
    .classes = net_grid_ring_classes,
    .grid = net_grid_torus_extents,
    .nearer = net_grid_torus_nearer,
    .drawing = NET_DRAWING_RING,
};
