/* topology_xgft.c - extended generalised fat trees: XGFT(h; m1, .. mh; w1, .. wh) of Oehring, Ibel, Das and Kumar, "On
 * Generalized Fat Trees", IPPS 1995.
 *
 * Level 0 are the nodes, levels 1 .. h switches. A vertex of level i has m_i children and w_(i+1) parents; there are
 * m_h .. m_(i+1) w_i .. w_1 of them, numbered by these digits, the first digit fastest. A vertex and a parent of it
 * agree in all digits but digit i + 1: the child's is less than m_(i+1), the parent's less than w_(i+1).
 *
 * Links of a vertex: first down by the child's digit, then up by the parent's. A route climbs until the destination
 * hangs below, choosing parents by the destination (floor(d / (w1 .. wi)) mod w_(i+1), destination-mod-k), then goes
 * down. It never turns up again, hence cannot deadlock.
 */
#include "netsim/internal.h"

static uint32_t height(const NetParams *params)
{
    return params->n_dims / 2;
}

static uint32_t children(const NetParams *params, uint32_t level) /* m_level, level >= 1 */
{
    return params->dims[level - 1];
}

static uint32_t parents(const NetParams *params, uint32_t level) /* w_level: of a vertex of level - 1 */
{
    return params->dims[height(params) + level - 1];
}

/* Digit `digit` of a vertex of `level`: how many values it has. */
static uint32_t radix(const NetParams *params, uint32_t level, uint32_t digit)
{
    return digit <= level ? parents(params, digit) : children(params, digit);
}

static uint64_t count_of(const NetParams *params, uint32_t level)
{
    uint64_t count = 1;
    for (uint32_t digit = 1; digit <= height(params) && count <= NET_MAX_LINKS; digit++)
        count *= radix(params, level, digit);
    return count;
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims == 0 || params->n_dims % 2)
        return net_refuse(error, "dims",
                          "an xgft needs children and parents for each level, m1 .. mh and then w1 .. wh, like 4x4x1x2 "
                          "for XGFT(2; 4,4; 1,2): an even number of parameters, not %u",
                          params->n_dims);
    for (uint32_t i = 0; i < params->n_dims; i++)
        if (params->dims[i] == 0)
            return net_refuse(error, "dims", "parameter %u of the xgft is 0; all must be at least 1", i + 1);
    for (uint32_t level = 0; level <= height(params); level++)
        if (count_of(params, level) > NET_MAX_NODES)
            return net_refuse(error, "dims", "level %u of the xgft has more than %u vertices", level, NET_MAX_NODES);
    if (params->nodes && params->nodes != count_of(params, 0))
        return net_refuse(error, "dims", "this xgft has %u nodes, but nodes is %u", (uint32_t)count_of(params, 0),
                          params->nodes);
    params->nodes = (uint32_t)count_of(params, 0);
    return true;
}

static uint32_t level_start(const NetParams *params, uint32_t level)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < level; i++)
        start += (uint32_t)count_of(params, i);
    return start;
}

static uint32_t level_of(const NetParams *params, uint32_t vertex)
{
    uint32_t level = 0;
    for (uint32_t end = params->nodes; vertex >= end; end += (uint32_t)count_of(params, level))
        level++;
    return level;
}

static uint32_t switches(const NetParams *params)
{
    return level_start(params, height(params) + 1) - params->nodes;
}

static uint64_t links(const NetParams *params)
{
    uint64_t links = 0;
    for (uint32_t level = 1; level <= height(params); level++)
        links += 2 * count_of(params, level) * children(params, level);
    return links;
}

/* Product of the radices of digits 1 .. digit - 1 of a level. */
static uint32_t weight(const NetParams *params, uint32_t level, uint32_t digit)
{
    uint32_t product = 1;
    for (uint32_t i = 1; i < digit; i++)
        product *= radix(params, level, i);
    return product;
}

/* The vertex of `level` whose index is that of one of the level `from`, but for digit `digit`, which is `value`. */
static uint32_t relative(const NetParams *params, uint32_t index, uint32_t from, uint32_t level, uint32_t digit,
                         uint32_t value)
{
    uint32_t low = weight(params, from, digit); /* the same on both levels */
    uint32_t high = index / low / radix(params, from, digit);
    return level_start(params, level) + (high * radix(params, level, digit) + value) * low + index % low;
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t level = 0; level <= height(params); level++) {
        uint32_t start = level_start(params, level);
        for (uint32_t index = 0; index < count_of(params, level); index++) {
            for (uint32_t i = 0; level > 0 && i < children(params, level); i++)
                net_graph_add(graph, start + index, relative(params, index, level, level - 1, level, i));
            for (uint32_t i = 0; level < height(params) && i < parents(params, level + 1); i++)
                net_graph_add(graph, start + index, relative(params, index, level, level + 1, level + 1, i));
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
    double width = 1;
    for (uint32_t i = 0; i <= height(params); i++)
        width = MAX(width, (double)count_of(params, i));
    *x = (vertex - level_start(params, level) + 0.5) * width / (double)count_of(params, level);
    *y = (height(params) - level) * MAX(1.5, width / 12);
}

/* Digit of a node. */
static uint32_t digit_of(const NetParams *params, uint32_t node, uint32_t digit)
{
    return node / weight(params, 0, digit) % children(params, digit);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    uint32_t level = level_of(params, at);
    uint32_t index = at - level_start(params, level);
    bool below = index / weight(params, level, level + 1) == to / weight(params, 0, level + 1);
    if (below)
        return (NetHop){.link = graph->first_out[at] + digit_of(params, to, level)};
    uint32_t spread = weight(params, level, level + 1); /* w1 .. w_level */
    uint32_t up = to / spread % parents(params, level + 1);
    return (NetHop){.link = graph->first_out[at] + (level ? children(params, level) : 0) + up};
}

static uint32_t diameter(const NetParams *params)
{
    uint32_t level = height(params);
    while (level > 0 && children(params, level) == 1)
        level--;
    return 2 * level;
}

const NetTopology net_topology_xgft = {
    .name = "xgft",
    .arguments = "",
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
