/* internal.h - what the files of netsim/ share. See netsim.h for the picture from outside.
 *
 * A Network is a graph (graph.c, filled by a topology_*.c), a routing function over it (routing_*.c), and a switching
 * model (model_*.c, wormhole*.c) that moves messages along routes. Each of the three is one constant struct of
 * functions, found by name through topologies.def, routings.def and models.def. network.c is the frame, which puts
 * them together; messages.c owns the event queue and the messages, runs the NIC's startup, and calls the client.
 *
 *   net_send -> [NIC: startup_ps, one message at a time] -> model->inject -> model's events -> SENT, DELIVERED ->
 * client
 */
#ifndef ORRERY_NETSIM_INTERNAL_H
#define ORRERY_NETSIM_INTERNAL_H

#include "base/pool.h"
#include "base/queue.h"
#include "netsim/netsim.h"

#include <assert.h>

#define NET_NONE           UINT32_MAX
#define NET_MODEL_COUNTERS 16
#define NET_MAX_NODES      (UINT32_C(1) << 24)
#define NET_MAX_LINKS      (UINT64_C(1) << 25)
#define NET_UNUSED_LINKS   (UINT64_C(1) << 18) /* more are not built for a model that does not use them */
#define NET_UNUSED_DEGREE  UINT64_C(64)        /* ... nor where there are so many for each vertex */
#define NET_MAX_CHANNELS   64                  /* virtual channels of a link */
#define NET_MAX_NICS       16                  /* of a node */
#define NET_MAX_LATENCY    (UINT64_C(1) << 50) /* 18 minutes: what a key may say */
#define NET_MAX_TIME       (UINT64_C(1) << 60) /* 13 days: longest serialisation */
#define NET_PS_PER_S       UINT64_C(1000000000000)

/* Order of events at the same time. */
typedef enum NetEventKind {
    NET_EVENT_SENT,      /* a: message; the last byte has left */
    NET_EVENT_DELIVERED, /* a: message */
    NET_EVENT_INJECT,    /* a: message; the NIC's startup is over */
    NET_EVENT_HOP,       /* model: something arrives at, or is ready in, a vertex */
    NET_EVENT_GRANT,     /* model: a resource is given to the next in line */
    NET_EVENT_TICK,      /* model: end of a cycle */
    NET_EVENT_TIMER,     /* transport.c: a packet has to be sent again, or arrives late */
} NetEventKind;

/* -- graph ------------------------------------------------------------------------------------- */

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

/* The other way round: links by the vertex that they lead to, link[first[v]] .. link[first[v + 1] - 1], ascending. */
typedef struct NetEntering {
    uint32_t *first, *link;
} NetEntering;
void net_entering_init(NetEntering *entering, const NetGraph *graph);
void net_entering_clear(NetEntering *entering);

/* -- the three tables -------------------------------------------------------------------------- */

/* One step of a route. Links have classes of virtual channels where a routing function needs them to stay free of
 * deadlock; class 0 is the only one elsewhere. */
typedef struct NetHop {
    uint32_t link;
    uint32_t channel_class;
    bool escape; /* adaptive routing: only where nothing else is free (Duato) */
} NetHop;

/* What a routing function knows of a packet: where it is, what brought it there, and where it is bound for. Its answer
 * depends on nothing else, so that what may wait for what can be worked out before a run (dependencies.c). */
typedef struct NetQuery {
    uint32_t from, to;
    uint32_t via;               /* vertex on the way that it has been sent to, or NET_NONE */
    uint32_t at;                /* vertex; not `to` */
    uint32_t in_link, in_class; /* NET_NONE, 0: it is still at its source */
    uint32_t nic;               /* that it leaves and enters by */
    uint64_t number;            /* random, the packet's own: of source routing (net_candidates()) */
} NetQuery;

typedef enum NetGridKind { NET_NO_GRID, NET_GRID_MESH, NET_GRID_TORUS } NetGridKind;

typedef struct NetTopology {
    const char *name;
    NetGridKind grid_kind; /* dims are extents */
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
    bool is_tree;       /* `next` goes up by the destination's digits, then down */
    bool one_way;       /* links from a to b have none from b to a */
    bool node_is_hub;   /* node 0 is the switch in the middle */
    bool shared_medium; /* only one transmission at a time */
} NetTopology;

enum { NET_MAX_CANDIDATES = 64 };

typedef struct NetRouting {
    const char *name;
    bool proven;   /* cannot deadlock where check() and classes() are obeyed: need not be analysed before a run */
    bool adaptive; /* with escape channels: a packet takes no channel in which another still stands (Duato, 1993) */
    /* Whether it can serve this topology; NULL: any. Before the graph is built. */
    bool (*check)(const Network *net, GError **error);
    /* NULL: no state. An error where it cannot serve this graph; the state may be NULL without error. */
    void *(*start)(Network *net, GError **error);
    void (*stop)(void *state);
    uint32_t (*classes)(const Network *net);
    /* Virtual channels of a class as bits, of the `channels` of a link. NULL: equal shares. */
    uint64_t (*share)(const Network *net, uint32_t channel_class, uint32_t channels);
    /* The next hop where there is only one. */
    NetHop (*next)(const Network *net, const NetQuery *query);
    /* Else all that would do, best first, at most NET_MAX_CANDIDATES; NULL: `next` is the only one. */
    uint32_t (*candidates)(const Network *net, const NetQuery *query, NetHop *hops);
    /* A vertex that the packet is sent to first, or NET_NONE; `number` is random and the packet's own. Asked once,
     * when it leaves its source. NULL: none. */
    uint32_t (*choose_via)(const Network *net, uint32_t from, uint32_t to, uint64_t number);
    /* Links have failed or work again (NetLink.failed): what was worked out about the graph no longer holds. From then
     * on `next` answers the link NET_NONE where there is no way left. NULL: it knows nothing of failures, and of what
     * it offers, hops that lead nowhere are left out (failures_routing.c). */
    void (*changed)(const Network *net);
} NetRouting;

typedef struct NetModel {
    const char *name;
    bool can_deadlock; /* if the routing lets it */
    bool stops_links;  /* ... whatever the classes of channels; only where flow-control is pause */
    /* The model that serves, this one or another one; NULL: always this one. */
    const struct NetModel *(*instead)(const Network *net);
    bool needs_links;
    bool virtual_channels; /* links have params->virtual_channels of them */
    bool shared_medium;    /* for topologies that are */
    bool broadcast;        /* inject() takes messages that have a group */
    bool observable;       /* tells net->watch what NetObserver promises */
    bool in_order;         /* see net_in_order() */
    bool (*check)(const Network *net, GError **error);
    /* The same when the links are there; NULL: nothing to check. */
    bool (*check_links)(const Network *net, GError **error);
    void *(*start)(Network *net);
    void (*stop)(void *state);
    void (*inject)(Network *net, uint32_t message); /* at net->now; from != to */
    /* The same ahead of time, at message->ready_ps; of each node in the order of these times. NULL: cannot be done. */
    void (*inject_ahead)(Network *net, uint32_t message);
    void (*event)(Network *net, const BaseEvent *event);
    uint64_t (*zero_load)(const Network *net, uint32_t from, uint32_t to,
                          uint64_t bytes); /* with startup; from != to */
    /* Asked when nothing moves any more: why, to be freed. NULL: cannot happen, or the model says so itself. */
    char *(*deadlock)(const Network *net);
    /* How much is queued for a link just now, for routings that look at it: only compared. NULL: not known. */
    uint64_t (*load)(const Network *net, uint32_t link);
    /* What it has counted, at most NET_MODEL_COUNTERS; NULL: nothing. */
    uint32_t (*counters)(const Network *net, NetCounter *counters);
    /* A link fails at net->now, marked already and with the routing that is left in force: what is on it is lost
     * (net_packet_lost()), and what stands before it has to ask the routing again, which may offer nothing. It works
     * again: NULL, nothing to be done. NULL: failures are refused. */
    void (*fail)(Network *net, uint32_t link);
    void (*restore)(Network *net, uint32_t link);
    /* Nothing is done after this time, up to which all has been: what the links have counted becomes exact. NULL: it
     * always is. */
    void (*settle)(Network *net, uint64_t time_ps);
    bool loses;             /* asks net_packet_crosses() at every link; else losses show where packets arrive */
    bool whole_messages;    /* does not cut messages into packets */
    bool fluid;             /* has nothing that could be lost */
    uint32_t packets_ahead; /* that a reliable NIC hands over before the first has left; 0: one at a time */
} NetModel;

const NetTopology *net_topology_lookup(const char *name, GError **error);
const NetRouting *net_routing_lookup(const char *name, GError **error);
const NetModel *net_model_lookup(const char *name, GError **error);

/* -- network ----------------------------------------------------------------------------------- */

typedef struct NetMessage {
    uint32_t from, to;
    uint64_t bytes, cookie;
    uint64_t ready_ps;  /* when the NIC's startup was over */
    uint64_t packets;   /* in all */
    uint64_t injected;  /* packets that have begun to leave the NIC */
    uint64_t delivered; /* packets that have arrived */
    uint32_t next;      /* in a FIFO */
    bool unreported;    /* the client need not hear that it has been sent */
    bool group;         /* it is for several nodes: net_group(); `to` is the first of them */
    uint8_t nic;        /* that it leaves and enters by */
    bool is_packet;     /* of another message: transport.c */
    bool given_up;      /* it will not be delivered */
    bool background;    /* the second client's */
} NetMessage;

typedef struct NetWatch NetWatch; /* observer.c */

/* Where a multicast goes, and what has come there. */
typedef struct NetGroup {
    uint32_t nodes;       /* different ones, ascending */
    uint32_t undelivered; /* of them */
    uint32_t *to;         /* by node */
    uint64_t *arrived;    /* by node, for the model: packets */
    uint32_t *first;      /* by node, and the end: of its cookies */
    uint64_t *cookie;
    uint32_t *missing; /* by packet, where observers want to know: nodes that it has not come to */
} NetGroup;

/* Messages in order of arrival, linked through NetMessage.next. */
typedef struct NetFifo {
    uint32_t head, tail;
} NetFifo;

typedef struct NetFailures NetFailures;
typedef struct NetTransport NetTransport;

struct Network {
    NetParams params; /* names point into the tables */
    NetClient client;
    NetClient background; /* the second */
    const NetTopology *topology;
    const NetRouting *routing;
    const NetModel *model;
    NetGraph graph;
    void *routing_state, *model_state;
    BaseQueue *queue;
    uint64_t now;
    uint64_t *nic_free; /* per NIC: when it can take up the next message */
    bool ahead;         /* model->inject_ahead() serves, rather than an event */
    NetMessage *message;
    BasePool messages;
    GHashTable *groups;      /* message -> NetGroup; looked up, never walked; NULL: there has been none */
    uint64_t full_packet_ps; /* serialisation of a full packet with its header */
    char *file, *table, *failed_links, *failed_routers; /* what params point to */
    NetWatch *watch;                                    /* NULL: nobody observes */
    NetFailures *failures;                              /* NULL: nothing fails */
    NetTransport *transport;                            /* NULL: nothing is lost or late */
    bool source_routed;   /* routing decisions are made at the source, and there are some to be made */
    bool may_deadlock;    /* it is not known that the routing prevents it */
    bool is_deadlocked;   /* and nothing moves any more */
    uint64_t deadlocks;   /* that have happened */
    char *first_deadlock; /* in words */
};

static inline NetMessage *net_message(const Network *net, uint32_t index)
{
    assert(index < net->messages.count);
    return &net->message[index];
}
/* The destinations of a message that has several (multicast.c); it will be delivered to the one with this index, ... */
NetGroup *net_group(const Network *net, uint32_t message);
void net_group_deliver(Network *net, uint32_t message, uint32_t index, uint64_t time_ps);
/* ... and is, now. */
void net_group_hand_over(Network *net, uint32_t message, uint32_t index);
/* A packet has come to one of them; only if net->watch. */
void net_group_arrived(Network *net, uint32_t message, uint64_t number);
/* The next hop, the best one where there are several. */
NetHop net_next_hop(const Network *net, const NetQuery *query);
/* The link of a NIC, where a routing function names that of the first. */
static inline NetHop net_of_nic(const Network *net, uint32_t nic, NetHop hop)
{
    if (nic && net->graph.second_nic[hop.link] != NET_NONE)
        hop.link = net->graph.second_nic[hop.link] + nic - 1;
    return hop;
}
/* The next hop where there is only one. */
static inline NetHop net_only_hop(const Network *net, const NetQuery *query)
{
    return net_of_nic(net, query->nic, net->routing->next(net, query));
}
/* All next hops that the routing offers. */
static inline uint32_t net_offered(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = 1;
    if (net->routing->candidates)
        count = net->routing->candidates(net, query, hops);
    else
        hops[0] = net->routing->next(net, query);
    for (uint32_t i = 0; query->nic && i < count; i++)
        hops[i] = net_of_nic(net, query->nic, hops[i]);
    return count;
}
/* Under source routing, which of them: at its source a packet may still take any but escape channels, on its way it
 * follows what its number says, so that all of the path is chosen as it leaves. */
uint32_t net_source_route(const Network *net, const NetQuery *query, NetHop *hops, uint32_t count);
/* All next hops that the packet may take. */
static inline uint32_t net_candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net_offered(net, query, hops);
    return G_UNLIKELY(net->source_routed) ? net_source_route(net, query, hops, count) : count;
}
/* A node's NICs, one node after the other. */
static inline uint32_t net_nic_of(const Network *net, const NetMessage *message)
{
    return message->from * net->params.nics + message->nic;
}
/* A packet at its source, and one hop on. */
NetQuery net_query_begin(const Network *net, uint32_t from, uint32_t to, uint64_t number);
static inline void net_query_advance(const Network *net, NetQuery *query, NetHop hop)
{
    assert(net->graph.link[hop.link].from == query->at);
    query->at = net->graph.link[hop.link].to;
    query->in_link = hop.link;
    query->in_class = hop.channel_class;
}
/* Whether messages pay switch_latency_ps at a vertex, rather than router_latency_ps. */
bool net_is_switch(const Network *net, uint32_t vertex);
/* Links of their own for every NIC but the first (nics.c): after the topology has added all links, and after they have
 * been sorted. Refuses more links than fit. */
bool net_nics_add_links(Network *net, GError **error);
void net_nics_find_links(Network *net);
/* A message that its NIC has taken up at time_ps, or will after those before it: the model is to be given it at its
 * ready_ps. `unreported`: the client need not hear that it has been sent. */
uint32_t net_message_make(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                          uint64_t cookie, bool unreported);
/* A place for a message, and its end. */
static inline uint32_t net_message_new(Network *net)
{
    return BASE_POOL_TAKE(&net->messages, net->message);
}
static inline void net_message_free(Network *net, uint32_t index)
{
    BASE_POOL_GIVE(&net->messages, net->message, index);
}
/* "2 us": false where it is no time with a unit. */
bool net_read_time(const char *text, uint64_t *ps);
/* Routing decision at a vertex. */
uint64_t net_vertex_latency(const Network *net, uint32_t vertex);

uint64_t net_packet_count(const NetParams *params, uint64_t bytes);
/* Bytes on the wire, header included, of packet `index` of a message. */
uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index);
/* Serialisation of a packet of `wire_bytes` at the usual bandwidth; on a link. */
static inline uint64_t net_packet_ps(const Network *net, uint64_t wire_bytes)
{
    uint64_t full = (uint64_t)net->params.packet_bytes + net->params.header_bytes;
    return wire_bytes == full ? net->full_packet_ps : net_serialise(wire_bytes, net->params.bandwidth);
}
static inline uint64_t net_link_ps(const Network *net, uint32_t link, uint64_t wire_bytes)
{
    uint64_t bandwidth = net->graph.link[link].bandwidth;
    return bandwidth == net->params.bandwidth ? net_packet_ps(net, wire_bytes) : net_serialise(wire_bytes, bandwidth);
}

void net_fifo_push(Network *net, NetFifo *fifo, uint32_t message);
uint32_t net_fifo_pop(Network *net, NetFifo *fifo);

/* A route in numbers, for closed forms (zero_load.c). */
typedef struct NetPath {
    uint64_t hops;
    uint64_t routing_ps; /* sum of the routing decisions at the vertices that messages leave */
} NetPath;
NetPath net_path(const Network *net, uint32_t from, uint32_t to);
/* Whether that is all there is to a route: links alike, one way, nothing chosen. */
bool net_closed_form(const Network *net);
/* Where there is no closed form: sends the message through a network of its own. */
uint64_t net_measure(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);
/* Serialisation of the last packet of a message. */
uint64_t net_last_packet_ps(const Network *net, uint64_t bytes);

/* -- parameters (params.c) --------------------------------------------------------------------- */

bool net_refuse(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4); /* answers false */
bool net_params_check(const NetParams *params, GError **error);
/* The text of the file that a key names, to be freed; or NULL (read_file.c). */
char *net_read_file(const char *key, const char *path, GError **error);
/* nodes from dims or the other way round, for topologies without dimensions; refuses zero nodes and a mismatch. */
bool net_check_nodes(NetParams *params, const char *topology, uint32_t least, GError **error);
/* Only that there are at least so many nodes, and not too many. */
bool net_check_count(const NetParams *params, const char *topology, uint32_t least, GError **error);
/* Extents with their product; fills two nearly equal extents where only nodes is given. */
bool net_check_extents(NetParams *params, const char *topology, GError **error);

/* -- grids: linear, ring, mesh, torus (grid.c) ------------------------------------------------- */

uint64_t net_mesh_links(const NetParams *params);
void net_mesh_build(const NetParams *params, NetGraph *graph);
NetHop net_mesh_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_mesh_diameter(const NetParams *params);
/* The same with wrap-around. */
uint64_t net_torus_links(const NetParams *params);
void net_torus_build(const NetParams *params, NetGraph *graph);
NetHop net_torus_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_torus_diameter(const NetParams *params);
char *net_grid_name(const NetParams *params, uint32_t vertex);
void net_grid_position(const NetParams *params, uint32_t vertex, double *x, double *y);
uint32_t net_grid_ring_classes(const NetParams *params);

/* Hops along each dimension in which `at` and `to` differ, lowest first, the shorter way; class 0. */
uint32_t net_grid_minimal(const Network *net, uint32_t at, uint32_t to, NetHop *hops);
/* Whether a hop goes towards the smaller coordinate in its dimension (on a mesh: to the lower number). */
static inline bool net_grid_negative(const Network *net, NetHop hop)
{
    return net->graph.link[hop.link].to < net->graph.link[hop.link].from;
}

/* -- what may wait for what (dependencies.c) --------------------------------------------------- */

/* A circle of channels that packets can wait for each other in, as text to be freed, or NULL: none. `work`: how many
 * steps it may take; what lies beyond is not looked at, and it is not `complete` then.
 * `whole_links`: the classes of a link are one channel. */
char *net_dependency_circle(const Network *net, uint64_t work, bool whole_links, bool *complete);

void net_circle_position(uint32_t index, uint32_t count, double *x, double *y);

/* With the state that shortest-path's start() made. Link NET_NONE: there is no way, since something has failed. */
NetHop net_shortest_path_next(void *state, const NetQuery *query);
/* Links have failed, or work again. */
void net_shortest_path_changed(void *state);

/* -- what observers are told (observer.c): only if net->watch ---------------------------------- */

void net_watch_free(NetWatch *watch);
void net_watch_accepted(Network *net, uint32_t message, uint64_t handed_ps);
/* A message of the model's is part of one that was accepted, from its packet `first` on. */
void net_watch_part(Network *net, uint32_t message, uint64_t label, uint64_t first);
uint64_t net_watch_label(const Network *net, uint32_t message);
void net_watch_delivered(Network *net, uint32_t message);
/* All of packet `number` of a message is there. */
void net_watch_arrived(Network *net, uint32_t message, uint64_t number, uint64_t time_ps);
/* Completes and tells a passage of a packet of `message`. `place` is what only one message can have at a time: who had
 * it before is whom this one has waited behind. */
void net_watch_passed(Network *net, uint32_t message, uint32_t place, const NetPassage *passage);
/* See NetObserver.queued(). */
void net_watch_waits(Network *net, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps);
/* A packet waits for a link, from and until times that are known. */
void net_watch_waited(Network *net, uint32_t link, uint64_t from_ps, uint64_t to_ps);
/* It begins to wait, or ceases to, at each of the links that the routing offers. */
void net_watch_queued(Network *net, const NetQuery *query, uint64_t time_ps, int change);
/* Packets of one message on different links: a packet has taken `link`, as its hop number `hop`, ... */
void net_watch_under_way(Network *net, uint32_t link, uint32_t message, uint64_t number, uint32_t hop);
/* ... and the first of the message's there has come to its end: which it was. */
void net_watch_come(Network *net, uint32_t link, uint32_t message, uint64_t *number, uint32_t *hop);
/* Wormhole switching. Packets are numbered as in NetPackets; `number` counts those of the message, at its first hop. */
typedef struct NetGrant {
    uint32_t packet, message;
    uint32_t channel; /* link * virtual channels + virtual channel */
    bool first;       /* it leaves its NIC: as packet ... */
    uint64_t number;  /* ... of the message */
    uint64_t asked_ps, got_ps;
} NetGrant;
void net_watch_granted(Network *net, const NetGrant *grant);
/* Its tail has been sent; busy_ps 0: it has been taken out of the network. */
void net_watch_released(Network *net, uint32_t packet, uint32_t message, uint32_t channel, uint64_t wire_bytes,
                        uint64_t busy_ps, uint64_t header_ps, uint64_t left_ps);
/* Its tail has been taken out. */
void net_watch_ejected(Network *net, uint32_t packet, uint32_t message, uint64_t time_ps);

/* -- hubs: bus, crossbar (hub.c): a vertex behind the nodes that each of them is linked to ----- */

uint32_t net_hub_switches(const NetParams *params);
uint64_t net_hub_links(const NetParams *params);
void net_hub_build(const NetParams *params, NetGraph *graph);
NetHop net_hub_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_hub_diameter(const NetParams *params);
/* A frame of a message on the medium, at the taps of its sender, which has waited for it, and its receivers. */
void net_hub_count_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps, uint64_t waited_ps);
/* The message has come to the ends of the medium. */
void net_hub_deliver(Network *net, uint32_t message, uint64_t time_ps);

/* Tells observers of the same frame, which message `message` has asked for at asked_ps. */
void net_hub_tell_frame(Network *net, uint32_t message, uint64_t wire_bytes, uint64_t duration_ps, uint64_t asked_ps,
                        uint64_t got_ps);
/* The link from a node to the medium. */
uint32_t net_hub_tap(const Network *net, uint32_t node);

/* -- packets hop by hop: store-and-forward and cut-through (packet_switching.c) ---------------- */

typedef struct NetPacketSwitching NetPacketSwitching;
void *net_packet_switching_new(Network *net, bool cut_through);
void net_packet_switching_free(void *state);
void net_packet_switching_inject(Network *net, uint32_t message);
void net_packet_switching_event(Network *net, const BaseEvent *event);
uint64_t net_packet_switching_load(const Network *net, uint32_t link);
void net_packet_switching_fail(Network *net, uint32_t link);

#define NET_TOPOLOGY(symbol, name, text) extern const NetTopology net_topology_##symbol;
#include "netsim/topologies.def"
#undef NET_TOPOLOGY
#define NET_ROUTING(symbol, name, text) extern const NetRouting net_routing_##symbol;
#include "netsim/routings.def"
#undef NET_ROUTING
#define NET_MODEL(symbol, name, text) extern const NetModel net_model_##symbol;
#include "netsim/models.def"
#undef NET_MODEL

#endif
