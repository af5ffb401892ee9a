/* worms.c - the wormhole engine in use: packets that meet no other packet, in closed form.
 *
 * A *free worm* is a packet whose headers were all given a channel in the cycle in which they asked, of a link that
 * nobody else used, with room for what follows. So its flits follow each other through link after link, one in each
 * cycle. The cycle in which its header went through each link (Leg) says everything that it does. It is visited when
 * its header arrives somewhere, when its tail leaves the NIC and when its tail is at its destination, however many
 * flits it has.
 *
 * A free worm is *broken* when another packet wants a link that it sends through, or waits for one of its channels, or
 * when its own header has to wait. Its channels then get the state that the rules would have given them by the
 * beginning of that cycle. From then on it moves flit by flit (flits.c). A channel is in one form only, so all worms
 * that still have flits in the same channel, ahead or behind, are broken with it.
 *
 * If ejection is limited, the flits of one worm at a time come to a node. When others are there, too, the worm is
 * broken (Homecoming). Who comes in a cycle must be known at its beginning, so that there are no free worms then if
 * flits take no time to their destination.
 *
 * Room for what follows: a slot of a buffer can be used again `through + 1 + K` cycles after a flit was sent into it.
 * If the buffer has that many slots, it never runs full. Otherwise the whole packet must fit.
 */
#include "base/pool.h"
#include "netsim/core/core.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/engine.h"

enum { GOOD_LUCK = 4, MOST_LUCK = 64, REST = 1000 }; /* see try_luck() */
enum { LEAST_FLITS = 2 };                            /* of a free worm: shorter packets cost less as flits */

/* -- how far things are at the beginning of a cycle -------------------------------------------- */

static uint32_t so_far(uint64_t start, uint32_t flits, uint64_t cycle)
{
    return cycle <= start ? 0 : (uint32_t)MIN(cycle - start, flits);
}

/* Returns the number of flits whose slots count as free again. */
static uint32_t returned(const NetEngine *engine, const Leg *leg, uint64_t cycle)
{
    uint64_t delay = engine->rules.credit_cycles;
    return cycle <= delay ? 0 : so_far(leg->taken, leg->flits, cycle - delay);
}

static bool is_over(const NetEngine *engine, const Leg *leg, uint64_t cycle)
{
    return returned(engine, leg, cycle) == leg->flits;
}

uint32_t net_worm_credits_used(const NetEngine *engine, uint32_t channel, uint64_t cycle)
{
    uint32_t used = 0;
    uint32_t i = engine->channel[channel].newest_leg;
    for (; i != NET_NONE && !is_over(engine, &engine->leg[i], cycle); i = engine->leg[i].older)
        used += so_far(engine->leg[i].start, engine->leg[i].flits, cycle) - returned(engine, &engine->leg[i], cycle);
    return used;
}

/* -- memory ------------------------------------------------------------------------------------ */

static void release_leg(NetEngine *engine, uint32_t index)
{
    Leg *leg = &engine->leg[index];
    if (leg->newer != NET_NONE)
        engine->leg[leg->newer].older = leg->older;
    else
        engine->channel[leg->channel].newest_leg = leg->older;
    if (leg->older != NET_NONE)
        engine->leg[leg->older].newer = leg->newer;
    engine->link[engine->channel[leg->channel].link].legs--;
    BASE_POOL_GIVE(&engine->legs, engine->leg, index);
}

static void put_event(Network *net, NetEngine *engine, uint32_t worm, Due due, uint64_t cycle)
{
    engine->worm[worm].events++;
    put_due(net, engine, due, worm, cycle);
}

/* -- going on ---------------------------------------------------------------------------------- */

static bool is_idle(NetEngine *engine, uint32_t link, uint64_t cycle)
{
    settle_runner(engine, link, cycle);
    return engine->link[link].owned == 0;
}

/* Returns whether nobody has the medium or waits for the link. */
static bool is_alone(NetEngine *engine, uint32_t link, uint64_t cycle)
{
    const LinkState *state = &engine->link[link];
    if (state->first != NET_NONE || state->interest != NET_NONE || !is_idle(engine, link, cycle))
        return false;
    if (!state->special)
        return true;
    const Line *line = &engine->line[link];
    return line->period == 1 && (line->partner == NET_NONE || is_idle(engine, line->partner, cycle));
}

/* Returns whether the packet will find room in the channel's buffer and, at its destination, can be taken out without
 * delay. */
static bool has_room(const NetEngine *engine, uint32_t output, uint32_t flits, bool home, uint64_t cycle)
{
    const Channel *channel = &engine->channel[output];
    const uint64_t *delay = net_engine_delay(engine, channel->link);
    uint32_t buffer = engine->rules.buffer_flits;
    if (channel->credits != buffer)
        return false;
    if (channel->newest_leg == NET_NONE && (engine->roomy || flits <= buffer))
        return true;
    if (!home && engine->roomy)
        return true;
    uint32_t used = net_worm_credits_used(engine, output, cycle);
    if (!engine->roomy && delay[false] + 1 + engine->rules.credit_cycles > buffer && (uint64_t)used + flits > buffer)
        return false;
    if (!used || !home)
        return true;
    const Leg *ahead = &engine->leg[engine->channel[output].newest_leg];
    return ahead->home || ahead->start + delay[false] + ahead->flits - 1 <= cycle + delay[true];
}

/* One worm that comes home is worth several that are broken. Where too many are broken, packets do not try for a while.
 */
static void try_luck(NetEngine *engine, int change)
{
    engine->luck = MIN(engine->luck + change, MOST_LUCK);
    if (engine->luck > -MOST_LUCK)
        return;
    engine->luck = 0;
    engine->rest = REST;
}

static uint32_t begin_worm(Network *net, NetEngine *engine, uint32_t asker, uint64_t cycle)
{
    uint32_t packet = front_packet(engine, asker);
    uint32_t flits = engine->packets.packet[packet].flits;
    uint32_t worm = BASE_POOL_TAKE(&engine->worms, engine->worm);
    engine->worm[worm] = (Worm){.packet = packet, .flits = flits, .source = asker, .newest = NET_NONE};
    put_event(net, engine, worm, DUE_SENT, cycle + flits - 1);
    return worm;
}

static void add_leg(NetEngine *engine, uint32_t worm, uint32_t output, bool home, uint64_t cycle)
{
    Channel *channel = &engine->channel[output];
    LinkState *link = &engine->link[channel->link];
    LinkState *medium = &engine->link[link->medium];
    uint32_t before = engine->worm[worm].newest;
    uint32_t leg = BASE_POOL_TAKE(&engine->legs, engine->leg);
    engine->leg[leg] = (Leg){.start = cycle,
                             .taken = home ? cycle + net_engine_delay(engine, channel->link)[true] : NEVER,
                             .worm = worm,
                             .flits = engine->worm[worm].flits,
                             .channel = output,
                             .before = before,
                             .older = channel->newest_leg,
                             .newer = NET_NONE,
                             .home = home};
    if (before != NET_NONE)
        engine->leg[before].taken = cycle;
    if (channel->newest_leg != NET_NONE)
        engine->leg[channel->newest_leg].newer = leg;
    channel->newest_leg = engine->worm[worm].newest = leg;
    link->owned |= UINT64_C(1) << channel->vc;
    link->legs++;
    link->runner = leg;
    link->runner_vc = channel->vc;
    engine->line[channel->link].runs_until = cycle + engine->worm[worm].flits;
    link->sent_before = medium->last_sent;
    medium->last_sent = (uint8_t)(channel->vc + (link->medium == channel->link ? 0 : engine->rules.virtual_channels));
}

/* With limited ejection: returns whether no other worm is on its last leg to a node, and no flit waits there. */
static bool is_alone_at_home(const NetEngine *engine, uint32_t node, uint64_t cycle)
{
    uint32_t vcs = engine->rules.virtual_channels;
    if (!engine->homecoming)
        return true;
    if (engine->homecoming[node].end > cycle || engine->homecoming[node].blocked == cycle + 1)
        return false;
    for (uint32_t i = engine->entering.first[node]; i < engine->entering.first[node + 1]; i++)
        for (uint32_t vc = 0; vc < vcs; vc++)
            if (engine->channel[engine->entering.link[i] * vcs + vc].ready_home)
                return false;
    return true;
}

static void set_homecoming(Homecoming *homecoming, uint32_t worm, uint64_t begin, uint32_t flits)
{
    homecoming->worm = worm;
    homecoming->begin = begin;
    homecoming->end = begin + flits;
}

bool net_worm_run(Network *net, NetEngine *engine, uint32_t asker, uint32_t link, uint32_t vc, uint64_t cycle)
{
    uint32_t worm = engine->channel[asker].worm;
    if (!engine->may_run_free || net->watch || (worm == NET_NONE && !is_nic(engine, asker)))
        return false;
    uint32_t output = link * engine->rules.virtual_channels + vc;
    uint32_t packet = worm == NET_NONE ? front_packet(engine, asker) : engine->worm[worm].packet;
    uint32_t flits = engine->packets.packet[packet].flits;
    bool home = engine->packets.packet[packet].to == engine->channel[output].vertex;
    if (flits < LEAST_FLITS || !is_alone(engine, link, cycle) || !has_room(engine, output, flits, home, cycle))
        return false;
    uint64_t arrival = cycle + net_engine_delay(engine, link)[true];
    if (worm == NET_NONE && engine->rest) {
        engine->rest--;
        return false;
    }
    if (home && !is_alone_at_home(engine, engine->channel[output].vertex, cycle))
        return false;
    engine->channel[asker].worm = NET_NONE;
    if (worm == NET_NONE)
        worm = begin_worm(net, engine, asker, cycle);
    add_leg(engine, worm, output, home, cycle);
    if (home)
        put_event(net, engine, worm, DUE_TAIL, arrival + flits - 1);
    if (home && engine->homecoming)
        set_homecoming(&engine->homecoming[engine->channel[output].vertex], worm, arrival, flits);
    if (!home)
        put_event(net, engine, worm, DUE_WORM, cycle + net_engine_delay(engine, link)[false]);
    return true;
}

/* -- what is due ------------------------------------------------------------------------------- */

static void come_home(Network *net, NetEngine *engine, Worm *worm)
{
    uint32_t last = engine->leg[worm->newest].channel;
    worm->delivered = true;
    engine->last_served[engine->channel[last].vertex] = last;
    try_luck(engine, GOOD_LUCK);
    engine->arrived[engine->n_arrived++] = (Arrived){.channel = last, .packet = worm->packet};
    for (uint32_t i = worm->newest; i != NET_NONE; i = engine->leg[i].before) {
        uint32_t link = engine->channel[engine->leg[i].channel].link;
        engine->link[link].flits += worm->flits;
        net_flits_report(net, engine, link, worm->packet);
    }
}

static void end_worm(NetEngine *engine, uint32_t index)
{
    uint32_t before = NET_NONE;
    for (uint32_t i = engine->worm[index].newest; i != NET_NONE; i = before) {
        before = engine->leg[i].before;
        release_leg(engine, i);
    }
    BASE_POOL_GIVE(&engine->worms, engine->worm, index);
}

static void happen(Network *net, NetEngine *engine, uint32_t index, Due due, uint64_t cycle)
{
    Worm *worm = &engine->worm[index];
    if (due == DUE_WORM) {
        uint32_t channel = engine->leg[worm->newest].channel;
        engine->channel[channel].worm = index;
        set_add(&engine->asking, channel);
    } else if (due == DUE_SENT) {
        leave_source(engine, worm->source);
    } else if (due == DUE_TAIL) {
        come_home(net, engine, worm);
        put_event(net, engine, index, DUE_OVER, cycle + engine->rules.credit_cycles);
    } else {
        end_worm(engine, index);
    }
}

void net_worm_due(Network *net, NetEngine *engine, Due due, uint64_t cycle)
{
    const List *list = &engine->slot[cycle % SLOTS][due];
    for (uint32_t i = 0; i < list->count; i++) {
        Worm *worm = &engine->worm[list->item[i]];
        worm->events--;
        if (!worm->broken)
            happen(net, engine, list->item[i], due, cycle);
        else if (!worm->events)
            BASE_POOL_GIVE(&engine->worms, engine->worm, list->item[i]);
    }
}

/* -- breaking ---------------------------------------------------------------------------------- */

static void must_break(NetEngine *engine, uint32_t index)
{
    if (engine->worm[index].broken)
        return;
    engine->worm[index].broken = true;
    try_luck(engine, -1);
    list_add(engine, &engine->breaking, index);
}

/* Turns what one worm has in a channel into flits. */
static void make_flits(Network *net, NetEngine *engine, Leg *leg, uint64_t cycle)
{
    Channel *channel = &engine->channel[leg->channel];
    LinkState *link = &engine->link[channel->link];
    uint32_t sent = so_far(leg->start, leg->flits, cycle);
    uint32_t taken = so_far(leg->taken, leg->flits, cycle);
    uint32_t counted = returned(engine, leg, cycle);
    leg->explicit = true;
    must_break(engine, leg->worm);
    if (taken < leg->flits)
        push_packet(engine, leg->channel, engine->worm[leg->worm].packet, leg->flits - taken, leg->home);
    for (uint32_t flit = taken; flit < sent; flit++) {
        uint64_t due = leg->start + flit + net_engine_delay(engine, channel->link)[leg->home];
        if (leg->home)
            put_due(net, engine, DUE_HOME, leg->channel, due);
        else if (due + engine->between > cycle)
            put_due(net, engine, DUE_ARRIVAL, leg->channel, due);
        else
            channel->ready++;
    }
    for (uint32_t flit = counted; flit < taken; flit++)
        put_due(net, engine, DUE_CREDIT, leg->channel, leg->taken + flit + 1 + engine->rules.credit_cycles);
    channel->credits -= sent - counted;
    if (channel->credits == 0)
        link->credit &= ~(UINT64_C(1) << channel->vc);
}

/* Turns all legs in a channel into flits, oldest first. */
static void make_channel(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    uint32_t i = engine->channel[index].newest_leg;
    if (engine->leg[i].explicit)
        return;
    while (engine->leg[i].older != NET_NONE && !is_over(engine, &engine->leg[engine->leg[i].older], cycle))
        i = engine->leg[i].older;
    for (; i != NET_NONE; i = engine->leg[i].newer)
        make_flits(net, engine, &engine->leg[i], cycle);
}

/* The worm keeps its channel if it has not sent its tail; else the channel is given back. */
static void leave_channel(Network *net, NetEngine *engine, const Leg *leg, uint64_t cycle)
{
    const Channel *channel = &engine->channel[leg->channel];
    LinkState *link = &engine->link[channel->link];
    uint32_t packet = engine->worm[leg->worm].packet;
    uint32_t sent = so_far(leg->start, leg->flits, cycle);
    settle_runner(engine, channel->link, cycle);
    link->flits += sent;
    if (sent == leg->flits) {
        net_flits_report(net, engine, channel->link, packet);
        return;
    }
    link->runner = NET_NONE;
    if (sent == 0)
        engine->link[link->medium].last_sent = link->sent_before;
    uint32_t input = leg->before == NET_NONE ? engine->worm[leg->worm].source : engine->leg[leg->before].channel;
    if (leg->before == NET_NONE)
        engine->channel[input].left = engine->channel[input].ready = leg->flits - sent;
    net_flits_connect(engine, input, channel->link, channel->vc);
}

/* With limited ejection: a worm that was on its last leg no longer comes to its node as such. */
static void leave_home(NetEngine *engine, const Leg *leg, uint64_t cycle)
{
    uint32_t node = engine->channel[leg->channel].vertex;
    if (!engine->homecoming)
        return;
    if (so_far(leg->taken, leg->flits, cycle))
        engine->last_served[node] = leg->channel;
    engine->homecoming[node].end = 0;
}

static void break_worm(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    Worm *worm = &engine->worm[index];
    const Leg *newest = &engine->leg[worm->newest];
    uint32_t last = newest->channel;
    if (newest->home && !worm->delivered)
        leave_home(engine, newest, cycle);
    if (engine->channel[last].worm == index)
        engine->channel[last].worm = NET_NONE;
    for (uint32_t i = worm->newest; i != NET_NONE && !worm->delivered; i = engine->leg[i].before)
        leave_channel(net, engine, &engine->leg[i], cycle);
    uint32_t before = NET_NONE;
    for (uint32_t i = worm->newest; i != NET_NONE; i = before) {
        before = engine->leg[i].before;
        release_leg(engine, i);
    }
    if (!worm->events)
        BASE_POOL_GIVE(&engine->worms, engine->worm, index);
}

void net_worm_break(Network *net, NetEngine *engine, uint32_t first, uint64_t cycle)
{
    List *list = &engine->breaking;
    must_break(engine, first);
    for (uint32_t w = 0; w < list->count; w++)
        for (uint32_t i = engine->worm[list->item[w]].newest; i != NET_NONE; i = engine->leg[i].before)
            if (!is_over(engine, &engine->leg[i], cycle))
                make_channel(net, engine, engine->leg[i].channel, cycle);
    for (uint32_t w = 0; w < list->count; w++)
        break_worm(net, engine, list->item[w], cycle);
    list->count = 0;
}

void net_worm_break_channel(Network *net, NetEngine *engine, uint32_t channel, uint64_t cycle)
{
    uint32_t leg = engine->channel[channel].newest_leg;
    if (leg != NET_NONE && !is_over(engine, &engine->leg[leg], cycle))
        net_worm_break(net, engine, engine->leg[leg].worm, cycle);
}

void net_worm_break_link(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle)
{
    uint32_t vcs = engine->rules.virtual_channels;
    for (uint32_t vc = 0; vc < vcs && engine->link[link].legs; vc++)
        net_worm_break_channel(net, engine, link * vcs + vc, cycle);
}

/* A flit wants to be taken out of a channel in this cycle, or as soon as it is at the front. Breaks the worm that may
 * be at that node then. */
static void break_at(Network *net, NetEngine *engine, uint32_t index, uint64_t cycle)
{
    const Channel *channel = &engine->channel[index];
    Homecoming *homecoming = &engine->homecoming[channel->vertex];
    if (!channel->front_home)
        homecoming->blocked = cycle + 1;
    if (cycle < homecoming->end && (homecoming->begin <= cycle || !channel->front_home))
        net_worm_break(net, engine, homecoming->worm, cycle);
}

void net_worm_break_homecoming(Network *net, NetEngine *engine, uint64_t cycle)
{
    const List *home = &engine->slot[cycle % SLOTS][DUE_HOME];
    for (uint32_t i = 0; i < home->count; i++) /* the list grows by the flits of broken worms, which are alone then */
        break_at(net, engine, home->item[i], cycle);
    for (uint32_t i = 0; i < engine->ejecting.count; i++)
        break_at(net, engine, engine->ejecting.item[i], cycle);
}

void net_worm_break_all(Network *net, NetEngine *engine, uint64_t cycle)
{
    for (uint32_t link = 0; link < net->graph.links; link++)
        net_worm_break_link(net, engine, link, cycle);
}

void net_worm_break_runner(Network *net, NetEngine *engine, uint32_t link, uint64_t cycle)
{
    const LinkState *state = &engine->link[link];
    settle_runner(engine, link, cycle);
    if (state->runner != NET_NONE)
        net_worm_break(net, engine, engine->leg[state->runner].worm, cycle);
    uint32_t partner = state->special ? engine->line[link].partner : NET_NONE;
    if (partner == NET_NONE)
        return;
    settle_runner(engine, partner, cycle);
    if (engine->link[partner].runner != NET_NONE)
        net_worm_break(net, engine, engine->leg[engine->link[partner].runner].worm, cycle);
}
