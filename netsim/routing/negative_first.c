/* negative_first.c - negative-first, a turn model: Glass and Ni, "The Turn Model for Adaptive Routing", ISCA 1992.
 *
 * On a mesh of any dimensions, a packet first makes all hops towards smaller coordinates, in any order, then all hops
 * towards larger ones. A turn from positive to negative never happens, so no cycle of waiting closes, with any number
 * of virtual channels. Routes are minimal.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

/* Returns whether a hop goes towards the smaller coordinate of its dimension. On a mesh it then leads to a lower
 * number. */
static bool is_negative(const Network *net, NetHop hop)
{
    return net->graph.link[hop.link].to < net->graph.link[hop.link].from;
}
static bool check(const Network *net, GError **error)
{
    return net->topology->turns ||
           net_error_refuse(error, "routing",
                            "negative-first is for meshes, not for a %s; minimal-adaptive takes tori and "
                            "hypercubes",
                            net->topology->name);
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

static uint32_t candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net->topology->nearer(&net->params, &net->graph, query->at, query->to, hops);
    uint32_t negative = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_negative(net, hops[i]))
            hops[negative++] = hops[i];
    return negative ? negative : count;
}

const NetRouting net_routing_negative_first = {
    .name = "negative-first",
    .proven = true,
    .check = check,
    .classes = classes,
    .candidates = candidates,
};
