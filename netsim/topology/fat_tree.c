/* fat_tree.c - fat tree with full bisection bandwidth: the k-ary n-tree of Petrini and Vanneschi (1997), with an extent
 * of its own for each level.
 *
 * It is XGFT(h; m1 .. mh; 1, m1 .. m(h-1)). Every vertex has as many parents as the vertices of the level below have
 * children, so as many links lead up as down. The extents are mh .. m1; the last one is the number of nodes at a lowest
 * switch.
 */
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"
#include "netsim/topology/xgft_shape.h"

static NetXgft *tree_of(const NetParams *params)
{
    NetXgft tree = {.height = params->n_dims};
    for (uint32_t level = 1; level <= tree.height; level++) {
        tree.children[level] = params->dims[tree.height - level];
        tree.parents[level] = level > 1 ? tree.children[level - 1] : 1;
    }
    return net_xgft_new(tree);
}

/* If nodes = k^n with 1 < n, sets n extents of k. */
static bool choose_power(NetParams *params, uint32_t k)
{
    uint64_t power = k;
    uint32_t levels = 1;
    for (; power < params->nodes && levels < NET_MAX_DIMENSIONS; power *= k)
        levels++;
    if (power != params->nodes || levels == 1)
        return false;
    params->n_dims = levels;
    for (uint32_t i = 0; i < levels; i++)
        params->dims[i] = k;
    return true;
}

/* Sets the arity 4 if it fits, else the smallest that fits, else two nearly equal extents. A prime number of nodes gets
 * one switch. */
static void choose_extents(NetParams *params)
{
    if (choose_power(params, 4))
        return;
    for (uint32_t k = 2; (uint64_t)k * k <= params->nodes; k++)
        if (choose_power(params, k))
            return;
    if (params->dims[0] == 1) {
        params->n_dims = 1;
        params->dims[0] = params->nodes;
    }
}

static bool check(NetParams *params, GError **error)
{
    bool given = params->n_dims > 0;
    if (!net_params_check_extents(params, "fat tree", error))
        return false;
    if (!given)
        choose_extents(params);
    params->tree = tree_of(params);
    return true;
}

const NetTopology net_topology_fat_tree = {
    .name = "fat-tree",
    .check = check,
    NET_XGFT,
};
