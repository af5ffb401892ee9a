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
    .links = net_grid_torus_links,
    .build = net_grid_torus_build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = net_grid_torus_next,
    .diameter = net_grid_torus_diameter,
    .classes = net_grid_ring_classes,
    .grid = net_grid_torus_extents,
    .nearer = net_grid_torus_nearer,
    .drawing = NET_DRAWING_PLANES,
};
