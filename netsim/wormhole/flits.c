/* flits.c - the wormhole engine in use: what moves flit by flit (rules 1, 3 and 4 of rules.h). Two-phase.
 *
 * A flit only changes counters. Its channel loses a credit. The buffer that it comes from loses a ready flit and gets a
 * credit back. Later the buffer that it goes to has one more ready flit. Which flit of which packet it was matters only
 * when the last flit of the front packet is taken (Channel.left); then the next packet is looked up.
 *
 * Each link knows as bit sets which of its channels have a flit and which have a credit, so the next one in turn is
 * found by a shift and a count of zeros. Links that have any are in a list. In its cycle, sending changes nothing that
 * another link looks at: credits that come back are counted at once, but a channel that had none is announced only when
 * the cycle is over. So it does not matter in which order links choose and send.
 *
 * A packet of one flit has its channel for the cycle in which it gets it, if nothing else can be sent through the link
 * then. Such a *lone* flit is noted (Lone) and goes through the link in one step.
 */
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/engine.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t can_send(const LinkState *link)
{
    return link->flit & link->credit;
}

/* -- credits ----------------------------------------------------------------------------------- */

static void credit_counts(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    LinkState *link = &engine->link[channel->link];
    uint64_t bit = UINT64_C(1) << channel->vc;
    link->credit |= bit;
    activate(engine, link->medium, link->flit & bit);
    if (!(link->owned & bit))
        wake_line(net, engine, channel->link, cycle);
}

void net_flits_add_credit(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    uint32_t had = engine->channel[index].credits++;
    assert(had < engine->rules.buffer_flits);
    if (had == 0 || had + 1 == engine->needed)
        credit_counts(net, engine, index, cycle);
}

/* A flit has been taken out of a buffer. NICs need no credits. engine->credited has room for all channels. */
static inline void give_credit(Network *net, NetEngine *engine, Channel *channel, uint32_t index, uint64_t cycle)
{
    bool has_link = !is_nic(engine, index);
    if (engine->rules.credit_cycles) {
        if (has_link)
            put_due(net, engine, DUE_CREDIT, index, cycle + 1 + engine->rules.credit_cycles);
        return;
    }
    List *list = &engine->credited;
    uint32_t had = channel->credits++;
    assert(!has_link || had < engine->rules.buffer_flits);
    list->item[list->count] = index;
    list->count += has_link & ((had == 0) | (had + 1 == engine->needed));
}

void net_flits_count_credits(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *list = &engine->credited;
    for (uint32_t i = 0; i < list->count; i++)
        credit_counts(net, engine, list->item[i], cycle + 1);
    engine->credited.count = 0;
}

/* -- packets ----------------------------------------------------------------------------------- */

void net_flits_connect(NetEngine *engine, uint32_t asker, uint32_t index, uint32_t vc)
{
    Channel *input = &engine->channel[asker];
    LinkState *link = &engine->link[index];
    uint64_t bit = UINT64_C(1) << vc;
    engine->channel[index * engine->rules.virtual_channels + vc].owner = asker;
    input->output_link = index;
    input->output_vc = (uint8_t)vc;
    link->owned |= bit;
    if (engine->rules.switch_allocator) {
        list_add(engine, &engine->connected, asker);
        return;
    }
    if (!input->ready)
        return;
    link->flit |= bit;
    activate(engine, link->medium, link->credit & bit);
}

void net_flits_load_source(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const NetSource *source = net_nics_source(&engine->nics, &engine->rules, index);
    Channel *channel = &engine->channel[index];
    channel->front = source->packet;
    channel->left = channel->ready = engine->packets.packet[source->packet].flits;
    put_due(net, engine, DUE_HEADER, index, MAX(source->ready, cycle));
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

void net_flits_leave_nics(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetNics *nics = &engine->nics;
    const NetWormhole *rules = &engine->rules;
    List *list = &engine->left;
    if (list->count > 1 && rules->nics * rules->injection_channels > rules->nodes) /* a node may have several */
        qsort(list->item, list->count, sizeof *list->item, compare_numbers);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t channel = list->item[i];
        engine->channel[channel].left = engine->channel[channel].ready = 0;
        net_nics_sent(nics, net, rules, &engine->packets, channel, cycle);
        channel = net_nics_load(nics, net, rules, &engine->packets, net_wormhole_nic(rules, channel));
        if (channel != NET_NONE)
            net_flits_load_source(net, engine, channel, cycle + 1);
    }
    list->count = 0;
}

/* The front packet has left the buffer. The next packet's header asks, or its flits are taken out. */
static inline void next_packet(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    assert(channel->packets);
    channel->head = channel->head + 1 == engine->rules.buffer_flits ? 0 : channel->head + 1;
    channel->front_home = false;
    if (--channel->packets) {
        channel->front = engine->ring[(size_t)index * engine->rules.buffer_flits + channel->head];
        net_flits_next_front(net, engine, index, cycle);
    }
}

void net_flits_next_front(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    channel->front_home = false;
    if (channel->packets == 0)
        return;
    const NetPacket *packet = &engine->packets.packet[front_packet(engine, index)];
    channel->left = packet->flits;
    channel->front_home = packet->to == channel->vertex;
    if (channel->front_home && channel->ready_home)
        list_add(engine, &engine->ejecting, index);
    else if (!channel->front_home && channel->ready)
        put_due(net, engine, DUE_HEADER, index, cycle + 1);
}

/* Returns the time of a flit on a link. */
static inline uint64_t flit_ps(const NetEngine *engine, uint32_t link)
{
    uint64_t cycle_ps = engine->rules.cycle_ps;
    return G_UNLIKELY(engine->link[link].special) ? engine->line[link].period * cycle_ps : cycle_ps;
}

static inline void report_packet(Network *net, NetEngine *engine, uint32_t index, uint32_t packet)
{
    LinkState *link = &engine->link[index];
    NetLink *report = &net->graph.link[index];
    report->busy_ps += link->flits * flit_ps(engine, index);
    report->bytes += engine->packets.packet[packet].wire_bytes;
    report->packets++;
    link->flits = 0;
}

void net_flits_report(Network *net, NetEngine *engine, uint32_t link, uint32_t packet)
{
    report_packet(net, engine, link, packet);
}

void net_flits_report_stuck(Network *net, NetEngine *engine)
{
    for (uint32_t i = 0; i < net->graph.links; i++) {
        net->graph.link[i].busy_ps += engine->link[i].flits * flit_ps(engine, i);
        engine->link[i].flits = 0;
    }
}

/* The front packet of `input` has sent its tail through `output`. */
static void pass_tail(Network *net, NetEngine *engine, uint32_t output, uint32_t input, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    LinkState *link = &engine->link[channel->link];
    uint64_t bit = UINT64_C(1) << channel->vc;
    uint32_t packet = front_packet(engine, input);
    link->owned &= ~bit;
    link->flit &= ~bit;
    channel->owner = NET_NONE;
    engine->channel[input].output_link = NET_NONE;
    report_packet(net, engine, channel->link, packet);
    if (net->watch)
        net_wormhole_tell_release(net, &engine->rules, &engine->packets, packet, output, cycle);
    wake_line(net, engine, channel->link, cycle + 1);
    if (!is_nic(engine, input)) {
        next_packet(net, engine, input, cycle);
        return;
    }
    leave_source(engine, input);
}

/* -- sending ----------------------------------------------------------------------------------- */

/* A medium that is special (busy for several cycles, or shared) has sent. Plans when it may send again. */
static void wake_special(Network *net, NetEngine *engine, uint32_t medium, uint64_t cycle)
{
    const LinkState *link = &engine->link[medium];
    Line *line = &engine->line[medium];
    line->free = cycle + line->period;
    bool more = can_send(link) || (line->partner != NET_NONE && can_send(&engine->link[line->partner]));
    if (more && line->period != 1)
        put_due(net, engine, DUE_LINK, medium, line->free);
    else
        activate(engine, medium, more);
}

static inline void send_flit(Network *net, NetEngine *engine, uint32_t output, Channel *channel, LinkState *link,
                             uint64_t cycle)
{
    uint32_t from = channel->owner;
    Channel *input = &engine->channel[from];
    uint32_t vc = channel->vc;
    assert(channel->credits && input->ready && input->left);
    link->credit &= ~((uint64_t)(--channel->credits == 0) << vc);
    link->flit &= ~((uint64_t)(--input->ready == 0) << vc);
    link->flits++;
    give_credit(net, engine, input, from, cycle);
    if (G_UNLIKELY(--input->left == 0))
        pass_tail(net, engine, output, from, cycle);
    if (G_UNLIKELY(link->special))
        wake_special(net, engine, link->medium, cycle);
    else
        activate(engine, channel->link, can_send(link));
}

/* Returns the bits above `last`: none if it is bit 63. */
static inline uint64_t after(uint64_t bits, uint32_t last)
{
    return bits & ~((UINT64_C(2) << last) - 1);
}

/* Returns the next number in turn on a half-duplex medium. Numbers in the second half are the partner's channels. */
static uint32_t next_place(const uint64_t can[2], uint32_t last, uint32_t vcs)
{
    bool second = last >= vcs;
    uint64_t later = after(can[second], second ? last - vcs : last);
    if (!later && can[!second])
        return (uint32_t)__builtin_ctzll(can[!second]) + (second ? 0 : vcs);
    return (uint32_t)__builtin_ctzll(later ? later : can[second]) + (second ? vcs : 0);
}

/* Returns the next channel in turn on a special medium (busy for several cycles, or shared); NET_NONE: nothing can be
 * sent. */
static uint32_t choose_special(Network *net, NetEngine *engine, uint32_t medium, uint64_t cycle)
{
    LinkState *link = &engine->link[medium];
    const Line *line = &engine->line[medium];
    uint32_t vcs = engine->rules.virtual_channels;
    uint64_t can[2] = {can_send(link), line->partner == NET_NONE ? 0 : can_send(&engine->link[line->partner])};
    if (!can[0] && !can[1])
        return NET_NONE;
    if (line->free > cycle) {
        put_due(net, engine, DUE_LINK, medium, line->free);
        return NET_NONE;
    }
    uint32_t place = next_place(can, link->last_sent, vcs);
    link->last_sent = (uint8_t)place;
    return place < vcs ? medium * vcs + place : line->partner * vcs + place - vcs;
}

/* Returns the next channel in turn; NET_NONE: nothing can be sent. */
static inline uint32_t choose(Network *net, NetEngine *engine, uint32_t medium, LinkState *link, uint64_t cycle)
{
    if (G_UNLIKELY(link->special))
        return choose_special(net, engine, medium, cycle);
    uint64_t can = can_send(link);
    if (!can)
        return NET_NONE;
    uint64_t later = after(can, link->last_sent);
    uint32_t vc = (uint32_t)__builtin_ctzll(later ? later : can);
    link->last_sent = (uint8_t)vc;
    return medium * engine->rules.virtual_channels + vc;
}

/* Plans the arrival of a flit that has been sent through a channel. */
static inline void put_flit(Network *net, NetEngine *engine, uint32_t output, const LinkState *link, bool home,
                            uint64_t cycle)
{
    if (G_UNLIKELY(!engine->same_delay)) {
        put_due(net, engine, home ? DUE_HOME : DUE_ARRIVAL, output,
                cycle + engine->line[link - engine->link].delay[home]);
        return;
    }
    List *list = engine->arrivals[home];
    list->item[list->count++] = output;
}

/* Makes room for the flits of all media that may send in this cycle. */
static void make_room(NetEngine *engine, uint64_t cycle)
{
    for (uint32_t home = 0; engine->same_delay && home < 2; home++) {
        List *list = &engine->slot[(cycle + engine->delay[home]) % SLOTS][home ? DUE_HOME : DUE_ARRIVAL];
        while (list->capacity < list->count + engine->active.count + engine->lones + engine->connected.count)
            net_engine_list_grow(engine, list);
        engine->arrivals[home] = list;
    }
}

static void mark_arrivals(NetEngine *engine, uint64_t cycle)
{
    for (uint32_t home = 0; engine->same_delay && home < 2; home++) {
        uint32_t slot = (cycle + engine->delay[home]) % SLOTS;
        uint32_t any = engine->arrivals[home]->count > 0;
        engine->occupied[slot / 64] |= (uint64_t)any << slot % 64;
        engine->kinds[slot] |= (uint16_t)(any << (home ? DUE_HOME : DUE_ARRIVAL));
    }
}

static inline void send_through(Network *net, NetEngine *engine, uint32_t output, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    LinkState *link = &engine->link[channel->link];
    bool home = channel->enters_home;
    send_flit(net, engine, output, channel, link, cycle);
    put_flit(net, engine, output, link, home, cycle);
}

/* Limited injection: of the flits that links have chosen from NICs, only some are sent. The links of the others have
 * had their turn. */
static void send_some(Network *net, NetEngine *engine, uint64_t cycle)
{
    uint32_t media = engine->active.count, n = 0;
    for (uint32_t i = 0; i < media; i++) {
        uint32_t medium = engine->active.item[i];
        engine->link[medium].active = false;
        uint32_t output = choose(net, engine, medium, &engine->link[medium], cycle);
        if (output != NET_NONE)
            engine->sending[n++] = (NetSending){.channel = output, .from = engine->channel[output].owner};
    }
    engine->active.count = 0;
    net_nics_limit(&engine->nics, &engine->rules, engine->sending, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t output = engine->sending[i].channel;
        if (engine->sending[i].may)
            send_through(net, engine, output, cycle);
        else
            activate(engine, engine->link[engine->channel[output].link].medium, true);
    }
}

/* Switches are allocated: sends what they let pass. */
static void send_routed(Network *net, NetEngine *engine, uint64_t cycle)
{
    uint32_t n = net_routed_choose(net, engine, cycle);
    for (uint32_t i = 0; i < n; i++)
        send_through(net, engine, engine->sending[i].channel, cycle);
    net_routed_finish(engine, cycle);
}

/* -- lone flits -------------------------------------------------------------------------------- */

/* A lone flit goes from its buffer through its channel in one step. */
static inline void send_lone(Network *net, NetEngine *engine, const Lone *lone, uint64_t cycle)
{
    LinkState *link = &engine->link[lone->link];
    Channel *input = &engine->channel[lone->from];
    Channel *output = &engine->channel[lone->output];
    NetLink *report = &net->graph.link[lone->link];
    assert(input->ready && input->left == 1 && output->credits);
    link->owned &= ~(UINT64_C(1) << lone->vc);
    link->last_sent = lone->vc;
    if (--output->credits == 0)
        link->credit &= ~(UINT64_C(1) << lone->vc);
    push_packet(engine, lone->output, lone->packet, 1, lone->home);
    report->busy_ps += (link->flits + 1) * engine->rules.cycle_ps;
    report->bytes += engine->packets.packet[lone->packet].wire_bytes;
    report->packets++;
    link->flits = 0;
    List *arrivals = engine->arrivals[lone->home];
    arrivals->item[arrivals->count++] = lone->output;
    if (link->first != NET_NONE)
        wake_line(net, engine, lone->link, cycle + 1);
    input->ready--;
    input->left = 0;
    if (is_nic(engine, lone->from)) {
        leave_source(engine, lone->from);
        return;
    }
    give_credit(net, engine, input, lone->from, cycle);
    next_packet(net, engine, lone->from, cycle);
}

/* A lone flit meets others, so its packet gets its channel as any other. */
static G_GNUC_NO_INLINE void join(NetEngine *engine, const Lone *lone)
{
    push_packet(engine, lone->output, lone->packet, 1, lone->home);
    net_flits_connect(engine, lone->from, lone->link, lone->vc);
}

static void send_lones(Network *net, NetEngine *engine, uint64_t cycle)
{
    for (uint32_t i = 0; i < engine->lones; i++) {
        const Lone *lone = &engine->lone[i];
        LinkState *link = &engine->link[lone->link];
        link->lone = false;
        if (G_UNLIKELY(can_send(link)))
            join(engine, lone);
        else
            send_lone(net, engine, lone, cycle);
    }
    engine->lones = 0;
}

/* Lets all active media send. Each is put among the active ones again if it has more to send: behind those that have
 * still to be looked at, as it takes at most the place that it had. */
static void send_all(Network *net, NetEngine *engine, uint64_t cycle)
{
    const uint32_t *media = engine->active.item;
    uint32_t count = engine->active.count;
    engine->active.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t medium = media[i];
        LinkState *link = &engine->link[medium];
        link->active = false;
        uint32_t output = choose(net, engine, medium, link, cycle);
        if (output != NET_NONE)
            send_through(net, engine, output, cycle);
    }
}

void net_flits_send(Network *net, NetEngine *engine, uint64_t cycle)
{
    make_room(engine, cycle);
    send_lones(net, engine, cycle);
    if (engine->rules.switch_allocator)
        send_routed(net, engine, cycle);
    else if (engine->rules.injection_flits)
        send_some(net, engine, cycle);
    else
        send_all(net, engine, cycle);
    mark_arrivals(engine, cycle);
}

void net_flits_arrive(NetEngine *engine, const List *channels)
{
    enum { AHEAD = 4 };
    for (uint32_t i = 0; i < channels->count; i++) {
        uint32_t index = channels->item[i];
        Channel *channel = &engine->channel[index];
        if (i + AHEAD < channels->count)
            __builtin_prefetch(&engine->channel[channels->item[i + AHEAD]], 1);
        channel->ready++;
        if (channel->output_link != NET_NONE) {
            LinkState *link = &engine->link[channel->output_link];
            link->flit |= UINT64_C(1) << channel->output_vc;
            activate(engine, link->medium, can_send(link));
        } else if (channel->ready == 1 && !channel->front_home) {
            set_add(&engine->asking, index);
            __builtin_prefetch(&engine->packets.packet[channel->front]);
        }
    }
}

/* -- ejection ---------------------------------------------------------------------------------- */

static void take_home(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    assert(channel->front_home && channel->left);
    give_credit(net, engine, channel, index, cycle);
    if (--channel->left)
        return;
    engine->arrived[engine->n_arrived++] = (Arrived){.channel = index, .packet = front_packet(engine, index)};
    next_packet(net, engine, index, cycle);
}

/* Takes out one of the flits that had to wait. */
static void take_waiting(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Channel *channel = &engine->channel[index];
    bool tail = channel->left == 1;
    assert(channel->ready_home);
    channel->ready_home--;
    take_home(net, engine, index, cycle);
    if (!tail && channel->ready_home)
        list_add(engine, &engine->ejecting, index);
}

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

/* Takes out the flits of channels that are the only ones of their nodes to have any. Observers are told of arrivals in
 * the order of nodes, so this is not done for them. */
static void take_only(Network *net, NetEngine *engine, List *list, uint64_t cycle)
{
    uint32_t left = 0;
    if (net->watch)
        return;
    for (uint32_t i = 0; i < list->count; i++)
        engine->claims[engine->channel[list->item[i]].vertex]++;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t index = list->item[i];
        uint32_t node = engine->channel[index].vertex;
        if (engine->claims[node] > 1) {
            list->item[left++] = index;
            continue;
        }
        engine->claims[node] = 0;
        engine->last_served[node] = index;
        take_waiting(net, engine, index, cycle);
    }
    list->count = left;
    for (uint32_t i = 0; i < left; i++)
        engine->claims[engine->channel[list->item[i]].vertex] = 0;
}

/* Takes out at most E flits of each node, in turns. */
static void take_some(Network *net, NetEngine *engine, List *list, uint64_t cycle)
{
    take_only(net, engine, list, cycle);
    if (list->count > 1)
        g_qsort_with_data(list->item, (gint)list->count, sizeof(uint32_t), compare_nodes, engine);
    uint32_t node = NET_NONE;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t index = list->item[i];
        taken = engine->channel[index].vertex == node ? taken : 0;
        node = engine->channel[index].vertex;
        if (taken++ < engine->rules.ejection_flits) {
            engine->last_served[node] = index;
            take_waiting(net, engine, index, cycle);
        } else {
            list_add(engine, &engine->ejecting, index);
        }
    }
}

/* Sorts the packets that have arrived by channel, few as they are. */
static void sort_arrived(NetEngine *engine)
{
    Arrived *arrived = engine->arrived;
    for (uint32_t i = 1; i < engine->n_arrived; i++) {
        Arrived next = arrived[i];
        uint32_t place = i;
        for (; place > 0 && arrived[place - 1].channel > next.channel; place--)
            arrived[place] = arrived[place - 1];
        arrived[place] = next;
    }
}

/* Delivers packets in the order in which their last flits were taken out. Without limited ejection that is the order of
 * channels. */
static void deliver(Network *net, NetEngine *engine)
{
    if (!engine->rules.ejection_flits)
        sort_arrived(engine);
    for (uint32_t i = 0; i < engine->n_arrived; i++) {
        uint32_t packet = engine->arrived[i].packet;
        uint32_t message = engine->packets.packet[packet].message;
        if (net->watch)
            net_watch_ejected(net, packet, message, net->now);
        net_wormhole_packets_release(&engine->packets, packet);
        net_wormhole_arrived(net, engine->order, message);
    }
    engine->n_arrived = 0;
}

/* With limited ejection and nothing left over from before: takes out the flits that are alone at their nodes, and notes
 * the others. */
static void take_alone(Network *net, NetEngine *engine, const List *home, uint64_t cycle)
{
    for (uint32_t i = 0; i < home->count; i++)
        engine->claims[engine->channel[home->item[i]].vertex]++;
    for (uint32_t i = 0; i < home->count; i++) {
        uint32_t index = home->item[i];
        Channel *channel = &engine->channel[index];
        if (engine->claims[channel->vertex] == 1 && channel->front_home && !channel->ready_home) {
            engine->last_served[channel->vertex] = index;
            take_home(net, engine, index, cycle);
        } else if (!channel->ready_home++ && channel->front_home) {
            list_add(engine, &engine->ejecting, index);
        }
    }
    for (uint32_t i = 0; i < home->count; i++)
        engine->claims[engine->channel[home->item[i]].vertex] = 0;
}

/* Takes out what is not limited; notes what has to wait its turn. */
static void take_arriving(Network *net, NetEngine *engine, const List *home, bool limited, uint64_t cycle)
{
    for (uint32_t i = 0; i < home->count; i++) {
        Channel *channel = &engine->channel[home->item[i]];
        if (channel->front_home && !channel->ready_home && !limited)
            take_home(net, engine, home->item[i], cycle);
        else if (!channel->ready_home++ && channel->front_home)
            list_add(engine, &engine->ejecting, home->item[i]);
    }
}

void net_flits_eject(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *home = &engine->slot[cycle % SLOTS][DUE_HOME];
    bool limited = engine->rules.ejection_flits;
    if (limited && !net->watch && engine->ejecting.count == 0)
        take_alone(net, engine, home, cycle);
    else
        take_arriving(net, engine, home, limited, cycle);
    if (engine->ejecting.count) {
        List now = engine->ejecting;
        engine->ejecting = engine->taking; /* collects what is left for the next cycle */
        engine->taking = now;
        if (limited)
            take_some(net, engine, &now, cycle);
        for (uint32_t i = 0; !limited && i < now.count; i++)
            take_waiting(net, engine, now.item[i], cycle);
        engine->taking.count = 0;
    }
    if (engine->kinds[cycle % SLOTS] & (1U << DUE_TAIL | 1U << DUE_OVER)) {
        net_worm_due(net, engine, DUE_TAIL, cycle);
        net_worm_due(net, engine, DUE_OVER, cycle);
    }
    if (engine->n_arrived)
        deliver(net, engine);
}
