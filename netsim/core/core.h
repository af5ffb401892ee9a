/* core.h - a network from inside: what routings and switching models are, messages on their way, and the network
 * itself.
 *
 * A Network is a graph (graph/, filled by a topology), a routing (routing/) and a switching model (model/, wormhole/,
 * ethernet/, flow/) that moves messages along routes. Each of the three is one constant struct of functions, found by
 * name through topologies.def, routings.def and models.def. Above the rooms, network.c puts them together, send.c takes
 * messages in and runs the NIC's startup, time_step.c takes events from the queue and calls the client.
 *
 *   net_send -> [NIC: startup_ps, one message at a time] -> model->inject -> model's events -> SENT, DELIVERED ->
 * client
 */
#ifndef ORRERY_NETSIM_CORE_H
#define ORRERY_NETSIM_CORE_H

#include "base/pool.h"
#include "base/queue.h"
#include "netsim/netsim.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

enum { NET_MODEL_COUNTERS = 16 };
#define NET_MEASURE UINT64_MAX /* answer of NetModel.zero_load: there is no closed form, it is to be measured */

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

/* -- routings and models ----------------------------------------------------------------------- */

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

enum { NET_MAX_CANDIDATES = 64 };

typedef struct NetRouting {
    const char *name;
    bool shortest; /* paths are as short as any, where the topology's own order is */
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
     * it offers, hops that lead nowhere are left out (damage.c). */
    void (*changed)(const Network *net);
} NetRouting;

typedef struct NetModel {
    const char *name;
    bool can_deadlock; /* if the routing lets it */
    bool stops_links;  /* ... whatever the classes of channels; only where flow-control is pause */
    /* The model that serves, this one or another one; NULL: always this one. */
    const struct NetModel *(*instead)(const Network *net);
    bool needs_links;
    bool any_size;         /* as many nodes as there are users, unless parameters say how many */
    bool virtual_channels; /* links have params->wormhole.virtual_channels of them */
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
                          uint64_t bytes); /* with startup; from != to; NET_MEASURE */
    /* Asked when nothing moves any more: why, to be freed. NULL: cannot happen, or the model says so itself. */
    char *(*deadlock)(const Network *net);
    /* How much is queued for a link just now, for routings that look at it: only compared. NULL: not known. */
    uint64_t (*load)(const Network *net, uint32_t link);
    /* What it has counted, at most NET_MODEL_COUNTERS; NULL: nothing. */
    uint32_t (*counters)(const Network *net, NetCounter *counters);
    /* A link fails at net->now, marked already and with the routing that is left in force: what is on it is lost
     * (net_transport_lost()), and what stands before it has to ask the routing again, which may offer nothing. It works
     * again: NULL, nothing to be done. NULL: failures are refused. */
    void (*fail)(Network *net, uint32_t link);
    void (*restore)(Network *net, uint32_t link);
    /* Nothing is done after this time, up to which all has been: what the links have counted becomes exact. NULL: it
     * always is. */
    void (*settle)(Network *net, uint64_t time_ps);
    bool loses;             /* asks net_chance_crosses() at every link; else losses show where packets arrive */
    bool whole_messages;    /* does not cut messages into packets */
    bool fluid;             /* has nothing that could be lost */
    uint32_t packets_ahead; /* that a reliable NIC hands over before the first has left; 0: one at a time */
} NetModel;

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
    bool group;         /* it is for several nodes (delivery/groups.c); `to` is the first of them */
    uint8_t nic;        /* that it leaves and enters by */
    bool is_packet;     /* of another message: transport.c */
    bool given_up;      /* it will not be delivered */
    bool background;    /* the second client's */
} NetMessage;

typedef struct NetWatch NetWatch; /* delivery/watch.c */

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
/* The next hop, the best one where there are several. */
NetHop net_route_next_hop(const Network *net, const NetQuery *query);
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
NetQuery net_route_begin(const Network *net, uint32_t from, uint32_t to, uint64_t number);
static inline void net_route_advance(const Network *net, NetQuery *query, NetHop hop)
{
    assert(net->graph.link[hop.link].from == query->at);
    query->at = net->graph.link[hop.link].to;
    query->in_link = hop.link;
    query->in_class = hop.channel_class;
}
/* Whether messages pay switch_latency_ps at a vertex, rather than router_latency_ps. */
bool net_vertex_is_switch(const Network *net, uint32_t vertex);
/* Links of their own for every NIC but the first (nics.c): after the topology has added all links, and after they have
 * been sorted. Refuses more links than fit. */
bool net_nics_add_links(Network *net, GError **error);
void net_nics_find_links(Network *net);
/* A place for a message, and its end. */
static inline uint32_t net_message_new(Network *net)
{
    return BASE_POOL_TAKE(&net->messages, net->message);
}
static inline void net_message_free(Network *net, uint32_t index)
{
    BASE_POOL_GIVE(&net->messages, net->message, index);
}
/* Routing decision at a vertex. */
uint64_t net_vertex_latency(const Network *net, uint32_t vertex);

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

/* -- closed forms (path.c) --------------------------------------------------------------------- */

/* A route in numbers, for closed forms (zero_load.c). */
typedef struct NetPath {
    uint64_t hops;
    uint64_t routing_ps; /* sum of the routing decisions at the vertices that messages leave */
} NetPath;
NetPath net_path(const Network *net, uint32_t from, uint32_t to);
/* Whether that is all there is to a route: links alike, one way, nothing chosen. */
bool net_path_is_closed_form(const Network *net);
/* Serialisation of the last packet of a message. */
uint64_t net_path_last_packet_ps(const Network *net, uint64_t bytes);

#endif
