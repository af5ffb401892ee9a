/* rules.h - the rules of wormhole switching that both engines obey. Two-phase: in each cycle all decisions are made on
 * the state at its beginning, and then all of them take effect. So the order in which links are looked at cannot
 * matter.
 *
 * Time is cut into cycles of one flit's serialisation on the fastest link. Other times are rounded up to whole cycles:
 * S for a flit's serialisation on a link (1 on the fastest), D for its propagation delay, R(v) for the routing pipeline
 * of vertex v, K for the delay of a credit. Cycle c covers [c, c+1) * cycle_ps and is computed at its end.
 *
 *   NIC of node n --+                 +--> link l: V virtual channels --(S + D)--> V buffers of B flits at its end
 *                   |   router at v   |
 *   buffers of the -+-----------------+--> ...                          ^                       |
 *   links into v                                                         +--- credits, 1 per slot +
 *
 *   1. A flit that is sent in cycle c may be sent on from the next vertex v in cycle c + S + D + R(v). At its
 *      destination it is taken out at the end of cycle c + S - 1 + D, and is then delivered. One flit per cycle is
 *      taken from every buffer. If ejection is limited to E flits, they are taken from the first E of the node's
 *      buffers that have one, in the order of channel numbers, from the one after the last served.
 *   2. A header at the front of a buffer (or of a NIC) asks the routing for links and classes of channels. Waiting
 *      headers are served in the order (cycle of asking, channel number); under oldest-first, in the order (time at
 *      which the message was ready, channel number). Each header takes the candidate with most free channels, the
 *      first one if several have most. It takes an escape candidate only if no other has a free channel. A channel
 *      is free if nobody owns it and it has a credit. If there are escape candidates it must have all its credits,
 *      so that no packet stands behind another's tail. The header takes the lowest free channel of the class; under
 *      round-robin, the next after the one given last on that link. From its grant to its tail a packet owns the
 *      channel.
 *   3. Each cycle a link carries one flit. It serves, in turns (round robin), those of its channels whose owner has
 *      a flit and which have a credit, from the channel after the one that sent last. A header may be granted and
 *      sent in the same cycle. The link is then busy for S cycles. A half-duplex link and its opposite share one
 *      medium: the turns go round the channels of both.
 *   4. Channels given back in cycle c count from cycle c + 1, credits from cycle c + 1 + K.
 *   5. A NIC has C injection channels. Each holds one packet at a time and sends at most one flit of it per cycle.
 *      The lowest idle channel takes the NIC's next packet, in order. It can send the packet when the packet's
 *      startup has passed. If injection is limited to I flits, consider the injection channels whose flits links
 *      have chosen in a cycle. The first I of them send, in the order of their numbers, from the one after the last
 *      served. The links of the others have had their turn and carry nothing.
 *   6. Messages between the same two nodes (and NICs) are handed over in the order in which they were sent, even if
 *      a later one overtook an earlier one on another virtual channel.
 *   7. If packets can wait for each other in a circle of channels, a detector looks at the end of every cycle that is
 *      a multiple of T. The front of a channel can go on in these cases: it owns no channel and is not waiting; it
 *      owns a channel whose front can go on; or it waits, and one of the channels that it would take has or will
 *      have what it needs (rule 2), or has a front that can go on. Everything else is stuck for ever, whatever else
 *      moves (a knot of the channel wait-for graph: Warnakulasuriya and Pinkston, 1997). From the lowest stuck
 *      channel with a waiting header the detector goes to the channel that is owned or, of those waited for, the
 *      first. Where this path closes is the circle of channels. Under `fatal` the network stops then. Under `resolve`
 *      the youngest packet whose header waits in this circle of channels is aborted (rule 8). Age goes by the time at
 *      which the message was ready, then by source, then by number at the source. Then the detector looks again,
 *      until nothing is stuck.
 *   8. When a packet is aborted at the end of cycle c, its flits leave all buffers and its channels are given back,
 *      as if all were sent on in cycle c (rule 4). Its NIC has the whole packet again. Its injection channel sends
 *      it again; if the packet had left that channel, the next idle one does so, before any new packet. This happens
 *      from cycle c + 1 + A + R(source), where A is the delay of a retry. The packet keeps its age. So the oldest
 *      packet under way is never aborted in a deadlock and arrives; then the next one is the oldest. Therefore
 *      nothing is aborted for ever.
 *   9. When a link fails or works again at time t, this takes effect between the cycles that end before t and the
 *      others, in order of links. Packets that own one of its channels or have flits in the buffers at its end are
 *      lost: their flits leave all buffers, as in rule 8, and their NIC. Waiting headers ask the routing again. A
 *      packet is lost if the routing has no way for it then, or has none in the cycle in which its header asks. That
 *      happens at the end of the cycle, in the order of channels.
 *  10. Under a vc-allocator, each router has an allocator (allocators.h) that gives channels instead of rule 2. In each
 *      cycle, each waiting header takes the candidate that rule 2 says, if any has free channels, and asks for all of
 *      these. Inputs are the channels whose buffers are at the router, outputs are those of the links that leave it.
 *      Nothing that is given in a cycle counts in it.
 *  11. Under a switch-allocator, each router has an allocator that says which flits pass, instead of the turns in rule
 *      3. Inputs are its ports, outputs the links that leave it. A port is an entering link or a NIC; so of all
 *      buffers of a link, and of all injection channels of a NIC, one flit passes per cycle. A port asks for a link if
 *      one of its packets could be sent through it, as in rule 3, and the link is not busy. Of these packets the next
 *      in turn is sent, by the numbers of their channels. A packet that gets its channel in cycle c can be sent from
 *      cycle c + 1 on. Destinations take flits out of all buffers, past the switch (rule 1).
 *  12. With speculation, a header that asks for channels in cycle c asks for the switch, too: for the link that it has
 *      chosen under rule 10; without a vc-allocator, for that of the channel which it gets in cycle c. A second
 *      allocator, with turns of its own, considers only ports and links that the first has left over. If the header
 *      whose turn it is gets no channel in this cycle, nothing is sent in its place.
 *
 * Channels are numbered link * V + vc. After those come the injection channels of the NICs, C for each NIC of node 0,
 * then of node 1 and so on. A class of channels is an equal share of them unless the routing says otherwise. Under
 * message-class, messages of one packet have the upper half of each class, and longer messages the lower half.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_H
#define ORRERY_NETSIM_WORMHOLE_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/allocators.h"

extern const NetModel net_model_wormhole, net_model_wormhole_reference;

/* The parameters of wormhole switching, in cycles and flits. The letters are those of the rules above. */
typedef struct NetWormhole {
    uint32_t virtual_channels, buffer_flits, classes;
    uint32_t link_channels;                       /* links * V: number of the first injection channel */
    uint32_t channels;                            /* number of all channels, those of NICs included */
    uint32_t nics;                                /* number of NICs in the network */
    uint32_t node_nics;                           /* NICs per node */
    uint32_t injection_channels, injection_flits; /* C and I of a NIC; I is 0: no limit */
    uint64_t cycle_ps;
    uint64_t cycle_inverse;                /* 2^64 / cycle_ps, rounded down */
    uint64_t router_cycles, switch_cycles; /* R of a router, R of a switch */
    uint64_t credit_cycles;                /* K */
    uint32_t ejection_flits;               /* E; 0: no limit */
    uint64_t deadlock_cycles;              /* T; 0: packets cannot wait in a circle of channels */
    uint64_t retry_cycles;                 /* A */
    uint64_t packet_cycles;                /* time that a NIC needs for each packet before it can be sent */
    bool resolves;                         /* deadlocks are resolved by aborts */
    NetAllocation allocation;
    NetAllocator vc_allocator, switch_allocator; /* rules 10 and 11 */
    uint32_t iterations;
    bool speculates;    /* rule 12 */
    bool whole_buffers; /* a channel is free only if it has all its credits */
    bool half_duplex;   /* some link is half duplex */
    uint32_t nodes;
    bool node_is_hub;
    uint64_t class_share[NET_MAX_CHANNELS]; /* virtual channels of a class, as a bit set */
    uint32_t class_of[NET_MAX_CHANNELS];    /* class of a virtual channel */
} NetWormhole;

void net_wormhole_init(NetWormhole *rules, const Network *net);
uint32_t net_wormhole_counters(const Network *net, NetCounter *counters);
/* net_wormhole_begin() is called when a message has been given to its NIC, net_wormhole_arrived() for each of its
 * packets that has arrived. Messages between two nodes are handed over in order (rule 6). If there is a transport, it
 * keeps the order, and `order` is not used. */
void net_wormhole_begin(Network *net, NetOrder *order, uint32_t message);
void net_wormhole_arrived(Network *net, NetOrder *order, uint32_t message);
bool net_wormhole_check(const Network *net, GError **error);
bool net_wormhole_check_links(const Network *net, GError **error);
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);

/* Return D and S of a link. */
uint64_t net_wormhole_flight(const NetWormhole *rules, const NetLink *link);
uint64_t net_wormhole_period(const NetWormhole *rules, const Network *net, const NetLink *link);

static inline uint64_t net_wormhole_routing_cycles(const NetWormhole *rules, uint32_t vertex)
{
    bool is_switch = vertex >= rules->nodes || (rules->node_is_hub && vertex == 0); /* as net_vertex_is_switch() */
    return is_switch ? rules->switch_cycles : rules->router_cycles;
}
/* Returns the number of cycles that have ended at a time, and sets what is left. A product with the inverse is short of
 * the quotient by less than 2, and much quicker than a division. */
static inline uint64_t net_wormhole_cycles(const NetWormhole *rules, uint64_t time_ps, uint64_t *left_ps)
{
    uint64_t cycles = (uint64_t)((unsigned __int128)time_ps * rules->cycle_inverse >> 64);
    uint64_t left = time_ps - cycles * rules->cycle_ps;
    for (; left >= rules->cycle_ps; left -= rules->cycle_ps)
        cycles++;
    *left_ps = left;
    return cycles;
}
/* Returns the first cycle that begins at or after a time. */
static inline uint64_t net_wormhole_cycle_from(const NetWormhole *rules, uint64_t time_ps)
{
    uint64_t left_ps;
    uint64_t cycles = net_wormhole_cycles(rules, time_ps, &left_ps);
    return cycles + (left_ps != 0);
}

/* Return the NIC that an injection channel belongs to, and the node of that NIC. */
static inline uint32_t net_wormhole_nic(const NetWormhole *rules, uint32_t channel)
{
    assert(channel >= rules->link_channels);
    uint32_t source = channel - rules->link_channels;
    return rules->injection_channels == 1 ? source : source / rules->injection_channels;
}
static inline uint32_t net_wormhole_node(const NetWormhole *rules, uint32_t channel)
{
    return net_wormhole_nic(rules, channel) / rules->node_nics;
}

/* Returns the first cycle that has not been computed yet when something fails at `time_ps`. */
static inline uint64_t net_wormhole_cycle_at(const NetWormhole *rules, uint64_t time_ps)
{
    uint64_t cycle = net_wormhole_cycle_from(rules, time_ps);
    return cycle ? cycle - 1 : 0;
}

/* -- packets ----------------------------------------------------------------------------------- */

/* A packet in a NIC or in the network. */
typedef struct NetPacket {
    uint32_t message;
    uint32_t flits;
    uint32_t from, to;
    uint32_t via;    /* vertex that it is sent to first, or NET_NONE */
    uint32_t index;  /* index in its message */
    uint32_t serial; /* number among the packets of its NIC */
    uint8_t nic;
    bool is_long;    /* its message has several packets */
    bool has_left;   /* it has left its NIC at least once */
    uint64_t number; /* random number of this packet */
    uint64_t ready_ps;
    uint64_t wire_bytes;
} NetPacket;

typedef struct NetPackets {
    NetPacket *packet;
    BasePool places;
    uint32_t alive; /* number of packets that exist now */
    /* The last packet made: its bytes and flits. Most are of the same size. */
    uint64_t last_bytes;
    uint32_t last_flits;
} NetPackets;

/* Returns the flits of a packet with so many bytes on the wire. */
uint32_t net_wormhole_flits(NetPackets *packets, const Network *net, uint64_t bytes);
uint32_t net_wormhole_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index,
                                  uint32_t serial);
void net_wormhole_packets_release(NetPackets *packets, uint32_t packet);

/* Returns the virtual channels of a class that a packet may have, as a bit set. */
uint64_t net_wormhole_share(const NetWormhole *rules, const NetPacket *packet, uint32_t channel_class);
/* Returns the query for the packet whose header is at the front of `channel` in `vertex`. */
NetQuery net_wormhole_query(const NetWormhole *rules, const NetPacket *packet, uint32_t channel, uint32_t vertex);
/* Returns the best of the candidates, given the free channels of each; NET_NONE if none has any. */
uint32_t net_wormhole_best(const NetHop *hops, const uint64_t *free_channels, uint32_t count);
/* Returns which of these free virtual channels is given. `last` is the one given last on the link. */
uint32_t net_wormhole_pick(const NetWormhole *rules, uint64_t free_channels, uint32_t last);

/* Tells observers that a packet's tail was sent through a channel in `cycle`. */
void net_wormhole_tell_release(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                               uint32_t channel, uint64_t cycle);

/* Tells observers that a packet was aborted and no longer has this channel, which it has held in vain. */
void net_wormhole_tell_abort(Network *net, const NetWormhole *rules, const NetPackets *packets, uint32_t packet,
                             uint32_t channel, uint64_t cycle);

/* -- NICs: the queue of messages, turned into packets (nics.c) ------------------------ */

/* A NIC's queue of messages. */
typedef struct NetNic {
    NetFifo waiting;      /* messages that have packets which have not begun to leave */
    uint32_t serial;      /* number of packets so far */
    uint32_t last_served; /* the injection channel that was served last */
} NetNic;

typedef struct NetSource { /* an injection channel */
    uint32_t packet;       /* packet that is being sent, or NET_NONE */
    uint32_t flit;         /* next flit of the packet */
    uint64_t ready;        /* cycle from which the packet may be sent */
} NetSource;

/* An aborted packet that waits to be sent again. */
typedef struct NetRetry {
    uint32_t nic, packet;
    uint64_t ready; /* cycle from which the packet may be sent */
} NetRetry;

/* The NICs of the network and their injection channels. */
typedef struct NetNics {
    NetNic *nic;
    NetSource *source; /* by channel number - rules->link_channels */
    GArray *retries;   /* NetRetry: aborted packets that have no injection channel yet, in this order */
    uint8_t *turn;     /* work space of net_nics_limit(), indexed as `source` */
} NetNics;

void net_nics_init(NetNics *nics, const NetWormhole *rules);
void net_nics_clear(NetNics *nics);
static inline NetSource *net_nics_source(const NetNics *nics, const NetWormhole *rules, uint32_t channel)
{
    assert(channel >= rules->link_channels && channel < rules->channels);
    return &nics->source[channel - rules->link_channels];
}
/* Hands a message to its NIC. */
void net_nics_add(NetNics *nics, Network *net, uint32_t message);
/* Gives a packet to one of the NIC's idle injection channels. Returns that channel, or NET_NONE if there is nothing to
 * do. */
uint32_t net_nics_load(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t nic);
/* The tail of a channel's packet was sent in `cycle`, so the injection channel becomes idle. After the last packet of a
 * message, SENT is announced. */
void net_nics_sent(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t channel,
                   uint64_t cycle);
/* A packet was aborted at the end of `cycle`. Returns the injection channel that has it now, or NET_NONE. */
uint32_t net_nics_retry(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                        uint64_t cycle);
/* A link that has chosen to send a flit in this cycle. */
typedef struct NetSending {
    uint32_t channel; /* channel of a link, through which the link has chosen to send */
    uint32_t from;    /* channel from which the flit comes */
    bool may;         /* result: the flit may be sent */
} NetSending;
/* A packet has been lost in the network (NetLoss), and is taken out of its NIC too, if it is still there. Returns the
 * injection channel that now has another packet instead, or NET_NONE. */
uint32_t net_nics_lose(NetNics *nics, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t packet,
                       NetLoss why, uint32_t link);
/* For limited injection: decides which of the links that have chosen in a cycle may carry their flit (rule 5). */
void net_nics_limit(NetNics *nics, const NetWormhole *rules, NetSending *sending, uint32_t count);

/* -- deadlock (deadlock.c) ------------------------------------------------------------ */

/* The state of a channel at the end of a cycle. */
typedef struct NetStanding {
    uint32_t owner;  /* the channel whose front packet owns it, or NET_NONE */
    uint32_t output; /* the channel that its front packet owns, or NET_NONE */
    uint32_t holder; /* if `output`: that packet; if `waiting`: the packet whose header waits */
    uint32_t places; /* free slots in its buffer, including those whose credits are on their way */
    uint32_t vertex; /* vertex where its buffer is */
    bool waiting;
} NetStanding;
typedef NetStanding NetStandingFunction(const Network *net, uint32_t channel);

/* What the detector has found. */
typedef struct NetStuck {
    uint32_t victim;  /* packet that has to be aborted */
    uint32_t *circle; /* the channels that wait for each other */
    uint32_t length;
} NetStuck;
/* Returns whether anything is stuck (rule 7). If so, fills `stuck`; the caller clears it with
 * net_wormhole_stuck_clear(). */
bool net_wormhole_find_stuck(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                             NetStandingFunction *standing, NetStuck *stuck);
void net_wormhole_stuck_clear(NetStuck *stuck);
/* The detector has found `stuck`. Tells the client if the deadlock is fatal. Keeps the text of the first deadlock. */
void net_wormhole_report_stuck(Network *net, const NetWormhole *rules, const NetPackets *packets,
                               NetStandingFunction *standing, const NetStuck *stuck);
/* Returns the next cycle after `cycle` in which the detector looks. */
static inline uint64_t net_wormhole_next_look(const NetWormhole *rules, uint64_t cycle)
{
    return (cycle / rules->deadlock_cycles + 1) * rules->deadlock_cycles;
}

#endif
