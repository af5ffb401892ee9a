/* multistage.h - what butterfly and omega share: k^n nodes and n stages of k^(n-1) switches with k inputs and outputs.
 *
 * Wires are numbered 0 .. k^n - 1 between any two stages. Switch x of a stage has wires k x .. k x + k - 1 on both
 * sides. A permutation of the wires stands before each stage. Links run one way, from the nodes through the stages and
 * back to the nodes, so no cycle of waiting can form. At each stage a message leaves by the port that a digit of its
 * destination gives (destination tag routing: Lawrie, 1975; Dally and Towles, chapter 4).
 */
#ifndef ORRERY_NETSIM_MULTISTAGE_H
#define ORRERY_NETSIM_MULTISTAGE_H

#include "netsim/graph/graph.h"

/* Returns the wire in front of `stage` that `wire` from the previous stage (or the nodes) leads to. */
typedef uint32_t NetPermutation(const NetParams *params, uint32_t stage, uint32_t wire);

bool net_multistage_check(NetParams *params, const char *topology, GError **error);
uint32_t net_multistage_switches(const NetParams *params);
uint64_t net_multistage_links(const NetParams *params);
void net_multistage_build(const NetParams *params, NetGraph *graph, NetPermutation *permutation);
char *net_multistage_name(const NetParams *params, uint32_t vertex);
void net_multistage_position(const NetParams *params, uint32_t vertex, double *x, double *y);
NetHop net_multistage_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_multistage_diameter(const NetParams *params);

/* Fields of a NetTopology that butterfly and omega share. */
/* clang-format off */
#define NET_MULTISTAGE \
    .switches = net_multistage_switches, \
    .links = net_multistage_links, \
    .vertex_name = net_multistage_name, \
    .position = net_multistage_position, \
    .next = net_multistage_next, \
    .diameter = net_multistage_diameter, \
    .arguments = "k n", \
    .one_way = true
/* clang-format on */

#endif
