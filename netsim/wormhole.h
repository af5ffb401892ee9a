/* wormhole.h - the rules of wormhole switching that both engines obey. Two-phase: in each cycle all decisions are made
 * on the state at its beginning, then all of them take effect, so the order in which links are looked at cannot matter.
 *
 * Time is cut into cycles of one flit's serialisation on a link; latencies are rounded up to whole cycles: D for a
 * link, R(v) for the routing pipeline of vertex v. Cycle c covers [c, c+1) * cycle_ps and is worked out at its end.
 *
 *   NIC of node n --+                 +--> link l: V virtual channels --(1 + D)--> V buffers of B flits at its end
 *                   |   router at v   |
 *   buffers of the -+-----------------+--> ...                          ^                       |
 *   links into v                                                         +--- credits, 1 per slot +
 *
 *  1. A flit that is sent in cycle c may be sent on from the next vertex v in cycle c + 1 + D + R(v). At its
 *     destination it is taken out at the end of cycle c + D (one flit per cycle and buffer), which is when it is
 * delivered.
 *  2. A header at the front of a buffer (or of a NIC) asks its link for a channel of its class. Requests of a link are
 * served in the order (cycle, channel number): the lowest channel of the class that has no owner and a credit. From its
 * grant to its tail a packet owns the channel.
 *  3. Each cycle a link carries one flit: of its channels whose owner has a flit and which have a credit, the next one
 * after the one that sent last (round robin). A header may be granted and sent in the same cycle.
 *  4. Credits and channels given back in cycle c count from cycle c + 1.
 *  5. A NIC sends its packets in order, at most one flit per cycle; destinations take what every link brings.
 *  6. Messages between the same two nodes are handed over in the order in which they were sent, even if a later one
 *     overtook an earlier one on another virtual channel.
 *
 * Channels are numbered link * V + vc; after those come the NICs, one each.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_H
#define ORRERY_NETSIM_WORMHOLE_H

#include "netsim/internal.h"

typedef struct NetWormhole {
    uint32_t virtual_channels, buffer_flits, classes;
    uint32_t link_channels; /* links * V: the first NIC's number */
    uint32_t channels;      /* with NICs */
    uint64_t cycle_ps;
    uint64_t link_cycles;                  /* D */
    uint64_t router_cycles, switch_cycles; /* R of a router, of a switch */
    uint32_t nodes;
    bool node_is_hub;
} NetWormhole;

void net_wormhole_init(NetWormhole *rules, const Network *net);
bool net_wormhole_check(const Network *net, GError **error);
uint64_t net_wormhole_zero_load(const Network *net, uint32_t from, uint32_t to, uint64_t bytes);

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
/* Virtual channels [first, end) of a class: an equal share. */
static inline uint32_t net_wormhole_class_first(const NetWormhole *rules, uint32_t channel_class)
{
    return channel_class * rules->virtual_channels / rules->classes;
}

/* -- packets -------------------------------------------------------------------------------------------------- */

typedef struct NetPacket {
    uint32_t message;
    uint32_t flits;
    uint32_t to;
    uint32_t next; /* in the free list */
    uint64_t wire_bytes;
} NetPacket;

typedef struct NetPackets {
    NetPacket *packet;
    uint32_t count, capacity, free, alive;
} NetPackets;

void net_packets_init(NetPackets *packets);
uint32_t net_packets_new(NetPackets *packets, const Network *net, uint32_t message, uint64_t index);
void net_packets_release(NetPackets *packets, uint32_t packet);

/* -- NICs: the queue of messages, turned into packets ------------------------------------------------------------ */

typedef struct NetNic {
    NetFifo waiting;
    uint32_t packet; /* being sent, or NET_NONE */
    uint32_t flit;   /* next of it */
    uint64_t ready;  /* cycle from which it may go */
} NetNic;

NetNic *net_nics_new(uint32_t nodes);
/* A message is there, at net->now. True: the NIC was idle, and now has a packet. */
bool net_nic_add(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint32_t message);
/* One flit has gone, in `cycle`. After a tail the next packet is made; after a message's last, SENT is announced. */
void net_nic_sent_flit(NetNic *nic, Network *net, const NetWormhole *rules, NetPackets *packets, uint64_t cycle);

/* -- handing over in order ------------------------------------------------------------------------------------------
 */

typedef struct NetOrder NetOrder;
NetOrder *net_order_new(void);
void net_order_free(NetOrder *order);
/* The message has been given to its NIC; all of it has arrived. The second announces DELIVERED at net->now for it and
 * those that waited for it, unless it has to wait itself. */
void net_order_begin(NetOrder *order, Network *net, uint32_t message);
void net_order_arrived(NetOrder *order, Network *net, uint32_t message);

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
char *net_wormhole_explain(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                           NetBlockedFunction *blocked);

#endif
