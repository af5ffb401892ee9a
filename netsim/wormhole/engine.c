/* engine.c - the wormhole engine in use: the frame. Two-phase.
 *
 * The rules are in rules.h. The plain engine in reference.c defines the correct results; a property test compares this
 * engine with it in every time, every statistic and every deadlock. Four ideas make it fast:
 *
 *   - Only what is due is visited. Flits on their way, headers and free worms lie in a ring of SLOTS cycles with a
 *     bit each; links that can send are in a list. What is further ahead goes through the event queue as HOP events,
 *     which come before the TICK of the same time. Cycles in which nothing is due are skipped.
 *   - A packet of one flit that finds its link to itself has a channel for that cycle only; nothing is written down of
 *     that (lone flits: headers.c, flits.c).
 *   - Where packets meet, flits move. A flit is a few counters and bits (flits.c): twenty to thirty nanoseconds for
 *     each link that it passes.
 *   - A packet that meets no other is not represented by flits but as a *free worm*: the cycles in which its header
 *     passes each link say everything (worms.c). Its cost does not depend on its length.
 *
 * A cycle runs through the same sequence of steps as in the reference (run_cycle).
 */
#include "netsim/wormhole/engine.h"

#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_HOPS = 1 << 20 }; /* in the table of hops */
_Static_assert(sizeof(Channel) == CACHE_LINE && sizeof(LinkState) == CACHE_LINE, "one is a cache line");

/* -- lists, what is due ------------------------------------------------------------------------ */

void net_engine_list_grow(NetEngine *engine, List *list)
{
    if (list->capacity == 0 && engine->spares) {
        *list = engine->spare[--engine->spares];
        return;
    }
    list->capacity = MAX(16, list->capacity * 2);
    list->item = g_renew(uint32_t, list->item, list->capacity);
}

static void empty_list(NetEngine *engine, List *list)
{
    list->count = 0;
    if (list->capacity == 0)
        return;
    if (engine->spares < SPARE_LISTS)
        engine->spare[engine->spares++] = *list;
    else
        g_free(list->item);
    *list = (List){0};
}

void net_engine_put_far(Network *net, NetEngine *engine, Due due, uint32_t item, uint64_t cycle)
{
    engine->far++;
    base_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_HOP, item, cycle, due);
}

static void announce(Network *net, NetEngine *engine, uint64_t cycle)
{
    if (cycle >= engine->next_cycle)
        return;
    engine->next_cycle = cycle;
    base_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, 0);
}

/* Returns a list for `items` items. Its user ensures that there are never more. */
static List room_for(size_t items)
{
    return (List){.item = g_new0(uint32_t, items)};
}

/* -- making ------------------------------------------------------------------------------------ */

/* Returns zeroed memory for items that are a cache line each. Free it with free(). */
static void *new_lines(size_t count, size_t size)
{
    void *items = aligned_alloc(CACHE_LINE, count * size);
    if (!items)
        g_error("no memory for %zu items of %zu bytes", count, size);
    return memset(items, 0, count * size);
}

static void make_channels(NetEngine *engine, const NetGraph *graph)
{
    const NetWormhole *rules = &engine->rules;
    engine->channel = new_lines(rules->channels, sizeof(Channel));
    engine->place = g_new0(Place, rules->channels);
    engine->ring = g_new0(uint32_t, (size_t)rules->link_channels * rules->buffer_flits + 1);
    for (uint32_t i = 0; i < rules->channels; i++) {
        bool nic = i >= rules->link_channels;
        uint32_t link = nic ? NET_NONE : i / rules->virtual_channels;
        engine->channel[i] = (Channel){
            .owner = NET_NONE,
            .front = NET_NONE,
            .credits = nic ? 0 : rules->buffer_flits,
            .output_link = NET_NONE,
            .link = link,
            .vc = (uint8_t)(nic ? 0 : i % rules->virtual_channels),
            .vertex = nic ? net_wormhole_node(rules, i) : graph->link[link].to,
            .worm = NET_NONE,
            .newest_leg = NET_NONE,
        };
    }
}

static void make_links(NetEngine *engine, const Network *net)
{
    const NetWormhole *rules = &engine->rules;
    uint32_t links = net->graph.links;
    engine->link = new_lines(MAX(links, 1), sizeof(LinkState));
    engine->line = g_new0(Line, MAX(links, 1));
    engine->active = room_for((size_t)links + 1);
    for (uint32_t i = 0; i < links; i++) {
        const NetLink *link = &net->graph.link[i];
        uint64_t period = net_wormhole_period(rules, net, link);
        uint64_t flight = net_wormhole_flight(rules, link);
        engine->link[i] = (LinkState){
            .credit = rules->virtual_channels == 64 ? UINT64_MAX : (UINT64_C(1) << rules->virtual_channels) - 1,
            .medium = MIN(i, link->partner),
            .last_sent = (uint8_t)(rules->virtual_channels - 1),
            .special = period != 1 || link->partner != NET_NONE,
            .first = NET_NONE,
            .interest = NET_NONE,
            .last_given = (uint8_t)(rules->virtual_channels - 1),
            .runner = NET_NONE,
        };
        engine->line[i] = (Line){
            .partner = link->partner,
            .period = period,
            .delay = {period + flight + net_wormhole_routing_cycles(rules, link->to), period - 1 + flight},
        };
    }
}

/* Makes an empty table of hops, if the routing and the size of the network allow it. */
static void make_hops(NetEngine *engine, const Network *net)
{
    size_t hops = (size_t)net->graph.vertices * net->params.nodes;
    if (!net->routing->by_place || net->routing->candidates || net->failures || hops > MOST_HOPS ||
        net->graph.links > NET_NONE >> HOP_BITS)
        return;
    engine->hop = g_new(uint32_t, hops);
    memset(engine->hop, 0xff, hops * sizeof *engine->hop);
}

ChannelSet net_engine_new_set(uint32_t channels)
{
    uint32_t words = channels / 64 + 1, n_filled = words / 64 + 1;
    return (ChannelSet){.word = g_new0(uint64_t, words), .filled = g_new0(uint64_t, n_filled), .n_filled = n_filled};
}

/* Returns whether no flit is at its destination in the cycle in which it is sent. */
static bool arrives_later(const NetEngine *engine, const Network *net)
{
    uint32_t i = 0;
    while (i < net->graph.links && engine->line[i].delay[true] > 0)
        i++;
    return i == net->graph.links;
}

/* Returns whether buffers are larger than what is sent through a link until the first slot can be used again. */
static bool is_roomy(const NetEngine *engine, const Network *net)
{
    uint32_t i = 0;
    while (i < net->graph.links &&
           engine->line[i].delay[false] + engine->rules.credit_cycles < engine->rules.buffer_flits)
        i++;
    return i == net->graph.links;
}

static bool has_same_delay(const NetEngine *engine, uint32_t links)
{
    uint32_t i = 1;
    while (i < links && engine->line[i].delay[0] == engine->line[0].delay[0] &&
           engine->line[i].delay[1] == engine->line[0].delay[1])
        i++;
    return i >= links && MAX(engine->line[0].delay[0], engine->line[0].delay[1]) < SLOTS;
}

static void *start(Network *net)
{
    NetEngine *engine = g_new0(NetEngine, 1);
    NetWormhole *rules = &engine->rules;
    net_wormhole_init(rules, net);
    engine->order = net_order_new();
    net_nics_init(&engine->nics, rules);
    make_channels(engine, &net->graph);
    make_links(engine, net);
    engine->same_delay = has_same_delay(engine, net->graph.links);
    memcpy(engine->delay, engine->line[0].delay, sizeof engine->delay);
    engine->needed = rules->whole_buffers ? rules->buffer_flits : 1;
    engine->sorted = net->routing->candidates || rules->allocation == NET_ALLOCATE_OLDEST_FIRST || rules->vc_allocator;
    engine->plain_shares = rules->allocation != NET_ALLOCATE_MESSAGE_CLASS;
    engine->has_turns = rules->allocation == NET_ALLOCATE_ROUND_ROBIN;
    make_hops(engine, net);
    engine->roomy = is_roomy(engine, net);
    bool routed = rules->vc_allocator || rules->switch_allocator;
    engine->may_run_free =
        !routed && rules->injection_flits == 0 && (rules->ejection_flits == 0 || arrives_later(engine, net));
    engine->asking = net_engine_new_set(rules->channels);
    engine->last_served = g_new0(uint32_t, net->params.nodes);
    engine->may_be_lone = !routed && !rules->injection_flits && engine->needed == 1 && engine->plain_shares &&
                          engine->hop && engine->same_delay;
    engine->lone = g_new(Lone, MAX(net->graph.links, 1));
    if (rules->injection_flits || rules->switch_allocator)
        engine->sending = g_new(NetSending, MAX(net->graph.links, 1));
    engine->credited = room_for((size_t)rules->link_channels + 1);
    engine->next_cycle = NEVER;
    engine->arrived = g_new(Arrived, rules->link_channels + 1);
    engine->claims = g_new0(uint32_t, net->params.nodes);
    if (rules->ejection_flits) {
        engine->homecoming = g_new0(Homecoming, net->params.nodes);
        net_graph_entering_init(&engine->entering, &net->graph);
    }
    if (routed)
        net_routed_init(net, engine);
    net_express_init(net, engine);
    return engine;
}

static void stop(void *pointer)
{
    NetEngine *engine = pointer;
    for (size_t i = 0; i < SLOTS; i++)
        for (size_t due = 0; due < DUES; due++)
            g_free(engine->slot[i][due].item);
    for (uint32_t i = 0; i < engine->spares; i++)
        g_free(engine->spare[i].item);
    g_free(engine->askers.item);
    g_free(engine->asking.word);
    g_free(engine->asking.filled);
    g_free(engine->hop);
    g_free(engine->credited.item);
    g_free(engine->ejecting.item);
    g_free(engine->taking.item);
    g_free(engine->breaking.item);
    g_free(engine->left.item);
    g_free(engine->lost.item);
    g_free(engine->sending);
    g_free(engine->arrived);
    g_free(engine->claims);
    if (engine->homecoming)
        net_graph_entering_clear(&engine->entering);
    g_free(engine->homecoming);
    net_express_clear(engine);
    net_routed_clear(engine);
    g_free(engine->connected.item);
    net_order_free(engine->order);
    g_free(engine->packets.packet);
    net_nics_clear(&engine->nics);
    free(engine->channel);
    g_free(engine->place);
    g_free(engine->ring);
    g_free(engine->lone);
    free(engine->link);
    g_free(engine->line);
    g_free(engine->active.item);
    g_free(engine->interest);
    g_free(engine->worm);
    g_free(engine->leg);
    g_free(engine->last_served);
    g_free(engine);
}

/* -- cycles ------------------------------------------------------------------------------------ */

/* Begins a cycle: credits count, flits become ready to go on, and their headers ask. `kinds`: what is due. */
static void begin_cycle(Network *net, NetEngine *engine, uint32_t kinds, uint64_t cycle)
{
    const List *due = engine->slot[cycle % SLOTS];
    for (uint32_t i = 0; i < due[DUE_CREDIT].count; i++)
        net_flits_add_credit(net, engine, due[DUE_CREDIT].item[i], cycle);
    for (uint32_t i = 0; i < due[DUE_LINK].count; i++)
        activate(engine, due[DUE_LINK].item[i], true);
    net_flits_arrive(engine, &due[DUE_ARRIVAL]);
    for (uint32_t i = 0; i < due[DUE_HEADER].count; i++)
        set_add(&engine->asking, due[DUE_HEADER].item[i]);
    if (kinds & 1U << DUE_WORM)
        net_worm_due(net, engine, DUE_WORM, cycle);
}

/* Returns whether the detector of deadlocks has to look in this cycle. */
static bool looks_in(const NetEngine *engine, uint64_t cycle)
{
    return engine->rules.deadlock_cycles && cycle % engine->rules.deadlock_cycles == 0 && engine->waiting;
}

static void run_cycle(Network *net, NetEngine *engine, uint64_t cycle)
{
    enum {
        ASKS = 1U << DUE_ARRIVAL | 1U << DUE_HEADER | 1U << DUE_WORM,
        LEAVES = 1U << DUE_HOME | 1U << DUE_TAIL | 1U << DUE_OVER,
    };
    List *due = engine->slot[cycle % SLOTS];
    uint16_t *kinds = &engine->kinds[cycle % SLOTS];
    begin_cycle(net, engine, *kinds, cycle);
    if (engine->homecoming && (*kinds & 1U << DUE_HOME || engine->ejecting.count))
        net_worm_break_homecoming(net, engine, cycle);
    if (*kinds & (ASKS | 1U << DUE_LINE))
        net_headers_serve(net, engine, cycle);
    if (engine->active.count || engine->lones || engine->connected.count)
        net_flits_send(net, engine, cycle);
    if (*kinds & 1U << DUE_SENT)
        net_worm_due(net, engine, DUE_SENT, cycle);
    if (engine->left.count)
        net_flits_leave_nics(net, engine, cycle);
    if (*kinds & LEAVES || engine->ejecting.count)
        net_flits_eject(net, engine, cycle);
    if (engine->credited.count)
        net_flits_count_credits(net, engine, cycle);
    bool looks = looks_in(engine, cycle);
    if (looks || engine->lost.count)
        net_abort_end_cycle(net, engine, looks, cycle);
    for (uint32_t left = *kinds; left; left &= left - 1)
        empty_list(engine, &due[__builtin_ctz(left)]);
    *kinds = 0;
}

/* Returns the first cycle from engine->first on that has something due in the ring, or NEVER. */
static uint64_t next_occupied(const NetEngine *engine)
{
    uint32_t begin = engine->first % SLOTS;
    for (uint32_t i = 0; i <= SLOT_WORDS; i++) {
        uint32_t word = (begin / 64 + i) % SLOT_WORDS;
        uint64_t bits = engine->occupied[word];
        if (i == 0)
            bits &= ~UINT64_C(0) << begin % 64;
        else if (i == SLOT_WORDS)
            bits &= (UINT64_C(1) << begin % 64) - 1;
        if (bits) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
            return engine->first + (slot + SLOTS - begin) % SLOTS;
        }
    }
    return NEVER;
}

/* Runs a cycle. Returns the next that is due. */
static uint64_t advance(Network *net, NetEngine *engine, uint64_t cycle)
{
    uint32_t slot = cycle % SLOTS;
    engine->first = engine->cycle = cycle;
    run_cycle(net, engine, cycle);
    engine->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    engine->first = cycle + 1;
    bool more = engine->ejecting.count || engine->active.count;
    uint64_t next = more ? cycle + 1 : next_occupied(engine);
    if (engine->rules.deadlock_cycles && engine->waiting)
        next = MIN(next, net_wormhole_next_look(&engine->rules, cycle));
    return MIN(next, engine->next_cycle);
}

/* Returns whether the end of a cycle comes before everything else that is known of. */
static bool is_next(const Network *net, const NetEngine *engine, uint64_t cycle)
{
    uint64_t end = MIN(net->before_ps, base_queue_next_time(net->queue));
    return cycle != NEVER && (cycle + 1) * engine->rules.cycle_ps < end;
}

static void tick(Network *net, NetEngine *engine, uint64_t cycle)
{
    if (cycle != engine->next_cycle)
        return; /* an earlier cycle became due; this one was announced again */
    for (;;) {
        engine->next_cycle = NEVER;
        if (net->is_deadlocked)
            return;
        uint64_t next = advance(net, engine, cycle);
        if (!is_next(net, engine, next)) {
            announce(net, engine, next);
            return;
        }
        cycle = next;
        net->now = (cycle + 1) * engine->rules.cycle_ps;
    }
}

/* Cycles that end before now are over, so none of them is pending. */
static void move_on(Network *net, NetEngine *engine)
{
    uint64_t left_ps;
    uint64_t running = net_wormhole_cycles(&engine->rules, net->now, &left_ps);
    engine->first = MAX(engine->first, running ? running - 1 : 0);
}

/* The NIC gets a message. Returns the cycle in which its packet asks, NEVER if none can so soon. */
static uint64_t load_message(Network *net, NetEngine *engine, uint32_t message)
{
    uint32_t nic = net_nic_of(net, net_message(net, message)), channel;
    uint64_t first = NEVER;
    net_wormhole_begin(net, engine->order, message);
    net_nics_add(&engine->nics, net, message);
    while ((channel = net_nics_load(&engine->nics, net, &engine->rules, &engine->packets, nic)) != NET_NONE) {
        uint64_t ready = net_nics_source(&engine->nics, &engine->rules, channel)->ready;
        move_on(net, engine);
        net_flits_load_source(net, engine, channel, ready);
        if (ready - engine->first < SLOTS)
            first = MIN(first, ready);
        if (engine->nics.nic[nic].waiting.head == NET_NONE && !engine->nics.retries)
            break;
    }
    return first;
}

/* -- express messages that become packets ------------------------------------------------------ */

/* Computes the cycles that end before a time. Returns the next that is due. */
static uint64_t run_before(Network *net, NetEngine *engine, uint64_t before_ps)
{
    uint64_t cycle = engine->ejecting.count || engine->active.count ? engine->first : next_occupied(engine);
    while (cycle != NEVER && (cycle + 1) * engine->rules.cycle_ps < before_ps) {
        net->now = (cycle + 1) * engine->rules.cycle_ps;
        cycle = advance(net, engine, cycle);
    }
    return cycle;
}

/* Takes over the express messages, in the state that they have after all that happens before `before_ps`. What they
 * have told until then is not told again. */
static void take_over(Network *net, NetEngine *engine, uint64_t before_ps)
{
    const Expresses *all = &engine->expresses;
    uint64_t now = net->now;
    if (!all->count)
        return;
    for (uint32_t i = 0; i < all->count; i++) {
        const Express *express = &all->express[i];
        uint32_t message = express->message;
        run_before(net, engine, net_message(net, message)->ready_ps);
        net->now = net_message(net, message)->ready_ps;
        load_message(net, engine, message);
        uint32_t channel =
            engine->rules.link_channels + net_nic_of(net, net_message(net, message)) * engine->rules.injection_channels;
        uint32_t packet = net_nics_source(&engine->nics, &engine->rules, channel)->packet;
        engine->packets.packet[packet].has_left =
            express->told || (express->ready + express->flits) * engine->rules.cycle_ps < before_ps;
    }
    uint64_t next = run_before(net, engine, before_ps);
    net_express_give_up(engine);
    net->now = now;
    announce(net, engine, next);
}

static void inject(Network *net, uint32_t message)
{
    NetEngine *engine = net->model_state;
    if (net_express_send(net, engine, message))
        return;
    take_over(net, engine, net->now);
    announce(net, engine, load_message(net, engine, message));
}

static void event(Network *net, const BaseEvent *what)
{
    NetEngine *engine = net->model_state;
    if (what->kind == NET_EVENT_TICK && what->b == NET_EXPRESS_TICK) {
        net_express_tick(net, engine, what->a);
        return;
    }
    if (what->kind == NET_EVENT_TICK) {
        tick(net, engine, what->a);
        return;
    }
    engine->far--;
    move_on(net, engine);
    put_due(net, engine, (Due)what->b, what->rank, what->a);
    announce(net, engine, what->a);
}

static void fail(Network *net, uint32_t link)
{
    announce(net, net->model_state, net_abort_fail(net, net->model_state, link));
}

static void restore(Network *net, uint32_t link)
{
    (void)link; /* the routing already knows */
    announce(net, net->model_state, net_abort_restore(net, net->model_state));
}

static void settle(Network *net, uint64_t time_ps)
{
    take_over(net, net->model_state, time_ps + 1);
    announce(net, net->model_state, net_abort_settle(net, net->model_state, time_ps));
}

/* -- questions --------------------------------------------------------------------------------- */

static uint64_t load(const Network *net, uint32_t link)
{
    const NetEngine *engine = net->model_state;
    uint32_t vcs = engine->rules.virtual_channels;
    uint64_t flits = 0;
    for (uint32_t i = link * vcs; i < (link + 1) * vcs; i++)
        flits +=
            engine->rules.buffer_flits - engine->channel[i].credits + net_worm_credits_used(engine, i, engine->cycle);
    return flits;
}

/* Aborts take back what is due, so that must be in the ring. If delays are longer than the ring, the reference serves
 * instead. */
static const NetModel *instead(const Network *net)
{
    NetWormhole rules;
    net_wormhole_init(&rules, net);
    if (!net->failures && (!rules.deadlock_cycles || !rules.resolves))
        return &net_model_wormhole;
    uint64_t longest = 0;
    for (uint32_t i = 0; i < net->graph.links; i++) {
        const NetLink *link = &net->graph.link[i];
        longest = MAX(longest, net_wormhole_period(&rules, net, link) + net_wormhole_flight(&rules, link) +
                                   net_wormhole_routing_cycles(&rules, link->to));
    }
    return longest < SLOTS ? &net_model_wormhole : &net_model_wormhole_reference;
}

const NetModel net_model_wormhole = {
    .name = "wormhole",
    .needs_links = true,
    .virtual_channels = true,
    .observable = true,
    .can_deadlock = true,
    .instead = instead,
    .check = net_wormhole_check,
    .check_links = net_wormhole_check_links,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = net_wormhole_zero_load,
    .load = load,
    .packets_ahead = 2,
    .fail = fail,
    .restore = restore,
    .settle = settle,
    .counters = net_wormhole_counters,
};
