/* delivery.h - what happens to messages on their way, whatever the model: they are handed over in order
 * (delivery_order.c), sent to several nodes at once (groups.c), and reported to observers (watch.c). */
#ifndef ORRERY_NETSIM_DELIVERY_H
#define ORRERY_NETSIM_DELIVERY_H

#include "netsim/core/core.h"
#include "netsim/netsim.h"

/* -- order, for models in which messages can overtake (delivery_order.c) ------------------------ */

typedef struct NetOrder NetOrder;
NetOrder *net_order_new(void);
void net_order_free(NetOrder *order);
/* net_order_begin() is called when the message has been given to its NIC, net_order_arrived() when all of it has
 * arrived. The latter announces DELIVERED at net->now for the message and for those that waited for it, unless the
 * message has to wait itself. */
void net_order_begin(NetOrder *order, Network *net, uint32_t message);
void net_order_arrived(NetOrder *order, Network *net, uint32_t message);
/* Announces DELIVERED at net->now for a message. A client that drives the network is told at once. */
void net_order_announce(Network *net, uint32_t message);

/* -- messages for several nodes (groups.c) ------------------------------------------------------ */

/* The destinations of a multicast, and what has arrived there. */
typedef struct NetGroup {
    uint32_t nodes;       /* number of different nodes */
    uint32_t undelivered; /* nodes to which it has not been delivered yet */
    uint32_t *to;         /* the nodes, ascending */
    uint64_t *arrived;    /* per node: packets that have arrived; used by the model */
    uint32_t *first;      /* per node, and one more: index of its first cookie in `cookie` */
    uint64_t *cookie;
    uint32_t *missing; /* per packet: nodes that it has not reached yet; only if observers want to know */
} NetGroup;

/* Returns the destinations of a message that has several (groups.c). */
NetGroup *net_group(const Network *net, uint32_t message);
/* Makes a message one for the `n` nodes `to`. */
void net_group_make(Network *net, uint32_t message, const uint32_t *to, const uint64_t *cookies, uint32_t n);
/* Tells observers of a message that has a group. */
void net_group_watch(Network *net, uint32_t message, uint64_t time_ps);
/* Announces that the message will be delivered at time_ps to the node with this index in its group. */
void net_group_deliver(Network *net, uint32_t message, uint32_t index, uint64_t time_ps);
/* Delivers the message now to the node with this index in its group. */
void net_group_hand_over(Network *net, uint32_t message, uint32_t index);
/* A packet has come to one of the nodes. Only if net->watch. */
void net_group_arrived(Network *net, uint32_t message, uint64_t number);

/* -- what models tell observers (watch.c): only if net->watch is there --------------------------- */

void net_watch_free(NetWatch *watch);
void net_watch_accepted(Network *net, uint32_t message, uint64_t handed_ps);
/* Says that a message of the model's is part of an accepted message, from its packet `first` on. `label` is the
 * observer's number for the accepted message. */
void net_watch_part(Network *net, uint32_t message, uint64_t label, uint64_t first);
uint64_t net_watch_label(const Network *net, uint32_t message);
void net_watch_delivered(Network *net, uint32_t message);
/* The whole of packet `number` of a message has arrived. */
void net_watch_arrived(Network *net, uint32_t message, uint64_t number, uint64_t time_ps);
/* Completes and reports a passage of a packet of `message`. `place` numbers a resource that only one message can have
 * at a time. The message that had it before is the one that this one waited behind. */
void net_watch_passed(Network *net, uint32_t message, uint32_t place, const NetPassage *passage);
/* Instead of both of these and of what follows on a packet's way, if net->brief: a packet of `message` has asked for a
 * link, by itself a place, and got it. Calls for a link come in the order of these times. */
void net_watch_crossed(Network *net, uint32_t message, uint32_t link, uint64_t asked_ps, uint64_t got_ps);
/* See NetObserver.queued(). */
void net_watch_waits(Network *net, uint32_t link, uint64_t time_ps, int change, uint64_t since_ps);
/* A packet waits for a link; the times when this begins and ends are already known. */
void net_watch_waited(Network *net, uint32_t link, uint64_t from_ps, uint64_t to_ps);
/* A packet begins or ceases to wait (`change`) at each of the links that the routing offers it. */
void net_watch_queued(Network *net, const NetQuery *query, uint64_t time_ps, int change);
/* For packets of one message on different links. A packet has taken `link` as its hop number `hop`. */
void net_watch_under_way(Network *net, uint32_t link, uint32_t message, uint64_t number, uint32_t hop);
/* The first packet of the message on `link` has reached the end of the link. Sets `number` and `hop` to those that were
 * given to net_watch_under_way() for it. */
void net_watch_come(Network *net, uint32_t link, uint32_t message, uint64_t *number, uint32_t *hop);
/* Wormhole switching: a packet has been given a channel. Packets are numbered as in NetPackets. */
typedef struct NetGrant {
    uint32_t packet, message;
    uint32_t channel; /* link * virtual channels + virtual channel */
    bool first;       /* the channel is at the packet's first hop: it leaves its NIC */
    uint64_t number;  /* index of the packet in its message; set only if `first` */
    uint64_t asked_ps, got_ps;
} NetGrant;
void net_watch_granted(Network *net, const NetGrant *grant);
/* The packet's tail has left the channel. busy_ps 0: the packet has been aborted. */
void net_watch_released(Network *net, uint32_t packet, uint32_t message, uint32_t channel, uint64_t wire_bytes,
                        uint64_t busy_ps, uint64_t header_ps, uint64_t left_ps);
/* The packet's tail has reached its destination and been taken out of the network. */
void net_watch_ejected(Network *net, uint32_t packet, uint32_t message, uint64_t time_ps);

#endif
