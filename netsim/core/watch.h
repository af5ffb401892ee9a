/* watch.h - what models tell observers (watch.c): only if net->watch is there. */
#ifndef ORRERY_NETSIM_CORE_WATCH_H
#define ORRERY_NETSIM_CORE_WATCH_H

#include "netsim/core/core.h"
#include "netsim/netsim.h"

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
