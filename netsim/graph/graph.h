/* graph.h - vertices and links. A topology makes them, routings look at them, and models move messages on them. */
#ifndef ORRERY_NETSIM_GRAPH_H
#define ORRERY_NETSIM_GRAPH_H

#include "netsim/netsim.h"

#include <assert.h>

/* Directed links, sorted by the vertex that they leave, then by the order in which the topology made them. */
typedef struct NetGraph {
    uint32_t vertices, links;
    NetLink *link;
    uint32_t *first_out; /* vertices + 1 entries: the links that leave v are first_out[v] .. first_out[v + 1] - 1 */
    uint32_t capacity;   /* size of `link` while the graph is being built */
    NetLink usual;       /* the link that net_graph_add() makes: bandwidth, latency, duplex */
    bool uniform;        /* all links are like `usual`, and full duplex */
    /* For nodes with several NICs, by link: the second NIC's own link instead of this one. Those of the further NICs
     * follow it. NET_NONE: all NICs use this link. */
    uint32_t *second_nic;
} NetGraph;

void net_graph_init(NetGraph *graph, const NetParams *params, uint32_t vertices, uint32_t links);
void net_graph_add(NetGraph *graph, uint32_t from, uint32_t to);
/* Adds a link with its own bandwidth and latency. */
void net_graph_add_link(NetGraph *graph, uint32_t from, uint32_t to, uint64_t bandwidth, uint64_t latency_ps,
                        bool half);
/* Adds both directions of a link between groups or clusters, with params->global_bandwidth and global_latency_ps. */
void net_graph_add_global(NetGraph *graph, const NetParams *params, uint32_t a, uint32_t b);
void net_graph_add_both(NetGraph *graph, uint32_t a, uint32_t b);
void net_graph_finish(NetGraph *graph);
void net_graph_clear(NetGraph *graph);
/* Returns the first link from -> to, or NET_NONE. Linear in the degree of `from`. */
uint32_t net_graph_find(const NetGraph *graph, uint32_t from, uint32_t to);
/* Returns the first link from -> to, which must exist. */
static inline uint32_t net_graph_link_to(const NetGraph *graph, uint32_t from, uint32_t to)
{
    uint32_t link = net_graph_find(graph, from, to);
    assert(link < graph->links);
    return link;
}

/* Links sorted by the vertex that they lead to: link[first[v]] .. link[first[v + 1] - 1], ascending. */
typedef struct NetEntering {
    uint32_t *first, *link;
} NetEntering;
void net_graph_entering_init(NetEntering *entering, const NetGraph *graph);
void net_graph_entering_clear(NetEntering *entering);

/* One step of a route. If a routing function needs it to prevent deadlock, the virtual channels of a link are divided
 * into classes. Otherwise there is only class 0. */
typedef struct NetHop {
    uint32_t link;
    uint32_t channel_class;
    bool escape; /* adaptive routing: to be used only if nothing else is free (Duato) */
} NetHop;

#endif
