/* trains.c - packets of a long message that meet nobody, in closed form. Explicitly ordered.
 *
 * With cut-through, a packet costs an event for each link (packet_switching.c). Where the packets of a message have
 * their links for themselves they follow each other at equal distances, so a few numbers for each link say when each of
 * them is where. Such packets are a train. Its first packet goes from link to link by an event each; where it comes to,
 * the others will follow:
 *
 *     HEAD   the first packet asks for its next link                 one event for each link
 *     LEFT   the last packet asks for the first link: the NIC is free for the next message
 *     TAIL   the last packet asks for the last link: the message will be delivered
 *
 * When another packet asks for a link of a train, those that have asked before it are past. The others leave the train
 * there: each has an event at that link again, and at the links behind it (meet(), cut()). Up to that link the train
 * remains:
 *
 *     FEED   a packet that the train has brought up to a link asks for it, by itself
 *
 * When the other is gone, the rest of the message becomes a train of its own, which begins at that link: a child. What
 * it brings depends on the train that feeds it, so it is cut with that one.
 *
 * Results are those of single packets, to the last picosecond. Requests at the same time at the same vertex are served
 * in the order of insertion into the event queue, which is that of the events that caused them. With trains, insertions
 * have another order. So requests are put in the order of their causes: (time, kind, vertex). Two requests for one link
 * cannot have causes that are equal, because these lie at different vertices, or follow each other on one link or in
 * one NIC. What this needs of the network, net_trains_new() checks.
 *
 * Counters of links are added up when packets are past and somebody comes by, or at the end of the train. So they are
 * exact when nothing is under way, and after net_trains_settle().
 */
#include "base/pool.h"
#include "base/queue.h"
#include "netsim/graph/graph.h"
#include "netsim/model/packet_switching.h"
#include "netsim/params/params.h"

/* Fewest packets of a train; packets of a message that must have followed each other on a link before a child begins:
 * where two messages take turns, children would be cut again at once. */
enum { LEAST_PACKETS = 3, UNDISTURBED = 4 };
enum { HEAD, LEFT, TAIL, FEED }; /* events */

/* A link of a train. Packets are numbered from the train's first one. */
typedef struct Leg {
    NetHop hop;
    uint32_t n;                  /* packets that cross it as a train; those behind them go singly, or in a child */
    uint32_t counted;            /* ... that are in the link's counters */
    uint32_t fed;                /* the packet of its FEED event */
    uint32_t child;              /* the last child that begins here, + 1 */
    uint64_t asked_ps, begun_ps; /* when the first packet asks for the link, and when it has it */
} Leg;

typedef struct Train {
    uint32_t next_free;          /* for BasePool */
    uint32_t message;            /* NET_NONE: the slot is free */
    uint32_t first;              /* index of its first packet in the message */
    uint32_t n;                  /* packets at its beginning */
    uint32_t feeder, feeder_leg; /* where its packets come from, if it is a child; NET_NONE: from their NIC */
    uint32_t users;              /* its events in the queue, and its children */
    uint32_t legs, capacity;
    Leg *leg;
} Train;

/* What an event is ordered by among those at its time and vertex: the event that caused it. */
typedef struct Cause {
    uint64_t time_ps;
    uint32_t kind, vertex;
} Cause;

struct NetRequest {
    BaseEvent event;
    bool known; /* `cause` is */
    Cause cause;
};

typedef struct LastUser { /* of a link */
    uint32_t message;
    uint32_t packets; /* single ones that it has sent without others between them */
} LastUser;

struct NetTrains {
    uint64_t period_ps;  /* distance of two packets */
    uint64_t *owner;     /* by link: train + 1 and leg of a train whose packets are not known to be past; 0: none */
    LastUser *last_user; /* by link */
    Train *train;
    BasePool trains;
    uint64_t *age; /* ages that do not fit into an event */
    BasePool ages;
    GArray *waiting; /* NetRequest: events at one time and vertex */
};

/* -- what a network needs ---------------------------------------------------------------------- */

/* Two links from a vertex to another, by which packets with equal causes could come. */
static bool has_twins(const NetGraph *graph)
{
    for (uint32_t link = 0; link < graph->links; link++)
        for (uint32_t other = link + 1; other < graph->first_out[graph->link[link].from + 1]; other++)
            if (graph->link[other].to == graph->link[link].to)
                return true;
    return false;
}

NetTrains *net_trains_new(const Network *net)
{
    const NetParams *params = &net->params;
    uint64_t onward_ps = net_serialise(params->header_bytes, params->bandwidth) + params->link_latency_ps +
                         MIN(params->router_latency_ps, params->switch_latency_ps);
    if (!net->client.fast.settles || !net_has_one_path(net) || net->transport || net->failures || !net->graph.uniform ||
        params->nics > 1 || !params->startup_ps || params->packet_startup_ps || !onward_ps ||
        !net_serialise(params->header_bytes, params->bandwidth) || has_twins(&net->graph))
        return NULL;
    NetTrains *trains = g_new0(NetTrains, 1);
    trains->period_ps = net->full_packet_ps;
    trains->owner = g_new0(uint64_t, net->graph.links);
    trains->last_user = g_new(LastUser, net->graph.links);
    memset(trains->last_user, 0xff, net->graph.links * sizeof *trains->last_user);
    trains->waiting = g_array_new(FALSE, FALSE, sizeof(NetRequest));
    return trains;
}

void net_trains_free(NetTrains *trains)
{
    if (!trains)
        return;
    for (uint32_t i = 0; i < trains->trains.count; i++)
        g_free(trains->train[i].leg);
    g_free(trains->train);
    g_free(trains->owner);
    g_free(trains->last_user);
    g_free(trains->age);
    g_array_unref(trains->waiting);
    g_free(trains);
}

static NetTrains *trains_of(const Network *net)
{
    return ((const NetPacketSwitching *)net->model_state)->trains;
}

static uint64_t *link_free(const Network *net, uint32_t link)
{
    return &((const NetPacketSwitching *)net->model_state)->link_free[link];
}

/* -- when packets are where -------------------------------------------------------------------- */

/* Returns when packet k asks for the link of a leg. Behind a NIC, a packet asks when the one before has left. */
static uint64_t asked_ps(const NetTrains *trains, const Train *train, uint32_t leg, uint32_t k)
{
    const Leg *at = &train->leg[leg];
    bool from_nic = leg == 0 && train->feeder == NET_NONE;
    return (from_nic && k ? at->begun_ps : at->asked_ps) + k * trains->period_ps;
}

static uint64_t begun_ps(const NetTrains *trains, const Train *train, uint32_t leg, uint32_t k)
{
    return train->leg[leg].begun_ps + k * trains->period_ps;
}

static uint64_t wire_bytes_of(const Network *net, const Train *train, uint32_t k)
{
    return net_packet_bytes(&net->params, net_message(net, train->message)->bytes, train->first + k);
}

static bool is_last(const Network *net, const Train *train, uint32_t k)
{
    return train->first + k + 1 == net_message(net, train->message)->packets;
}

static uint64_t duration_ps(const Network *net, const Train *train, uint32_t k)
{
    return is_last(net, train, k) ? net_packet_ps(net, wire_bytes_of(net, train, k)) : net->full_packet_ps;
}

/* Returns when packet k has left the link of a leg. */
static uint64_t free_ps(const Network *net, const Train *train, uint32_t leg, uint32_t k)
{
    return begun_ps(trains_of(net), train, leg, k) + duration_ps(net, train, k);
}

static uint32_t vertex_of(const Network *net, const Train *train, uint32_t leg)
{
    return net->graph.link[train->leg[leg].hop.link].from;
}

/* Finds the leg that brings packet `k` to a leg, and its number there. False: that leg is the first behind a NIC. */
static bool find_feeder(const NetTrains *trains, const Train *train, uint32_t leg, uint32_t k, const Train **feeder,
                        uint32_t *feeder_leg, uint32_t *number)
{
    *feeder = leg || train->feeder == NET_NONE ? train : &trains->train[train->feeder];
    *feeder_leg = leg ? leg - 1 : train->feeder_leg;
    *number = 0;
    if (!leg && train->feeder == NET_NONE)
        return false;
    *number = k + train->first - (*feeder)->first;
    return true;
}

/* Returns the cause of packet k's request for the link of a leg. */
static Cause cause_of(const Network *net, const Train *train, uint32_t leg, uint32_t k)
{
    const NetTrains *trains = trains_of(net);
    const Train *feeder;
    uint32_t feeder_leg, number;
    if (find_feeder(trains, train, leg, k, &feeder, &feeder_leg, &number))
        return (Cause){asked_ps(trains, feeder, feeder_leg, number), NET_EVENT_HOP, vertex_of(net, feeder, feeder_leg)};
    assert(k);
    return (Cause){asked_ps(trains, train, 0, k - 1), NET_EVENT_HOP, vertex_of(net, train, 0)};
}

static int compare_causes(const Cause *a, const Cause *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* Returns how many packets have asked for the link of a leg before a time. */
static uint32_t asked_before(const NetTrains *trains, const Train *train, uint32_t leg, uint64_t time_ps)
{
    const Leg *at = &train->leg[leg];
    uint64_t from_ps = asked_ps(trains, train, leg, 1) - trains->period_ps;
    uint64_t n = time_ps > from_ps ? (time_ps - from_ps - 1) / trains->period_ps + 1 : 0;
    return (uint32_t)MIN(MAX(n, at->asked_ps < time_ps), at->n);
}

/* -- counters ---------------------------------------------------------------------------------- */

/* Adds the packets up to the n-th, which have asked for the link of a leg, to the link's counters. */
static void count(Network *net, Train *train, uint32_t leg, uint32_t n)
{
    Leg *at = &train->leg[leg];
    if (at->counted >= n)
        return;
    NetLink *link = &net->graph.link[at->hop.link];
    uint32_t new = n - at->counted;
    bool all_wait = leg || train->feeder != NET_NONE; /* behind a NIC, only the first packet can */
    uint32_t waiting = all_wait ? new : at->counted == 0;
    uint64_t full_bytes = (uint64_t)net->params.packet_bytes + net->params.header_bytes;
    uint64_t short_by = is_last(net, train, n - 1) ? full_bytes - wire_bytes_of(net, train, n - 1) : 0;
    link->packets += new;
    link->bytes += new *full_bytes - short_by;
    link->busy_ps += (new - 1) * net->full_packet_ps + duration_ps(net, train, n - 1);
    link->blocked_ps += waiting * (at->begun_ps - at->asked_ps);
    at->counted = n;
    if (link->to == net_message(net, train->message)->to)
        net_message(net, train->message)->delivered += new;
}

void net_trains_settle(Network *net, uint64_t time_ps)
{
    NetTrains *trains = trains_of(net);
    for (uint32_t i = 0; i < trains->trains.count; i++) {
        Train *train = &trains->train[i];
        for (uint32_t leg = 0; train->message != NET_NONE && leg < train->legs; leg++)
            count(net, train, leg, asked_before(trains, train, leg, time_ps + 1));
    }
}

/* -- events ------------------------------------------------------------------------------------ */

/* An event of a train carries the train in `a` and a leg in `b`. Other events have bit 63 of `b` clear. */
enum { WHAT_SHIFT = 60, AGE_BITS = 27 };
static const uint64_t OF_TRAIN = UINT64_C(1) << 63;

static bool is_of_train(const BaseEvent *event)
{
    return event->b & OF_TRAIN;
}

static void push(Network *net, uint32_t index, uint64_t time_ps, uint64_t what, uint32_t vertex, uint32_t leg)
{
    trains_of(net)->train[index].users++;
    base_queue_push(net->queue, time_ps, NET_EVENT_HOP, vertex, index, OF_TRAIN | what << WHAT_SHIFT | leg);
}

static unsigned what_of(const BaseEvent *event)
{
    return (event->b & ~OF_TRAIN) >> WHAT_SHIFT;
}

uint64_t net_trains_note(NetTrains *trains, uint64_t age_ps, bool injected)
{
    uint64_t note = age_ps;
    if (G_UNLIKELY(age_ps >> AGE_BITS)) {
        uint32_t place = BASE_POOL_TAKE(&trains->ages, trains->age);
        trains->age[place] = age_ps;
        g_assert(place >> AGE_BITS == 0);
        note = UINT64_C(1) << AGE_BITS | place;
    }
    return note | (uint64_t)injected << (AGE_BITS + 1);
}

static bool has_long_note(const BaseEvent *event)
{
    return event->b >> (NET_TRAINS_NOTE_SHIFT + AGE_BITS) & 1;
}

static uint64_t note_of(const BaseEvent *event)
{
    return event->b >> NET_TRAINS_NOTE_SHIFT & ((UINT64_C(1) << AGE_BITS) - 1);
}

/* Returns the cause of a single packet's event. */
static Cause noted_cause(const Network *net, const BaseEvent *event)
{
    const NetTrains *trains = trains_of(net);
    uint64_t age = has_long_note(event) ? trains->age[note_of(event)] : note_of(event);
    uint32_t in = (uint32_t)(event->b >> 8) & ((UINT32_C(1) << 26) - 1);
    bool injected = event->b >> (NET_TRAINS_NOTE_SHIFT + AGE_BITS + 1) & 1;
    return (Cause){event->time_ps - age, injected ? NET_EVENT_INJECT : NET_EVENT_HOP,
                   in ? net->graph.link[in - 1].from : event->rank};
}

/* Returns the cause of an event of a train: of the request that the event is. */
static Cause train_cause(const Network *net, const BaseEvent *event)
{
    const Train *train = &trains_of(net)->train[event->a];
    uint32_t leg = (uint32_t)event->b;
    switch (what_of(event)) {
    case HEAD:
        return (Cause){asked_ps(trains_of(net), train, leg - 1, 0), NET_EVENT_HOP, vertex_of(net, train, leg - 1)};
    case FEED: return cause_of(net, train, leg, train->leg[leg].fed);
    default: return cause_of(net, train, leg, train->n - 1);
    }
}

static const Cause *request_cause(const Network *net, NetRequest *request)
{
    if (!request->known)
        request->cause =
            is_of_train(&request->event) ? train_cause(net, &request->event) : noted_cause(net, &request->event);
    request->known = true;
    return &request->cause;
}

/* The event of a single packet has come. */
static void drop_note(const Network *net, NetRequest *request)
{
    NetTrains *trains = trains_of(net);
    if (G_LIKELY(!has_long_note(&request->event)))
        return;
    request_cause(net, request);
    BASE_POOL_GIVE(&trains->ages, trains->age, (uint32_t)note_of(&request->event));
}

/* -- beginning and end ------------------------------------------------------------------------- */

static uint32_t train_new(NetTrains *trains, uint32_t message, uint32_t first, uint32_t n)
{
    uint32_t before = trains->trains.count;
    uint32_t index = BASE_POOL_TAKE(&trains->trains, trains->train);
    Train *train = &trains->train[index];
    Leg *leg = index < before ? train->leg : NULL;
    uint32_t capacity = index < before ? train->capacity : 0;
    *train = (Train){.message = message, .first = first, .n = n, .feeder = NET_NONE, .leg = leg, .capacity = capacity};
    return index;
}

static Leg *add_leg(Train *train, const Leg *leg)
{
    if (train->legs == train->capacity) {
        train->capacity = MAX(4, 2 * train->capacity);
        train->leg = g_renew(Leg, train->leg, train->capacity);
    }
    train->leg[train->legs] = *leg;
    return &train->leg[train->legs++];
}

/* The packets of a leg are past. */
static void finish_leg(Network *net, Train *train, uint32_t leg)
{
    count(net, train, leg, train->leg[leg].n);
    trains_of(net)->owner[train->leg[leg].hop.link] = 0;
}

static uint64_t owner_word(uint32_t index, uint32_t leg)
{
    return ((uint64_t)index + 1) << 32 | leg;
}

static void release(NetTrains *trains, uint32_t index)
{
    while (index != NET_NONE && --trains->train[index].users == 0) {
        Train *train = &trains->train[index];
        uint32_t feeder = train->feeder;
        if (feeder != NET_NONE) {
            Leg *begins = &trains->train[feeder].leg[train->feeder_leg + 1];
            if (begins->child == index + 1)
                begins->child = 0;
        }
        train->message = NET_NONE;
        BASE_POOL_GIVE(&trains->trains, trains->train, index);
        index = feeder;
    }
}

/* -- cutting ----------------------------------------------------------------------------------- */

/* Packets from the k-th on leave the train, at this leg and behind it. */
static void cut(Network *net, uint32_t index, uint32_t leg, uint32_t k)
{
    NetTrains *trains = trains_of(net);
    Train *train = &trains->train[index];
    assert(k);
    for (uint32_t i = leg; i < train->legs; i++) {
        Leg *at = &train->leg[i];
        if (i > leg && at->child) {
            uint32_t child = at->child - 1;
            uint32_t number = train->first + k - trains->train[child].first;
            if (number < trains->train[child].n)
                cut(net, child, 0, number);
        }
        if (at->n <= k)
            continue;
        at->n = k;
        if (trains->owner[at->hop.link] == owner_word(index, i))
            *link_free(net, at->hop.link) = free_ps(net, train, i, k - 1);
    }
}

/* Lets packet k come to a leg by itself, if the train before still brings it. */
static void feed(Network *net, uint32_t index, uint32_t leg, uint32_t k)
{
    NetTrains *trains = trains_of(net);
    Train *train = &trains->train[index];
    const Train *feeder;
    uint32_t feeder_leg, number;
    bool fed = find_feeder(trains, train, leg, k, &feeder, &feeder_leg, &number);
    if (!fed || number >= feeder->leg[feeder_leg].n)
        return;
    train->leg[leg].fed = k;
    push(net, index, asked_ps(trains, train, leg, k), FEED, vertex_of(net, train, leg), leg);
}

/* Packets that ask for the link behind the k-th do so by themselves. */
static void disband(Network *net, uint32_t index, uint32_t leg, uint32_t k)
{
    NetTrains *trains = trains_of(net);
    Train *train = &trains->train[index];
    cut(net, index, leg, k);
    finish_leg(net, train, leg);
    if (leg || train->feeder != NET_NONE) {
        feed(net, index, leg, k);
        return;
    }
    net_message(net, train->message)->injected = train->first + k;
    net_packet_leaves(net, train->message, asked_ps(trains, train, 0, k), asked_ps(trains, train, 0, k - 1), false);
}

/* A request for a link is made now. Returns whether no train was in its way. */
static bool meet(Network *net, uint32_t link, NetRequest *request)
{
    NetTrains *trains = trains_of(net);
    uint64_t owner = trains->owner[link];
    if (!owner)
        return true;
    uint32_t index = (uint32_t)(owner >> 32) - 1, leg = (uint32_t)owner;
    Train *train = &trains->train[index];
    uint32_t n = train->leg[leg].n, k = asked_before(trains, train, leg, net->now);
    if (k == 0)
        k = 1; /* the first packet asks at this time, and its event is over */
    if (k < n && asked_ps(trains, train, leg, k) == net->now) {
        Cause own = cause_of(net, train, leg, k);
        k += compare_causes(&own, request_cause(net, request)) < 0;
    }
    if (k < n) {
        disband(net, index, leg, k);
        return false;
    }
    finish_leg(net, train, leg);
    return true;
}

void net_trains_meet(Network *net, uint32_t link, NetRequest *request)
{
    meet(net, link, request);
}

void net_trains_used(Network *net, uint32_t link, uint32_t message)
{
    LastUser *last = &trains_of(net)->last_user[link];
    *last = (LastUser){message, last->message == message ? last->packets + 1 : 1};
}

static bool is_undisturbed(const NetTrains *trains, uint32_t link, uint32_t message)
{
    const LastUser *last = &trains->last_user[link];
    return last->message == message && last->packets >= UNDISTURBED;
}

/* -- going on ---------------------------------------------------------------------------------- */

/* The first packet of a train takes a link: the link is the train's, if nobody is in the way. */
static void enter(Network *net, uint32_t index, NetHop hop, uint32_t n, bool alone)
{
    NetPacketSwitching *state = net->model_state;
    NetTrains *trains = state->trains;
    Train *train = &trains->train[index];
    const NetLink *link = &net->graph.link[hop.link];
    uint64_t *free = link_free(net, hop.link), begun = MAX(net->now, *free);
    bool from_nic = train->legs == 0 && train->feeder == NET_NONE;
    bool told = net->watch && begun > net->now && !from_nic; /* observers learn of each packet that waits */
    bool owns = alone && n > 1 && !told;
    Leg leg = {.hop = hop, .n = owns ? n : 1, .asked_ps = net->now, .begun_ps = begun};
    uint32_t at = train->legs;
    add_leg(train, &leg);
    trains->last_user[hop.link] = (LastUser){train->message, 1};
    if (G_UNLIKELY(net->watch))
        net_watch_crossed(net, train->message, hop.link, net->now, begun);
    *free = free_ps(net, train, at, leg.n - 1);
    if (owns)
        trains->owner[hop.link] = owner_word(index, at);
    else
        count(net, train, at, 1);
    bool arrives = link->to == net_message(net, train->message)->to;
    if (arrives)
        push(net, index, asked_ps(trains, train, at, train->n - 1), TAIL, link->from, at);
    else
        push(net, index, begun + state->header_ps + link->latency_ps + net_vertex_latency(net, link->to), HEAD,
             link->to, at + 1);
    if (from_nic && !arrives)
        push(net, index, asked_ps(trains, train, at, train->n - 1), LEFT, link->from, at);
    if (!owns && n > 1)
        feed(net, index, at, 1);
}

bool net_trains_begin(Network *net, uint32_t index, NetHop hop, NetRequest *request)
{
    NetTrains *trains = trains_of(net);
    NetMessage *message = net_message(net, index);
    uint64_t first = message->injected - 1, n = message->packets - first;
    if (n < LEAST_PACKETS || n > UINT32_MAX || (net->watch && !net->brief) ||
        (first && !is_undisturbed(trains, hop.link, index)) || !meet(net, hop.link, request))
        return false;
    message->injected = message->packets;
    enter(net, train_new(trains, index, (uint32_t)first, (uint32_t)n), hop, (uint32_t)n, true);
    return true;
}

static NetQuery query_behind(const Network *net, const Train *train, const Leg *before)
{
    const NetMessage *message = net_message(net, train->message);
    return (NetQuery){.from = message->from,
                      .to = message->to,
                      .via = NET_NONE,
                      .at = net->graph.link[before->hop.link].to,
                      .in_link = before->hop.link,
                      .in_class = before->hop.channel_class,
                      .nic = message->nic};
}

static void head_comes(Network *net, uint32_t index, uint32_t leg, NetRequest *request)
{
    const Train *train = &trains_of(net)->train[index];
    NetQuery query = query_behind(net, train, &train->leg[leg - 1]);
    uint32_t n = train->leg[leg - 1].n;
    NetHop hop = net_only_hop(net, &query);
    enter(net, index, hop, n, meet(net, hop.link, request));
}

/* Whether packets from the k-th on, which come to a leg one by one, can go on as a child. */
static bool makes_child(const Network *net, const Train *train, uint32_t leg, uint32_t left)
{
    uint32_t link = train->leg[leg].hop.link;
    return left >= LEAST_PACKETS && is_undisturbed(trains_of(net), link, train->message);
}

static void packet_comes(Network *net, uint32_t index, uint32_t leg, NetRequest *request)
{
    NetTrains *trains = trains_of(net);
    Train *train = &trains->train[index];
    uint32_t k = train->leg[leg].fed, feeder_leg, number;
    const Train *feeder;
    find_feeder(trains, train, leg, k, &feeder, &feeder_leg, &number);
    if (number >= feeder->leg[feeder_leg].n)
        return; /* the packet has left the train before */
    NetHop hop = train->leg[leg].hop;
    bool alone = meet(net, hop.link, request);
    uint32_t left = feeder->leg[feeder_leg].n - number;
    if (alone && makes_child(net, train, leg, left)) {
        uint32_t from = (uint32_t)(feeder - trains->train);
        uint32_t child = train_new(trains, train->message, train->first + k, left); /* trains may have moved */
        trains->train[child].feeder = from;
        trains->train[child].feeder_leg = feeder_leg;
        trains->train[from].users++;
        trains->train[from].leg[feeder_leg + 1].child = child + 1;
        enter(net, child, hop, left, true);
        return;
    }
    NetQuery query = query_behind(net, train, &feeder->leg[feeder_leg]);
    net_packet_crosses(net, &query, train->message, wire_bytes_of(net, train, k), hop);
    feed(net, index, leg, k + 1);
}

/* The time of a train is over: all packets that are still in it have asked for their last link. */
static void tail_comes(Network *net, uint32_t index, uint32_t leg)
{
    NetTrains *trains = trains_of(net);
    Train *train = &trains->train[index];
    const NetMessage *message = net_message(net, train->message);
    const Leg *at = &train->leg[leg];
    bool whole = at->n == train->n && is_last(net, train, train->n - 1);
    uint64_t left_ps = free_ps(net, train, leg, train->n - 1);
    for (uint32_t i = 0; i < train->legs; i++)
        if (trains->owner[train->leg[i].hop.link] == owner_word(index, i))
            finish_leg(net, train, i);
    if (!whole)
        return;
    assert(message->delivered == message->packets);
    base_queue_push(net->queue, left_ps + net->graph.link[at->hop.link].latency_ps, NET_EVENT_DELIVERED, message->to,
                    train->message, 0);
    if (leg == 0 && train->feeder == NET_NONE)
        net_packet_left(net, train->message, left_ps);
}

static void train_event(Network *net, const BaseEvent *event, NetRequest *request)
{
    NetTrains *trains = trains_of(net);
    uint32_t index = (uint32_t)event->a, leg = (uint32_t)event->b;
    Train *train = &trains->train[index];
    switch (what_of(event)) {
    case HEAD: head_comes(net, index, leg, request); break;
    case FEED: packet_comes(net, index, leg, request); break;
    case TAIL: tail_comes(net, index, leg); break;
    case LEFT:
        if (train->leg[0].n == train->n)
            net_packet_left(net, train->message, free_ps(net, train, 0, train->n - 1));
        break;
    }
    release(trains, index);
}

static bool is_beside(const Network *net, const BaseEvent *event)
{
    const BaseEvent *top = base_queue_top(net->queue);
    return top && top->time_ps == event->time_ps && top->place == event->place;
}

static void process(Network *net, NetRequest *request)
{
    if (is_of_train(&request->event))
        train_event(net, &request->event, request);
    else {
        drop_note(net, request);
        net_packet_comes(net, &request->event, request);
    }
}

/* Takes what is at the time and vertex of `event` out of the queue, into its place among what waits from `from` on. */
static void collect(Network *net, GArray *waiting, guint from, const BaseEvent *event)
{
    while (is_beside(net, event)) {
        NetRequest beside = {.known = false};
        base_queue_pop(net->queue, &beside.event);
        guint at = waiting->len;
        while (at > from && compare_causes(request_cause(net, &beside),
                                           request_cause(net, &g_array_index(waiting, NetRequest, at - 1))) < 0)
            at--;
        g_array_insert_val(waiting, at, beside);
    }
}

void net_trains_event(Network *net, const BaseEvent *event)
{
    NetRequest next = {.event = *event};
    if (G_LIKELY(!is_beside(net, event))) {
        process(net, &next);
        return;
    }
    GArray *waiting = trains_of(net)->waiting;
    g_array_set_size(waiting, 0);
    g_array_append_val(waiting, next);
    for (guint i = 0; i < waiting->len; i++) {
        collect(net, waiting, i, event); /* what comes first may let packets leave their train that come now, too */
        next = g_array_index(waiting, NetRequest, i);
        process(net, &next);
    }
}
