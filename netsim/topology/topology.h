/* topology.h - shapes of networks. Each is one constant struct of functions in a file of its own, with a row in
 * topologies.def. Topologies know only parameters and graphs. */
#ifndef ORRERY_NETSIM_TOPOLOGY_H
#define ORRERY_NETSIM_TOPOLOGY_H

#include "netsim/graph/graph.h"
#include "netsim/netsim.h"

typedef struct NetTopology {
    const char *name;
    const char *arguments; /* names of the dims, as in the literature; NULL: the dims are extents */
    /* Completes nodes and dims, or refuses them. */
    bool (*check)(NetParams *params, GError **error);
    uint32_t (*switches)(const NetParams *params); /* number of vertices that are not nodes; NULL: none */
    uint64_t (*links)(const NetParams *params);
    void (*build)(const NetParams *params, NetGraph *graph);
    char *(*vertex_name)(const NetParams *params, uint32_t vertex); /* NULL: all vertices have names like "node 5" */
    void (*position)(const NetParams *params, uint32_t vertex, double *x, double *y);
    /* The topology's own order of dimensions: returns the next hop of a message that is at `at` and bound for node
     * `to`. NULL: the topology has no such order. */
    NetHop (*next)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
    /* Returns the hops between the two nodes that are farthest apart, by the shortest path. NULL: found by a search. */
    uint32_t (*diameter)(const NetParams *params);
    /* Returns the classes of virtual channels that `next` needs to prevent deadlock. NULL: 1. */
    uint32_t (*classes)(const NetParams *params);
    /* Fills in the grid that the network is. NULL: it is not a grid. */
    void (*grid)(const NetParams *params, NetGrid *grid);
    /* Writes the hops that lead nearer, one along each dimension in which `at` and `to` differ, all of class 0. Returns
     * their number, at most NET_MAX_CANDIDATES. NULL: the topology has no dimensions. */
    uint32_t (*nearer)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
    /* As `next`, but `to` may also be a router. It serves routings that send packets by way of a router in between. The
     * class is 1 on links within the group of `to`, else 0. NULL: these routings use a node in between. */
    NetHop (*toward)(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
    NetDrawing drawing;
    bool is_power;      /* the number of nodes is 2 to the power of dims */
    bool own_size;      /* the topology itself sets the number of nodes */
    bool turns;         /* a grid without wrap-around, for turn models */
    bool is_tree;       /* `next` goes up by the digits of the destination, then down */
    bool one_way;       /* a link from a to b has no opposite link */
    bool node_is_hub;   /* node 0 is the switch in the middle */
    bool shared_medium; /* only one transmission at a time */
} NetTopology;

const NetTopology *net_topology_lookup(const char *name, GError **error);
/* Sets the position of vertex `index` of `count` on a circle: neighbours are one unit apart, index 0 is at the top, the
 * order is clockwise. */
void net_topology_circle_position(uint32_t index, uint32_t count, double *x, double *y);

#endif
