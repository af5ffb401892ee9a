/* test_traffic.c - patterns compared with their definitions, arrivals with their distribution, measured curves with
 * known results for empty and for full networks. */
#include "../network.h"
#include "traffic/internal.h"

#include <criterion/criterion.h>
#include <math.h>

static NetParams grid(const char *topology, uint32_t columns, uint32_t rows)
{
    NetParams params = test_network_params();
    params.topology = topology;
    params.switching = "wormhole";
    params.dims[0] = rows;
    params.dims[1] = columns;
    params.n_dims = 2;
    params.wormhole.flit_bytes = 4;
    params.packet_bytes = 32;
    params.header_bytes = 0;
    params.wormhole.virtual_channels = 4;
    params.link_latency_ps = params.router_latency_ps = 0;
    return params;
}

/* Returns where a node of that network sends to. */
static uint32_t destination(const NetParams *params, const char *name, uint32_t from)
{
    static const NetClient nobody = {0};
    g_autoptr(Network) net = net_network_new(params, &nobody, NULL);
    TrafficOptions options;
    traffic_options_default(&options);
    options.pattern = name;
    TrafficNodes nodes;
    const TrafficPattern *pattern = traffic_pattern(net, &options, &nodes, NULL);
    cr_assert(pattern, "%s", name);
    return pattern->destination(&nodes, from, NULL);
}

/* Dally and Towles (2004), table 3.1, worked by hand for node 13 = 001101b = (1,5) of an 8x8 grid. */
Test(patterns, permutations)
{
    NetParams params = grid("mesh", 8, 8);
    cr_assert_eq(destination(&params, "bit-complement", 13), 50);
    cr_assert_eq(destination(&params, "bit-reverse", 13), 44);
    cr_assert_eq(destination(&params, "shuffle", 13), 26);
    cr_assert_eq(destination(&params, "transpose", 13), 41);
    cr_assert_eq(destination(&params, "tornado", 13), 4 * 8 + 0);
    cr_assert_eq(destination(&params, "neighbour", 13), 2 * 8 + 6);
    cr_assert_eq(destination(&params, "neighbour", 63), 0);
}

/* Without a square grid the halves of the number's bits are exchanged; node 6 = 0110b. Odd extents have no middle. */
Test(patterns, without_a_square)
{
    NetParams params = grid("torus", 8, 2);
    cr_assert_eq(destination(&params, "transpose", 6), 9);
    params = grid("torus", 5, 3);
    cr_assert_eq(destination(&params, "tornado", 0), 1 * 5 + 2);
}

Test(patterns, are_permutations)
{
    static const char *const names[] = {"bit-complement", "bit-reverse", "shuffle",
                                        "transpose",      "tornado",     "neighbour"};
    NetParams params = grid("mesh", 4, 4);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        uint32_t seen = 0;
        for (uint32_t from = 0; from < 16; from++)
            seen |= UINT32_C(1) << destination(&params, names[i], from);
        cr_expect_eq(seen, 0xffff, "%s", names[i]);
    }
}

static void refused(const NetParams *params, TrafficOptions options, const char *why)
{
    g_autoptr(GError) error = NULL;
    TrafficBounds bounds;
    cr_assert_not(traffic_bounds(params, &options, &bounds, &error), "%s", options.pattern);
    cr_assert(strstr(error->message, why), "%s: %s", options.pattern, error->message);
}

Test(patterns, refusals)
{
    NetParams params = grid("mesh", 5, 3);
    TrafficOptions options;
    traffic_options_default(&options);
    options.pattern = "bit-reverse";
    refused(&params, options, "power of two");
    options.pattern = "transpose";
    refused(&params, options, "square");
    options.pattern = "unifrom";
    refused(&params, options, "there are: uniform, ");
    options.pattern = "hotspot";
    options.hot_node = 15;
    refused(&params, options, "nodes are 0 to 14");
    params = grid("mesh", 1, 1);
    options.pattern = "uniform";
    refused(&params, options, "no node sends anything");
}

/* The random numbers are GLib's, so that results stay what they were. */
Test(random, same_as_glib)
{
    static const guint32 seed[] = {1, 0, 300000000, 7};
    for (guint length = 1; length <= G_N_ELEMENTS(seed); length++) {
        GRand *other = g_rand_new_with_seed_array(seed, length);
        TrafficRandom random;
        traffic_random_init(&random, seed, length);
        for (unsigned i = 0; i < 5000; i++)
            cr_assert_eq(traffic_random_int(&random), g_rand_int(other), "%u", i);
        g_rand_free(other);
    }
}

/* The frequency with which a node is chosen agrees with the shares that bounds are computed from. */
Test(patterns, shares)
{
    enum { DRAWS = 200000 };
    NetParams params = grid("mesh", 4, 2);
    static const NetClient nobody = {0};
    g_autoptr(Network) net = net_network_new(&params, &nobody, NULL);
    TrafficOptions options;
    traffic_options_default(&options);
    options.pattern = "hotspot";
    options.hot_node = 3;
    options.hot_percent = 25;
    TrafficNodes nodes;
    const TrafficPattern *pattern = traffic_pattern(net, &options, &nodes, NULL);
    TrafficRandom random;
    traffic_random_init(&random, (uint32_t[]){5}, 1);
    for (uint32_t from = 2; from < 4; from++) {
        unsigned count[8] = {0};
        for (unsigned i = 0; i < DRAWS; i++)
            count[pattern->destination(&nodes, from, &random)]++;
        uint64_t of, sum = 0;
        for (uint32_t to = 0; to < 8; to++) {
            uint64_t share = traffic_pattern_share(pattern, &nodes, from, to, &of);
            double expected = (double)DRAWS * (double)share / (double)of;
            cr_expect_leq(fabs(count[to] - expected), 5 * sqrt(expected), "%u to %u", from, to);
            sum += share;
        }
        cr_expect_eq(sum, of);
    }
}

/* Mean q/p and variance q/p^2 of the geometric distribution; a chance of 1 leaves no gaps. */
Test(arrivals, distribution)
{
    enum { DRAWS = 100000 };
    static const uint64_t of[] = {1, 2, 10, 3333, 1000000};
    TrafficRandom random;
    traffic_random_init(&random, (uint32_t[]){7}, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(of); i++) {
        TrafficArrivals arrivals;
        traffic_arrivals_init(&arrivals, 1, of[i]);
        double sum = 0, squares = 0, p = 1.0 / (double)of[i];
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            double gap = (double)traffic_arrivals_gap(&arrivals, &random);
            sum += gap;
            squares += gap * gap;
        }
        double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
        double expected = (1 - p) / p, deviation = sqrt(1 - p) / p;
        cr_expect_leq(fabs(mean - expected), 5 * deviation / sqrt(DRAWS), "1 of %lu: %g", (unsigned long)of[i], mean);
        cr_expect_leq(fabs(variance - deviation * deviation), 0.1 * deviation * deviation, "1 of %lu: %g",
                      (unsigned long)of[i], variance);
    }
}

static uint64_t flits_of(const NetParams *params, uint64_t bytes)
{
    TrafficOptions options;
    traffic_options_default(&options);
    options.n_sizes = 1;
    options.sizes[0] = (TrafficSize){bytes, 1};
    TrafficLengths lengths;
    cr_assert(traffic_lengths_init(&lengths, params, &options, NULL));
    return lengths.length[0].flits;
}

/* 100 bytes in packets of 32 with 5 of header and flits of 4: three of 10 flits and one of 3. */
Test(experiment, flits_of_a_message)
{
    NetParams params = grid("mesh", 4, 4);
    params.header_bytes = 5;
    cr_assert_eq(flits_of(&params, 100), 33);
    cr_assert_eq(flits_of(&params, 0), 2);
    cr_assert_eq(flits_of(&params, 64), 20);
}

/* A k x k mesh under dimension order: the middle links carry N^2/4 / k of N (N - 1) pairs, so k = 8 is saturated at
 * 0.492.
 */
Test(bounds, mesh)
{
    NetParams params = grid("mesh", 8, 8);
    params.routing = "dimension-order";
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficBounds bounds;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_float_eq(bounds.busiest, 4.0 / 8 * 63 / 64, 1e-4);
    cr_assert_float_eq(bounds.message_flits, 8, 1e-9);
    cr_assert_eq(bounds.senders, 64);
    /* A mean distance of 2 (k^2 - 1) / 3k * N / (N - 1) hops and 8 flits, of which the first needs a cycle per hop. */
    cr_assert_float_eq(bounds.zero_load, 16.0 / 3 + 7, 0.01);
    options.pattern = "transpose";
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_eq(bounds.senders, 56);
}

/* On large networks a sample of pairs is looked at, in which every node sends. The load of the busiest link is then
 * unknown.
 */
Test(bounds, large_mesh)
{
    NetParams params = grid("mesh", 64, 64);
    params.routing = "dimension-order";
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficBounds bounds, again;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_eq(bounds.senders, 4096);
    cr_assert_eq(bounds.busiest, 0.0);
    cr_assert_float_eq(bounds.zero_load, 2.0 * 64 / 3 + 7, 0.5, "%g", bounds.zero_load);
    cr_assert(traffic_bounds(&params, &options, &again, NULL));
    cr_assert_eq(again.zero_load, bounds.zero_load, "the same sample");
    options.pattern = "transpose";
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_eq(bounds.senders, 4096 - 64);
    cr_assert_float_eq(bounds.zero_load, 2.0 * 65 / 3 + 7, 0.5, "%g", bounds.zero_load);
}

/* All nodes share one medium. */
Test(bounds, bus)
{
    NetParams params = grid("bus", 5, 1);
    params.n_dims = 0;
    params.nodes = 5;
    params.switching = "bus";
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficBounds bounds;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_float_eq(bounds.busiest, 0.2, 1e-4);
}

static TrafficResult measured(const NetParams *params, const TrafficOptions *options, double load)
{
    TrafficResult result;
    g_autoptr(GError) error = NULL;
    cr_assert(traffic_measure(params, options, (uint64_t)(load * 1e9 + 0.5), &result, &error), "%s",
              error ? error->message : "");
    return result;
}

/* Near load zero every message travels alone, and all messages arrive. */
Test(experiment, light_load)
{
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficBounds bounds;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    TrafficResult result = measured(&params, &options, 0.002);
    cr_assert_not(result.saturated);
    cr_assert(result.precise);
    cr_assert_float_eq(result.mean, bounds.zero_load, 0.05 * bounds.zero_load);
    cr_assert_float_eq(result.accepted, 0.002, 0.0002);
    cr_assert_float_eq(result.hops, 8.0 / 3, 0.15);
    traffic_measure_clear(&result);
}

/* Neighbours that share no link: the network takes a load near 1, and no message waits for those of others. */
Test(experiment, full_load_without_conflicts)
{
    NetParams params = grid("torus", 8, 1);
    TrafficOptions options;
    traffic_options_default(&options);
    options.pattern = "neighbour";
    TrafficResult result = measured(&params, &options, 0.8);
    cr_assert_not(result.saturated);
    cr_assert_float_eq(result.accepted, 0.8, 0.02);
    traffic_measure_clear(&result);
}

/* Of the 16 nodes of a square, 8 send 8 in 15 of their messages over the 4 links to the other half. If the bisection is
 * not given, its use is unknown. */
Test(experiment, use_of_the_bisection)
{
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    options.precision = 0.1;
    TrafficResult result = measured(&params, &options, 0.3);
    cr_assert_float_eq(result.bisection, -1, 0);
    traffic_measure_clear(&result);
    g_autoptr(Network) net = net_network_new(&params, NULL, NULL);
    TrafficBisection *bisection = traffic_bisection_new(net);
    cr_assert_not_null(bisection);
    options.bisection = bisection;
    result = measured(&params, &options, 0.3);
    cr_assert_float_eq(result.bisection, 0.3 * 8 * 8 / 15 / 4, 0.02);
    traffic_measure_clear(&result);
    traffic_bisection_free(bisection);
}

/* No links: analytic models. Too many nodes: 33 x 33. */
Test(experiment, bisections_that_are_not_looked_for)
{
    NetParams params = grid("mesh", 33, 33);
    g_autoptr(Network) large = net_network_new(&params, NULL, NULL);
    cr_assert_null(traffic_bisection_new(large));
    params = grid("full", 1, 1);
    params.n_dims = 0;
    params.nodes = 1000;
    params.switching = "loggp";
    g_autoptr(Network) analytic = net_network_new(&params, NULL, NULL);
    cr_assert_eq(net_link_count(analytic), 0);
    cr_assert_null(traffic_bisection_new(analytic));
    traffic_bisection_free(NULL);
}

/* The load is above the bisection, and the throughput is below the bound. */
Test(experiment, saturation)
{
    NetParams params = grid("mesh", 8, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficBounds bounds;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    TrafficResult result = measured(&params, &options, 0.9);
    cr_assert(result.saturated);
    cr_assert_lt(result.accepted, 1.2 * bounds.busiest);
    cr_assert_gt(result.accepted, 0.3 * bounds.busiest);
    traffic_measure_clear(&result);
}

/* However nodes make their messages, there are as many as the load says. With bursts messages wait for each other more,
 * without randomness less. */
Test(experiment, injections)
{
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    double mean[3];
    for (unsigned i = 0; i < 3; i++) {
        options.injection = (TrafficInjection)i;
        options.precision = i == TRAFFIC_BURSTS ? 0.05 : 0.02;
        TrafficResult result = measured(&params, &options, 0.3);
        cr_expect_not(result.saturated);
        cr_expect_float_eq(result.generated, 0.3, 0.02, "%s: %g", traffic_arrivals_injections()[i], result.generated);
        cr_expect_float_eq(result.accepted, 0.3, 0.02, "%s: %g", traffic_arrivals_injections()[i], result.accepted);
        mean[i] = result.mean;
        traffic_measure_clear(&result);
    }
    cr_expect_gt(mean[TRAFFIC_BURSTS], 1.5 * mean[TRAFFIC_BERNOULLI]);
    cr_expect_lt(mean[TRAFFIC_PERIODIC], mean[TRAFFIC_BERNOULLI]);
}

/* Random distances between the messages of a source: 1 of n messages ends a burst. Periodic messages keep their
 * distance to within a cycle. 8 flits at a load of 0.37 are 21.6 cycles. */
Test(arrivals, sources)
{
    enum { DRAWS = 200000 };
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficLengths lengths;
    cr_assert(traffic_lengths_init(&lengths, &params, &options, NULL));
    TrafficRandom random;
    traffic_random_init(&random, (uint32_t[]){11}, 1);
    for (unsigned i = 0; i < 3; i++) {
        options.injection = (TrafficInjection)i;
        TrafficSource source;
        traffic_arrivals_source(&source, &options, &lengths, 370000000);
        uint64_t phase, first = traffic_arrivals_first(&source, &random, &phase), last = first, steps = 0;
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            uint64_t next = traffic_arrivals_next(&source, &random, last, &phase);
            cr_assert_gt(next, last);
            steps += next - last == 8;
            if (i == TRAFFIC_PERIODIC)
                cr_assert(next - last == 21 || next - last == 22);
            last = next;
        }
        cr_expect_float_eq((double)(last - first) / DRAWS, 8 / 0.37, 0.5, "%s", traffic_arrivals_injections()[i]);
        if (i == TRAFFIC_BURSTS)
            cr_expect_float_eq((double)steps / DRAWS, 7.0 / 8, 0.02);
    }
}

/* Three short messages for one long one: a load counts the flits of both. A long one takes longer by its length. */
Test(experiment, sizes_by_weight)
{
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    options.n_sizes = 2;
    options.sizes[0] = (TrafficSize){4, 3};
    options.sizes[1] = (TrafficSize){32, 1};
    TrafficBounds bounds;
    cr_assert(traffic_bounds(&params, &options, &bounds, NULL));
    cr_assert_float_eq(bounds.message_flits, (3 * 1 + 8) / 4.0, 1e-9);
    cr_assert_float_eq(bounds.zero_load, 8.0 / 3 + 7 / 4.0, 0.01);
    TrafficResult result = measured(&params, &options, 0.05);
    cr_expect_float_eq(result.accepted, 0.05, 0.004);
    cr_expect_float_eq((double)result.by_size[0].messages / (double)result.by_size[1].messages, 3, 0.3);
    cr_expect_gt(result.by_size[1].mean, result.by_size[0].mean + 6.5);
    cr_expect_eq(result.by_size[0].messages + result.by_size[1].messages, result.messages);
    traffic_measure_clear(&result);
    options.sizes[1].bytes = 32 * 10001;
    refused(&params, options, "10001 packets of 32 bytes; at most 10000");
    options.sizes[1] = (TrafficSize){32, 0};
    refused(&params, options, "weight");
}

/* The same seed gives the same result, another seed another one. */
Test(experiment, is_repeatable)
{
    NetParams params = grid("torus", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    options.precision = 0.1;
    TrafficResult a = measured(&params, &options, 0.2), b = measured(&params, &options, 0.2);
    cr_assert_eq(a.mean, b.mean);
    cr_assert_eq(a.messages, b.messages);
    cr_assert_eq(a.most_ps, b.most_ps);
    options.seed = 2;
    TrafficResult c = measured(&params, &options, 0.2);
    cr_assert_neq(a.mean, c.mean);
}

/* Both wormhole engines give the same results to the bit, links included, which are read while packets are under way.
 */
Test(experiment, engines_agree)
{
    static const double loads[] = {0.02, 0.3, 0.7};
    static const uint32_t lengths[] = {1, 2, 7};
    for (size_t i = 0; i < G_N_ELEMENTS(loads) * G_N_ELEMENTS(lengths); i++) {
        NetParams params = grid("mesh", 4, 4);
        params.packet_bytes = params.wormhole.flit_bytes * lengths[i % 3];
        params.wormhole.ejection_flits = i % 2;
        params.wormhole.allocation = i % 3 == 1 ? NET_ALLOCATE_ROUND_ROBIN : NET_ALLOCATE_LOWEST;
        TrafficOptions options;
        traffic_options_default(&options);
        options.precision = 0.1;
        params.switching = "wormhole";
        TrafficResult fast = measured(&params, &options, loads[i / 3]);
        params.switching = "wormhole-reference";
        TrafficResult plain = measured(&params, &options, loads[i / 3]);
        cr_assert_eq(fast.messages, plain.messages, "%zu", i);
        cr_assert_eq(fast.simulated_ps, plain.simulated_ps, "%zu", i);
        cr_assert_eq(fast.mean, plain.mean, "%zu: %.17g and %.17g", i, fast.mean, plain.mean);
        cr_assert_eq(fast.within, plain.within, "%zu: %.17g and %.17g", i, fast.within, plain.within);
        cr_assert_eq(fast.hops, plain.hops, "%zu: %.17g and %.17g", i, fast.hops, plain.hops);
        cr_assert_eq(fast.busiest, plain.busiest, "%zu: %.17g and %.17g", i, fast.busiest, plain.busiest);
        cr_assert_eq(fast.waiting, plain.waiting, "%zu: %.17g and %.17g", i, fast.waiting, plain.waiting);
        traffic_measure_clear(&fast);
        traffic_measure_clear(&plain);
    }
}

Test(experiment, options_out_of_range)
{
    NetParams params = grid("mesh", 4, 4);
    TrafficOptions options;
    traffic_options_default(&options);
    TrafficResult result;
    cr_assert_not(traffic_measure(&params, &options, 0, &result, NULL));
    cr_assert_not(traffic_measure(&params, &options, TRAFFIC_LOAD_ONE + 1, &result, NULL));
    options.precision = NAN;
    cr_assert_not(traffic_measure(&params, &options, 1, &result, NULL));
    traffic_options_default(&options);
    options.burst = 0;
    cr_assert_not(traffic_measure(&params, &options, 1, &result, NULL));
}
