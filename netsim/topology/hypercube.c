/* hypercube.c - hypercube: 2^d nodes, linked if their numbers differ in exactly one bit.
 *
 * The links that leave a node are in the order of the bits. Dimension order is the e-cube rule of Sullivan and Bashkow
 * (1977): correct the lowest differing bit first. One class of channels is enough, as bits are used in rising order.
 *
 * One extent is the number of dimensions. Several extents are multiplied and must give a power of two, so a machine
 * with extents 4 x 4 can also be viewed as a hypercube.
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

enum { MAX_DIMENSIONS = 24 }; /* 2^24 = NET_MAX_NODES */

static bool check_dimensions(NetParams *params, GError **error)
{
    uint32_t dimensions = params->dims[0];
    if (dimensions > MAX_DIMENSIONS)
        return net_error_refuse(error, "dims",
                                "a hypercube of %u dimensions would have 2^%u nodes; at most %d dimensions fit",
                                dimensions, dimensions, MAX_DIMENSIONS);
    if (params->nodes && params->nodes != UINT32_C(1) << dimensions)
        return net_error_refuse(error, "dims", "a hypercube of %u dimensions has %u nodes, but nodes is %u", dimensions,
                                UINT32_C(1) << dimensions, params->nodes);
    params->nodes = UINT32_C(1) << dimensions;
    return true;
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims == 1)
        return check_dimensions(params, error);
    if (!net_params_check_nodes(params, "hypercube", 1, error))
        return false;
    if (params->nodes & (params->nodes - 1))
        return net_error_refuse(error, "nodes", "a hypercube has a power of two of nodes, which %u is not",
                                params->nodes);
    params->n_dims = 1;
    params->dims[0] = (uint32_t)__builtin_ctz(params->nodes);
    return true;
}

static uint64_t links(const NetParams *params)
{
    return (uint64_t)params->nodes * params->dims[0];
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 0; node < params->nodes; node++)
        for (uint32_t bit = 0; bit < params->dims[0]; bit++)
            net_graph_add(graph, node, node ^ UINT32_C(1) << bit);
}

/* Takes the bits in threes. Each three draw a cube in slanted view, and these cubes are the corners of a larger cube.
 */
static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    static const double step[3][2] = {{1, 0}, {0, 1}, {0.45, 0.3}};
    double scale = 1;
    *x = *y = 0;
    for (uint32_t bit = 0; bit < params->dims[0]; bit++) {
        if (bit && bit % 3 == 0)
            scale *= 2.4;
        if (vertex >> bit & 1) {
            *x += scale * step[bit % 3][0];
            *y += scale * step[bit % 3][1];
        }
    }
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    (void)params;
    assert(at != to && at < params->nodes);
    return (NetHop){.link = graph->first_out[at] + (uint32_t)__builtin_ctz(at ^ to)};
}

static uint32_t diameter(const NetParams *params)
{
    return params->dims[0];
}

/* A hypercube is a mesh of extents 2, with coordinate 0 as the highest bit. */
static void grid_of(const NetParams *params, NetGrid *grid)
{
    *grid = (NetGrid){.n = (uint32_t)__builtin_ctz(params->nodes)};
    for (uint32_t d = 0; d < grid->n; d++)
        grid->extents[d] = 2;
}

static uint32_t nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops)
{
    (void)params;
    uint32_t count = 0;
    for (uint32_t bits = at ^ to; bits; bits &= bits - 1)
        hops[count++] = (NetHop){.link = graph->first_out[at] + (uint32_t)__builtin_ctz(bits)};
    return count;
}

const NetTopology net_topology_hypercube = {
    .name = "hypercube",
    .check = check,
    .links = links,
    .build = build,
    .position = position,
    .next = next,
    .diameter = diameter,
    .grid = grid_of,
    .nearer = nearer,
    .is_power = true,
    .drawing = NET_DRAWING_CUBE,
};
