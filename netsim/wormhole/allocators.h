/* allocators.h - allocators of a router: which requests are granted in a cycle (rules 10 to 12 of rules.h).
 *
 * An allocator gets requests of inputs for outputs and returns a matching: at most one output for each input, and one
 * input for each output (Dally and Towles, Principles and Practices of Interconnection Networks, chapter 19). Inputs
 * and outputs are virtual channels when channels are given, and ports when flits pass the switch.
 *
 *   input-first    each input chooses one of its requests; each output then chooses one of the inputs that chose it
 *   output-first   each output chooses one of its requests; each input then chooses one of the outputs that chose it
 *   islip          the same, but only what the first iteration gives moves turns on (McKeown, 1999)
 *   wavefront      the diagonals of the matrix are gone through, from another one each time: a maximal matching
 *
 * Choices are made in turns (round robin): the next one after the last that this input or output was given. Turns move
 * on only where both sides agree. The first three make some iterations: each considers the inputs and outputs that the
 * ones before have left over.
 *
 * The functions here work on bit sets. plain.c has the same with matrices, for the reference engine; a test compares
 * them.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_ALLOCATORS_H
#define ORRERY_NETSIM_WORMHOLE_ALLOCATORS_H

#include "netsim/core/core.h"
#include "netsim/params/params.h"

enum { NET_MOST_PORTS = 64 }; /* of a router, in each direction */

/* What an input asks for: outputs of one group. */
typedef struct NetRequest {
    uint32_t input;
    uint32_t group;   /* the outputs are group * width + bit */
    uint64_t outputs; /* bit set */
    uint32_t given;   /* result: the output, or NET_NONE */
} NetRequest;

/* An allocator and its turns. All turns are 0 at first. */
typedef struct NetAllocatorState {
    NetAllocator kind;
    uint32_t iterations;
    uint32_t inputs, outputs;
    uint32_t width;         /* outputs of a group */
    uint8_t *input_turn;    /* per input: the bit that is considered first */
    uint32_t *output_turn;  /* per output: the input that is considered first */
    uint32_t diagonal;      /* wavefront: the one that comes first */
    uint32_t *best;         /* work space, per output: request that is considered, or NET_NONE */
    uint32_t *touched;      /* work space: outputs whose `best` is set */
    uint64_t *left;         /* work space, per group: outputs that are not given yet */
    uint64_t *chosen;       /* work space, per request: outputs that chose it */
    uint32_t *wave, *later; /* work space of wavefronts: requests by diagonal */
    uint32_t waves;         /* number of diagonals */
} NetAllocatorState;

void net_allocator_init(NetAllocatorState *state, NetAllocator kind, uint32_t iterations, uint32_t inputs,
                        uint32_t outputs, uint32_t width);
void net_allocator_clear(NetAllocatorState *state);
/* Sets `given` of all requests, which are in the order of their inputs, one for each input at most. Each is for some
 * output. */
void net_allocator_match(NetAllocatorState *state, NetRequest *requests, uint32_t count);

/* -- plain matrices (plain.c) ------------------------------------------------------------------ */

typedef struct NetPlainAllocator {
    NetAllocator kind;
    uint32_t iterations, inputs, outputs, width;
    uint32_t *input_turn, *output_turn; /* the output of a group, and the input, that comes first */
    uint32_t diagonal;
    bool *taken;     /* per output: it is given in this match */
    bool *asks;      /* inputs * outputs: the requests; the caller fills it */
    uint32_t *given; /* per input: the result */
} NetPlainAllocator;

void net_plain_init(NetPlainAllocator *state, NetAllocator kind, uint32_t iterations, uint32_t inputs, uint32_t outputs,
                    uint32_t width);
void net_plain_clear(NetPlainAllocator *state);
/* Sets `given` and makes `asks` false again. */
void net_plain_match(NetPlainAllocator *state);

/* -- inputs and outputs of routers (routers.c) --------------------------------------------------- */

/* The ports of a router (vertex) are its entering links, by number, and then the NICs of the node. An input is a
 * virtual channel of a port: that of a link, or an injection channel of a NIC. */
typedef struct NetRouters {
    uint32_t vertices, inputs, ports; /* `inputs` and `ports` of all routers */
    uint32_t *first_input;            /* vertices + 1: inputs first_input[v] .. first_input[v + 1] - 1 belong to v */
    uint32_t *first_port;             /* vertices + 1: the same for ports */
    uint32_t *input_of;               /* by channel: its input */
    uint32_t *channel_of;             /* by input: its channel */
    uint32_t *port_of;                /* by channel: its port */
    uint32_t *channel_from;           /* by port: its first channel */
    uint16_t *place_of;               /* by channel: its number among the channels of the port */
} NetRouters;

/* Fills `routers` for channels that are numbered as rules.h says: `channels` of each link and `sources` of each NIC. */
void net_routers_init(NetRouters *routers, const Network *net, uint32_t channels, uint32_t sources);
void net_routers_clear(NetRouters *routers);

#endif
