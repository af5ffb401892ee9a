/* two_phase.c - routes by way of a vertex in between.
 *
 * The first phase has the lower half of the classes of virtual channels, the second phase the upper half. The class by
 * which a packet came shows its phase. The second phase begins at the vertex in between.
 *
 * On a dragonfly the vertex in between is a router. A packet takes local links in up to three groups, and global links
 * twice. The class rises with each global hop, so waiting follows local 0, global 0, local 1, global 1, local 2.
 */
#include "netsim/routing/two_phase.h"

#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/topology.h"

static uint32_t classes_of_phase(const Network *net)
{
    return net->topology->classes ? net->topology->classes(&net->params) : 1;
}

uint32_t net_two_phase_classes(const Network *net)
{
    return 2 * classes_of_phase(net);
}

/* Returns whether the packet is in its second phase: it is at `via`, or a class of the second phase brought it. */
static bool is_second(const Network *net, const NetQuery *query)
{
    bool arrived = query->at == query->via;
    return query->via == NET_NONE || arrived ||
           (query->in_link != NET_NONE && query->in_class >= classes_of_phase(net));
}

NetHop net_two_phase_next(const Network *net, const NetQuery *query)
{
    bool second = is_second(net, query);
    uint32_t target = second ? query->to : query->via;
    const NetTopology *topology = net->topology;
    NetHop hop = (topology->toward ? topology->toward : topology->next)(&net->params, &net->graph, query->at, target);
    hop.channel_class = MIN(hop.channel_class, classes_of_phase(net) - 1);
    hop.channel_class += second ? classes_of_phase(net) : 0;
    return hop;
}

void net_two_phase_range(const Network *net, uint32_t *first, uint32_t *end)
{
    *first = net->topology->toward ? net->params.nodes : 0;
    *end = net->topology->toward ? net->graph.vertices : net->params.nodes;
}

uint32_t net_two_phase_draw(const Network *net, uint32_t from, uint32_t to, uint64_t number)
{
    uint32_t first, end;
    net_two_phase_range(net, &first, &end);
    uint32_t via = first + (uint32_t)((number >> 32) * (end - first) >> 32);
    return via == from || via == to ? NET_NONE : via;
}
