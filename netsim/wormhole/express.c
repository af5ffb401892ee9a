/* express.c - the wormhole engine in use: messages that have their way to themselves.
 *
 * A message of one packet that finds its way empty needs none of the engine. The cycle in which its header asks for its
 * first channel says when everything happens to it. So all that is noted is until when it uses its links, its NIC and
 * its node, and there is one event, for its tail.
 *
 * That holds only while nothing else is in the engine, and while no two such *express* messages use the same link, NIC
 * or node. When a message is handed over that does, the engine gets all of them at the times at which it would have had
 * them, and computes the cycles up to now (engine.c). Nothing can have been missed until then.
 *
 * If a message is handed over at the end of a cycle, it makes no difference whether that cycle has been computed. With
 * several injection channels it would: one of them may become idle.
 *
 * Buffers are such that free worms always leave a credit (engine->roomy). Credits on their way back then delay nobody,
 * so a link is as new when a tail has passed it.
 */
#include "base/queue.h"
#include "netsim/core/core.h"
#include "netsim/delivery/delivery.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/engine.h"

#include <string.h>

enum { GOOD_LUCK = 1, BAD_LUCK = 4, MOST_LUCK = 256, REST = 1000 };

void net_express_init(Network *net, NetEngine *engine)
{
    Expresses *all = &engine->expresses;
    all->possible = engine->hop && engine->roomy && engine->plain_shares && !engine->sorted && engine->needed == 1 &&
                    engine->may_run_free && engine->rules.injection_channels == 1 && !net->routing->choose_via &&
                    !net->source_routed && !net->transport;
    for (uint32_t i = 0; i < net->graph.links; i++)
        all->possible &= !engine->link[i].special;
    if (!all->possible)
        return;
    all->link = g_new0(uint64_t, MAX(net->graph.links, 1));
    all->node = g_new0(uint64_t, net->params.nodes);
    all->nic_ps = g_new0(uint64_t, engine->rules.nics);
}

void net_express_clear(NetEngine *engine)
{
    g_free(engine->expresses.link);
    g_free(engine->expresses.node);
    g_free(engine->expresses.nic_ps);
}

/* Whether nothing is in the engine, and nothing is due. */
static inline bool is_empty(const NetEngine *engine)
{
    return engine->next_cycle == NEVER && !engine->packets.alive && !engine->far;
}

static inline uint32_t hop_of(const NetEngine *engine, uint32_t vertex, uint32_t to)
{
    return engine->hop[(size_t)vertex * engine->rules.nodes + to];
}

static inline uint32_t link_of(uint32_t hop)
{
    return hop >> HOP_BITS;
}

static inline uint32_t end_of(const NetEngine *engine, uint32_t hop)
{
    return engine->channel[link_of(hop) * engine->rules.virtual_channels].vertex;
}

/* Returns the cycle in which the header is at its destination, if it asks at its source in cycle `ready` and nobody
 * uses its links from then on. NEVER: somebody does, or its way is not known. */
static inline uint64_t arrival_of(const NetEngine *engine, uint32_t from, uint32_t to, uint64_t ready)
{
    uint64_t cycle = ready;
    for (uint32_t vertex = from;;) {
        uint32_t hop = hop_of(engine, vertex, to);
        if (G_UNLIKELY(hop == NET_NONE) || engine->expresses.link[link_of(hop)] >= ready)
            return NEVER;
        cycle += net_engine_delay(engine, link_of(hop))[hop & 1];
        if (hop & 1)
            return cycle;
        vertex = end_of(engine, hop);
    }
}

static inline void reserve(NetEngine *engine, const NetMessage *message, const Express *express, uint32_t nic)
{
    Expresses *all = &engine->expresses;
    for (uint32_t vertex = message->from, hop = 0; !(hop & 1); vertex = end_of(engine, hop)) {
        hop = hop_of(engine, vertex, message->to);
        all->link[link_of(hop)] = express->tail;
    }
    all->node[message->to] = express->tail;
    all->nic_ps[nic] = (express->ready + express->flits) * engine->rules.cycle_ps;
}

/* Returns the cycle in which the tail leaves the NIC. */
static inline uint64_t sent_in(const Express *express)
{
    return express->ready + express->flits - 1;
}

static inline void put_tick(Network *net, const NetEngine *engine, uint64_t cycle)
{
    base_queue_push(net->queue, (cycle + 1) * engine->rules.cycle_ps, NET_EVENT_TICK, 0, cycle, NET_EXPRESS_TICK);
}

bool net_express_send(Network *net, NetEngine *engine, uint32_t index)
{
    Expresses *all = &engine->expresses;
    const NetMessage *message = net_message(net, index);
    const NetWormhole *rules = &engine->rules;
    uint32_t nic = net_nic_of(net, message);
    if (!all->possible || net->watch || !is_empty(engine) || message->packets != 1 || message->nic ||
        net->now != message->ready_ps || all->count == MOST_EXPRESSES)
        return false;
    if (all->rest) {
        all->rest--;
        return false;
    }
    uint64_t now = net_wormhole_cycle_from(rules, net->now);
    uint64_t ready = now + net_wormhole_routing_cycles(rules, message->from) + rules->packet_cycles;
    if (all->node[message->to] >= ready || all->nic_ps[nic] >= net->now)
        return false;
    uint64_t arrival = arrival_of(engine, message->from, message->to, ready);
    uint32_t flits = net_wormhole_flits(&engine->packets, net, net_packet_bytes(&net->params, message->bytes, 0));
    if (arrival == NEVER || arrival + flits - now >= SLOTS)
        return false;
    Express *express = &all->express[all->count++];
    *express = (Express){
        .message = index, .flits = flits, .ready = ready, .tail = arrival + flits - 1, .told = message->unreported};
    reserve(engine, message, express, nic);
    if (!express->told)
        put_tick(net, engine, sent_in(express));
    put_tick(net, engine, express->tail);
    return true;
}

/* Counts what has gone through the links, and leaves the state in which a packet leaves them. */
static inline void count(Network *net, NetEngine *engine, const Express *express)
{
    const NetMessage *message = net_message(net, express->message);
    uint64_t bytes = net_packet_bytes(&net->params, message->bytes, 0),
             busy_ps = express->flits * engine->rules.cycle_ps;
    for (uint32_t vertex = message->from, hop = 0; !(hop & 1); vertex = end_of(engine, hop)) {
        hop = hop_of(engine, vertex, message->to);
        LinkState *link = &engine->link[link_of(hop)];
        NetLink *report = &net->graph.link[link_of(hop)];
        uint64_t share = engine->rules.class_share[hop >> 1 & ((1U << CLASS_BITS) - 1)];
        uint64_t later = engine->has_turns ? share & ~((UINT64_C(2) << link->last_given) - 1) : 0;
        link->last_given = link->last_sent = (uint8_t)__builtin_ctzll(later ? later : share);
        report->busy_ps += busy_ps;
        report->bytes += bytes;
        report->packets++;
        if (hop & 1)
            engine->last_served[message->to] = link_of(hop) * engine->rules.virtual_channels + link->last_given;
    }
}

static inline void come_home(Network *net, NetEngine *engine, const Express *express)
{
    NetMessage *message = net_message(net, express->message);
    count(net, engine, express);
    engine->nics.nic[net_nic_of(net, message)].serial++;
    engine->expresses.luck = MIN(engine->expresses.luck + GOOD_LUCK, MOST_LUCK);
    message->injected = message->delivered = 1;
    net_order_announce(net, express->message);
}

/* All that happens in one cycle is told in the order of events, as if that cycle had been computed. */
void net_express_tick(Network *net, NetEngine *engine, uint64_t cycle)
{
    Expresses *all = &engine->expresses;
    Express homes[MOST_EXPRESSES];
    uint32_t kept = 0, home = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        Express express = all->express[i];
        if (!express.told && sent_in(&express) == cycle) {
            express.told = true;
            base_queue_push(net->queue, net->now, NET_EVENT_SENT, net_message(net, express.message)->from,
                            express.message, 0);
        }
        if (express.tail == cycle)
            homes[home++] = express;
        else
            all->express[kept++] = express;
    }
    all->count = kept;
    for (uint32_t i = 0; i < home; i++) /* the client may send meanwhile */
        come_home(net, engine, &homes[i]);
}

void net_express_give_up(NetEngine *engine)
{
    Expresses *all = &engine->expresses;
    all->luck -= BAD_LUCK * (int)all->count;
    all->count = 0;
    if (all->luck > -MOST_LUCK)
        return;
    all->luck = 0;
    all->rest = REST;
}
