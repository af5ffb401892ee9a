/* switched_ethernet.h - switched Ethernet: what the movement of frames (switched_ethernet.c) and flow control
 * (pause.c) share.
 *
 * A vertex that frames pass through is a bridge (IEEE 802.1D): it receives a frame whole, looks up where it goes, and
 * queues it for that link. Its memory is divided among the links that come in: a frame counts for the one that brought
 * it, from its last bit in to its last bit out.
 *
 *        link in                         bridge                              link out
 *   --- RECEIVED -->[ buffer of the link in ]-- lookup --> READY [ queue ]-- GRANT --> frame, END, gap between frames
 *        dropped if it does not fit          above xoff, and down at xon again: a pause frame to the other end
 */
#ifndef ORRERY_NETSIM_ETHERNET_H
#define ORRERY_NETSIM_ETHERNET_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"

enum {
    ETHERNET_PREAMBLE_BYTES = 8, /* and the start of the frame */
    ETHERNET_GAP_BYTES = 12,     /* between frames: 96 bit times */
    ETHERNET_LEAST_BYTES = 64,   /* of a frame */
    ETHERNET_QUANTUM_BYTES = 64, /* unit of pauses: 512 bit times (IEEE 802.3, annex 31B) */
    ETHERNET_MOST_DOUBLINGS = 10,
};

/* What an event of kind HOP is about. */
typedef enum EthernetStage {
    ETHERNET_END,      /* a: place; the last bit of a copy of what is there has left */
    ETHERNET_RECEIVED, /* a: frame; its last bit is at query.at */
    ETHERNET_CONTROL,  /* a: link, << 1, and whether its sender is to pause; << 32: breaks of the link that brings it */
    ETHERNET_READY,    /* a: frame; it can be queued for its next link */
} EthernetStage;

typedef struct EthernetFrame {
    uint32_t message;
    uint32_t wire_bytes; /* with its header, not padded */
    NetQuery query;      /* where it is, or was sent to */
    uint32_t place;      /* its place in a buffer, while it is in one */
    uint32_t next;       /* in a queue */
    uint32_t attempts;   /* to send it again */
    uint32_t hop;        /* links behind it */
    uint64_t number;     /* of the message's packets */
    bool resent;         /* is in its source, to be sent again */
    uint32_t breaks;     /* of the link that it is on */
    uint64_t left_ps;    /* its last bit left its source */
    uint64_t ready_ps;   /* since when it is in the queue */
    GArray *targets;     /* EthernetTarget; NULL: query.to */
} EthernetFrame;

/* One of the nodes that a multicast frame is for. */
typedef struct EthernetTarget {
    uint32_t index; /* in the NetGroup */
    uint32_t in_class;
} EthernetTarget;

/* What a frame occupies, which its copies share. */
typedef struct EthernetPlace {
    uint32_t link; /* whose buffer; NET_NONE: the memory of `nic` */
    uint32_t nic;
    uint32_t bytes;
    uint32_t copies; /* that have not left */
    uint32_t in_class;
    bool resent; /* the NIC does not wait for it to send its next frame */
} EthernetPlace;

/* A link: sender at one end, buffer at the other. Links that have none back get one more, for pause frames alone. */
typedef struct EthernetPort {
    uint32_t first, last;  /* queue of frames */
    uint32_t reverse;      /* port from the link's end to its beginning */
    uint32_t breaks;       /* how often it has failed */
    bool dead;             /* it has, and does not work again */
    uint64_t queued_bytes; /* padded */
    uint64_t free_ps;      /* the gap after the last frame is over */
    bool granted;          /* a GRANT is in the event queue */
    bool paused;           /* by the other end */
    uint64_t paused_ps;    /* since when */
    bool told_off, renew;  /* sender of pause frames about the link back: what the last one said; another is due */
    bool off;              /* the buffer has come above xoff, and not down to xon since */
    bool ticking;          /* a TICK is in the event queue: the pause must be renewed */
    uint64_t held_bytes;   /* in the buffer */
    uint64_t xoff, xon;    /* bytes */
} EthernetPort;

typedef struct EthernetNic {
    NetFifo waiting; /* messages; the head is being sent */
    bool busy;       /* a frame of the head is on its way to its first links */
    uint64_t frames; /* sent so far, for random choices */
} EthernetNic;

typedef struct Ethernet {
    EthernetPort *port; /* links, then those for pause frames alone */
    EthernetNic *nic;   /* one node's after the other's */
    NetOrder *order;
    EthernetFrame *frame;
    BasePool frames;
    EthernetPlace *place;
    BasePool places;
    bool pauses; /* flow-control = pause */
    uint64_t held_frames;
    uint64_t n_pauses, n_resumes, paused_ps, dropped, sent_again, fullest_bytes; /* statistics */
} Ethernet;

/* Bytes that a frame takes on the wire, without the gap, and in a buffer. */
static inline uint64_t net_ethernet_padded(uint64_t wire_bytes)
{
    return MAX(wire_bytes, (uint64_t)ETHERNET_LEAST_BYTES + ETHERNET_PREAMBLE_BYTES);
}
static inline uint64_t net_ethernet_stored(uint64_t wire_bytes)
{
    return net_ethernet_padded(wire_bytes) - ETHERNET_PREAMBLE_BYTES;
}
static inline uint64_t net_ethernet_longest(const NetParams *params)
{
    return net_ethernet_padded((uint64_t)params->packet_bytes + params->header_bytes);
}
/* Lets the port send at once, or when it is free, if there is something that it may send. */
void net_ethernet_kick(Network *net, uint32_t port);

/* -- pause.c -------------------------------------------------------------------------- */

/* Makes the ports, with the port back of each and its thresholds. */
void net_ethernet_make_ports(Network *net, Ethernet *ethernet);
/* Whether buffers and thresholds are possible on every link. */
bool net_ethernet_check_buffers(const Network *net, GError **error);
/* Puts so many bytes into the buffer of a link, or takes them out. False: there is no room. */
bool net_ethernet_hold(Network *net, uint32_t link, uint64_t bytes);
void net_ethernet_release(Network *net, uint32_t link, uint64_t bytes);
/* The sender has a pause frame to send, which it does. */
bool net_ethernet_has_control(const Ethernet *ethernet, const EthernetPort *port);
void net_ethernet_send_control(Network *net, uint32_t port);
/* A pause frame has come and taken effect; a pause is to be renewed. */
void net_ethernet_heed(Network *net, uint32_t link, bool off);
/* One of its directions has failed: whoever was told to pause goes on. */
void net_ethernet_reset_pauses(Network *net, uint32_t port);
void net_ethernet_tick(Network *net, uint32_t link);
/* Why nothing moves; NULL: nothing is there to be moved. */
char *net_ethernet_explain(const Network *net);

#endif
