/* engine.h - the state of the wormhole engine in use, which its files share:
 *
 *   engine.c   the frame: creation, cycles, events from and to the rest of the network
 *   flits.c    what moves flit by flit: links, buffers, credits, ejection
 *   headers.c  which header gets which channel
 *   worms.c    packets that meet no other packet, in closed form
 *   express.c  packets that have the network, or their part of it, to themselves
 *   routed.c   routers with allocators
 *   aborts.c   packets that are taken out again
 *
 * The ideas are at the top of engine.c.
 */
#ifndef ORRERY_NETSIM_WORMHOLE_ENGINE_H
#define ORRERY_NETSIM_WORMHOLE_ENGINE_H

#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/rules.h"

enum { CACHE_LINE = 64 };
enum { CLASS_BITS = 6, HOP_BITS = CLASS_BITS + 1 }; /* of NetEngine.hop */
enum { SLOTS = 512, SLOT_WORDS = SLOTS / 64, SPARE_LISTS = 64 };
#define NEVER UINT64_MAX

typedef struct List {
    uint32_t *item;
    uint32_t count, capacity;
} List;

/* A virtual channel: the part that packets are sent through and, at its end, the buffer behind it. Injection channels
 * of NICs are buffers only. The effects of free worms are not included here. One of these is a cache line. */
typedef struct Channel {
    _Alignas(CACHE_LINE) uint32_t owner; /* the channel whose front packet owns this one, or NET_NONE */
    uint32_t credits;
    uint32_t output_link; /* link of the channel that the front packet owns; NET_NONE: it owns none */
    uint32_t left;        /* flits of the front packet that have not been taken out yet; 0: there is no packet */
    uint32_t ready;       /* flits that may be sent on */
    uint32_t ready_home;  /* flits at their destination that could not be taken out yet */
    uint32_t link;        /* the link that it belongs to; NET_NONE: it belongs to a NIC */
    uint8_t vc, output_vc;
    bool enters_home; /* the packet that owns it, or owned it last, is bound for the vertex at its end */
    bool front_home;  /* the front packet is bound for the vertex at its end */
    uint32_t vertex;  /* vertex where its buffer is */
    /* Packets whose tails have not been taken out, and the packet that owns the channel: the front, and the others
     * behind its place in the ring in engine->ring. */
    uint32_t front, head, packets;
    uint32_t worm;       /* the free worm whose header asks in this cycle, or NET_NONE */
    uint32_t newest_leg; /* newest leg of a free worm through this channel, or NET_NONE */
    bool waiting;        /* the header at the front waits for a channel */
} Channel;

/* The rest of a channel's state, for headers that wait. */
typedef struct Place {
    uint32_t next_asker, wanted_class;
    uint64_t asked, since; /* cycle of asking; key of its turn (rule 2) */
} Place;

/* The state of a link. In bit sets each bit is a virtual channel. One of these is a cache line. Fields "of the medium"
 * are used only in the lower link of a half-duplex pair. */
typedef struct LinkState {
    _Alignas(CACHE_LINE) uint64_t owned; /* channels that are owned */
    uint64_t flit;                       /* channels that are owned and whose owner has a flit that is ready */
    uint64_t credit;                     /* channels that have a credit */
    uint64_t flits;                      /* flits sent that are not in NetLink.busy_ps yet */
    uint32_t medium;                     /* the lower link of its half-duplex pair; else the link itself */
    uint32_t first;                      /* headers with one way to go, in line: channels, linked by next_asker */
    uint32_t interest; /* list of notes from headers with several ways to go, which wait for this link among others */
    uint32_t legs;     /* number of legs of free worms, over all channels */
    uint32_t runner;   /* the leg of a free worm that sends through the link until Line.runs_until, or NET_NONE */
    uint8_t runner_vc, sent_before; /* its virtual channel; last_sent of the medium before it */
    uint8_t last_given;             /* the virtual channel that was given last */
    uint8_t last_sent; /* of the medium: the channel that sent last; V is added for channels of the partner */
    bool lone;         /* a lone flit is to be sent through the link in this cycle (Lone) */
    bool active;       /* of the medium: it is in engine->active */
    /* Of the medium: S is not 1, or it is half duplex; numbers V .. 2V - 1 are then channels of the partner. */
    bool special;
} LinkState;

/* The rest of a link's state. */
typedef struct Line {
    uint32_t last;    /* the last header in line */
    uint32_t partner; /* half duplex: the opposite link; else NET_NONE */
    uint64_t served;  /* the cycle after the last one for which the line was woken */
    uint64_t period;  /* S */
    uint64_t runs_until;
    uint64_t free; /* of the medium: it is free from this cycle on */
    /* Cycles from sending a flit until it can be sent on; [true]: until it is at its destination. */
    uint64_t delay[2];
} Line;

/* The flit of a packet of one flit that has got a channel in this cycle. */
typedef struct Lone {
    uint32_t link, output; /* where it goes */
    uint32_t from, packet; /* the channel whose front packet it is */
    uint8_t vc;
    bool home; /* the packet is bound for the vertex at the end of the link */
} Lone;

/* A free worm: a packet that has met no other packet yet. Every header was granted at once, and every flit followed in
 * the next cycle. */
typedef struct Worm {
    uint32_t packet, flits;
    uint32_t source; /* injection channel from which it came */
    uint32_t newest; /* its newest leg */
    uint32_t events; /* number of its events that are pending */
    bool broken, delivered;
} Worm;

/* The way of a free worm through one channel. Flit f is sent in cycle start + f and taken out in cycle taken + f. */
typedef struct Leg {
    uint64_t start, taken; /* taken is NEVER while the header is still on its way or asks */
    uint32_t worm, flits;
    uint32_t channel;
    uint32_t before;       /* the worm's leg before this one; NET_NONE: this one comes from the NIC */
    uint32_t older, newer; /* legs of the worms before and after it in the same channel */
    bool home, explicit;
} Leg;

/* A note that a header, with several ways to go, waits for a link. */
typedef struct Interest {
    uint32_t channel, next;
    uint64_t asked; /* the note is valid only while the channel's `asked` is the same */
} Interest;

/* A set of channels, as bits: word[i] has channels 64 i .. 64 i + 63, and filled[i] tells which of 64 words have any.
 */
typedef struct ChannelSet {
    uint64_t *word, *filled;
    uint32_t n_filled; /* words in `filled` */
} ChannelSet;

/* Limited ejection: the last free worm that is bound for a node, which takes its flits out from `begin` to before `end`
 * unless it is broken. */
typedef struct Homecoming {
    uint64_t begin, end;
    uint32_t worm;
    uint64_t blocked; /* the cycle after the last one in which a flit came that was not at the front */
} Homecoming;

enum { MOST_EXPRESSES = 64 };

/* A message of one packet whose whole way was free when its NIC got it. */
typedef struct Express {
    uint32_t message, flits;
    uint64_t ready, tail; /* cycles: the header asks for its first channel; the tail is at its destination */
    bool told;            /* the client knows that it has been sent, or does not want to */
} Express;

/* The express messages under way, oldest first. */
typedef struct Expresses {
    bool possible; /* the rules allow them */
    uint32_t count;
    int luck;         /* up by each that came home, down by those that had to be made packets */
    uint32_t rest;    /* so many messages do not try */
    uint64_t *link;   /* by link: it is in use up to this cycle */
    uint64_t *node;   /* by node: a message comes to it up to this cycle */
    uint64_t *nic_ps; /* by NIC: time when it has sent what it had */
    Express express[MOST_EXPRESSES];
} Expresses;

typedef struct Arrived { /* a packet whose tail has been taken out */
    uint32_t channel, packet;
} Arrived;

/* What can be due in a cycle, and for what. */
typedef enum Due {
    DUE_CREDIT,  /* channel: one more credit counts */
    DUE_ARRIVAL, /* channel: one more flit may be sent on */
    DUE_HOME,    /* channel: a flit is at its destination; must follow DUE_ARRIVAL */
    DUE_HEADER,  /* channel: the header at the front asks */
    DUE_LINK,    /* medium: it is no longer busy */
    DUE_LINE,    /* link: a channel may be free for those who wait */
    DUE_WORM,    /* worm: its header has arrived */
    DUE_SENT,    /* worm: its tail leaves the NIC */
    DUE_TAIL,    /* worm: its tail is at its destination */
    DUE_OVER,    /* worm: all its credits have been given back */
    DUES
} Due;

typedef struct NetEngine {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNics nics;
    Channel *channel;
    Place *place;
    uint32_t *ring; /* per channel of a link: buffer_flits packets; the place of the front is not used */
    LinkState *link;
    Line *line;
    List active;       /* media that may have something to send */
    uint32_t needed;   /* credits that a channel must have to be free */
    bool sorted;       /* headers are served in one order over all links, not link by link */
    bool may_run_free; /* free worms are possible */
    bool roomy;        /* buffers are so large that free worms always leave a credit */
    int luck;          /* of free worms lately: up by those that came home, down by those that were broken */
    uint32_t rest;     /* so many packets do not try to be free worms */
    bool plain_shares; /* all packets may have all channels of a class */
    bool has_turns;    /* channels are given in turns */
    Interest *interest;
    BasePool interests;
    uint32_t *last_served; /* per node, with limited ejection: the channel that was served last */
    Worm *worm;
    BasePool worms;
    Leg *leg;
    BasePool legs;
    List slot[SLOTS][DUES];        /* ring of cycles: what is due, by kind */
    uint64_t occupied[SLOT_WORDS]; /* bit set: slots that have anything due */
    uint16_t kinds[SLOTS];         /* bit sets: what kinds of things a slot has */
    List spare[SPARE_LISTS];       /* memory of empty lists, which is reused because it is in the cache */
    uint32_t spares;
    uint32_t waiting;    /* number of headers that wait */
    uint64_t first;      /* nothing is pending before this cycle */
    uint64_t cycle;      /* the current cycle */
    uint64_t next_cycle; /* the cycle whose TICK is in the event queue; NEVER: none */
    bool same_delay;     /* all links have the same delays, less than SLOTS.. */
    uint64_t delay[2];   /* ..these (Line.delay) */
    List *arrivals[2];   /* if same_delay: where the flits sent in this cycle are due; [true]: at their destination */
    bool may_be_lone;    /* lone flits are possible */
    Lone *lone;          /* those of this cycle, one for each link at most */
    uint32_t lones;
    ChannelSet asking; /* channels whose headers ask in this cycle */
    List askers;       /* the same and those that are served again, if `sorted` */
    /* The hop of a packet that is at `vertex` and goes to `to`, in hop[vertex * nodes + to]: bit 0, whether it leads
     * there; then CLASS_BITS for the class; then the link. NET_NONE: not known yet. NULL: the routing looks at more
     * than that, or the network is too large. */
    uint32_t *hop;
    List credited; /* channels whose first, or last missing, credit counts from the next cycle on */
    /* Channels with flits at their destination that had to wait; `taking`: work space of this cycle. */
    List ejecting, taking;
    List breaking;       /* worms to be broken */
    List lost;           /* channels whose headers found no way in this cycle */
    bool between;        /* the state is between cycles: what is due in the next cycle has not happened */
    List left;           /* injection channels whose tails have left in this cycle */
    NetSending *sending; /* work space of limited injection, or NULL */
    Arrived *arrived;    /* in the current cycle; room for one packet of each channel */
    uint32_t n_arrived;
    uint32_t *claims;       /* per node: work space of limited ejection, all 0 */
    Homecoming *homecoming; /* per node, with limited ejection; else NULL */
    NetEntering entering;   /* with limited ejection: the links into a node */
    uint32_t far;           /* number of things due that are in the event queue */
    Expresses expresses;
    struct NetRouted *routed; /* routers with allocators; NULL: there are none */
    /* With a switch allocator: channels whose front packets got a channel in this cycle. They may be sent on from the
     * next cycle on. */
    List connected;
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
    engine->kinds[slot] |= (uint16_t)(1U << due);
    list_add(engine, &engine->slot[slot][due], item);
}

/* Lets those who wait for channels of a link be served in `cycle`. */
static inline void wake_line(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle)
{
    const LinkState *state = &engine->link[link];
    if (state->first == NET_NONE && state->interest == NET_NONE)
        return;
    if (engine->line[link].served == cycle + 1)
        return;
    engine->line[link].served = cycle + 1;
    put_due(net, engine, DUE_LINE, link, cycle);
}

/* -- channels ---------------------------------------------------------------------------------- */

/* Returns an empty set for numbers below `channels`. */
ChannelSet net_engine_new_set(uint32_t channels);

static inline void set_add(ChannelSet *set, uint32_t channel)
{
    set->word[channel / 64] |= UINT64_C(1) << channel % 64;
    set->filled[channel / 4096] |= UINT64_C(1) << channel / 64 % 64;
}

/* Takes the lowest number out of a set. Returns NET_NONE if it is empty. */
static inline uint32_t set_take(ChannelSet *set, uint32_t *at)
{
    for (; *at < set->n_filled; ++*at) {
        if (!set->filled[*at])
            continue;
        uint32_t place = *at * 64 + (uint32_t)__builtin_ctzll(set->filled[*at]);
        uint64_t *word = &set->word[place];
        uint32_t first = place * 64 + (uint32_t)__builtin_ctzll(*word);
        *word &= *word - 1;
        if (!*word)
            set->filled[*at] &= set->filled[*at] - 1;
        return first;
    }
    return NET_NONE;
}

static inline bool is_nic(const NetEngine *engine, uint32_t channel)
{
    return channel >= engine->rules.link_channels;
}

/* Returns the packet at the front of a buffer, which must have one. */
static inline uint32_t front_packet(const NetEngine *engine, uint32_t index)
{
    return engine->channel[index].front;
}

/* Returns Line.delay of a link. */
static inline const uint64_t *net_engine_delay(const NetEngine *engine, uint32_t link)
{
    return engine->same_delay ? engine->delay : engine->line[link].delay;
}

/* Marks a medium as active if `has`: it has something to send. engine->active has room for all media. */
static inline void activate(NetEngine *engine, uint32_t medium, bool has)
{
    LinkState *link = &engine->link[medium];
    engine->active.item[engine->active.count] = medium;
    engine->active.count += has & !link->active;
    link->active |= has;
}

/* Appends a packet to those of a channel. `left`: its flits; `home`: it is bound for the vertex at the channel's end.
 */
static inline void push_packet(NetEngine *engine, uint32_t index, uint32_t packet, uint32_t left, bool home)
{
    Channel *channel = &engine->channel[index];
    assert(channel->packets < engine->rules.buffer_flits);
    channel->enters_home = home;
    if (G_LIKELY(channel->packets++ == 0)) {
        channel->front = packet;
        channel->left = left;
        channel->front_home = home;
        return;
    }
    uint32_t at = channel->head + channel->packets - 1;
    at -= at >= engine->rules.buffer_flits ? engine->rules.buffer_flits : 0;
    engine->ring[(size_t)index * engine->rules.buffer_flits + at] = packet;
}

/* -- flits (flits.c) ------------------------------------------------------------------ */

/* In each of these buffers one more flit may be sent on. */
void net_flits_arrive(NetEngine *engine, const List *channels);
/* One more credit of a channel counts from `cycle` on. */
void net_flits_add_credit(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle);
/* Lets all links send what they can. */
void net_flits_send(Network *net, NetEngine *engine, uint64_t cycle);
/* Takes out the flits that are at their destination. */
void net_flits_eject(Network *net, NetEngine *engine, uint64_t cycle);
/* Counts the credits that were given back in this cycle. */
void net_flits_count_credits(Network *net, NetEngine *engine, uint64_t cycle);
/* Gives the channel `vc` of the link to the asker's front packet. */
void net_flits_connect(NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc);
/* Counts a packet whose tail has passed a link. */
void net_flits_report(Network *net, NetEngine *engine, uint32_t link, uint32_t packet);
/* Adds the busy time of links whose packets stand still or go no further. */
void net_flits_report_stuck(Network *net, NetEngine *engine);
/* Notes that a tail has left an injection channel. */
static inline void leave_source(NetEngine *engine, uint32_t channel)
{
    list_add(engine, &engine->left, channel);
}
/* Lets the channels noted by leave_source() take the next packets of their NICs, in order. */
void net_flits_leave_nics(Network *net, NetEngine *engine, uint64_t cycle);
/* An injection channel has a packet, which may ask from `cycle` on. */
void net_flits_load_source(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);
/* The front packet of a buffer no longer exists. The next packet's header asks in the next cycle, or its flits are
 * taken out. */
void net_flits_next_front(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);

/* -- headers (headers.c) -------------------------------------------------------------- */

/* Lets the headers ask that have come to the front of the channels in engine->asking. They are served together with
 * those in the lines that are due. */
void net_headers_serve(Network *net, NetEngine *engine, uint64_t cycle);
/* Returns whether the routing has a way for the packet at the front of a channel. */
bool net_headers_has_way(const Network *net, const NetEngine *engine, uint32_t channel);
/* Lets waiting headers wait for what the routing offers now, in order (engine->sorted). They are served in `cycle`. */
void net_headers_reroute(Network *net, NetEngine *engine, uint64_t cycle);

/* Returns the link for which a waiting header asks, by rule 2, with its free channels; NET_NONE if there is none. */
uint32_t net_headers_wish(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle, uint64_t *channels);
/* Gives a channel to a header that waits. */
void net_headers_grant(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle);
/* Lets the header that has begun to wait in a channel be served when one of its candidates may be free. */
void net_headers_note(Network *net, NetEngine *engine, uint32_t index);

/* -- routers with allocators (routed.c) -------------------------------------------------------- */

void net_routed_init(Network *net, NetEngine *engine);
void net_routed_clear(NetEngine *engine);
/* Lets the headers in engine->askers, some of which may no longer wait, ask for channels (rule 10). */
void net_routed_serve(Network *net, NetEngine *engine, uint64_t cycle);
/* Chooses what passes the switches (rules 11 and 12): fills engine->sending. Returns how many flits there are. */
uint32_t net_routed_choose(Network *net, NetEngine *engine, uint64_t cycle);
/* The flits have been sent. Notes which links have still something to send. */
void net_routed_finish(NetEngine *engine, uint64_t cycle);

/* -- free worms (worms.c) ------------------------------------------------------------- */

/* Returns the credits of a channel that free worms use at the beginning of a cycle. */
uint32_t net_worm_credits_used(const NetEngine *engine, uint32_t channel, uint64_t cycle);
/* Lets the packet whose header asks in channel `asker` go on as a free worm through a free channel. Returns false if it
 * cannot. */
bool net_worm_run(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle);
/* Turns a worm into flits, together with all worms that share channels with it, in the state at the beginning of the
 * cycle. */
void net_worm_break(Network *net, NetEngine *engine, uint32_t worm, uint64_t cycle);
/* Break the worms in a channel; those in all channels of a link; the one that a link's medium is carrying. */
void net_worm_break_channel(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle);
void net_worm_break_link(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle);
void net_worm_break_runner(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle);
/* With limited ejection: breaks worms at nodes where other flits are or come in this cycle. */
void net_worm_break_homecoming(Network *net, NetEngine *engine, uint64_t cycle);
/* Breaks all worms. */
void net_worm_break_all(Network *net, NetEngine *engine, uint64_t cycle);
/* Handles what is due for free worms, of one kind. */
void net_worm_due(Network *net, NetEngine *engine, Due due, uint64_t cycle);

/* -- express messages (express.c) -------------------------------------------------------------- */

void net_express_init(Network *net, NetEngine *engine);
void net_express_clear(NetEngine *engine);
/* Sends a message that its NIC gets now. Returns false and does nothing if its way may not be free. */
bool net_express_send(Network *net, NetEngine *engine, uint32_t message);
/* Tells of what happens to express messages in this cycle. They have TICK events of their own: `b` is this. */
enum { NET_EXPRESS_TICK = 1 };
void net_express_tick(Network *net, NetEngine *engine, uint64_t cycle);
/* The engine has taken over all express messages. */
void net_express_give_up(NetEngine *engine);
/* Tells observers that the header at the front of a channel begins (change 1) or ceases (-1) to wait (headers.c). */
void net_headers_tell_waiting(Network *net, const NetEngine *engine, uint32_t index, uint64_t cycle, int change);

/* -- aborts (aborts.c) ---------------------------------------------------------------- */

/* Ends a cycle: packets that found no way are lost; if `looks`, the detector looks (rules 7 to 9). */
void net_abort_end_cycle(Network *net, NetEngine *engine, bool looks, uint64_t cycle);
/* Between cycles, a link fails, or links work again. Return the cycle that is due then. */
uint64_t net_abort_fail(Network *net, NetEngine *engine, uint32_t link);
uint64_t net_abort_restore(Network *net, NetEngine *engine);

/* The last cycle before `time_ps` has been computed. The links count what went through them until then. Returns the
 * cycle that is due then. */
uint64_t net_abort_settle(Network *net, NetEngine *engine, uint64_t time_ps);

/* If the free worm that used the link has sent its tail, its channel is no longer owned. */
static inline void settle_runner(NetEngine *engine, uint32_t link, uint64_t cycle)
{
    LinkState *state = &engine->link[link];
    if (state->runner == NET_NONE || engine->line[link].runs_until > cycle)
        return;
    state->runner = NET_NONE;
    state->owned &= ~(UINT64_C(1) << state->runner_vc);
}

#endif
