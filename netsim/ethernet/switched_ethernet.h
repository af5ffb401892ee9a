/* switched_ethernet.h - switched Ethernet: what the movement of frames (switched_ethernet.c) and flow control (pause.c)
 * share.
 *
 * A vertex that frames pass through is a bridge (IEEE 802.1D). It receives a whole frame, looks up where it goes, and
 * queues it for that link. Its memory is divided among the incoming links. A frame counts for the link that brought it,
 * from its last bit in to its last bit out.
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
    ETHERNET_PREAMBLE_BYTES = 8, /* includes the start-of-frame delimiter */
    ETHERNET_GAP_BYTES = 12,     /* between frames: 96 bit times */
    ETHERNET_LEAST_BYTES = 64,   /* least size of a frame */
    ETHERNET_QUANTUM_BYTES = 64, /* unit of pauses: 512 bit times (IEEE 802.3, annex 31B) */
    ETHERNET_MOST_DOUBLINGS = 10,
};

/* What an event of kind HOP is about. */
typedef enum EthernetStage {
    ETHERNET_END,      /* a: slot; the last bit of a copy of the frame there has left */
    ETHERNET_RECEIVED, /* a: frame; its last bit has arrived at query.at */
    /* a: link << 1 | whether its sender is to pause, and << 32 the `breaks` of the link that brings the pause frame. */
    ETHERNET_CONTROL,
    ETHERNET_READY, /* a: frame; it can be queued for its next link */
} EthernetStage;

/* A frame, or one copy of a multicast frame. */
typedef struct EthernetFrame {
    uint32_t message;
    uint32_t wire_bytes; /* with its header, not padded */
    NetQuery query;      /* where it is, or where it was sent to */
    uint32_t place;      /* index of its slot in a buffer, while it is in one; else NET_NONE */
    uint32_t next;       /* next frame in a queue */
    uint32_t attempts;   /* number of times that it was dropped and sent again */
    uint32_t hop;        /* number of links that it has passed */
    uint64_t number;     /* index of the packet in its message */
    bool resent;         /* it is back at its source, to be sent again */
    uint32_t breaks;     /* `breaks` of the link that it is on */
    uint64_t left_ps;    /* when its last bit left its source */
    uint64_t ready_ps;   /* when it joined the queue */
    GArray *targets;     /* EthernetTarget: nodes of a multicast; NULL: the frame is for query.to */
} EthernetFrame;

/* One of the nodes that a multicast frame is for. */
typedef struct EthernetTarget {
    uint32_t index; /* index of the node in the NetGroup */
    uint32_t in_class;
} EthernetTarget;

/* The memory that a frame occupies. Copies of a multicast frame share it. */
typedef struct EthernetPlace {
    uint32_t link; /* link to whose buffer it belongs; NET_NONE: the memory of `nic` */
    uint32_t nic;
    uint32_t bytes;
    uint32_t copies; /* copies that have not left yet */
    uint32_t in_class;
    bool resent; /* it is sent again, so the NIC does not wait for it before its next frame */
} EthernetPlace;

/* A link: a sender at one end, a buffer at the other. A link without an opposite link gets an additional port, which
 * carries only pause frames. */
typedef struct EthernetPort {
    uint32_t first, last;  /* queue of frames */
    uint32_t reverse;      /* port in the opposite direction */
    uint32_t breaks;       /* number of times that the link has failed */
    bool dead;             /* it has failed and does not work again yet */
    uint64_t queued_bytes; /* bytes in the queue, with padding */
    uint64_t free_ps;      /* when the gap after the last frame is over */
    bool granted;          /* a GRANT event is pending */
    bool paused;           /* the other end has paused this sender */
    uint64_t paused_ps;    /* since when it is paused */
    /* Pause frames that this port sends about the opposite link: what the last one said; another one is due. */
    bool told_off, renew;
    bool off;            /* the buffer has risen above xoff and has not fallen to xon since */
    bool ticking;        /* a TICK event is pending, at which the pause must be renewed */
    uint64_t held_bytes; /* bytes in the buffer */
    uint64_t xoff, xon;  /* thresholds in bytes */
} EthernetPort;

/* The state of a NIC. */
typedef struct EthernetNic {
    NetFifo waiting; /* messages; the head is being sent */
    bool busy;       /* a frame of the head is on its way to its first link or links */
    uint64_t frames; /* frames sent so far; number for random choices */
} EthernetNic;

/* The state of the model. */
typedef struct Ethernet {
    EthernetPort *port; /* links, then the ports for pause frames only */
    EthernetNic *nic;   /* NICs, node by node */
    NetOrder *order;
    EthernetFrame *frame;
    BasePool frames;
    EthernetPlace *place;
    BasePool places;
    bool pauses;          /* flow-control = pause */
    uint64_t held_frames; /* number of frames in buffers of links */
    uint64_t n_pauses, n_resumes, paused_ps, dropped, sent_again, fullest_bytes; /* statistics, see NetModel.counters */
} Ethernet;

/* net_ethernet_padded() returns the bytes of a frame on the wire, without the gap. net_ethernet_stored() returns those
 * in a buffer, net_ethernet_longest() those of the longest frame on the wire. */
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
/* Lets the port send now, or when it is free, if it has something that it may send. */
void net_ethernet_kick(Network *net, uint32_t port);

/* -- pause.c -------------------------------------------------------------------------- */

/* Makes the ports, and finds the opposite port and the thresholds of each. */
void net_ethernet_make_ports(Network *net, Ethernet *ethernet);
/* Checks that buffers and thresholds are possible on every link. */
bool net_ethernet_check_buffers(const Network *net, GError **error);
/* Put bytes into the buffer of a link, and take them out. net_ethernet_hold() returns false if there is no room. */
bool net_ethernet_hold(Network *net, uint32_t link, uint64_t bytes);
void net_ethernet_release(Network *net, uint32_t link, uint64_t bytes);
/* Return whether the port has a pause frame to send, and send it. */
bool net_ethernet_has_control(const Ethernet *ethernet, const EthernetPort *port);
void net_ethernet_send_control(Network *net, uint32_t port);
/* A pause frame about `link` takes effect. `off`: its sender pauses, else it goes on. */
void net_ethernet_heed(Network *net, uint32_t link, bool off);
/* One of the two directions has failed, so a sender that was told to pause goes on. */
void net_ethernet_reset_pauses(Network *net, uint32_t port);
/* The pause of a link's sender has to be renewed. */
void net_ethernet_tick(Network *net, uint32_t link);
/* Returns a text that says why nothing moves, or NULL if there is no deadlock. */
char *net_ethernet_explain(const Network *net);

#endif
