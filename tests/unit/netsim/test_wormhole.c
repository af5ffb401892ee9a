/* test_wormhole.c - wormhole switching: virtual channels, flow control, order, deadlock and its explanation. */
#include "helper.h"

#include <string.h>

static const char *const engines[] = {"wormhole", "wormhole-reference"};

/* A long and a short message over the same link. With one virtual channel the short one waits for the tail of the long
 * one. With two they share the link flit by flit. */
Test(wormhole, virtual_channels_let_short_messages_pass)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        uint64_t short_ps[3];
        for (uint32_t vcs = 1; vcs <= 2; vcs++) {
            NetParams params = make_params("linear", "4", engines[e]);
            params.packet_bytes = 65536;
            params.wormhole.virtual_channels = vcs;
            Log log;
            log_init(&log, 2);
            g_autoptr(Network) net = make_network(&params, &log);
            send_message(net, 0, 3, 60000, 0, 0);
            send_message(net, 1, 3, 100, 10000000, 1);
            run_all(net);
            short_ps[vcs] = log.message[1].delivered_ps;
            log_clear(&log);
        }
        cr_assert_lt(short_ps[2], short_ps[1]);
    }
}

/* Two streams that share one link on two virtual channels get half of it each, so they end at about the same time. */
Test(wormhole, round_robin_shares_a_link)
{
    NetParams params = make_params("linear", "3", "wormhole");
    params.startup_ps = 0;
    params.link_latency_ps = 0;
    params.router_latency_ps = 0;
    params.header_bytes = 0;
    params.packet_bytes = 1600; /* 100 flits */
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_message(net, 0, 2, 1600, 0, 0);
    send_message(net, 1, 2, 1600, 0, 1);
    run_all(net);
    cr_assert_eq(log.message[1].delivered_ps, 200 * 16000 - 16000); /* began a cycle earlier */
    cr_assert_eq(log.message[0].delivered_ps, 201 * 16000 - 16000);
    log_clear(&log);
}

/* Buffers too small for the round trip of a credit slow a stream down, by the last term of the closed form. */
Test(wormhole, small_buffers_slow_down)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        uint64_t last = UINT64_MAX;
        for (uint32_t buffer = 1; buffer <= 6; buffer++) {
            NetParams params = make_params("linear", "5", engines[e]);
            params.wormhole.buffer_flits = buffer; /* D = 1, R = 2: a slot is free again after 5 cycles */
            uint64_t time = run_one(&params, 0, 4, 1000);
            cr_assert(buffer <= 5 ? time < last : time == last, "%u flits: %lu", buffer, (unsigned long)time);
            last = time;
        }
    }
}

/* Messages between the same two nodes are delivered in the order of sending, although with several virtual channels a
 * short one can overtake a long one on the way. */
Test(wormhole, messages_of_a_pair_stay_in_order)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        uint64_t seed = 4711;
        NetParams params = make_params("mesh", "3x3", engines[e]);
        params.wormhole.virtual_channels = 4;
        params.packet_bytes = 256;
        Log log;
        log_init(&log, 400);
        g_autoptr(Network) net = make_network(&params, &log);
        uint32_t from[400];
        uint32_t to[400];
        for (uint64_t i = 0; i < 400; i++) {
            from[i] = random_below(&seed, 3);
            to[i] = 6 + random_below(&seed, 3);
            send_message(net, from[i], to[i], random_below(&seed, 10) ? 50 : 5000, 0, i);
        }
        run_all(net);
        uint64_t last[9][9];
        memset(last, 0, sizeof last);
        cr_assert_eq(log.order->len, 400);
        for (guint i = 0; i < 400; i++) {
            uint64_t cookie = g_array_index(log.order, uint64_t, i);
            uint64_t *before = &last[from[cookie]][to[cookie]];
            cr_assert_geq(cookie + 1, *before);
            *before = cookie + 1;
        }
        log_clear(&log);
    }
}

static void send_round_the_ring(Network *net, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++)
        send_message(net, i, (i + 2) % nodes, 4000, 0, i);
}

/* The classic case: every node of a ring sends two hops on, with one virtual channel and small buffers. Each packet
 * holds a link and waits for the next (Dally and Seitz, figure 1). */
Test(wormhole, deadlock_is_explained)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        NetParams params = make_params("ring", "4", engines[e]);
        params.routing = "shortest-path";
        params.deadlock = NET_DEADLOCK_FATAL;
        params.wormhole.virtual_channels = 1;
        params.wormhole.buffer_flits = 2;
        Log log;
        log_init(&log, 4);
        g_autoptr(Network) net = make_network(&params, &log);
        cr_assert_null(net_deadlock(net));
        send_message(net, 0, 2, 4000, 0, 0);
        send_message(net, 1, 3, 4000, 0, 1);
        send_message(net, 2, 0, 4000, 0, 2);
        send_message(net, 3, 1, 4000, 0, 3);
        run_all(net);
        const char *text = net_deadlock(net);
        bool all_up = true; /* do the lowest-link choices all go the same way round? */
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t link;
            net_route(net, i, (i + 2) % 4, &link, 1);
            all_up &= net_link(net, link)->to == (i + 1) % 4;
        }
        if (all_up) {
            cr_assert_not_null(text);
            cr_assert_not_null(strstr(text, "circle"), "%s", text);
        }
        log_clear(&log);
    }
}

/* Five nodes: two hops are the only shortest way, so all packets go the same way round. */
Test(wormhole, ring_of_five_deadlocks_with_one_channel_and_not_with_two)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        NetParams params = make_params("ring", "5", engines[e]);
        params.routing = "shortest-path";
        params.deadlock = NET_DEADLOCK_FATAL;
        params.wormhole.virtual_channels = 1;
        params.wormhole.buffer_flits = 2;
        Log log;
        log_init(&log, 5);
        g_autoptr(Network) net = make_network(&params, &log);
        send_round_the_ring(net, 5);
        run_all(net);
        cr_assert_eq(log.order->len, 0);
        const char *text = net_deadlock(net);
        cr_assert_not_null(text);
        cr_assert_not_null(strstr(text, "5 packets under way, and 5 channels wait for each other in a circle"), "%s",
                           text);
        cr_assert_not_null(
            strstr(text, "packet node 4 -> node 1 stands in node 4 -> node 0 (virtual channel 0) and waits for "
                         "node 0 -> node 1 (virtual channel 0)"),
            "%s", text);
        log_clear(&log);

        params.routing = "dimension-order";
        params.wormhole.virtual_channels = 2;
        log_init(&log, 5);
        g_autoptr(Network) safe = make_network(&params, &log);
        send_round_the_ring(safe, 5);
        run_all(safe);
        cr_assert_eq(log.order->len, 5);
        cr_assert_null(net_deadlock(safe));
        log_clear(&log);
    }
}

/* The same ring resolves its deadlock, equally in both engines: all messages arrive, in order. */
Test(wormhole, ring_of_five_resolves_its_deadlock)
{
    uint64_t last[2];
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        NetParams params = make_params("ring", "5", engines[e]);
        params.routing = "shortest-path";
        params.deadlock = NET_DEADLOCK_RESOLVE;
        params.wormhole.deadlock_cycles = 100;
        params.wormhole.virtual_channels = 1;
        params.wormhole.buffer_flits = 2;
        Log log;
        log_init(&log, 10);
        g_autoptr(Network) net = make_network(&params, &log);
        send_round_the_ring(net, 5);
        for (uint32_t i = 0; i < 5; i++)
            send_message(net, i, (i + 2) % 5, 40, 0, 5 + i);
        run_all(net);
        cr_assert_eq(log.order->len, 10);
        for (uint32_t i = 0; i < 5; i++) {
            cr_assert_eq(log.message[i].sent, 1, "told once that it has left, although it was sent twice");
            cr_assert_lt(log.message[i].delivered_ps, log.message[5 + i].delivered_ps);
        }
        cr_assert_null(net_deadlock(net));
        cr_assert_gt(net_deadlocks_resolved(net), 0);
        cr_assert_not_null(strstr(net_first_deadlock(net), "packet node 4 -> node 1 is the youngest of them"), "%s",
                           net_first_deadlock(net));
        last[e] = log.last_ps;
        log_clear(&log);
    }
    cr_assert_eq(last[0], last[1]);
}

/* A cycle in one row of a torus is found although messages in another row go on. */
Test(wormhole, deadlock_of_a_part_is_found)
{
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++) {
        NetParams params = make_params("torus", "5x5", engines[e]);
        params.routing = "shortest-path";
        params.deadlock = NET_DEADLOCK_FATAL;
        params.wormhole.virtual_channels = 1;
        params.wormhole.buffer_flits = 2;
        Log log;
        log_init(&log, 1005);
        g_autoptr(Network) net = make_network(&params, &log);
        send_round_the_ring(net, 5);
        for (uint64_t i = 0; i < 1000; i++)
            send_message(net, 15, 16, 1000, 0, 5 + i);
        run_all(net);
        cr_assert_not_null(net_deadlock(net));
        cr_assert_lt(log.order->len, 1000, "the network has stopped");
        cr_assert_gt(log.order->len, 0);
        log_clear(&log);
    }
}

/* A link fails under a worm of 64 packets. What is on the way there is lost. The NIC sends it again another way, and
 * the message arrives once, at the same time in both engines. If there is no way any more, it is given up. */
Test(wormhole, links_fail_under_way)
{
    uint64_t last[2][2];
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++)
        for (size_t cut = 0; cut < 2; cut++) {
            NetParams params = make_params("mesh", "3x3", engines[e]);
            params.routing = "minimal-adaptive";
            params.faults.links = cut ? "5-8 at 5 us; 7-8 at 5 us" : "5-8 at 5 us; 0-1 at 7 us for 2 us";
            params.transport.timeout_ps = 1000000;
            Log log;
            log_init(&log, 2);
            g_autoptr(Network) net = make_network(&params, &log);
            NetFaultCounts counts;
            send_message(net, 0, 8, 65536, 0, 0);
            send_message(net, 6, 2, 65536, 0, 1);
            run_all(net);
            cr_assert(net_fault_counts(net, &counts));
            cr_assert_gt(counts.lost, 0, "%s", engines[e]);
            cr_assert_eq(log.message[0].delivered, !cut);
            cr_assert_eq(log.message[1].delivered, 1);
            cr_assert_eq(counts.undeliverable, cut);
            last[cut][e] = log.message[cut].delivered_ps;
            log_clear(&log);
        }
    for (size_t cut = 0; cut < 2; cut++)
        cr_assert_eq(last[cut][0], last[cut][1]);
}

/* A node sends to two neighbours, 100 flits each, one hop, no latency. With one injection channel the messages leave
 * one after the other, with two at the same time, with two that share one flit per cycle in turns. */
Test(wormhole, injection_channels_and_limits)
{
    static const struct {
        uint32_t channels, flits;
        uint64_t cycles[2];
    } cases[] = {{1, 0, {100, 200}}, {2, 0, {100, 100}}, {2, 2, {100, 100}}, {2, 1, {199, 200}}, {1, 7, {100, 200}}};
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++)
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
            NetParams params = make_params("ring", "4", engines[e]);
            params.startup_ps = params.link_latency_ps = params.router_latency_ps = 0;
            params.header_bytes = 0;
            params.packet_bytes = 1600;
            params.wormhole.injection_channels = cases[i].channels;
            params.wormhole.injection_flits = cases[i].flits;
            Log log;
            log_init(&log, 2);
            g_autoptr(Network) net = make_network(&params, &log);
            send_message(net, 0, 1, 1600, 0, 0);
            send_message(net, 0, 3, 1600, 0, 1);
            run_all(net);
            for (size_t m = 0; m < 2; m++)
                cr_assert_eq(log.message[m].delivered_ps, cases[i].cycles[m] * 16000, "%s, case %zu, message %zu: %lu",
                             engines[e], i, m, (unsigned long)log.message[m].delivered_ps);
            log_clear(&log);
        }
}

/* Tori under dimension order never deadlock: one-flit buffers, all to all, two channels. */
Test(wormhole, dateline_channels_never_deadlock)
{
    static const char *const dims[] = {"5", "4x4", "8x3", "3x4x2"};
    for (size_t e = 0; e < G_N_ELEMENTS(engines); e++)
        for (size_t d = 0; d < G_N_ELEMENTS(dims); d++) {
            NetParams params = make_params("torus", dims[d], engines[e]);
            params.wormhole.virtual_channels = 2;
            params.wormhole.buffer_flits = 1;
            Log log;
            log_init(&log, 24 * 24);
            g_autoptr(Network) net = make_network(&params, &log);
            uint32_t nodes = net_network_nodes(net);
            for (uint32_t i = 0; i < nodes * nodes; i++)
                send_message(net, i / nodes, (i / nodes + i) % nodes, 300, 0, i);
            run_all(net);
            cr_assert_null(net_deadlock(net), "%s", net_deadlock(net));
            cr_assert_eq(log.order->len, nodes * nodes);
            log_clear(&log);
        }
}

/* A message of 64 KiB over six hops takes few steps: a bound on events, not on host time. */
Test(wormhole, long_message_is_quick)
{
    NetParams params = make_params("mesh", "4x4", "wormhole");
    g_autoptr(Network) net = make_network(&params, NULL);
    send_message(net, 0, 15, 65536, 0, 0);
    unsigned steps = 0;
    for (; net_next_time(net) != UINT64_MAX; steps++)
        net_step(net);
    cr_assert_lt(steps, 10000);
    cr_assert_eq(net_zero_load_ps(net, 0, 15, 65536), run_one(&params, 0, 15, 65536));
}
