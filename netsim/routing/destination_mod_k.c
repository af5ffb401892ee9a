/* destination_mod_k.c - destination-mod-k on fat trees. A route goes up until the destination is below, choosing
 * parents by the digits of the destination, and then down (Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for
 * Shift Permutations on Real Life Fat Trees", 2010). It never turns up again, so it cannot deadlock. */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

static bool check(const Network *net, GError **error)
{
    return net->topology->is_tree ||
           net_error_refuse(error, "routing", "destination-mod-k is for fat-tree and xgft, not for a %s",
                            net->topology->name);
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

static NetHop next(const Network *net, const NetQuery *query)
{
    return net->topology->next(&net->params, &net->graph, query->at, query->to);
}

const NetRouting net_routing_destination_mod_k = {
    .name = "destination-mod-k",
    .proven = true,
    .check = check,
    .classes = classes,
    .next = next,
};
