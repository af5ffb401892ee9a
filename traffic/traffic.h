/* traffic.h - experiments on a network alone: sources offer synthetic traffic at a load; latency and throughput are
 * measured.
 *
 * The method is that of Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 3 and
 * 23 to 25. Sources are open loops: each has a queue of its own that never pushes back. Measurement begins after the
 * network has warmed up. Latency counts from the moment at which a source makes a message, not from the moment at which
 * the message enters the network. Nothing here knows ranks, programs or MPI.
 *
 * A load is given in billionths of a link's capacity per node. At TRAFFIC_LOAD_ONE a node sends one flit per cycle,
 * without a pause. A cycle is the time that a flit of `flit_bytes` takes on a link, in every switching model. All
 * counts are integers, and divisions happen only in the report, so results are the same on every host.
 */
#ifndef ORRERY_TRAFFIC_H
#define ORRERY_TRAFFIC_H

#include "base/choice.h"
#include "netsim/netsim.h"

#define TRAFFIC_ERROR (traffic_error_quark())
GQuark traffic_error_quark(void);
typedef enum TrafficError {
    TRAFFIC_ERROR_PATTERN, /* the pattern is unknown or not defined on this network; the message says what would do */
    TRAFFIC_ERROR_OPTION,  /* an option is out of its range */
    TRAFFIC_ERROR_LOST,    /* failures in the network keep a message from being delivered */
} TrafficError;

#define TRAFFIC_LOAD_ONE UINT64_C(1000000000)

enum { TRAFFIC_MOST_SIZES = 8, TRAFFIC_MOST_PACKETS = 10000, TRAFFIC_MOST_BURST = 10000 };
#define TRAFFIC_MOST_WEIGHT UINT64_C(1000000)

typedef struct TrafficSize {
    uint64_t bytes;  /* size of a message */
    uint64_t weight; /* the share of this size among all messages is weight / sum of all weights */
} TrafficSize;

/* The process that decides when a node makes messages. The mean load is the same for all of them. */
/* clang-format off */
#define TRAFFIC_INJECTIONS(CHOICE) \
    CHOICE(TRAFFIC_BERNOULLI, "bernoulli") /* a message in each cycle with the same probability */ \
    CHOICE(TRAFFIC_BURSTS, "bursts")       /* several messages without a pause, then a pause; both are random */ \
    CHOICE(TRAFFIC_PERIODIC, "periodic")   /* messages at equal distances; each node begins at a random time */
/* clang-format on */
BASE_CHOICE_ENUM(TrafficInjection, TRAFFIC_INJECTIONS);

/* Defaults of TrafficOptions. */
#define TRAFFIC_SEED              1
#define TRAFFIC_HOT_PERCENT       10
#define TRAFFIC_BURST             8 /* messages, on average */
#define TRAFFIC_PRECISION_PERCENT 2

/* The bisection: a smallest set of links that every message between the two halves of the nodes has to cross, for each
 * direction. It is found as the cut of a maximum flow. */
typedef struct TrafficBisection TrafficBisection;
/* Returns NULL if the network has no links, or more than 1,024 nodes (the search would take long). The result is valid
 * for all networks of the same shape. Free it with traffic_bisection_free(). */
TrafficBisection *traffic_bisection_new(const Network *net);
void traffic_bisection_free(TrafficBisection *bisection);

typedef struct TrafficOptions {
    const char *pattern; /* one of traffic_patterns() */
    TrafficSize sizes[TRAFFIC_MOST_SIZES];
    uint32_t n_sizes; /* entries of sizes[]; 0: every message is one packet */
    TrafficInjection injection;
    uint32_t burst;       /* TRAFFIC_BURSTS: mean number of messages in a burst */
    uint64_t seed;        /* of random arrivals and destinations; each load draws its own arrivals from it */
    uint32_t hot_node;    /* pattern hotspot: the node that gets more messages than the others */
    uint32_t hot_percent; /* pattern hotspot: share of all messages that hot_node gets in addition, 0 to 100 */
    bool startup;         /* whether the startup time of NICs counts; else it is taken as 0 */
    double precision;     /* measure until the mean latency is known to this fraction of itself, > 0 (0.01: 1 %) */
    const TrafficBisection *bisection; /* the network's bisection; NULL: its use will not be measured */
} TrafficOptions;
void traffic_options_default(TrafficOptions *options);

/* Returns the names of all patterns: a static array that ends with NULL. */
const char *const *traffic_patterns(void);
/* Returns one line about a pattern of traffic_patterns(). */
const char *traffic_pattern_help(const char *name);
/* Tells whether the pattern sends more messages to TrafficOptions.hot_node. */
bool traffic_pattern_has_hot_node(const char *name);

/* Returns the names of injection processes, in the order of TrafficInjection: a static array that ends with NULL. */
const char *const *traffic_arrivals_injections(void);

typedef struct TrafficBySize {
    uint64_t messages;
    double mean; /* latency in cycles */
} TrafficBySize;

typedef struct TrafficResult {
    uint64_t offered;  /* the load that was asked for, in parts of TRAFFIC_LOAD_ONE */
    double generated;  /* the load that the sources made while it was measured, in flits per node and cycle */
    double accepted;   /* the load that arrived while it was measured, in flits per node and cycle */
    bool saturated;    /* the network could not take the load: latencies grow without limit, those seen are given */
    bool precise;      /* TrafficOptions.precision was reached */
    uint64_t messages; /* number of messages that were measured */
    double mean;       /* mean latency, in cycles */
    double within;     /* the true mean is in mean +- within with 95 % confidence, in cycles */
    uint64_t median_ps, percentile_99_ps, most_ps; /* latency of messages */
    TrafficBySize by_size[TRAFFIC_MOST_SIZES];     /* by the sizes of TrafficOptions */
    double busiest; /* utilisation of the busiest link: the share of time in which it carried a flit or was held */
    uint32_t busiest_link; /* number of the busiest link; the lowest of several */
    double waiting;      /* mean number of packets that wait for the link with the longest queue; 0: none ever waits */
    uint32_t hot_link;   /* number of the link with the longest queue; the lowest of several */
    double bisection;    /* mean utilisation of the links of the bisection; -1: not known */
    double hops;         /* mean number of links per packet */
    uint64_t warm_up_ps; /* time until the network counted as warm */
    uint64_t measured_ps;
    uint64_t simulated_ps;                 /* virtual time of the whole run: warm-up, measurement and drain */
    NetCounter counters[NET_MAX_COUNTERS]; /* counters of the switching model, over the whole run */
    uint32_t n_counters;                   /* entries of counters[] */
    char *deadlock; /* description of the first deadlock: the channels that wait for each other; NULL: there was none */
} TrafficResult;
void traffic_measure_clear(TrafficResult *result);

/* What is known of an experiment before it runs. */
typedef struct TrafficBounds {
    uint32_t nodes;
    uint32_t senders; /* nodes that send; some patterns leave some nodes silent */
    uint64_t cycle_ps;
    double message_flits; /* mean length of a message, headers included */
    double zero_load;     /* mean latency in an empty network, in cycles */
    double busiest; /* the load, in flits per node and cycle, at which the link that the pattern uses most is full, by
                       the paths of the routing; 0: not known (too many nodes, or several paths to choose from) */
    uint32_t busiest_link;
} TrafficBounds;
/* Computes the bounds in O(nodes^2 * hops) for up to 2,048 nodes. Beyond that zero_load is the mean of some pairs, and
 * busiest is not known. Returns false with an error where the options cannot be. */
bool traffic_bounds(const NetParams *params, const TrafficOptions *options, TrafficBounds *bounds, GError **error);

/* Measures one load, 1 to TRAFFIC_LOAD_ONE, on a network that it makes for itself. May run on any thread. Release the
 * result with traffic_measure_clear(). */
bool traffic_measure(const NetParams *params, const TrafficOptions *options, uint64_t load, TrafficResult *result,
                     GError **error);

/* Finds the greatest load, to within `step`, at which the network is not saturated. The search halves the interval: at
 * `low` the network must not be saturated, at `high` it must be. */
bool traffic_measure_saturation(const NetParams *params, const TrafficOptions *options, uint64_t low, uint64_t high,
                                uint64_t step, uint64_t *load, GError **error);

/* -- traffic beside something else (background.c) ---------------------------------------------- */

typedef struct TrafficBackgroundOptions {
    const char *pattern;
    uint64_t load;             /* 1 to TRAFFIC_LOAD_ONE */
    uint64_t bytes;            /* size of a message; 0: one packet */
    uint64_t start_ps, end_ps; /* end_ps 0: as long as the caller asks for messages */
    uint64_t seed;
    uint32_t hot_node, hot_percent; /* as in TrafficOptions */
    uint32_t most_waiting;          /* a node with so many messages under way makes no further one */
} TrafficBackgroundOptions;

typedef struct TrafficBackgroundCounts {
    uint64_t made, delivered, delivered_bytes;
    uint64_t refused;       /* messages not made, because the node had most_waiting under way */
    uint64_t undeliverable; /* messages that the network gave up */
    uint64_t latency_ps;    /* sum of the latencies of delivered messages */
} TrafficBackgroundCounts;

/* The background client of a network (net_network_set_background()). The network must outlive it. An error's message
 * begins with the configuration key that is wrong. */
typedef struct TrafficBackground TrafficBackground;
TrafficBackground *traffic_background_new(Network *net, const TrafficBackgroundOptions *options, GError **error);
void traffic_background_free(TrafficBackground *source);
/* Returns the time at which the next message is due; UINT64_MAX: there is none. */
uint64_t traffic_background_next(const TrafficBackground *source);
/* Makes the next message, at the time that traffic_background_next() returned. */
void traffic_background_step(TrafficBackground *source);
void traffic_background_counts(const TrafficBackground *source, TrafficBackgroundCounts *counts);

#endif
