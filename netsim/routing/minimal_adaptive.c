/* minimal_adaptive.c - minimal fully adaptive routing with escape channels: Duato, "A New Theory of Deadlock-Free
 * Adaptive Routing in Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 4(12), 1993.
 *
 * It serves meshes, tori and hypercubes. A packet may take any hop that brings it nearer, on the adaptive channels. If
 * none is free, it takes the hop of dimension order on the escape channels. There is one escape channel for each class
 * of dimension order. A blocked header waits for all of these, so it can always take the escape channel when that is
 * free. Dimension order cannot deadlock, so neither can this routing. It needs one virtual channel more than dimension
 * order; further channels make it faster.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

static bool check(const Network *net, GError **error)
{
    return net->topology->nearer ||
           net_error_refuse(error, "routing", "minimal-adaptive is for meshes, tori and hypercubes, not for a %s",
                            net->topology->name);
}

static uint32_t escapes(const Network *net)
{
    return net->topology->classes ? net->topology->classes(&net->params) : 1;
}

static uint32_t classes(const Network *net)
{
    return escapes(net) + 1;
}

/* Gives one channel to each class of escape channels, and the rest to the adaptive class, which is the last. */
static uint64_t share(const Network *net, uint32_t channel_class, uint32_t channels)
{
    uint64_t all = channels == 64 ? UINT64_MAX : (UINT64_C(1) << channels) - 1;
    uint64_t one = UINT64_C(1) << channel_class;
    return channel_class < escapes(net) ? one : all & ~(one - 1);
}

static uint32_t candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net->topology->nearer(&net->params, &net->graph, query->at, query->to, hops);
    for (uint32_t i = 0; i < count; i++)
        hops[i].channel_class = escapes(net);
    hops[count] = net->topology->next(&net->params, &net->graph, query->at, query->to);
    hops[count].escape = true;
    return count + 1;
}

const NetRouting net_routing_minimal_adaptive = {
    .name = "minimal-adaptive",
    .adaptive = true,
    .proven = true,
    .check = check,
    .classes = classes,
    .share = share,
    .candidates = candidates,
};
