/* topology_crossbar.c - crossbar: every node has one link to a switch and one back.
 *
 * The switch never blocks inside: two messages meet only where they leave for the same node (or come from the same
 * one). Going through it costs switch_latency_ps. The switch is vertex `nodes`; its links come in the order of the
 * nodes.
 */
#include "netsim/internal.h"

static bool check(NetParams *params, GError **error)
{
    return net_check_nodes(params, "crossbar", 1, error);
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
    return vertex == params->nodes ? g_strdup("switch") : g_strdup_printf("node %u", vertex);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    *x = *y = 0;
    if (vertex < params->nodes)
        net_circle_position(vertex, MAX(params->nodes, 6), x, y);
}

static NetHop next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to)
{
    return (NetHop){.link = graph->first_out[at] + (at == params->nodes ? to : 0)};
}

static uint32_t diameter(const NetParams *params)
{
    return params->nodes > 1 ? 2 : 0;
}

const NetTopology net_topology_crossbar = {
    .name = "crossbar",
    .check = check,
    .switches = switches,
    .links = links,
    .build = build,
    .vertex_name = vertex_name,
    .position = position,
    .next = next,
    .diameter = diameter,
};
