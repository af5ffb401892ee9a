/* negative_first.c - negative-first, a turn model: Glass and Ni, "The Turn Model for Adaptive Routing", ISCA
 * 1992.
 *
 * On a mesh of any dimensions: first all hops towards smaller coordinates, in any order, then all towards larger ones.
 * No turn from positive to negative ever happens, so no circle of waiting closes, with any number of virtual channels.
 * Minimal.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

/* Whether a hop goes towards the smaller coordinate in its dimension (on a mesh: to the lower number). */
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
