/* wormhole_engine.h - the state of the event-driven wormhole engine, which wormhole.c (cycles, flits, streams) and
 * wormhole_headers.c (who gets which channel) share. The ideas are at the top of wormhole.c.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_ENGINE_H
#define ORRERY_NETSIM_WORMHOLE_ENGINE_H

#include "netsim/wormhole.h"

enum { SLOTS = 512, WORDS = SLOTS / 64 };
#define NEVER UINT64_MAX

/* Flits of one packet, ready one cycle after the other; at their destination: to be taken out at the end of it. */
typedef struct Run {
    uint32_t packet;
    uint32_t first; /* number of its first flit among all that were ever sent into this buffer */
    uint32_t flit;  /* that flit's place in the packet */
    bool home;      /* at its destination */
    uint64_t ready; /* of its first flit */
} Run;

/* See the reference. Numbers of flits wrap around; only differences count. */
typedef struct Channel {
    uint64_t sent_since, taken_since; /* streams, or NEVER */
    uint32_t sent, taken;             /* flits so far, but for those of streams */
    uint32_t owner, output;
    Run *ring;
    uint32_t head, runs; /* of the ring: first, how many */
    uint32_t link, vertex;
    uint32_t medium, place; /* the lower link of its pair; its bit there */
    uint64_t check, eject_check;
    uint32_t pending; /* credits that do not count yet */
    uint32_t next_asker, wanted_class;
    bool waiting;
    uint64_t asked, since; /* cycle; what its turn goes by */
    uint64_t ejected;      /* cycle after the last in which a flit was taken out */
} Channel;

typedef struct LinkState {
    uint64_t owned;              /* bit per virtual channel that has an owner */
    uint64_t no_flit, no_credit; /* of those, which cannot send until something happens to them */
    uint64_t woken, visited;     /* cycle after the last */
    uint64_t free;               /* from this cycle on */
    uint32_t stream;             /* the channel that streams, or NET_NONE */
    uint32_t last_sent, chosen;  /* channels */
    uint32_t partner;            /* half duplex, or NET_NONE */
    uint32_t period, flight;     /* S, D. Those above are the medium's, from here on they are the link's */
    uint32_t first_asker, last_asker;
    uint32_t last_given;
    uint32_t interest; /* where headers have several ways to go: who waits for this link among others */
} LinkState;

typedef struct Interest {
    uint32_t channel, next;
    uint64_t asked; /* still waits if the channel's is the same */
} Interest;

typedef struct List {
    uint32_t *item;
    uint32_t count, capacity;
} List;

typedef enum Due { DUE_CHANNEL, DUE_STREAM, DUE_LINK, DUE_CREDIT, DUES } Due;

typedef struct NetEngine {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNic *nic;
    Channel *channel;
    Run *runs; /* buffer_flits per channel, then one per NIC */
    LinkState *link;
    Interest *interest;
    uint32_t interests, interest_capacity, free_interest;
    uint32_t *last_served; /* per node, with limited ejection */
    List slot[SLOTS][DUES];
    uint64_t occupied[WORDS];       /* bit per slot */
    uint64_t first;                 /* nothing before this cycle is pending */
    uint64_t cycle;                 /* the current one */
    uint64_t next_cycle;            /* whose TICK is in the event queue; NEVER: none */
    bool streams;                   /* there may be any */
    bool sorted;                    /* headers are served in one order over all links, not link by link */
    List askers, senders, ejectors; /* of the current cycle */
    List stopped;                   /* streams: channel, then what it took from */
    List filled;                    /* channels to whose front something was done */
} NetEngine;

/* -- lists, waking ------------------------------------------------------------------------------------------------ */

static inline void list_add(List *list, uint32_t item)
{
    if (G_UNLIKELY(list->count == list->capacity)) {
        list->capacity = MAX(16, list->capacity * 2);
        list->item = g_renew(uint32_t, list->item, list->capacity);
    }
    list->item[list->count++] = item;
}

static inline void put_due(Network *net, NetEngine *engine, Due due, uint32_t item, uint64_t cycle)
{
    assert(cycle >= engine->first);
    if (G_UNLIKELY(cycle - engine->first >= SLOTS)) {
        net_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_HOP, item, cycle, due);
        return;
    }
    uint32_t slot = cycle % SLOTS;
    engine->occupied[slot / 64] |= UINT64_C(1) << slot % 64;
    list_add(&engine->slot[slot][due], item);
}

static inline void wake_link(Network *net, NetEngine *engine, uint32_t medium, uint64_t cycle)
{
    LinkState *link = &engine->link[medium];
    if (link->woken == cycle + 1)
        return;
    link->woken = cycle + 1;
    put_due(net, engine, DUE_LINK, medium, cycle);
}

static inline bool is_nic(const NetEngine *engine, uint32_t channel)
{
    return channel >= engine->rules.link_channels;
}

/* The run at a place of a buffer's ring, counted from its first. */
static inline Run *run_at(const NetEngine *engine, const Channel *channel, uint32_t place)
{
    place += channel->head;
    return &channel->ring[place >= engine->rules.buffer_flits ? place - engine->rules.buffer_flits : place];
}

static inline Run *first_run(const Channel *channel)
{
    return &channel->ring[channel->head];
}

/* Flits sent into a buffer, and taken out of it, before a cycle. */
static inline uint32_t sent_before(const Channel *channel, uint64_t cycle)
{
    return channel->sent + (cycle > channel->sent_since ? (uint32_t)(cycle - channel->sent_since) : 0);
}

static inline uint32_t taken_before(const Channel *channel, uint64_t cycle)
{
    return channel->taken + (cycle > channel->taken_since ? (uint32_t)(cycle - channel->taken_since) : 0);
}

static inline uint32_t credits(const NetEngine *engine, const Channel *channel, uint64_t cycle)
{
    return engine->rules.buffer_flits - (sent_before(channel, cycle) - taken_before(channel, cycle)) - channel->pending;
}

static inline void drop_runs(const NetEngine *engine, Channel *channel)
{
    while (channel->runs > 1 && channel->taken == run_at(engine, channel, 1)->first) {
        channel->head = channel->head + 1 == engine->rules.buffer_flits ? 0 : channel->head + 1;
        channel->runs--;
    }
}

/* The run whose flit is at the front of a buffer that nobody streams from, or NULL. What a stream sends in the current
 * cycle is there already. */
static inline Run *front_run(const NetEngine *engine, uint32_t index)
{
    Channel *channel = &engine->channel[index];
    if (channel->runs > 1)
        drop_runs(engine, channel);
    bool empty = channel->taken == sent_before(channel, engine->cycle + 1);
    return channel->runs && !empty ? first_run(channel) : NULL;
}

static inline uint64_t front_ready(const Channel *channel, const Run *run)
{
    return run->ready + (channel->taken - run->first);
}

void net_engine_sort(List *list);

/* -- headers (wormhole_headers.c) ---------------------------------------------------------------------------------- */

/* The channels in engine->askers, whose headers have come to the front, ask; of those that ask already, nothing. */
void net_engine_ask(Network *net, NetEngine *engine, uint64_t cycle);
/* Serves those that stand in line at a link. */
void net_engine_grant_link(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle);
/* Where headers have several ways to go, or an order of their own: serves those that have asked in this cycle or wait
 * for one of the links that are woken. */
void net_engine_serve(Network *net, NetEngine *engine, uint64_t cycle);

#endif
