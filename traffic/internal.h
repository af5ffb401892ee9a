/* internal.h - what the files of traffic/ share. */
#ifndef ORRERY_TRAFFIC_INTERNAL_H
#define ORRERY_TRAFFIC_INTERNAL_H

#include "base/pool.h"
#include "traffic/traffic.h"

/* Sets the error; always returns false, so that a caller can return its result. */
bool traffic_error_refuse(GError **error, TrafficError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* -- random numbers (random.c) ------------------------------------------------------------------ */

enum { TRAFFIC_RANDOM_WORDS = 624 };
typedef struct TrafficRandom {
    uint32_t word[TRAFFIC_RANDOM_WORDS];   /* the state */
    uint32_t number[TRAFFIC_RANDOM_WORDS]; /* the numbers made from it */
    uint32_t next;                         /* number[next] is the next one; all before have been drawn */
} TrafficRandom;
/* Begins with the same seed as g_rand_new_with_seed_array(); length > 0. */
void traffic_random_init(TrafficRandom *random, const uint32_t *seed, uint32_t length);
void traffic_random_refill(TrafficRandom *random);
static inline uint32_t traffic_random_int(TrafficRandom *random)
{
    if (G_UNLIKELY(random->next == TRAFFIC_RANDOM_WORDS))
        traffic_random_refill(random);
    return random->number[random->next++];
}
static inline uint64_t traffic_random_word(TrafficRandom *random)
{
    uint64_t high = traffic_random_int(random);
    return high << 32 | traffic_random_int(random);
}
/* Returns a number that is evenly distributed in [0, bound); bound > 0. */
uint32_t traffic_random_below(TrafficRandom *random, uint32_t bound);

/* -- patterns (patterns.c) ---------------------------------------------------------------------- */

/* The nodes of a network as a pattern sees them. */
typedef struct TrafficNodes {
    uint32_t count;
    uint32_t dims[NET_MAX_DIMENSIONS]; /* extents; the last varies fastest; one dimension where the topology has none */
    uint32_t n_dims;
    uint32_t bits; /* log2 of count; 0: count is no power of two */
    uint32_t hot_node, hot_percent;
} TrafficNodes;

typedef struct TrafficPattern {
    const char *name, *help;
    bool (*check)(const TrafficNodes *nodes, GError **error); /* NULL: defined on any nodes */
    /* Returns the destination of the next message from a node. The node itself means that it sends none. */
    uint32_t (*destination)(const TrafficNodes *nodes, uint32_t from, TrafficRandom *random);
} TrafficPattern;

/* Returns the pattern that the options name and fills in *nodes; NULL with an error if the network does not suit it. */
const TrafficPattern *traffic_pattern(const Network *net, const TrafficOptions *options, TrafficNodes *nodes,
                                      GError **error);
/* Returns how many of `*of` messages from node `from` go to node `to`, on average. Sets *of. */
uint64_t traffic_pattern_share(const TrafficPattern *pattern, const TrafficNodes *nodes, uint32_t from, uint32_t to,
                               uint64_t *of);

/* -- lengths of messages (lengths.c) ---------------------------------------------------------- */

typedef struct TrafficLength {
    uint64_t bytes, packets, flits; /* headers included */
    uint64_t up_to;                 /* chosen where a random number below TrafficLengths.weight is less than this */
} TrafficLength;

typedef struct TrafficLengths {
    TrafficLength length[TRAFFIC_MOST_SIZES];
    uint32_t count;
    uint64_t weight; /* sum of all weights */
    uint64_t flits;  /* mean length in flits, times weight */
} TrafficLengths;
/* Reads the sizes of the options. Returns false with an error where they cannot be. */
bool traffic_lengths_init(TrafficLengths *lengths, const NetParams *params, const TrafficOptions *options,
                          GError **error);
uint32_t traffic_lengths_random(const TrafficLengths *lengths, TrafficRandom *random);
/* Returns the latency of a message in an empty network, as the mean over all lengths. */
double traffic_lengths_zero_load_ps(const TrafficLengths *lengths, const Network *net, uint32_t from, uint32_t to);

/* -- arrivals (arrivals.c): when a node makes messages ----------------------------------------- */

enum { TRAFFIC_GAP_BITS = 62 };
typedef struct TrafficArrivals {       /* a message in each cycle with the same probability */
    uint64_t chance[TRAFFIC_GAP_BITS]; /* probability that bit i of the gap is 1, in units of 2^-64 */
    uint32_t bits;                     /* bits of the gap that are drawn; higher ones are practically always 0 */
} TrafficArrivals;
/* Prepares arrivals with the probability `part` / `of` per cycle, 0 < part <= of. */
void traffic_arrivals_init(TrafficArrivals *arrivals, uint64_t part, uint64_t of);
/* Draws the number of cycles without a message before the next message. */
uint64_t traffic_arrivals_gap(const TrafficArrivals *arrivals, TrafficRandom *random);

typedef struct TrafficSource {
    TrafficInjection injection;
    TrafficArrivals arrivals; /* bernoulli: the messages; bursts: the pauses between bursts */
    uint64_t step;            /* bursts: cycles from one message of a burst to the next */
    uint32_t burst;           /* bursts: mean number of messages in a burst */
    __uint128_t part;         /* periodic: a message every part / of cycles */
    uint64_t of;
} TrafficSource;
void traffic_arrivals_source(TrafficSource *source, const TrafficOptions *options, const TrafficLengths *lengths,
                             uint64_t load);
/* Return the cycle of a node's first message, and of the one after the message made in cycle `last`. `phase` belongs to
 * the node and keeps the fraction of a cycle between calls. */
uint64_t traffic_arrivals_first(const TrafficSource *source, TrafficRandom *random, uint64_t *phase);
uint64_t traffic_arrivals_next(const TrafficSource *source, TrafficRandom *random, uint64_t last, uint64_t *phase);

/* -- whose turn it is (calendar.c) -------------------------------------------------------------- */

enum { TRAFFIC_CALENDAR_SLOTS = 128 };
typedef struct TrafficWheel {
    uint64_t used[TRAFFIC_CALENDAR_SLOTS / 64]; /* slots that are not empty, as bits */
    uint64_t *set;                              /* `words` words for each slot: nodes, as bits */
} TrafficWheel;
typedef struct TrafficCalendar {
    uint32_t words;           /* words in a set of nodes */
    uint64_t block;           /* the present block: cycles / SLOTS */
    uint64_t *cycle;          /* by node: the cycle that it is noted for */
    TrafficWheel near, far;   /* a slot is a cycle; a slot is a block */
    struct BaseQueue *beyond; /* times are cycles */
    uint64_t last;            /* the cycle of the last node that was taken.. */
    uint32_t word;            /* ..and the first word of its set that may have others */
} TrafficCalendar;
void traffic_calendar_init(TrafficCalendar *calendar, uint32_t nodes);
void traffic_calendar_clear(TrafficCalendar *calendar);
/* Notes a node, which must not be noted, for a cycle after the last that a node was taken of. */
void traffic_calendar_put(TrafficCalendar *calendar, uint32_t node, uint64_t cycle);
/* Returns the first cycle that a node is noted for; UINT64_MAX: there is none. */
uint64_t traffic_calendar_next(TrafficCalendar *calendar);
/* Takes out the lowest node of that cycle. */
uint32_t traffic_calendar_take(TrafficCalendar *calendar, uint64_t cycle);

struct TrafficBisection {
    uint32_t links;
    uint32_t *link; /* numbers of links; a link that is in the cuts of both directions stands twice */
};

/* -- the network that is measured (bounds.c) --------------------------------------------------- */

/* Returns the parameters of the network to measure: those given, changed as the options say. */
NetParams traffic_options_network(const NetParams *params, const TrafficOptions *options);
uint64_t traffic_bounds_cycle_ps(const NetParams *params);

#endif
