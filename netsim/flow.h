/* flow.h - what the two files of the flow model share: flows, the media that they cross, and their rates. */
#ifndef ORRERY_NETSIM_FLOW_H
#define ORRERY_NETSIM_FLOW_H

#include "netsim/order.h"

typedef struct Flow {
    uint32_t message;
    uint32_t n_links;
    uint32_t *link;  /* the route, */
    uint32_t *place; /* and for each of its links the flow's place in the list of the medium */
    uint64_t rate;   /* bytes per second; 0: it has just begun */
    uint64_t rate_before;
    uint64_t latency_ps, since_ps;
    __uint128_t left; /* 10^-12 bytes, at since_ps */
    uint64_t version; /* of the event that says when it ends */
    uint64_t round;   /* in which its rate was last worked out */
    bool filled;      /* it has a rate in that round */
    uint32_t next;    /* free flow */
} Flow;

typedef struct Crossing { /* of a medium by a flow: which of its links */
    uint32_t flow, hop;
} Crossing;

typedef struct Medium { /* a link, or both directions of a half-duplex one */
    Crossing *crossing;
    uint32_t n, capacity;
    uint32_t unfilled;    /* while rates are worked out: crossings by flows without a rate yet, */
    uint64_t left, round; /* what is left for them, and the round that this is about */
} Medium;

typedef struct FlowState {
    NetOrder *order;
    Medium *medium;       /* by link; of a half-duplex pair only the lower counts */
    uint32_t *flows_on;   /* by link: flows that cross it, */
    uint64_t *busy_since; /* and since when there have been any */
    Flow *flow;
    uint32_t n_flows, capacity, free_flow;
    GArray *changed;   /* uint32_t: media whose flows have begun or ended since rates were worked out */
    GArray *connected; /* uint32_t: flows that this may concern */
    NetQueue *filling; /* media by the share that they have for each flow */
    uint64_t round;
    uint64_t begun;  /* flows, for random choices */
    uint32_t *route; /* room for one */
    uint32_t links;  /* entries of the arrays by link */
} FlowState;

static inline uint32_t flow_medium(const Network *net, uint32_t link)
{
    return MIN(link, net->graph.link[link].partner);
}

/* Works out the rates of all flows that are connected with the media that changed, and leaves them in
 * state->connected, each with its rate and the one before. */
void flow_work_out_rates(const Network *net, FlowState *state);

#endif
