/* xgft_shape.c - see xgft_shape.h. */
#include "netsim/topology/xgft_shape.h"

#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#define TOO_MANY (NET_MAX_NODES + UINT64_C(1))

NetXgft *net_xgft_new(NetXgft shape)
{
    NetXgft *tree = g_memdup2(&shape, sizeof shape);
    uint64_t count = 1;
    for (uint32_t level = 1; level <= tree->height; level++)
        count = MIN(count * tree->children[level], TOO_MANY);
    tree->count[0] = count;
    for (uint32_t level = 1; level <= tree->height; level++)
        tree->count[level] = count = MIN(count / tree->children[level] * tree->parents[level], TOO_MANY);
    return tree;
}

/* Returns how many values digit `digit` of a vertex of `level` has. */
static uint32_t radix(const NetXgft *tree, uint32_t level, uint32_t digit)
{
    return digit <= level ? tree->parents[digit] : tree->children[digit];
}

/* Returns the weight of digit `digit` of a vertex of `level`: the product of the radices below it. */
static uint32_t weight(const NetXgft *tree, uint32_t level, uint32_t digit)
{
    uint32_t product = 1;
    for (uint32_t i = 1; i < digit; i++)
        product *= radix(tree, level, i);
    return product;
}

static uint32_t level_start(const NetXgft *tree, uint32_t level)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < level; i++)
        start += (uint32_t)tree->count[i];
    return start;
}

static uint32_t level_of(const NetXgft *tree, uint32_t vertex, uint32_t *index)
{
    uint32_t level = 0;
    for (; vertex >= tree->count[level]; level++)
        vertex -= (uint32_t)tree->count[level];
    *index = vertex;
    return level;
}

uint32_t net_xgft_switches(const NetParams *params)
{
    const NetXgft *tree = params->tree;
    return level_start(tree, tree->height + 1) - (uint32_t)tree->count[0];
}

uint64_t net_xgft_links(const NetParams *params)
{
    const NetXgft *tree = params->tree;
    uint64_t links = 0;
    for (uint32_t level = 1; level <= tree->height; level++)
        links += 2 * tree->count[level] * tree->children[level];
    return links;
}

/* Returns the vertex of `level` that has the digits of vertex `index` of level `from`, except that digit `digit` is
 * `value`. */
static uint32_t relative(const NetXgft *tree, uint32_t index, uint32_t from, uint32_t level, uint32_t digit,
                         uint32_t value)
{
    uint32_t low = weight(tree, from, digit); /* weight of the digit, which is the same on both levels */
    uint32_t high = index / weight(tree, from, digit + 1);
    return level_start(tree, level) + (high * radix(tree, level, digit) + value) * low + index % low;
}

void net_xgft_build(const NetParams *params, NetGraph *graph)
{
    const NetXgft *tree = params->tree;
    for (uint32_t level = 0; level <= tree->height; level++) {
        uint32_t start = level_start(tree, level);
        for (uint32_t index = 0; index < tree->count[level]; index++) {
            for (uint32_t i = 0; level > 0 && i < tree->children[level]; i++)
                net_graph_add(graph, start + index, relative(tree, index, level, level - 1, level, i));
            for (uint32_t i = 0; level < tree->height && i < tree->parents[level + 1]; i++)
                net_graph_add(graph, start + index, relative(tree, index, level, level + 1, level + 1, i));
        }
    }
}

char *net_xgft_name(const NetParams *params, uint32_t vertex)
{
    const NetXgft *tree = params->tree;
    uint32_t index, level = level_of(tree, vertex, &index);
    return level ? g_strdup_printf("switch %u.%u", level, index) : g_strdup_printf("node %u", index);
}

/* Every level is drawn as wide as the widest. */
void net_xgft_position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    const NetXgft *tree = params->tree;
    uint32_t index, level = level_of(tree, vertex, &index);
    double width = 1;
    for (uint32_t i = 0; i <= tree->height; i++)
        width = MAX(width, (double)tree->count[i]);
    *x = (index + 0.5) * width / (double)tree->count[level] - 0.5;
    *y = (tree->height - level) * MAX(1.5, width / 12);
}

NetHop net_xgft_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    const NetXgft *tree = params->tree;
    uint32_t index, level = level_of(tree, at, &index);
    uint32_t above = weight(tree, level, level + 1); /* w1 .. w_level */
    if (index / above == to / weight(tree, 0, level + 1)) {
        uint32_t down = to / weight(tree, 0, level) % tree->children[level];
        return (NetHop){.link = graph->first_out[at] + down};
    }
    uint32_t up = to / above % tree->parents[level + 1];
    return (NetHop){.link = graph->first_out[at] + (level ? tree->children[level] : 0) + up};
}

/* A longest path goes up to the highest level whose vertices have more than one child, and down again. */
uint32_t net_xgft_diameter(const NetParams *params)
{
    const NetXgft *tree = params->tree;
    uint32_t level = tree->height;
    while (level > 0 && tree->children[level] == 1)
        level--;
    return 2 * level;
}
