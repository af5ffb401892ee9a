/* flow.h - what the files of the flow model share: streams of flows, the media that they cross, and their rates.
 *
 * A flow is a message on its way. Flows with the same route have the same rate at every moment, so they are kept
 * together, as a stream: what each of its flows has been served since the stream began is one number, and a flow ends
 * when that number reaches what it was when the flow began plus the flow's length.
 */
#ifndef ORRERY_NETSIM_FLOW_H
#define ORRERY_NETSIM_FLOW_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"

enum { FLOW_LONGEST_ROUTE = 1 << 16 };
#define FLOW_UNLIMITED UINT64_MAX /* rate of a stream that no medium limits yet; of a medium that limits none */

typedef struct FlowEnd { /* when a flow of a stream ends */
    __uint128_t at;      /* what the stream has served each of its flows then */
    uint64_t sequence;   /* of flows in order of their beginning */
    uint32_t message;
} FlowEnd;

/* What the rates of others depend on; by itself, since it is looked at most. */
typedef struct FlowShare {
    uint64_t rate;  /* of each flow of a stream, as worked out: bytes per second, */
    uint32_t limit; /* and the medium that sets it; NET_NONE with FLOW_UNLIMITED */
    uint32_t flows; /* 0: the place is free */
} FlowShare;

typedef struct Stream {
    uint32_t from, to;
    bool touched;    /* it is in FlowState.touched: rate or flows have changed */
    bool met, again; /* while rates are worked out anew: it takes part; its rate is still to be found */
    uint32_t n_links;
    uint32_t *link;    /* the route, */
    uint32_t *place;   /* and for each of its links the stream's place in the list of the medium */
    uint64_t rate_now; /* at which it has flowed since `since_ps`; 0: it has just begun */
    uint64_t since_ps;
    __uint128_t served; /* 10^-12 bytes, for each flow, at since_ps */
    FlowEnd *end;       /* of its flows: a binary heap */
    uint32_t capacity;
    uint32_t next; /* stream between the same nodes by another route */
    uint64_t latency_ps;
    uint64_t end_ps;   /* when the first of its flows ends at the rate of now */
    uint32_t calendar; /* its place in FlowState.calendar */
} Stream;

/* A stream in the order of ends. Its time is not later than the stream's own: rates that fall do not move it until it
 * comes to the top. */
typedef struct FlowDate {
    uint64_t time_ps;
    uint32_t from;     /* at equal times, nodes go by number, */
    uint64_t sequence; /* and flows of a node in the order in which they began */
    uint32_t stream;
} FlowDate;

typedef struct Crossing { /* of a medium by a stream: which of its links */
    uint32_t stream, hop;
} Crossing;

typedef struct FlowLevel {
    uint64_t rate; /* of the flows that a medium limits; FLOW_UNLIMITED: all are limited by others */
    bool pending;  /* it has flows to take at that rate that it does not have yet */
} FlowLevel;

typedef struct Medium { /* a link, or both directions of a half-duplex one */
    Crossing *crossing;
    uint32_t n, capacity;
    uint32_t flows;    /* of all its streams */
    bool dirty;        /* it is in FlowState.dirty */
    bool met;          /* while rates are worked out anew: it takes part, */
    uint32_t unfilled; /* with so many flows that have no rate yet, */
    uint64_t left;     /* and so much for them */
    uint64_t level;    /* rate of the flows that it limits; FLOW_UNLIMITED: it limits none */
    FlowLevel coming;  /* what its level is as far as others are known */
} Medium;

typedef struct FlowState {
    NetOrder *order;
    Medium *medium;       /* by link; of a half-duplex pair only the lower counts */
    uint32_t *flows_on;   /* by link: flows that cross it, */
    uint64_t *busy_since; /* and since when there have been any */
    Stream *stream;
    FlowShare *share;   /* of each stream */
    BasePool streams;   /* places of both */
    FlowDate *calendar; /* a binary heap of all streams that have a rate */
    uint32_t dates;
    uint64_t armed_ps; /* the event for the first date that is in the network's queue; UINT64_MAX: none */
    uint32_t armed_from;
    GHashTable *between;  /* first stream by its pair of nodes; only looked up */
    uint64_t crossings;   /* of all media */
    GArray *dirty;        /* uint32_t: media whose flows or their rates have changed */
    GArray *changed;      /* uint32_t: those that were at first, while rates are worked out */
    GArray *touched;      /* uint32_t: streams for which something is to be planned anew */
    GArray *connected;    /* uint32_t: streams that take part where all rates are worked out anew */
    __uint128_t *filling; /* media by the rate of the flows that they may limit: a binary heap */
    uint32_t n_filling, filling_capacity;
    uint64_t work;     /* crossings looked at, */
    uint64_t patience; /* and how often all may be before it is too much */
    uint64_t begun;    /* flows */
    uint32_t *route;   /* room for one */
    uint32_t links;    /* entries of the arrays by link */
} FlowState;

static inline uint32_t flow_medium(const Network *net, uint32_t link)
{
    return MIN(link, net->graph.link[link].partner);
}

/* -- streams (streams.c) ------------------------------------------------------------------ */

FlowState *net_flow_state_new(uint32_t links);
void net_flow_state_free(FlowState *state);
void net_flow_touch(FlowState *state, uint32_t stream);
void net_flow_note_dirty(FlowState *state, uint32_t medium);
/* The stream of that route, the one of the state's `route` with so many links; a new one where there is none. */
uint32_t net_flow_find_stream(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links);
/* Frees a stream without flows. */
void net_flow_remove_stream(const Network *net, FlowState *state, uint32_t stream);
/* The ends of a stream's flows; the first is end[0]. */
void net_flow_push_end(FlowState *state, uint32_t stream, FlowEnd end);
FlowEnd net_flow_pop_end(FlowState *state, uint32_t stream);

/* -- the calendar of ends (calendar.c) ---------------------------------------------------- */

/* The stream's end_ps is another than before, or it has one for the first time. */
void net_flow_set_date(FlowState *state, uint32_t stream);
void net_flow_drop_date(FlowState *state, uint32_t stream);
/* The stream whose flow ends first, or NET_NONE. */
uint32_t net_flow_first_date(FlowState *state);

/* -- rates (rates.c) ---------------------------------------------------------------------- */

/* Gives every stream its rate after the flows of the dirty media have changed; every stream whose rate is another than
 * before is in state->touched then. */
void net_flow_work_out_rates(const Network *net, FlowState *state);

#endif
