/* topology_ring.c - ring: a linear array whose ends meet. A torus of one dimension, drawn as a circle. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "ring", 1, error);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    net_circle_position(vertex, params->nodes, x, y);
}

const NetTopology net_topology_ring = {
    .name = "ring",
    .grid_kind = NET_GRID_TORUS,
    .check = check,
    .links = net_torus_links,
    .build = net_torus_build,
    .vertex_name = net_grid_name,
    .position = position,
    .next = net_torus_next,
    .diameter = net_torus_diameter,
    .classes = net_grid_ring_classes,
};
