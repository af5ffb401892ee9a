/* crossbar.c - crossbar: every node has one link to a switch and one back.
 *
 * The switch never blocks inside. Two messages meet only if they leave for the same node or come from the same one.
 * Passing the switch costs switch_latency_ps. The switch is vertex `nodes`, and its links are in the order of the
 * nodes.
 */
#include "netsim/params/params.h"
#include "netsim/topology/centre.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "crossbar", 1, error);
}

static char *vertex_name(const NetParams *params, uint32_t vertex)
{
    return vertex == params->nodes ? g_strdup("switch") : g_strdup_printf("node %u", vertex);
}

static void position(const NetParams *params, uint32_t vertex, double *x, double *y)
{
    *x = *y = 0;
    if (vertex < params->nodes)
        net_topology_circle_position(vertex, MAX(params->nodes, 6), x, y);
}

const NetTopology net_topology_crossbar = {
    .name = "crossbar",
    .check = check,
    NET_CENTRE,
    .vertex_name = vertex_name,
    .position = position,
    .drawing = NET_DRAWING_CROSSBAR,
};
