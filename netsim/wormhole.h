/* wormhole.h - the rules of wormhole switching that both engines obey. Two-phase: in each cycle all decisions are made
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
 *  5. A NIC sends its packets in order, at most one flit per cycle.
 *  6. Messages between the same two nodes are handed over in the order in which they were sent, even if a later one
 *     overtook an earlier one on another virtual channel.
 *
 * Channels are numbered link * V + vc; after those come the NICs, one each. A class of channels is an equal share of
 * them unless the routing says otherwise; under message-class, messages of one packet have the upper half of each class
 * and longer ones the lower.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_H
#define ORRERY_NETSIM_WORMHOLE_H

#include "netsim/order.h"

typedef enum NetAllocation {
    NET_ALLOCATE_LOWEST,
    NET_ALLOCATE_ROUND_ROBIN,
    NET_ALLOCATE_OLDEST_FIRST,
    NET_ALLOCATE_MESSAGE_CLASS,
} NetAllocation;

typedef struct NetWormhole {
    uint32_t virtual_channels, buffer_flits, classes;
    uint32_t link_channels; /* links * V: the first NIC's number */
    uint32_t channels;      /* with NICs */
    uint64_t cycle_ps;
    uint64_t router_cycles, switch_cycles; /* R of a router, of a switch */
    uint64_t credit_cycles;                /* K */
    uint32_t ejection_flits;               /* E; 0: no limit */
    NetAllocation allocation;
    bool whole_buffers; /* a channel is free only with all its credits */
    bool half_duplex;   /* somewhere */
    uint32_t nodes;
    bool node_is_hub;
    uint64_t class_share[NET_MAX_CHANNELS]; /* virtual channels of a class, as bits */
    uint32_t class_of[NET_MAX_CHANNELS];    /* by virtual channel */
} NetWormhole;

void net_wormhole_init(NetWormhole *rules, const Network *net);
bool net_wormhole_check(const Network *net, GError **error);
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);

/* D and S of a link. */
uint64_t net_wormhole_flight(const NetWormhole *rules, const NetLink *link);
uint64_t net_wormhole_period(const NetWormhole *rules, const Network *net, const NetLink *link);

static inline uint64_t net_wormhole_routing_cycles(const NetWormhole *rules, uint32_t vertex)
{
    bool is_switch = vertex >= rules->nodes || (rules->node_is_hub && vertex == 0); /* as net_is_switch() */
    return is_switch ? rules->switch_cycles : rules->router_cycles;
}
/* The first cycle that begins at or after a time. */
static inline uint64_t net_wormhole_cycle_from(const NetWormhole *rules, uint64_t time_ps)
{
    return time_ps / rules->cycle_ps + (time_ps % rules->cycle_ps != 0);
}

/* -- packets -------------------------------------------------------------------------------------------------- */

typedef struct NetPacket {
    uint32_t message;
    uint32_t flits;
    uint32_t from, to;
    uint32_t via;    /* NET_NONE: none */
    uint32_t next;   /* in the free list */
    bool is_long;    /* of a message of several packets */
    uint64_t number; /* random, its own */
    uint64_t ready_ps;
    uint64_t wire_bytes;
} NetPacket;

typedef struct NetPackets {
    NetPacket *packet;
    uint32_t count, capacity, free, alive;
} NetPackets;

void net_packets_init(NetPackets *packets);
uint32_t net_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index, uint64_t serial);
void net_packets_release(NetPackets *packets, uint32_t packet);

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

/* -- NICs: the queue of messages, turned into packets ------------------------------------------------------------ */

typedef struct NetNic {
    NetFifo waiting;
    uint32_t packet; /* being sent, or NET_NONE */
    uint32_t flit;   /* next of it */
    uint64_t ready;  /* cycle from which it may go */
    uint64_t serial; /* packets so far */
} NetNic;

NetNic *net_nics_new(uint32_t nodes);
/* A message is there, at net->now. True: the NIC was idle, and now has a packet. */
bool net_nic_add(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t message);
/* One flit has gone, in `cycle`. After a tail the next packet is made; after a message's last, SENT is announced. */
void net_nic_sent_flit(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint64_t cycle);

/* -- deadlock (wormhole_deadlock.c) ---------------------------------------------------------------------------------
 */

/* The packet at the front of a channel's buffer and what it waits for. */
typedef struct NetBlocked {
    uint32_t packet;
    uint32_t channel; /* the channel it owns or, before that, the first that would do */
    bool owns;
} NetBlocked;
/* False: the channel is empty. */
typedef bool NetBlockedFunction(const Network *net, uint32_t channel, NetBlocked *blocked);
/* The first channel that the header in `channel` would take. */
uint32_t net_wormhole_first_wanted(const Network *net, const NetWormhole *rules, const NetPacket *packet,
                                   uint32_t channel, uint32_t vertex);
char *net_wormhole_explain(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                           NetBlockedFunction *blocked);

#endif
