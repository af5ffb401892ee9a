/* valiant.c - Valiant's randomised routing: first to a random node (on a dragonfly: to a random router), then
 * to the destination, both by the topology's own order. Valiant, "A Scheme for Fast Parallel Communication", SIAM
 * Journal on Computing 11(2), 1982.
 *
 * Spreads any traffic evenly, at twice the distance. Each half has virtual channels of its own, so that waiting never
 * goes from the second back to the first. Each packet draws by itself, from network.seed, its source and its number.
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
