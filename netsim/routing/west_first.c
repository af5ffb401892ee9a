/* west_first.c - west-first, a turn model: Glass and Ni, "The Turn Model for Adaptive Routing", ISCA 1992.
 *
 * It serves meshes of up to two dimensions. The last coordinate runs from west to east. A packet that has to go west
 * does only that at first. Afterwards it may go east, north and south in any order. The two turns into west never
 * happen, so no cycle of waiting closes, with any number of virtual channels. Routes are minimal.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

static bool check(const Network *net, GError **error)
{
    return (net->topology->turns && net->params.n_dims <= 2) ||
           net_error_refuse(error, "routing",
                            "west-first is for a mesh of one or two dimensions; negative-first takes more, "
                            "minimal-adaptive also tori");
}

static uint32_t classes(const Network *net)
{
    (void)net;
    return 1;
}

static uint32_t candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t width = net->params.dims[net->params.n_dims - 1];
    uint32_t count = net->topology->nearer(&net->params, &net->graph, query->at, query->to, hops);
    if (query->to % width < query->at % width) { /* `hops` is ordered by dimension, so the west hop is the last */
        hops[0] = hops[count - 1];
        count = 1;
    }
    return count;
}

const NetRouting net_routing_west_first = {
    .name = "west-first",
    .proven = true,
    .check = check,
    .classes = classes,
    .candidates = candidates,
};
