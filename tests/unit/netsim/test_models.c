/* test_models.c - switching models: closed forms compared with simulation, cases worked out by hand, sharing of
 * links. */
#include "helper.h"

#include <string.h>

/* The definition in netsim.h: ceil(bytes * 10^12 / bandwidth), exact even if the product needs 128 bits. */
Test(models, serialisation)
{
    cr_assert_eq(net_serialise(0, 7), 0);
    cr_assert_eq(net_serialise(1, 1000000000), 1000);
    cr_assert_eq(net_serialise(1, 3), UINT64_C(333333333334));
    cr_assert_eq(net_serialise(UINT64_C(1) << 40, 1000000000), (UINT64_C(1) << 40) * 1000);
    cr_assert_eq(net_serialise(UINT64_C(18446745), 1000000000000), UINT64_C(18446745));
    cr_assert_eq(net_serialise(UINT64_MAX, 1), NET_MAX_TIME);
}

/* For every topology, model, routing and several sizes around the packet and flit boundaries. */
Test(models, zero_load_equals_simulation)
{
    static const uint64_t sizes[] = {0, 1, 15, 16, 17, 1008, 1023, 1024, 1025, 5000};
    static const struct {
        uint64_t bandwidth, link, router, startup, gap;
        uint32_t channels, buffer, header;
        uint64_t packet_startup;
    } settings[] = {
        {1000000000, 10000, 20000, 500000, 0, 2, 8, 16, 0},  {3000000000, 0, 0, 0, 3333, 4, 64, 0, 0},
        {777777777, 123456, 3, 77777, 100, 2, 1, 7, 0},      {1000000000, 10000, 50000, 1, 5, 3, 2, 16, 0},
        {1000000000, 10000, 50000, 100, 5, 3, 2, 16, 33333}, {2000000000, 0, 7, 0, 0, 2, 9, 0, 5000000},
    };
    for (size_t i = 0; i < n_samples; i++)
        for (const char *const *model = net_models(); *model; model++)
            for (size_t s = 0; s < G_N_ELEMENTS(settings); s++) {
                if (!goes_with(*model, samples[i].topology))
                    continue;
                NetParams params = make_params(samples[i].topology, samples[i].dims, *model);
                params.routing = s % 2 ? "dimension-order" : "shortest-path";
                params.deadlock = NET_DEADLOCK_FATAL;
                params.bandwidth = settings[s].bandwidth;
                params.link_latency_ps = settings[s].link;
                params.router_latency_ps = settings[s].router;
                params.startup_ps = settings[s].startup;
                params.packet_startup_ps = settings[s].packet_startup;
                params.loggp.gap_per_byte_fs = settings[s].gap;
                params.wormhole.virtual_channels = settings[s].channels;
                params.wormhole.buffer_flits = settings[s].buffer;
                params.header_bytes = settings[s].header;
                g_autoptr(Network) net = make_network(&params, NULL);
                uint32_t nodes = net_network_nodes(net);
                for (size_t b = 0; b < G_N_ELEMENTS(sizes); b++) {
                    uint32_t from = (uint32_t)(b * 5) % nodes;
                    uint32_t to = (uint32_t)(b * 11 + nodes - 1) % nodes;
                    uint64_t expected = net_zero_load_ps(net, from, to, sizes[b]);
                    uint64_t measured = run_one(&params, from, to, sizes[b]);
                    cr_assert_eq(expected, measured, "%s %s %s setting %zu: %u -> %u, %lu bytes: %lu, measured %lu",
                                 params.topology, samples[i].dims, *model, s, from, to, (unsigned long)sizes[b],
                                 (unsigned long)expected, (unsigned long)measured);
                }
            }
}

Test(models, to_itself_costs_startup_only)
{
    for (const char *const *model = net_models(); *model; model++) {
        NetParams params = make_params(goes_with(*model, "crossbar") ? "crossbar" : "bus", "4", *model);
        cr_assert_eq(run_one(&params, 2, 2, 100000), params.startup_ps);
    }
}

/* Over one link every packet costs its startup at the source, if nothing else takes longer meanwhile. Models without
 * packets do not read the parameter. */
Test(models, every_packet_costs_its_startup)
{
    static const uint64_t own = 48000; /* whole cycles of the wormhole models */
    for (const char *const *model = net_models(); *model; model++)
        for (uint64_t packets = 1; packets <= 5; packets += 2) {
            NetParams params = make_params(goes_with(*model, "linear") ? "linear" : "bus", "2", *model);
            params.routing = "shortest-path";
            params.startup_ps = params.link_latency_ps = params.router_latency_ps = params.switch_latency_ps = 0;
            params.packet_bytes = 1024, params.header_bytes = 16, params.wormhole.buffer_flits = 64;
            bool none = strcmp(*model, "loggp") == 0 || strcmp(*model, "flow") == 0;
            bool ethernet = strcmp(*model, "csma-cd") == 0 || strcmp(*model, "switched-ethernet") == 0;
            uint64_t gap = ethernet ? 12000 : 0; /* gap after a frame, in which the next one is prepared */
            uint64_t before = run_one(&params, 0, 1, packets * 1024);
            params.packet_startup_ps = own;
            uint64_t with = run_one(&params, 0, 1, packets * 1024);
            cr_assert_eq(with - before, none ? 0 : own + (packets - 1) * (own - gap), "%s, %lu packets: %lu more",
                         *model, (unsigned long)packets, (unsigned long)(with - before));
            cr_assert_eq(run_one(&params, 1, 1, packets * 1024), 0);
        }
}

/* Three hops of a linear array at 1 byte per ns, by hand: startup 500, per hop router 20, link 10 ns. */
Test(models, by_hand)
{
    NetParams params = make_params("linear", "4", "store-and-forward");
    /* 100 + 16 bytes in one packet: 500 + 3 (20 + 116 + 10) */
    cr_assert_eq(run_one(&params, 0, 3, 100), 938000);
    params.switching = "cut-through";
    /* 500 + 3 (20 + 10) + 2 * 16 (header) + 116 */
    cr_assert_eq(run_one(&params, 0, 3, 100), 738000);
    params.switching = "wormhole";
    /* flit cycle 16 ns: 500 -> 32 cycles; 8 flits; D = 1, R = 2: 32 + 3 (1 + 1 + 2) + 7 = 51 cycles */
    cr_assert_eq(run_one(&params, 0, 3, 100), 51 * 16000);
    params.switching = "loggp";
    params.loggp.gap_per_byte_fs = 2500;
    /* 500 + L 1000 + 99 * 2.5 ps, rounded up */
    cr_assert_eq(run_one(&params, 0, 3, 100), 1500248);
    params = make_params("bus", "4", "bus");
    cr_assert_eq(run_one(&params, 0, 3, 100), 500000 + 116000 + 10000);
    params = make_params("crossbar", "4", "store-and-forward");
    /* 500 + 20 + 116 + 10 + switch 100 + 116 + 10 */
    cr_assert_eq(run_one(&params, 0, 3, 100), 872000);
}

/* Sends `count` messages at once and fills in when they were delivered. */
static void send_all(const NetParams *params, const uint32_t (*message)[3], size_t count, uint64_t *delivered)
{
    Log log;
    log_init(&log, count);
    g_autoptr(Network) net = make_network(params, &log);
    for (size_t i = 0; i < count; i++)
        send_message(net, message[i][0], message[i][1], message[i][2], 0, i);
    run_all(net);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(log.message[i].delivered, 1);
        delivered[i] = log.message[i].delivered_ps;
    }
    log_clear(&log);
}

/* LogGP: the second message from the same node begins g after the last byte of the first. Messages to the same node are
 * spaced likewise. */
Test(models, loggp_gaps)
{
    NetParams params = make_params("crossbar", "4", "loggp");
    params.startup_ps = 0;
    params.loggp.gap_per_byte_fs = 1000000; /* 1 ns per byte */
    uint64_t delivered[2];
    static const uint32_t same_source[][3] = {{0, 1, 101}, {0, 2, 101}};
    send_all(&params, same_source, 2, delivered);
    cr_assert_eq(delivered[0], 1000000 + 100000);
    cr_assert_eq(delivered[1], delivered[0] + params.loggp.gap_ps + 100000);
    static const uint32_t same_destination[][3] = {{0, 2, 101}, {1, 2, 101}};
    send_all(&params, same_destination, 2, delivered);
    cr_assert_eq(delivered[0], 1000000 + 100000);
    cr_assert_eq(delivered[1], delivered[0] + params.loggp.gap_ps + 100000);
    static const uint32_t apart[][3] = {{0, 2, 101}, {1, 3, 101}};
    send_all(&params, apart, 2, delivered);
    cr_assert_eq(delivered[0], delivered[1]);
}

/* G depends on the size of the message. 0 means the rate of a link, in pieces too. */
Test(models, loggp_by_size)
{
    NetParams params = make_params("crossbar", "4", "loggp");
    params.loggp.n_gaps = 3;
    params.loggp.gaps[0] = (NetGap){0, 2500};
    params.loggp.gaps[1] = (NetGap){1000, 1000};
    params.loggp.gaps[2] = (NetGap){100000, 0};
    cr_expect_eq(run_one(&params, 0, 3, 0), 1500000);
    cr_expect_eq(run_one(&params, 0, 3, 999), 1500000 + 2495, "998 * 2.5 ps");
    cr_expect_eq(run_one(&params, 0, 3, 1000), 1500000 + 999);
    cr_expect_eq(run_one(&params, 0, 3, 100000), 1500000 + 99999 * 1000);
    g_autoptr(Network) net = make_network(&params, NULL);
    cr_expect_eq(net_zero_load_ps(net, 0, 3, 1000), 1500000 + 999);
    params.loggp.gaps[2].from_bytes = 1000;
    expect_refusal(&params, NET_ERROR_PARAMETER, "ascend");
    params.loggp.gaps[0].from_bytes = 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "begin with 0");
    params.loggp.n_gaps = NET_MAX_GAPS + 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "gap-per-byte");
}

/* Two messages that share no link do not delay each other; two that share one do. */
/* A model that does not move messages over links has links only for questions about routes, and not one for each of
 * many pairs. */
Test(models, loggp_makes_no_links_between_all_pairs)
{
    static const struct {
        const char *topology, *shape;
        bool links;
    } cases[] = {{"full", "16", true}, {"full", "200", false}, {"torus", "16x16x16", true}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        NetParams params = make_params(cases[i].topology, cases[i].shape, "loggp");
        g_autoptr(Network) net = make_network(&params, NULL);
        cr_expect_eq(net_link_count(net) > 0, cases[i].links, "%s of %s", cases[i].topology, cases[i].shape);
    }
}

Test(models, sharing_a_link)
{
    static const char *const models[] = {"store-and-forward", "cut-through", "wormhole", "wormhole-reference"};
    static const uint32_t apart[][3] = {{0, 1, 1000}, {2, 3, 1000}};
    static const uint32_t shared[][3] = {{0, 2, 1000}, {1, 2, 1000}};
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        NetParams params = make_params("crossbar", "4", models[i]);
        params.wormhole.buffer_flits = 16; /* enough for a continuous stream through the switch */
        g_autoptr(Network) net = make_network(&params, NULL);
        uint64_t delivered[2];
        send_all(&params, apart, 2, delivered);
        cr_assert_eq(delivered[0], net_zero_load_ps(net, 0, 1, 1000));
        cr_assert_eq(delivered[1], net_zero_load_ps(net, 2, 3, 1000));
        send_all(&params, shared, 2, delivered);
        uint64_t alone = net_zero_load_ps(net, 0, 2, 1000);
        uint64_t serial = net_packet_ps(net, 1016);
        cr_assert_geq(MAX(delivered[0], delivered[1]), alone + serial, "%s", models[i]);
    }
}

/* A crossbar does not block: a permutation takes no longer than one message. */
Test(models, crossbar_carries_a_permutation_at_once)
{
    static const char *const models[] = {"store-and-forward", "cut-through", "wormhole"};
    for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
        NetParams params = make_params("crossbar", "8", models[m]);
        g_autoptr(Network) net = make_network(&params, NULL);
        uint32_t messages[8][3];
        uint64_t delivered[8];
        for (uint32_t i = 0; i < 8; i++) {
            messages[i][0] = i;
            messages[i][1] = (i * 3 + 1) % 8;
            messages[i][2] = i * 3 + 1 == i ? 0 : 4000;
        }
        send_all(&params, messages, 8, delivered);
        for (uint32_t i = 0; i < 8; i++)
            cr_assert_eq(delivered[i], net_zero_load_ps(net, messages[i][0], messages[i][1], messages[i][2]));
    }
}

/* Bus: one frame at a time in the order (time, node); two long messages take turns. */
/* By hand, at 1 byte per ns: 16 bytes of header per packet of 1,024, and 30 ns of latency per hop at the end. */
Test(models, flows_share_links)
{
    NetParams params = make_params("linear", "4", "flow");
    uint64_t delivered[4];
    send_all(&params, (const uint32_t[][3]){{0, 3, 1000}, {1, 2, 1000}}, 2, delivered);
    cr_assert_eq(delivered[0], (500 + 2 * 1016 + 90) * 1000, "half the rate to the end");
    cr_assert_eq(delivered[1], (500 + 2 * 1016 + 30) * 1000);

    send_all(&params, (const uint32_t[][3]){{0, 3, 2000}, {1, 2, 1000}}, 2, delivered);
    cr_assert_eq(delivered[0], (500 + 2 * 1016 + 1016 + 90) * 1000, "alone when the other has ended");

    params.startup_ps = 0;
    /* 2 -> 3 is saturated first: a third for each of three flows. On 0 -> 1 two thirds remain for the flow that ends
     * there. */
    send_all(&params, (const uint32_t[][3]){{0, 3, 1000}, {0, 1, 1000}, {2, 3, 1000}, {2, 3, 1000}}, 4, delivered);
    cr_assert_eq(delivered[1], (1016 * 3 / 2 + 30) * 1000);
    cr_assert_geq(delivered[0], (3 * 1016 + 90) * 1000);
    cr_assert_leq(delivered[0], (3 * 1016 + 90) * 1000 + 1000, "rates are whole bytes per second");

    params.duplex = NET_DUPLEX_HALF;
    send_all(&params, (const uint32_t[][3]){{0, 1, 1000}, {1, 0, 1000}}, 2, delivered);
    cr_assert_eq(delivered[0], (2 * 1016 + 30) * 1000);
    params.duplex = NET_DUPLEX_FULL;
    send_all(&params, (const uint32_t[][3]){{0, 1, 1000}, {1, 0, 1000}}, 2, delivered);
    cr_assert_eq(delivered[0], (1016 + 30) * 1000);
}

/* A short message may overtake a long one between the same nodes, but is delivered after it. */
Test(models, flows_keep_order)
{
    NetParams params = make_params("linear", "4", "flow");
    params.startup_ps = 0;
    uint64_t delivered[2];
    send_all(&params, (const uint32_t[][3]){{0, 3, 100000}, {0, 3, 10}}, 2, delivered);
    cr_assert_eq(delivered[0], delivered[1]);
}

/* The model updates only the rates of connected flows. They equal the rates computed anew for all flows: many flows,
 * links with different rates, compared with a plain fluid simulation. */
typedef struct Fluid {
    uint32_t links[16], hops;
    double left, rate;
    bool fixed;
} Fluid;

static void fill_all(Fluid *fluid, size_t n, const Network *net)
{
    for (size_t i = 0; i < n; i++)
        fluid[i].fixed = !(fluid[i].left > 0);
    for (;;) {
        double least = 0;
        uint32_t full = NET_NONE;
        for (uint32_t link = 0; link < net_link_count(net); link++) {
            double left = (double)net_link(net, link)->bandwidth;
            unsigned open = 0;
            for (size_t i = 0; i < n; i++)
                for (uint32_t h = 0; h < fluid[i].hops && fluid[i].left > 0; h++)
                    if (fluid[i].links[h] == link) {
                        open += !fluid[i].fixed;
                        left -= fluid[i].fixed ? fluid[i].rate : 0;
                    }
            if (open && (full == NET_NONE || left / open < least)) {
                least = left / open;
                full = link;
            }
        }
        if (full == NET_NONE)
            return;
        for (size_t i = 0; i < n; i++)
            for (uint32_t h = 0; h < fluid[i].hops && !fluid[i].fixed; h++)
                if (fluid[i].links[h] == full) {
                    fluid[i].rate = least;
                    fluid[i].fixed = true;
                }
    }
}

Test(models, flows_against_a_fluid)
{
    enum { FLOWS = 40 };
    NetParams params = make_params("mesh", "3x4", "flow");
    params.startup_ps = params.link_latency_ps = params.router_latency_ps = 0;
    params.header_bytes = 0;
    for (uint64_t run = 1; run <= 20; run++) {
        uint64_t seed = run * 104729;
        Log log;
        log_init(&log, FLOWS);
        g_autoptr(Network) net = make_network(&params, &log);
        Fluid fluid[FLOWS] = {0};
        for (uint64_t i = 0; i < FLOWS; i++) {
            uint32_t from = random_below(&seed, 12), to = (from + 1 + random_below(&seed, 11)) % 12;
            uint32_t bytes = 1000 + random_below(&seed, 1000000);
            send_message(net, from, to, bytes, 0, i);
            fluid[i].hops = net_route(net, from, to, fluid[i].links, 16);
            fluid[i].left = bytes;
        }
        run_all(net);
        double now = 0;
        for (unsigned ended = 0; ended < FLOWS; ended++) {
            fill_all(fluid, FLOWS, net);
            size_t first = FLOWS;
            for (size_t i = 0; i < FLOWS; i++)
                if (fluid[i].left > 0 &&
                    (first == FLOWS || fluid[i].left / fluid[i].rate < fluid[first].left / fluid[first].rate))
                    first = i;
            double step = fluid[first].left / fluid[first].rate;
            now += step;
            for (size_t i = 0; i < FLOWS; i++)
                if (fluid[i].left > 0)
                    fluid[i].left = i == first ? 0 : MAX(fluid[i].left - step * fluid[i].rate, 1e-9);
            cr_assert_float_eq((double)log.message[first].sent_ps / 1e12, now, now * 1e-6, "seed %lu, flow %zu",
                               (unsigned long)(run * 104729), first);
        }
        log_clear(&log);
    }
}

/* 10 Mbit/s, by hand: a bit is 100 ns, a slot 51.2 us, the gap 9.6 us, the jam 3.2 us; a byte takes 800 ns. */
static NetParams ethernet(void)
{
    NetParams params = make_params("bus", "4", "csma-cd");
    params.bandwidth = 1250000;
    params.header_bytes = 26;
    params.packet_bytes = 1500;
    params.link_latency_ps = 1000000;
    params.startup_ps = 0;
    return params;
}

Test(models, csma_cd_by_hand)
{
    NetParams params = ethernet();
    cr_assert_eq(run_one(&params, 0, 3, 1000), 1026 * UINT64_C(800000) + 1000000);
    cr_assert_eq(run_one(&params, 0, 3, 1), 72 * UINT64_C(800000) + 1000000, "padded to the least frame");
    cr_assert_eq(run_one(&params, 0, 3, 3000), 2 * (1526 * UINT64_C(800000) + 1000000) + 9600000);

    /* 1 begins after 0 can be heard: it waits for silence and the gap. 2 waits, too, and they collide. */
    Log log;
    log_init(&log, 2);
    g_autoptr(Network) net = make_network(&params, &log);
    send_message(net, 0, 3, 1000, 0, 0);
    send_message(net, 1, 3, 1000, 1000000, 1);
    run_all(net);
    cr_assert_eq(log.message[1].delivered_ps, 1026 * UINT64_C(800000) + 1000000 + 9600000 + 821800000);
    log_clear(&log);
}

/* Both begin before they hear each other. The first hears the second at 1.9 us and jams until 5.1. Then both wait for 0
 * or 1 slots, again until they differ. The winner's frame begins 0 or some slots after the gap. */
Test(models, csma_cd_collision)
{
    NetParams params = ethernet();
    for (uint64_t seed = 0; seed < 50; seed++) {
        params.seed = seed;
        Log log;
        log_init(&log, 2);
        g_autoptr(Network) net = make_network(&params, &log);
        send_message(net, 0, 3, 1000, 0, 0);
        send_message(net, 1, 3, 1000, 900000, 1);
        run_all(net);
        uint64_t least = 1900000 + 3200000 + 1000000 + 9600000 + 821800000;
        uint64_t first = MIN(log.message[0].delivered_ps, log.message[1].delivered_ps);
        uint64_t second = MAX(log.message[0].delivered_ps, log.message[1].delivered_ps);
        cr_assert_geq(first, least);
        cr_assert_geq(second, first + 9600000 + 820800000);
        log_clear(&log);
    }
}

/* Many stations always have something to send. The medium carries less than its rate, but most of it (Metcalfe and
 * Boggs, 1976: with long frames well above 80 %), and every station is served in the end. */
Test(models, csma_cd_under_load)
{
    enum { FRAMES = 50 };
    NetParams params = make_params("bus", "16", "csma-cd");
    params.bandwidth = 1250000;
    params.packet_bytes = 1500;
    params.header_bytes = 26;
    params.link_latency_ps = 5000000;
    params.startup_ps = 0;
    Log log;
    log_init(&log, 16 * FRAMES);
    g_autoptr(Network) net = make_network(&params, &log);
    for (uint64_t i = 0; i < UINT64_C(16) * FRAMES; i++)
        send_message(net, (uint32_t)(i % 16), (uint32_t)((i + 1) % 16), 1500, 0, i);
    run_all(net);
    double carried = 16.0 * FRAMES * 1526 * 800000 / (double)log.last_ps;
    cr_assert_lt(carried, 0.99);
    cr_assert_gt(carried, 0.75);
    log_clear(&log);
}

Test(models, csma_cd_too_long)
{
    NetParams params = ethernet();
    params.link_latency_ps = 25600001;
    expect_refusal(&params, NET_ERROR_PARAMETER, "slot");
}

Test(models, bus_takes_turns)
{
    NetParams params = make_params("bus", "4", "bus");
    params.startup_ps = 0;
    params.header_bytes = 0;
    params.link_latency_ps = 0;
    params.packet_bytes = 100;
    uint64_t delivered[3];
    static const uint32_t messages[][3] = {{2, 0, 200}, {1, 3, 200}, {3, 0, 50}};
    send_all(&params, messages, 3, delivered);
    /* frames at ns: node 1 [0,100) node 2 [100,200) node 3 [200,250) node 1 [250,350) node 2 [350,450) */
    cr_assert_eq(delivered[0], 450000);
    cr_assert_eq(delivered[1], 350000);
    cr_assert_eq(delivered[2], 250000);
}

/* Store-and-forward links are first come, first served: the message that is ready for a link first leaves it first. */
Test(models, store_and_forward_is_fifo)
{
    uint64_t seed = 99;
    cr_log_info("seed %lu", (unsigned long)seed);
    NetParams params = make_params("linear", "6", "store-and-forward");
    Log log;
    log_init(&log, 300);
    g_autoptr(Network) net = make_network(&params, &log);
    uint64_t time = 0;
    for (uint64_t i = 0; i < 300; i++) {
        time += random_below(&seed, 300000);
        while (net_next_time(net) < time)
            net_step(net);
        send_message(net, 0, 5, random_below(&seed, 4000), time, i); /* all on the same path: delivered in order */
    }
    run_all(net);
    for (uint64_t i = 0; i < 300; i++)
        cr_assert_eq(g_array_index(log.order, uint64_t, i), i);
    log_clear(&log);
}

/* A client may send from its callback, at the time of the callback: 100 turns of ping-pong take 100 times as long as
 * one. */
typedef struct PingPong {
    Network *net;
    uint64_t turns, last_ps;
} PingPong;

static void answer(void *user, uint64_t cookie, uint64_t time_ps)
{
    PingPong *game = user;
    game->last_ps = time_ps;
    if (--game->turns)
        send_message(game->net, (uint32_t)(cookie % 2) * 3, (uint32_t)(3 - cookie % 2 * 3), 1000, time_ps, cookie + 1);
}

Test(models, ping_pong_from_callbacks)
{
    for (const char *const *model = net_models(); *model; model++) {
        NetParams params = make_params(goes_with(*model, "linear") ? "linear" : "bus", "4", *model);
        params.startup_ps = 32000; /* two cycles */
        PingPong game = {.turns = 100};
        NetClient client = {.user = &game, .delivered = answer};
        g_autoptr(Network) net = net_network_new(&params, &client, NULL);
        game.net = net;
        send_message(net, 0, 3, 1000, 0, 1);
        run_all(net);
        cr_assert_eq(game.turns, 0);
        cr_assert_eq(game.last_ps, 100 * net_zero_load_ps(net, 0, 3, 1000), "%s", *model);
    }
}

/* A message of 0 bytes is one packet with only a header. Without a header it still takes its latencies. */
Test(models, empty_messages)
{
    for (const char *const *model = net_models(); *model; model++) {
        NetParams params = make_params(goes_with(*model, "linear") ? "linear" : "bus", "4", *model);
        params.header_bytes = 0;
        uint64_t time = run_one(&params, 0, 3, 0);
        cr_assert_gt(time, params.startup_ps, "%s", *model);
        cr_assert_lt(time, run_one(&params, 0, 3, 1000), "%s", *model);
    }
}
