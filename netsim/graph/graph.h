/* graph.h - vertices and links: what a topology makes, routings look at and models move messages on. */
#ifndef ORRERY_NETSIM_GRAPH_H
#define ORRERY_NETSIM_GRAPH_H

#include "netsim/netsim.h"

#include <assert.h>

/* Directed links sorted by the vertex they leave, in the order in which the topology made them. */
typedef struct NetGraph {
    uint32_t vertices, links;
    NetLink *link;
    uint32_t *first_out;  /* vertices + 1: the links that leave v are first_out[v] .. first_out[v + 1] - 1 */
    uint32_t capacity;    /* while building */
    NetLink usual;        /* what net_graph_add() makes: bandwidth, latency, duplex */
    bool uniform;         /* all links are like that one, and full duplex */
    uint32_t *second_nic; /* nodes with several NICs: by link, the one that the second NIC has instead, the others'
                           * following; NET_NONE: all use this link */
} NetGraph;

void net_graph_init(NetGraph *graph, const NetParams *params, uint32_t vertices, uint32_t links);
void net_graph_add(NetGraph *graph, uint32_t from, uint32_t to);
/* With a bandwidth and a latency of its own. */
void net_graph_add_link(NetGraph *graph, uint32_t from, uint32_t to, uint64_t bandwidth, uint64_t latency_ps,
                        bool half);
/* Both directions of a link between groups or clusters: params->global_bandwidth and global_latency_ps. */
void net_graph_add_global(NetGraph *graph, const NetParams *params, uint32_t a, uint32_t b);
void net_graph_add_both(NetGraph *graph, uint32_t a, uint32_t b);
void net_graph_finish(NetGraph *graph);
void net_graph_clear(NetGraph *graph);
/* The first link from -> to, or NET_NONE. Linear in the degree of `from`. */
uint32_t net_graph_find(const NetGraph *graph, uint32_t from, uint32_t to);
/* The same, where there is one. */
static inline uint32_t net_graph_link_to(const NetGraph *graph, uint32_t from, uint32_t to)
{
    uint32_t link = net_graph_find(graph, from, to);
    assert(link < graph->links);
    return link;
}

/* The other way round: links by the vertex that they lead to, link[first[v]] .. link[first[v + 1] - 1], ascending. */
typedef struct NetEntering {
    uint32_t *first, *link;
} NetEntering;
void net_graph_entering_init(NetEntering *entering, const NetGraph *graph);
void net_graph_entering_clear(NetEntering *entering);

/* One step of a route. Links have classes of virtual channels where a routing function needs them to stay free of
 * deadlock; class 0 is the only one elsewhere. */
typedef struct NetHop {
    uint32_t link;
    uint32_t channel_class;
    bool escape; /* adaptive routing: only where nothing else is free (Duato) */
} NetHop;

#endif
