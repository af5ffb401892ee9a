/* transport.h - what the files of the reliable network interfaces share. The ideas are at the top of transport.c.
 *
 *   transport.c       packets are sent, repeated, acknowledged, given up
 *   chance.c          which are lost or late
 *   undeliverable.c   a message that was given up, in words
 */
#ifndef ORRERY_NETSIM_TRANSPORT_H
#define ORRERY_NETSIM_TRANSPORT_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"

typedef struct Packet { /* of a message, until it has been acknowledged */
    uint32_t message;   /* not looked at any more once it has arrived */
    uint32_t from, to, nic;
    uint64_t bytes; /* payload */
    uint64_t number;
    uint64_t key;     /* random, of the message */
    uint32_t attempt; /* repetitions so far */
    uint32_t version; /* of the timer that counts */
    uint32_t flying;  /* copies in the network */
    uint32_t next;    /* in a queue */
    uint64_t ready_ps, left_ps;
    uint64_t label; /* of the message, for observers */
    bool arrived, done, queued, last, told;
    bool flown;         /* it has been in the network */
    uint8_t lost_by;    /* NetLoss: the last time */
    uint32_t lost_link; /* the same */
    uint64_t lost_ps;
} Packet;

typedef struct Copy { /* of a packet, in the network: by index of its NetMessage */
    uint32_t packet;
    uint32_t attempt;
    bool acknowledges; /* it is the acknowledgement */
    bool flies, sent, gone;
    bool doomed; /* it is lost, which shows when it arrives: on this link */
    uint32_t link;
} Copy;

typedef struct Queue {
    uint32_t head, tail;
} Queue;

typedef struct Port {         /* a NIC */
    NetFifo messages;         /* whose packets have not all been sent */
    Queue again;              /* packets to be sent again */
    GArray *acknowledgements; /* uint32_t: packets to be acknowledged; NULL: never any */
    guint acknowledged;       /* of these */
    uint64_t serial;          /* messages so far */
    uint32_t leaving;         /* packets that the model has and that have not left */
} Port;

struct NetTransport {
    Port *port;
    uint32_t nics;
    Packet *packet;
    BasePool packets;
    Copy *copy;
    uint32_t copy_capacity;
    uint64_t *key; /* by message: random */
    uint32_t key_capacity;
    NetOrder *order;
    bool lossy;
    uint64_t intact_q63;                  /* chance that a bit gets across */
    uint64_t intact_bytes, intact_chance; /* the last size asked for, and its answer */
    uint64_t busy;                        /* messages under way */
    char *undeliverable;
    NetFaultCounts counts;
};

/* Bytes on the wire of a packet; of a message that is not cut, with all the headers that it would have. */
static inline uint64_t net_transport_wire_bytes(const Network *net, const NetMessage *message)
{
    return message->bytes + message->packets * net->params.header_bytes;
}

/* What happens to a packet on all links of its way, where the model has not asked for each: how late it is, or false,
 * and it has been lost (net_transport_lost()). */
bool net_chance_crosses_all(Network *net, uint32_t index, uint64_t *late_ps);

/* Why the message, whose packet this is, cannot be delivered; to be freed. */
char *net_transport_undeliverable(const Network *net, const Packet *packet, const NetMessage *message);

#endif
