/* transport.h - what the files of the reliable network interfaces share. The ideas are at the top of transport.c.
 *
 *   transport.c       packets are sent, repeated, acknowledged, given up
 *   chance.c          which packets are lost or late
 *   undeliverable.c   the text about a message that was given up
 */
#ifndef ORRERY_NETSIM_TRANSPORT_H
#define ORRERY_NETSIM_TRANSPORT_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"

typedef struct Packet { /* a packet of a message, until it has been acknowledged */
    uint32_t message;   /* its message; not used any more once the packet has arrived */
    uint32_t from, to, nic;
    uint64_t bytes;   /* payload */
    uint64_t number;  /* index of the packet in its message */
    uint64_t key;     /* random number of its message */
    uint32_t attempt; /* repetitions so far */
    uint32_t version; /* version of the timer that is valid; older timers are ignored */
    uint32_t flying;  /* number of its copies in the network */
    uint32_t next;    /* next packet in a Queue */
    uint64_t ready_ps, left_ps;
    uint64_t label; /* the observer's number for its message */
    /* It has arrived; it needs no more timers; it is in a queue; it is its message's last; SENT has been announced. */
    bool arrived, done, queued, last, told;
    bool flown;         /* it has been sent into the network at least once */
    uint8_t lost_by;    /* NetLoss: reason of its last loss */
    uint32_t lost_link; /* link of its last loss, or NET_NONE */
    uint64_t lost_ps;
} Packet;

typedef struct Copy { /* a copy of a packet in the network, by index of its NetMessage */
    uint32_t packet;
    uint32_t attempt;
    bool acknowledges; /* it is an acknowledgement of the packet */
    /* It is in the network; its SENT event has come; it has arrived or is lost. */
    bool flies, sent, gone;
    bool doomed; /* it will be lost, on `link`; this shows when it arrives */
    uint32_t link;
} Copy;

/* A queue of packets, linked through Packet.next. */
typedef struct Queue {
    uint32_t head, tail;
} Queue;

typedef struct Port {         /* a NIC */
    NetFifo messages;         /* messages of which some packets have not been sent */
    Queue again;              /* packets to be sent again */
    GArray *acknowledgements; /* uint32_t: packets to be acknowledged; NULL: there were none */
    guint acknowledged;       /* number of `acknowledgements` that have been sent */
    uint64_t serial;          /* number of messages so far */
    uint32_t leaving;         /* packets that the model has and that have not left yet */
} Port;

struct NetTransport {
    Port *port;
    uint32_t nics;
    Packet *packet;
    BasePool packets;
    Copy *copy;
    uint32_t copy_capacity;
    uint64_t *key; /* by message: its random number */
    uint32_t key_capacity;
    NetOrder *order;
    bool lossy;                           /* packets can be lost or damaged on links */
    uint64_t intact_q63;                  /* chance that a bit gets across, in units of 2^-63 */
    uint64_t intact_bytes, intact_chance; /* the last size asked for and the chance for it */
    uint64_t busy;                        /* number of messages under way */
    char *undeliverable;
    NetFaultCounts counts;
};

/* Returns the bytes of a packet on the wire. For a message that is not cut, includes all headers that it would have. */
static inline uint64_t net_transport_wire_bytes(const Network *net, const NetMessage *message)
{
    return message->bytes + message->packets * net->params.header_bytes;
}

/* Decides what happens to a packet on all links of its way, for models that do not ask at each link. Returns true and
 * how late it arrives, or false if it has been lost (net_transport_lost()). */
bool net_chance_crosses_all(Network *net, uint32_t index, uint64_t *late_ps);

/* Returns a text that says why the message of this packet cannot be delivered. The caller frees it with g_free(). */
char *net_transport_undeliverable(const Network *net, const Packet *packet, const NetMessage *message);

#endif
