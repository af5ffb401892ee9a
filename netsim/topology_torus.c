/* topology_torus.c - torus (k-ary n-cube): a grid in which every row, column ... is a ring. */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_extents(params, "torus", error);
}

const NetTopology net_topology_torus = {
    .name = "torus",
    .grid_kind = NET_GRID_TORUS,
    .check = check,
    .links = net_torus_links,
    .build = net_torus_build,
    .vertex_name = net_grid_name,
    .position = net_grid_position,
    .next = net_torus_next,
    .diameter = net_torus_diameter,
    .classes = net_grid_ring_classes,
};
