/* reference.h - the state of the plain wormhole engine, which its files share:
 *
 *   reference.c   the frame, and all rules but those of allocators
 *   plain.c       the matchings of allocators
 *   allocate.c    what routers with allocators ask for, and what they do with what is given (rules 10 to 12)
 */
#ifndef ORRERY_NETSIM_WORMHOLE_REFERENCE_H
#define ORRERY_NETSIM_WORMHOLE_REFERENCE_H

#include "netsim/core/core.h"
#include "netsim/wormhole/allocators.h"
#include "netsim/wormhole/rules.h"

/* A flit in a buffer. */
typedef struct Flit {
    uint32_t packet, index;
    /* Cycle from which it may be sent on; at its destination: the cycle at whose beginning it has arrived. */
    uint64_t ready;
} Flit;

/* A virtual channel of a link: at one side it is owned and has credits, at the other it is a buffer. Injection channels
 * of NICs are channels with a buffer only, which is kept as NetSource. */
typedef struct Channel {
    /* The side that packets are sent through. */
    uint32_t owner;  /* the channel whose front packet owns this one, or NET_NONE */
    uint32_t holder; /* the packet that owns it */
    uint32_t credits;
    /* The buffer. */
    uint32_t vertex;      /* where the buffer is */
    uint32_t head, count; /* ring of flits in Reference.flits */
    uint32_t output;      /* the channel that the front packet owns, or NET_NONE */
    bool waiting;         /* the front packet has asked for a channel and has none yet */
    uint64_t asked;       /* if waiting: cycle of asking */
    /* With a switch allocator: the cycle after the one in which the front packet got its channel, and the link for
     * whose channels its header asks in this cycle. */
    uint64_t got;
    uint32_t bid;
} Channel;

typedef struct LinkState {
    uint64_t period, flight; /* S, D */
    uint32_t last_given;     /* virtual channel that was given last */
    /* The medium; a half-duplex pair uses only these fields of the lower link. */
    uint64_t free; /* the medium is free from this cycle on */
    /* The channel that sent last, for round robin; 0 .. V-1: of the lower link, V .. 2V-1: of its partner. */
    uint32_t last_sent;
    uint32_t chosen; /* the channel that sends in this cycle, or NET_NONE */
} LinkState;

/* A header that waits. */
typedef struct Waiting {
    uint64_t since; /* key of its turn: cycle of asking, or under oldest-first the time when the message was ready */
    uint32_t channel;
} Waiting;

/* A credit that is on its way back. */
typedef struct Credit {
    uint64_t cycle; /* cycle from which it counts */
    uint32_t channel;
} Credit;

typedef struct Reference {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNics nics;
    Channel *channel;
    Flit *flits; /* link_channels * buffer_flits flits */
    LinkState *link;
    GArray *waiting;       /* Waiting: headers, in the order in which they are served */
    GArray *credits;       /* Credit: those on their way, in order of time */
    uint32_t *last_served; /* per node, with limited ejection: the channel that was served last */
    uint64_t *served;      /* per node: the cycle after the one in which its turns were given */
    NetSending *sending;   /* work space of limited injection */
    GArray *lost;          /* uint32_t: channels whose headers found no way in this cycle */
    NetRouters routers;    /* with an allocator */
    NetPlainAllocator *vc; /* by vertex, with an allocator of channels */
    /* By vertex, with a switch allocator: for packets that have a channel, and for headers that speculate. */
    NetPlainAllocator *pass[2];
    uint32_t *turn[2];   /* by port: the number of the channel that is considered first */
    uint64_t next_cycle; /* the cycle whose TICK is in the event queue; UINT64_MAX: none */
} Reference;

/* Sets the flit at the front of a channel's buffer. Returns false if there is none. */
bool net_reference_front(const Reference *state, uint32_t index, Flit *flit);
/* Returns the candidate for which a waiting header asks, with its free channels; NET_NONE as its link if there is none.
 */
NetHop net_reference_wish(const Network *net, const Reference *state, uint32_t index, uint64_t *free);
/* Gives channel `output` to the packet whose header waits in `index`. */
void net_reference_grant(Network *net, Reference *state, uint32_t index, uint32_t output, uint64_t cycle);
/* Returns whether channel `output` has a flit to carry and a credit for it. */
bool net_reference_can_send(const Reference *state, uint32_t output, uint64_t cycle);

/* -- allocate.c -------------------------------------------------------------------------------- */

void net_allocate_start(Network *net, Reference *state);
void net_allocate_stop(Reference *state);
/* Gives channels to the headers that wait. Returns whether any got one. */
bool net_allocate_channels(Network *net, Reference *state, uint64_t cycle);
/* Sets LinkState.chosen of all links. Returns whether any will send. */
bool net_allocate_switch(Network *net, Reference *state, uint64_t cycle);

#endif
