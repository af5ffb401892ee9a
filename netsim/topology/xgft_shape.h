/* xgft_shape.h - extended generalised fat trees: XGFT(h; m1, .. mh; w1, .. wh) of Oehring, Ibel, Das and Kumar, "On
 * Generalized Fat Trees", IPPS 1995. The topology xgft takes all of these parameters, fat-tree only the m.
 *
 * Level 0 holds the nodes, levels 1 .. h switches. A vertex of level i has m_i children and w_(i+1) parents. Level i
 * has m_h .. m_(i+1) w_i .. w_1 vertices, numbered by these digits, the first digit fastest. A vertex and a parent of
 * it agree in all digits but digit i + 1: the child's is less than m_(i+1), the parent's less than w_(i+1).
 *
 *   XGFT(2; 2,2; 1,2)     1.0 [0,0]  1.1 [0,1]      level 2: digits w2 w1
 *                          |      \ /      |
 *                          |      / \      |
 *                         0.0 [0]     0.1 [1]       level 1: digits m2 w1 (the only w1 is 0)
 *                          / \         / \
 *                         00 01       10 11         nodes: digits m2 m1
 *
 * The links of a vertex are in this order: first down by the child's digit, then up by the parent's. A route climbs
 * until the destination is below, choosing parents by the destination (floor(d / (w1 .. wi)) mod w_(i+1),
 * destination-mod-k), then goes down. It never turns up again, so it cannot deadlock.
 */
#ifndef ORRERY_NETSIM_XGFT_H
#define ORRERY_NETSIM_XGFT_H

#include "netsim/graph/graph.h"

struct NetXgft {
    uint32_t height;
    uint32_t children[NET_MAX_DIMENSIONS + 1]; /* m, by level, from 1 */
    uint32_t parents[NET_MAX_DIMENSIONS + 1];  /* w, by the level of the parents, from 1 */
    uint64_t count[NET_MAX_DIMENSIONS + 1]; /* number of vertices by level, from 0; more than NET_MAX_NODES: too many */
};

/* Returns a copy of `tree` on the heap, for NetParams.tree, with `count` filled in. The other fields must be set and
 * not 0. The caller frees it with g_free(). */
NetXgft *net_xgft_new(NetXgft tree);

/* Functions of a NetTopology whose check() has made params->tree. They take O(h); building takes O(h) for each link. */
uint32_t net_xgft_switches(const NetParams *params);
uint64_t net_xgft_links(const NetParams *params);
void net_xgft_build(const NetParams *params, NetGraph *graph);
char *net_xgft_name(const NetParams *params, uint32_t vertex);
void net_xgft_position(const NetParams *params, uint32_t vertex, double *x, double *y);
NetHop net_xgft_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_xgft_diameter(const NetParams *params);

/* The functions above as fields of a NetTopology. */
/* clang-format off */
#define NET_XGFT \
    .switches = net_xgft_switches, \
    .links = net_xgft_links, \
    .build = net_xgft_build, \
    .vertex_name = net_xgft_name, \
    .position = net_xgft_position, \
    .next = net_xgft_next, \
    .diameter = net_xgft_diameter, \
    .is_tree = true
/* clang-format on */

#endif
