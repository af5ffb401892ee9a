/* reference.c - the plain wormhole engine: every channel in every cycle, every flit on its own. Two-phase.
 *
 * The rules are in rules.h. This file is meant to be read beside them, and engine.c is tested against it. A cycle is
 * the sequence of calls in run_cycle(). Cycles are computed only while something is under way. Those in which nothing
 * can happen, because every flit is still in a pipeline, are skipped.
 */
#include "netsim/wormhole/reference.h"
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/rules.h"

#include <string.h>

static void *start(Network *net)
{
    Reference *state = g_new0(Reference, 1);
    NetWormhole *rules = &state->rules;
    net_wormhole_init(rules, net);
    state->order = net_order_new();
    net_nics_init(&state->nics, rules);
    state->channel = g_new0(Channel, rules->channels);
    state->flits = g_new0(Flit, (size_t)rules->link_channels * rules->buffer_flits + 1);
    state->link = g_new0(LinkState, MAX(net->graph.links, 1));
    state->waiting = g_array_new(FALSE, FALSE, sizeof(Waiting));
    state->credits = g_array_new(FALSE, FALSE, sizeof(Credit));
    state->last_served = g_new0(uint32_t, net->params.nodes);
    state->served = g_new0(uint64_t, net->params.nodes);
    state->lost = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    state->sending = g_new(NetSending, MAX(net->graph.links, 1));
    state->next_cycle = UINT64_MAX;
    for (uint32_t i = 0; i < rules->channels; i++) {
        bool nic = i >= rules->link_channels;
        state->channel[i] = (Channel){
            .owner = NET_NONE,
            .output = NET_NONE,
            .credits = rules->buffer_flits,
            .vertex = nic ? net_wormhole_node(rules, i) : net->graph.link[i / rules->virtual_channels].to,
        };
    }
    net_allocate_start(net, state);
    for (uint32_t i = 0; i < net->graph.links; i++)
        state->link[i] = (LinkState){
            .period = net_wormhole_period(rules, net, &net->graph.link[i]),
            .flight = net_wormhole_flight(rules, &net->graph.link[i]),
            .last_given = rules->virtual_channels - 1,
            .last_sent = rules->virtual_channels - 1,
        };
    return state;
}

static void stop(void *pointer)
{
    Reference *state = pointer;
    net_allocate_stop(state);
    net_order_free(state->order);
    g_free(state->packets.packet);
    net_nics_clear(&state->nics);
    g_free(state->sending);
    g_array_free(state->lost, TRUE);
    g_free(state->channel);
    g_free(state->flits);
    g_free(state->link);
    g_array_free(state->waiting, TRUE);
    g_array_free(state->credits, TRUE);
    g_free(state->last_served);
    g_free(state->served);
    g_free(state);
}

static bool is_nic(const Reference *state, uint32_t channel)
{
    return channel >= state->rules.link_channels;
}

bool net_reference_front(const Reference *state, uint32_t index, Flit *flit)
{
    const Channel *channel = &state->channel[index];
    if (!is_nic(state, index)) {
        if (channel->count)
            *flit = state->flits[(size_t)index * state->rules.buffer_flits + channel->head];
        return channel->count > 0;
    }
    const NetSource *source = net_nics_source(&state->nics, &state->rules, index);
    *flit = (Flit){.packet = source->packet, .index = source->flit, .ready = source->ready};
    return source->packet != NET_NONE;
}

static bool is_home(const Reference *state, uint32_t index, const Flit *flit)
{
    return !is_nic(state, index) && state->packets.packet[flit->packet].to == state->channel[index].vertex;
}

static bool is_tail(const Reference *state, const Flit *flit)
{
    return flit->index + 1 == state->packets.packet[flit->packet].flits;
}

/* -- phase one: decide ------------------------------------------------------------------------- */

static void take_credits(Reference *state, uint64_t cycle)
{
    guint due = 0;
    for (; due < state->credits->len && g_array_index(state->credits, Credit, due).cycle <= cycle; due++)
        state->channel[g_array_index(state->credits, Credit, due).channel].credits++;
    g_array_remove_range(state->credits, 0, due);
}

/* When a packet leaves its source, decides whether it is sent by way of another vertex. */
static void choose_via(const Network *net, const Reference *state, uint32_t index, NetPacket *packet)
{
    if (is_nic(state, index) && net->routing->choose_via)
        packet->via = net->routing->choose_via(net, packet->from, packet->to, packet->number);
}

static bool has_way(const Network *net, const Reference *state, uint32_t index, const NetPacket *packet)
{
    NetQuery query = net_wormhole_query(&state->rules, packet, index, state->channel[index].vertex);
    NetHop hops[NET_MAX_CANDIDATES];
    return !net->failures || net_candidates(net, &query, hops) > 0;
}

/* Tells observers that a header begins (change 1) or ceases (-1) to wait. */
static void tell_waiting(Network *net, const Reference *state, uint32_t index, const NetPacket *packet, uint64_t cycle,
                         int change)
{
    NetQuery query = net_wormhole_query(&state->rules, packet, index, state->channel[index].vertex);
    net_watch_queued(net, &query, cycle * state->rules.cycle_ps, change);
}

/* Lets headers ask that have come to the front. */
static void ask(Network *net, Reference *state, uint64_t cycle)
{
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        Channel *channel = &state->channel[i];
        Flit flit = {0};
        if (channel->output != NET_NONE || channel->waiting || !net_reference_front(state, i, &flit) ||
            flit.ready > cycle || is_home(state, i, &flit))
            continue;
        assert(flit.index == 0);
        NetPacket *packet = &state->packets.packet[flit.packet];
        choose_via(net, state, i, packet);
        if (!has_way(net, state, i, packet)) {
            g_array_append_val(state->lost, i);
            continue;
        }
        channel->waiting = true;
        channel->asked = cycle;
        bool oldest_first = state->rules.allocation == NET_ALLOCATE_OLDEST_FIRST;
        Waiting header = {.since = oldest_first ? packet->ready_ps : cycle, .channel = i};
        g_array_append_val(state->waiting, header);
        if (net->watch)
            tell_waiting(net, state, i, packet, cycle, 1);
    }
}

static gint compare_waiting(gconstpointer a, gconstpointer b)
{
    const Waiting *left = a;
    const Waiting *right = b;
    if (left->since != right->since)
        return left->since < right->since ? -1 : 1;
    return (left->channel > right->channel) - (left->channel < right->channel);
}

/* Returns the virtual channels of a link and class that are free for a packet, as a bit set. */
static uint64_t free_channels(const Reference *state, const NetPacket *packet, NetHop hop)
{
    uint64_t share = net_wormhole_share(&state->rules, packet, hop.channel_class);
    uint32_t needed = state->rules.whole_buffers ? state->rules.buffer_flits : 1;
    uint64_t free = 0;
    for (uint32_t vc = 0; vc < state->rules.virtual_channels; vc++) {
        const Channel *channel = &state->channel[hop.link * state->rules.virtual_channels + vc];
        if (share >> vc & 1 && channel->owner == NET_NONE && channel->credits >= needed)
            free |= UINT64_C(1) << vc;
    }
    return free;
}

static void tell_grant(Network *net, const Reference *state, uint32_t index, uint32_t place, uint64_t cycle)
{
    const Channel *asker = &state->channel[index];
    const NetPacket *packet = &state->packets.packet[place];
    NetGrant grant = {.packet = place,
                      .message = packet->message,
                      .channel = asker->output,
                      .first = is_nic(state, index),
                      .number = packet->index,
                      .asked_ps = asker->asked * state->rules.cycle_ps,
                      .got_ps = cycle * state->rules.cycle_ps};
    tell_waiting(net, state, index, packet, cycle, -1);
    net_watch_granted(net, &grant);
}

NetHop net_reference_wish(const Network *net, const Reference *state, uint32_t index, uint64_t *free)
{
    Flit flit = {0};
    net_reference_front(state, index, &flit);
    const NetPacket *packet = &state->packets.packet[flit.packet];
    NetQuery query = net_wormhole_query(&state->rules, packet, index, state->channel[index].vertex);
    NetHop hops[NET_MAX_CANDIDATES];
    uint64_t found[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(net, &query, hops);
    for (uint32_t i = 0; i < count; i++)
        found[i] = free_channels(state, packet, hops[i]);
    uint32_t best = net_wormhole_best(hops, found, count);
    if (best == NET_NONE)
        return (NetHop){.link = NET_NONE};
    *free = found[best];
    return hops[best];
}

void net_reference_grant(Network *net, Reference *state, uint32_t index, uint32_t output, uint64_t cycle)
{
    Channel *asker = &state->channel[index];
    Flit flit = {0};
    net_reference_front(state, index, &flit);
    asker->output = output;
    asker->got = cycle + 1;
    state->channel[output].owner = index;
    state->channel[output].holder = flit.packet;
    asker->waiting = false;
    net->graph.link[output / state->rules.virtual_channels].blocked_ps +=
        (cycle - asker->asked) * state->rules.cycle_ps;
    if (net->watch)
        tell_grant(net, state, index, flit.packet, cycle);
}

static bool serve_header(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    uint64_t free = 0;
    uint32_t link = net_reference_wish(net, state, index, &free).link;
    if (link == NET_NONE)
        return false;
    uint32_t vc = net_wormhole_pick(&state->rules, free, state->link[link].last_given);
    state->link[link].last_given = vc;
    net_reference_grant(net, state, index, link * state->rules.virtual_channels + vc, cycle);
    return true;
}

/* Serves all headers that wait, in their order. Those that get nothing go on waiting. */
static bool serve(Network *net, Reference *state, uint64_t cycle)
{
    guint left = 0;
    g_array_sort(state->waiting, compare_waiting);
    for (guint i = 0; i < state->waiting->len; i++) {
        Waiting header = g_array_index(state->waiting, Waiting, i);
        if (!serve_header(net, state, header.channel, cycle))
            g_array_index(state->waiting, Waiting, left++) = header;
    }
    bool granted = left < state->waiting->len;
    g_array_set_size(state->waiting, left);
    return granted;
}

bool net_reference_can_send(const Reference *state, uint32_t output, uint64_t cycle)
{
    Flit flit;
    const Channel *channel = &state->channel[output];
    return channel->owner != NET_NONE && channel->credits > 0 && net_reference_front(state, channel->owner, &flit) &&
           flit.ready <= cycle;
}

/* Chooses the channel that sends on a medium, given by its lower link. */
static bool choose(const Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    uint32_t vcs = state->rules.virtual_channels;
    uint32_t partner = net->graph.link[index].partner;
    LinkState *link = &state->link[index];
    link->chosen = NET_NONE;
    if (partner < index || link->free > cycle)
        return false;
    uint32_t places = partner == NET_NONE ? vcs : 2 * vcs;
    for (uint32_t i = 1; i <= places && link->chosen == NET_NONE; i++) {
        uint32_t place = (link->last_sent + i) % places;
        uint32_t output = place < vcs ? index * vcs + place : partner * vcs + place - vcs;
        if (!net_reference_can_send(state, output, cycle))
            continue;
        link->chosen = output;
        link->last_sent = place;
        link->free = cycle + link->period;
    }
    return link->chosen != NET_NONE;
}

/* Limits injection: of the flits that links have chosen from NICs, only some are sent. */
static void limit_injection(const Network *net, Reference *state, uint64_t cycle)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (state->link[i].chosen != NET_NONE)
            state->sending[count++] =
                (NetSending){.channel = state->link[i].chosen, .from = state->channel[state->link[i].chosen].owner};
    net_nics_limit(&state->nics, &state->rules, state->sending, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = state->sending[i].channel / state->rules.virtual_channels;
        LinkState *link = &state->link[MIN(index, net->graph.link[index].partner)];
        if (state->sending[i].may)
            continue;
        link->chosen = NET_NONE;
        link->free = cycle;
    }
}

/* -- phase two: do ----------------------------------------------------------------------------- */

/* NICs whose tails have been sent take up their next packets. */
static void leave_nics(Network *net, Reference *state, uint64_t cycle)
{
    for (uint32_t i = state->rules.link_channels; i < state->rules.channels; i++) {
        const NetSource *source = net_nics_source(&state->nics, &state->rules, i);
        if (source->packet == NET_NONE || source->flit < state->packets.packet[source->packet].flits)
            continue;
        net_nics_sent(&state->nics, net, &state->rules, &state->packets, i, cycle);
        net_nics_load(&state->nics, net, &state->rules, &state->packets, net_wormhole_nic(&state->rules, i));
    }
}

static void give_credit(Reference *state, uint32_t index, uint64_t cycle)
{
    Credit credit = {.cycle = cycle + 1 + state->rules.credit_cycles, .channel = index};
    g_array_append_val(state->credits, credit);
}

static void take_front(Reference *state, uint32_t index, uint64_t cycle)
{
    Channel *channel = &state->channel[index];
    if (is_nic(state, index)) {
        net_nics_source(&state->nics, &state->rules, index)->flit++;
        return;
    }
    channel->head = (channel->head + 1) % state->rules.buffer_flits;
    channel->count--;
    give_credit(state, index, cycle);
}

static void put_flit(Reference *state, uint32_t index, Flit flit, uint64_t cycle)
{
    Channel *channel = &state->channel[index];
    const LinkState *link = &state->link[index / state->rules.virtual_channels];
    assert(channel->credits > 0 && channel->count < state->rules.buffer_flits);
    flit.ready = cycle + link->period + link->flight;
    if (!is_home(state, index, &flit))
        flit.ready += net_wormhole_routing_cycles(&state->rules, channel->vertex);
    uint32_t place = (channel->head + channel->count) % state->rules.buffer_flits;
    state->flits[(size_t)index * state->rules.buffer_flits + place] = flit;
    channel->count++;
    channel->credits--;
}

static void send_flit(Network *net, Reference *state, uint32_t output, uint64_t cycle)
{
    uint32_t index = output / state->rules.virtual_channels;
    uint32_t input = state->channel[output].owner;
    Flit flit = {0};
    net_reference_front(state, input, &flit);
    bool tail = is_tail(state, &flit);
    NetLink *report = &net->graph.link[index];
    report->busy_ps += state->link[index].period * state->rules.cycle_ps;
    if (tail) {
        report->bytes += state->packets.packet[flit.packet].wire_bytes;
        report->packets++;
        state->channel[output].owner = NET_NONE;
        state->channel[input].output = NET_NONE;
        if (net->watch)
            net_wormhole_tell_release(net, &state->rules, &state->packets, flit.packet, output, cycle);
    }
    put_flit(state, output, flit, cycle);
    take_front(state, input, cycle);
}

/* Returns whether a buffer has a flit that has reached its destination by the end of the cycle. */
static bool can_eject(const Reference *state, uint32_t index, uint64_t cycle)
{
    Flit flit;
    return net_reference_front(state, index, &flit) && is_home(state, index, &flit) && flit.ready <= cycle + 1;
}

static void eject(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    Flit flit = {0};
    net_reference_front(state, index, &flit);
    take_front(state, index, cycle);
    if (!is_tail(state, &flit))
        return;
    uint32_t message = state->packets.packet[flit.packet].message;
    if (net->watch)
        net_watch_ejected(net, flit.packet, message, net->now);
    net_wormhole_packets_release(&state->packets, flit.packet);
    net_wormhole_arrived(net, state->order, message);
}

static bool eject_all(Network *net, Reference *state, uint64_t cycle)
{
    bool progress = false;
    for (uint32_t i = 0; i < state->rules.link_channels; i++)
        if (can_eject(state, i, cycle)) {
            eject(net, state, i, cycle);
            progress = true;
        }
    return progress;
}

/* Takes at most E flits out of the buffers of a node, in turns. */
static bool eject_some(Network *net, Reference *state, uint32_t node, uint64_t cycle)
{
    uint32_t channels = state->rules.link_channels;
    uint32_t last = state->last_served[node];
    uint32_t taken = 0;
    state->served[node] = cycle + 1;
    for (uint32_t i = 1; i <= channels && taken < state->rules.ejection_flits; i++) {
        uint32_t index = (last + i) % channels;
        if (state->channel[index].vertex != node || !can_eject(state, index, cycle))
            continue;
        eject(net, state, index, cycle);
        state->last_served[node] = index;
        taken++;
    }
    return taken > 0;
}

/* -- phase three: aborts ----------------------------------------------------------------------- */

/* Takes the flits of a packet out of a link's buffer. */
static void empty_buffer(Reference *state, uint32_t index, uint32_t packet, uint64_t cycle)
{
    Channel *channel = &state->channel[index];
    uint32_t size = state->rules.buffer_flits;
    Flit *flits = &state->flits[(size_t)index * size];
    uint32_t left = 0;
    for (uint32_t i = 0; i < channel->count; i++) {
        Flit flit = flits[(channel->head + i) % size];
        if (flit.packet == packet)
            give_credit(state, index, cycle);
        else
            flits[(channel->head + left++) % size] = flit;
    }
    channel->count = left;
}

static void take_out(Network *net, Reference *state, uint32_t packet, uint64_t cycle)
{
    for (guint i = state->waiting->len; i-- > 0;) {
        uint32_t index = g_array_index(state->waiting, Waiting, i).channel;
        Channel *asker = &state->channel[index];
        Flit flit = {0};
        net_reference_front(state, index, &flit);
        if (flit.packet != packet)
            continue;
        asker->waiting = false;
        if (net->watch)
            tell_waiting(net, state, index, &state->packets.packet[packet], cycle + 1, -1);
        g_array_remove_index(state->waiting, i);
    }
    for (uint32_t i = 0; i < state->rules.link_channels; i++) {
        Channel *channel = &state->channel[i];
        if (channel->owner != NET_NONE && channel->holder == packet) {
            state->channel[channel->owner].output = NET_NONE;
            channel->owner = NET_NONE;
            if (net->watch)
                net_wormhole_tell_abort(net, &state->rules, &state->packets, packet, i, cycle);
        }
        empty_buffer(state, i, packet, cycle);
    }
}

static void lose(Network *net, Reference *state, uint32_t packet, NetLoss why, uint32_t link, uint64_t cycle)
{
    take_out(net, state, packet, cycle);
    net_nics_lose(&state->nics, net, &state->rules, &state->packets, packet, why, link);
}

/* Loses the packets whose headers found no way. */
static bool lose_stray(Network *net, Reference *state, uint64_t cycle)
{
    for (guint i = 0; i < state->lost->len; i++) {
        Flit flit = {0};
        net_reference_front(state, g_array_index(state->lost, uint32_t, i), &flit);
        lose(net, state, flit.packet, NET_LOST_NO_WAY, NET_NONE, cycle);
    }
    bool any = state->lost->len > 0;
    g_array_set_size(state->lost, 0);
    return any;
}

static NetStanding standing(const Network *net, uint32_t index)
{
    const Reference *state = net->model_state;
    const Channel *channel = &state->channel[index];
    Flit flit = {.packet = NET_NONE};
    net_reference_front(state, index, &flit);
    return (NetStanding){
        .owner = channel->owner,
        .output = channel->output,
        .holder = channel->output != NET_NONE ? state->channel[channel->output].holder : flit.packet,
        .places = state->rules.buffer_flits - channel->count,
        .vertex = channel->vertex,
        .waiting = channel->waiting,
    };
}

static void abort_packet(Network *net, Reference *state, uint32_t packet, uint64_t cycle)
{
    take_out(net, state, packet, cycle);
    net_nics_retry(&state->nics, net, &state->rules, &state->packets, packet, cycle);
}

/* Applies rule 7. Returns whether anything was aborted. */
static bool detect(Network *net, Reference *state, uint64_t cycle)
{
    NetStuck stuck;
    bool aborted = false;
    while (!net->is_deadlocked && net_wormhole_find_stuck(net, &state->rules, &state->packets, standing, &stuck)) {
        net_wormhole_report_stuck(net, &state->rules, &state->packets, standing, &stuck);
        if (state->rules.resolves)
            abort_packet(net, state, stuck.victim, cycle);
        net_wormhole_stuck_clear(&stuck);
        aborted = true;
    }
    return aborted;
}

/* -- cycles ------------------------------------------------------------------------------------ */

static bool run_cycle(Network *net, Reference *state, uint64_t cycle)
{
    bool progress = false;
    take_credits(state, cycle);
    ask(net, state, cycle);
    progress |= state->rules.vc_allocator ? net_allocate_channels(net, state, cycle) : serve(net, state, cycle);
    if (state->rules.switch_allocator)
        progress |= net_allocate_switch(net, state, cycle);
    for (uint32_t i = 0; !state->rules.switch_allocator && i < net->graph.links; i++)
        progress |= choose(net, state, i, cycle);
    if (state->rules.injection_flits)
        limit_injection(net, state, cycle);
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (state->link[i].chosen != NET_NONE)
            send_flit(net, state, state->link[i].chosen, cycle);
    leave_nics(net, state, cycle);
    if (!state->rules.ejection_flits)
        progress |= eject_all(net, state, cycle);
    for (uint32_t i = 0; state->rules.ejection_flits && i < state->rules.link_channels; i++)
        if (can_eject(state, i, cycle) && state->served[state->channel[i].vertex] != cycle + 1)
            progress |= eject_some(net, state, state->channel[i].vertex, cycle);
    progress |= lose_stray(net, state, cycle);
    if (state->rules.deadlock_cycles && cycle % state->rules.deadlock_cycles == 0 && state->waiting->len)
        progress |= detect(net, state, cycle);
    return progress;
}

/* Returns the next cycle in which a front flit becomes ready, a link becomes free, a credit counts, or the detector
 * looks. */
static uint64_t next_ready(const Network *net, const Reference *state, uint64_t cycle)
{
    uint64_t next = state->credits->len ? g_array_index(state->credits, Credit, 0).cycle : UINT64_MAX;
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        Flit flit;
        if (!net_reference_front(state, i, &flit))
            continue;
        uint64_t from = is_home(state, i, &flit) ? flit.ready - 1 : flit.ready;
        if (from > cycle)
            next = MIN(next, from);
    }
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (state->link[i].free > cycle)
            next = MIN(next, state->link[i].free);
    if (state->rules.deadlock_cycles && state->waiting->len)
        next = MIN(next, net_wormhole_next_look(&state->rules, cycle));
    return next;
}

static void schedule(Network *net, Reference *state, uint64_t cycle)
{
    if (cycle >= state->next_cycle)
        return;
    state->next_cycle = cycle;
    base_queue_push(net->queue, (cycle + 1) * state->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, 0);
}

static void inject(Network *net, uint32_t message)
{
    Reference *state = net->model_state;
    uint32_t nic = net_nic_of(net, net_message(net, message));
    uint32_t channel;
    net_wormhole_begin(net, state->order, message);
    net_nics_add(&state->nics, net, message);
    while ((channel = net_nics_load(&state->nics, net, &state->rules, &state->packets, nic)) != NET_NONE)
        schedule(net, state, net_nics_source(&state->nics, &state->rules, channel)->ready);
}

static void tick(Network *net, const BaseEvent *event)
{
    Reference *state = net->model_state;
    uint64_t cycle = event->a;
    if (cycle != state->next_cycle)
        return; /* an earlier cycle became due and was computed instead */
    state->next_cycle = UINT64_MAX;
    if (net->is_deadlocked)
        return;
    bool progress = run_cycle(net, state, cycle);
    schedule(net, state, progress ? cycle + 1 : next_ready(net, state, cycle));
}

/* -- failures (rule 9) ------------------------------------------------------------------------- */

static void add_once(GArray *packets, uint32_t packet)
{
    for (guint i = 0; i < packets->len; i++)
        if (g_array_index(packets, uint32_t, i) == packet)
            return;
    g_array_append_val(packets, packet);
}

static void restore(Network *net, uint32_t link)
{
    Reference *state = net->model_state;
    uint64_t next = net_wormhole_cycle_at(&state->rules, net->now);
    (void)link; /* the routing already knows */
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        Flit flit = {0};
        if (state->channel[i].waiting && net_reference_front(state, i, &flit) &&
            !has_way(net, state, i, &state->packets.packet[flit.packet]))
            lose(net, state, flit.packet, NET_LOST_NO_WAY, NET_NONE, next - 1);
    }
    schedule(net, state, next);
}

static void fail(Network *net, uint32_t link)
{
    Reference *state = net->model_state;
    uint64_t next = net_wormhole_cycle_at(&state->rules, net->now);
    g_autoptr(GArray) packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = link * state->rules.virtual_channels; i < (link + 1) * state->rules.virtual_channels; i++) {
        const Channel *channel = &state->channel[i];
        for (uint32_t place = 0; place < channel->count; place++) {
            uint32_t size = state->rules.buffer_flits;
            add_once(packets, state->flits[(size_t)i * size + (channel->head + place) % size].packet);
        }
        if (channel->owner != NET_NONE)
            add_once(packets, channel->holder);
    }
    for (guint i = 0; i < packets->len; i++)
        lose(net, state, g_array_index(packets, uint32_t, i), NET_LOST_FAILURE, link, next - 1);
    restore(net, link);
}

static uint64_t load(const Network *net, uint32_t link)
{
    const Reference *state = net->model_state;
    uint64_t flits = 0;
    for (uint32_t vc = 0; vc < state->rules.virtual_channels; vc++)
        flits += state->rules.buffer_flits - state->channel[link * state->rules.virtual_channels + vc].credits;
    return flits;
}

const NetModel net_model_wormhole_reference = {
    .name = "wormhole-reference",
    .needs_links = true,
    .virtual_channels = true,
    .can_deadlock = true,
    .observable = true,
    .check = net_wormhole_check,
    .check_links = net_wormhole_check_links,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = tick,
    .zero_load = net_wormhole_zero_load,
    .load = load,
    .packets_ahead = 2,
    .fail = fail,
    .restore = restore,
    .counters = net_wormhole_counters,
};
