/* test_flows.c - the flow model compared with the plainest possible one: flows are in a list, and after every change
 * all rates are computed anew. Both use integers, so they must agree to the picosecond.
 */
#include "base/random.h"
#include "helper.h"

#include <string.h>

#define UNITS ((__uint128_t)NET_PS_PER_S) /* units in a byte */
enum { LONGEST = 64 };

typedef struct PlainFlow {
    uint32_t from, to, hops, links[LONGEST];
    uint64_t bytes, begin_ps, latency_ps, end_ps, rate;
    __uint128_t left;
    bool active, filled;
} PlainFlow;

typedef struct Plain {
    const Network *net;
    PlainFlow *flow;
    uint32_t flows;
    uint64_t *left; /* by medium; units of rate not yet assigned */
    uint32_t *open;
} Plain;

static uint32_t medium_of(const Network *net, uint32_t link)
{
    return MIN(link, net_link(net, link)->partner);
}

static void open_media(Plain *plain)
{
    for (uint32_t i = 0; i < net_link_count(plain->net); i++) {
        plain->left[i] = net_link(plain->net, i)->bandwidth;
        plain->open[i] = 0;
    }
    for (uint32_t i = 0; i < plain->flows; i++) {
        plain->flow[i].filled = !plain->flow[i].active;
        for (uint32_t h = 0; h < plain->flow[i].hops && plain->flow[i].active; h++)
            plain->open[medium_of(plain->net, plain->flow[i].links[h])]++;
    }
}

static bool crosses(const Plain *plain, const PlainFlow *flow, uint32_t medium)
{
    for (uint32_t h = 0; h < flow->hops; h++)
        if (medium_of(plain->net, flow->links[h]) == medium)
            return true;
    return false;
}

static void fill_flow(Plain *plain, PlainFlow *flow, uint64_t rate)
{
    flow->filled = true;
    flow->rate = rate;
    for (uint32_t h = 0; h < flow->hops; h++) {
        uint32_t medium = medium_of(plain->net, flow->links[h]);
        plain->left[medium] -= MIN(plain->left[medium], rate);
        plain->open[medium]--;
    }
}

/* Progressive filling: takes the medium with the least rate for each of its flows, the lowest of several. */
static void fill_all(Plain *plain)
{
    open_media(plain);
    for (;;) {
        uint64_t least = UINT64_MAX;
        uint32_t full = NET_NONE;
        for (uint32_t i = 0; i < net_link_count(plain->net); i++) {
            uint64_t share = plain->open[i] ? MAX(plain->left[i] / plain->open[i], 1) : UINT64_MAX;
            if (share < least) {
                least = share;
                full = i;
            }
        }
        if (full == NET_NONE)
            return;
        for (uint32_t i = 0; i < plain->flows; i++)
            if (!plain->flow[i].filled && crosses(plain, &plain->flow[i], full))
                fill_flow(plain, &plain->flow[i], least);
    }
}

static uint64_t time_left(const PlainFlow *flow)
{
    return (uint64_t)((flow->left + flow->rate - 1) / flow->rate);
}

static uint64_t next_time(const Plain *plain, uint64_t now_ps, bool filled)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < plain->flows; i++) {
        const PlainFlow *flow = &plain->flow[i];
        if (flow->active && filled)
            next = MIN(next, now_ps + time_left(flow));
        else if (!flow->active && flow->end_ps == UINT64_MAX)
            next = MIN(next, flow->begin_ps);
    }
    return next;
}

static void advance(Plain *plain, uint64_t from_ps, uint64_t to_ps)
{
    for (uint32_t i = 0; i < plain->flows; i++) {
        PlainFlow *flow = &plain->flow[i];
        if (!flow->active)
            continue;
        if (from_ps + time_left(flow) == to_ps) {
            flow->active = false;
            flow->end_ps = to_ps;
        } else {
            flow->left -= (__uint128_t)flow->rate * (to_ps - from_ps);
        }
    }
    for (uint32_t i = 0; i < plain->flows; i++)
        if (plain->flow[i].begin_ps == to_ps && plain->flow[i].end_ps == UINT64_MAX)
            plain->flow[i].active = true;
}

static void run_plain(Plain *plain)
{
    uint64_t now_ps = 0;
    for (uint64_t next; (next = next_time(plain, now_ps, true)) != UINT64_MAX; now_ps = next) {
        advance(plain, now_ps, next);
        fill_all(plain);
    }
}

/* Finds the route and the latencies of its links and routers. The random number is that of the model. */
static void find_route(const Network *net, PlainFlow *flow, uint64_t number)
{
    NetQuery query =
        net_route_begin(net, flow->from, flow->to, base_random_mix(net_network_params(net)->seed, flow->from, number));
    while (query.at != flow->to) {
        NetHop hop = net_route_next_hop(net, &query);
        cr_assert_lt(flow->hops, LONGEST);
        flow->links[flow->hops++] = hop.link;
        flow->latency_ps += net_vertex_latency(net, query.at) + net_link(net, hop.link)->latency_ps;
        net_route_advance(net, &query, hop);
    }
}

/* A short message that overtakes a longer one between the same nodes is delivered together with it. */
static uint64_t delivered_ps(const Plain *plain, uint32_t index)
{
    const PlainFlow *flow = &plain->flow[index];
    uint64_t latest = 0;
    for (uint32_t i = 0; i <= index; i++)
        if (plain->flow[i].from == flow->from && plain->flow[i].to == flow->to)
            latest = MAX(latest, plain->flow[i].end_ps + plain->flow[i].latency_ps);
    return latest;
}

typedef struct Load {
    uint32_t flows, bytes, gap_ps; /* averages */
    uint32_t pairs;                /* number of nodes that send and receive; 0: all */
} Load;

static void compare(NetParams *params, const Load *load, uint64_t seed)
{
    Log log;
    log_init(&log, load->flows);
    g_autoptr(Network) net = make_network(params, &log);
    Plain plain = {.net = net,
                   .flow = g_new0(PlainFlow, load->flows),
                   .flows = load->flows,
                   .left = g_new(uint64_t, net_link_count(net)),
                   .open = g_new(uint32_t, net_link_count(net))};
    uint32_t nodes = load->pairs ? MIN(load->pairs, net_network_nodes(net)) : net_network_nodes(net);
    uint64_t now_ps = 1;
    for (uint32_t i = 0; i < load->flows; i++) {
        PlainFlow *flow = &plain.flow[i];
        flow->from = random_below(&seed, nodes);
        flow->to = (flow->from + 1 + random_below(&seed, nodes - 1)) % nodes;
        flow->bytes = random_below(&seed, 8) ? random_below(&seed, 2 * load->bytes) : random_below(&seed, 3);
        flow->begin_ps = now_ps += load->gap_ps ? 1 + random_below(&seed, 2 * load->gap_ps) : 0;
        flow->end_ps = UINT64_MAX;
        flow->left = (flow->bytes + net_packet_count(params, flow->bytes) * params->header_bytes) * UNITS;
        find_route(net, flow, i);
        send_message(net, flow->from, flow->to, flow->bytes, flow->begin_ps, i);
    }
    run_all(net);
    run_plain(&plain);
    for (uint32_t i = 0; i < load->flows; i++) {
        cr_assert_eq(log.message[i].sent_ps, plain.flow[i].end_ps, "%s, message %u of %u bytes", params->topology, i,
                     (unsigned)plain.flow[i].bytes);
        cr_assert_eq(log.message[i].delivered_ps, delivered_ps(&plain, i));
    }
    g_free(plain.flow);
    g_free(plain.left);
    g_free(plain.open);
    log_clear(&log);
}

static NetParams flow_params(const char *topology, const char *dims)
{
    NetParams params = make_params(topology, dims, "flow");
    params.startup_ps = 0;
    return params;
}

/* Many flows on many networks: all at once, one after the other, or so rarely that most are alone. Some links are half
 * duplex, and some carry hardly a byte per second. */
Test(flows, equal_the_plain_model)
{
    static const struct {
        const char *topology, *dims, *routing;
        NetDuplex duplex;
        uint64_t bandwidth;
        Load load;
    } cases[] = {
        {"mesh", "4x4", "dimension-order", NET_DUPLEX_FULL, 1000000007, {120, 5000, 0, 0}},
        {"mesh", "4x4", "dimension-order", NET_DUPLEX_FULL, 1000000007, {150, 5000, 1000000, 0}},
        {"mesh", "4x4", "dimension-order", NET_DUPLEX_FULL, 1000000000, {150, 5000, 8000000, 0}},
        {"mesh", "4x4", "dimension-order", NET_DUPLEX_HALF, 1000000000, {120, 5000, 700000, 0}},
        {"torus", "5x4x3", "dimension-order", NET_DUPLEX_FULL, 999999937, {150, 20000, 900000, 0}},
        {"torus", "5x4x3", "valiant", NET_DUPLEX_HALF, 1000000000, {120, 20000, 900000, 0}},
        {"ring", "8", "shortest-path", NET_DUPLEX_FULL, 3, {40, 60, 1000000, 0}},
        {"crossbar", "6", "shortest-path", NET_DUPLEX_FULL, 1000000000, {150, 5000, 600000, 0}},
        {"star", "6", "shortest-path", NET_DUPLEX_FULL, 1000000000, {120, 5000, 600000, 0}},
        {"fat-tree", "4x4", "destination-mod-k", NET_DUPLEX_FULL, 1000000000, {150, 5000, 600000, 0}},
        {"dragonfly", "2x4x2", "shortest-path", NET_DUPLEX_FULL, 1000000000, {60, 5000, 90000000, 0}},
        {"linear", "4", "shortest-path", NET_DUPLEX_FULL, 1000000000, {150, 500, 60000, 2}},
        {"mesh", "4x4", "dimension-order", NET_DUPLEX_FULL, 1000000000, {150, 5000, 300000, 4}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        for (uint64_t run = 1; run <= 6; run++) {
            NetParams params = flow_params(cases[i].topology, cases[i].dims);
            params.routing = cases[i].routing;
            params.duplex = cases[i].duplex;
            params.bandwidth = cases[i].bandwidth;
            compare(&params, &cases[i].load, run * 104729);
        }
}

/* The greatest possible rate works like any other. */
Test(flows, as_fast_as_numbers_go)
{
    NetParams params = flow_params("ring", "4");
    params.bandwidth = UINT64_MAX;
    params.link_latency_ps = 7;
    params.router_latency_ps = 0;
    cr_assert_eq(run_one(&params, 0, 2, 1000000), 1 + 2 * 7);
}

/* Links with different rates: what a slow link leaves is used elsewhere. */
Test(flows, links_of_different_rates)
{
    NetParams params = flow_params("clusters", "3x4");
    params.global_bandwidth = params.bandwidth / 7;
    params.global_latency_ps = 5000000;
    static const Load load = {120, 5000, 400000, 0};
    for (uint64_t run = 1; run <= 6; run++)
        compare(&params, &load, run * 7919);
}
