/* headers.c - the wormhole engine in use: how headers get channels (rule 2 of rules.h).
 *
 * If the routing offers one way to go, headers stand in line at their link, in the order of asking. A link's line is
 * served when one of its channels may have become free. If the routing offers several ways (or the oldest message goes
 * first), a header notes its interest at each of the links. When one of them may have a free channel, the header is
 * served again, in one order with all others of that cycle. While headers wait for a link, free worms neither have nor
 * get channels of it.
 */
#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/engine.h"

/* Returns which of these virtual channels of a link are free, as a bit set. */
static inline uint64_t free_channels(NetEngine *engine, uint32_t link, uint64_t share, uint64_t cycle)
{
    const LinkState *state = &engine->link[link];
    if (state->runner != NET_NONE)
        settle_runner(engine, link, cycle);
    uint64_t found = share & ~state->owned & state->credit;
    if (engine->needed == 1 && (engine->link[link].legs == 0 || engine->roomy))
        return found;
    for (uint64_t left = found; left; left &= left - 1) {
        uint32_t index = link * engine->rules.virtual_channels + (uint32_t)__builtin_ctzll(left);
        if (engine->channel[index].credits < engine->needed + net_worm_credits_used(engine, index, cycle))
            found &= ~(left & -left);
    }
    return found;
}

/* Returns the packet whose header is at the front of a channel. */
static uint32_t packet_of(const NetEngine *engine, uint32_t index)
{
    uint32_t worm = engine->channel[index].worm;
    return worm == NET_NONE ? front_packet(engine, index) : engine->worm[worm].packet;
}

/* Makes the same query as net_wormhole_query(). */
static inline NetQuery query_of(const NetEngine *engine, const NetPacket *packet, uint32_t index)
{
    const Channel *channel = &engine->channel[index];
    NetQuery query = {.from = packet->from,
                      .to = packet->to,
                      .via = packet->via,
                      .at = engine->channel[index].vertex,
                      .in_link = channel->link,
                      .nic = packet->nic,
                      .number = packet->number};
    if (channel->link != NET_NONE)
        query.in_class = engine->rules.class_of[channel->vc];
    return query;
}

void net_headers_tell_waiting(Network *net, const NetEngine *engine, uint32_t index, uint64_t cycle, int change)
{
    NetQuery query = query_of(engine, &engine->packets.packet[packet_of(engine, index)], index);
    net_watch_queued(net, &query, cycle * engine->rules.cycle_ps, change);
}

static void tell_grant(Network *net, const NetEngine *engine, uint32_t index, uint32_t output, uint64_t cycle)
{
    uint32_t packet = packet_of(engine, index);
    NetGrant grant = {.packet = packet,
                      .message = engine->packets.packet[packet].message,
                      .channel = output,
                      .first = is_nic(engine, index),
                      .number = engine->packets.packet[packet].index,
                      .asked_ps = engine->place[index].asked * engine->rules.cycle_ps,
                      .got_ps = cycle * engine->rules.cycle_ps};
    net_headers_tell_waiting(net, engine, index, cycle, -1);
    net_watch_granted(net, &grant);
}

static inline uint64_t share_of(const NetEngine *engine, const NetPacket *packet, uint32_t channel_class)
{
    return engine->plain_shares ? engine->rules.class_share[channel_class]
                                : net_wormhole_share(&engine->rules, packet, channel_class);
}

/* As net_wormhole_pick(). */
static inline uint32_t pick(const NetEngine *engine, uint32_t link, uint64_t found)
{
    uint64_t later = engine->has_turns ? found & ~((UINT64_C(2) << engine->link[link].last_given) - 1) : 0;
    return (uint32_t)__builtin_ctzll(later ? later : found);
}

/* Gives a channel to a packet that is not a free worm. Packets that meet others move flit by flit, and so do those that
 * they meet. */
static inline void take_channel(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc,
                                uint64_t cycle)
{
    uint32_t output = link * engine->rules.virtual_channels + vc;
    if (engine->channel[asker].worm != NET_NONE)
        net_worm_break(net, engine, engine->channel[asker].worm, cycle);
    if (engine->link[link].runner != NET_NONE || engine->link[link].special)
        net_worm_break_runner(net, engine, link, cycle);
    if (engine->link[link].legs)
        net_worm_break_channel(net, engine, output, cycle);
    uint32_t packet = front_packet(engine, asker);
    const NetPacket *what = &engine->packets.packet[packet];
    push_packet(engine, output, packet, what->flits, what->to == engine->channel[output].vertex);
    net_flits_connect(engine, asker, link, vc);
}

/* Gives a channel to the header in `asker`, which goes on as a free worm if it can. */
static inline void give(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle)
{
    engine->link[link].last_given = (uint8_t)vc;
    if (!engine->may_run_free || !net_worm_run(net, engine, asker, link, vc, cycle))
        take_channel(net, engine, asker, link, vc, cycle);
}

void net_headers_grant(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle)
{
    Channel *input = &engine->channel[asker];
    input->waiting = false;
    engine->waiting--;
    uint64_t waited = cycle - engine->place[asker].asked;
    if (waited)
        net->graph.link[link].blocked_ps += waited * engine->rules.cycle_ps;
    if (net->watch)
        tell_grant(net, engine, asker, link * engine->rules.virtual_channels + vc, cycle);
    give(net, engine, asker, link, vc, cycle);
}

/* The header in `asker` has to wait for a link, so free worms there are broken. */
static void wait_for(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint64_t cycle)
{
    if (engine->channel[asker].worm != NET_NONE)
        net_worm_break(net, engine, engine->channel[asker].worm, cycle);
    net_worm_break_link(net, engine, link, cycle);
}

/* -- headers with one way to go: a line at each link ------------------------------------------- */

static void line_up(NetEngine *engine, uint32_t index, NetHop hop)
{
    LinkState *link = &engine->link[hop.link];
    Line *line = &engine->line[hop.link];
    engine->place[index].wanted_class = hop.channel_class;
    engine->place[index].next_asker = NET_NONE;
    if (link->first == NET_NONE)
        link->first = index;
    else
        engine->place[line->last].next_asker = index;
    line->last = index;
}

/* Returns the only way of a packet whose header is at the front of a channel. */
static inline NetHop only_hop(const Network *net, const NetEngine *engine, const NetPacket *packet, uint32_t index)
{
    uint32_t *known = NULL;
    if (engine->hop) {
        known = &engine->hop[(size_t)engine->channel[index].vertex * engine->rules.nodes + packet->to];
        if (*known != NET_NONE)
            return net_of_nic(
                net, packet->nic,
                (NetHop){.link = *known >> HOP_BITS, .channel_class = *known >> 1 & ((1U << CLASS_BITS) - 1)});
    }
    NetQuery query = query_of(engine, packet, index);
    NetHop hop = net->routing->next(net, &query);
    if (known)
        *known = hop.link << HOP_BITS | hop.channel_class << 1 | (net->graph.link[hop.link].to == packet->to);
    return net_of_nic(net, packet->nic, hop);
}

/* Serves the header in `index` at once if nobody is before it. `waits`: it counts as waiting already. */
static inline void ask_one(Network *net, NetEngine *engine, uint32_t index, bool waits, uint64_t cycle)
{
    Channel *input = &engine->channel[index];
    const NetPacket *packet = &engine->packets.packet[packet_of(engine, index)];
    NetHop hop = only_hop(net, engine, packet, index);
    uint64_t found = 0;
    if (engine->link[hop.link].first == NET_NONE)
        found = free_channels(engine, hop.link, share_of(engine, packet, hop.channel_class), cycle);
    if (G_LIKELY(found)) {
        uint32_t vc = pick(engine, hop.link, found);
        if (waits)
            net_headers_grant(net, engine, index, hop.link, vc, cycle);
        else
            give(net, engine, index, hop.link, vc, cycle);
        return;
    }
    if (!waits) {
        input->waiting = true;
        engine->place[index].asked = cycle;
        engine->waiting++;
    }
    wait_for(net, engine, index, hop.link, cycle);
    wake_line(net, engine, hop.link, cycle); /* those before it may want channels of another class */
    line_up(engine, index, hop);
}

static void serve_line(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    Line *line = &engine->line[index];
    uint32_t before = NET_NONE;
    uint64_t taken[2] = {0, 0}; /* bit per class that has no channel left; [0] for short messages, [1] for long ones */
    for (uint32_t i = link->first; i != NET_NONE; i = engine->place[i].next_asker) {
        uint32_t wanted = engine->place[i].wanted_class;
        const NetPacket *packet = &engine->packets.packet[front_packet(engine, i)];
        uint64_t found = 0;
        if (!(taken[packet->is_long] >> wanted & 1))
            found = free_channels(engine, index, share_of(engine, packet, wanted), cycle);
        if (!found) {
            taken[packet->is_long] |= UINT64_C(1) << wanted;
            before = i;
            if (engine->rules.classes == 1 && engine->rules.allocation != NET_ALLOCATE_MESSAGE_CLASS)
                break;
            continue;
        }
        if (before == NET_NONE)
            link->first = engine->place[i].next_asker;
        else
            engine->place[before].next_asker = engine->place[i].next_asker;
        if (line->last == i)
            line->last = before;
        net_headers_grant(net, engine, i, index, pick(engine, index, found), cycle);
    }
}

/* -- headers with several ways, or an order of their own: one line, of those whose links were woken -- */

static void note_interest(NetEngine *engine, uint32_t index, uint32_t link)
{
    uint32_t place = BASE_POOL_TAKE(&engine->interests, engine->interest);
    engine->interest[place] =
        (Interest){.channel = index, .next = engine->link[link].interest, .asked = engine->place[index].asked};
    engine->link[link].interest = place;
}

/* Adds those who wait for a link to the askers of this cycle. Notes that are no longer valid are dropped. */
static void gather_interest(NetEngine *engine, uint32_t link)
{
    uint32_t *place = &engine->link[link].interest;
    while (*place != NET_NONE) {
        Interest *note = &engine->interest[*place];
        const Channel *asker = &engine->channel[note->channel];
        if (asker->waiting && engine->place[note->channel].asked == note->asked) {
            list_add(engine, &engine->askers, note->channel);
            place = &note->next;
            continue;
        }
        uint32_t dropped = *place;
        *place = note->next;
        BASE_POOL_GIVE(&engine->interests, engine->interest, dropped);
    }
}

static int compare_turns(const void *a, const void *b, void *pointer)
{
    const NetEngine *engine = pointer;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    if (engine->place[left].since != engine->place[right].since)
        return engine->place[left].since < engine->place[right].since ? -1 : 1;
    return (left > right) - (left < right);
}

uint32_t net_headers_wish(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle, uint64_t *channels)
{
    const NetPacket *packet = &engine->packets.packet[packet_of(engine, index)];
    if (G_LIKELY(engine->hop)) {
        NetHop hop = only_hop(net, engine, packet, index);
        *channels = free_channels(engine, hop.link, share_of(engine, packet, hop.channel_class), cycle);
        return *channels ? hop.link : NET_NONE;
    }
    NetQuery query = query_of(engine, packet, index);
    NetHop hops[NET_MAX_CANDIDATES];
    uint64_t found[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, &query, hops);
    for (uint32_t i = 0; i < count; i++)
        found[i] = free_channels(engine, hops[i].link, share_of(engine, packet, hops[i].channel_class), cycle);
    uint32_t best = net_wormhole_best(hops, found, count);
    if (best == NET_NONE)
        return NET_NONE;
    *channels = found[best];
    return hops[best].link;
}

void net_headers_note(Network *net, NetEngine *engine, uint32_t index)
{
    const NetPacket *packet = &engine->packets.packet[packet_of(engine, index)];
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = 1;
    if (engine->hop) {
        hops[0] = only_hop(net, engine, packet, index);
    } else {
        NetQuery query = query_of(engine, packet, index);
        count = net_candidates(net, &query, hops);
    }
    for (uint32_t i = 0; i < count; i++) {
        wait_for(net, engine, index, hops[i].link, engine->cycle);
        note_interest(engine, index, hops[i].link);
    }
}

static void serve_header(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    uint64_t found = 0;
    uint32_t link = net_headers_wish(net, engine, index, cycle, &found);
    if (link != NET_NONE)
        net_headers_grant(net, engine, index, link, pick(engine, link, found), cycle);
    else if (engine->place[index].asked == cycle)
        net_headers_note(net, engine, index);
}

/* Serves those who ask, and those who wait for one of the links that are due. */
static void serve_in_order(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *links = &engine->slot[cycle % SLOTS][DUE_LINE];
    List *askers = &engine->askers;
    for (uint32_t i = 0; i < links->count; i++)
        gather_interest(engine, links->item[i]);
    if (engine->rules.vc_allocator) {
        net_routed_serve(net, engine, cycle);
        return;
    }
    if (askers->count > 1)
        g_qsort_with_data(askers->item, (gint)askers->count, sizeof(uint32_t), compare_turns, engine);
    for (uint32_t i = 0; i < askers->count; i++)
        if (engine->channel[askers->item[i]].waiting && (i == 0 || askers->item[i - 1] != askers->item[i]))
            serve_header(net, engine, askers->item[i], cycle);
}

void net_headers_reroute(Network *net, NetEngine *engine, uint64_t cycle)
{
    assert(engine->sorted);
    base_pool_clear(&engine->interests);
    for (uint32_t i = 0; i < net->graph.links; i++)
        engine->link[i].interest = NET_NONE;
    for (uint32_t index = 0; index < engine->rules.channels; index++) {
        if (!engine->channel[index].waiting)
            continue;
        NetQuery query = query_of(engine, &engine->packets.packet[packet_of(engine, index)], index);
        NetHop hops[NET_MAX_CANDIDATES];
        uint32_t count = net_candidates(net, &query, hops);
        for (uint32_t i = 0; i < count; i++) {
            note_interest(engine, index, hops[i].link);
            wake_line(net, engine, hops[i].link, cycle);
        }
    }
}

/* -- asking ------------------------------------------------------------------------------------ */

bool net_headers_has_way(const Network *net, const NetEngine *engine, uint32_t index)
{
    NetQuery query = query_of(engine, &engine->packets.packet[packet_of(engine, index)], index);
    NetHop hops[NET_MAX_CANDIDATES];
    return net_candidates(net, &query, hops) > 0;
}

/* When a packet leaves its source, decides whether it is sent by way of another vertex. */
static inline void choose_via(const Network *net, const NetEngine *engine, uint32_t index)
{
    if (G_LIKELY(!net->routing->choose_via) || !is_nic(engine, index))
        return;
    NetPacket *packet = &engine->packets.packet[front_packet(engine, index)];
    packet->via = net->routing->choose_via(net, packet->from, packet->to, packet->number);
}

static void ask(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    const NetPacket *packet = &engine->packets.packet[packet_of(engine, index)];
    assert(!channel->waiting);
    choose_via(net, engine, index);
    if (G_UNLIKELY(net->failures) && !net_headers_has_way(net, engine, index)) {
        if (channel->worm != NET_NONE)
            net_worm_break(net, engine, channel->worm, cycle);
        list_add(engine, &engine->lost, index);
        return;
    }
    channel->waiting = true;
    engine->waiting++;
    engine->place[index].asked = cycle;
    engine->place[index].since = engine->rules.allocation == NET_ALLOCATE_OLDEST_FIRST ? packet->ready_ps : cycle;
    if (net->watch)
        net_headers_tell_waiting(net, engine, index, cycle, 1);
}

/* Moves those who ask in this cycle to engine->askers, in order, and lets them ask. */
static void ask_all(Network *net, NetEngine *engine, uint64_t cycle)
{
    ChannelSet *set = &engine->asking;
    List *askers = &engine->askers;
    askers->count = 0;
    for (uint32_t i = 0; i < set->n_filled; i++)
        for (; set->filled[i]; set->filled[i] &= set->filled[i] - 1) {
            uint32_t word = i * 64 + (uint32_t)__builtin_ctzll(set->filled[i]);
            for (; set->word[word]; set->word[word] &= set->word[word] - 1)
                list_add(engine, askers, word * 64 + (uint32_t)__builtin_ctzll(set->word[word]));
        }
    for (uint32_t i = 0; i < askers->count; i++)
        ask(net, engine, askers->item[i], cycle);
}

/* Serves a header if its packet becomes the lone flit of a link that nobody else wants so far. Returns false if it is
 * not that simple. */
static inline bool ask_alone(NetEngine *engine, uint32_t index, uint32_t hop)
{
    uint32_t place = front_packet(engine, index);
    if (G_UNLIKELY(hop == NET_NONE))
        return false;
    LinkState *link = &engine->link[hop >> HOP_BITS];
    if ((link->first & link->runner) != NET_NONE || link->lone || link->legs || link->special)
        return false;
    uint64_t found = engine->rules.class_share[hop >> 1 & ((1U << CLASS_BITS) - 1)] & ~link->owned & link->credit;
    if (!found)
        return false;
    uint32_t vc = pick(engine, hop >> HOP_BITS, found);
    uint32_t output = (hop >> HOP_BITS) * engine->rules.virtual_channels + vc;
    __builtin_prefetch(&engine->channel[output], 1);
    link->last_given = (uint8_t)vc;
    link->lone = true;
    link->owned |= UINT64_C(1) << vc;
    engine->lone[engine->lones++] = (Lone){
        .link = hop >> HOP_BITS, .output = output, .from = index, .packet = place, .vc = (uint8_t)vc, .home = hop & 1};
    return true;
}

static G_GNUC_NO_INLINE void ask_slowly(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    choose_via(net, engine, index);
    ask_one(net, engine, index, false, cycle);
}

/* Returns the hop of a header, as in engine->hop, if its packet may become a lone flit; else NET_NONE. */
static inline uint32_t lone_hop(const NetEngine *engine, uint32_t index)
{
    const Channel *input = &engine->channel[index];
    const NetPacket *packet = &engine->packets.packet[front_packet(engine, index)];
    if (input->left != 1 || input->worm != NET_NONE || packet->nic)
        return NET_NONE;
    return engine->hop[(size_t)input->vertex * engine->rules.nodes + packet->to];
}

/* Serves those who ask: 64 channels from `first` on, as bits. Where they go is found out for all of them first, so that
 * the links are in the cache when they are served. */
static inline void ask_word(Network *net, NetEngine *engine, uint32_t first, uint64_t askers, uint64_t cycle)
{
    uint32_t hop[64], n = 0;
    for (uint64_t left = engine->may_be_lone ? askers : 0; left; left &= left - 1) {
        hop[n] = lone_hop(engine, first + (uint32_t)__builtin_ctzll(left));
        if (hop[n] != NET_NONE)
            __builtin_prefetch(&engine->link[hop[n] >> HOP_BITS], 1);
        n++;
    }
    n = 0;
    for (; askers; askers &= askers - 1) {
        uint32_t index = first + (uint32_t)__builtin_ctzll(askers);
        if (!engine->may_be_lone || !ask_alone(engine, index, hop[n++]))
            ask_slowly(net, engine, index, cycle);
    }
}

/* Serves those who ask link by link. If observers are told so, they have asked already. */
static void serve_lines(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *links = &engine->slot[cycle % SLOTS][DUE_LINE];
    ChannelSet *set = &engine->asking;
    if (G_UNLIKELY(net->watch))
        ask_all(net, engine, cycle);
    for (uint32_t i = 0; net->watch && i < engine->askers.count; i++)
        ask_one(net, engine, engine->askers.item[i], true, cycle);
    for (uint32_t i = 0; i < set->n_filled; i++)
        for (; set->filled[i]; set->filled[i] &= set->filled[i] - 1) {
            uint32_t word = i * 64 + (uint32_t)__builtin_ctzll(set->filled[i]);
            uint64_t askers = set->word[word];
            set->word[word] = 0;
            ask_word(net, engine, word * 64, askers, cycle);
        }
    for (uint32_t i = 0; i < links->count; i++)
        serve_line(net, engine, links->item[i], cycle);
}

void net_headers_serve(Network *net, NetEngine *engine, uint64_t cycle)
{
    if (!engine->sorted) {
        serve_lines(net, engine, cycle);
        return;
    }
    ask_all(net, engine, cycle);
    serve_in_order(net, engine, cycle);
}
