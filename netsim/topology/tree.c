/* tree.c - k-ary tree with a node at every vertex: node i's children are k i + 1 .. k i + k.
 *
 *   tree(2,2)        0
 *                  1   2
 *                 3 4 5 6
 *
 * The root is node 0. Numbers go level by level (heap order, Knuth 5.2.3). Any number of nodes is possible. A message
 * climbs until its destination is below, then goes down. It never turns up again, so it cannot deadlock.
 *
 * The extents are k and the number of levels below the root; or k alone (2 if it is left out) and `nodes`. For trees
 * whose inner vertices are switches, use xgft with one parent on each level.
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

static bool from_levels(NetParams *params, GError **error)
{
    uint64_t nodes = 1;
    uint64_t level = 1;
    for (uint32_t i = 0; i < params->dims[1] && nodes <= NET_MAX_NODES; i++) {
        level *= params->dims[0];
        nodes += level;
    }
    if (nodes > NET_MAX_NODES)
        return net_error_refuse(error, "dims", "a %u-ary tree with %u levels below its root has more than %u nodes",
                                params->dims[0], params->dims[1], NET_MAX_NODES);
    if (params->nodes && params->nodes != nodes)
        return net_error_refuse(error, "dims", "a tree(%u,%u) has %u nodes, but nodes is %u", params->dims[0],
                                params->dims[1], (uint32_t)nodes, params->nodes);
    params->nodes = (uint32_t)nodes;
    return true;
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims > 2)
        return net_error_refuse(error, "dims", "a tree has two parameters, k and levels, not %u", params->n_dims);
    if (params->n_dims && params->dims[0] == 0)
        return net_error_refuse(error, "dims", "a tree with k = 0 has no branches; k must be at least 1");
    if (params->n_dims == 2 && !from_levels(params, error))
        return false;
    if (params->n_dims == 0)
        params->dims[0] = 2;
    params->n_dims = 1;
    return net_params_check_count(params, "tree", 1, error);
}

static uint64_t links(const NetParams *params)
{
    return UINT64_C(2) * (params->nodes - 1);
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 1; node < params->nodes; node++)
        net_graph_add_both(graph, node, (node - 1) / params->dims[0]);
}

/* level_start() returns the first number of a level, level_of() the level of a node. */
static uint64_t level_start(const NetParams *params, uint32_t level)
{
    uint64_t start = 0;
    while (level-- > 0)
        start = start * params->dims[0] + 1;
    return start;
}

static uint32_t level_of(const NetParams *params, uint32_t node)
{
    uint32_t level = 0;
    for (; node; node = (node - 1) / params->dims[0])
        level++;
    return level;
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t level = level_of(params, vertex);
    uint32_t depth = level_of(params, params->nodes - 1);
    double width = (double)(level_start(params, depth + 1) - level_start(params, depth));
    double count = (double)(level_start(params, level + 1) - level_start(params, level));
    *x = ((double)(vertex - level_start(params, level)) + 0.5) * width / count;
    *y = level * MAX(1.0, width / 16);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    uint32_t below = to; /* ancestor of `to` just below `at`, if there is one */
    while (below > at && (below - 1) / params->dims[0] != at)
        below = (below - 1) / params->dims[0];
    bool down = below > at;
    return (NetHop){.link = net_graph_link_to(graph, at, down ? below : (at - 1) / params->dims[0])};
}

/* The longest distance is between the deepest leaves of two of the root's branches; in a chain it starts at the root.
 */
static uint32_t diameter(const NetParams *params)
{
    uint32_t deepest = level_of(params, params->nodes - 1);
    if (params->nodes < 3 || params->dims[0] == 1)
        return deepest;
    uint64_t first = level_start(params, deepest);
    /* Leaves below one child of the root, if the level is full. */
    uint64_t branch = (level_start(params, deepest + 1) - first) / params->dims[0];
    return 2 * deepest - (params->nodes - 1 - first < branch);
}

const NetTopology net_topology_tree = {
    .name = "tree",
    .arguments = "k levels",
    .check = check,
    .links = links,
    .build = build,
    .position = position,
    .next = next,
    .diameter = diameter,
};
