/* damage.c - routing on what is left of a network.
 *
 * This is a routing function that stands in front of the one that was asked for. As long as nothing has failed, it
 * passes the other's answers through. From then on it drops hops over failed links, and hops after which the routing
 * would have no way to the destination. So every hop that it offers leads there. Functions that handle failures
 * (NetRouting.changed) find new ways. Adaptive functions avoid failed links as far as their rules allow. Functions with
 * a vertex in between choose another one. If the only way is cut, no hop is offered.
 *
 * Whether a hop leads to the destination depends on the link and class by which the packet then comes, on the
 * destination, and on the vertex in between. A depth-first search over such channels visits each at most once. Its
 * results are kept until another destination is asked for, or something changes.
 */
#include "netsim/core/core.h"
#include "netsim/faults/faults.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/routing/routing.h"

#include <string.h>

enum { DEAD_END = 0, LEADS_THERE = 1 };

/* A step of the search: a channel by which the packet came, and how many hops have been tried there. */
typedef struct Step {
    NetQuery query;
    uint32_t tried;
} Step;

struct NetDamage {
    NetRouting routing;       /* the routing that the network uses, with the functions of this file */
    const NetRouting *intact; /* the routing that was asked for */
    uint32_t failed;          /* number of links that do not work now */
    uint32_t classes;
    /* `seen` is about packets to `to` by way of `via`, from and to NICs of this number */
    uint32_t to, via, nic;
    uint32_t *seen; /* by channel: 2 * round + verdict; valid only for the current round */
    uint32_t round;
    GArray *steps;
};

static uint32_t raw_candidates(const Network *net, const NetDamage *damage, const NetQuery *query, NetHop *hops)
{
    if (damage->intact->candidates)
        return damage->intact->candidates(net, query, hops);
    hops[0] = damage->intact->next(net, query);
    return hops[0].link != NET_NONE;
}

static NetDamage *damage_of(const Network *net)
{
    return net_failures_damage(net->failures);
}

/* -- which hops lead to the destination -------------------------------------------------------- */

static void forget(NetDamage *damage, const Network *net)
{
    if (++damage->round < UINT32_MAX / 2)
        return;
    damage->round = 1;
    memset(damage->seen, 0, net->graph.links * damage->classes * sizeof *damage->seen);
}

static void ask_for(NetDamage *damage, const Network *net, const NetQuery *query)
{
    if (damage->to == query->to && damage->via == query->via && damage->nic == query->nic)
        return;
    damage->to = query->to;
    damage->via = query->via;
    damage->nic = query->nic;
    forget(damage, net);
}

static uint32_t *verdict_of(const NetDamage *damage, NetHop hop)
{
    return &damage->seen[hop.link * damage->classes + hop.channel_class];
}

/* All channels of the path lead to the destination, because the end of the path does. */
static bool found(NetDamage *damage)
{
    for (guint i = 1; i < damage->steps->len; i++) {
        const NetQuery *query = &g_array_index(damage->steps, Step, i).query;
        *verdict_of(damage, (NetHop){.link = query->in_link, .channel_class = query->in_class}) =
            2 * damage->round + LEADS_THERE;
    }
    return true;
}

/* Tries the next hop at the end of the path. Returns true if it leads to the destination. Returns false if the path has
 * become one step longer or shorter. */
static bool search_step(const Network *net, NetDamage *damage)
{
    NetHop hops[NET_MAX_CANDIDATES];
    Step *last = &g_array_index(damage->steps, Step, damage->steps->len - 1);
    uint32_t count = raw_candidates(net, damage, &last->query, hops);
    while (last->tried < count) {
        NetHop hop = net_of_nic(net, last->query.nic, hops[last->tried++]);
        uint32_t *verdict = verdict_of(damage, hop);
        if (net->graph.link[hop.link].failed || *verdict == 2 * damage->round + DEAD_END)
            continue;
        Step next = {.query = last->query};
        net_route_advance(net, &next.query, hop);
        g_array_append_val(damage->steps, next);
        if (*verdict == 2 * damage->round + LEADS_THERE || next.query.at == next.query.to)
            return true;
        /* A dead end until the search finds otherwise: going in circles leads nowhere. */
        *verdict = 2 * damage->round + DEAD_END;
        return false;
    }
    g_array_set_size(damage->steps, damage->steps->len - 1);
    return false;
}

static bool leads_there(const Network *net, NetDamage *damage, const NetQuery *query, NetHop hop)
{
    if (net->graph.link[hop.link].failed)
        return false;
    uint32_t verdict = *verdict_of(damage, hop);
    if (verdict / 2 == damage->round)
        return verdict % 2 == LEADS_THERE;
    g_array_set_size(damage->steps, 0);
    Step first = {.query = *query}; /* not searched, since only the given hop matters here */
    g_array_append_val(damage->steps, first);
    net_route_advance(net, &first.query, hop);
    g_array_append_val(damage->steps, first);
    *verdict_of(damage, hop) = 2 * damage->round + DEAD_END;
    if (first.query.at == first.query.to)
        return found(damage);
    while (damage->steps->len > 1)
        if (search_step(net, damage))
            return found(damage);
    return false;
}

/* -- the routing function ---------------------------------------------------------------------- */

static uint32_t candidates(const Network *net, const NetQuery *query, NetHop *hops)
{
    NetDamage *damage = damage_of(net);
    uint32_t count = raw_candidates(net, damage, query, hops);
    if (!damage->failed)
        return count;
    ask_for(damage, net, query);
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (leads_there(net, damage, query, net_of_nic(net, query->nic, hops[i])))
            hops[left++] = hops[i];
    return left;
}

static bool is_open(const Network *net, uint32_t from, uint32_t to, uint32_t via)
{
    NetHop hops[NET_MAX_CANDIDATES];
    NetQuery query = {.from = from, .to = to, .via = via, .at = from, .in_link = NET_NONE};
    return candidates(net, &query, hops) > 0;
}

/* Returns the vertex that the routing draws if packets can go by way of it; else NET_NONE if the straight way is open;
 * else the next vertex that serves. */
static uint32_t choose_via(const Network *net, uint32_t from, uint32_t to, uint64_t number)
{
    const NetDamage *damage = damage_of(net);
    uint32_t via = damage->intact->choose_via(net, from, to, number);
    if (!damage->failed || is_open(net, from, to, via))
        return via;
    if (via != NET_NONE && is_open(net, from, to, NET_NONE))
        return NET_NONE;
    uint32_t first, end;
    net_two_phase_range(net, &first, &end);
    uint32_t start = (uint32_t)((number >> 32) * (end - first) >> 32);
    for (uint32_t i = 0; i < end - first; i++) {
        uint32_t other = first + (start + i) % (end - first);
        if (other != from && other != to && is_open(net, from, to, other))
            return other;
    }
    return via;
}

NetDamage *net_damage_new(Network *net)
{
    NetDamage *damage = g_new0(NetDamage, 1);
    damage->intact = net->routing;
    damage->routing = *net->routing;
    damage->routing.next = NULL;
    damage->routing.candidates = candidates;
    damage->routing.choose_via = net->routing->choose_via ? choose_via : NULL;
    damage->classes = net->routing->classes(net);
    damage->to = damage->via = NET_NONE;
    damage->seen = g_new0(uint32_t, (size_t)net->graph.links * damage->classes);
    damage->round = 1;
    damage->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    net->routing = &damage->routing;
    return damage;
}

void net_damage_free(NetDamage *damage)
{
    g_free(damage->seen);
    g_array_unref(damage->steps);
    g_free(damage);
}

void net_damage_changed(Network *net, NetDamage *damage, uint32_t failed)
{
    damage->failed = failed;
    forget(damage, net);
    if (damage->intact->changed)
        damage->intact->changed(net);
}

/* -- questions --------------------------------------------------------------------------------- */

bool net_damage_reaches(const Network *net, uint32_t from, uint32_t to)
{
    const NetDamage *damage = damage_of(net);
    if (!damage->failed)
        return true;
    return is_open(net, from, to, damage->intact->choose_via ? choose_via(net, from, to, 0) : NET_NONE);
}

bool net_damage_connected(const Network *net, uint32_t from, uint32_t to)
{
    const NetGraph *graph = &net->graph;
    g_autofree uint32_t *queue = g_new(uint32_t, graph->vertices);
    g_autofree bool *seen = g_new0(bool, graph->vertices);
    uint32_t tail = 0;
    seen[from] = true;
    queue[tail++] = from;
    for (uint32_t head = 0; head < tail && !seen[to]; head++)
        for (uint32_t i = graph->first_out[queue[head]]; i < graph->first_out[queue[head] + 1]; i++) {
            const NetLink *link = &graph->link[i];
            if (link->failed || seen[link->to])
                continue;
            seen[link->to] = true;
            queue[tail++] = link->to;
        }
    return seen[to];
}
