/* wormhole_headers.c - the event-driven wormhole engine: how headers get channels (rule 2 of wormhole.h).
 *
 * Where the routing knows one way to go, headers stand in line at their link, in the order of asking, and a link's line
 * is served when the link is visited. Where it knows several (or the oldest message goes first), a header notes its
 * interest at each of the links; when one of them is woken it is served again, in one order with all others of that
 * cycle.
 */
#include "netsim/wormhole_engine.h"

#include <stdlib.h>

/* Which of these virtual channels of a link are free, as bits; `later`: one will have a credit in the next cycle. */
static uint64_t free_channels(const NetEngine *engine, uint32_t link, uint64_t share, uint64_t cycle, bool *later)
{
    uint32_t vcs = engine->rules.virtual_channels;
    uint32_t medium = engine->channel[link * vcs].medium;
    uint64_t owned = engine->link[medium].owned >> (medium == link ? 0 : vcs);
    uint32_t needed = engine->rules.whole_buffers ? engine->rules.buffer_flits : 1;
    bool lowest = !engine->sorted && engine->rules.allocation != NET_ALLOCATE_ROUND_ROBIN;
    uint64_t found = 0;
    for (uint64_t left = share & ~owned; left && !(found && lowest); left &= left - 1) {
        const Channel *channel = &engine->channel[link * vcs + (uint32_t)__builtin_ctzll(left)];
        if (credits(engine, channel, cycle) >= needed)
            found |= left & -left;
        else if (channel->taken_since <= cycle)
            *later = true;
    }
    return found;
}

static void grant(Network *net, NetEngine *engine, uint32_t asker_index, uint32_t link, uint32_t vc, uint64_t cycle)
{
    Channel *asker = &engine->channel[asker_index];
    uint32_t output = link * engine->rules.virtual_channels + vc;
    Channel *channel = &engine->channel[output];
    LinkState *medium = &engine->link[channel->medium];
    uint64_t bit = UINT64_C(1) << channel->place;
    channel->owner = asker_index;
    medium->owned |= bit;
    medium->no_flit &= ~bit;
    medium->no_credit &= ~bit;
    engine->link[link].last_given = vc;
    asker->output = output;
    asker->waiting = false;
    net->graph.link[link].blocked_ps += (cycle - asker->asked) * engine->rules.cycle_ps;
}

/* As net_wormhole_query(). */
static inline NetQuery query_of(const NetEngine *engine, const NetPacket *packet, uint32_t index)
{
    const Channel *channel = &engine->channel[index];
    NetQuery query = {
        .from = packet->from, .to = packet->to, .via = packet->via, .at = channel->vertex, .in_link = channel->link};
    if (channel->link != NET_NONE)
        query.in_class = engine->rules.class_of[index - channel->link * engine->rules.virtual_channels];
    return query;
}

/* -- headers with one way to go: a line at each link */

static void line_up(Network *net, NetEngine *engine, uint32_t index, NetHop hop, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    LinkState *link = &engine->link[hop.link];
    channel->wanted_class = hop.channel_class;
    channel->next_asker = NET_NONE;
    if (link->first_asker == NET_NONE)
        link->first_asker = index;
    else
        engine->channel[link->last_asker].next_asker = index;
    link->last_asker = index;
    wake_link(net, engine, engine->channel[hop.link * engine->rules.virtual_channels].medium, cycle);
}

void net_engine_grant_link(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    uint32_t before = NET_NONE;
    uint64_t taken[2] = {0, 0}; /* bit per class that has no channel left, for short and long messages */
    bool later = false;
    for (uint32_t i = link->first_asker; i != NET_NONE; i = engine->channel[i].next_asker) {
        uint32_t wanted = engine->channel[i].wanted_class;
        const NetPacket *packet = &engine->packets.packet[first_run(&engine->channel[i])->packet];
        uint64_t found = 0;
        if (!(taken[packet->is_long] >> wanted & 1))
            found = free_channels(engine, index, net_wormhole_share(&engine->rules, packet, wanted), cycle, &later);
        if (!found) {
            taken[packet->is_long] |= UINT64_C(1) << wanted;
            before = i;
            if (engine->rules.classes == 1 && engine->rules.allocation != NET_ALLOCATE_MESSAGE_CLASS)
                break;
            continue;
        }
        grant(net, engine, i, index, net_wormhole_pick(&engine->rules, found, link->last_given), cycle);
        if (before == NET_NONE)
            link->first_asker = engine->channel[i].next_asker;
        else
            engine->channel[before].next_asker = engine->channel[i].next_asker;
        if (link->last_asker == i)
            link->last_asker = before;
    }
    if (later)
        wake_link(net, engine, engine->channel[index * engine->rules.virtual_channels].medium, cycle + 1);
}

/* -- headers with several ways, or an order of their own: one line, of those whose links were woken */

static void note_interest(NetEngine *engine, uint32_t index, uint32_t link)
{
    uint32_t place = engine->free_interest;
    if (place != NET_NONE) {
        engine->free_interest = engine->interest[place].next;
    } else {
        if (engine->interests == engine->interest_capacity) {
            engine->interest_capacity = MAX(64, engine->interest_capacity * 2);
            engine->interest = g_renew(Interest, engine->interest, engine->interest_capacity);
        }
        place = engine->interests++;
    }
    engine->interest[place] =
        (Interest){.channel = index, .next = engine->link[link].interest, .asked = engine->channel[index].asked};
    engine->link[link].interest = place;
}

/* Those who wait for a link join the askers of this cycle; notes of others are dropped. */
static void gather_interest(NetEngine *engine, uint32_t link)
{
    uint32_t *place = &engine->link[link].interest;
    while (*place != NET_NONE) {
        Interest *note = &engine->interest[*place];
        const Channel *channel = &engine->channel[note->channel];
        if (channel->waiting && channel->asked == note->asked) {
            list_add(&engine->askers, note->channel);
            place = &note->next;
            continue;
        }
        uint32_t dropped = *place;
        *place = note->next;
        note->next = engine->free_interest;
        engine->free_interest = dropped;
    }
}

static int compare_turns(const void *a, const void *b, void *pointer)
{
    const NetEngine *engine = pointer;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    if (engine->channel[left].since != engine->channel[right].since)
        return engine->channel[left].since < engine->channel[right].since ? -1 : 1;
    return (left > right) - (left < right);
}

static void serve_header(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *asker = &engine->channel[index];
    const NetPacket *packet = &engine->packets.packet[first_run(&engine->channel[index])->packet];
    NetQuery query = query_of(engine, packet, index);
    NetHop hops[NET_MAX_CANDIDATES];
    uint64_t found[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, &query, hops);
    bool later[NET_MAX_CANDIDATES] = {false};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t share = net_wormhole_share(&engine->rules, packet, hops[i].channel_class);
        found[i] = free_channels(engine, hops[i].link, share, cycle, &later[i]);
    }
    uint32_t best = net_wormhole_best(hops, found, count);
    if (best != NET_NONE) {
        uint32_t link = hops[best].link;
        uint32_t vc = net_wormhole_pick(&engine->rules, found[best], engine->link[link].last_given);
        grant(net, engine, index, link, vc, cycle);
        wake_link(net, engine, engine->channel[asker->output].medium, cycle);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (asker->asked == cycle)
            note_interest(engine, index, hops[i].link);
        if (later[i])
            wake_link(net, engine, engine->channel[hops[i].link * engine->rules.virtual_channels].medium, cycle + 1);
    }
}

void net_engine_serve(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *links = &engine->slot[cycle % SLOTS][DUE_LINK];
    uint32_t woken = links->count;
    for (uint32_t i = 0; i < woken; i++) {
        gather_interest(engine, links->item[i]);
        if (engine->link[links->item[i]].partner != NET_NONE)
            gather_interest(engine, engine->link[links->item[i]].partner);
    }
    if (engine->askers.count > 1)
        g_qsort_with_data(engine->askers.item, (gint)engine->askers.count, sizeof(uint32_t), compare_turns, engine);
    for (uint32_t i = 0; i < engine->askers.count; i++)
        if (engine->channel[engine->askers.item[i]].waiting &&
            (i == 0 || engine->askers.item[i - 1] != engine->askers.item[i]))
            serve_header(net, engine, engine->askers.item[i], cycle);
}

/* -- asking */

static void ask(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    NetPacket *packet = &engine->packets.packet[first_run(&engine->channel[index])->packet];
    if (is_nic(engine, index) && net->routing->choose_via)
        packet->via = net->routing->choose_via(net, packet->from, packet->to, packet->number);
    list_add(&engine->filled, index);
    channel->waiting = true;
    channel->asked = cycle;
    channel->since = engine->rules.allocation == NET_ALLOCATE_OLDEST_FIRST ? packet->ready_ps : cycle;
    if (engine->sorted)
        return;
    NetQuery query = query_of(engine, packet, index);
    line_up(net, engine, index, net->routing->next(net, &query), cycle);
}

void net_engine_ask(Network *net, NetEngine *engine, uint64_t cycle)
{
    uint32_t count = 0;
    net_engine_sort(&engine->askers);
    for (uint32_t i = 0; i < engine->askers.count; i++) {
        uint32_t index = engine->askers.item[i];
        if (engine->channel[index].waiting) /* woken twice */
            continue;
        ask(net, engine, index, cycle);
        engine->askers.item[count++] = index;
    }
    engine->askers.count = count;
}
