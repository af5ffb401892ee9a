/* delivery.h - what becomes of messages on their way, whatever the model: handed over in order (delivery_order.c), for
 * several nodes at once (groups.c), and told to observers (watch.c).
 */
#ifndef ORRERY_NETSIM_DELIVERY_H
#define ORRERY_NETSIM_DELIVERY_H

#include "netsim/core/core.h"
#include "netsim/netsim.h"

/* -- order, for models in which messages can overtake (delivery_order.c) ------------------------ */

typedef struct NetOrder NetOrder;
NetOrder *net_order_new(void);
void net_order_free(NetOrder *order);
/* The message has been given to its NIC; all of it has arrived. The second announces DELIVERED at net->now for it and
 * those that waited for it, unless it has to wait itself. */
void net_order_begin(NetOrder *order, Network *net, uint32_t message);
void net_order_arrived(NetOrder *order, Network *net, uint32_t message);

/* -- messages for several nodes (groups.c) ------------------------------------------------------ */

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

/* The destinations of a message that has several (groups.c); it will be delivered to the one with this index, ... */
NetGroup *net_group(const Network *net, uint32_t message);
/* A message becomes one for the `n` nodes `to`; tells observers of it. */
void net_group_make(Network *net, uint32_t message, const uint32_t *to, const uint64_t *cookies, uint32_t n);
void net_group_watch(Network *net, uint32_t message, uint64_t time_ps);
void net_group_deliver(Network *net, uint32_t message, uint32_t index, uint64_t time_ps);
/* ... and is, now. */
void net_group_hand_over(Network *net, uint32_t message, uint32_t index);
/* A packet has come to one of them; only if net->watch. */
void net_group_arrived(Network *net, uint32_t message, uint64_t number);

/* -- what models tell observers (watch.c): only if net->watch is there --------------------------- */

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

#endif
