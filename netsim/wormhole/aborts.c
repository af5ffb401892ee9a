/* aborts.c - the wormhole engine in use: packets that are taken out again (rules 7 to 9 of rules.h). Two-phase.
 *
 * Aborts are rare, so no state is kept for them. In a cycle at whose end they may happen there are no free worms. What
 * a packet has in a channel then follows from its position among the packets there. Packets ahead of it are complete.
 * Flits that go on are ready or arrive in their order (DUE_ARRIVAL), and so do those at their destination (DUE_HOME).
 * Everything that is due lies in the ring of slots, from which it is taken back.
 *
 *     packets of a channel:     front, with `left` flits | others, with all flits | the owner, with some flits
 *     their flits, of a kind:   ready                    | due
 */
#include "netsim/core/core.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/engine.h"

#include <string.h>

/* -- what is in a channel ---------------------------------------------------------------------- */

static uint32_t *packet_at(const NetEngine *engine, uint32_t index, uint32_t at)
{
    if (at == 0)
        return &engine->channel[index].front;
    at += engine->channel[index].head;
    at -= at >= engine->rules.buffer_flits ? engine->rules.buffer_flits : 0;
    return &engine->ring[(size_t)index * engine->rules.buffer_flits + at];
}

/* Returns the packet that owns the channel. */
static uint32_t holder(const NetEngine *engine, uint32_t index)
{
    assert(engine->channel[index].owner != NET_NONE && engine->channel[index].packets);
    return *packet_at(engine, index, engine->channel[index].packets - 1);
}

/* Returns how many flits of the packet at position `at` have still to come out of the channel. */
static uint32_t flits_at(const NetEngine *engine, uint32_t index, uint32_t at)
{
    return at == 0 ? engine->channel[index].left : engine->packets.packet[*packet_at(engine, index, at)].flits;
}

static NetStanding standing(const Network *net, uint32_t index)
{
    const NetEngine *engine = net->model_state;
    const Channel *channel = &engine->channel[index];
    NetStanding answer = {
        .owner = channel->owner,
        .output = NET_NONE,
        .holder = NET_NONE,
        .vertex = channel->vertex,
        .waiting = channel->waiting,
    };
    if (channel->output_link != NET_NONE) {
        answer.output = channel->output_link * engine->rules.virtual_channels + channel->output_vc;
        answer.holder = holder(engine, answer.output);
    } else if (channel->waiting) {
        answer.holder = front_packet(engine, index);
    }
    if (is_nic(engine, index) || channel->owner != NET_NONE)
        return answer; /* nobody asks for the free slots of NICs and of owned channels */
    answer.places = engine->rules.buffer_flits;
    for (uint32_t at = 0; at < channel->packets; at++)
        answer.places -= flits_at(engine, index, at);
    return answer;
}

/* -- taking back what is due ------------------------------------------------------------------- */

/* Looks at the entries for a channel, in the order of their cycles, and removes numbers first .. end - 1. Returns the
 * number of entries before. */
static uint32_t take_back(NetEngine *engine, Due due, uint32_t index, uint32_t first, uint32_t end, uint64_t cycle)
{
    uint32_t number = 0;
    for (uint64_t slot = cycle + 1; slot < cycle + SLOTS; slot++) {
        List *list = &engine->slot[slot % SLOTS][due];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            bool out = list->item[i] == index && number >= first && number < end;
            number += list->item[i] == index;
            if (!out)
                list->item[kept++] = list->item[i];
        }
        list->count = kept;
    }
    return number;
}

/* -- aborting ---------------------------------------------------------------------------------- */

/* The header of a channel waits no more. */
static void leave_lines(const Network *net, NetEngine *engine, uint32_t index)
{
    engine->channel[index].waiting = false; /* this makes notes of interest invalid */
    engine->waiting--;
    for (uint32_t i = 0; !engine->sorted && i < net->graph.links; i++) {
        LinkState *link = &engine->link[i];
        uint32_t before = NET_NONE;
        uint32_t asker = link->first;
        for (; asker != NET_NONE && asker != index; asker = engine->place[asker].next_asker)
            before = asker;
        if (asker == NET_NONE)
            continue;
        if (before == NET_NONE)
            link->first = engine->place[index].next_asker;
        else
            engine->place[before].next_asker = engine->place[index].next_asker;
        if (engine->line[i].last == index)
            engine->line[i].last = before;
    }
}

/* Takes the flits of the packet at position `at` of the channel out of its buffer. Returns how many there were. */
static uint32_t take_flits(NetEngine *engine, uint32_t index, uint32_t at, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    const NetPacket *packet = &engine->packets.packet[*packet_at(engine, index, at)];
    bool home = packet->to == channel->vertex;
    bool owns = channel->owner != NET_NONE && at + 1 == channel->packets;
    Due due = home ? DUE_HOME : DUE_ARRIVAL;
    uint32_t *ready = home ? &channel->ready_home : &channel->ready;
    uint32_t first = 0;
    for (uint32_t i = 0; i < at; i++) {
        const NetPacket *ahead = &engine->packets.packet[*packet_at(engine, index, i)];
        if ((ahead->to == channel->vertex) == home)
            first += flits_at(engine, index, i);
    }
    uint32_t all = *ready + take_back(engine, due, index, 0, 0, cycle);
    uint32_t end = owns ? all : first + flits_at(engine, index, at);
    assert(end <= all && first <= end);
    uint32_t due_first = first > *ready ? first - *ready : 0;
    uint32_t due_end = end > *ready ? end - *ready : 0;
    take_back(engine, due, index, due_first, due_end, cycle);
    *ready -= (end - first) - (due_end - due_first);
    return end - first;
}

static void give_credits(Network *net, NetEngine *engine, uint32_t index, uint32_t count, uint64_t cycle)
{
    for (uint32_t i = 0; i < count; i++)
        if (engine->rules.credit_cycles)
            put_due(net, engine, DUE_CREDIT, index, cycle + 1 + engine->rules.credit_cycles);
        else
            net_flits_add_credit(net, engine, index, cycle + 1);
}

static void release(NetEngine *engine, uint32_t index)
{
    Channel *channel = &engine->channel[index];
    LinkState *link = &engine->link[channel->link];
    uint64_t bit = UINT64_C(1) << channel->vc;
    engine->channel[channel->owner].output_link = NET_NONE;
    channel->owner = NET_NONE;
    link->owned &= ~bit;
    link->flit &= ~bit;
}

/* Removes the packet at position `at` from those of the channel. */
static void drop_packet(Network *net, NetEngine *engine, uint32_t index, uint32_t at, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    for (uint32_t i = at; i + 1 < channel->packets; i++)
        *packet_at(engine, index, i) = *packet_at(engine, index, i + 1);
    channel->packets--;
    if (at > 0)
        return;
    engine->channel[index].left = 0;
    for (uint32_t i = 0; i < engine->ejecting.count; i++)
        if (engine->ejecting.item[i] == index)
            engine->ejecting.item[i--] = engine->ejecting.item[--engine->ejecting.count];
    take_back(engine, DUE_HEADER, index, 0, 1, cycle);
    net_flits_next_front(net, engine, index, cycle);
}

static void leave_channel(Network *net, NetEngine *engine, uint32_t index, uint32_t packet, uint64_t cycle)
{
    uint32_t at = 0;
    while (at < engine->channel[index].packets && *packet_at(engine, index, at) != packet)
        at++;
    if (at == engine->channel[index].packets)
        return;
    if (at == 0 && engine->channel[index].waiting) {
        if (net->watch)
            net_headers_tell_waiting(net, engine, index, cycle + 1, -1);
        leave_lines(net, engine, index);
    }
    uint32_t flits = take_flits(engine, index, at, cycle);
    if (engine->channel[index].owner != NET_NONE && at + 1 == engine->channel[index].packets) {
        release(engine, index);
        if (net->watch)
            net_wormhole_tell_abort(net, &engine->rules, &engine->packets, packet, index, cycle);
    }
    drop_packet(net, engine, index, at, cycle);
    give_credits(net, engine, index, flits, cycle);
    wake_line(net, engine, engine->channel[index].link, cycle + 1);
}

static void take_out(Network *net, NetEngine *engine, uint32_t packet, uint64_t cycle)
{
    for (uint32_t index = 0; index < engine->rules.link_channels; index++)
        leave_channel(net, engine, index, packet, cycle);
}

static void load_source(Network *net, NetEngine *engine, uint32_t source, uint64_t cycle)
{
    if (source != NET_NONE)
        net_flits_load_source(net, engine, source, cycle + 1);
}

static void abort_packet(Network *net, NetEngine *engine, uint32_t packet, uint64_t cycle)
{
    take_out(net, engine, packet, cycle);
    load_source(net, engine, net_nics_retry(&engine->nics, net, &engine->rules, &engine->packets, packet, cycle),
                cycle);
}

static void lose(Network *net, NetEngine *engine, uint32_t packet, NetLoss why, uint32_t link, uint64_t cycle)
{
    const NetPacket *what = &engine->packets.packet[packet];
    uint32_t nic = what->from * engine->rules.node_nics + what->nic;
    uint32_t first = engine->rules.link_channels + nic * engine->rules.injection_channels;
    for (uint32_t index = first; index < first + engine->rules.injection_channels; index++) {
        if (net_nics_source(&engine->nics, &engine->rules, index)->packet != packet)
            continue;
        if (engine->channel[index].waiting)
            leave_lines(net, engine, index);
        engine->channel[index].left = engine->channel[index].ready = 0;
    }
    take_out(net, engine, packet, cycle);
    load_source(net, engine, net_nics_lose(&engine->nics, net, &engine->rules, &engine->packets, packet, why, link),
                cycle);
}

/* Turns everything under way into flits, in the state between `cycle` and the next. */
static void break_worms(Network *net, NetEngine *engine, uint64_t cycle)
{
    engine->between = true;
    net_worm_break_all(net, engine, cycle + 1);
    engine->between = false;
}

static void abort_stuck(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetStuck stuck;
    while (!net->is_deadlocked && net_wormhole_find_stuck(net, &engine->rules, &engine->packets, standing, &stuck)) {
        net_wormhole_report_stuck(net, &engine->rules, &engine->packets, standing, &stuck);
        net_flits_report_stuck(net, engine);
        if (engine->rules.resolves)
            abort_packet(net, engine, stuck.victim, cycle);
        net_wormhole_stuck_clear(&stuck);
    }
}

void net_abort_end_cycle(Network *net, NetEngine *engine, bool looks, uint64_t cycle)
{
    break_worms(net, engine, cycle);
    for (uint32_t i = 0; i < engine->lost.count; i++)
        lose(net, engine, front_packet(engine, engine->lost.item[i]), NET_LOST_NO_WAY, NET_NONE, cycle);
    if (engine->lost.count)
        net_flits_report_stuck(net, engine);
    engine->lost.count = 0;
    if (looks)
        abort_stuck(net, engine, cycle);
}

/* -- failures ---------------------------------------------------------------------------------- */

/* `next` or a later cycle is the next to be computed. Returns the cycle before it, from which there are no free worms.
 */
static uint64_t stop_before(Network *net, NetEngine *engine, uint64_t next)
{
    engine->first = MAX(engine->first, next);
    uint64_t cycle = engine->first - 1;
    break_worms(net, engine, cycle);
    net_flits_report_stuck(net, engine);
    return cycle;
}

uint64_t net_abort_settle(Network *net, NetEngine *engine, uint64_t time_ps)
{
    return stop_before(net, engine, time_ps / engine->rules.cycle_ps) + 1;
}

uint64_t net_abort_restore(Network *net, NetEngine *engine)
{
    uint64_t cycle = stop_before(net, engine, net_wormhole_cycle_at(&engine->rules, net->now));
    for (uint32_t index = 0; index < engine->rules.channels; index++)
        if (engine->channel[index].waiting && !net_headers_has_way(net, engine, index))
            lose(net, engine, front_packet(engine, index), NET_LOST_NO_WAY, NET_NONE, cycle);
    net_headers_reroute(net, engine, cycle + 1);
    return cycle + 1;
}

uint64_t net_abort_fail(Network *net, NetEngine *engine, uint32_t link)
{
    uint64_t cycle = stop_before(net, engine, net_wormhole_cycle_at(&engine->rules, net->now));
    g_autoptr(GArray) packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t vcs = engine->rules.virtual_channels;
    for (uint32_t index = link * vcs; index < (link + 1) * vcs; index++)
        for (uint32_t at = 0; at < engine->channel[index].packets; at++)
            g_array_append_val(packets, *packet_at(engine, index, at));
    for (guint i = 0; i < packets->len; i++) {
        uint32_t packet = g_array_index(packets, uint32_t, i);
        bool again = false; /* the packet goes through the link twice */
        for (guint earlier = 0; earlier < i; earlier++)
            again |= g_array_index(packets, uint32_t, earlier) == packet;
        if (!again)
            lose(net, engine, packet, NET_LOST_FAILURE, link, cycle);
    }
    return net_abort_restore(net, engine);
}
