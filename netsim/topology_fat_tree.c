/* topology_fat_tree.c - fat tree with full bisection bandwidth: the k-ary n-tree of Petrini and Vanneschi (1997), with
 * an extent of its own for each level (XGFT(h; m1..mh; 1, m1..m(h-1)) in the words of Öhring and others, 1995).
 *
 * A node's number is written in digits d1 (fastest) .. dh; the last extent is the number of nodes at a lowest switch. A
 * switch of level i carries the digits of a node number without digit i: those above i say which nodes hang below it,
 * those below i tell apart the switches that reach the same nodes. Levels i and i + 1 are linked where all digits agree
 * that both have.
 *
 *   2 x 2 (h = 2)     s1[d1=0]   s1[d1=1]      level 2: without digit 2
 *                      |     \ /     |
 *                      |     / \     |
 *                     s0[d2=0]   s0[d2=1]      level 1: without digit 1
 *                      / \          / \
 *                     00  01       10  11      nodes d2 d1
 *
 * Links of a switch: first down, by digit i of the child; then up, by digit i of the parent. A route climbs until the
 * destination hangs below, at each level to the parent whose digit is the destination's (destination-mod-k), then goes
 * down. It never turns up again, hence cannot deadlock.
 */
#include "netsim/internal.h"

/* Extent of digit i, 1-based from the nodes up. */
static uint32_t extent(const NetParams *params, uint32_t i)
{
    assert(i >= 1 && i <= params->n_dims);
    return params->dims[params->n_dims - i];
}

/* Product of the extents of digits 1 .. i. */
static uint32_t stride(const NetParams *params, uint32_t i)
{
    uint32_t product = 1;
    for (uint32_t j = 1; j <= i; j++)
        product *= extent(params, j);
    return product;
}

/* The vertex at `level` whose place in the level is `index`. */
static uint32_t level_start(const NetParams *params, uint32_t level)
{
    uint32_t start = level ? params->nodes : 0;
    for (uint32_t i = 1; i < level; i++)
        start += params->nodes / extent(params, i);
    return start;
}

static uint32_t level_of(const NetParams *params, uint32_t vertex)
{
    uint32_t level = 0;
    while (level < params->n_dims && vertex >= level_start(params, level + 1))
        level++;
    return level;
}

/* Takes digit i out of a number; puts it back in. */
static uint32_t digit_remove(const NetParams *params, uint32_t number, uint32_t i)
{
    uint32_t low = stride(params, i - 1);
    return number / (low * extent(params, i)) * low + number % low;
}

static uint32_t digit_insert(const NetParams *params, uint32_t number, uint32_t i, uint32_t digit)
{
    uint32_t low = stride(params, i - 1);
    return (number / low * extent(params, i) + digit) * low + number % low;
}

static uint32_t digit_of(const NetParams *params, uint32_t number, uint32_t i)
{
    return number / stride(params, i - 1) % extent(params, i);
}

/* nodes = k^n with 1 < n: makes n extents of k. */
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

/* 4-ary, else the smallest arity that fits; else two nearly equal extents; a prime number: one switch. */
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
    if (!net_check_extents(params, "fat tree", error))
        return false;
    if (!given)
        choose_extents(params);
    return true;
}

static uint32_t switches(const NetParams *params)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i <= params->n_dims; i++)
        count += params->nodes / extent(params, i);
    return count;
}

static uint64_t links(const NetParams *params)
{
    return UINT64_C(2) * params->nodes * params->n_dims;
}

static uint32_t child_of(const NetParams *params, uint32_t level, uint32_t index, uint32_t digit)
{
    uint32_t number = digit_insert(params, index, level, digit);
    return level_start(params, level - 1) + (level > 1 ? digit_remove(params, number, level - 1) : number);
}

static uint32_t parent_of(const NetParams *params, uint32_t level, uint32_t index, uint32_t digit)
{
    uint32_t number = level ? digit_insert(params, index, level, digit) : index;
    return level_start(params, level + 1) + digit_remove(params, number, level + 1);
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 0; node < params->nodes; node++)
        net_graph_add(graph, node, parent_of(params, 0, node, 0));
    for (uint32_t level = 1; level <= params->n_dims; level++) {
        uint32_t start = level_start(params, level);
        uint32_t width = extent(params, level);
        for (uint32_t index = 0; index < params->nodes / width; index++) {
            for (uint32_t digit = 0; digit < width; digit++)
                net_graph_add(graph, start + index, child_of(params, level, index, digit));
            for (uint32_t digit = 0; level < params->n_dims && digit < width; digit++)
                net_graph_add(graph, start + index, parent_of(params, level, index, digit));
        }
    }
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    uint32_t level = level_of(params, vertex);
    if (level == 0)
        return g_strdup_printf("node %u", vertex);
    return g_strdup_printf("switch %u.%u", level, vertex - level_start(params, level));
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t level = level_of(params, vertex);
    uint32_t count = level ? params->nodes / extent(params, level) : params->nodes;
    double spacing = MAX(1.5, params->nodes / 12.0);
    *x = (vertex - level_start(params, level) + 0.5) * params->nodes / count - 0.5;
    *y = (params->n_dims - level) * spacing;
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    uint32_t level = level_of(params, at);
    if (level == 0)
        return (NetHop){.link = graph->first_out[at]};
    uint32_t index = at - level_start(params, level);
    uint32_t below = stride(params, level - 1);
    uint32_t digit = digit_of(params, to, level);
    bool down = index / below == to / (below * extent(params, level)); /* all digits above agree */
    return (NetHop){.link = graph->first_out[at] + (down ? 0 : extent(params, level)) + digit};
}

static uint32_t diameter(const NetParams *params)
{
    uint32_t level = params->n_dims;
    while (level > 0 && extent(params, level) == 1)
        level--;
    return 2 * level;
}

const NetTopology net_topology_fat_tree = {
    .name = "fat-tree",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
    .diameter = diameter,
    .is_tree = true,
};
