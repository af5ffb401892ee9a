/* internal.h - what the files of traffic/ share. */
#ifndef ORRERY_TRAFFIC_INTERNAL_H
#define ORRERY_TRAFFIC_INTERNAL_H

#include "base/pool.h"
#include "traffic/traffic.h"

/* Answers false. */
bool traffic_error_refuse(GError **error, TrafficError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Nodes as a pattern sees them. */
typedef struct TrafficNodes {
    uint32_t count;
    uint32_t dims[NET_MAX_DIMENSIONS]; /* the last varies fastest; one dimension where the topology has none */
    uint32_t n_dims;
    uint32_t bits; /* log2 count; 0 if it is no power of two */
    uint32_t hot_node, hot_percent;
} TrafficNodes;

typedef struct TrafficPattern {
    const char *name, *help;
    bool (*check)(const TrafficNodes *nodes, GError **error); /* NULL: on any nodes */
    /* Where the next message from a node goes; to itself: it sends none. */
    uint32_t (*destination)(const TrafficNodes *nodes, uint32_t from, GRand *random);
} TrafficPattern;

/* The pattern of the options, for that network; NULL with an error. */
const TrafficPattern *traffic_pattern(const Network *net, const TrafficOptions *options, TrafficNodes *nodes,
                                      GError **error);
/* How many of `*of` messages from one node go to another, on average. */
uint64_t traffic_pattern_share(const TrafficPattern *pattern, const TrafficNodes *nodes, uint32_t from, uint32_t to,
                               uint64_t *of);

/* Evenly distributed in [0, bound), bound > 0. */
uint32_t traffic_random_below(GRand *random, uint32_t bound);
uint64_t traffic_random_word(GRand *random);

/* -- lengths of messages (lengths.c) ---------------------------------------------------------- */

typedef struct TrafficLength {
    uint64_t bytes, packets, flits; /* headers included */
    uint64_t up_to;                 /* of a random number below TrafficLengths.weight: those below this are so long */
} TrafficLength;

typedef struct TrafficLengths {
    TrafficLength length[TRAFFIC_MOST_SIZES];
    uint32_t count;
    uint64_t weight; /* in all */
    uint64_t flits;  /* mean length times weight */
} TrafficLengths;
/* Refuses options that cannot be. */
bool traffic_lengths_init(TrafficLengths *lengths, const NetParams *params, const TrafficOptions *options,
                          GError **error);
uint32_t traffic_lengths_random(const TrafficLengths *lengths, GRand *random);
/* Time of a message in an empty network, on average over all lengths. */
double traffic_lengths_zero_load_ps(const TrafficLengths *lengths, const Network *net, uint32_t from, uint32_t to);

/* -- arrivals (arrivals.c): when a node makes messages ----------------------------------------- */

enum { TRAFFIC_GAP_BITS = 62 };
typedef struct TrafficArrivals {       /* in each cycle with the same chance */
    uint64_t chance[TRAFFIC_GAP_BITS]; /* of bit i of the gap being 1, in 2^-64 */
    uint32_t bits;                     /* those above are 0 as good as always */
} TrafficArrivals;
/* A chance of `part` / `of` per cycle, 0 < part <= of. */
void traffic_arrivals_init(TrafficArrivals *arrivals, uint64_t part, uint64_t of);
/* Cycles without a message until the next one. */
uint64_t traffic_arrivals_gap(const TrafficArrivals *arrivals, GRand *random);

typedef struct TrafficSource {
    TrafficInjection injection;
    TrafficArrivals arrivals; /* bernoulli; bursts: of the pauses between them */
    uint64_t step;            /* bursts: cycles from one message to the next */
    uint32_t burst;
    __uint128_t part; /* periodic: cycles between messages are part / of */
    uint64_t of;
} TrafficSource;
void traffic_arrivals_source(TrafficSource *source, const TrafficOptions *options, const TrafficLengths *lengths,
                             uint64_t load);
/* The cycle of a node's next message, the last having been made in `last`; of the first. `phase` is the node's own. */
uint64_t traffic_arrivals_first(const TrafficSource *source, GRand *random, uint64_t *phase);
uint64_t traffic_arrivals_next(const TrafficSource *source, GRand *random, uint64_t last, uint64_t *phase);

struct TrafficBisection {
    uint32_t links;
    uint32_t *link; /* one that is in the cuts of both directions stands twice */
};

/* -- the network that is measured (bounds.c) --------------------------------------------------- */

/* As the options want it. */
NetParams traffic_options_network(const NetParams *params, const TrafficOptions *options);
uint64_t traffic_bounds_cycle_ps(const NetParams *params);

#endif
