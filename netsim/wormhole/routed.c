/* routed.c - the wormhole engine in use: routers with allocators (rules 10 to 12 of rules.h). Two-phase.
 *
 * Only routers where something is asked for are visited, and only what is asked for there. Sets of inputs and of links
 * are bits in the order of routers, so that going through them visits one router after the other. A header that has
 * asked in vain for channels asks again in the next cycle. One that has found no free channel is woken by its links.
 *
 * What passes the switch is chosen for all routers before anything is sent. Packets that get their channels in a cycle
 * are noted (engine->connected) and can be sent from the next one on, unless they speculate.
 */
#include "netsim/core/core.h"
#include "netsim/graph/graph.h"
#include "netsim/params/params.h"
#include "netsim/wormhole/allocators.h"
#include "netsim/wormhole/engine.h"
#include "netsim/wormhole/rules.h"

#include <stdlib.h>

typedef struct Given { /* a channel that a header gets */
    uint32_t asker, link, vc;
} Given;

typedef struct NetRouted {
    NetRouters routers;
    NetAllocatorState *vc;      /* by vertex, or NULL */
    NetAllocatorState *pass[2]; /* by vertex, or NULL: for packets that have a channel, and for those that speculate */
    uint16_t *turn[2];          /* by port: the number of the channel that is considered first */
    NetRequest *requests;       /* work space: those of one router */
    ChannelSet asking;          /* inputs whose headers ask for channels in this cycle */
    ChannelSet bidding;         /* inputs whose headers speculate in this cycle */
    uint32_t *bid;              /* by input: for which link */
    Given *given;               /* work space: room for all inputs */
    ChannelSet links;           /* links that have something to send in this cycle */
    uint32_t sending;           /* flits in engine->sending */
    uint64_t *sent, *passed;    /* by link, by port: the cycle after the last one in which it was given something */
    List left_over;             /* links that could have sent, and did not */
    /* Of the router that is looked at: by port and link, the channels of the port that ask for the link. */
    uint64_t want[NET_MOST_PORTS][NET_MOST_PORTS];
    uint64_t ask[NET_MOST_PORTS]; /* by port: links that it asks for */
    uint64_t ports;               /* ports that ask */
} NetRouted;

static void make_allocators(NetRouted *routed, const NetWormhole *rules, const NetGraph *graph)
{
    const NetRouters *routers = &routed->routers;
    routed->vc = rules->vc_allocator ? g_new0(NetAllocatorState, graph->vertices) : NULL;
    for (int i = 0; i < 2 && rules->switch_allocator; i++)
        routed->pass[i] = g_new0(NetAllocatorState, graph->vertices);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t links = graph->first_out[v + 1] - graph->first_out[v];
        if (routed->vc)
            net_allocator_init(&routed->vc[v], rules->vc_allocator, rules->iterations,
                               routers->first_input[v + 1] - routers->first_input[v], links * rules->virtual_channels,
                               rules->virtual_channels);
        for (int i = 0; i < 2 && rules->switch_allocator; i++)
            net_allocator_init(&routed->pass[i][v], rules->switch_allocator, rules->iterations,
                               routers->first_port[v + 1] - routers->first_port[v], links, links);
    }
}

void net_routed_init(Network *net, NetEngine *engine)
{
    const NetWormhole *rules = &engine->rules;
    NetRouted *routed = engine->routed = g_new0(NetRouted, 1);
    net_routers_init(&routed->routers, net, rules->virtual_channels, rules->injection_channels);
    make_allocators(routed, rules, &net->graph);
    uint32_t links = MAX(net->graph.links, 1), ports = routed->routers.ports;
    routed->requests = g_new(NetRequest, MAX(rules->channels, NET_MOST_PORTS));
    routed->asking = net_engine_new_set(rules->channels);
    routed->bidding = net_engine_new_set(rules->channels);
    routed->bid = g_new(uint32_t, rules->channels);
    routed->given = g_new(Given, rules->channels);
    routed->links = net_engine_new_set(links);
    routed->sent = g_new0(uint64_t, links);
    routed->passed = g_new0(uint64_t, ports);
    for (int i = 0; i < 2; i++)
        routed->turn[i] = g_new0(uint16_t, ports);
}

static void free_set(ChannelSet *set)
{
    g_free(set->word);
    g_free(set->filled);
}

static void free_allocators(NetAllocatorState *states, uint32_t count)
{
    for (uint32_t i = 0; states && i < count; i++)
        net_allocator_clear(&states[i]);
    g_free(states);
}

void net_routed_clear(NetEngine *engine)
{
    NetRouted *routed = engine->routed;
    if (!routed)
        return;
    free_allocators(routed->vc, routed->routers.vertices);
    for (int i = 0; i < 2; i++) {
        free_allocators(routed->pass[i], routed->routers.vertices);
        g_free(routed->turn[i]);
    }
    net_routers_clear(&routed->routers);
    free_set(&routed->asking);
    free_set(&routed->bidding);
    free_set(&routed->links);
    g_free(routed->requests);
    g_free(routed->bid);
    g_free(routed->given);
    g_free(routed->sent);
    g_free(routed->passed);
    g_free(routed->left_over.item);
    g_free(routed);
}

/* -- channels ---------------------------------------------------------------------------------- */

/* The header in a channel has no channel of a link yet. If it has asked for some, it asks again in the next cycle. */
static void wait_on(Network *net, NetEngine *engine, uint32_t index, uint32_t asked, uint64_t cycle)
{
    if (engine->place[index].asked == cycle)
        net_headers_note(net, engine, index);
    if (asked != NET_NONE)
        wake_line(net, engine, asked, cycle + 1);
}

/* Matches the requests of one router. Adds what is given to routed->given. Returns how many these are. */
static uint32_t match_headers(Network *net, NetEngine *engine, uint32_t v, uint32_t count, uint32_t n, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    uint32_t first = net->graph.first_out[v];
    net_allocator_match(&routed->vc[v], routed->requests, count);
    for (uint32_t i = 0; i < count; i++) {
        const NetRequest *request = &routed->requests[i];
        uint32_t asker = routed->routers.channel_of[routed->routers.first_input[v] + request->input];
        uint32_t link = first + request->group;
        if (request->given == NET_NONE)
            wait_on(net, engine, asker, link, cycle);
        else
            routed->given[n++] = (Given){asker, link, request->given - request->group * engine->rules.virtual_channels};
    }
    return n;
}

static int compare_askers(const void *a, const void *b)
{
    uint32_t left = ((const Given *)a)->asker;
    uint32_t right = ((const Given *)b)->asker;
    return (left > right) - (left < right);
}

/* Gives the channels. Observers are told in the order of askers. */
static void give_all(Network *net, NetEngine *engine, uint32_t n, uint64_t cycle)
{
    Given *given = engine->routed->given;
    if (net->watch)
        qsort(given, n, sizeof *given, compare_askers);
    for (uint32_t i = 0; i < n; i++)
        net_headers_grant(net, engine, given[i].asker, given[i].link, given[i].vc, cycle);
}

void net_routed_serve(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    const NetRouters *routers = &routed->routers;
    for (uint32_t i = 0; i < engine->askers.count; i++)
        set_add(&routed->asking, routers->input_of[engine->askers.item[i]]);
    uint32_t v = NET_NONE, count = 0, n = 0, at = 0, input;
    while ((input = set_take(&routed->asking, &at)) != NET_NONE) {
        uint32_t index = routers->channel_of[input];
        if (!engine->channel[index].waiting)
            continue;
        if (engine->channel[index].vertex != v && count) {
            n = match_headers(net, engine, v, count, n, cycle);
            count = 0;
        }
        v = engine->channel[index].vertex;
        uint64_t free = 0;
        uint32_t link = net_headers_wish(net, engine, index, cycle, &free);
        if (link == NET_NONE) {
            wait_on(net, engine, index, NET_NONE, cycle);
            continue;
        }
        routed->requests[count++] = (NetRequest){
            .input = input - routers->first_input[v], .group = link - net->graph.first_out[v], .outputs = free};
        if (!engine->rules.speculates)
            continue;
        set_add(&routed->bidding, input);
        routed->bid[input] = link;
    }
    if (count)
        n = match_headers(net, engine, v, count, n, cycle);
    give_all(net, engine, n, cycle);
}

/* -- the switch -------------------------------------------------------------------------------- */

/* A channel of a port asks for a link of the router. */
static inline void want(NetRouted *routed, uint32_t port, uint32_t link, uint32_t place)
{
    if (!(routed->ports >> port & 1)) {
        routed->ports |= UINT64_C(1) << port;
        routed->ask[port] = 0;
    }
    if (!(routed->ask[port] >> link & 1)) {
        routed->ask[port] |= UINT64_C(1) << link;
        routed->want[port][link] = 0;
    }
    routed->want[port][link] |= UINT64_C(1) << place;
}

/* A port may send through a link: chooses which of its packets goes. */
static inline void pass(NetEngine *engine, uint32_t port, uint32_t link, uint64_t wants, int number, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    uint32_t from = routed->routers.channel_from[port];
    uint32_t count = is_nic(engine, from) ? engine->rules.injection_channels : engine->rules.virtual_channels;
    uint64_t later = wants & ~UINT64_C(0) << routed->turn[number][port];
    uint32_t place = (uint32_t)__builtin_ctzll(later ? later : wants);
    const Channel *input = &engine->channel[from + place];
    routed->turn[number][port] = (uint16_t)(place + 1 == count ? 0 : place + 1);
    if (input->output_link != link)
        return; /* it speculated in vain */
    routed->passed[port] = routed->sent[link] = cycle + 1;
    engine->sending[routed->sending++].channel = link * engine->rules.virtual_channels + input->output_vc;
}

/* Matches the ports and links of a router. */
static void match_ports(const Network *net, NetEngine *engine, uint32_t v, int number, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    NetRequest *requests = routed->requests;
    uint32_t count = 0;
    assert(routed->ports);
    for (uint64_t left = routed->ports; left; left &= left - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(left);
        requests[count++] = (NetRequest){.input = port, .outputs = routed->ask[port]};
    }
    routed->ports = 0;
    net_allocator_match(&routed->pass[number][v], requests, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = requests[i].input, link = requests[i].given;
        if (link != NET_NONE)
            pass(engine, routed->routers.first_port[v] + port, net->graph.first_out[v] + link, routed->want[port][link],
                 number, cycle);
    }
}

/* Collects the links that can send now. */
static void gather_links(Network *net, NetEngine *engine, uint64_t cycle)
{
    for (uint32_t i = 0; i < engine->active.count; i++) {
        uint32_t index = engine->active.item[i];
        LinkState *link = &engine->link[index];
        link->active = false;
        if (!(link->flit & link->credit))
            continue;
        if (G_UNLIKELY(link->special) && engine->line[index].free > cycle)
            put_due(net, engine, DUE_LINK, index, engine->line[index].free);
        else
            set_add(&engine->routed->links, index);
    }
    engine->active.count = 0;
}

static void pass_ready(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    const NetRouters *routers = &routed->routers;
    uint32_t v = NET_NONE, at = 0, index;
    while ((index = set_take(&routed->links, &at)) != NET_NONE) {
        uint32_t from = net->graph.link[index].from;
        if (from != v && v != NET_NONE)
            match_ports(net, engine, v, 0, cycle);
        v = from;
        list_add(engine, &routed->left_over, index);
        for (uint64_t can = engine->link[index].flit & engine->link[index].credit; can; can &= can - 1) {
            uint32_t vc = (uint32_t)__builtin_ctzll(can);
            uint32_t owner = engine->channel[index * engine->rules.virtual_channels + vc].owner;
            want(routed, routers->port_of[owner] - routers->first_port[v], index - net->graph.first_out[v],
                 routers->place_of[owner]);
        }
    }
    if (v != NET_NONE)
        match_ports(net, engine, v, 0, cycle);
}

/* Lets headers speculate that asked for channels in this cycle, or, without an allocator of channels, got one. */
static void pass_bidders(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    const NetRouters *routers = &routed->routers;
    for (uint32_t i = 0; !routed->vc && i < engine->connected.count; i++) {
        uint32_t input = routers->input_of[engine->connected.item[i]];
        set_add(&routed->bidding, input);
        routed->bid[input] = engine->channel[engine->connected.item[i]].output_link;
    }
    uint32_t v = NET_NONE, at = 0, input;
    while ((input = set_take(&routed->bidding, &at)) != NET_NONE) {
        uint32_t index = routers->channel_of[input], link = routed->bid[input], port = routers->port_of[index];
        bool busy = engine->link[link].special && engine->line[link].free > cycle;
        if (busy || routed->sent[link] == cycle + 1 || routed->passed[port] == cycle + 1)
            continue;
        if (engine->channel[index].vertex != v && routed->ports)
            match_ports(net, engine, v, 1, cycle);
        v = engine->channel[index].vertex;
        want(routed, port - routers->first_port[v], link - net->graph.first_out[v], routers->place_of[index]);
    }
    if (routed->ports)
        match_ports(net, engine, v, 1, cycle);
}

static int compare_sending(const void *a, const void *b)
{
    uint32_t left = ((const NetSending *)a)->channel;
    uint32_t right = ((const NetSending *)b)->channel;
    return (left > right) - (left < right);
}

/* Observers are told in the order of links. Otherwise it makes no difference which is sent first. */
uint32_t net_routed_choose(Network *net, NetEngine *engine, uint64_t cycle)
{
    NetRouted *routed = engine->routed;
    routed->left_over.count = routed->sending = 0;
    gather_links(net, engine, cycle);
    pass_ready(net, engine, cycle);
    if (engine->rules.speculates)
        pass_bidders(net, engine, cycle);
    if (net->watch)
        qsort(engine->sending, routed->sending, sizeof *engine->sending, compare_sending);
    return routed->sending;
}

void net_routed_finish(NetEngine *engine, uint64_t cycle)
{
    const List *left = &engine->routed->left_over;
    for (uint32_t i = 0; i < left->count; i++)
        activate(engine, left->item[i], engine->routed->sent[left->item[i]] != cycle + 1);
    for (uint32_t i = 0; i < engine->connected.count; i++) {
        const Channel *input = &engine->channel[engine->connected.item[i]];
        if (input->output_link == NET_NONE || !input->ready)
            continue;
        LinkState *link = &engine->link[input->output_link];
        uint64_t bit = UINT64_C(1) << input->output_vc;
        link->flit |= bit;
        activate(engine, link->medium, link->credit & bit);
    }
    engine->connected.count = 0;
}
