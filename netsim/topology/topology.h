/* topology.h - shapes of networks: each is one constant struct of functions, in a file of its own, that topologies.def
 * has a row for. They know parameters and graphs only.
 */
#ifndef ORRERY_NETSIM_TOPOLOGY_H
#define ORRERY_NETSIM_TOPOLOGY_H

#include "netsim/graph/graph.h"
#include "netsim/netsim.h"

typedef struct NetTopology {
    const char *name;
    const char *arguments; /* names of dims, as in the literature; NULL: extents */
    /* Completes nodes and dims, or refuses. */
    bool (*check)(NetParams *params, GError **error);
    uint32_t (*switches)(const NetParams *params); /* vertices that are not nodes; NULL: none */
    uint64_t (*links)(const NetParams *params);
    void (*build)(const NetParams *params, NetGraph *graph);
    char *(*vertex_name)(const NetParams *params, uint32_t vertex); /* NULL: "node 5" */
    void (*position)(const NetParams *params, uint32_t vertex, double *x, double *y);
    /* The topology's own order of dimensions: next hop of a message that is at `at` and wants to node `to`. NULL: it
     * has none. */
    NetHop (*next)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
    /* Hops between the two nodes that are farthest apart, by the shortest path. NULL: to be searched for. */
    uint32_t (*diameter)(const NetParams *params);
    /* Classes of virtual channels that `next` needs against deadlock; NULL: 1. */
    uint32_t (*classes)(const NetParams *params);
    /* A grid: which. NULL: it is none. */
    void (*grid)(const NetParams *params, NetGrid *grid);
    /* Hops that lead nearer, one along each dimension in which `at` and `to` differ, of class 0; at most
     * NET_MAX_CANDIDATES. NULL: it has no dimensions. */
    uint32_t (*nearer)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
    /* As `next`, on to node or router `to`, where packets that take a way round go by way of a router: class 1 on links
     * within its group, else 0. NULL: they go by way of a node. */
    NetHop (*toward)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
    NetDrawing drawing;
    bool is_power;      /* dims is the exponent of its number of nodes, to base 2 */
    bool own_size;      /* it comes with its number of nodes */
    bool turns;         /* a grid without wrap-around, for turn models */
    bool is_tree;       /* `next` goes up by the destination's digits, then down */
    bool one_way;       /* links from a to b have none from b to a */
    bool node_is_hub;   /* node 0 is the switch in the middle */
    bool shared_medium; /* only one transmission at a time */
} NetTopology;

const NetTopology *net_topology_lookup(const char *name, GError **error);
/* On a circle with neighbours one unit apart, number 0 at the top, clockwise. */
void net_topology_circle_position(uint32_t index, uint32_t count, double *x, double *y);

#endif
