/* deadlock.c - finds what is stuck for ever, and draws the circle of channels and the packets in them.
 *
 * This is rule 7 of rules.h. Whether the front of a channel can go on is the least solution of that rule. It is
 * computed backwards, from the channels that can go on to those that wait for one of them. The time is proportional to
 * the channels and to what headers ask for. Both engines get the same answer, since they only describe their channels
 * (NetStanding). Everything that a stuck channel waits for is stuck, too. Following the first of these must come back
 * to a channel that was seen before, as there are finitely many. That part is the circle.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/rules.h"

typedef struct Edge {
    uint32_t waiting; /* the channel that can go on if the one in whose list this edge is can go on */
    uint32_t next;    /* next edge in that list; 0: none */
} Edge;

typedef struct Search {
    const Network *net;
    const NetWormhole *rules;
    const NetPackets *packets;
    NetStandingFunction *standing;
    uint32_t *waiters; /* per channel: list of edges, the channels that wait for it */
    GArray *edges;     /* Edge; the first is unused */
    bool *goes_on;     /* per channel: its front can go on */
    GArray *queue;     /* uint32_t: channels that go on and whose waiters have not been told yet */
} Search;

static void go_on(Search *search, uint32_t channel)
{
    if (search->goes_on[channel])
        return;
    search->goes_on[channel] = true;
    g_array_append_val(search->queue, channel);
}

static void wait_for(Search *search, uint32_t channel, uint32_t other)
{
    Edge edge = {.waiting = channel, .next = search->waiters[other]};
    search->waiters[other] = search->edges->len;
    g_array_append_val(search->edges, edge);
}

/* Adds all channels that a waiting header would take. */
static void wait_for_any(Search *search, uint32_t channel, const NetStanding *standing)
{
    const NetWormhole *rules = search->rules;
    const NetPacket *packet = &search->packets->packet[standing->holder];
    NetQuery query = net_wormhole_query(rules, packet, channel, standing->vertex);
    NetHop hops[NET_MAX_CANDIDATES];
    uint32_t count = net_candidates(search->net, &query, hops);
    uint32_t needed = rules->whole_buffers ? rules->buffer_flits : 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t left = net_wormhole_share(rules, packet, hops[i].channel_class); left; left &= left - 1) {
            uint32_t wanted = hops[i].link * rules->virtual_channels + (uint32_t)__builtin_ctzll(left);
            NetStanding other = search->standing(search->net, wanted);
            if (other.owner == NET_NONE && other.places >= needed)
                go_on(search, channel);
            wait_for(search, channel, wanted);
        }
}

static void search_all(Search *search)
{
    for (uint32_t channel = 0; channel < search->rules->channels; channel++) {
        NetStanding standing = search->standing(search->net, channel);
        if (standing.output != NET_NONE)
            wait_for(search, channel, standing.output);
        else if (standing.waiting)
            wait_for_any(search, channel, &standing);
        else
            go_on(search, channel);
    }
    while (search->queue->len > 0) {
        uint32_t channel = g_array_index(search->queue, uint32_t, search->queue->len - 1);
        g_array_set_size(search->queue, search->queue->len - 1);
        for (uint32_t i = search->waiters[channel]; i; i = g_array_index(search->edges, Edge, i).next)
            go_on(search, g_array_index(search->edges, Edge, i).waiting);
    }
}

/* Returns the first channel that a waiting header would take. */
static uint32_t first_wanted(const Search *search, uint32_t channel, const NetStanding *standing)
{
    const NetPacket *packet = &search->packets->packet[standing->holder];
    NetQuery query = net_wormhole_query(search->rules, packet, channel, standing->vertex);
    NetHop hop = net_route_next_hop(search->net, &query);
    return hop.link * search->rules->virtual_channels +
           (uint32_t)__builtin_ctzll(net_wormhole_share(search->rules, packet, hop.channel_class));
}

static uint32_t follow(const Search *search, uint32_t channel)
{
    NetStanding standing = search->standing(search->net, channel);
    assert(standing.waiting || standing.output != NET_NONE);
    return standing.output != NET_NONE ? standing.output : first_wanted(search, channel, &standing);
}

/* Returns whether packet a is younger than packet b. */
static bool is_younger(const NetPackets *packets, uint32_t a, uint32_t b)
{
    const NetPacket *left = &packets->packet[a];
    const NetPacket *right = &packets->packet[b];
    if (left->ready_ps != right->ready_ps)
        return left->ready_ps > right->ready_ps;
    if (left->from != right->from)
        return left->from > right->from;
    return left->nic != right->nic ? left->nic > right->nic : left->serial > right->serial;
}

static void find_circle(const Search *search, uint32_t channel, NetStuck *stuck)
{
    GArray *circle = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t step = 0; step < search->rules->channels; step++) /* after so many steps we are on the circle */
        channel = follow(search, channel);
    uint32_t start = channel;
    stuck->victim = NET_NONE;
    do {
        NetStanding standing = search->standing(search->net, channel);
        g_array_append_val(circle, channel);
        if (standing.waiting &&
            (stuck->victim == NET_NONE || is_younger(search->packets, standing.holder, stuck->victim)))
            stuck->victim = standing.holder;
        channel = follow(search, channel);
    } while (channel != start);
    assert(stuck->victim != NET_NONE);
    stuck->length = circle->len;
    stuck->circle = (uint32_t *)(void *)g_array_free(circle, FALSE);
}

bool net_wormhole_find_stuck(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                             NetStandingFunction *standing, NetStuck *stuck)
{
    Search search = {.net = net, .rules = rules, .packets = packets, .standing = standing};
    Edge none = {0};
    search.waiters = g_new0(uint32_t, rules->channels);
    search.goes_on = g_new0(bool, rules->channels);
    search.edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    search.queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(search.edges, none);
    search_all(&search);
    uint32_t channel = 0;
    while (channel < rules->link_channels && (search.goes_on[channel] || !standing(net, channel).waiting))
        channel++;
    *stuck = (NetStuck){.victim = NET_NONE};
    if (channel < rules->link_channels)
        find_circle(&search, channel, stuck);
    g_free(search.waiters);
    g_free(search.goes_on);
    g_array_free(search.edges, TRUE);
    g_array_free(search.queue, TRUE);
    return stuck->circle;
}

void net_wormhole_stuck_clear(NetStuck *stuck)
{
    g_clear_pointer(&stuck->circle, g_free);
}

/* -- in words ---------------------------------------------------------------------------------- */

static void append_channel(GString *text, const Network *net, const NetWormhole *rules, uint32_t channel)
{
    const NetLink *link = net_link(net, channel / rules->virtual_channels);
    g_autofree char *from = net_vertex_name(net, link->from);
    g_autofree char *to = net_vertex_name(net, link->to);
    g_string_append_printf(text, "%s -> %s (virtual channel %u)", from, to, channel % rules->virtual_channels);
}

static void append_packet(GString *text, const Network *net, const NetPackets *packets, uint32_t packet)
{
    g_autofree char *from = net_vertex_name(net, packets->packet[packet].from);
    g_autofree char *to = net_vertex_name(net, packets->packet[packet].to);
    g_string_append_printf(text, "packet %s -> %s", from, to);
}

static void append_step(GString *text, const Network *net, const NetWormhole *rules, const NetPackets *packets,
                        const NetStanding *standing, uint32_t channel, uint32_t next)
{
    g_string_append(text, "  ");
    append_packet(text, net, packets, standing->holder);
    g_string_append(text, " stands in ");
    append_channel(text, net, rules, channel);
    g_string_append(text, standing->waiting ? " and waits for " : " and holds, but cannot enter, ");
    append_channel(text, net, rules, next);
    g_string_append_c(text, '\n');
}

static char *draw(const Network *net, const NetWormhole *rules, const NetPackets *packets,
                  NetStandingFunction *standing, const NetStuck *stuck)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "network deadlock: %u packets under way, and %u channels wait for each other in a circle:\n",
                           packets->alive, stuck->length);
    for (uint32_t i = 0; i < stuck->length; i++) {
        NetStanding channel = standing(net, stuck->circle[i]);
        append_step(text, net, rules, packets, &channel, stuck->circle[i], stuck->circle[(i + 1) % stuck->length]);
    }
    if (rules->resolves) {
        g_string_append(text, "  ");
        append_packet(text, net, packets, stuck->victim);
        g_string_append(text, " is the youngest of them; it is taken out and sent again\n");
    }
    g_string_append_printf(text, "  (%s routing on this %s does not prevent it; %s does)\n", net->routing->name,
                           net->topology->name, net->topology->next ? "dimension-order" : "up-down");
    return g_string_free(text, FALSE);
}

void net_wormhole_report_stuck(Network *net, const NetWormhole *rules, const NetPackets *packets,
                               NetStandingFunction *standing, const NetStuck *stuck)
{
    if (!net->first_deadlock)
        net->first_deadlock = draw(net, rules, packets, standing, stuck);
    net->deadlocks++;
    net->is_deadlocked = !rules->resolves;
    if (net->is_deadlocked && net->client.deadlocked)
        net->client.deadlocked(net->client.user);
}
