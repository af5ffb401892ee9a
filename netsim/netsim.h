/* netsim.h - the network: moves messages between nodes and says when they leave and arrive.
 *
 * The network knows nodes, routers, links and bytes. It does not know ranks or MPI. It takes a message (from node, to
 * node, bytes, time) and reports when the message has left its source and when it has arrived. Topology, routing and
 * switching are chosen at run time by name and are independent of each other. A topology is one file and one row in
 * topologies.def, a switching model one file and one row in models.def, a routing function one file and one row in
 * routings.def.
 *
 * Times are in picoseconds, unsigned 64 bits. Events are ordered by (time, kind, node, sequence number). Nothing else
 * affects a result.
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
    NET_ERROR_PARAMETER, /* a parameter is impossible; the message names the key and the reason */
    NET_ERROR_UNKNOWN,   /* no topology, routing or model has that name; the message lists the nearest names */
} NetError;

#define NET_MAX_DIMENSIONS 16
typedef struct NetGraphFile NetGraphFile;
typedef struct NetXgft NetXgft;

/* -- choices (params/choices.c) ---------------------------------------------------------------- */

/* Parameters that take one of a few values. Each list is one table of enumerators and of the names that machine files
 * use for them. The first value is the one that a zeroed struct has. */
/* clang-format off */
/* Whether both directions of a link carry data at the same time or take turns. */
#define NET_DUPLEXES(CHOICE) \
    CHOICE(NET_DUPLEX_FULL, "full") \
    CHOICE(NET_DUPLEX_HALF, "half")
/* Wormhole switching: which virtual channel a packet gets, and which packet goes first. */
#define NET_ALLOCATIONS(CHOICE) \
    CHOICE(NET_ALLOCATE_LOWEST, "lowest") \
    CHOICE(NET_ALLOCATE_ROUND_ROBIN, "round-robin") \
    CHOICE(NET_ALLOCATE_OLDEST_FIRST, "oldest-first") \
    CHOICE(NET_ALLOCATE_MESSAGE_CLASS, "message-class")
/* Wormhole switching: how a router matches what asks with what there is, each cycle (Dally and Towles, Principles and
 * Practices of Interconnection Networks, chapter 19). NONE: every request is looked at by itself. */
#define NET_ALLOCATORS(CHOICE) \
    CHOICE(NET_ALLOCATOR_NONE, "none") \
    CHOICE(NET_ALLOCATOR_INPUT_FIRST, "input-first") \
    CHOICE(NET_ALLOCATOR_OUTPUT_FIRST, "output-first") \
    CHOICE(NET_ALLOCATOR_ISLIP, "islip") \
    CHOICE(NET_ALLOCATOR_WAVEFRONT, "wavefront")
/* Wormhole switching: when a header may ask for the switch. */
#define NET_SPECULATIONS(CHOICE) \
    CHOICE(NET_SPECULATION_NO, "no") \
    CHOICE(NET_SPECULATION_YES, "yes")
/* Where the path of a packet is chosen: hop by hop, or as a whole when the packet leaves its source. */
#define NET_DECISIONS(CHOICE) \
    CHOICE(NET_DECIDE_DISTRIBUTED, "distributed") \
    CHOICE(NET_DECIDE_AT_SOURCE, "source")
/* What to do with a network that can deadlock. It is refused, or it runs until it deadlocks, or each deadlock is
 * resolved by aborting a packet. */
#define NET_DEADLOCK_POLICIES(CHOICE) \
    CHOICE(NET_DEADLOCK_REFUSE, "refuse") \
    CHOICE(NET_DEADLOCK_FATAL, "fatal") \
    CHOICE(NET_DEADLOCK_RESOLVE, "resolve")
/* Switched Ethernet: whether pause frames prevent overflow, or frames are dropped. */
#define NET_FLOW_CONTROLS(CHOICE) \
    CHOICE(NET_FLOW_CONTROL_PAUSE, "pause") \
    CHOICE(NET_FLOW_CONTROL_NONE, "none")
/* clang-format on */

BASE_CHOICE_ENUM(NetDuplex, NET_DUPLEXES);
BASE_CHOICE_ENUM(NetAllocation, NET_ALLOCATIONS);
BASE_CHOICE_ENUM(NetAllocator, NET_ALLOCATORS);
BASE_CHOICE_ENUM(NetSpeculation, NET_SPECULATIONS);
BASE_CHOICE_ENUM(NetDecision, NET_DECISIONS);
BASE_CHOICE_ENUM(NetDeadlockPolicy, NET_DEADLOCK_POLICIES);
BASE_CHOICE_ENUM(NetFlowControl, NET_FLOW_CONTROLS);

/* Return the names of the values, indexed by enumerator. The arrays are NULL-terminated and static. */
const char *const *net_choice_duplexes(void);
const char *const *net_choice_allocations(void);
const char *const *net_choice_allocators(void);
const char *const *net_choice_speculations(void);
const char *const *net_choice_decisions(void);
const char *const *net_choice_deadlock_policies(void);
const char *const *net_choice_flow_controls(void);

/* -- parameters: what all networks have, and a part for each model or feature that has some -------- */

/* Parameters of wormhole and wormhole-reference. */
typedef struct NetWormholeParams {
    uint32_t flit_bytes;       /* unit of flow control; with every model, traffic counts its cycles in flits */
    uint32_t virtual_channels; /* number per link */
    uint32_t buffer_flits;     /* size of the buffer of a virtual channel, in flits */
    NetAllocation allocation;  /* how virtual channels are given to packets */
    NetAllocator vc_allocator; /* of a router's virtual channels */
    NetAllocator switch_allocator;
    uint32_t iterations;         /* of these allocators; 0 is 1 */
    NetSpeculation speculation;  /* headers ask for the switch before they have a channel */
    uint64_t credit_delay_ps;    /* from a flit's leaving a buffer until its slot can be used again */
    uint32_t router_stages;      /* pipeline of a router in cycles; 0: follows from router_latency_ps */
    uint32_t ejection_flits;     /* flits that a node takes per cycle; 0: one from every channel */
    uint32_t injection_channels; /* packets that a NIC may send at the same time */
    uint32_t injection_flits;    /* flits that a NIC injects per cycle; 0: one of each packet that it sends */
    uint64_t deadlock_cycles;    /* interval between two checks for deadlock, in cycles */
    uint64_t retry_delay_ps;     /* from the abort of a packet until its NIC may send it again */
} NetWormholeParams;

/* G for messages of at least from_bytes bytes. */
enum { NET_MAX_GAPS = 16 };
typedef struct NetGap {
    uint64_t from_bytes, gap_per_byte_fs;
} NetGap;

/* Parameters of loggp: L, and the gaps per message and per byte. The overheads o belong to the software above (machine
 * config). */
typedef struct NetLoggpParams {
    uint64_t latency_ps;      /* L */
    uint64_t gap_ps;          /* g */
    uint64_t gap_per_byte_fs; /* G in femtoseconds per byte; 0: follows from the bandwidth */
    uint32_t n_gaps;          /* number of entries of `gaps`; 0: gap_per_byte_fs holds for all messages */
    /* G by the size of the message */
    NetGap gaps[NET_MAX_GAPS];
} NetLoggpParams;

/* Parameters of switched-ethernet. */
typedef struct NetEthernetParams {
    NetFlowControl flow_control;
    uint64_t buffer_bytes;   /* size of the buffer at the receiving end of each link */
    uint64_t xoff_bytes;     /* fill level above which the sender is paused; 0: the highest level that loses no frame */
    uint64_t xon_bytes;      /* fill level down to which the sender stays paused; 0: half of xoff_bytes */
    uint32_t pause_quanta;   /* duration that a pause frame asks for, in units of 512 bit times */
    uint64_t pause_delay_ps; /* from the arrival of a pause frame until it takes effect */
} NetEthernetParams;

/* Parameters of reliable NICs. They are used where something can be lost. */
typedef struct NetTransportParams {
    uint64_t timeout_ps; /* from a packet's leaving its source until it is sent again, if it is lost */
    uint32_t limit;      /* most repetitions of one packet */
    /* Size of an acknowledgement; 0: acknowledgements are free, immediate and never lost. */
    uint32_t acknowledgement_bytes;
} NetTransportParams;

/* What fails and what varies (docs/faults.md). Nothing does if the first five fields are NULL or 0. */
typedef struct NetFaultParams {
    const char *links;   /* "3-4 at 1 ms until 2 ms; 5->6" */
    const char *routers; /* "(1,2) at 1 ms" */
    uint64_t loss;       /* chance that a link loses a packet, in units of 1 / NET_CHANCE_ONE */
    uint64_t bit_errors; /* chance that a link damages a bit, in units of 1 / NET_CHANCE_ONE */
    /* Added to a link's latency, drawn anew for each packet: the maximum (uniform) or the mean (exponential). */
    uint64_t jitter_ps;
    BaseDistribution jitter_distribution; /* uniform or exponential */
} NetFaultParams;

/* Everything that a network is made from. The names are those of the config file. A zeroed struct describes no network:
 * a zero that is not allowed is refused by its key. The usual values are in machine/config/keys.def. */
/* The bandwidth of a link times num / den, in both directions. `name`: "a-b", both ends by their names, or by the
 * numbers of nodes. */
typedef struct NetLinkSpeed {
    const char *name;
    uint64_t num, den;
} NetLinkSpeed;

typedef struct NetParams {
    const char *topology;  /* a name in topologies.def */
    const char *routing;   /* a name in routings.def */
    const char *switching; /* a name in models.def */
    uint32_t nodes;        /* number of nodes; 0: follows from dims */
    /* Extents of a grid; for other topologies the arguments that topologies.def describes. */
    uint32_t dims[NET_MAX_DIMENSIONS];
    uint32_t n_dims;
    const char *file;             /* topology "file": path of the edge list or dot file */
    const char *table;            /* routing "table": path of the file of next hops */
    NetDecision routing_decision; /* where the path is chosen */
    NetDeadlockPolicy deadlock;   /* for models that can deadlock */
    uint64_t bandwidth;           /* bandwidth of a link, bytes per second */
    uint64_t link_latency_ps;     /* propagation delay of a link */
    NetDuplex duplex;
    uint64_t global_bandwidth;  /* bandwidth of links between groups or clusters; 0: that of the other links */
    uint64_t global_latency_ps; /* latency of links between groups or clusters; 0: that of the other links */
    uint64_t router_latency_ps; /* time of a routing decision, per hop */
    /* Crossbar, star, fat-tree: time through a switch, used there instead of router_latency_ps. */
    uint64_t switch_latency_ps;
    uint32_t nics;              /* NICs per node; each has a link of its own to a switch that the node is linked to */
    uint64_t startup_ps;        /* time that the source's NIC needs per message */
    uint64_t packet_startup_ps; /* time that the source's NIC needs per packet, before it asks for the first link */
    uint32_t packet_bytes;      /* payload of a packet; longer messages are cut into several packets */
    uint32_t header_bytes;      /* added to each packet */
    uint64_t seed;
    const NetLinkSpeed
        *speeds; /* links that differ from what the topology says; they must stay while the network does */
    uint32_t n_speeds;
    NetWormholeParams wormhole;
    NetLoggpParams loggp;
    NetEthernetParams ethernet;
    NetTransportParams transport;
    NetFaultParams faults;
    NetGraphFile *graph; /* topology "file": the graph that `file` holds; made and owned by the network */
    NetXgft *tree;       /* xgft and fat-tree: the levels; made and owned by the network */
} NetParams;

/* Chances are fractions of this: it stands for certainty. */
#define NET_CHANCE_ONE UINT64_C(1000000000000000000)

typedef struct Network Network;

/* Optional means for a client to save time. It gives the network these hints, and calls net_step_until(). None of them
 * changes a result. */
typedef struct NetFastPath {
    /* Says that a message will be delivered some events from now, so that the client can prefetch what it will need.
     * Called several times per message, with `stage` 0 first; a stage has some hundred nanoseconds. NULL: not called.
     */
    void (*expect)(void *user, uint64_t cookie, unsigned stage);
    /* The client always hands messages over ahead of time: net_send() is called before the network, and everything in
     * the same order of events, has reached the message's time. Models may then save an event. */
    bool sends_ahead;
    /* The client reads the counters of links only when nothing is under way, or after net_network_settle(). Models may
     * then leave out events that concern only the network. */
    bool settles;
    /* The client advances the network by net_step_before() alone, sends only at times up to which it has done so and
     * never in a callback, and does not mind in which order it is told of what happens at the same time. What becomes
     * of a message then needs no events of its own. */
    bool drives;
} NetFastPath;

/* Callbacks that report what happened to a message. net_step() calls them in event order, and they may send messages.
 * Any of them may be NULL. A cookie is the value that the client gave with the message. */
typedef struct NetClient {
    void *user; /* first argument of all callbacks */
    /* The last byte has left the source node. The owner of the send buffer may reuse it. */
    void (*sent)(void *user, uint64_t cookie, uint64_t time_ps);
    /* The last byte has arrived at the destination node. */
    void (*delivered)(void *user, uint64_t cookie, uint64_t time_ps);
    /* The network has given the message up and will report nothing more about it. `why` says which message it was,
     * where it was bound for, and what was in its way. `why` is valid only during the call. */
    void (*undeliverable)(void *user, uint64_t cookie, const char *why);
    /* A fatal deadlock has happened: no message under way moves any more. net_deadlock() explains it. */
    void (*deadlocked)(void *user);
    NetFastPath fast;
} NetClient;

/* Builds a network in O(nodes + links), plus what its routing has to compute. Returns NULL with an error (NET_ERROR) if
 * the parameters are impossible; the error begins with the key that is wrong. `params` and `client` are copied with
 * everything that they point to, except `user`. If `client` is NULL, nobody is told anything. */
Network *net_network_new(const NetParams *params, const NetClient *client, GError **error);
void net_network_free(Network *net);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, net_network_free)

/* Returns whether the parameters leave the number of nodes open. */
bool net_network_lacks_size(const NetParams *params);
/* Returns whether any number of nodes would do (loggp). */
bool net_network_takes_any_size(const NetParams *params);
uint32_t net_network_nodes(const Network *net);
const NetParams *net_network_params(const Network *net);

/* A message to send. */
typedef struct NetSend {
    uint32_t from, to; /* nodes; may be equal, then the message costs startup only */
    uint64_t bytes;    /* size; may be 0 */
    uint64_t time_ps;  /* when it is sent; not before the last processed event */
    /* Identifies the message in the client's callbacks. */
    uint64_t cookie;
    uint32_t nic;    /* the source's NIC, less than params->nics; the message arrives by the NIC of the same number */
    bool unreported; /* the client need not be told that the message has been sent; models may leave that event out */
    bool background; /* the message belongs to the background client; it uses NIC 0 and goes to another node */
} NetSend;
/* Hands a message to its source's NIC. */
void net_send(Network *net, const NetSend *send);
/* Sets a second client, which sends background traffic. Its messages share NICs and links with those of the first
 * client but are kept apart in reports. Observers do not learn who sent them. Only the callbacks delivered and
 * undeliverable are called, the latter with `why` NULL; both must be set. `client` is copied. */
void net_network_set_background(Network *net, const NetClient *client);
/* Returns whether the messages of one NIC to one node are always delivered in the order in which they were sent. */
bool net_in_order(const Network *net);
/* Returns the time of the next event, or UINT64_MAX when the network is idle. O(1). */
uint64_t net_next_time_with_failures(const Network *net);
static inline uint64_t net_next_time(const Network *net)
{
    const uint64_t *next_ps = *(const uint64_t *const *)(const void *)net; /* its first member: core/core.h */
    return next_ps ? *next_ps : net_next_time_with_failures(net);
}
/* Processes the earliest event. It calls the client's callbacks. */
void net_step(Network *net);
/* A faster form of net_step(). Processes the earliest event and then further ones before `before_ps`. It stops after
 * the first event that the client was told of, and after a limited number of events. Returns the number of events. If
 * the client acts in between, it does so at net_time_now(). */
uint32_t net_step_until(Network *net, uint64_t before_ps);
/* Processes all events before `before_ps`. */
void net_step_before(Network *net, uint64_t before_ps);
/* Returns the time of the last event. */
uint64_t net_time_now(const Network *net);

/* All events until `time_ps` have been processed, and none after it. The counters of the links become exact for that
 * time, including what the links are in the middle of. */
void net_network_settle(Network *net, uint64_t time_ps);

/* Returns whether all nodes share one medium, on which one node sends at a time. */
bool net_network_is_shared(const Network *net);
/* Returns whether the network has hardware broadcast and multicast, so that a message is sent once for several nodes.
 * Either the medium reaches all of them (bus, csma-cd), or switches make the copies (switched-ethernet). */
bool net_send_has_multicast(const Network *net);
/* Hands one message for the `n` nodes `to` to the source's NIC. The network must have multicast. The nodes are in
 * ascending order, send->to is the first of them, and send->from is not among them. A node may be named several times.
 * `delivered` is called for each node with its cookie, when the whole message has arrived there. `sent` is called once,
 * with send->cookie. The message may overtake other messages, and be overtaken. */
void net_send_multicast(Network *net, const NetSend *send, const uint32_t *to, const uint64_t *to_cookies, uint32_t n);

/* Returns a text that explains the cycle of channels if messages can no longer move (channel deadlock), else NULL. The
 * network owns the text. */
const char *net_deadlock(const Network *net);
/* Returns the number of deadlocks that were resolved by aborting a packet and sending it again. */
uint64_t net_deadlocks_resolved(const Network *net);
/* Returns a text that explains the first deadlock, or NULL. The network owns the text. */
const char *net_first_deadlock(const Network *net);

/* -- observing (watch.c) ----------------------------------------------------------------------- */

#define NET_NO_LINK         UINT32_MAX
#define NET_NOBODY          UINT64_MAX
#define NET_ACKNOWLEDGEMENT (UINT64_C(1) << 63)

/* A packet has used a link, or a virtual channel of one. The header was ready for the channel at asked_ps and was given
 * it at got_ps. It was at the other end at reached_ps; under wormhole switching this is the time if it went on at once.
 * The last bit of the packet was sent at left_ps. These times may lie in the future. */
typedef struct NetPassage {
    uint64_t message; /* the message's number, as NetObserver.accepted() returned it; NET_NOBODY: background traffic */
    /* Index of the packet in its message, from 0; with the bit NET_ACKNOWLEDGEMENT: the acknowledgement of that packet.
     */
    uint64_t packet;
    /* 1; or the number of packets that go as one flow; or 0 for a packet that was aborted (deadlock = resolve) */
    uint64_t packets;
    uint32_t hop;     /* index of the link on the packet's way, from 0 */
    uint32_t link;    /* the link; NET_NO_LINK: the model has no links, this is the NIC (loggp) */
    uint32_t channel; /* virtual channel; 0 if there is only one */
    uint64_t asked_ps, got_ps, reached_ps, left_ps;
    uint64_t bytes, busy_ps; /* bytes on the wire; time between got_ps and left_ps in which the link carried them */
    /* The message that had the channel before; NET_NOBODY if there was none or the packet did not wait. */
    uint64_t behind;
} NetPassage;

typedef struct NetAccepted { /* a message that was handed to a NIC */
    uint64_t cookie, bytes;
    uint32_t from, to;  /* nodes */
    uint64_t handed_ps; /* time of net_send() */
    uint64_t begun_ps;  /* the NIC takes the message up, and startup begins */
    uint64_t ready_ps;  /* startup is over */
} NetAccepted;

/* A listener that sees what messages do on their way. A multicast is one message to the first of its nodes. It counts
 * as arrived and delivered when it has reached the last of them, and its packets pass every link that they take. The
 * calls come in the order in which the network computes them, which depends only on what was sent. A listener cannot
 * change anything. All callbacks must be set, `waited` if `brief` is. */
typedef struct NetObserver {
    void *user;
    /* Returns the number by which the other calls name this message. It must not be NET_NOBODY. */
    uint64_t (*accepted)(void *user, const NetAccepted *message);
    void (*passed)(void *user, const NetPassage *passage);
    /* A packet begins (change 1) or ceases (change -1) to wait for a link at time_ps. The second call may never come.
     * No later call reports a time before since_ps. If the routing offers several links, the packet waits for each of
     * them. */
    void (*queued)(void *user, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps);
    /* The whole packet is at its destination. */
    void (*arrived)(void *user, uint64_t message, uint64_t packet, uint64_t time_ps);
    /* The message is handed over, either with its last packet or later, when its turn comes. */
    void (*delivered)(void *user, uint64_t message, uint64_t time_ps);
    /* Only waiting is of interest. The network may then leave out `arrived`, and `passed` for packets that did not wait
     * for the link, and need not set `packet` and `hop` of those that did. Instead of two calls of `queued` there may
     * be one of `waited`. Such calls for a link come in ascending order of both times. */
    bool brief;
    void (*waited)(void *user, uint32_t link, uint64_t from_ps, uint64_t to_ps);
} NetObserver;
/* Returns whether the switching model reports all of this. */
bool net_can_watch(const Network *net);
/* Sets the observer, which is copied. At most one is allowed, and it must be set before the first message. */
void net_watch(Network *net, const NetObserver *observer);

/* -- faults (failures.c, transport.c) ---------------------------------------------------------- */

/* Counts of losses, repetitions and failures. */
typedef struct NetFaultCounts {
    uint64_t lost, lost_bytes; /* packets that did not arrive, acknowledgements included; their bytes with headers */
    uint64_t resent, resent_bytes; /* packets that were sent again */
    uint64_t acknowledgements;     /* acknowledgements that were sent as packets of their own */
    uint64_t duplicates;           /* packets that arrived a second time */
    uint64_t undeliverable;        /* messages that were given up */
    uint64_t failures, repairs;    /* failures and repairs of links and routers so far */
} NetFaultCounts;
/* Fills `counts`. Returns false if nothing can fail, be lost or vary in this network. */
bool net_fault_counts(const Network *net, NetFaultCounts *counts);
/* Returns the text of the last `undeliverable` callback, or NULL if there was none. The network owns the text. */
const char *net_undeliverable(const Network *net);
/* Describes a failure, past or future, by its index from 0: "link (0,1)-(0,2) fails at 1 ms, is repaired at 2 ms".
 * Returns NULL if there is none with that index. The network owns the text. */
const char *net_failure(const Network *net, size_t index);
/* Returns whether one of the failures is of this link, or of a router at one of its ends. */
bool net_failure_of_link(const Network *net, uint32_t link);

/* -- structure, for drawing and reports -------------------------------------------------------- */

typedef struct NetLink { /* a link in one direction, and its counters */
    uint32_t from, to;   /* vertices: nodes are 0 .. nodes - 1, switches follow */
    uint32_t partner;    /* half duplex: the opposite link that shares the medium; UINT32_MAX: none */
    bool half;           /* half duplex */
    bool failed;         /* it has failed and has not been repaired yet */
    uint64_t bandwidth;  /* bytes per second */
    uint64_t latency_ps; /* propagation delay */
    /* What the link has carried. */
    uint64_t bytes, packets;
    uint64_t busy_ps;    /* time in which the link was carrying data or was held */
    uint64_t blocked_ps; /* time that packets waited for the link */
} NetLink;

/* What a switching model has counted in addition: collisions, pause frames and so on. Where packets can be lost, the
 * losses are counted here too. */
typedef enum NetCounterKind { NET_COUNTER_NUMBER, NET_COUNTER_TIME, NET_COUNTER_BYTES } NetCounterKind;
/* A counter of the network, with its value. */
typedef struct NetCounter {
    const char *key;  /* name for programs: "pauses" */
    const char *text; /* description for people: "pause frames that stopped a link" */
    NetCounterKind kind;
    uint64_t value; /* in picoseconds, in bytes, or a plain number, by `kind` */
} NetCounter;
enum { NET_MAX_COUNTERS = 24 };
/* Fills `counters` and returns how many there are. */
uint32_t net_network_counters(const Network *net, NetCounter counters[NET_MAX_COUNTERS]);

uint32_t net_vertex_count(const Network *net); /* nodes plus switches */
uint32_t net_link_count(const Network *net);
/* Returns the number of virtual channels of a link that messages can use; 0 if the model does not use links. */
uint32_t net_link_channels(const Network *net);
const NetLink *net_link(const Network *net, uint32_t index);
/* Returns a name for people: "(1,2)" in a mesh, "node 5", "switch 3". The caller frees it with g_free(). */
char *net_vertex_name(const Network *net, uint32_t vertex);
/* How text reports draw a topology. SWITCHES is the general form, which lists what hangs below each switch. */
typedef enum NetDrawing {
    NET_DRAWING_SWITCHES,
    NET_DRAWING_ROW,
    NET_DRAWING_RING,
    NET_DRAWING_PLANES, /* a grid, one plane after the other */
    NET_DRAWING_CUBE,
    NET_DRAWING_BUS,
    NET_DRAWING_CROSSBAR,
    NET_DRAWING_FULL,
    NET_DRAWING_STAR,
} NetDrawing;
NetDrawing net_network_drawing(const Network *net);
/* Sets the vertex's position in a drawing, in units of the distance between two nodes. */
void net_vertex_position(const Network *net, uint32_t vertex, double *x, double *y);
/* Finds the links that a message passes. Returns the number of hops and writes at most `max` of them to `links`. If the
 * routing has a choice, this is the path that a first packet would take in an empty network. Returns 0 if failures have
 * cut the destination off. */
uint32_t net_route(const Network *net, uint32_t from, uint32_t to, uint32_t *links, uint32_t max);
/* Returns whether messages always take a shortest path. */
bool net_network_takes_shortest(const Network *net);
/* Returns whether all packets between two nodes take the same path. */
bool net_has_one_path(const Network *net);
/* Returns the number of hops between the two nodes that are farthest apart, by shortest paths. O(nodes * links) if
 * there is no closed form. */
uint32_t net_distance_diameter(const Network *net);
/* Returns the mean number of hops between two different nodes, by shortest paths. O(nodes * links). */
double net_distance_average(const Network *net);
/* Returns the least number of links, in one direction, that separate the lower half of the nodes from the upper half (a
 * maximum flow). */
uint32_t net_bisection(const Network *net);
/* As net_bisection(), and marks these links in `crosses`, indexed by link. `down` selects the direction from the upper
 * half to the lower. */
uint32_t net_bisection_links(const Network *net, bool down, bool *crosses);
/* Returns the time of one message of `bytes` in an empty network, from net_send() to delivered(). */
uint64_t net_zero_load_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);
/* The same up to sent(): its last byte has left. This builds and runs a network. */
uint64_t net_zero_load_sent_ps(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);
/* Returns whether net_zero_load_ps() has a closed form, in time proportional to the hops. If not, each answer builds
 * and runs a network. */
bool net_zero_load_is_known(const Network *net);

/* -- networks that are grids (grid_coordinates.c) ------------------------------------------------------- */

#define NET_GRID_DIMENSIONS 24 /* enough for the largest possible hypercube */

/* The shape of a network that is a grid. */
typedef struct NetGrid {
    uint32_t n; /* number of dimensions */
    uint32_t extents[NET_GRID_DIMENSIONS];
    bool wraps; /* the two ends of every row are linked */
} NetGrid;

/* Returns whether the network is a linear array, ring, mesh, torus or hypercube. If so, fills `grid` (network.c). */
bool net_network_grid(const Network *net, NetGrid *grid);
/* Converts between a node's number and its coordinates. Nodes are numbered in row-major order. */
void net_grid_split(const NetGrid *grid, uint32_t node, uint32_t *coordinates);
uint32_t net_grid_join(const NetGrid *grid, const uint32_t *coordinates);
/* Returns the number of hops of a shortest path. Dimension order takes as many. */
uint32_t net_grid_hops(const NetGrid *grid, uint32_t from, uint32_t to);

/* Returns the picoseconds that `bytes` take at a bandwidth in bytes per second, rounded up. The result is limited so
 * that sums of such times do not overflow. */
uint64_t net_serialise(uint64_t bytes, uint64_t bandwidth);

/* Return lists of names: NULL-terminated, static arrays. */
const char *const *net_topologies(void);
const char *const *net_routings(void);
const char *const *net_models(void);
/* Parses "dragonfly(p=2,a=4,h=2)", "mesh(4,4)" or a bare name into topology (a static string), dims and n_dims. */
bool net_topology_parse(const char *text, NetParams *params, GError **error);
/* Returns whether the topology has 2 to the power of dims nodes (hypercube). */
bool net_topology_is_power(const char *name);

#endif
