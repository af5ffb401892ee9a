/* wormhole_reference.c - the plain wormhole engine: every channel in every cycle, every flit on its own. Two-phase.
 *
 * The rules are in wormhole.h; this file is written to be read beside them, and wormhole.c is tested against it. A
 * cycle is the column of calls in run_cycle(). Cycles are worked out only while something is under way, and those in
 * which nothing can happen because every flit is still in a pipeline are skipped.
 */
#include "netsim/wormhole.h"

#include <string.h>

typedef struct Flit {
    uint32_t packet, index;
    uint64_t ready; /* cycle from which it may be sent on; at its destination: at whose beginning it has arrived */
} Flit;

/* A virtual channel of a link: on one side it is owned and has credits, on the other it is a buffer. NICs are channels
 * with a buffer only, which is kept as NetNic. */
typedef struct Channel {
    /* as something to send through */
    uint32_t owner; /* the channel whose front packet owns this one, or NET_NONE */
    uint32_t credits;
    /* as something to send from */
    uint32_t vertex;      /* where the buffer is */
    uint32_t head, count; /* ring of flits */
    uint32_t output;      /* the channel that the front packet owns, or NET_NONE */
    uint32_t wanted;      /* else the link and class it has asked for; NET_NONE: has not asked */
    uint32_t wanted_class;
    uint64_t asked; /* since this cycle */
    uint32_t next_asker;
} Channel;

typedef struct LinkState {
    uint32_t first_asker, last_asker;
    uint32_t last_sent; /* virtual channel, for round robin */
    uint32_t chosen;    /* virtual channel that sends in this cycle, or NET_NONE */
} LinkState;

typedef struct Reference {
    NetWormhole rules;
    NetPackets packets;
    NetOrder *order;
    NetNic *nic;
    Channel *channel;
    Flit *flits; /* link_channels * buffer_flits */
    LinkState *link;
    uint64_t next_cycle; /* whose TICK is in the event queue; UINT64_MAX: none */
} Reference;

static void *start(Network *net)
{
    Reference *state = g_new0(Reference, 1);
    NetWormhole *rules = &state->rules;
    net_wormhole_init(rules, net);
    net_packets_init(&state->packets);
    state->order = net_order_new();
    state->nic = net_nics_new(net->params.nodes);
    state->channel = g_new0(Channel, rules->channels);
    state->flits = g_new0(Flit, (size_t)rules->link_channels * rules->buffer_flits + 1);
    state->link = g_new0(LinkState, MAX(net->graph.links, 1));
    state->next_cycle = UINT64_MAX;
    for (uint32_t i = 0; i < rules->channels; i++) {
        bool nic = i >= rules->link_channels;
        state->channel[i] = (Channel){
            .owner = NET_NONE,
            .output = NET_NONE,
            .wanted = NET_NONE,
            .credits = rules->buffer_flits,
            .vertex = nic ? i - rules->link_channels : net->graph.link[i / rules->virtual_channels].to,
        };
    }
    for (uint32_t i = 0; i < net->graph.links; i++)
        state->link[i] = (LinkState){.first_asker = NET_NONE, .last_sent = rules->virtual_channels - 1};
    return state;
}

static void stop(void *pointer)
{
    Reference *state = pointer;
    net_order_free(state->order);
    g_free(state->packets.packet);
    g_free(state->nic);
    g_free(state->channel);
    g_free(state->flits);
    g_free(state->link);
    g_free(state);
}

static bool is_nic(const Reference *state, uint32_t channel)
{
    return channel >= state->rules.link_channels;
}

/* The flit at the front of a channel's buffer; false: there is none. */
static bool front(const Reference *state, uint32_t index, Flit *flit)
{
    const Channel *channel = &state->channel[index];
    if (!is_nic(state, index)) {
        if (channel->count)
            *flit = state->flits[(size_t)index * state->rules.buffer_flits + channel->head];
        return channel->count > 0;
    }
    const NetNic *nic = &state->nic[index - state->rules.link_channels];
    *flit = (Flit){.packet = nic->packet, .index = nic->flit, .ready = nic->ready};
    return nic->packet != NET_NONE;
}

static bool is_home(const Reference *state, uint32_t index, const Flit *flit)
{
    return !is_nic(state, index) && state->packets.packet[flit->packet].to == state->channel[index].vertex;
}

static bool is_tail(const Reference *state, const Flit *flit)
{
    return flit->index + 1 == state->packets.packet[flit->packet].flits;
}

/* -- phase one: decide ------------------------------------------------------------------------------------------- */

/* Headers that have come to the front ask for their link, in the order of channel numbers. */
static void ask(Network *net, Reference *state, uint64_t cycle)
{
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        Channel *channel = &state->channel[i];
        Flit flit;
        if (channel->output != NET_NONE || channel->wanted != NET_NONE || !front(state, i, &flit) ||
            flit.ready > cycle || is_home(state, i, &flit))
            continue;
        assert(flit.index == 0);
        NetHop hop = net_next_hop(net, channel->vertex, state->packets.packet[flit.packet].to);
        LinkState *link = &state->link[hop.link];
        channel->wanted = hop.link;
        channel->wanted_class = hop.channel_class;
        channel->asked = cycle;
        channel->next_asker = NET_NONE;
        if (link->first_asker == NET_NONE)
            link->first_asker = i;
        else
            state->channel[link->last_asker].next_asker = i;
        link->last_asker = i;
    }
}

/* The lowest virtual channel of the class that is free and has a credit. */
static uint32_t free_channel(const Reference *state, uint32_t link, uint32_t channel_class)
{
    uint32_t first = net_wormhole_class_first(&state->rules, channel_class);
    uint32_t end = net_wormhole_class_first(&state->rules, channel_class + 1);
    for (uint32_t vc = first; vc < end; vc++) {
        const Channel *channel = &state->channel[link * state->rules.virtual_channels + vc];
        if (channel->owner == NET_NONE && channel->credits > 0)
            return link * state->rules.virtual_channels + vc;
    }
    return NET_NONE;
}

static bool grant_link(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    LinkState *link = &state->link[index];
    uint32_t before = NET_NONE;
    bool granted = false;
    for (uint32_t i = link->first_asker; i != NET_NONE; i = state->channel[i].next_asker) {
        Channel *asker = &state->channel[i];
        uint32_t output = free_channel(state, index, asker->wanted_class);
        if (output == NET_NONE) {
            before = i;
            continue;
        }
        state->channel[output].owner = i;
        asker->output = output;
        asker->wanted = NET_NONE;
        net->graph.link[index].blocked_ps += (cycle - asker->asked) * state->rules.cycle_ps;
        if (before == NET_NONE)
            link->first_asker = asker->next_asker;
        else
            state->channel[before].next_asker = asker->next_asker;
        if (link->last_asker == i)
            link->last_asker = before;
        granted = true;
    }
    return granted;
}

/* Whether virtual channel `output` has a flit to carry and room for it. */
static bool can_send(const Reference *state, uint32_t output, uint64_t cycle)
{
    Flit flit;
    const Channel *channel = &state->channel[output];
    return channel->owner != NET_NONE && channel->credits > 0 && front(state, channel->owner, &flit) &&
           flit.ready <= cycle;
}

static bool choose(Reference *state, uint32_t index, uint64_t cycle)
{
    uint32_t vcs = state->rules.virtual_channels;
    LinkState *link = &state->link[index];
    link->chosen = NET_NONE;
    for (uint32_t i = 1; i <= vcs && link->chosen == NET_NONE; i++) {
        uint32_t vc = (link->last_sent + i) % vcs;
        if (can_send(state, index * vcs + vc, cycle))
            link->chosen = vc;
    }
    return link->chosen != NET_NONE;
}

/* -- phase two: do ---------------------------------------------------------------------------------------------------
 */

static void take_front(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    Channel *channel = &state->channel[index];
    if (is_nic(state, index)) {
        net_nic_sent_flit(&state->nic[index - state->rules.link_channels], net, &state->rules, &state->packets, cycle);
        return;
    }
    channel->head = (channel->head + 1) % state->rules.buffer_flits;
    channel->count--;
    channel->credits++;
}

static void put_flit(Reference *state, uint32_t index, Flit flit, uint64_t cycle)
{
    Channel *channel = &state->channel[index];
    assert(channel->credits > 0 && channel->count < state->rules.buffer_flits);
    flit.ready = cycle + 1 + state->rules.link_cycles;
    if (!is_home(state, index, &flit))
        flit.ready += net_wormhole_routing_cycles(&state->rules, channel->vertex);
    uint32_t place = (channel->head + channel->count) % state->rules.buffer_flits;
    state->flits[(size_t)index * state->rules.buffer_flits + place] = flit;
    channel->count++;
    channel->credits--;
}

static void send_flit(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    LinkState *link = &state->link[index];
    uint32_t output = index * state->rules.virtual_channels + link->chosen;
    uint32_t input = state->channel[output].owner;
    Flit flit = {0};
    front(state, input, &flit);
    bool tail = is_tail(state, &flit);
    NetLink *report = &net->graph.link[index];
    report->busy_ps += state->rules.cycle_ps;
    if (tail) {
        report->bytes += state->packets.packet[flit.packet].wire_bytes;
        report->packets++;
        state->channel[output].owner = NET_NONE;
        state->channel[input].output = NET_NONE;
    }
    put_flit(state, output, flit, cycle);
    take_front(net, state, input, cycle);
    link->last_sent = link->chosen;
}

/* Takes out what has reached its destination by the end of the cycle. */
static bool eject(Network *net, Reference *state, uint32_t index, uint64_t cycle)
{
    Flit flit;
    if (!front(state, index, &flit) || !is_home(state, index, &flit) || flit.ready > cycle + 1)
        return false;
    take_front(net, state, index, cycle);
    if (!is_tail(state, &flit))
        return true;
    uint32_t message = state->packets.packet[flit.packet].message;
    net_packets_release(&state->packets, flit.packet);
    if (++net_message(net, message)->delivered == net_message(net, message)->packets)
        net_order_arrived(state->order, net, message);
    return true;
}

/* -- cycles
 * ------------------------------------------------------------------------------------------------------------ */

static bool run_cycle(Network *net, Reference *state, uint64_t cycle)
{
    bool progress = false;
    ask(net, state, cycle);
    for (uint32_t i = 0; i < net->graph.links; i++)
        progress |= grant_link(net, state, i, cycle);
    for (uint32_t i = 0; i < net->graph.links; i++)
        progress |= choose(state, i, cycle);
    for (uint32_t i = 0; i < net->graph.links; i++)
        if (state->link[i].chosen != NET_NONE)
            send_flit(net, state, i, cycle);
    for (uint32_t i = 0; i < state->rules.link_channels; i++)
        progress |= eject(net, state, i, cycle);
    return progress;
}

/* The next cycle in which a front flit becomes ready. */
static uint64_t next_ready(const Reference *state, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < state->rules.channels; i++) {
        Flit flit;
        if (!front(state, i, &flit))
            continue;
        uint64_t from = is_home(state, i, &flit) ? flit.ready - 1 : flit.ready;
        if (from > cycle)
            next = MIN(next, from);
    }
    return next;
}

static void schedule(Network *net, Reference *state, uint64_t cycle)
{
    if (cycle >= state->next_cycle)
        return;
    state->next_cycle = cycle;
    net_queue_push(net->queue, (cycle + 1) * state->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, 0);
}

static void inject(Network *net, uint32_t message)
{
    Reference *state = net->model_state;
    NetNic *nic = &state->nic[net_message(net, message)->from];
    net_order_begin(state->order, net, message);
    if (net_nic_add(nic, net, &state->rules, &state->packets, message))
        schedule(net, state, nic->ready);
}

static void tick(Network *net, const NetEvent *event)
{
    Reference *state = net->model_state;
    uint64_t cycle = event->a;
    if (cycle != state->next_cycle)
        return; /* an earlier cycle had become due, and was worked out instead */
    state->next_cycle = UINT64_MAX;
    bool progress = run_cycle(net, state, cycle);
    schedule(net, state, progress ? cycle + 1 : next_ready(state, cycle));
}

static bool blocked(const Network *net, uint32_t index, NetBlocked *what)
{
    const Reference *state = net->model_state;
    const Channel *channel = &state->channel[index];
    Flit flit;
    if (!front(state, index, &flit))
        return false;
    uint32_t first = channel->wanted * state->rules.virtual_channels +
                     net_wormhole_class_first(&state->rules, channel->wanted_class);
    bool owns = channel->output != NET_NONE;
    *what = (NetBlocked){.packet = flit.packet, .owns = owns, .channel = owns ? channel->output : first};
    return true;
}

static char *deadlock(const Network *net)
{
    const Reference *state = net->model_state;
    return net_wormhole_explain(net, &state->rules, &state->packets, blocked);
}

const NetModel net_model_wormhole_reference = {
    .name = "wormhole-reference",
    .needs_links = true,
    .check = net_wormhole_check,
    .start = start,
    .stop = stop,
    .inject = inject,
    .event = tick,
    .zero_load = net_wormhole_zero_load,
    .deadlock = deadlock,
};
