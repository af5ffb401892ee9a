/* packet_switching.h - whole packets hop by hop: what store-and-forward and cut-through share (packet_switching.c), and
 * packets of long messages that are worked out together (trains.c). */
#ifndef ORRERY_NETSIM_MODEL_PACKET_SWITCHING_H
#define ORRERY_NETSIM_MODEL_PACKET_SWITCHING_H

#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/model/packet_trace.h"

typedef struct NetTrains NetTrains;

/* The state of a NIC. */
typedef struct NetPort {
    NetFifo waiting;  /* messages; the head is being sent */
    bool busy;        /* a packet of this NIC is on its way to its first link */
    uint64_t free_ps; /* when the last packet has left */
    uint64_t packets; /* packets sent so far; number for random choices */
} NetPort;

typedef struct NetPacketSwitching {
    bool cut_through;
    bool several;        /* packets of a message may take several ways, see NetOrder */
    uint64_t header_ps;  /* time of a header on a usual link */
    NetPort *port;       /* per NIC */
    uint64_t *link_free; /* per link: when it is free; a half-duplex pair uses only that of the lower link */
    NetOrder *order;     /* only if `several` */
    NetTraces *traces;   /* NULL: links do not fail */
    NetTrains *trains;   /* NULL: there are none in this network */
} NetPacketSwitching;

void *net_packet_switching_new(Network *net, bool cut_through);
void net_packet_switching_free(void *state);
void net_packet_switching_inject(Network *net, uint32_t message);
void net_packet_switching_event(Network *net, const BaseEvent *event);
uint64_t net_packet_switching_load(const Network *net, uint32_t link);
void net_packet_switching_fail(Network *net, uint32_t link);
void net_packet_switching_settle(Network *net, uint64_t time_ps);

/* -- between packet_switching.c and trains.c --------------------------------------------------- */

/* An event of kind HOP in a network with trains. Where it stands among those at its time and vertex is found out when
 * there are any. */
typedef struct NetRequest NetRequest;

/* The next packet of the message goes to its first link at time_ps. `cause_ps` is the time of what causes it: of an
 * event of the packet before, or, if `injected`, of its message. */
void net_packet_leaves(Network *net, uint32_t message, uint64_t time_ps, uint64_t cause_ps, bool injected);
/* The NIC that sends the message has finished its present packet. */
void net_packet_left(Network *net, uint32_t message, uint64_t time_ps);
/* An event of a single packet, which asks for its next link or has arrived. */
void net_packet_comes(Network *net, const BaseEvent *event, NetRequest *request);
/* A packet asks now for the link of `hop`, in which no train is in its way, and takes it. */
void net_packet_crosses(Network *net, NetQuery *query, uint32_t message, uint64_t wire_bytes, NetHop hop);

/* -- trains (trains.c) ------------------------------------------------------------------------- */

/* Returns NULL if packets have to go one by one in this network. */
NetTrains *net_trains_new(const Network *net);
void net_trains_free(NetTrains *trains);
/* Processes an event of kind HOP, and all others at the same time and vertex in the order of their causes. */
void net_trains_event(Network *net, const BaseEvent *event);
/* Returns 29 bits that an event of a single packet carries from bit 34 of `b` on: how long before it its cause was. */
enum { NET_TRAINS_NOTE_SHIFT = 34 };
uint64_t net_trains_note(NetTrains *trains, uint64_t age_ps, bool injected);
/* A packet asks for a link now. Packets of a train that come behind it leave the train. */
void net_trains_meet(Network *net, uint32_t link, NetRequest *request);
/* A single packet of the message takes a link. */
void net_trains_used(Network *net, uint32_t link, uint32_t message);
/* A packet leaves its NIC by a link. Returns whether it and all packets of its message behind it go as a train from
 * here on. */
bool net_trains_begin(Network *net, uint32_t message, NetHop hop, NetRequest *request);
/* Adds what the trains have sent up to a time to the counters of links. */
void net_trains_settle(Network *net, uint64_t time_ps);

#endif
