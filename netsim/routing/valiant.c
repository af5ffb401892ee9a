/* valiant.c - Valiant's randomised routing: first to a random node (on a dragonfly: to a random router), then to the
 * destination, both by the topology's own order. Valiant, "A Scheme for Fast Parallel Communication", SIAM Journal on
 * Computing 11(2), 1982.
 *
 * It spreads any traffic evenly, at twice the distance. Each half has its own virtual channels, so waiting never goes
 * from the second half back to the first. The choice for each packet depends only on network.seed, its source and its
 * number.
 */
#include "netsim/core/core.h"
#include "netsim/params/params.h"
#include "netsim/routing/two_phase.h"

static bool check(const Network *net, GError **error)
{
    return (net->topology->next && !net->topology->one_way) ||
           net_error_refuse(error, "routing",
                            "valiant needs a topology with an order of dimensions and links both ways, "
                            "which a %s is not",
                            net->topology->name);
}

const NetRouting net_routing_valiant = {
    .name = "valiant",
    .proven = true,
    .check = check,
    .classes = net_two_phase_classes,
    .next = net_two_phase_next,
    .choose_via = net_two_phase_draw,
};
