/* ugal.c - UGAL on dragonflies: universal globally-adaptive load-balanced routing (Singh, 2005), in the local form of
 * Kim, Dally, Scott and Abts, ISCA 2008 (UGAL-L).
 *
 * When a packet leaves its source, its router compares the minimal route with one by way of a random router. For each
 * it multiplies what is queued for the first link by the number of hops. The lesser product wins, and ties go to the
 * minimal route. From there on this is Valiant's routing, with the same classes of virtual channels.
 */
#include "netsim/core/core.h"
#include "netsim/params/params.h"
#include "netsim/routing/two_phase.h"

static bool check(const Network *net, GError **error)
{
    return net->topology->toward ||
           net_error_refuse(error, "routing", "ugal is for dragonflies, not for a %s; valiant takes others",
                            net->topology->name);
}

/* Returns the product for the route from the source's router to `to`, by way of `via` unless that is NET_NONE. */
static uint64_t weight(const Network *net, uint32_t router, uint32_t via, uint32_t to)
{
    uint32_t targets[2] = {via == NET_NONE ? to : via, to};
    uint64_t hops = 0;
    uint64_t queued = 0;
    uint32_t at = router;
    for (int i = via == NET_NONE; i < 2; i++)
        for (; at != targets[i]; hops++) {
            uint32_t link = net->topology->toward(&net->params, &net->graph, at, targets[i]).link;
            if (hops == 0)
                queued = net->model->load ? net->model->load(net, link) : 0;
            at = net->graph.link[link].to;
        }
    return hops * queued;
}

static uint32_t choose_via(const Network *net, uint32_t from, uint32_t to, uint64_t number)
{
    uint32_t via = net_two_phase_draw(net, from, to, number);
    uint32_t router = net->graph.link[net->graph.first_out[from]].to;
    if (via == NET_NONE || !net->model_state) /* no `via`, or the run has not begun */
        return NET_NONE;
    return weight(net, router, NET_NONE, to) <= weight(net, router, via, to) ? NET_NONE : via;
}

const NetRouting net_routing_ugal = {
    .name = "ugal",
    .proven = true,
    .check = check,
    .classes = net_two_phase_classes,
    .next = net_two_phase_next,
    .choose_via = choose_via,
};
