/* grid_coordinates.c - positions on grids, for callers that lay something out on a regular network.
 *
 * Linear arrays, rings, meshes, tori and hypercubes are all grids. A ring is a torus of one dimension. A hypercube of d
 * dimensions is a mesh of d extents of 2, and coordinate 0 is the highest bit. Nodes are numbered in row-major order,
 * so their coordinates follow from the extents alone. On grids the shortest path and dimension order need the same
 * number of hops. It is known without walking the route.
 */
#include "netsim/netsim.h"

#include <assert.h>

void net_grid_split(const NetGrid *grid, uint32_t node, uint32_t *coordinates)
{
    for (uint32_t d = grid->n; d-- > 0;) {
        coordinates[d] = node % grid->extents[d];
        node /= grid->extents[d];
    }
}

uint32_t net_grid_join(const NetGrid *grid, const uint32_t *coordinates)
{
    uint32_t node = 0;
    for (uint32_t d = 0; d < grid->n; d++) {
        assert(coordinates[d] < grid->extents[d]);
        node = node * grid->extents[d] + coordinates[d];
    }
    return node;
}

uint32_t net_grid_hops(const NetGrid *grid, uint32_t from, uint32_t to)
{
    uint32_t hops = 0;
    for (uint32_t d = grid->n; d-- > 0;) {
        uint32_t extent = grid->extents[d], a = from % extent, b = to % extent;
        uint32_t apart = a < b ? b - a : a - b;
        hops += grid->wraps ? MIN(apart, extent - apart) : apart;
        from /= extent;
        to /= extent;
    }
    return hops;
}
