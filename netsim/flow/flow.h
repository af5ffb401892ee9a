/* flow.h - what the files of the flow model share: streams of flows, the media that they cross, and their rates.
 *
 * A flow is a message on its way. Flows with the same route have the same rate at every moment, so they are kept
 * together as a stream. The service that each of its flows has received since the stream began is one number. A flow
 * ends when that number has grown by the flow's length since the flow began.
 */
#ifndef ORRERY_NETSIM_FLOW_H
#define ORRERY_NETSIM_FLOW_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"

enum { FLOW_LONGEST_ROUTE = 1 << 16 };
/* Rate of a stream that no medium limits yet; level of a medium that limits no stream. */
#define FLOW_UNLIMITED UINT64_MAX

typedef struct FlowEnd { /* the end of a flow of a stream */
    __uint128_t at;      /* value of Stream.served at which the flow ends */
    uint64_t sequence;   /* numbers flows in the order of their beginning */
    uint32_t message;
} FlowEnd;

/* What the rates of other streams depend on. It is a struct of its own because it is read most often. */
typedef struct FlowShare {
    uint64_t rate;  /* computed rate of each flow of a stream, bytes per second */
    uint32_t limit; /* the medium that sets the rate; NET_NONE with FLOW_UNLIMITED */
    uint32_t flows; /* number of flows; 0: the slot is free */
} FlowShare;

/* Flows with the same route. */
typedef struct Stream {
    uint32_t from, to;
    bool touched;    /* it is in FlowState.touched: its rate or its flows have changed */
    bool unlisted;   /* it is not in FlowState.between: no other stream has crossed its media since it began */
    bool met, again; /* while all rates are computed anew: it takes part; its rate is still to be found */
    uint32_t n_links;
    uint32_t room;     /* links that `link` and `place` have memory for */
    uint32_t *link;    /* the route */
    uint32_t *place;   /* per link of the route: the stream's index in Medium.crossing */
    uint64_t rate_now; /* rate at which it has flowed since since_ps; 0: it has just begun */
    uint64_t since_ps;
    __uint128_t served; /* service of each flow until since_ps, in 10^-12 bytes */
    FlowEnd *end;       /* the ends of its flows: a binary heap */
    uint32_t capacity;
    uint32_t next;       /* next stream between the same nodes, by another route */
    uint64_t latency_ps; /* latencies of links and routers on the route */
    uint64_t end_ps;     /* when the first of its flows ends at the current rate */
    uint32_t calendar;   /* its index in FlowState.calendar */
} Stream;

/* An entry of the calendar: a stream in the order of ends. Its time is never later than the stream's own end_ps. A rate
 * that falls does not move it until it comes to the top. */
typedef struct FlowDate {
    uint64_t time_ps;
    uint32_t from;     /* at equal times, nodes go by number */
    uint64_t sequence; /* flows of one node go in the order in which they began */
    uint32_t stream;
} FlowDate;

typedef struct Crossing { /* the use of a medium by link number `hop` of a stream's route */
    uint32_t stream, hop;
    /* The state of a medium, computed from the shares of its streams. */
} Crossing;

typedef struct FlowLevel {
    uint64_t rate; /* rate of the flows that the medium limits; FLOW_UNLIMITED: other media limit all of them */
    bool pending;  /* there are flows that it should limit at that rate but does not yet */
} FlowLevel;

typedef struct Medium { /* a link, or both directions of a half-duplex link */
    Crossing *crossing;
    uint32_t n, capacity;
    uint32_t flows;    /* number of flows of all its streams */
    bool dirty;        /* it is in FlowState.dirty */
    bool met;          /* while all rates are computed anew: it takes part; while a route is looked at: it is on it */
    uint32_t unfilled; /* ... it has so many flows without a rate */
    uint64_t left;     /* ... and so much bandwidth left for them */
    uint64_t level;    /* rate of the flows that it limits; FLOW_UNLIMITED: it limits none */
    FlowLevel coming;  /* the level that it would have if the other media stay as they are */
} Medium;

typedef struct FlowState {
    NetOrder *order;
    Medium *medium;       /* by link; of a half-duplex pair only the lower link is used */
    uint32_t *flows_on;   /* by link: number of flows that cross it */
    uint64_t *busy_since; /* by link: since when any flow has crossed it */
    Stream *stream;
    FlowShare *share;     /* per stream */
    BasePool streams;     /* slots of `stream` and `share` */
    FlowDate *calendar;   /* binary heap of all streams that have a rate */
    uint32_t dates;       /* entries of `calendar` */
    uint64_t armed_ps;    /* time of the date whose event is in the network's queue; UINT64_MAX: none */
    uint32_t armed_from;  /* `from` of that date */
    GHashTable *between;  /* pair of nodes -> its first stream + 1; looked up, never iterated */
    uint64_t crossings;   /* total number of crossings of all media */
    GArray *dirty;        /* uint32_t: media whose flows or whose flows' rates have changed */
    GArray *changed;      /* uint32_t: the media that were dirty at the start of the computation */
    GArray *touched;      /* uint32_t: streams whose ends have to be planned again */
    GArray *connected;    /* uint32_t: streams that take part when all rates are computed anew */
    __uint128_t *filling; /* binary heap of media, by the rate of the flows that they may limit */
    uint32_t n_filling, filling_capacity;
    uint64_t work;     /* crossings looked at in this computation */
    uint64_t patience; /* `work` may be at most this multiple of `crossings`, plus a constant */
    uint64_t begun;    /* number of flows begun so far */
    uint32_t *route;   /* buffer for one route */
    uint32_t links;    /* number of entries of the arrays by link */
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
/* Returns the stream whose route is the first `n_links` entries of state->route. Makes a new one if there is none. */
uint32_t net_flow_find_stream(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links);
/* Returns a new stream for the same route, none of whose media has a flow. */
uint32_t net_flow_new_stream_alone(const Network *net, FlowState *state, uint32_t from, uint32_t to, uint32_t n_links);
/* Frees a stream without flows. */
void net_flow_remove_stream(const Network *net, FlowState *state, uint32_t stream);
/* Add an end to those of a stream's flows, and take out the first. The first is end[0]. */
void net_flow_push_end(FlowState *state, uint32_t stream, FlowEnd end);
FlowEnd net_flow_pop_end(FlowState *state, uint32_t stream);

/* -- the calendar of ends (calendar.c) ---------------------------------------------------- */

/* Enters the stream's end_ps, which has changed or is set for the first time. */
void net_flow_set_date(FlowState *state, uint32_t stream);
void net_flow_drop_date(FlowState *state, uint32_t stream);
/* Returns the stream whose flow ends first, or NET_NONE. */
uint32_t net_flow_first_date(FlowState *state);

/* -- rates (rates.c) ---------------------------------------------------------------------- */

/* Whether no flow crosses a medium of the route in state->route, no computation is due for one, and the route crosses
 * none twice. */
bool net_flow_is_idle(const Network *net, FlowState *state, uint32_t n_links);
/* Gives a stream its rate that has the only flow on each of its media. */
void net_flow_rate_alone(const Network *net, FlowState *state, uint32_t stream);
/* Gives every stream its rate after the flows of the dirty media have changed. Afterwards every stream whose rate has
 * changed is in state->touched. */
void net_flow_work_out_rates(const Network *net, FlowState *state);

#endif
