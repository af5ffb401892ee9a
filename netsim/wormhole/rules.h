/* rules.h - the rules of wormhole switching that both engines obey. Two-phase: in each cycle all decisions are made
 * on the state at its beginning, then all of them take effect, so the order in which links are looked at cannot matter.
 *
 * Time is cut into cycles of one flit's serialisation on the fastest link; other times are rounded up to whole cycles:
 * S for a flit's serialisation on a link (1 on the fastest), D for its time of flight, R(v) for the routing pipeline of
 * vertex v, K for the delay of a credit. Cycle c covers [c, c+1) * cycle_ps and is worked out at its end.
 *
 *   NIC of node n --+                 +--> link l: V virtual channels --(S + D)--> V buffers of B flits at its end
 *                   |   router at v   |
 *   buffers of the -+-----------------+--> ...                          ^                       |
 *   links into v                                                         +--- credits, 1 per slot +
 *
 *  1. A flit that is sent in cycle c may be sent on from the next vertex v in cycle c + S + D + R(v). At its
 *     destination it is taken out at the end of cycle c + S - 1 + D, which is when it is delivered: one flit per cycle
 *     from every buffer, or, where ejection is limited to E flits, from the first E of the node's buffers that have
 *     one, in the order of channel numbers from the one after the last served.
 *  2. A header at the front of a buffer (or of a NIC) asks the routing for links and classes of channels. The headers
 *     that wait are served in the order (cycle of asking, channel number); under oldest-first, (time at which the
 *     message was ready, channel number). Each takes, of its candidates, the one with most free channels, the first one
 *     where several have; an escape candidate only where no other has any. A channel is free if nobody owns it and it
 *     has a credit (with escape candidates about: all its credits, so that no packet stands behind another's tail).
 *     Of the free channels of the class it takes the lowest; under round-robin, the next after the one given last on
 *     that link. From its grant to its tail a packet owns the channel.
 *  3. Each cycle a link carries one flit: of its channels whose owner has a flit and which have a credit, the next one
 *     after the one that sent last (round robin). A header may be granted and sent in the same cycle. The link is then
 *     busy for S cycles. A half-duplex link and its opposite share one medium: the turns go round both's channels.
 *  4. Channels given back in cycle c count from cycle c + 1, credits from cycle c + 1 + K.
 *  5. A NIC has C injection channels. Each has one packet at a time and sends at most one flit of it per cycle; where
 *     one is idle, the lowest of them takes the NIC's next packet, in order, and can send it when the packet's startup
 *     has passed. Where injection is limited to I flits, of
 *     the injection channels whose flits links have chosen in a cycle the first I send them, in the order of their
 *     numbers from the one after the last served; the links of the others have had their turn and carry nothing.
 *  6. Messages between the same two nodes (and NICs) are handed over in the order in which they were sent, even if a
 *     later one overtook an earlier one on another virtual channel.
 *  7. Where packets can wait for each other in a circle, a detector looks at the end of every cycle that is a multiple
 *     of T. The front of a channel can go on if it owns no channel and is not waiting; if it owns one whose front can
 *     go on; or if it waits, and one of the channels that would do has or will have what it takes (rule 2) or its front
 *     can go on. What cannot is stuck for ever, whatever else moves (a knot of the channel wait-for graph: Warnakula-
 *     suriya and Pinkston, 1997). From the lowest stuck channel with a waiting header the detector goes to the channel
 *     that is owned or, of those waited for, the first; where that closes is the circle. Under `fatal` the network
 *     stops then. Under `resolve` the youngest of the packets whose headers wait in the circle is aborted (rule 8); age
 *     goes by the time at which the message was ready, then source, then number at the source. Then the detector looks
 *     again, until nothing is stuck.
 *  8. When a packet is aborted at the end of cycle c, its flits leave all buffers and its channels are given back, as
 *     if all were sent on in cycle c (rule 4). What is left of it in its NIC is put together again with the rest: its
 *     injection channel, or if it has left it the next that is idle, before any new packet, sends it again from cycle
 *     c + 1 + A + R(source), A being the delay of a retry. It keeps its age, so the oldest packet under way is never
 *     aborted in a deadlock and arrives; then the next one is the oldest: nothing is aborted for ever.
 *
 *  9. When a link fails or works again at time t, that is between the cycles that end before t and the others, in order
 *     of links. Packets that own one of its channels or have flits in the buffers at its end are lost: their flits
 * leave all buffers, as in rule 8, and their NIC. Headers that wait ask the routing again; where it has no way for one,
 * or has none for a header in the cycle in which that asks, the packet is lost, at the end of that cycle, in the order
 *     of channels.
 *
 * Channels are numbered link * V + vc; after those come the NICs' injection channels, C for each NIC of node 0, then of
 * node 1. A class of channels is an equal share of them unless the routing says otherwise; under message-class,
 * messages of one packet have the upper half of each class and longer ones the lower.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_H
#define ORRERY_NETSIM_WORMHOLE_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

extern const NetModel net_model_wormhole, net_model_wormhole_reference;

typedef struct NetWormhole {
    uint32_t virtual_channels, buffer_flits, classes;
    uint32_t link_channels;                       /* links * V: the first injection channel's number */
    uint32_t channels;                            /* with those of NICs */
    uint32_t nics;                                /* in all */
    uint32_t node_nics;                           /* of a node */
    uint32_t injection_channels, injection_flits; /* C, I of a NIC; I is 0: no limit */
    uint64_t cycle_ps;
    uint64_t router_cycles, switch_cycles; /* R of a router, of a switch */
    uint64_t credit_cycles;                /* K */
    uint32_t ejection_flits;               /* E; 0: no limit */
    uint64_t deadlock_cycles;              /* T; 0: nothing can wait in a circle */
    uint64_t retry_cycles;                 /* A */
    uint64_t packet_cycles;                /* of a NIC for each packet, before it can be sent */
    bool resolves;                         /* deadlocks, by aborts */
    NetAllocation allocation;
    bool whole_buffers; /* a channel is free only with all its credits */
    bool half_duplex;   /* somewhere */
    uint32_t nodes;
    bool node_is_hub;
    uint64_t class_share[NET_MAX_CHANNELS]; /* virtual channels of a class, as bits */
    uint32_t class_of[NET_MAX_CHANNELS];    /* by virtual channel */
} NetWormhole;

void net_wormhole_init(NetWormhole *rules, const Network *net);
uint32_t net_wormhole_counters(const Network *net, NetCounter *counters);
/* Messages between two nodes are handed over in order (rule 6): here, or by the transport that made packets of them. */
void net_wormhole_begin(Network *net, NetOrder *order, uint32_t message);
void net_wormhole_arrived(Network *net, NetOrder *order, uint32_t message);
bool net_wormhole_check(const Network *net, GError **error);
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);

/* D and S of a link. */
uint64_t net_wormhole_flight(const NetWormhole *rules, const NetLink *link);
uint64_t net_wormhole_period(const NetWormhole *rules, const Network *net, const NetLink *link);

static inline uint64_t net_wormhole_routing_cycles(const NetWormhole *rules, uint32_t vertex)
{
    bool is_switch = vertex >= rules->nodes || (rules->node_is_hub && vertex == 0); /* as net_vertex_is_switch() */
    return is_switch ? rules->switch_cycles : rules->router_cycles;
}
/* The first cycle that begins at or after a time. */
static inline uint64_t net_wormhole_cycle_from(const NetWormhole *rules, uint64_t time_ps)
{
    return time_ps / rules->cycle_ps + (time_ps % rules->cycle_ps != 0);
}

/* The NIC that an injection channel belongs to, and its node. */
static inline uint32_t net_wormhole_nic(const NetWormhole *rules, uint32_t channel)
{
    assert(channel >= rules->link_channels);
    return (channel - rules->link_channels) / rules->injection_channels;
}
static inline uint32_t net_wormhole_node(const NetWormhole *rules, uint32_t channel)
{
    return net_wormhole_nic(rules, channel) / rules->node_nics;
}

/* The first cycle that has not been worked out when something fails now. */
static inline uint64_t net_wormhole_cycle_at(const NetWormhole *rules, uint64_t time_ps)
{
    uint64_t cycle = net_wormhole_cycle_from(rules, time_ps);
    return cycle ? cycle - 1 : 0;
}

/* -- packets ----------------------------------------------------------------------------------- */

typedef struct NetPacket {
    uint32_t message;
    uint32_t flits;
    uint32_t from, to;
    uint32_t via;    /* NET_NONE: none */
    uint32_t index;  /* in the message */
    uint32_t serial; /* counts those of its NIC */
    uint8_t nic;
    bool is_long;    /* of a message of several packets */
    bool has_left;   /* its NIC, at least once */
    uint64_t number; /* random, its own */
    uint64_t ready_ps;
    uint64_t wire_bytes;
} NetPacket;

typedef struct NetPackets {
    NetPacket *packet;
    BasePool places;
    uint32_t alive;
} NetPackets;

uint32_t net_wormhole_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index,
                                  uint32_t serial);
void net_wormhole_packets_release(NetPackets *packets, uint32_t packet);

/* Virtual channels of a class that a packet may have, as bits. */
uint64_t net_wormhole_share(const NetWormhole *rules, const NetPacket *packet, uint32_t channel_class);
/* What the packet's header, at the front of `channel` in `vertex`, asks for. */
NetQuery net_wormhole_query(const NetWormhole *rules, const NetPacket *packet, uint32_t channel, uint32_t vertex);
/* The best of the candidates, by how many channels of each are free: NET_NONE if none is. */
uint32_t net_wormhole_best(const NetHop *hops, const uint64_t *free_channels, uint32_t count);
/* Of these free virtual channels, the one that is given; `last` is the one given last on the link. */
uint32_t net_wormhole_pick(const NetWormhole *rules, uint64_t free_channels, uint32_t last);

/* A packet's tail has been sent through a channel, in `cycle`: observers are told. */
void net_wormhole_tell_release(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                               uint32_t channel, uint64_t cycle);

/* It has been taken out of the network, and has this channel no more: it has had it for nothing. */
void net_wormhole_tell_abort(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                             uint32_t channel, uint64_t cycle);

/* -- NICs: the queue of messages, turned into packets (nics.c) ------------------------ */

typedef struct NetNic {
    NetFifo waiting;      /* messages of which packets have not begun */
    uint32_t serial;      /* packets so far */
    uint32_t last_served; /* injection channel */
} NetNic;

typedef struct NetSource { /* an injection channel */
    uint32_t packet;       /* being sent, or NET_NONE */
    uint32_t flit;         /* next of it */
    uint64_t ready;        /* cycle from which it may go */
} NetSource;

typedef struct NetRetry {
    uint32_t nic, packet;
    uint64_t ready; /* as above */
} NetRetry;

typedef struct NetNics {
    NetNic *nic;
    NetSource *source; /* by channel, less rules->link_channels */
    GArray *retries;   /* NetRetry: aborted packets that no injection channel has yet, in that order */
    uint8_t *turn;     /* of net_nics_limit(): by channel, as source */
} NetNics;

void net_nics_init(NetNics *nics, const NetWormhole *rules);
void net_nics_clear(NetNics *nics);
static inline NetSource *net_nics_source(const NetNics *nics, const NetWormhole *rules, uint32_t channel)
{
    assert(channel >= rules->link_channels && channel < rules->channels);
    return &nics->source[channel - rules->link_channels];
}
/* A message is there. */
void net_nics_add(NetNics *nics, Network *net, uint32_t message);
/* Gives one of the NIC's idle injection channels a packet. Answers the channel, or NET_NONE: no more to be done. */
uint32_t net_nics_load(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t nic);
/* A tail has gone, in `cycle`; the injection channel is idle. After a message's last, SENT is announced. */
void net_nics_sent(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t channel,
                   uint64_t cycle);
/* A packet has been aborted at the end of `cycle`. Answers the injection channel that has it then, or NET_NONE. */
uint32_t net_nics_retry(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                        uint64_t cycle);
typedef struct NetSending {
    uint32_t channel; /* of a link, through which it has chosen to send */
    uint32_t from;    /* the channel from which */
    bool may;
} NetSending;
/* A packet is nowhere but, perhaps, in its NIC, and is lost there, too (NetLoss). Answers the injection channel that
 * has another one instead, or NET_NONE. */
uint32_t net_nics_lose(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                       NetLoss why, uint32_t link);
/* Where injection is limited: of the links that have chosen in a cycle, which may carry their flit (rule 5). */
void net_nics_limit(NetNics *nics, const NetWormhole *rules, NetSending *sending, uint32_t count);

/* -- deadlock (deadlock.c) ------------------------------------------------------------ */

/* A channel at the end of a cycle. */
typedef struct NetStanding {
    uint32_t owner;  /* the channel whose front packet owns it, or NET_NONE */
    uint32_t output; /* the channel that its front packet owns, or NET_NONE */
    uint32_t holder; /* if `output`: that packet. If `waiting`: the packet whose header waits */
    uint32_t places; /* free in its buffer, those included whose credits are on their way */
    uint32_t vertex; /* where its buffer is */
    bool waiting;
} NetStanding;
typedef NetStanding NetStandingFunction(const Network *net, uint32_t channel);

typedef struct NetStuck {
    uint32_t victim;  /* packet that should be aborted */
    uint32_t *circle; /* channels */
    uint32_t length;
} NetStuck;
/* Whether anything is stuck (rule 7); what, to be cleared. */
bool net_wormhole_find_stuck(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                             NetStandingFunction *standing, NetStuck *stuck);
void net_wormhole_stuck_clear(NetStuck *stuck);
/* The detector has found this: the client is told, if it is fatal; the first one is kept as text. */
void net_wormhole_report_stuck(Network *net, const NetWormhole *rules, const NetPackets *packets,
                               NetStandingFunction *standing, const NetStuck *stuck);
/* The first cycle after this one in which the detector looks. */
static inline uint64_t net_wormhole_next_look(const NetWormhole *rules, uint64_t cycle)
{
    return (cycle / rules->deadlock_cycles + 1) * rules->deadlock_cycles;
}

#endif
