/* core.h - a network from inside: what routings and switching models are, the messages on their way, and the network
 * itself.
 *
 * A Network is a graph (graph/, filled by a topology), a routing (routing/) and a switching model (model/, wormhole/,
 * ethernet/, flow/) that moves messages along routes. Each of the three is one constant struct of functions, found by
 * name through topologies.def, routings.def and models.def. The files directly in netsim/ stand above these folders:
 * network.c puts the parts together, send.c takes messages in and runs the NIC's startup, time_step.c takes events from
 * the queue and calls the client.
 *
 *   net_send -> [NIC: startup_ps, one message at a time] -> model->inject -> model's events -> SENT, DELIVERED
 *            -> client
 */
#ifndef ORRERY_NETSIM_CORE_H
#define ORRERY_NETSIM_CORE_H

#include "base/pool.h"
#include "base/queue.h"
#include "netsim/netsim.h"
#include "netsim/params/params.h"
#include "netsim/topology/topology.h"

enum { NET_MODEL_COUNTERS = 16 };
/* NetModel.zero_load returns this where there is no closed form and the time has to be measured */
#define NET_MEASURE UINT64_MAX

/* Kinds of events. Events at the same time are processed in this order. */
typedef enum NetEventKind {
    NET_EVENT_SENT,      /* a: message; its last byte has left the source */
    NET_EVENT_DELIVERED, /* a: message; its last byte has arrived */
    NET_EVENT_INJECT,    /* a: message; the NIC's startup is over */
    NET_EVENT_HOP,       /* for the model: something arrives at a vertex, or is ready there */
    NET_EVENT_AT_ONCE,   /* a: message; as DELIVERED, of a message that is delivered as it arrives */
    NET_EVENT_GRANT,     /* for the model: a resource is given to the next in line */
    NET_EVENT_TICK,      /* for the model: a cycle ends */
    NET_EVENT_TIMER,     /* for transport.c: a packet has to be sent again, or arrives late */
} NetEventKind;

/* -- routings and models ----------------------------------------------------------------------- */

/* What a routing function knows of a packet: where it is, how it came there, and where it is bound for. The function's
 * answer depends on nothing else. Therefore dependencies.c can compute before a run which channels may wait for which.
 */
typedef struct NetQuery {
    uint32_t from, to;
    uint32_t via;               /* vertex that the packet is sent to first, or NET_NONE */
    uint32_t at;                /* the vertex where the packet is; never `to` */
    uint32_t in_link, in_class; /* link and class that it came by; NET_NONE and 0: it is still at its source */
    uint32_t nic;               /* index of the NIC by which the packet leaves and enters */
    uint64_t number;            /* random number of this packet, for source routing (net_candidates()) */
} NetQuery;

enum { NET_MAX_CANDIDATES = 64 };

/* A routing: its functions and what is known about it. */
typedef struct NetRouting {
    const char *name;
    bool shortest; /* paths are as short as possible, if the topology's own order of dimensions is */
    /* It cannot deadlock where check() and classes() are obeyed, so it need not be analysed before a run. */
    bool proven;
    /* The next hop depends only on where the packet is and where it goes. */
    bool by_place;
    /* It has escape channels: a packet takes no channel in which another one still stands (Duato, 1993). */
    bool adaptive;
    /* Returns whether the routing can serve this topology. Called before the graph is built. NULL: it serves any
     * topology. */
    bool (*check)(const Network *net, GError **error);
    /* Computes the state. Sets an error if the routing cannot serve this graph. Without an error the state may be NULL.
     * NULL: there is no state. */
    void *(*start)(Network *net, GError **error);
    void (*stop)(void *state);
    /* The number of classes of virtual channels that the routing needs. */
    uint32_t (*classes)(const Network *net);
    /* The virtual channels of a class, as a bit set of the `channels` of a link. NULL: all classes get equal shares. */
    uint64_t (*share)(const Network *net, uint32_t channel_class, uint32_t channels);
    /* The next hop of a routing that offers only one. */
    NetHop (*next)(const Network *net, const NetQuery *query);
    /* Writes all suitable hops, best first, and returns their number, at most NET_MAX_CANDIDATES. NULL: the routing
     * uses `next`. */
    uint32_t (*candidates)(const Network *net, const NetQuery *query, NetHop *hops);
    /* Chooses a vertex that the packet is sent to first, or NET_NONE. `number` is random and belongs to the packet.
     * Called once, when the packet leaves its source. NULL: packets go straight to their destination. */
    uint32_t (*choose_via)(const Network *net, uint32_t from, uint32_t to, uint64_t number);
    /* Links have failed or work again (NetLink.failed), so the routing must recompute what it has derived from the
     * graph. From then on `next` returns the link NET_NONE where no way is left. NULL: the routing does not handle
     * failures; damage.c then drops those hops it offers that lead nowhere. */
    void (*changed)(const Network *net);
} NetRouting;

/* A switching model: its functions and what is known about it. */
typedef struct NetModel {
    const char *name;
    bool can_deadlock; /* it can deadlock, if the routing allows it */
    bool stops_links;  /* pauses stop a whole link, whatever the classes of channels; only if flow-control is pause */
    /* Returns the model that actually serves this network, this one or another one. NULL: always this one. */
    const struct NetModel *(*instead)(const Network *net);
    bool needs_links;      /* it uses links; for other models they need not be built */
    bool any_size;         /* there may be as many nodes as there are users, unless parameters give the number */
    bool virtual_channels; /* each link has params->wormhole.virtual_channels virtual channels */
    bool shared_medium;    /* it serves the topologies that are a shared medium, and only these */
    bool broadcast;        /* inject() takes messages that have a group */
    bool observable;       /* it reports to net->watch everything that NetObserver promises */
    bool in_order;         /* see net_in_order() */
    bool (*check)(const Network *net, GError **error);
    /* Checks the network once its links exist. NULL: there is nothing to check. */
    bool (*check_links)(const Network *net, GError **error);
    void *(*start)(Network *net);
    void (*stop)(void *state);
    void (*inject)(Network *net, uint32_t message); /* called at net->now; from != to */
    /* Injects the message ahead of time. It starts at message->ready_ps. The calls for one node come in the order of
     * these times. NULL: the model cannot do this. */
    void (*inject_ahead)(Network *net, uint32_t message);
    void (*event)(Network *net, const BaseEvent *event);
    /* A message is delivered that the model has marked as one in line. NULL: it marks none. */
    void (*leave_line)(Network *net, uint32_t message);
    /* The event of a delivery has come that was too early, as the model found out afterwards and has marked the message
     * as postponed. Makes a new one, now or when it knows its time. NULL: that never happens. */
    void (*announce_again)(Network *net, uint32_t message);
    /* Returns the time of a message in an empty network, with startup; from != to. NET_MEASURE: no closed form. */
    uint64_t (*zero_load)(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);
    /* Explains why nothing moves any more. Called when no events are left. The caller frees the text. NULL: this cannot
     * happen, or the model reports it itself. */
    char *(*deadlock)(const Network *net);
    /* How much is queued for a link now, for routings that compare links. Only the order of these values has a meaning.
     * NULL: not known. */
    uint64_t (*load)(const Network *net, uint32_t link);
    /* Writes what the model has counted and returns the number of counters, at most NET_MODEL_COUNTERS. NULL: it counts
     * nothing. */
    uint32_t (*counters)(const Network *net, NetCounter *counters);
    /* A link fails at net->now. It is already marked as failed, and the routing already knows. Packets on the link are
     * lost (net_transport_lost()). Packets waiting before it must ask the routing again, which may offer nothing.
     * restore() is called when the link works again; restore NULL: nothing has to be done then. fail NULL: networks
     * with failures are refused. */
    void (*fail)(Network *net, uint32_t link);
    void (*restore)(Network *net, uint32_t link);
    /* Everything until this time has been processed. Makes the counters of the links exact. NULL: they always are. */
    void (*settle)(Network *net, uint64_t time_ps);
    bool loses; /* it calls net_chance_crosses() at every link; if not, losses are found where packets arrive */
    bool whole_messages; /* it does not cut messages into packets */
    bool fluid;          /* it has no packets that could be lost */
    /* Packets that a reliable NIC hands over before the first of them has left; 0: one at a time. */
    uint32_t packets_ahead;
} NetModel;

/* -- network ----------------------------------------------------------------------------------- */

/* A message in a NIC or on its way. */
typedef struct NetMessage {
    uint32_t from, to;
    uint64_t bytes, cookie;
    uint64_t ready_ps; /* when the NIC's startup was over */
    uint64_t packets;  /* number of packets in all */
    union {
        struct {
            uint64_t injected;  /* packets that have begun to leave the NIC */
            uint64_t delivered; /* packets that have arrived */
        };
        struct {                 /* of a model that knows a message's way when it is injected (loggp.c) */
            uint64_t arrives_ps; /* its first byte reaches the receiving NIC */
            uint64_t takes_ps;   /* and takes so long to be taken in */
            uint32_t older;      /* the message before it in the line for that NIC */
        };
    };
    uint32_t next;   /* the next message in a FIFO */
    bool unreported; /* the client need not be told that the message has been sent */
    bool group;      /* it is for several nodes (delivery/groups.c), and `to` is the first of them */
    uint8_t nic;     /* index of the NIC by which it leaves and enters */
    bool is_packet;  /* it is a packet of another message (transport.c) */
    bool given_up;   /* it will not be delivered */
    bool background; /* it belongs to the background client */
    bool in_line;    /* see NetModel.leave_line */
    bool postponed;  /* its DELIVERED event comes too early: see NetModel.announce_again */
} NetMessage;

typedef struct NetWatch NetWatch; /* delivery/watch.c */

/* A queue of messages in order of arrival, linked through NetMessage.next. */
typedef struct NetFifo {
    uint32_t head, tail;
} NetFifo;

typedef struct NetFailures NetFailures;
typedef struct NetTransport NetTransport;

struct Network {
    const uint64_t *next_ps; /* must be the first member: net_next_time() reads it. Time of the next event; NULL:
                              * failures have a say, too */
    NetParams params;        /* its names point into the tables of topologies, routings and models */
    NetClient client;
    NetClient background; /* the second client (net_network_set_background()) */
    const NetTopology *topology;
    const NetRouting *routing;
    const NetModel *model;
    NetGraph graph;
    void *routing_state, *model_state;
    BaseQueue *queue;
    uint64_t now;
    uint64_t *nic_free; /* per NIC: when it can take up the next message */
    uint64_t before_ps; /* within net_step_before(): models may process what happens before this time; else 0 */
    bool ahead;         /* messages go to model->inject_ahead() instead of causing an INJECT event */
    NetMessage *message;
    BasePool messages;
    GHashTable *groups;      /* message -> NetGroup; looked up, never iterated; NULL: there has been none */
    uint64_t full_packet_ps; /* serialisation time of a full packet with its header */
    char *file, *table, *failed_links, *failed_routers; /* copies of the strings that `params` points to */
    NetWatch *watch;                                    /* NULL: nobody observes */
    bool brief;                                         /* the observer wants to know only what waits, and all links are
                                                         * alike (net_watch_crossed()) */
    NetFailures *failures;                              /* NULL: nothing fails */
    NetTransport *transport;                            /* NULL: nothing is lost or late */
    bool source_routed;   /* paths are chosen at the source, and the routing offers a choice */
    bool may_deadlock;    /* the routing is not known to prevent deadlock */
    bool is_deadlocked;   /* the network is deadlocked and nothing moves any more */
    uint64_t deadlocks;   /* number of deadlocks so far */
    char *first_deadlock; /* text about the first deadlock, or NULL */
};

static inline NetMessage *net_message(const Network *net, uint32_t index)
{
    assert(index < net->messages.count);
    return &net->message[index];
}
/* Returns the next hop; if there are several, the best one. */
NetHop net_route_next_hop(const Network *net, const NetQuery *query);
/* Replaces a link of the first NIC, which routing functions name, by that of NIC `nic`. */
static inline NetHop net_of_nic(const Network *net, uint32_t nic, NetHop hop)
{
    if (nic && net->graph.second_nic[hop.link] != NET_NONE)
        hop.link = net->graph.second_nic[hop.link] + nic - 1;
    return hop;
}
/* Returns the next hop of a routing that offers only one. */
static inline NetHop net_only_hop(const Network *net, const NetQuery *query)
{
    return net_of_nic(net, query->nic, net->routing->next(net, query));
}
/* Writes all next hops that the routing offers and returns their number. */
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
/* Selects among the hops that the routing offers under source routing. At its source a packet may take any hop but
 * escape channels. On its way it follows its random number. So the whole path is chosen when the packet leaves. */
uint32_t net_source_route(const Network *net, const NetQuery *query, NetHop *hops, uint32_t count);
/* Writes all next hops that the packet may take and returns their number. */
static inline uint32_t net_candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net_offered(net, query, hops);
    return G_UNLIKELY(net->source_routed) ? net_source_route(net, query, hops, count) : count;
}
/* Returns the index of the message's source NIC. NICs are numbered node by node. */
static inline uint32_t net_nic_of(const Network *net, const NetMessage *message)
{
    return message->from * net->params.nics + message->nic;
}
/* net_route_begin() makes the query of a packet at its source, net_route_advance() moves it by one hop. */
NetQuery net_route_begin(const Network *net, uint32_t from, uint32_t to, uint64_t number);
static inline void net_route_advance(const Network *net, NetQuery *query, NetHop hop)
{
    assert(net->graph.link[hop.link].from == query->at);
    query->at = net->graph.link[hop.link].to;
    query->in_link = hop.link;
    query->in_class = hop.channel_class;
}
/* Returns whether messages pay switch_latency_ps at a vertex instead of router_latency_ps. */
bool net_vertex_is_switch(const Network *net, uint32_t vertex);
/* Give every NIC but the first links of its own (nics.c). net_nics_add_links() is called when the topology has added
 * all links; it refuses more links than fit. net_nics_find_links() is called when the links have been sorted. */
bool net_nics_add_links(Network *net, GError **error);
void net_nics_find_links(Network *net);
/* Allocate and free the slot of a message. */
static inline uint32_t net_message_new(Network *net)
{
    return BASE_POOL_TAKE(&net->messages, net->message);
}
static inline void net_message_free(Network *net, uint32_t index)
{
    BASE_POOL_GIVE(&net->messages, net->message, index);
}
/* Returns the time of the routing decision at a vertex. */
uint64_t net_vertex_latency(const Network *net, uint32_t vertex);

/* Return the serialisation time of a packet of `wire_bytes`: at the usual bandwidth, and on a given link. */
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

/* A route in numbers, for the closed forms of zero_load(). */
typedef struct NetPath {
    uint64_t hops;
    uint64_t routing_ps; /* sum of the routing decisions at the vertices that the message leaves */
} NetPath;
NetPath net_path(const Network *net, uint32_t from, uint32_t to);
/* Returns whether a NetPath is enough for a closed form: links are alike, there is one path, and packets need no
 * startup. */
bool net_path_is_closed_form(const Network *net);
/* Returns the serialisation time of the last packet of a message. */
uint64_t net_path_last_packet_ps(const Network *net, uint64_t bytes);

#endif
