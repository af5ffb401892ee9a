/* centre.h - a vertex in the middle to which all nodes are linked: what bus and crossbar share (centre.c). */
#ifndef ORRERY_NETSIM_TOPOLOGY_CENTRE_H
#define ORRERY_NETSIM_TOPOLOGY_CENTRE_H

#include "netsim/graph/graph.h"

uint32_t net_centre_switches(const NetParams *params);
uint64_t net_centre_links(const NetParams *params);
void net_centre_build(const NetParams *params, NetGraph *graph);
NetHop net_centre_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_centre_diameter(const NetParams *params);

/* The functions above as fields of a NetTopology. */
/* clang-format off */
#define NET_CENTRE \
    .switches = net_centre_switches, \
    .links = net_centre_links, \
    .build = net_centre_build, \
    .next = net_centre_next, \
    .diameter = net_centre_diameter
/* clang-format on */

#endif
