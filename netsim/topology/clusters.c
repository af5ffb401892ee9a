/* clusters.c - clusters joined by gateways, and clusters of clusters.
 *
 *   clusters(2,3,4): two sites of three clusters of four nodes
 *
 *   node - switch - gateway 1 - gateway 1 ..   (one site)
 *                       |           |
 *                   gateway 2 ===== gateway 2  (two sites)
 *
 * The extents go from the top down. The nodes of a cluster are linked to its switch. Every cluster has a gateway that
 * is linked to the switch. Every group of clusters below the top has a gateway that is linked to the gateways in it.
 * Gateways of one group are linked pairwise, at the top by global links (WAN).
 *
 * A message goes up to the gateways of the level at which source and destination part, across, and down. It never turns
 * up again, so it cannot deadlock.
 */
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

/* Units of level 1 are the clusters. The units of level levels() - 1 are those whose gateways are linked by global
 * links. */
static uint32_t levels(const NetParams *params)
{
    return params->n_dims;
}

/* unit_nodes() returns the nodes in a unit of a level, unit_count() the units of a level. */
static uint32_t unit_nodes(const NetParams *params, uint32_t level)
{
    uint32_t nodes = 1;
    for (uint32_t i = 0; i < level; i++)
        nodes *= params->dims[params->n_dims - 1 - i];
    return nodes;
}

static uint32_t unit_count(const NetParams *params, uint32_t level)
{
    return params->nodes / unit_nodes(params, level);
}

static bool check(NetParams *params, GError **error)
{
    if (params->n_dims < 2)
        return net_error_refuse(error, "dims",
                                "give the number of clusters and of nodes in each, like 4x16 (more extents: "
                                "clusters of clusters)");
    return net_params_check_extents(params, "clusters", error);
}

/* The vertices after the nodes are one switch per cluster, then the gateways level by level. */
static uint32_t switch_of(const NetParams *params, uint32_t node)
{
    return params->nodes + node / unit_nodes(params, 1);
}

static uint32_t gateway_start(const NetParams *params, uint32_t level)
{
    uint32_t start = params->nodes + unit_count(params, 1);
    for (uint32_t i = 1; i < level; i++)
        start += unit_count(params, i);
    return start;
}

static uint32_t gateway_of(const NetParams *params, uint32_t level, uint32_t node)
{
    return gateway_start(params, level) + node / unit_nodes(params, level);
}

static uint32_t switches(const NetParams *params)
{
    return gateway_start(params, levels(params)) - params->nodes;
}

static uint64_t links(const NetParams *params)
{
    uint64_t links = UINT64_C(2) * params->nodes;
    for (uint32_t level = 1; level < levels(params); level++) {
        uint64_t siblings = params->dims[params->n_dims - 1 - level];
        uint64_t units = unit_count(params, level);
        links += 2 * units + units * (siblings - 1); /* to what is below, and between siblings */
        links -= level > 1 ? 2 * units : 0;
        links += level > 1 ? 2 * (uint64_t)unit_count(params, level - 1) : 0;
    }
    return links;
}

static void link_siblings(const NetParams *params, NetGraph *graph, uint32_t level, uint32_t unit)
{
    uint32_t siblings = params->dims[params->n_dims - 1 - level];
    uint32_t start = gateway_start(params, level);
    for (uint32_t other = unit + 1; other % siblings; other++) {
        if (level + 1 == levels(params))
            net_graph_add_global(graph, params, start + unit, start + other);
        else
            net_graph_add_both(graph, start + unit, start + other);
    }
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 0; node < params->nodes; node++)
        net_graph_add_both(graph, node, switch_of(params, node));
    for (uint32_t level = 1; level < levels(params); level++)
        for (uint32_t unit = 0; unit < unit_count(params, level); unit++) {
            uint32_t gateway = gateway_start(params, level) + unit;
            uint32_t first = unit * unit_nodes(params, level);
            if (level == 1)
                net_graph_add_both(graph, gateway, switch_of(params, first));
            for (uint32_t i = 0; level > 1 && i < params->dims[params->n_dims - level]; i++)
                net_graph_add_both(graph, gateway,
                                   gateway_of(params, level - 1, first + i * unit_nodes(params, level - 1)));
            link_siblings(params, graph, level, unit);
        }
}

/* Returns 0 for a node, 1 for a switch, and l + 1 for a gateway of level l. */
static uint32_t kind_of(const NetParams *params, uint32_t vertex, uint32_t *first)
{
    if (vertex < params->nodes) {
        *first = vertex;
        return 0;
    }
    uint32_t kind = 1;
    if (vertex >= gateway_start(params, 1))
        for (kind = 2; kind < levels(params) && vertex >= gateway_start(params, kind);)
            kind++;
    uint32_t level = MAX(kind, 2) - 1;
    uint32_t start = kind == 1 ? params->nodes : gateway_start(params, level);
    *first = (vertex - start) * unit_nodes(params, level);
    return kind;
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    uint32_t first;
    uint32_t kind = kind_of(params, vertex, &first);
    if (kind == 0)
        return g_strdup_printf("node %u", vertex);
    if (kind == 1)
        return g_strdup_printf("switch %u", first / unit_nodes(params, 1));
    if (levels(params) == 2)
        return g_strdup_printf("gateway %u", first / unit_nodes(params, 1));
    return g_strdup_printf("gateway %u.%u", kind - 1, first / unit_nodes(params, kind - 1));
}

/* Nodes are in a row. Switches and gateways are above the middle of what is below them. */
static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    uint32_t first;
    uint32_t kind = kind_of(params, vertex, &first);
    double middle = kind ? (unit_nodes(params, MAX(kind, 2) - 1) - 1) / 2.0 : 0;
    *x = first + middle + first / unit_nodes(params, 1) * 0.5;
    *y = -(double)kind * MAX(1.5, params->nodes / 16.0);
}

/* Returns the level of the smallest unit that contains both nodes. */
static uint32_t common_level(const NetParams *params, uint32_t a, uint32_t b)
{
    uint32_t level = 0;
    while (a / unit_nodes(params, level) != b / unit_nodes(params, level))
        level++;
    return level;
}

static uint32_t next_vertex(const NetParams *params, uint32_t at, uint32_t to)
{
    uint32_t first;
    uint32_t kind = kind_of(params, at, &first);
    if (kind == 0)
        return switch_of(params, at);
    uint32_t level = MAX(kind, 2) - 1; /* level of the vertex's unit */
    uint32_t common = common_level(params, first, to);
    if (common <= level) /* `to` is in the vertex's unit */
        return kind == 1 ? to : kind == 2 ? switch_of(params, to) : gateway_of(params, level - 1, to);
    if (kind == 1)
        return gateway_of(params, 1, first);
    return common == level + 1 ? gateway_of(params, level, to) : gateway_of(params, level + 1, first);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return (NetHop){.link = net_graph_link_to(graph, at, next_vertex(params, at, to))};
}

const NetTopology net_topology_clusters = {
    .name = "clusters",
    .arguments = "",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
};
