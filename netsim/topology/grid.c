/* grid.c - what linear arrays, rings, meshes and tori share: nodes with coordinates.
 *
 * Nodes are numbered in row-major order, the last coordinate fastest, as MPI numbers Cartesian ranks. The links that
 * leave a node are ordered by dimension, within each first the one towards the smaller coordinate, then the one towards
 * the larger:
 *
 *   mesh 2x3    (0,0)-(0,1)-(0,2)       torus: the ends of every row and column are linked too, unless the extent is
 *                 |     |     |         1 or 2, where that link would be a loop or the same link twice
 *               (1,0)-(1,1)-(1,2)
 *
 * Dimension order (e-cube) corrects coordinate 0 first, then 1 and so on. On rings, the class of virtual channels is
 * chosen by comparing coordinates (Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
 * Networks", IEEE Trans. Computers C-36(5), 1987). Class 0 is used while the wrap-around still lies ahead, class 1
 * otherwise. Class 0 is never used out of the node past the wrap, and class 1 never over the wrap. So neither class
 * closes a cycle.
 */
#include "netsim/topology/grid.h"

#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <math.h>

/* Returns the difference of the node numbers of neighbours in dimension d. */
static uint32_t stride_of(const NetParams *params, uint32_t d)
{
    uint32_t stride = 1;
    for (uint32_t i = d + 1; i < params->n_dims; i++)
        stride *= params->dims[i];
    return stride;
}

static uint32_t coordinate(const NetParams *params, uint32_t vertex, uint32_t d)
{
    return vertex / stride_of(params, d) % params->dims[d];
}

static bool wraps(bool wrap, uint32_t extent)
{
    return wrap && extent > 2;
}

static uint64_t count_links(const NetParams *params, bool wrap)
{
    uint64_t links = 0;
    for (uint32_t d = 0; d < params->n_dims; d++) {
        uint64_t extent = params->dims[d];
        uint64_t rows = params->nodes / extent;
        links += rows * 2 * (wraps(wrap, params->dims[d]) ? extent : extent - 1);
    }
    return links;
}

static void add_neighbours(const NetParams *params, NetGraph *graph, uint32_t vertex, uint32_t d, bool wrap)
{
    uint32_t extent = params->dims[d];
    uint32_t stride = stride_of(params, d);
    uint32_t c = coordinate(params, vertex, d);
    if (c > 0)
        net_graph_add(graph, vertex, vertex - stride);
    else if (wraps(wrap, extent))
        net_graph_add(graph, vertex, vertex + (extent - 1) * stride);
    if (c < extent - 1)
        net_graph_add(graph, vertex, vertex + stride);
    else if (wraps(wrap, extent))
        net_graph_add(graph, vertex, vertex - (extent - 1) * stride);
}

static void build(const NetParams *params, NetGraph *graph, bool wrap)
{
    for (uint32_t vertex = 0; vertex < params->nodes; vertex++)
        for (uint32_t d = 0; d < params->n_dims; d++)
            add_neighbours(params, graph, vertex, d, wrap);
}

/* Returns whether to go towards larger coordinates. On a ring this is the shorter way, and upwards if both are equal.
 */
static bool goes_up(uint32_t from, uint32_t to, uint32_t extent, bool ring)
{
    if (!ring)
        return to > from;
    uint32_t up = (to + extent - from) % extent;
    return up <= extent - up;
}

/* Returns the hop along dimension `d`, in which `at` and `to` differ. */
static NetHop hop_along(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, uint32_t d,
                        uint32_t stride, bool wrap)
{
    uint32_t extent = params->dims[d];
    uint32_t here = at / stride % extent;
    uint32_t there = to / stride % extent;
    bool ring = wraps(wrap, extent);
    bool up = goes_up(here, there, extent, ring);
    uint32_t next = up ? (here + 1 == extent ? 0 : here + 1) : (here == 0 ? extent - 1 : here - 1);
    uint32_t link = net_graph_link_to(graph, at, at - here * stride + next * stride);
    bool past_wrap = up ? here < there : here > there;
    return (NetHop){.link = link, .channel_class = ring && extent > 3 && past_wrap};
}

static NetHop next_hop(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, bool wrap)
{
    uint32_t d = 0;
    uint32_t stride = params->nodes / params->dims[0];
    while (at / stride % params->dims[d] == to / stride % params->dims[d]) {
        d++;
        assert(d < params->n_dims);
        stride /= params->dims[d];
    }
    return hop_along(params, graph, at, to, d, stride, wrap);
}

static uint32_t nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, bool wrap,
                       NetHop *hops)
{
    uint32_t count = 0;
    uint32_t stride = params->nodes;
    for (uint32_t d = 0; d < params->n_dims; d++) {
        stride /= params->dims[d];
        if (at / stride % params->dims[d] == to / stride % params->dims[d])
            continue;
        hops[count] = hop_along(params, graph, at, to, d, stride, wrap);
        hops[count++].channel_class = 0;
    }
    return count;
}

static void extents(const NetParams *params, bool wraps, NetGrid *grid)
{
    *grid = (NetGrid){.n = params->n_dims, .wraps = wraps};
    for (uint32_t d = 0; d < grid->n; d++)
        grid->extents[d] = params->dims[d];
}

/* Rings of up to 3 nodes have no route of two links, so no cycle of waiting. Longer rings need two classes. */
uint32_t net_grid_ring_classes(const NetParams *params)
{
    for (uint32_t d = 0; d < params->n_dims; d++)
        if (params->dims[d] > 3)
            return 2;
    return 1;
}

static uint32_t diameter(const NetParams *params, bool wrap)
{
    uint32_t hops = 0;
    for (uint32_t d = 0; d < params->n_dims; d++)
        hops += wrap ? params->dims[d] / 2 : params->dims[d] - 1;
    return hops;
}

/* -- without wrap-around ----------------------------------------------------------------------- */

uint64_t net_grid_mesh_links(const NetParams *params)
{
    return count_links(params, false);
}

void net_grid_mesh_build(const NetParams *params, NetGraph *graph)
{
    build(params, graph, false);
}

NetHop net_grid_mesh_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return next_hop(params, graph, at, to, false);
}

uint32_t net_grid_mesh_diameter(const NetParams *params)
{
    return diameter(params, false);
}

uint32_t net_grid_mesh_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops)
{
    return nearer(params, graph, at, to, false, hops);
}

void net_grid_mesh_extents(const NetParams *params, NetGrid *grid)
{
    extents(params, false, grid);
}

/* -- with wrap-around -------------------------------------------------------------------------- */

uint64_t net_grid_torus_links(const NetParams *params)
{
    return count_links(params, true);
}

void net_grid_torus_build(const NetParams *params, NetGraph *graph)
{
    build(params, graph, true);
}

NetHop net_grid_torus_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return next_hop(params, graph, at, to, true);
}

uint32_t net_grid_torus_diameter(const NetParams *params)
{
    return diameter(params, true);
}

uint32_t net_grid_torus_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops)
{
    return nearer(params, graph, at, to, true, hops);
}

void net_grid_torus_extents(const NetParams *params, NetGrid *grid)
{
    extents(params, true, grid);
}

/* -- names and places -------------------------------------------------------------------------- */

char *net_grid_name(const NetParams *params, uint32_t vertex)
{
    if (params->n_dims == 1)
        return g_strdup_printf("node %u", vertex);
    GString *name = g_string_new("(");
    for (uint32_t d = 0; d < params->n_dims; d++)
        g_string_append_printf(name, "%s%u", d ? "," : "", coordinate(params, vertex, d));
    g_string_append_c(name, ')');
    return g_string_free(name, FALSE);
}

/* The last coordinate runs to the right, the one before it downwards. A third one of extent up to 3 runs diagonally.
 * Other dimensions place whole blocks beside and below each other. */
void net_grid_position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    double width = 0;
    double height = 0;
    *x = *y = 0;
    for (uint32_t i = 0; i < params->n_dims; i++) {
        uint32_t d = params->n_dims - 1 - i;
        bool slanted = i == 2 && params->dims[d] <= 3;
        double gap = i < 2 ? 1 : 1.5;
        double right = slanted ? 0.4 : i % 2 ? 0 : width + gap;
        double down = slanted ? 0.3 : i % 2 ? height + gap : 0;
        *x += coordinate(params, vertex, d) * right;
        *y += coordinate(params, vertex, d) * down;
        width += (params->dims[d] - 1) * right;
        height += (params->dims[d] - 1) * down;
    }
}
