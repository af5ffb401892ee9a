/* traffic.h - experiments on a network alone: synthetic traffic is offered at a load, latency and throughput are
 * measured.
 *
 * As designers of networks do (Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapters
 * 3 and 23 to 25): sources are open loops, each with a queue of its own that never pushes back; what is measured begins
 * after the network has warmed up, and latency counts from the moment at which a message is made, not from that at
 * which it gets into the network. Nothing here knows ranks, programs or MPI.
 *
 * Loads are in billionths of a link's capacity per node: TRAFFIC_LOAD_ONE is a node that sends without a pause, one
 * flit per cycle. A cycle is the time that a flit of `flit_bytes` takes on a link, in every switching model. All counts
 * are integers; only what is reported is divided, at the end, so that results are the same on every host.
 */
#ifndef ORRERY_TRAFFIC_H
#define ORRERY_TRAFFIC_H

#include "base/choice.h"
#include "netsim/netsim.h"

#define TRAFFIC_ERROR (traffic_error_quark())
GQuark traffic_error_quark(void);
typedef enum TrafficError {
    TRAFFIC_ERROR_PATTERN, /* unknown, or not defined on this network; the message says why and what would do */
    TRAFFIC_ERROR_OPTION,  /* an option out of its range */
    TRAFFIC_ERROR_LOST,    /* the network has failures, by which a message cannot be delivered */
} TrafficError;

#define TRAFFIC_LOAD_ONE UINT64_C(1000000000)

enum { TRAFFIC_MOST_SIZES = 8, TRAFFIC_MOST_PACKETS = 10000, TRAFFIC_MOST_BURST = 10000 };
#define TRAFFIC_MOST_WEIGHT UINT64_C(1000000)

typedef struct TrafficSize { /* of messages */
    uint64_t bytes, weight;  /* so many of all weights are of this size */
} TrafficSize;

/* When a node makes messages; the mean is the same. */
/* clang-format off */
#define TRAFFIC_INJECTIONS(CHOICE) \
    CHOICE(TRAFFIC_BERNOULLI, "bernoulli") /* in each cycle with the same chance */ \
    CHOICE(TRAFFIC_BURSTS, "bursts")       /* several without a pause, then none for a time; both vary at random */ \
    CHOICE(TRAFFIC_PERIODIC, "periodic")   /* at equal distances, which nodes begin at random */
/* clang-format on */
BASE_CHOICE_ENUM(TrafficInjection, TRAFFIC_INJECTIONS);

/* Where options say no other. */
#define TRAFFIC_SEED              1
#define TRAFFIC_HOT_PERCENT       10
#define TRAFFIC_BURST             8 /* messages, on average */
#define TRAFFIC_PRECISION_PERCENT 2

/* The links between the two halves of a network's nodes that no message can do without: a maximum flow each way. */
typedef struct TrafficBisection TrafficBisection;
/* NULL: it has no links, or more than 1,024 nodes, where that takes long. Good for all networks of the same shape. */
TrafficBisection *traffic_bisection_new(const Network *net);
void traffic_bisection_free(TrafficBisection *bisection);

typedef struct TrafficOptions {
    const char *pattern; /* one of traffic_patterns() */
    TrafficSize sizes[TRAFFIC_MOST_SIZES];
    uint32_t n_sizes; /* 0: all messages are one packet */
    TrafficInjection injection;
    uint32_t burst;       /* TRAFFIC_BURSTS: messages in one, on average */
    uint64_t seed;        /* of arrivals and destinations; each load has arrivals of its own */
    uint32_t hot_node;    /* hotspot: the node that gets more, */
    uint32_t hot_percent; /* and how much of all messages goes to it on top of its share, 0 to 100 */
    bool startup;         /* the NICs' startup counts; else it is taken as 0 */
    double precision;     /* measure until the mean latency is known to this part of itself, above 0 (0.01: 1 %) */
    const TrafficBisection *bisection; /* of the network; NULL: how busy it is will not be known */
} TrafficOptions;
void traffic_options_default(TrafficOptions *options);

/* NULL-terminated, static. */
const char *const *traffic_patterns(void);
/* One line about a pattern of that list. */
const char *traffic_pattern_help(const char *name);
/* Whether it is one in which TrafficOptions.hot_node gets more. */
bool traffic_pattern_has_hot_node(const char *name);

/* NULL-terminated, static: in the order of TrafficInjection. */
const char *const *traffic_arrivals_injections(void);

typedef struct TrafficBySize {
    uint64_t messages;
    double mean; /* latency in cycles */
} TrafficBySize;

typedef struct TrafficResult {
    uint64_t offered;    /* the load that was asked for */
    double generated;    /* what came out of the generator while it was measured, flits per node and cycle */
    double accepted;     /* what arrived meanwhile */
    bool saturated;      /* more came than the network could take: latencies have no limit and are those seen so far */
    bool precise;        /* the precision was reached */
    uint64_t messages;   /* that were measured */
    double mean, within; /* latency in cycles: mean, and half of the interval that holds it with 95 % confidence */
    uint64_t median_ps, percentile_99_ps, most_ps; /* latency of messages */
    TrafficBySize by_size[TRAFFIC_MOST_SIZES];     /* as in the options */
    double busiest;        /* the part of the time in which the busiest link was carrying something or held */
    uint32_t busiest_link; /* the lowest such */
    double waiting;        /* packets that wait for the link that most wait for, on average; 0: nobody ever waits */
    uint32_t hot_link;     /* the lowest such */
    double bisection;      /* how busy the links between the two halves of the nodes are, on average; -1: not known */
    double hops;           /* links per packet, on average */
    uint64_t warm_up_ps;   /* how long it took until the network was taken as warm */
    uint64_t measured_ps;
    NetCounter counters[NET_MAX_COUNTERS]; /* of the switching model, over all of the run, */
    uint32_t n_counters;                   /* and how many there are */
    char *deadlock; /* the first one: channels that wait for each other for ever, in words; or NULL */
} TrafficResult;
void traffic_measure_clear(TrafficResult *result);

/* What can be said before anything runs. */
typedef struct TrafficBounds {
    uint32_t nodes, senders; /* nodes that send at all: some patterns leave some of them alone */
    uint64_t cycle_ps;
    double message_flits; /* with headers; the mean */
    double zero_load;     /* mean latency in an empty network, in cycles */
    double busiest; /* load at which the link that the pattern uses most would be full, by the routing's own paths, in
                       flits per node and cycle; 0: not known, too many nodes or several ways to go */
    uint32_t busiest_link;
} TrafficBounds;
/* O(nodes^2 * hops) for up to 2,048 nodes, else zero_load is that of some pairs and busiest is not known. */
bool traffic_bounds(const NetParams *params, const TrafficOptions *options, TrafficBounds *bounds, GError **error);

/* Measures one load, on a network of its own; may run on any thread. `load` is 1 to TRAFFIC_LOAD_ONE. */
bool traffic_measure(const NetParams *params, const TrafficOptions *options, uint64_t load, TrafficResult *result,
                     GError **error);

/* The greatest load, to within `step`, at which the network is not saturated, between two loads of which the first is
 * not and the second is: by bisection. */
bool traffic_measure_saturation(const NetParams *params, const TrafficOptions *options, uint64_t low, uint64_t high,
                                uint64_t step, uint64_t *load, GError **error);

/* -- traffic beside something else (background.c) ---------------------------------------------- */

typedef struct TrafficBackgroundOptions {
    const char *pattern;
    uint64_t load;             /* 1 to TRAFFIC_LOAD_ONE */
    uint64_t bytes;            /* of a message; 0: one packet */
    uint64_t start_ps, end_ps; /* the latter 0: as long as somebody asks */
    uint64_t seed;
    uint32_t hot_node, hot_percent;
    uint32_t most_waiting; /* messages of a node on their way; it makes no more */
} TrafficBackgroundOptions;

typedef struct TrafficBackgroundCounts {
    uint64_t made, delivered, delivered_bytes;
    uint64_t refused;       /* were not made: the node had too many on their way */
    uint64_t undeliverable; /* were given up by the network */
    uint64_t latency_ps;    /* of those delivered, together */
} TrafficBackgroundCounts;

/* The background client of a network (net_network_set_background()), which is to outlive it. Refusals begin with the
 * key that is wrong. */
typedef struct TrafficBackground TrafficBackground;
TrafficBackground *traffic_background_new(Network *net, const TrafficBackgroundOptions *options, GError **error);
void traffic_background_free(TrafficBackground *source);
/* When the next message is due, UINT64_MAX: never again; makes it, at that time. */
uint64_t traffic_background_next(const TrafficBackground *source);
void traffic_background_step(TrafficBackground *source);
void traffic_background_counts(const TrafficBackground *source, TrafficBackgroundCounts *counts);

#endif
