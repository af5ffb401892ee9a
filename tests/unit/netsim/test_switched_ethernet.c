/* test_switched_ethernet.c - frames, buffers, pause frames, loss and multicast of switched Ethernet. */
#include "helper.h"

#include <string.h>

/* Gigabit Ethernet around one switch, without latencies: 8 ns per byte. */
#define FULL UINT64_C(12208000) /* 8 + 1518 bytes */
#define GAP  UINT64_C(96000)    /* 12 bytes */

static NetParams gigabit(const char *topology, const char *dims)
{
    NetParams params = make_params(topology, dims, "switched-ethernet");
    params.bandwidth = 125000000;
    params.packet_bytes = 1500;
    params.header_bytes = 26;
    params.startup_ps = params.link_latency_ps = params.router_latency_ps = params.switch_latency_ps = 0;
    return params;
}

static uint64_t counter(const Network *net, const char *key)
{
    NetCounter counters[NET_MAX_COUNTERS];
    uint32_t n = net_network_counters(net, counters);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(counters[i].key, key) == 0)
            return counters[i].value;
    cr_assert_fail("there is no counter %s", key);
    return 0;
}

/* Frames like those of csma-cd, 96 bit times apart; every bridge receives them as a whole. */
Test(switched_ethernet, by_hand)
{
    NetParams params = gigabit("crossbar", "4");
    params.startup_ps = 500000;
    params.router_latency_ps = 20000;
    params.link_latency_ps = 10000;
    params.switch_latency_ps = 100000;
    uint64_t latency = 500000 + 20000 + 10000 + 100000 + 10000;
    cr_expect_eq(run_one(&params, 0, 3, 1000), latency + 2 * 1026 * 8000);
    cr_expect_eq(run_one(&params, 0, 3, 0), latency + 2 * 72 * 8000, "padded to 64 bytes behind the preamble");
    cr_expect_eq(run_one(&params, 0, 3, 3000), latency + 3 * FULL + GAP);
    cr_expect_eq(run_one(&params, 0, 3, 1501), latency + 2 * FULL + GAP + 72 * 8000);
}

static void send_to_0(Network *net, uint32_t from, uint64_t bytes, uint64_t cookie)
{
    send_message(net, from, 0, bytes, 0, cookie);
}

/* Two nodes send to a third at full rate. Half of the traffic waits in the buffers until pause frames stop it. The link
 * to the third node is never idle because of that. */
Test(switched_ethernet, pauses_lose_nothing_and_waste_nothing)
{
    enum { FRAMES = 200 };
    NetParams params = gigabit("crossbar", "3");
    params.ethernet.buffer_bytes = 16384;
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_0(net, 1, FRAMES * 1500, 0);
    send_to_0(net, 2, FRAMES * 1500, 1);
    run_all(net);
    cr_expect_eq(log.last_ps, FULL + 2 * FRAMES * (FULL + GAP) - GAP);
    cr_expect_eq(counter(net, "dropped"), 0);
    cr_expect_gt(counter(net, "pauses"), 10);
    cr_expect_eq(counter(net, "pauses"), counter(net, "resumes"), "every pause is revoked");
    cr_expect_leq(counter(net, "fullest_buffer"), params.ethernet.buffer_bytes);
    cr_expect_null(net_deadlock(net));
    log_clear(&log);
}

/* The second frame of node 2 comes while the first waits for that of node 1. The pause frame leaves at once and takes
 * 72 byte times, so the third frame has begun by then. The buffer is empty when all three have left, and 72 byte times
 * later the fourth can begin. */
Test(switched_ethernet, a_pause_by_hand)
{
    NetParams params = gigabit("crossbar", "3");
    params.ethernet.xoff_bytes = 1518;
    params.ethernet.xon_bytes = 1;
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_0(net, 1, 3000, 0);
    send_to_0(net, 2, 6000, 1);
    run_all(net);
    /* to 0: 1a 2a 1b 2b 2c 2d; 2c is out at 6 S + 4 gap */
    cr_expect_eq(counter(net, "pauses"), 1);
    cr_expect_eq(counter(net, "paused"), 6 * FULL + 4 * GAP - (2 * FULL + GAP));
    cr_expect_eq(log.message[1].delivered_ps, 8 * FULL + 4 * GAP + 72 * 8000);
    log_clear(&log);
}

/* A pause frame takes effect late if that takes time, and waits for a frame that is being sent. */
Test(switched_ethernet, pause_delay)
{
    NetParams params = gigabit("crossbar", "3");
    params.ethernet.xoff_bytes = 1518;
    params.ethernet.xon_bytes = 1;
    params.ethernet.pause_delay_ps = 2 * FULL;
    g_autoptr(Network) net = make_network(&params, NULL);
    send_message(net, 1, 0, 3000, 0, 0);
    send_message(net, 2, 0, 6000, 0, 1);
    run_all(net);
    cr_expect_eq(counter(net, "pauses"), 1);
    cr_expect_eq(counter(net, "dropped"), 0);
    params.ethernet.buffer_bytes = 3036;
    g_autoptr(Network) small = make_network(&params, NULL);
    send_message(small, 1, 0, 3000, 0, 0);
    send_message(small, 2, 0, 6000, 0, 1);
    run_all(small);
    cr_expect_gt(counter(small, "dropped"), 0, "too late for the threshold that was asked for");
}

/* With the least buffer that is allowed nothing is ever lost, whatever the latencies. */
Test(switched_ethernet, the_reserve_is_enough)
{
    static const char *const topologies[][2] = {
        {"crossbar", "9"}, {"fat-tree", "3x3"}, {"tree", "3x2"}, {"clusters", "3x3"}};
    for (uint64_t run = 0; run < 40; run++) {
        uint64_t seed = run * 7919 + 1;
        const char *const *topology = topologies[run % G_N_ELEMENTS(topologies)];
        NetParams params = gigabit(topology[0], topology[1]);
        params.routing = "shortest-path";
        params.link_latency_ps = random_below(&seed, 3) * 20000000;
        params.switch_latency_ps = random_below(&seed, 2) * 5000000;
        params.ethernet.pause_delay_ps = random_below(&seed, 3) * 10000000;
        params.packet_bytes = 100 + random_below(&seed, 1400);
        while (true) { /* from below, so the refusals come first */
            g_autoptr(GError) error = NULL;
            params.ethernet.buffer_bytes =
                params.ethernet.buffer_bytes == 65536 ? 2000 : params.ethernet.buffer_bytes + 1;
            Network *net = net_network_new(&params, NULL, &error);
            net_network_free(net);
            if (net)
                break;
        }
        Log log;
        log_init(&log, 16);
        g_autoptr(Network) net = make_network(&params, &log);
        for (uint64_t i = 0; i < 16; i++) {
            uint32_t from = 1 + random_below(&seed, 8);
            send_message(net, from, run % 2 ? 0 : random_below(&seed, from), random_below(&seed, 60000), 0, i);
        }
        run_all(net);
        cr_assert_eq(log.order->len, 16, "run %lu", (unsigned long)run);
        cr_assert_eq(counter(net, "dropped"), 0, "run %lu", (unsigned long)run);
        log_clear(&log);
    }
}

/* There is room for one frame. The second frame of node 2 finds the first one waiting for node 1's, and is sent
 * again. */
Test(switched_ethernet, loss_by_hand)
{
    NetParams params = gigabit("crossbar", "4");
    params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
    params.ethernet.buffer_bytes = 1518;
    params.transport.timeout_ps = 1000000000;
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_0(net, 1, 1500, 0);
    send_to_0(net, 2, 3000, 1);
    run_all(net);
    cr_expect_eq(log.message[0].delivered_ps, 2 * FULL);
    cr_expect_eq(log.message[1].delivered_ps, 2 * FULL + GAP + 1000000000 + 2 * FULL);
    cr_expect_eq(counter(net, "dropped"), 1);
    cr_expect_eq(counter(net, "retransmitted"), 1);
    log_clear(&log);
}

/* It is lost again after S/2, so the next attempt comes after twice that. */
Test(switched_ethernet, the_timeout_doubles)
{
    NetParams params = gigabit("crossbar", "4");
    params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
    params.ethernet.buffer_bytes = 1518;
    params.transport.timeout_ps = FULL / 2;
    Log log;
    log_init(&log, 3);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_0(net, 1, 1500, 0);
    send_to_0(net, 2, 1500, 1);
    send_to_0(net, 3, 3000, 2);
    run_all(net);
    cr_expect_eq(counter(net, "dropped"), 2);
    cr_expect_eq(log.message[2].delivered_ps, (2 * FULL + GAP) + (FULL / 2 + FULL) + FULL + 2 * FULL);
    log_clear(&log);
}

/* Loss in heavy traffic: every message arrives once, messages of a pair in order. */
Test(switched_ethernet, everything_arrives_in_order)
{
    enum { MESSAGES = 300 };
    for (uint64_t run = 1; run <= 10; run++) {
        uint64_t seed = run * 104729;
        NetParams params = gigabit(run % 2 ? "crossbar" : "torus", run % 2 ? "8" : "3x3");
        params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
        params.ethernet.buffer_bytes = 4000;
        params.transport.timeout_ps = 50000000;
        if (run % 4 == 0)
            params.routing = "minimal-adaptive";
        Log log;
        log_init(&log, MESSAGES);
        g_autofree uint64_t *pair = g_new(uint64_t, MESSAGES);
        g_autoptr(Network) net = make_network(&params, &log);
        for (uint64_t i = 0; i < MESSAGES; i++) {
            uint32_t from = random_below(&seed, 8), to = run % 3 ? random_below(&seed, 8) : 0;
            pair[i] = from * 8 + to;
            send_message(net, from, to, random_below(&seed, 10000), 0, i);
        }
        run_all(net);
        cr_assert_eq(log.order->len, MESSAGES);
        cr_assert(run % 2 == 0 || counter(net, "dropped") > 0);
        g_autoptr(GHashTable) last = g_hash_table_new(NULL, NULL);
        for (guint i = 0; i < log.order->len; i++) {
            uint64_t cookie = g_array_index(log.order, uint64_t, i);
            gpointer before = g_hash_table_lookup(last, GUINT_TO_POINTER(pair[cookie] + 1));
            cr_assert_leq(GPOINTER_TO_UINT(before), cookie + 1, "run %lu", (unsigned long)run);
            g_hash_table_insert(last, GUINT_TO_POINTER(pair[cookie] + 1), GUINT_TO_POINTER(cookie + 1));
        }
        log_clear(&log);
    }
}

/* -- deadlock ---------------------------------------------------------------------------------- */

static void everybody_three_further(Network *net)
{
    for (uint32_t node = 0; node < 8; node++)
        send_message(net, node, (node + 3) % 8, 200000, 0, node);
    run_all(net);
}

/* Pause frames on a ring can deadlock: refused before the run, explained after it. Without a cycle, or without pauses,
 * there is no deadlock. */
Test(switched_ethernet, pauses_deadlock_on_a_circle)
{
    NetParams params = gigabit("ring", "8");
    params.ethernet.buffer_bytes = 6200;
    expect_refusal(&params, NET_ERROR_PARAMETER, "can pause each other in the circle node");
    params.deadlock = NET_DEADLOCK_FATAL;
    g_autoptr(Network) stuck = make_network(&params, NULL);
    everybody_three_further(stuck);
    const char *text = net_deadlock(stuck);
    cr_assert_not_null(text);
    cr_expect_not_null(strstr(text, "8 links pause each other in a circle"), "%s", text);
    cr_expect_not_null(
        strstr(text, "stands in the buffer of node 0 -> node 1 and waits for node 1 -> node 2, which is paused"), "%s",
        text);
    static const struct {
        const char *routing;
        NetFlowControl flow_control;
    } ways[] = {{"up-down", NET_FLOW_CONTROL_PAUSE}, {"dimension-order", NET_FLOW_CONTROL_NONE}};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        params.deadlock = NET_DEADLOCK_REFUSE;
        params.routing = ways[i].routing;
        params.ethernet.flow_control = ways[i].flow_control;
        Log log;
        log_init(&log, 8);
        g_autoptr(Network) net = make_network(&params, &log);
        everybody_three_further(net);
        cr_expect_eq(log.order->len, 8);
        cr_expect_null(net_deadlock(net));
        log_clear(&log);
    }
}

/* The first row of a torus stops for ever while the second goes on. */
Test(switched_ethernet, a_deadlock_is_seen_while_others_move)
{
    NetParams params = gigabit("torus", "4x4");
    params.ethernet.buffer_bytes = 6200;
    params.deadlock = NET_DEADLOCK_FATAL;
    params.ethernet.pause_quanta = 100; /* 51 us */
    Log log;
    log_init(&log, 8);
    g_autoptr(Network) net = make_network(&params, &log);
    for (uint32_t i = 0; i < 4; i++) {
        send_message(net, i, (i + 2) % 4, 200000, 0, i);
        send_message(net, 4 + i, 4 + (i + 1) % 4, 2000000, 0, 4 + i);
    }
    while (net_next_time(net) != UINT64_MAX && !net_deadlock(net))
        net_step(net);
    cr_assert_not_null(net_deadlock(net));
    cr_expect_not_null(strstr(net_deadlock(net), "4 links pause each other"), "%s", net_deadlock(net));
    cr_expect_lt(net->now, UINT64_C(5000000000), "the second row takes 16 ms");
    cr_expect_neq(net_next_time(net), UINT64_MAX);
    run_all(net);
    cr_expect_eq(log.order->len, 4);
    log_clear(&log);
}

/* -- failures ---------------------------------------------------------------------------------- */

/* The frame on the link is lost, those that wait for it stay. After the repair everything goes on. */
Test(switched_ethernet, a_link_that_fails)
{
    NetParams params = gigabit("crossbar", "3");
    params.faults.links = "0-3 at 20 us until 50 us";
    params.transport.timeout_ps = 100000000;
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_0(net, 1, 1500, 0);
    send_to_0(net, 2, 1500, 1);
    run_all(net);
    /* 1a is on the link from S on, and was sent at 0; 2a finds no way at 20 us. Both are sent again after 100 us. */
    cr_expect_eq(log.order->len, 2);
    cr_expect_eq(log.message[0].delivered_ps, FULL + 100000000 + 2 * FULL);
    cr_expect_eq(log.message[1].delivered_ps, FULL + 100000000 + 3 * FULL + GAP, "%lu",
                 (unsigned long)log.message[1].delivered_ps);
    log_clear(&log);
}

/* Links that pause each other fail and are repaired under load, with and without another way. */
Test(switched_ethernet, everything_arrives_although_links_fail)
{
    static const char *const failures[] = {
        "8-12 at 0.3 ms until 2 ms; 12-9 at 1 ms until 1.5 ms",
        "8->12 at 0.2 ms until 3 ms; 13->10 at 0.7 ms until 0.9 ms; 0-8 at 1 ms until 1.2 ms",
        "12-8 at 0.5 ms until 0.6 ms; 13-8 at 0.55 ms until 1 ms"};
    for (size_t i = 0; i < G_N_ELEMENTS(failures); i++)
        for (uint64_t run = 1; run <= 6; run++) {
            enum { MESSAGES = 100 };
            uint64_t seed = run * 31 + i;
            NetParams params = gigabit("xgft", "2x4x1x2");
            params.faults.links = failures[i];
            params.routing = run % 2 ? "up-down" : "shortest-path";
            params.ethernet.flow_control = run % 3 ? NET_FLOW_CONTROL_PAUSE : NET_FLOW_CONTROL_NONE;
            params.ethernet.buffer_bytes = 7000;
            params.ethernet.pause_quanta = 200;
            params.transport.timeout_ps = 300000000;
            params.transport.limit = 20;
            Log log;
            log_init(&log, MESSAGES);
            g_autoptr(Network) net = make_network(&params, &log);
            for (uint64_t m = 0; m < MESSAGES; m++)
                send_message(net, random_below(&seed, 8), run < 3 ? 0 : random_below(&seed, 8),
                             random_below(&seed, 20000), 0, m);
            run_all(net);
            cr_assert_eq(log.order->len, MESSAGES, "%s, run %lu", failures[i], (unsigned long)run);
            cr_assert_null(net_deadlock(net));
            log_clear(&log);
        }
}

/* -- refusals ---------------------------------------------------------------------------------- */

Test(switched_ethernet, impossible_parameters)
{
    NetParams params = gigabit("crossbar", "4");
    params.ethernet.buffer_bytes = 1517;
    expect_refusal(&params, NET_ERROR_PARAMETER, "never has room for a frame of 1518 B");
    params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
    params.ethernet.buffer_bytes = 1518;
    net_network_free(make_network(&params, NULL));
    params = gigabit("crossbar", "4");
    params.ethernet.buffer_bytes = 4000;
    expect_refusal(&params, NET_ERROR_PARAMETER, "too few for pause frames to prevent loss");
    params.ethernet.xoff_bytes = 2000;
    net_network_free(make_network(&params, NULL));
    params.ethernet.xoff_bytes = 4001;
    expect_refusal(&params, NET_ERROR_PARAMETER, "xoff-threshold");
    params.ethernet.xoff_bytes = 2000;
    params.ethernet.xon_bytes = 2001;
    expect_refusal(&params, NET_ERROR_PARAMETER, "xon-threshold");
    params = gigabit("crossbar", "4");
    params.ethernet.pause_quanta = 48;
    expect_refusal(&params, NET_ERROR_PARAMETER, "pause-quanta");
    params.ethernet.pause_quanta = 49;
    net_network_free(make_network(&params, NULL));
    params.ethernet.pause_quanta = 65536;
    expect_refusal(&params, NET_ERROR_PARAMETER, "65,535");
    params = gigabit("crossbar", "4");
    params.duplex = NET_DUPLEX_HALF;
    expect_refusal(&params, NET_ERROR_PARAMETER, "half duplex");
    params = gigabit("bus", "4");
    expect_refusal(&params, NET_ERROR_PARAMETER, "shared medium");
}

/* -- multicast --------------------------------------------------------------------------------- */

static uint64_t packets_over(const Network *net, uint32_t from, uint32_t to)
{
    return net_link(net, net_graph_find(&net->graph, from, to))->packets;
}

/* One frame goes to the switch, which copies it. A node that is named twice gets it twice. */
Test(switched_ethernet, a_switch_copies_multicasts)
{
    NetParams params = gigabit("crossbar", "6");
    static const uint32_t to[] = {1, 3, 3, 5};
    static const uint64_t cookies[] = {10, 11, 12, 13};
    Log log;
    log_init(&log, 20);
    g_autoptr(Network) net = make_network(&params, &log);
    cr_assert(net_send_has_multicast(net));
    send_to_many(net, 0, 0, to, cookies, 4, 3000, 0, 7, false);
    run_all(net);
    cr_expect_eq(log.message[7].sent, 1);
    cr_expect_eq(log.message[7].sent_ps, 2 * FULL + GAP);
    for (unsigned i = 0; i < 4; i++) {
        cr_expect_eq(log.message[10 + i].delivered, 1);
        cr_expect_eq(log.message[10 + i].delivered_ps, 3 * FULL + GAP);
    }
    cr_expect_eq(log.order->len, 4);
    cr_expect_eq(packets_over(net, 0, 6), 2);
    cr_expect_eq(packets_over(net, 6, 3), 2);
    cr_expect_eq(packets_over(net, 6, 2), 0);
    cr_expect_eq(counter(net, "fullest_buffer"), 1518, "copies share a place");
    log_clear(&log);
}

/* On a line the frame also passes through nodes that it is for. */
Test(switched_ethernet, multicast_along_a_line)
{
    NetParams params = gigabit("linear", "5");
    static const uint32_t to[] = {0, 2, 4};
    static const uint64_t cookies[] = {0, 2, 4};
    Log log;
    log_init(&log, 5);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_many(net, 0, 1, to, cookies, 3, 1500, 0, 1, true);
    run_all(net);
    cr_expect_eq(log.message[0].delivered_ps, FULL);
    cr_expect_eq(log.message[2].delivered_ps, FULL);
    cr_expect_eq(log.message[4].delivered_ps, 3 * FULL);
    cr_expect_eq(log.message[1].sent, 0, "nobody asked for that");
    cr_expect_eq(packets_over(net, 1, 2), 1);
    log_clear(&log);
}

/* Multicasts and other messages on all topologies and media that have multicast: each is delivered once to all. */
Test(switched_ethernet, multicasts_arrive_under_loss)
{
    enum { MESSAGES = 40 };
    for (size_t i = 0; i < n_samples; i++) {
        for (unsigned model = 0; model < 3; model++) {
            static const char *const models[] = {"switched-ethernet", "bus", "csma-cd"};
            if (!goes_with(models[model], samples[i].topology) || strcmp(samples[i].dims, "1") == 0)
                continue;
            NetParams params = make_params(samples[i].topology, samples[i].dims, models[model]);
            params.ethernet.flow_control = NET_FLOW_CONTROL_NONE;
            params.ethernet.buffer_bytes = 2100;
            params.transport.timeout_ps = 30000;
            Log log;
            log_init(&log, MESSAGES * 64);
            g_autoptr(Network) net = make_network(&params, &log);
            uint64_t seed = i + 1, expected = 0;
            uint32_t nodes = net_network_nodes(net);
            for (uint32_t m = 0; m < MESSAGES; m++) {
                uint32_t from = random_below(&seed, nodes), n = 0, to[64];
                uint64_t cookies[64];
                for (uint32_t node = 0; node < MIN(nodes, 64); node++)
                    if (node != from && random_below(&seed, 2)) {
                        cookies[n] = m * 64 + n;
                        to[n++] = node;
                    }
                expected += n;
                if (n > 1)
                    send_to_many(net, 0, from, to, cookies, n, random_below(&seed, 5000), 0, m * 64, false);
                else if (n == 1)
                    send_message(net, from, to[0], random_below(&seed, 5000), 0, m * 64);
            }
            run_all(net);
            cr_assert_eq(log.order->len, expected, "%s %s", samples[i].topology, models[model]);
            for (size_t c = 0; c < log.count; c++)
                cr_assert_leq(log.message[c].delivered, 1);
            log_clear(&log);
        }
    }
}

/* On a shared medium one frame reaches all. */
Test(switched_ethernet, a_bus_is_heard_by_all)
{
    NetParams params = make_params("bus", "4", "bus");
    static const uint32_t to[] = {0, 1, 3};
    static const uint64_t cookies[] = {0, 1, 3};
    Log log;
    log_init(&log, 4);
    g_autoptr(Network) net = make_network(&params, &log);
    send_to_many(net, 0, 2, to, cookies, 3, 100, 0, 2, false);
    run_all(net);
    for (unsigned i = 0; i < 3; i++)
        cr_expect_eq(log.message[to[i]].delivered_ps, 500000 + 116000 + 10000);
    cr_expect_eq(log.message[2].sent_ps, 500000 + 116000);
    cr_expect_eq(packets_over(net, 4, 3), 1);
    log_clear(&log);
}
