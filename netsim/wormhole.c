/* wormhole.c - the wormhole engine in use: only channels and links at which something can happen are looked at.
 * Two-phase.
 *
 * The rules are in wormhole.h, the plain engine that defines the truth in wormhole_reference.c; a property test holds
 * this one to it in every time, every statistic and every deadlock. A cycle runs through the same column of steps; what
 * differs is who is visited:
 *
 *   - a channel is woken for the cycle in which its front flit becomes ready (or can be taken out at its destination);
 *   - a link is woken for the next cycle when it got a credit or a channel back, or had more flits to carry than one.
 *
 * Wake-ups less than 64 cycles ahead are kept in a ring of 64 slots with a bit each; later ones go through the event
 * queue as HOP events, which come before the TICK of the same time. All that is pending is never more than 64 cycles
 * apart in the ring, because nothing before the current time is pending. Waking too often is harmless, too seldom is
 * not.
 *
 *   ring:  slot = cycle % 64     |  ..  | channels, links | channels, links |  ..  |
 *   bits:  occupied                 0           1                 1            0        -> next cycle: count of zeros
 */
#include "netsim/wormhole.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64 };

typedef struct Flit {
    uint32_t packet;
    bool tail, home; /* home: at its destination */
    uint64_t
        ready; /* as in the reference; for flits that are home one less, the cycle at whose end they are taken out */
} Flit;

/* See the reference. */
typedef struct Channel {
    uint32_t owner, credits;
    uint32_t vertex, head, count;
    uint32_t output, wanted, wanted_class, next_asker;
    uint64_t asked;
    uint64_t ejected; /* cycle after the last in which a flit was taken out */
} Channel;

typedef struct LinkState {
    uint64_t owned; /* bit per virtual channel that has an owner */
    uint64_t woken; /* cycle after the one it was last woken for */
    uint32_t first_asker, last_asker;
    uint32_t last_sent, chosen;
} LinkState;

typedef struct List {
    uint32_t *item;
    uint32_t count, capacity;
} List;

typedef struct Slot {
    List channels, links;
} Slot;

typedef struct Engine {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNic *nic;
    Flit *nic_front; /* per node: the flit that its NIC would send next; packet NET_NONE: none */
    Channel *channel;
    Flit *flits;
    LinkState *link;
    Slot slot[SLOTS];
    uint64_t occupied;              /* bit per slot */
    uint64_t first;                 /* nothing before this cycle is pending */
    uint64_t next_cycle;            /* whose TICK is in the event queue; UINT64_MAX: none */
    List askers, senders, ejectors; /* of the current cycle */
} Engine;

/* -- lists, waking ------------------------------------------------------------------------------------------------ */

static void list_add(List *list, uint32_t item)
{
    if (list->count == list->capacity) {
        list->capacity = MAX(16, list->capacity * 2);
        list->item = g_renew(uint32_t, list->item, list->capacity);
    }
    list->item[list->count++] = item;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void list_sort(List *list)
{
    if (list->count > 1)
        qsort(list->item, list->count, sizeof *list->item, compare_numbers);
}

static void announce(Network *net, Engine *engine, uint64_t cycle)
{
    if (cycle >= engine->next_cycle)
        return;
    engine->next_cycle = cycle;
    net_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, 0);
}

static Slot *slot_for(Engine *engine, uint64_t cycle)
{
    assert(cycle >= engine->first && cycle - engine->first < SLOTS);
    engine->occupied |= UINT64_C(1) << cycle % SLOTS;
    return &engine->slot[cycle % SLOTS];
}

static void wake_channel(Network *net, Engine *engine, uint32_t channel, uint64_t cycle)
{
    if (cycle - engine->first < SLOTS)
        list_add(&slot_for(engine, cycle)->channels, channel);
    else
        net_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_HOP, channel, cycle, 0);
}

static void wake_link(Engine *engine, uint32_t link, uint64_t cycle)
{
    if (engine->link[link].woken == cycle + 1)
        return;
    engine->link[link].woken = cycle + 1;
    list_add(&slot_for(engine, cycle)->links, link);
}

/* -- making
 * ------------------------------------------------------------------------------------------------------------ */

static void *start(Network *net)
{
    Engine *engine = g_new0(Engine, 1);
    NetWormhole *rules = &engine->rules;
    net_wormhole_init(rules, net);
    net_packets_init(&engine->packets);
    engine->order = net_order_new();
    engine->nic = net_nics_new(net->params.nodes);
    engine->nic_front = g_new(Flit, net->params.nodes);
    for (uint32_t node = 0; node < net->params.nodes; node++)
        engine->nic_front[node] = (Flit){.packet = NET_NONE};
    engine->channel = g_new0(Channel, rules->channels);
    engine->flits = g_new0(Flit, (size_t)rules->link_channels * rules->buffer_flits + 1);
    engine->link = g_new0(LinkState, MAX(net->graph.links, 1));
    engine->next_cycle = UINT64_MAX;
    for (uint32_t i = 0; i < rules->channels; i++) {
        bool nic = i >= rules->link_channels;
        engine->channel[i] = (Channel){
            .owner = NET_NONE,
            .output = NET_NONE,
            .wanted = NET_NONE,
            .credits = rules->buffer_flits,
            .vertex = nic ? i - rules->link_channels : net->graph.link[i / rules->virtual_channels].to,
        };
    }
    for (uint32_t i = 0; i < net->graph.links; i++)
        engine->link[i] = (LinkState){.first_asker = NET_NONE, .last_sent = rules->virtual_channels - 1};
    return engine;
}

static void stop(void *pointer)
{
    Engine *engine = pointer;
    for (size_t i = 0; i < SLOTS; i++) {
        g_free(engine->slot[i].channels.item);
        g_free(engine->slot[i].links.item);
    }
    g_free(engine->askers.item);
    g_free(engine->senders.item);
    g_free(engine->ejectors.item);
    net_order_free(engine->order);
    g_free(engine->packets.packet);
    g_free(engine->nic);
    g_free(engine->nic_front);
    g_free(engine->channel);
    g_free(engine->flits);
    g_free(engine->link);
    g_free(engine);
}

/* -- buffers
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_nic(const Engine *engine, uint32_t channel)
{
    return channel >= engine->rules.link_channels;
}

/* The flit at the front of a channel's buffer, or NULL. */
static inline const Flit *front(const Engine *engine, uint32_t index)
{
    if (G_LIKELY(!is_nic(engine, index))) {
        const Channel *channel = &engine->channel[index];
        return channel->count ? &engine->flits[(size_t)index * engine->rules.buffer_flits + channel->head] : NULL;
    }
    const Flit *flit = &engine->nic_front[index - engine->rules.link_channels];
    return flit->packet == NET_NONE ? NULL : flit;
}

static void refresh_nic(Engine *engine, uint32_t node)
{
    const NetNic *nic = &engine->nic[node];
    engine->nic_front[node] = (Flit){.packet = nic->packet, .ready = nic->ready};
    if (nic->packet != NET_NONE)
        engine->nic_front[node].tail = nic->flit + 1 == engine->packets.packet[nic->packet].flits;
}

/* The front of a buffer has changed in `cycle`: wakes it for when that flit can go, or, if it is home and this cycle's
 * flits have not been taken out yet, lists it for that. */
static void wake_front(Network *net, Engine *engine, uint32_t index, uint64_t cycle, bool may_eject)
{
    const Flit *flit = front(engine, index);
    if (!flit)
        return;
    if (flit->home && flit->ready <= cycle && may_eject)
        list_add(&engine->ejectors, index);
    else if (engine->channel[index].output != NET_NONE && flit->ready <= cycle + 1) /* streaming: needs no look */
        wake_link(engine, engine->channel[index].output / engine->rules.virtual_channels, cycle + 1);
    else
        wake_channel(net, engine, index, MAX(flit->ready, cycle + 1));
}

static void give_credit(Engine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    uint32_t link = index / engine->rules.virtual_channels;
    if (channel->credits++ == 0 && (channel->owner != NET_NONE || engine->link[link].first_asker != NET_NONE))
        wake_link(engine, link, cycle + 1);
}

static void take_front(Network *net, Engine *engine, uint32_t index, uint64_t cycle)
{
    if (is_nic(engine, index)) {
        uint32_t node = index - engine->rules.link_channels;
        net_nic_sent_flit(&engine->nic[node], net, &engine->rules, &engine->packets, cycle);
        refresh_nic(engine, node);
        return;
    }
    Channel *channel = &engine->channel[index];
    assert(channel->count > 0);
    channel->head = channel->head + 1 == engine->rules.buffer_flits ? 0 : channel->head + 1;
    channel->count--;
    give_credit(engine, index, cycle);
}

static void put_flit(Network *net, Engine *engine, uint32_t index, Flit flit, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    assert(channel->credits > 0 && channel->count < engine->rules.buffer_flits);
    flit.home = engine->packets.packet[flit.packet].to == channel->vertex;
    flit.ready = cycle + engine->rules.link_cycles;
    if (!flit.home)
        flit.ready += 1 + net_wormhole_routing_cycles(&engine->rules, channel->vertex);
    uint32_t place = channel->head + channel->count;
    place -= place >= engine->rules.buffer_flits ? engine->rules.buffer_flits : 0;
    engine->flits[(size_t)index * engine->rules.buffer_flits + place] = flit;
    channel->credits--;
    if (channel->count++ == 0)
        wake_front(net, engine, index, cycle, true);
}

/* -- phase one: decide
 * -------------------------------------------------------------------------------------------------- */

static void ask(Network *net, Engine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    NetHop hop = net_next_hop(net, channel->vertex, engine->packets.packet[front(engine, index)->packet].to);
    LinkState *link = &engine->link[hop.link];
    channel->wanted = hop.link;
    channel->wanted_class = hop.channel_class;
    channel->asked = cycle;
    channel->next_asker = NET_NONE;
    if (link->first_asker == NET_NONE)
        link->first_asker = index;
    else
        engine->channel[link->last_asker].next_asker = index;
    link->last_asker = index;
    wake_link(engine, hop.link, cycle);
}

/* Sorts the channels that were woken: to be taken out, to ask, or to send on. */
static void look_at_channel(Engine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    const Flit *flit = front(engine, index);
    if (!flit || flit->ready > cycle)
        return;
    if (flit->home)
        list_add(&engine->ejectors, index);
    else if (channel->output != NET_NONE)
        wake_link(engine, channel->output / engine->rules.virtual_channels, cycle);
    else if (channel->wanted == NET_NONE)
        list_add(&engine->askers, index);
}

static uint32_t free_channel(const Engine *engine, uint32_t link, uint32_t channel_class)
{
    uint32_t first = net_wormhole_class_first(&engine->rules, channel_class);
    uint32_t end = net_wormhole_class_first(&engine->rules, channel_class + 1);
    for (uint32_t vc = first; vc < end; vc++) {
        uint32_t index = link * engine->rules.virtual_channels + vc;
        if (!(engine->link[link].owned >> vc & 1) && engine->channel[index].credits > 0)
            return index;
    }
    return NET_NONE;
}

static void grant(Network *net, Engine *engine, uint32_t link_index, uint32_t asker_index, uint32_t output,
                  uint64_t cycle)
{
    Channel *asker = &engine->channel[asker_index];
    engine->channel[output].owner = asker_index;
    engine->link[link_index].owned |= UINT64_C(1) << output % engine->rules.virtual_channels;
    asker->output = output;
    asker->wanted = NET_NONE;
    net->graph.link[link_index].blocked_ps += (cycle - asker->asked) * engine->rules.cycle_ps;
}

static void grant_link(Network *net, Engine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    uint32_t before = NET_NONE;
    uint64_t taken = 0; /* bit per class that has no channel left; nothing is given back in this phase */
    uint64_t all = (UINT64_C(1) << engine->rules.classes) - 1;
    for (uint32_t i = link->first_asker; i != NET_NONE && taken != all; i = engine->channel[i].next_asker) {
        uint32_t wanted = engine->channel[i].wanted_class;
        uint32_t output = taken >> wanted & 1 ? NET_NONE : free_channel(engine, index, wanted);
        if (output == NET_NONE) {
            taken |= UINT64_C(1) << wanted;
            before = i;
            continue;
        }
        grant(net, engine, index, i, output, cycle);
        if (before == NET_NONE)
            link->first_asker = engine->channel[i].next_asker;
        else
            engine->channel[before].next_asker = engine->channel[i].next_asker;
        if (link->last_asker == i)
            link->last_asker = before;
    }
}

static bool can_send(const Engine *engine, uint32_t output, uint64_t cycle)
{
    const Channel *channel = &engine->channel[output];
    if (channel->credits == 0)
        return false;
    const Flit *flit = front(engine, channel->owner);
    return flit && flit->ready <= cycle;
}

/* The owned virtual channels from the one after the last sender on, as bits in the order of their turn. */
static uint64_t turns(const LinkState *link, uint32_t first, uint32_t vcs)
{
    uint64_t all = vcs == 64 ? UINT64_MAX : (UINT64_C(1) << vcs) - 1;
    return first ? (link->owned >> first | link->owned << (vcs - first)) & all : link->owned;
}

static void choose(Engine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    uint32_t vcs = engine->rules.virtual_channels;
    uint32_t first = link->last_sent + 1 == vcs ? 0 : link->last_sent + 1;
    link->chosen = NET_NONE;
    for (uint64_t left = turns(link, first, vcs); left; left &= left - 1) {
        uint32_t vc = first + (uint32_t)__builtin_ctzll(left);
        vc -= vc >= vcs ? vcs : 0;
        if (!can_send(engine, index * vcs + vc, cycle))
            continue;
        if (link->chosen != NET_NONE) { /* one more: its turn comes */
            wake_link(engine, index, cycle + 1);
            return;
        }
        link->chosen = vc;
        list_add(&engine->senders, index);
    }
}

/* -- phase two: do
 * -------------------------------------------------------------------------------------------------------- */

static void give_channel_back(Network *net, Engine *engine, uint32_t index, uint32_t output, const Flit *tail,
                              uint64_t cycle)
{
    NetLink *report = &net->graph.link[index];
    LinkState *link = &engine->link[index];
    report->bytes += engine->packets.packet[tail->packet].wire_bytes;
    report->packets++;
    engine->channel[engine->channel[output].owner].output = NET_NONE;
    engine->channel[output].owner = NET_NONE;
    link->owned &= ~(UINT64_C(1) << output % engine->rules.virtual_channels);
    if (link->first_asker != NET_NONE)
        wake_link(engine, index, cycle + 1);
}

static void send_flit(Network *net, Engine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    uint32_t output = index * engine->rules.virtual_channels + link->chosen;
    uint32_t input = engine->channel[output].owner;
    Flit flit = *front(engine, input);
    net->graph.link[index].busy_ps += engine->rules.cycle_ps;
    link->last_sent = link->chosen;
    if (flit.tail)
        give_channel_back(net, engine, index, output, &flit, cycle);
    put_flit(net, engine, output, flit, cycle);
    take_front(net, engine, input, cycle);
    wake_front(net, engine, input, cycle, true);
}

static void eject(Network *net, Engine *engine, uint32_t index, uint64_t cycle)
{
    if (engine->channel[index].ejected == cycle + 1 || !front(engine, index))
        return;
    Flit flit = *front(engine, index);
    assert(flit.home && flit.ready <= cycle);
    engine->channel[index].ejected = cycle + 1;
    take_front(net, engine, index, cycle);
    wake_front(net, engine, index, cycle, false);
    if (!flit.tail)
        return;
    uint32_t message = engine->packets.packet[flit.packet].message;
    net_packets_release(&engine->packets, flit.packet);
    if (++net_message(net, message)->delivered == net_message(net, message)->packets)
        net_order_arrived(engine->order, net, message);
}

/* -- cycles
 * ----------------------------------------------------------------------------------------------------------------- */

static void run_cycle(Network *net, Engine *engine, uint64_t cycle)
{
    Slot *slot = &engine->slot[cycle % SLOTS];
    engine->askers.count = engine->senders.count = engine->ejectors.count = 0;
    for (uint32_t i = 0; i < slot->channels.count; i++)
        look_at_channel(engine, slot->channels.item[i], cycle);
    list_sort(&engine->askers);
    for (uint32_t i = 0; i < engine->askers.count; i++)
        if (engine->channel[engine->askers.item[i]].wanted == NET_NONE) /* woken twice */
            ask(net, engine, engine->askers.item[i], cycle);
    for (uint32_t i = 0; i < slot->links.count; i++) {
        grant_link(net, engine, slot->links.item[i], cycle);
        choose(engine, slot->links.item[i], cycle);
    }
    for (uint32_t i = 0; i < engine->senders.count; i++)
        send_flit(net, engine, engine->senders.item[i], cycle);
    list_sort(&engine->ejectors);
    for (uint32_t i = 0; i < engine->ejectors.count; i++)
        eject(net, engine, engine->ejectors.item[i], cycle);
    slot->channels.count = slot->links.count = 0;
}

static void tick(Network *net, Engine *engine, uint64_t cycle)
{
    if (cycle != engine->next_cycle)
        return; /* an earlier cycle had become due; this one was announced again */
    engine->next_cycle = UINT64_MAX;
    engine->first = cycle;
    run_cycle(net, engine, cycle);
    engine->occupied &= ~(UINT64_C(1) << cycle % SLOTS);
    engine->first = cycle + 1;
    if (!engine->occupied)
        return;
    unsigned shift = (unsigned)(engine->first % SLOTS);
    uint64_t ahead = shift ? engine->occupied >> shift | engine->occupied << (SLOTS - shift) : engine->occupied;
    announce(net, engine, engine->first + (uint64_t)__builtin_ctzll(ahead));
}

/* Cycles that end before now are over: none of them is pending. */
static void move_on(Network *net, Engine *engine)
{
    uint64_t running = net->now / engine->rules.cycle_ps;
    engine->first = MAX(engine->first, running ? running - 1 : 0);
}

static void inject(Network *net, uint32_t message)
{
    Engine *engine = net->model_state;
    uint32_t node = net_message(net, message)->from;
    NetNic *nic = &engine->nic[node];
    net_order_begin(engine->order, net, message);
    if (!net_nic_add(nic, net, &engine->rules, &engine->packets, message))
        return;
    refresh_nic(engine, node);
    move_on(net, engine);
    wake_channel(net, engine, engine->rules.link_channels + node, nic->ready);
    if (nic->ready - engine->first < SLOTS)
        announce(net, engine, nic->ready);
}

static void event(Network *net, const NetEvent *what)
{
    Engine *engine = net->model_state;
    if (what->kind == NET_EVENT_TICK) {
        tick(net, engine, what->a);
        return;
    }
    move_on(net, engine);
    wake_channel(net, engine, what->rank, what->a);
    announce(net, engine, what->a);
}

static bool blocked(const Network *net, uint32_t index, NetBlocked *what)
{
    const Engine *engine = net->model_state;
    const Channel *channel = &engine->channel[index];
    const Flit *flit = front(engine, index);
    if (!flit)
        return false;
    uint32_t first = channel->wanted * engine->rules.virtual_channels +
                     net_wormhole_class_first(&engine->rules, channel->wanted_class);
    bool owns = channel->output != NET_NONE;
    *what = (NetBlocked){.packet = flit->packet, .owns = owns, .channel = owns ? channel->output : first};
    return true;
}

static char *deadlock(const Network *net)
{
    const Engine *engine = net->model_state;
    return net_wormhole_explain(net, &engine->rules, &engine->packets, blocked);
}

const NetModel net_model_wormhole = {
    .name = "wormhole",
    .needs_links = true,
    .check = net_wormhole_check,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = net_wormhole_zero_load,
    .deadlock = deadlock,
};
