/* bus.c - bus: all nodes on one shared medium.
 *
 * The medium is vertex `nodes`. Each node has a tap into it and one out of it, so the bytes of a message are counted at
 * the taps of its sender and its receiver. The switching model ensures that only one message at a time is under way.
 * Only the models of a shared medium and loggp serve this topology.
 */
#include "netsim/params/params.h"
#include "netsim/topology/centre.h"
#include "netsim/topology/topology.h"

static bool check(NetParams *params, GError **error)
{
    return net_params_check_nodes(params, "bus", 1, error);
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

const NetTopology net_topology_bus = {
    .name = "bus",
    .check = check,
    NET_CENTRE,
    .vertex_name = vertex_name,
    .position = position,
    .shared_medium = true,
    .drawing = NET_DRAWING_BUS,
};
