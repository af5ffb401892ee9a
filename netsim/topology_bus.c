/* topology_bus.c - bus: all nodes on one shared medium.
 *
 * The medium is vertex `nodes`; each node has a tap into it and one out of it, so that the bytes of a message are
 * counted at its sender's and its receiver's tap. That only one message at a time is under way is the business of the
 * switching model `bus`, the only one besides loggp that goes with this topology.
 */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "bus", 1, error);
}

static uint32_t switches(const NetParams *params)
{
    (void)params;
    return 1;
}

static uint64_t links(const NetParams *params)
{
    return UINT64_C(2) * params->nodes;
}

static void build(const NetParams *params, NetGraph *graph)
{
    for (uint32_t node = 0; node < params->nodes; node++)
        net_graph_add_both(graph, node, params->nodes);
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    return vertex == params->nodes ? g_strdup("bus") : g_strdup_printf("node %u", vertex);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    bool medium = vertex == params->nodes;
    *x = medium ? (params->nodes - 1) / 2.0 : vertex;
    *y = medium ? MAX(1.0, params->nodes / 6.0) : 0;
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return (NetHop){.link = graph->first_out[at] + (at == params->nodes ? to : 0)};
}

static uint32_t diameter(const NetParams *params)
{
    return params->nodes > 1 ? 2 : 0;
}

const NetTopology net_topology_bus = {
    .name = "bus",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
    .diameter = diameter,
    .shared_medium = true,
};
