/* wormhole.c - the wormhole engine in use: event-driven on packets and channels. Two-phase.
 *
 * The rules are in wormhole.h, the plain engine that defines the truth in wormhole_reference.c; a property test holds
 * this one to it in every time, every statistic and every deadlock. A cycle runs through the same column of steps
 * (run_cycle); what differs is who is visited, and that flits are not looked at one by one where nothing can come
 * between them:
 *
 *   - A buffer holds *runs*: flits of one packet that become ready in consecutive cycles, as first flit and time.
 *   - A channel that has its link for itself, whose next flits become ready in time, *streams*: it sends one flit in
 *     each cycle since `sent_since`, without being visited. Who takes flits out of a buffer notes the same there
 *     (`taken_since`). What has been sent, taken, and is left in credits before a given cycle follows from that.
 *   - A stream is looked at when it may end (bound(): its tail is next, credits or flits run out) and whenever
 *     its link is visited for another reason: it is then stopped, the flit of that cycle is sent by itself, and a new
 *     stream begins behind it if one can. When a stream ends for good, those before and behind it are bound anew.
 *
 * Links, channels and streams are visited when they are due: in a ring of SLOTS cycles with a bit each; what is further
 * ahead goes through the event queue as HOP events, which come before the TICK of the same time. Visiting too often
 * is harmless, too seldom is not.
 */
#include "netsim/wormhole_engine.h"

#include <stdlib.h>
#include <string.h>

/* -- lists, waking ------------------------------------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

void net_engine_sort(List *list)
{
    if (list->count < 2)
        return;
    if (list->count > 16) {
        qsort(list->item, list->count, sizeof *list->item, compare_numbers);
        return;
    }
    for (uint32_t i = 1; i < list->count; i++) {
        uint32_t item = list->item[i];
        uint32_t place = i;
        for (; place > 0 && list->item[place - 1] > item; place--)
            list->item[place] = list->item[place - 1];
        list->item[place] = item;
    }
}

static void announce(Network *net, NetEngine *engine, uint64_t cycle)
{
    if (cycle >= engine->next_cycle)
        return;
    engine->next_cycle = cycle;
    net_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, 0);
}

static void wake_channel(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle)
{
    put_due(net, engine, DUE_CHANNEL, channel, cycle);
}

/* A channel that could not send for want of a flit may be able to. */
static void wake_output(Network *net, NetEngine *engine, uint32_t output, uint64_t cycle)
{
    const Channel *channel = &engine->channel[output];
    engine->link[channel->medium].no_flit &= ~(UINT64_C(1) << channel->place);
    wake_link(net, engine, channel->medium, cycle);
}

/* -- making
 * ------------------------------------------------------------------------------------------------------------ */

static void make_channels(NetEngine *engine, const NetGraph *graph)
{
    const NetWormhole *rules = &engine->rules;
    Run *runs = engine->runs =
        g_new0(Run, (size_t)rules->link_channels * rules->buffer_flits + rules->channels - rules->link_channels);
    engine->channel = g_new0(Channel, rules->channels);
    for (uint32_t i = 0; i < rules->channels; i++) {
        bool nic = i >= rules->link_channels;
        uint32_t link = nic ? NET_NONE : i / rules->virtual_channels;
        uint32_t partner = nic ? NET_NONE : graph->link[link].partner;
        engine->channel[i] = (Channel){
            .owner = NET_NONE,
            .output = NET_NONE,
            .sent_since = NEVER,
            .taken_since = NEVER,
            .link = link,
            .medium = MIN(link, partner),
            .place = i % rules->virtual_channels + (partner < link ? rules->virtual_channels : 0),
            .vertex = nic ? i - rules->link_channels : graph->link[link].to,
            .ring = runs,
        };
        runs += nic ? 1 : rules->buffer_flits;
    }
}

static void *start(Network *net)
{
    NetEngine *engine = g_new0(NetEngine, 1);
    NetWormhole *rules = &engine->rules;
    net_wormhole_init(rules, net);
    net_packets_init(&engine->packets);
    engine->order = net_order_new();
    engine->nic = net_nics_new(net->params.nodes);
    make_channels(engine, &net->graph);
    engine->link = g_new0(LinkState, MAX(net->graph.links, 1));
    for (uint32_t i = 0; i < net->graph.links; i++)
        engine->link[i] = (LinkState){
            .stream = NET_NONE,
            .last_sent = rules->virtual_channels - 1,
            .partner = net->graph.link[i].partner,
            .period = (uint32_t)MIN(net_wormhole_period(rules, net, &net->graph.link[i]), UINT32_MAX),
            .flight = (uint32_t)MIN(net_wormhole_flight(rules, &net->graph.link[i]), UINT32_MAX),
            .first_asker = NET_NONE,
            .last_given = rules->virtual_channels - 1,
            .interest = NET_NONE,
        };
    engine->free_interest = NET_NONE;
    engine->last_served = g_new0(uint32_t, net->params.nodes);
    engine->next_cycle = NEVER;
    engine->streams = rules->credit_cycles == 0 && rules->ejection_flits == 0;
    engine->sorted = net->routing->candidates || rules->allocation == NET_ALLOCATE_OLDEST_FIRST;
    return engine;
}

static void stop(void *pointer)
{
    NetEngine *engine = pointer;
    for (size_t i = 0; i < SLOTS; i++)
        for (size_t due = 0; due < DUES; due++)
            g_free(engine->slot[i][due].item);
    g_free(engine->askers.item);
    g_free(engine->senders.item);
    g_free(engine->ejectors.item);
    g_free(engine->stopped.item);
    g_free(engine->filled.item);
    net_order_free(engine->order);
    g_free(engine->packets.packet);
    g_free(engine->nic);
    g_free(engine->channel);
    g_free(engine->runs);
    g_free(engine->link);
    g_free(engine->interest);
    g_free(engine->last_served);
    g_free(engine);
}

static void load_nic(NetEngine *engine, uint32_t node)
{
    const NetNic *nic = &engine->nic[node];
    uint32_t index = engine->rules.link_channels + node;
    Channel *channel = &engine->channel[index];
    channel->runs = nic->packet != NET_NONE;
    if (!channel->runs)
        return;
    *first_run(channel) = (Run){.packet = nic->packet, .first = channel->taken, .ready = nic->ready};
    channel->sent = channel->taken + engine->packets.packet[nic->packet].flits;
}

/* The front of a buffer has changed in `cycle`: wakes it for when that flit can go, or, if it is home and this cycle's
 * flits have not been taken out yet, lists it for that. */
static void wake_front(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle, bool may_eject)
{
    const Channel *channel = &engine->channel[index];
    const Run *run = front_run(engine, index);
    if (!run)
        return;
    uint64_t ready = front_ready(channel, run);
    if (run->home && ready <= cycle && may_eject)
        list_add(&engine->ejectors, index);
    else if (channel->output != NET_NONE && ready <= cycle + 1)
        wake_output(net, engine, channel->output, cycle + 1);
    else
        wake_channel(net, engine, index, MAX(ready, cycle + 1));
}

/* A place in the buffer of a channel counts as free from `cycle` on. */
static void use_credit(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    LinkState *link = &engine->link[channel->medium];
    uint64_t bit = UINT64_C(1) << channel->place;
    const LinkState *asked = &engine->link[channel->link];
    if (link->no_credit & bit)
        link->no_credit &= ~bit;
    else if (link->owned & bit || (asked->first_asker == NET_NONE && asked->interest == NET_NONE))
        return;
    wake_link(net, engine, channel->medium, cycle);
}

static void give_credit(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    if (engine->rules.credit_cycles == 0) {
        use_credit(net, engine, index, cycle + 1);
        return;
    }
    engine->channel[index].pending++;
    put_due(net, engine, DUE_CREDIT, index, cycle + 1 + engine->rules.credit_cycles);
}

static void take_front(Network *net, NetEngine *engine, uint32_t index, bool tail, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    channel->taken++;
    if (!is_nic(engine, index)) {
        give_credit(net, engine, index, cycle);
        return;
    }
    if (!tail)
        return;
    uint32_t node = index - engine->rules.link_channels;
    engine->nic[node].flit = engine->packets.packet[engine->nic[node].packet].flits - 1;
    net_nic_sent_flit(&engine->nic[node], net, &engine->rules, &engine->packets, cycle);
    load_nic(engine, node);
}

/* Sends flit `flit` of a packet into a buffer. */
static void put_flit(Network *net, NetEngine *engine, uint32_t index, uint32_t packet, uint32_t flit, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    const LinkState *link = &engine->link[channel->link];
    bool home = engine->packets.packet[packet].to == channel->vertex;
    uint64_t ready = cycle + link->period + link->flight;
    ready = home ? ready - 1 : ready + net_wormhole_routing_cycles(&engine->rules, channel->vertex);
    bool empty = channel->taken == channel->sent && channel->taken_since == NEVER;
    if (empty)
        channel->runs = 0;
    else if (channel->runs > 1)
        drop_runs(engine, channel);
    const Run *last = channel->runs ? run_at(engine, channel, channel->runs - 1) : NULL;
    if (!last || last->packet != packet || last->ready + (channel->sent - last->first) != ready) {
        assert(channel->runs < engine->rules.buffer_flits);
        *run_at(engine, channel, channel->runs++) =
            (Run){.packet = packet, .first = channel->sent, .flit = flit, .home = home, .ready = ready};
    }
    channel->sent++;
    if (empty)
        wake_front(net, engine, index, cycle, true);
}

/* -- streams ------------------------------------------------------------------------------------------------------- */

/* The first cycle, from `cycle` on, in which the one that streams out of this buffer takes a packet's tail or has
 * nothing to take. */
static uint64_t bound_taking(const NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    const Run *run = first_run(channel);
    uint32_t taken = taken_before(channel, cycle);
    uint32_t left = engine->packets.packet[run->packet].flits - 1 - (run->flit + (taken - run->first));
    if (channel->runs > 1)
        left = MIN(left, run_at(engine, channel, 1)->first - taken);
    else if (channel->sent_since == NEVER)
        left = MIN(left, channel->sent - taken);
    return cycle + left;
}

/* Whether something will be done about the front of a buffer before `cycle`: a header asks, a flit that is home is
 * taken out. Whoever streams into it is bound anew then (List filled). */
static bool front_will_move(const Channel *channel, uint64_t from, uint64_t cycle)
{
    const Run *run = first_run(channel);
    bool first = run->home || (channel->taken == run->first && run->flit == 0 && channel->output == NET_NONE);
    return channel->runs && first && front_ready(channel, run) >= from && front_ready(channel, run) < cycle;
}

/* The same for a channel that streams: or has no credit. */
static uint64_t bound(const NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    uint64_t last = bound_taking(engine, channel->owner, cycle);
    uint32_t credit = credits(engine, channel, cycle);
    if (credit == 0 || (channel->taken_since > cycle && !front_will_move(channel, cycle, cycle + credit)))
        last = MIN(last, cycle + credit);
    return last;
}

/* A flit has just been sent by itself: whether the following ones can stream. */
static bool start_stream(Network *net, NetEngine *engine, uint32_t output, uint32_t input, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    LinkState *link = &engine->link[channel->medium];
    uint64_t others = link->owned & ~(link->no_flit | link->no_credit | UINT64_C(1) << channel->place);
    if (!engine->streams || link->period != 1 || others || link->woken == cycle + 2)
        return false;
    const Run *run = front_run(engine, input);
    if (!run || front_ready(&engine->channel[input], run) > cycle + 1)
        return false;
    uint64_t last = bound(engine, output, cycle + 1);
    if (last <= cycle + 1)
        return false;
    channel->sent_since = engine->channel[input].taken_since = cycle + 1;
    channel->check = last;
    link->stream = output;
    put_due(net, engine, DUE_STREAM, output, last);
    return true;
}

/* What has been streamed before `cycle` becomes explicit. */
static void stop_stream(Network *net, NetEngine *engine, LinkState *link, uint64_t cycle)
{
    uint32_t output = link->stream;
    Channel *channel = &engine->channel[output];
    uint32_t input = channel->owner;
    assert(cycle >= channel->sent_since);
    uint32_t flits = (uint32_t)(cycle - channel->sent_since);
    channel->sent += flits;
    engine->channel[input].taken += flits;
    channel->sent_since = engine->channel[input].taken_since = NEVER;
    net->graph.link[channel->link].busy_ps += flits * engine->rules.cycle_ps;
    link->stream = NET_NONE;
    list_add(&engine->stopped, output);
    list_add(&engine->stopped, input);
    /* On a link without time of flight, what is sent in this cycle would be taken out in it. */
    if (link->flight == 0 && channel->taken_since != NEVER && channel->output == NET_NONE) {
        channel->taken = taken_before(channel, cycle);
        channel->taken_since = NEVER;
        wake_front(net, engine, output, cycle, true);
    }
}

static void bind_stream(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    uint64_t last = bound(engine, index, cycle);
    if (last >= channel->check)
        return;
    channel->check = last;
    put_due(net, engine, DUE_STREAM, index, last);
}

static void bind_ejection(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    uint64_t last = bound_taking(engine, index, cycle);
    if (last >= channel->eject_check)
        return;
    channel->eject_check = last;
    wake_channel(net, engine, index, last);
}

/* Streams that ended in this cycle and did not begin again: their neighbours must not count on them any more. */
static void tell_neighbours(Network *net, NetEngine *engine, uint64_t cycle)
{
    for (uint32_t i = 0; i < engine->stopped.count; i += 2) {
        const Channel *ended = &engine->channel[engine->stopped.item[i]];
        uint32_t before = engine->stopped.item[i + 1];
        if (ended->sent_since != NEVER)
            continue;
        if (ended->owner == NET_NONE) /* by its tail, without a gap */
            ;
        else if (ended->taken_since != NEVER && ended->output != NET_NONE)
            bind_stream(net, engine, ended->output, cycle + 1);
        else if (ended->taken_since != NEVER)
            bind_ejection(net, engine, engine->stopped.item[i], cycle + 1);
        if (engine->channel[before].sent_since != NEVER)
            bind_stream(net, engine, before, cycle + 1);
    }
    for (uint32_t i = 0; i < engine->filled.count; i++) {
        const Channel *channel = &engine->channel[engine->filled.item[i]];
        if (channel->taken_since == NEVER && channel->sent_since != NEVER)
            bind_stream(net, engine, engine->filled.item[i], cycle + 1);
    }
    engine->stopped.count = engine->filled.count = 0;
}

static void check_stream(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    if (channel->sent_since == NEVER || channel->check != cycle)
        return;
    uint64_t last = bound(engine, index, cycle);
    channel->check = last;
    if (last > cycle)
        put_due(net, engine, DUE_STREAM, index, last);
    else
        wake_link(net, engine, channel->medium, cycle);
}

/* -- phase one: decide
 * -------------------------------------------------------------------------------------------------- */

static void check_ejection(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    if (channel->output != NET_NONE || channel->eject_check != cycle)
        return;
    uint64_t last = bound_taking(engine, index, cycle);
    channel->eject_check = last;
    if (last > cycle) {
        wake_channel(net, engine, index, last);
        return;
    }
    channel->taken = taken_before(channel, cycle);
    channel->taken_since = NEVER;
    list_add(&engine->filled, index);
}

/* Sorts the channels that were woken: to be taken out, to ask, or to send on. */
static void look_at_channel(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    bool streamed = channel->taken_since != NEVER;
    if (streamed)
        check_ejection(net, engine, index, cycle);
    if (channel->taken_since != NEVER)
        return;
    const Run *run = front_run(engine, index);
    if (!run || front_ready(channel, run) > cycle) {
        if (run && streamed)
            wake_channel(net, engine, index, front_ready(channel, run));
        return;
    }
    if (run->home)
        list_add(&engine->ejectors, index);
    else if (channel->output != NET_NONE)
        wake_output(net, engine, channel->output, cycle);
    else if (!channel->waiting)
        list_add(&engine->askers, index);
}

/* -- choosing what a link carries */

/* Whether a channel that is owned can send; if not, notes what it lacks. */
static bool can_send(Network *net, NetEngine *engine, LinkState *link, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    uint64_t bit = UINT64_C(1) << channel->place;
    if (credits(engine, channel, cycle) == 0) {
        if (channel->taken_since <= cycle)
            wake_link(net, engine, channel->medium, cycle + 1);
        else
            link->no_credit |= bit;
        return false;
    }
    const Run *run = front_run(engine, channel->owner);
    if (run && front_ready(&engine->channel[channel->owner], run) <= cycle)
        return true;
    link->no_flit |= bit;
    if (run)
        wake_channel(net, engine, channel->owner, front_ready(&engine->channel[channel->owner], run));
    return false;
}

/* Those bits that are set, from place `first` on and then from the beginning: in the order of their turn. */
static uint64_t turns(uint64_t bits, uint32_t first, uint32_t places)
{
    uint64_t all = places == 64 ? UINT64_MAX : (UINT64_C(1) << places) - 1;
    return first ? (bits >> first | bits << (places - first)) & all : bits;
}

static void choose(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    uint32_t vcs = engine->rules.virtual_channels;
    uint32_t places = link->partner == NET_NONE ? vcs : 2 * vcs;
    uint32_t first = link->last_sent + 1 == places ? 0 : link->last_sent + 1;
    uint64_t awake = link->owned & ~(link->no_flit | link->no_credit);
    if (!awake)
        return;
    if (link->free > cycle) {
        wake_link(net, engine, index, link->free);
        return;
    }
    for (uint64_t left = turns(awake, first, places); left; left &= left - 1) {
        uint32_t place = first + (uint32_t)__builtin_ctzll(left);
        place -= place >= places ? places : 0;
        uint32_t output = place < vcs ? index * vcs + place : link->partner * vcs + place - vcs;
        if (!can_send(net, engine, link, output, cycle))
            continue;
        link->chosen = output;
        link->last_sent = place;
        link->free = cycle + link->period;
        list_add(&engine->senders, index);
        break;
    }
    awake = link->owned & ~(link->no_flit | link->no_credit | UINT64_C(1) << link->last_sent);
    if (awake) /* others: their turn comes */
        wake_link(net, engine, index, MAX(cycle + 1, link->free));
}

static void visit_link(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    LinkState *link = &engine->link[index];
    if (link->visited == cycle + 1)
        return;
    link->visited = cycle + 1;
    if (link->stream != NET_NONE)
        stop_stream(net, engine, link, cycle);
    if (link->first_asker != NET_NONE)
        net_engine_grant_link(net, engine, index, cycle);
    if (link->partner != NET_NONE && engine->link[link->partner].first_asker != NET_NONE)
        net_engine_grant_link(net, engine, link->partner, cycle);
    choose(net, engine, index, cycle);
}

/* -- phase two: do
 * -------------------------------------------------------------------------------------------------------- */

static void give_channel_back(Network *net, NetEngine *engine, uint32_t output, uint32_t packet, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    NetLink *report = &net->graph.link[channel->link];
    const LinkState *link = &engine->link[channel->link];
    report->bytes += engine->packets.packet[packet].wire_bytes;
    report->packets++;
    engine->channel[channel->owner].output = NET_NONE;
    channel->owner = NET_NONE;
    engine->link[channel->medium].owned &= ~(UINT64_C(1) << channel->place);
    if (link->first_asker != NET_NONE || link->interest != NET_NONE)
        wake_link(net, engine, channel->medium, cycle + 1);
}

static void send_flit(Network *net, NetEngine *engine, uint32_t output, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    uint32_t input = channel->owner;
    const Run *run = front_run(engine, input);
    uint32_t packet = run->packet;
    uint32_t flit = run->flit + (engine->channel[input].taken - run->first);
    bool tail = flit + 1 == engine->packets.packet[packet].flits;
    net->graph.link[channel->link].busy_ps += engine->link[channel->link].period * engine->rules.cycle_ps;
    if (tail)
        give_channel_back(net, engine, output, packet, cycle);
    put_flit(net, engine, output, packet, flit, cycle);
    take_front(net, engine, input, tail, cycle);
    if (tail || !start_stream(net, engine, output, input, cycle))
        wake_front(net, engine, input, cycle, true);
}

static bool start_ejecting(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    bool more = front_run(engine, index) || channel->sent_since != NEVER;
    if (!engine->streams || !more)
        return false;
    const Run *run = first_run(channel);
    if (!run->home || front_ready(channel, run) > cycle + 1)
        return false;
    uint64_t last = bound_taking(engine, index, cycle + 1);
    if (last <= cycle + 1)
        return false;
    channel->taken_since = cycle + 1;
    channel->eject_check = last;
    wake_channel(net, engine, index, last);
    return true;
}

static void eject(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    const Run *run = front_run(engine, index);
    if (!run || front_ready(channel, run) > cycle) { /* a stream was expected to send it, but was stopped */
        list_add(&engine->filled, index);
        wake_front(net, engine, index, cycle, false);
        return;
    }
    assert(run->home);
    uint32_t packet = run->packet;
    bool tail = run->flit + (channel->taken - run->first) + 1 == engine->packets.packet[packet].flits;
    channel->ejected = cycle + 1;
    take_front(net, engine, index, tail, cycle);
    if (tail || !start_ejecting(net, engine, index, cycle)) {
        list_add(&engine->filled, index);
        wake_front(net, engine, index, cycle, false);
    }
    if (!tail)
        return;
    uint32_t message = engine->packets.packet[packet].message;
    net_packets_release(&engine->packets, packet);
    if (++net_message(net, message)->delivered == net_message(net, message)->packets)
        net_order_arrived(engine->order, net, message);
}

/* -- ejection limited to E flits of a node per cycle */

static int compare_nodes(const void *a, const void *b, void *pointer)
{
    const NetEngine *engine = pointer;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    uint32_t node = engine->channel[left].vertex;
    if (node != engine->channel[right].vertex)
        return node < engine->channel[right].vertex ? -1 : 1;
    bool left_later = left <= engine->last_served[node];
    bool right_later = right <= engine->last_served[node];
    if (left_later != right_later)
        return left_later ? 1 : -1;
    return (left > right) - (left < right);
}

/* The list is in the order of nodes, and of turns at each. */
static void eject_some(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *list = &engine->ejectors;
    if (list->count > 1)
        g_qsort_with_data(list->item, (gint)list->count, sizeof(uint32_t), compare_nodes, engine);
    uint32_t node = NET_NONE;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t index = list->item[i];
        taken = engine->channel[index].vertex == node ? taken : 0;
        node = engine->channel[index].vertex;
        if (i > 0 && list->item[i - 1] == index)
            continue;
        if (taken++ < engine->rules.ejection_flits) {
            engine->last_served[node] = index;
            eject(net, engine, index, cycle);
        } else {
            wake_channel(net, engine, index, cycle + 1);
        }
    }
}

static void eject_all(Network *net, NetEngine *engine, uint64_t cycle)
{
    net_engine_sort(&engine->ejectors);
    for (uint32_t i = 0; i < engine->ejectors.count; i++)
        if (engine->channel[engine->ejectors.item[i]].ejected != cycle + 1)
            eject(net, engine, engine->ejectors.item[i], cycle);
}

/* -- cycles
 * ----------------------------------------------------------------------------------------------------------------- */

static void run_cycle(Network *net, NetEngine *engine, uint64_t cycle)
{
    List *due = engine->slot[cycle % SLOTS];
    engine->askers.count = engine->senders.count = engine->ejectors.count = 0;
    for (uint32_t i = 0; i < due[DUE_CREDIT].count; i++) {
        engine->channel[due[DUE_CREDIT].item[i]].pending--;
        use_credit(net, engine, due[DUE_CREDIT].item[i], cycle);
    }
    for (uint32_t i = 0; i < due[DUE_STREAM].count; i++)
        check_stream(net, engine, due[DUE_STREAM].item[i], cycle);
    for (uint32_t i = 0; i < due[DUE_CHANNEL].count; i++)
        look_at_channel(net, engine, due[DUE_CHANNEL].item[i], cycle);
    net_engine_ask(net, engine, cycle);
    if (engine->sorted)
        net_engine_serve(net, engine, cycle);
    for (uint32_t i = 0; i < due[DUE_LINK].count; i++)
        visit_link(net, engine, due[DUE_LINK].item[i], cycle);
    for (uint32_t i = 0; i < engine->senders.count; i++)
        send_flit(net, engine, engine->link[engine->senders.item[i]].chosen, cycle);
    if (engine->rules.ejection_flits)
        eject_some(net, engine, cycle);
    else
        eject_all(net, engine, cycle);
    tell_neighbours(net, engine, cycle);
    for (size_t i = 0; i < DUES; i++)
        due[i].count = 0;
}

/* The first cycle from engine->first on that has a slot in use, or NEVER. */
static uint64_t next_occupied(const NetEngine *engine)
{
    uint32_t begin = engine->first % SLOTS;
    for (uint32_t i = 0; i <= WORDS; i++) {
        uint32_t word = (begin / 64 + i) % WORDS;
        uint64_t bits = engine->occupied[word];
        if (i == 0)
            bits &= ~UINT64_C(0) << begin % 64;
        else if (i == WORDS)
            bits &= (UINT64_C(1) << begin % 64) - 1;
        if (bits) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
            return engine->first + (slot + SLOTS - begin) % SLOTS;
        }
    }
    return NEVER;
}

static void tick(Network *net, NetEngine *engine, uint64_t cycle)
{
    if (cycle != engine->next_cycle)
        return; /* an earlier cycle had become due; this one was announced again */
    uint32_t slot = cycle % SLOTS;
    engine->next_cycle = NEVER;
    engine->first = engine->cycle = cycle;
    run_cycle(net, engine, cycle);
    engine->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    engine->first = cycle + 1;
    announce(net, engine, next_occupied(engine));
}

/* Cycles that end before now are over: none of them is pending. */
static void move_on(Network *net, NetEngine *engine)
{
    uint64_t running = net->now / engine->rules.cycle_ps;
    engine->first = MAX(engine->first, running ? running - 1 : 0);
}

static void inject(Network *net, uint32_t message)
{
    NetEngine *engine = net->model_state;
    uint32_t node = net_message(net, message)->from;
    NetNic *nic = &engine->nic[node];
    net_order_begin(engine->order, net, message);
    if (!net_nic_add(nic, net, &engine->rules, &engine->packets, message))
        return;
    load_nic(engine, node);
    move_on(net, engine);
    wake_channel(net, engine, engine->rules.link_channels + node, nic->ready);
    if (nic->ready - engine->first < SLOTS)
        announce(net, engine, nic->ready);
}

static void event(Network *net, const NetEvent *what)
{
    NetEngine *engine = net->model_state;
    if (what->kind == NET_EVENT_TICK) {
        tick(net, engine, what->a);
        return;
    }
    move_on(net, engine);
    put_due(net, engine, (Due)what->b, what->rank, what->a);
    announce(net, engine, what->a);
}

static bool blocked(const Network *net, uint32_t index, NetBlocked *what)
{
    const NetEngine *engine = net->model_state;
    const Channel *channel = &engine->channel[index];
    const Run *run = front_run(engine, index);
    if (!run)
        return false;
    bool owns = channel->output != NET_NONE;
    *what = (NetBlocked){.packet = run->packet, .owns = owns, .channel = channel->output};
    if (!owns)
        what->channel = net_wormhole_first_wanted(net, &engine->rules, &engine->packets.packet[run->packet], index,
                                                  channel->vertex);
    return true;
}

static char *deadlock(const Network *net)
{
    const NetEngine *engine = net->model_state;
    return net_wormhole_explain(net, &engine->rules, &engine->packets, blocked);
}

static uint64_t load(const Network *net, uint32_t link)
{
    const NetEngine *engine = net->model_state;
    uint64_t flits = 0;
    for (uint32_t vc = 0; vc < engine->rules.virtual_channels; vc++)
        flits += engine->rules.buffer_flits -
                 credits(engine, &engine->channel[link * engine->rules.virtual_channels + vc], engine->cycle);
    return flits;
}

const NetModel net_model_wormhole = {
    .name = "wormhole",
    .needs_links = true,
    .can_deadlock = true,
    .check = net_wormhole_check,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = event,
    .zero_load = net_wormhole_zero_load,
    .deadlock = deadlock,
    .load = load,
};
