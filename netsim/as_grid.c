/* as_grid.c - regular networks seen as grids, for those who want to lay something out on them.
 *
 * Linear arrays, rings, meshes, tori and hypercubes are all grids: a ring is a torus of one dimension, a hypercube of d
 * dimensions a mesh of d extents of 2, coordinate 0 being the highest bit. Nodes are numbered in row-major order, so
 * their coordinates follow from the extents alone. On grids the shortest path and dimension order need the same number
 * of hops, which is known without walking the route.
 */
#include "netsim/internal.h"

#include <string.h>

typedef struct GridKind {
    const char *topology;
    bool wraps;
} GridKind;

static const GridKind kinds[] = {{"linear", false}, {"mesh", false}, {"ring", true}, {"torus", true}};

static bool hypercube_as_grid(const NetParams *params, NetGrid *grid)
{
    grid->n = (uint32_t)__builtin_ctz(params->nodes);
    for (uint32_t d = 0; d < grid->n; d++)
        grid->extents[d] = 2;
    return true;
}

bool net_as_grid(const Network *net, NetGrid *grid)
{
    const NetParams *params = &net->params;
    *grid = (NetGrid){0};
    if (strcmp(params->topology, "hypercube") == 0)
        return hypercube_as_grid(params, grid);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(params->topology, kinds[i].topology) != 0)
            continue;
        grid->n = params->n_dims ? params->n_dims : 1;
        grid->wraps = kinds[i].wraps;
        for (uint32_t d = 0; d < grid->n; d++)
            grid->extents[d] = params->n_dims ? params->dims[d] : params->nodes;
        return true;
    }
    return false;
}

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
