/* engine.h - the state of the wormhole engine in use, which its files share:
 *
 *   engine.c   the frame: making it, cycles, events from and to the rest of the network
 *   flits.c    what moves flit by flit: links, buffers, credits, ejection
 *   headers.c  which header gets which channel
 *   worms.c    packets that meet nobody, in closed form
 *   aborts.c   packets that are taken out again
 *
 * The ideas are at the top of engine.c.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_ENGINE_H
#define ORRERY_NETSIM_WORMHOLE_ENGINE_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/rules.h"

#include <string.h>

enum { SLOTS = 512, SLOT_WORDS = SLOTS / 64, SPARE_LISTS = 64 };
#define NEVER UINT64_MAX

typedef struct List {
    uint32_t *item;
    uint32_t count, capacity;
} List;

/* A virtual channel as something to send through and, further down, as the buffer behind it. NICs are buffers only.
 * What free worms do to it is not in here. Two to a cache line. */
typedef struct Channel {
    uint32_t owner; /* the channel whose front packet owns this one, or NET_NONE */
    uint32_t credits;
    uint32_t output_link; /* of the channel that the front packet owns; NET_NONE: it has none */
    uint32_t left;        /* flits of the front packet that have not been taken out; 0: there is no packet */
    uint32_t ready;       /* flits that may be sent on */
    uint32_t ready_home;  /* flits at their destination that could not be taken out yet */
    uint32_t link;        /* its own; NET_NONE: NIC */
    uint8_t vc, output_vc;
    bool enters_home; /* the packet that owns it, or did so last, is bound for its vertex */
    bool front_home;  /* so is the front packet */
} Channel;

/* The rest of it, for packets and their headers. */
typedef struct Place {
    uint32_t vertex;
    uint32_t head, packets; /* ring of engine->ring: those whose tails have not been taken out, and the owner */
    uint32_t next_asker, wanted_class;
    uint32_t worm;       /* the free worm whose header asks in this cycle, or NET_NONE */
    uint32_t newest_leg; /* of a free worm through this channel, or NET_NONE */
    bool waiting;
    uint64_t asked, since; /* cycle; what its turn goes by */
} Place;

/* Bits are virtual channels. One to a cache line. */
typedef struct LinkState {
    uint64_t owned;
    uint64_t flit;     /* owned, and the owner has a flit that is ready */
    uint64_t credit;   /* there is one */
    uint64_t free;     /* medium: from this cycle on */
    uint64_t delay[2]; /* cycles from sending a flit until it can be sent on; [true]: until it is home */
    uint64_t flits;    /* sent, and not in NetLink.busy_ps yet */
    uint32_t medium;   /* the lower link of its pair, or itself */
    uint8_t last_sent; /* medium: place */
    bool active;       /* medium: in the list of those that may have something to send */
    bool special;      /* medium: S is not 1, or there is a pair: places V .. 2V - 1 are the other's channels */
} LinkState;

/* Those who want a link, and what free worms do there. */
typedef struct Line {
    uint32_t first, last; /* headers with one way to go, in line: channels */
    uint32_t interest;    /* where headers have several ways to go: who waits for this link among others */
    uint32_t last_given;
    uint32_t partner;               /* half duplex, or NET_NONE */
    uint32_t legs;                  /* of free worms, all channels together */
    uint64_t served;                /* the cycle after the last in which the line is due */
    uint64_t period;                /* S */
    uint64_t runs_until;            /* a free worm sends through the link before this cycle: ... */
    uint32_t runner;                /* its leg */
    uint8_t runner_vc, sent_before; /* medium: last_sent before that */
} Line;

/* A packet that has met nobody yet: every header was granted at once, every flit followed in the next cycle. */
typedef struct Worm {
    uint32_t packet, flits;
    uint32_t source; /* injection channel */
    uint32_t newest; /* leg; in the list of those to break up: the next worm */
    uint32_t events; /* that are pending */
    bool broken, delivered;
} Worm;

/* Its way through one channel: flit f is sent in cycle start + f and taken out in cycle taken + f. */
typedef struct Leg {
    uint64_t start, taken; /* NEVER: the header is still on its way, or asks */
    uint32_t worm, flits;
    uint32_t channel;
    uint32_t before;       /* the leg before, or NET_NONE: from the NIC */
    uint32_t older, newer; /* in the channel */
    bool home, explicit;
} Leg;

typedef struct Interest {
    uint32_t channel, next;
    uint64_t asked; /* still waits if the channel's is the same */
} Interest;

typedef struct Arrived { /* a packet whose tail has been taken out */
    uint32_t channel, packet;
} Arrived;

typedef enum Due {
    DUE_CREDIT,  /* channel: one more credit counts */
    DUE_ARRIVAL, /* channel: a flit may be sent on */
    DUE_HOME,    /* channel: a flit is at its destination (the next after DUE_ARRIVAL) */
    DUE_HEADER,  /* channel: the header at the front asks */
    DUE_LINK,    /* medium: is no longer busy */
    DUE_LINE,    /* link: a channel may be free for those who wait */
    DUE_WORM,    /* free worm: its header has arrived */
    DUE_SENT,    /* its tail leaves the NIC */
    DUE_TAIL,    /* its tail is home */
    DUE_OVER,    /* all its credits have been given back */
    DUES
} Due;

typedef struct NetEngine {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNics nics;
    Channel *channel;
    Place *place;
    uint32_t *ring; /* buffer_flits packets per channel of a link */
    LinkState *link;
    Line *line;
    List active;       /* media that may have something to send */
    uint32_t needed;   /* credits of a channel that is free */
    bool sorted;       /* headers are served in one order over all links, not link by link */
    bool may_run_free; /* free worms are possible */
    Interest *interest;
    BasePool interests;
    uint32_t *last_served; /* per node, with limited ejection */
    Worm *worm;
    BasePool worms;
    Leg *leg;
    BasePool legs;
    List slot[SLOTS][DUES];
    uint64_t occupied[SLOT_WORDS]; /* bit per slot */
    List spare[SPARE_LISTS];       /* memory of lists that are empty: the same again and again, as it is in the cache */
    uint32_t spares;
    uint32_t waiting;    /* headers */
    uint64_t first;      /* nothing before this cycle is pending */
    uint64_t cycle;      /* the current one */
    uint64_t next_cycle; /* whose TICK is in the event queue; NEVER: none */
    bool same_delay;     /* of all links */
    List senders;        /* channels of links that send in this cycle */
    List sent_home;      /* of those, the ones that lead to the destination */
    List askers;         /* of the current cycle */
    List credited;       /* channels whose first, or last missing, credit counts from the next cycle on */
    List ejecting,
        taking;          /* channels with flits at home that could not be taken out at once; `taking`: in this cycle */
    List breaking;       /* worms */
    List lost;           /* channels whose headers have found no way in this cycle */
    bool between;        /* cycles: what is due in the next has not happened */
    List left;           /* injection channels whose tails have gone in this cycle */
    NetSending *sending; /* of limited injection, or NULL */
    GArray *arrived;     /* Arrived, of the current cycle */
} NetEngine;

/* -- lists, what is due ------------------------------------------------------------------------ */

void net_engine_list_grow(NetEngine *engine, List *list);
void net_engine_put_far(Network *net, NetEngine *engine, Due due, uint32_t item, uint64_t cycle);

static inline void list_add(NetEngine *engine, List *list, uint32_t item)
{
    if (G_UNLIKELY(list->count == list->capacity))
        net_engine_list_grow(engine, list);
    list->item[list->count++] = item;
}

static inline void put_due(Network *net, NetEngine *engine, Due due, uint32_t item, uint64_t cycle)
{
    assert(cycle >= engine->first);
    if (G_UNLIKELY(cycle - engine->first >= SLOTS)) {
        net_engine_put_far(net, engine, due, item, cycle);
        return;
    }
    uint32_t slot = cycle % SLOTS;
    engine->occupied[slot / 64] |= UINT64_C(1) << slot % 64;
    list_add(engine, &engine->slot[slot][due], item);
}

/* Many at once. */
static inline void put_all_due(Network *net, NetEngine *engine, Due due, const List *items, uint64_t cycle)
{
    if (items->count == 0)
        return;
    put_due(net, engine, due, items->item[0], cycle); /* makes the list, or puts it into the event queue */
    if (cycle - engine->first >= SLOTS) {
        for (uint32_t i = 1; i < items->count; i++)
            net_engine_put_far(net, engine, due, items->item[i], cycle);
        return;
    }
    List *list = &engine->slot[cycle % SLOTS][due];
    while (list->capacity < list->count + items->count)
        net_engine_list_grow(engine, list);
    memcpy(&list->item[list->count], &items->item[1], (items->count - 1) * sizeof *items->item);
    list->count += items->count - 1;
}

/* Those who wait for channels of a link are served in `cycle`. */
static inline void wake_line(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle)
{
    Line *line = &engine->line[link];
    if ((line->first == NET_NONE && line->interest == NET_NONE) || line->served == cycle + 1)
        return;
    line->served = cycle + 1;
    put_due(net, engine, DUE_LINE, link, cycle);
}

/* -- channels ---------------------------------------------------------------------------------- */

static inline bool is_nic(const NetEngine *engine, uint32_t channel)
{
    return channel >= engine->rules.link_channels;
}

/* The packet at the front of a buffer, which must have one. */
static inline uint32_t front_packet(const NetEngine *engine, uint32_t index)
{
    if (is_nic(engine, index))
        return engine->nics.source[index - engine->rules.link_channels].packet;
    return engine->ring[(size_t)index * engine->rules.buffer_flits + engine->place[index].head];
}

/* The medium has something to send, if that is so. (engine->active has room for all.) */
static inline void activate(NetEngine *engine, uint32_t medium, bool has)
{
    LinkState *link = &engine->link[medium];
    engine->active.item[engine->active.count] = medium;
    engine->active.count += has & !link->active;
    link->active |= has;
}

/* A packet will be the last in a channel's buffer. */
static inline void push_packet(NetEngine *engine, uint32_t index, uint32_t packet, uint32_t left, bool home)
{
    Channel *channel = &engine->channel[index];
    Place *place = &engine->place[index];
    assert(place->packets < engine->rules.buffer_flits);
    uint32_t at = place->head + place->packets;
    at -= at >= engine->rules.buffer_flits ? engine->rules.buffer_flits : 0;
    engine->ring[(size_t)index * engine->rules.buffer_flits + at] = packet;
    channel->enters_home = home;
    if (place->packets++)
        return;
    channel->left = left;
    channel->front_home = home;
}

/* -- flits (flits.c) ------------------------------------------------------------------ */

/* One more flit of each of these buffers may be sent on. */
void net_flits_arrive(NetEngine *engine, const List *channels);
/* One more credit of a channel counts from `cycle` on. */
void net_flits_add_credit(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle);
/* All links send what they can. */
void net_flits_send(Network *net, NetEngine *engine, uint64_t cycle);
/* What is at home is taken out. */
void net_flits_eject(Network *net, NetEngine *engine, uint64_t cycle);
/* Credits that were given back in this cycle. */
void net_flits_count_credits(Network *net, NetEngine *engine, uint64_t cycle);
/* The channel has the asker's front packet now. */
void net_flits_connect(NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc);
/* A tail has passed a link: statistics. */
void net_flits_report(Network *net, NetEngine *engine, uint32_t link, uint32_t packet);
/* Busy time of links whose packets stand still, or go no further. */
void net_flits_report_stuck(Network *net, NetEngine *engine);
/* A tail has gone from an injection channel. */
static inline void leave_source(NetEngine *engine, uint32_t channel)
{
    list_add(engine, &engine->left, channel);
}
/* Those channels take the next packets of their NICs, in order. */
void net_flits_leave_nics(Network *net, NetEngine *engine, uint64_t cycle);
/* An injection channel has a packet, which may ask from `cycle` on. */
void net_flits_load_source(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);
/* The front packet of a buffer is no more: the next one's header asks in the next cycle, or its flits are taken out. */
void net_flits_next_front(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);

/* -- headers (headers.c) -------------------------------------------------------------- */

/* The channels in engine->askers, whose headers have come to the front, ask; they and those in the lines that are due
 * are served. */
void net_headers_serve(Network *net, NetEngine *engine, uint64_t cycle);
/* Whether the routing has any for the packet at the front of a channel. */
bool net_headers_has_way(const Network *net, const NetEngine *engine, uint32_t channel);
/* Headers that wait do so for what the routing offers now, in order (engine->sorted); they are served in `cycle`. */
void net_headers_reroute(Network *net, NetEngine *engine, uint64_t cycle);

/* -- free worms (worms.c) ------------------------------------------------------------- */

/* Credits of a channel that free worms have at the beginning of a cycle. */
uint32_t net_worm_credits_used(const NetEngine *engine, uint32_t channel, uint64_t cycle);
/* Whether the packet whose header asks in channel `asker` can go on through a free channel as a free worm; it does. */
bool net_worm_run(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle);
/* A worm becomes flits, with all that share channels with it, in the state of the beginning of the cycle. */
void net_worm_break(Network *net, NetEngine *engine, uint32_t worm, uint64_t cycle);
/* So do those in a channel; in all channels of a link; the one that a link's medium is carrying. */
void net_worm_break_channel(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);
void net_worm_break_link(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle);
void net_worm_break_runner(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle);
/* All of them. */
void net_worm_break_all(Network *net, NetEngine *engine, uint64_t cycle);
/* What is due for free worms, of one kind. */
void net_worm_due(Network *net, NetEngine *engine, Due due, uint64_t cycle);

/* Observers are told that the header at the front of a place waits, or does no more (headers.c). */
void net_headers_tell_waiting(Network *net, const NetEngine *engine, uint32_t index, uint64_t cycle, int change);

/* -- aborts (aborts.c) ---------------------------------------------------------------- */

/* At the end of a cycle: packets that have found no way are lost; if it `looks`, the detector does (rules 7 to 9). */
void net_abort_end_cycle(Network *net, NetEngine *engine, bool looks, uint64_t cycle);
/* Between cycles: a link fails, or links work again. Answers the cycle that is due then. */
uint64_t net_abort_fail(Network *net, NetEngine *engine, uint32_t link);
uint64_t net_abort_restore(Network *net, NetEngine *engine);

/* The run ends at that time, whose cycle has been: links have counted what went through them until then. */
void net_abort_settle(Network *net, NetEngine *engine, uint64_t time_ps);

/* A channel whose worm has sent its tail is nobody's. */
static inline void settle_runner(NetEngine *engine, uint32_t link, uint64_t cycle)
{
    Line *line = &engine->line[link];
    if (line->runner == NET_NONE || line->runs_until > cycle)
        return;
    line->runner = NET_NONE;
    engine->link[link].owned &= ~(UINT64_C(1) << line->runner_vc);
}

#endif
