/* netsim.h - the network: moves messages between nodes and says when.
 *
 * Knows nodes, routers, links and bytes; nothing of ranks or MPI. It takes (from node, to node, bytes, time) and
 * reports when the message has left its source and when it has arrived. Topology, routing and switching are chosen at
 * run time by name and are independent of each other: a topology is one file and one row in topologies.def, a switching
 * model one file and one row in models.def, a routing function one file and one row in routings.def.
 *
 * Time is picoseconds in unsigned 64 bits. Events are ordered by (time, kind, node, sequence number); nothing else
 * reaches a result.
 */
#ifndef ORRERY_NETSIM_H
#define ORRERY_NETSIM_H

#include "base/choice.h"
#include "base/random.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define NET_ERROR (net_error_quark())
GQuark net_error_quark(void);
typedef enum NetError {
    NET_ERROR_PARAMETER, /* impossible parameter; the message says which key and why */
    NET_ERROR_UNKNOWN,   /* no topology, routing or model of that name; the message lists the nearest */
} NetError;

#define NET_MAX_DIMENSIONS 16
typedef struct NetGraphFile NetGraphFile;
typedef struct NetXgft NetXgft;

/* -- choices (params/choices.c) ---------------------------------------------------------------- */

/* Parameters that are one of a few: each list is one table of enumerators and the names that machine files have for
 * them. The first is what zeros mean. */
/* clang-format off */
/* Whether both directions of a link carry at the same time, or take turns. */
#define NET_DUPLEXES(CHOICE) \
    CHOICE(NET_DUPLEX_FULL, "full") \
    CHOICE(NET_DUPLEX_HALF, "half")
/* Wormhole: which virtual channel a packet gets, and which packet goes first. */
#define NET_ALLOCATIONS(CHOICE) \
    CHOICE(NET_ALLOCATE_LOWEST, "lowest") \
    CHOICE(NET_ALLOCATE_ROUND_ROBIN, "round-robin") \
    CHOICE(NET_ALLOCATE_OLDEST_FIRST, "oldest-first") \
    CHOICE(NET_ALLOCATE_MESSAGE_CLASS, "message-class")
/* Where the path of a packet is chosen: hop by hop, or all of it as it leaves. */
#define NET_DECISIONS(CHOICE) \
    CHOICE(NET_DECIDE_DISTRIBUTED, "distributed") \
    CHOICE(NET_DECIDE_AT_SOURCE, "source")
/* What becomes of a network that can deadlock: it is refused, runs until it does, or takes a packet out when it does. */
#define NET_DEADLOCK_POLICIES(CHOICE) \
    CHOICE(NET_DEADLOCK_REFUSE, "refuse") \
    CHOICE(NET_DEADLOCK_FATAL, "fatal") \
    CHOICE(NET_DEADLOCK_RESOLVE, "resolve")
/* Switched Ethernet: pause frames, or frames are dropped. */
#define NET_FLOW_CONTROLS(CHOICE) \
    CHOICE(NET_FLOW_CONTROL_PAUSE, "pause") \
    CHOICE(NET_FLOW_CONTROL_NONE, "none")
/* clang-format on */

BASE_CHOICE_ENUM(NetDuplex, NET_DUPLEXES);
BASE_CHOICE_ENUM(NetAllocation, NET_ALLOCATIONS);
BASE_CHOICE_ENUM(NetDecision, NET_DECISIONS);
BASE_CHOICE_ENUM(NetDeadlockPolicy, NET_DEADLOCK_POLICIES);
BASE_CHOICE_ENUM(NetFlowControl, NET_FLOW_CONTROLS);

/* The names by enumerator: NULL-terminated, static. */
const char *const *net_choice_duplexes(void);
const char *const *net_choice_allocations(void);
const char *const *net_choice_decisions(void);
const char *const *net_choice_deadlock_policies(void);
const char *const *net_choice_flow_controls(void);

/* -- parameters: what all networks have, and a part for each model or feature that has some -------- */

/* wormhole, wormhole-reference */
typedef struct NetWormholeParams {
    uint32_t flit_bytes;         /* unit of flow control; of traffic's cycles with every model */
    uint32_t virtual_channels;   /* of a link */
    uint32_t buffer_flits;       /* per virtual channel */
    NetAllocation allocation;    /* of virtual channels */
    uint64_t credit_delay_ps;    /* from the flit's leaving a buffer to the use of its place */
    uint32_t router_stages;      /* pipeline of a router in cycles; 0: from router_latency_ps */
    uint32_t ejection_flits;     /* flits that a node takes per cycle; 0: one from every channel */
    uint32_t injection_channels; /* packets that a NIC may send at the same time */
    uint32_t injection_flits;    /* flits that a NIC puts in per cycle; 0: one of each of them */
    uint64_t deadlock_cycles;    /* how often the detector of deadlocks looks */
    uint64_t retry_delay_ps;     /* from the abort of a packet until its NIC may send it again */
} NetWormholeParams;

/* G of messages of at least so many bytes. */
enum { NET_MAX_GAPS = 16 };
typedef struct NetGap {
    uint64_t from_bytes, gap_per_byte_fs;
} NetGap;

/* loggp: L, and the gap per message and per byte; overheads o belong to the software above (machine config). */
typedef struct NetLoggpParams {
    uint64_t latency_ps;      /* L */
    uint64_t gap_ps;          /* g */
    uint64_t gap_per_byte_fs; /* G in femtoseconds per byte; 0: from bandwidth */
    uint32_t n_gaps;          /* 0: that one for all; else G by the size of the message: */
    NetGap gaps[NET_MAX_GAPS];
} NetLoggpParams;

/* switched-ethernet */
typedef struct NetEthernetParams {
    NetFlowControl flow_control;
    uint64_t buffer_bytes;   /* of the end of each link */
    uint64_t xoff_bytes;     /* above which the other end is paused; 0: as many as lose nothing */
    uint64_t xon_bytes;      /* down to which it stays so; 0: half of it */
    uint32_t pause_quanta;   /* how long a pause frame asks for, in 512 bit times */
    uint64_t pause_delay_ps; /* from its arrival to its effect */
} NetEthernetParams;

/* Reliable NICs, where something can be lost. */
typedef struct NetTransportParams {
    uint64_t timeout_ps;            /* from a packet's leaving its source to its second sending, if it is lost */
    uint32_t limit;                 /* repetitions of a packet, at most */
    uint32_t acknowledgement_bytes; /* 0: acknowledgements are free, immediate and never lost */
} NetTransportParams;

/* What fails and what varies (docs/faults.md). Nothing does where the first five are NULL or 0. */
typedef struct NetFaultParams {
    const char *links;                    /* "3-4 at 1 ms until 2 ms; 5->6" */
    const char *routers;                  /* "(1,2) at 1 ms" */
    uint64_t loss;                        /* chance that a link loses a packet, in NET_CHANCE_ONE */
    uint64_t bit_errors;                  /* chance that a bit is damaged on a link, in NET_CHANCE_ONE */
    uint64_t jitter_ps;                   /* added to a link's latency, for each packet anew: at most, or on average */
    BaseDistribution jitter_distribution; /* uniform or exponential */
} NetFaultParams;

/* Everything a network is made from. Names as in the config file. Zeros are no network: what has to be more is refused
 * by its key. The usual values are machine/config/keys.def's. */
typedef struct NetParams {
    const char *topology;              /* a name of topologies.def */
    const char *routing;               /* a name of routings.def */
    const char *switching;             /* a name of models.def */
    uint32_t nodes;                    /* number of nodes; 0: from dims */
    uint32_t dims[NET_MAX_DIMENSIONS]; /* extents of grids, else what topologies.def says for each topology */
    uint32_t n_dims;
    const char *file;             /* topology "file": edge list or dot */
    const char *table;            /* routing "table": file of next hops */
    NetDecision routing_decision; /* where the path is chosen */
    NetDeadlockPolicy deadlock;   /* of models that can */
    uint64_t bandwidth;           /* of a link, bytes per second */
    uint64_t link_latency_ps;     /* time of flight of a link */
    NetDuplex duplex;
    uint64_t global_bandwidth;  /* of links between groups or clusters; 0: as other links */
    uint64_t global_latency_ps; /* the same */
    uint64_t router_latency_ps; /* routing decision per hop */
    uint64_t switch_latency_ps; /* crossbar, star, fat-tree: through a switch (there instead of router_latency_ps) */
    uint32_t nics;              /* of a node; each has a link of its own to a switch that the node is linked to */
    uint64_t startup_ps;        /* NIC, per message, at the source */
    uint64_t packet_startup_ps; /* NIC at the source, per packet, before it asks for its first link */
    uint32_t packet_bytes;      /* payload of a packet; longer messages become several */
    uint32_t header_bytes;      /* added to each packet */
    uint64_t seed;
    NetWormholeParams wormhole;
    NetLoggpParams loggp;
    NetEthernetParams ethernet;
    NetTransportParams transport;
    NetFaultParams faults;
    NetGraphFile *graph; /* the network's own: what `file` holds; */
    NetXgft *tree;       /* the levels of xgft and fat-tree */
} NetParams;

#define NET_CHANCE_ONE UINT64_C(1000000000000000000)

typedef struct Network Network;

/* The fast path: what a client may give besides, and net_step_until(), with which it gets the same in less time. None
 * of it changes an outcome. */
typedef struct NetFastPath {
    /* A message will be delivered some events from now, so that the client can fetch what it will need: told twice,
     * first with `begun` false. NULL: nobody is told. */
    void (*expect)(void *user, uint64_t cookie, bool begun);
    /* The client always hands messages over ahead of time: before the network, and all that belongs to the same order
     * of events, has come to the time that it gives net_send(). Models may save an event then. */
    bool sends_ahead;
} NetFastPath;

/* What happened to a message. Called from net_step(), in event order; may send. All may be NULL. Cookies are what
 * the client gave with the message. */
typedef struct NetClient {
    void *user; /* first argument of all */
    /* The last byte has left the source node: its buffer may be reused by the NIC's owner. */
    void (*sent)(void *user, uint64_t cookie, uint64_t time_ps);
    /* The last byte has arrived at the destination node. */
    void (*delivered)(void *user, uint64_t cookie, uint64_t time_ps);
    /* The network has given a message up: it is neither delivered nor anything else from now on. `why` says what it
     * was, where it was bound for, and what was in its way; it is gone after the call. */
    void (*undeliverable)(void *user, uint64_t cookie, const char *why);
    /* A deadlock has happened that is fatal: no message under way moves any more; net_deadlock() tells. */
    void (*deadlocked)(void *user);
    NetFastPath fast;
} NetClient;

/* Builds a network: O(nodes + links), and what its routing has to work out. NULL with an error (NET_ERROR) where the
 * parameters are impossible; it begins with the key that is wrong. Both are copied, with what they point to, but for
 * `user`; `client` NULL: nobody is told. */
Network *net_network_new(const NetParams *params, const NetClient *client, GError **error);
void net_network_free(Network *net);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, net_network_free)

/* Whether parameters say nothing of how many nodes there are, and whether any number of them would do (loggp). */
bool net_network_lacks_size(const NetParams *params);
bool net_network_takes_any_size(const NetParams *params);
uint32_t net_network_nodes(const Network *net);
const NetParams *net_network_params(const Network *net);

/* A message. */
typedef struct NetSend {
    uint32_t from, to; /* nodes; the same one is allowed and costs startup only */
    uint64_t bytes;    /* any number, 0 too */
    uint64_t time_ps;  /* not before the last event that was processed */
    uint64_t cookie;
    uint32_t nic;    /* of the node's, less than params->nics; it arrives by that of the same number */
    bool unreported; /* the client need not be told that it has been sent: models may leave that event out */
    bool background; /* it is the second client's; by NIC 0, to another node */
} NetSend;
/* Hands a message to its source's NIC. */
void net_send(Network *net, const NetSend *send);
/* A second client, whose messages share NICs and links with those of the first and are told from them: background
 * traffic. Observers are not told what they are. Of its functions only delivered and undeliverable are called; copied.
 */
void net_network_set_background(Network *net, const NetClient *client);
/* Whether what one NIC sends to a node is always delivered in that order. */
bool net_in_order(const Network *net);
/* Time of the next event, or UINT64_MAX when the network is idle. O(1). */
uint64_t net_next_time(const Network *net);
/* Processes the earliest event (one; clients are called back from it). */
void net_step(Network *net);
/* The fast path of net_step(): the earliest event, and then those that follow before `before_ps`, up to the first that
 * the client has been told of and not very many at a time. Answers how many. What the client does in between it does at
 * net_time_now(). */
uint32_t net_step_until(Network *net, uint64_t before_ps);
/* Time of the last event. */
uint64_t net_time_now(const Network *net);

/* The run has ended at this time, with all events until then processed: makes exact what links have counted up to it,
 * and what they are in the middle of. Nothing may be processed any more. */
void net_network_settle(Network *net, uint64_t time_ps);

/* Whether all nodes share one medium, on which one sends at a time. */
bool net_network_is_shared(const Network *net);
/* Hardware broadcast and multicast: whether a message is sent once for several nodes, as the medium reaches all of them
 * (bus, csma-cd) or switches make the copies (switched-ethernet). */
bool net_send_has_multicast(const Network *net);
/* Where there is: hands one message for the `n` nodes `to` to the source's NIC. They are in ascending order, send->to
 * is the first of them, send->from is not among them; a node may be named several times. `delivered` is told of each
 * with its cookie, as all of it has come there, `sent` once, with send->cookie. It may overtake other messages, and be
 * overtaken. */
void net_send_multicast(Network *net, const NetSend *send, const uint32_t *to, const uint64_t *to_cookies, uint32_t n);

/* If messages can no longer move (channel deadlock): a text that explains the cycle of channels, else NULL. Owned by
 * net. */
const char *net_deadlock(const Network *net);
/* Deadlocks that have been resolved, by aborting a packet and sending it again. The first one: a text as above. */
uint64_t net_deadlocks_resolved(const Network *net);
const char *net_first_deadlock(const Network *net);

/* -- observing (watch.c) ----------------------------------------------------------------------- */

#define NET_NO_LINK         UINT32_MAX
#define NET_NOBODY          UINT64_MAX
#define NET_ACKNOWLEDGEMENT (UINT64_C(1) << 63)

/* A packet has had a link, or a virtual channel of one. Its header was ready for it at asked_ps, was given it at
 * got_ps, was at its other end at reached_ps (under wormhole switching: would be, if it went at once), and the packet's
 * last bit was sent at left_ps. Times may lie ahead. */
typedef struct NetPassage {
    uint64_t message; /* as NetObserver.accepted() has called it; NET_NOBODY: background traffic */
    uint64_t packet;  /* counts the message's, from 0; with NET_ACKNOWLEDGEMENT: the answer to it */
    uint64_t packets; /* 1, how many go as one flow, or 0 of one that has been taken out (deadlock = resolve) */
    uint32_t hop;     /* counts the links on its way, from 0 */
    uint32_t link;    /* NET_NO_LINK: there are none, this is the NIC (loggp) */
    uint32_t channel; /* 0 where there is only one */
    uint64_t asked_ps, got_ps, reached_ps, left_ps;
    uint64_t bytes, busy_ps; /* on the wire; time that the link was carrying them, between got_ps and left_ps */
    uint64_t behind;         /* the message that had it before; NET_NOBODY, too, where it did not wait */
} NetPassage;

typedef struct NetAccepted { /* a message that has been handed to a NIC */
    uint64_t cookie, bytes;
    uint32_t from, to;  /* nodes */
    uint64_t handed_ps; /* net_send() */
    uint64_t begun_ps;  /* the NIC takes it up: startup begins */
    uint64_t ready_ps;  /* ... and is over */
} NetAccepted;

/* Who wants to see what messages do on their way. A multicast is one message for the first of its nodes, which arrives,
 * and is delivered, when it is at the last; its packets pass each link that it takes. Calls come in the order in which
 * the network works it out, which depends on nothing but what was sent. Nothing can be changed. All must be there. */
typedef struct NetObserver {
    void *user;
    /* Answers what the message shall be called in the other calls, not NET_NOBODY. */
    uint64_t (*accepted)(void *user, const NetAccepted *message);
    void (*passed)(void *user, const NetPassage *passage);
    /* A packet begins (1) or ceases (-1) to wait for a link, at time_ps; of the two only the first may have been told.
     * No later call will tell of a time before since_ps. Where the routing offers several links, it waits for each. */
    void (*queued)(void *user, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps);
    /* All of a packet is at its destination. */
    void (*arrived)(void *user, uint64_t message, uint64_t packet, uint64_t time_ps);
    /* The message is handed over: with its last packet, or later, when it is its turn. */
    void (*delivered)(void *user, uint64_t message, uint64_t time_ps);
} NetObserver;
/* Whether the switching model tells of all that. */
bool net_can_watch(const Network *net);
/* Copied; one at most, before the first message. */
void net_watch(Network *net, const NetObserver *observer);

/* -- faults (failures.c, transport.c) ---------------------------------------------------------- */

typedef struct NetFaultCounts {
    uint64_t lost, lost_bytes;     /* packets that did not arrive, with headers; acknowledgements too */
    uint64_t resent, resent_bytes; /* packets that were sent again */
    uint64_t acknowledgements;     /* that were packets of their own */
    uint64_t duplicates;           /* packets that arrived although they had before */
    uint64_t undeliverable;        /* messages that were given up */
    uint64_t failures, repairs;    /* of links and routers, so far */
} NetFaultCounts;
/* False: nothing can fail, be lost or vary in this network. */
bool net_fault_counts(const Network *net, NetFaultCounts *counts);
/* What the client was last told by `undeliverable`, NULL: nothing. Owned by net. */
const char *net_undeliverable(const Network *net);
/* Failures to come or past, by index from 0, each in words: "link (0,1)-(0,2) fails at 1 ms, is repaired at 2 ms";
 * NULL: no more. Owned by net. */
const char *net_failure(const Network *net, size_t index);
/* Whether one of them is about this link, or a router at its end. */
bool net_failure_of_link(const Network *net, uint32_t link);

/* -- structure, for drawing and reports -------------------------------------------------------- */

typedef struct NetLink { /* one direction */
    uint32_t from, to;   /* vertices: nodes are 0 .. nodes-1, switches follow */
    uint32_t partner;    /* half duplex: the link that shares its medium; UINT32_MAX: none */
    bool half;           /* duplex */
    bool failed;         /* just now */
    uint64_t bandwidth;  /* bytes per second */
    uint64_t latency_ps; /* time of flight */
    uint64_t bytes, packets;
    uint64_t busy_ps;    /* time the link was carrying or held */
    uint64_t blocked_ps; /* time packets waited for it */
} NetLink;

/* What a switching model has counted besides: collisions, pause frames ...; and what was lost, where something can be.
 */
typedef enum NetCounterKind { NET_COUNTER_NUMBER, NET_COUNTER_TIME, NET_COUNTER_BYTES } NetCounterKind;
typedef struct NetCounter {
    const char *key;  /* for machines: "pauses" */
    const char *text; /* for people: "pause frames that stopped a link" */
    NetCounterKind kind;
    uint64_t value; /* ps, bytes, or a number */
} NetCounter;
enum { NET_MAX_COUNTERS = 24 };
/* Answers how many there are. */
uint32_t net_network_counters(const Network *net, NetCounter counters[NET_MAX_COUNTERS]);

uint32_t net_vertex_count(const Network *net); /* nodes plus switches */
uint32_t net_link_count(const Network *net);
/* Virtual channels of a link that messages have; 0: the model does not use links. */
uint32_t net_link_channels(const Network *net);
const NetLink *net_link(const Network *net, uint32_t index);
/* A name for people: "(1,2)" in a mesh, "node 5", "switch 3". Free with g_free. */
char *net_vertex_name(const Network *net, uint32_t vertex);
/* How reports draw a topology in letters, if they have more to say than what hangs below each switch. */
typedef enum NetDrawing {
    NET_DRAWING_SWITCHES,
    NET_DRAWING_ROW,
    NET_DRAWING_RING,
    NET_DRAWING_PLANES, /* of a grid */
    NET_DRAWING_CUBE,
    NET_DRAWING_BUS,
    NET_DRAWING_CROSSBAR,
    NET_DRAWING_FULL,
    NET_DRAWING_STAR,
} NetDrawing;
NetDrawing net_network_drawing(const Network *net);
/* Position for drawing, in units of one node distance. */
void net_vertex_position(const Network *net, uint32_t vertex, double *x, double *y);
/* The path of links that a message takes; returns the number of hops, at most `max` written to `links`. Where the
 * routing has a choice: the path that a first packet would take in an empty network. 0: failures have cut it off. */
uint32_t net_route(const Network *net, uint32_t from, uint32_t to, uint32_t *links, uint32_t max);
/* Whether it is as short as any. */
bool net_network_takes_shortest(const Network *net);
/* Whether all packets between two nodes go that way. */
bool net_has_one_path(const Network *net);
/* Number of hops between the two nodes that are farthest apart, by shortest paths. Where there is no closed form,
 * O(nodes * links). */
uint32_t net_distance_diameter(const Network *net);
/* Mean number of hops between two different nodes, by shortest paths; O(nodes * links). */
double net_distance_average(const Network *net);
/* The least number of links, one direction, that part the lower half of the nodes from the upper (a maximum flow). */
uint32_t net_bisection(const Network *net);
/* The same, and which links these are, by link; `down`: from the upper half to the lower. */
uint32_t net_bisection_links(const Network *net, bool down, bool *crosses);
/* Time of one message of `bytes` in an empty network, from net_send() to delivered(). */
uint64_t net_zero_load_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);
/* Whether it is worked out, in time proportional to the hops; else a network is made for every answer. */
bool net_zero_load_is_known(const Network *net);

/* -- networks that are grids (grid_coordinates.c) ------------------------------------------------------- */

#define NET_GRID_DIMENSIONS 24 /* of a hypercube of as many nodes as there can be */

typedef struct NetGrid {
    uint32_t n; /* dimensions */
    uint32_t extents[NET_GRID_DIMENSIONS];
    bool wraps; /* the ends of every row are linked */
} NetGrid;

/* Whether the network is a linear array, ring, mesh, torus or hypercube; and then, which grid it is (network.c). */
bool net_network_grid(const Network *net, NetGrid *grid);
/* Nodes count in row-major order. */
void net_grid_split(const NetGrid *grid, uint32_t node, uint32_t *coordinates);
uint32_t net_grid_join(const NetGrid *grid, const uint32_t *coordinates);
/* Hops of a shortest path, which dimension order takes too. */
uint32_t net_grid_hops(const NetGrid *grid, uint32_t from, uint32_t to);

/* Picoseconds that `bytes` take to pass at a bandwidth in bytes per second, rounded up, within bounds that can be
 * added. */
uint64_t net_serialise(uint64_t bytes, uint64_t bandwidth);

/* Lists: NULL-terminated arrays of names, static. */
const char *const *net_topologies(void);
const char *const *net_routings(void);
const char *const *net_models(void);
/* "dragonfly(p=2,a=4,h=2)", "mesh(4,4)" or a name alone: fills topology (static), dims and n_dims. */
bool net_topology_parse(const char *text, NetParams *params, GError **error);
/* Whether there are 2 to the power of dims nodes (hypercube). */
bool net_topology_is_power(const char *name);

#endif
