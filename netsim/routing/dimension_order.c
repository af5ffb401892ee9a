/* dimension_order.c - dimension order (e-cube): each topology's own fixed order, which cannot deadlock.
 *
 * Grids correct coordinate 0 first, hypercubes the lowest bit. Tori change the class of virtual channels at the
 * wrap-around (grid.c). Fat trees go up, then down. If there is only one path (linear, crossbar, bus, star, full), it
 * is that path.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

static uint32_t classes(const Network *net)
{
    return net->topology->classes ? net->topology->classes(&net->params) : 1;
}

static bool check(const Network *net, GError **error)
{
    return net->topology->next ||
           net_error_refuse(error, "routing", "a %s has no order of dimensions; use shortest-path or up-down",
                            net->topology->name);
}

static NetHop next(const Network *net, const NetQuery *query)
{
    return net->topology->next(&net->params, &net->graph, query->at, query->to);
}

const NetRouting net_routing_dimension_order = {
    .name = "dimension-order",
    .shortest = true,
    .proven = true,
    .by_place = true,
    .check = check,
    .classes = classes,
    .next = next,
};
