/* test_allocators.c - allocators of routers, on matrices of requests: what is given is a matching, maximal where it has
 * to be; nobody is passed over for ever; bit sets give the same as plain matrices. Then networks with them: every kind
 * in both engines, and who comes first in throughput.
 */
#include "helper.h"

#include "base/random.h"
#include "netsim/wormhole/allocators.h"

#include <string.h>

enum { MOST = 24 };
#define FIRST NET_ALLOCATOR_INPUT_FIRST
#define LAST  NET_ALLOCATOR_WAVEFRONT

/* An allocator in both forms. */
typedef struct Pair {
    NetAllocatorState quick;
    NetPlainAllocator plain;
    NetRequest requests[MOST];
    uint32_t count;
} Pair;

static void pair_init(Pair *pair, NetAllocator kind, uint32_t iterations, uint32_t inputs, uint32_t groups,
                      uint32_t width)
{
    net_allocator_init(&pair->quick, kind, iterations, inputs, groups * width, width);
    net_plain_init(&pair->plain, kind, iterations, inputs, groups * width, width);
    pair->count = 0;
}

static void pair_clear(Pair *pair)
{
    net_allocator_clear(&pair->quick);
    net_plain_clear(&pair->plain);
}

/* Adds what an input asks for. Inputs come in order. */
static void pair_ask(Pair *pair, uint32_t input, uint32_t group, uint64_t outputs)
{
    pair->requests[pair->count++] = (NetRequest){.input = input, .group = group, .outputs = outputs};
    for (uint32_t bit = 0; bit < pair->plain.width; bit++)
        if (outputs >> bit & 1)
            pair->plain.asks[input * pair->plain.outputs + group * pair->plain.width + bit] = true;
}

/* Checks that both forms give the same, and that it is a matching. Returns how many have been given something. */
static uint32_t pair_match(Pair *pair, const char *what)
{
    bool taken[MOST * 64] = {false};
    uint32_t given = 0;
    net_allocator_match(&pair->quick, pair->requests, pair->count);
    net_plain_match(&pair->plain);
    for (uint32_t i = 0; i < pair->count; i++) {
        const NetRequest *request = &pair->requests[i];
        cr_assert_eq(request->given, pair->plain.given[request->input], "%s: input %u", what, request->input);
        if (request->given == NET_NONE)
            continue;
        uint32_t bit = request->given - request->group * pair->quick.width;
        cr_assert(request->outputs >> bit & 1, "%s: input %u got what it had not asked for", what, request->input);
        cr_assert(!taken[request->given], "%s: output %u was given twice", what, request->given);
        taken[request->given] = true;
        given++;
    }
    return given;
}

/* Returns whether no more could be given without taking anything back. */
static bool is_maximal(const Pair *pair)
{
    for (uint32_t i = 0; i < pair->count; i++) {
        const NetRequest *request = &pair->requests[i];
        uint64_t left = request->outputs;
        for (uint32_t other = 0; other < pair->count; other++)
            if (pair->requests[other].group == request->group && pair->requests[other].given != NET_NONE)
                left &= ~(UINT64_C(1) << (pair->requests[other].given - request->group * pair->quick.width));
        if (request->given == NET_NONE && left)
            return false;
    }
    return true;
}

static const char *describe(NetAllocator kind, uint32_t iterations, uint64_t seed)
{
    static char text[80];
    g_snprintf(text, sizeof text, "%s, %u times, seed %lu", net_choice_allocators()[kind], iterations,
               (unsigned long)seed);
    return text;
}

/* A wavefront is maximal at once; the others are after as many iterations as there are inputs, since each gives
 * something as long as anything can be given. */
Test(allocators, random_matrices)
{
    for (uint64_t run = 1; run <= 400; run++) {
        uint64_t seed = run * 7919;
        NetAllocator kind = (NetAllocator)(FIRST + random_below(&seed, LAST - FIRST + 1));
        uint32_t inputs = 1 + random_below(&seed, MOST), groups = 1 + random_below(&seed, 5);
        uint32_t width = 1 + random_below(&seed, 64);
        uint32_t iterations = random_below(&seed, 2) ? inputs : 1 + random_below(&seed, 3);
        const char *what = describe(kind, iterations, run * 7919);
        Pair pair;
        pair_init(&pair, kind, iterations, inputs, groups, width);
        for (int cycle = 0; cycle < 12; cycle++) {
            pair.count = 0;
            bool any = false;
            for (uint32_t i = 0; i < inputs; i++) {
                uint64_t outputs = base_random_mix(run, (uint64_t)cycle, i) & base_random_mix(run, i, (uint64_t)cycle);
                outputs = width == 64 ? outputs : outputs & ((UINT64_C(1) << width) - 1);
                if (random_below(&seed, 3) == 0 || !outputs)
                    continue;
                pair_ask(&pair, i, random_below(&seed, groups), outputs);
                any = true;
            }
            uint32_t given = pair_match(&pair, what);
            cr_assert_eq(given > 0, any, "%s: nothing is given", what);
            if (kind == NET_ALLOCATOR_WAVEFRONT || iterations >= inputs)
                cr_assert(is_maximal(&pair), "%s: not maximal", what);
        }
        pair_clear(&pair);
    }
}

/* If all inputs ask for all outputs all the time, everybody gets everything equally often in the end. Turns that move
 * on only where both sides agree spread out, so that each cycle is a full matching after the first few. */
Test(allocators, everybody_gets_the_same)
{
    enum { N = 5, WARM = 50, CYCLES = 100 * N };
    for (NetAllocator kind = FIRST; kind <= LAST; kind++)
        for (uint32_t iterations = 1; iterations <= 3; iterations++) {
            uint32_t times[N][N] = {{0}};
            const char *what = describe(kind, iterations, 0);
            Pair pair;
            pair_init(&pair, kind, iterations, N, 1, N);
            for (int cycle = 0; cycle < WARM + CYCLES; cycle++) {
                pair.count = 0;
                for (uint32_t i = 0; i < N; i++)
                    pair_ask(&pair, i, 0, (1U << N) - 1);
                uint32_t given = pair_match(&pair, what);
                if (cycle < WARM)
                    continue;
                cr_assert_eq(given, N, "%s: %u of %d", what, given, N);
                for (uint32_t i = 0; i < N; i++)
                    times[i][pair.requests[i].given]++;
            }
            for (uint32_t i = 0; i < N; i++)
                for (uint32_t o = 0; o < N; o++)
                    cr_assert_eq(times[i][o], CYCLES / N, "%s: %u got %u %u times", what, i, o, times[i][o]);
            pair_clear(&pair);
        }
}

/* Nobody who asks for the same all the time is passed over for ever, whatever the others do. */
Test(allocators, nobody_starves)
{
    enum { N = 6, PATIENCE = 2 * N * N };
    for (NetAllocator kind = FIRST; kind <= LAST; kind++)
        for (uint32_t iterations = 1; iterations <= 2; iterations++) {
            uint64_t seed = 4711;
            uint32_t waits = 0;
            const char *what = describe(kind, iterations, 4711);
            Pair pair;
            pair_init(&pair, kind, iterations, N, 1, N);
            for (int cycle = 0; cycle < 3000; cycle++) {
                pair.count = 0;
                for (uint32_t i = 0; i < N; i++)
                    pair_ask(&pair, i, 0, i == 2 ? 1U << 3 : 1U << 3 | random_below(&seed, 1U << N));
                pair_match(&pair, what);
                waits = pair.requests[2].given == NET_NONE ? waits + 1 : 0;
                cr_assert_leq(waits, PATIENCE, "%s: passed over %u times", what, waits);
            }
            pair_clear(&pair);
        }
}

/* The example of allocators that fail each other: two inputs ask for two outputs each. Input first, both may choose the
 * same output; a wavefront, or a second iteration, finds both. */
Test(allocators, one_pass_may_miss_what_a_wavefront_finds)
{
    uint32_t given[LAST + 1][3] = {{0}};
    for (NetAllocator kind = FIRST; kind <= LAST; kind++)
        for (uint32_t iterations = 1; iterations <= 2; iterations++) {
            Pair pair;
            pair_init(&pair, kind, iterations, 2, 1, 2);
            pair_ask(&pair, 0, 0, 3);
            pair_ask(&pair, 1, 0, 3);
            given[kind][iterations] = pair_match(&pair, describe(kind, iterations, 0));
            pair_clear(&pair);
        }
    for (NetAllocator kind = FIRST; kind <= LAST; kind++) {
        cr_assert_eq(given[kind][1], kind == NET_ALLOCATOR_WAVEFRONT ? 2 : 1);
        cr_assert_eq(given[kind][2], 2);
    }
}

/* With one iteration, iSLIP is the separable allocator whose outputs choose first. */
Test(allocators, islip_is_output_first)
{
    Pair pair[2];
    uint64_t seed = 99;
    pair_init(&pair[0], NET_ALLOCATOR_ISLIP, 1, 8, 1, 8);
    pair_init(&pair[1], NET_ALLOCATOR_OUTPUT_FIRST, 1, 8, 1, 8);
    for (int cycle = 0; cycle < 500; cycle++) {
        pair[0].count = pair[1].count = 0;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t outputs = 1 + random_below(&seed, 255);
            pair_ask(&pair[0], i, 0, outputs);
            pair_ask(&pair[1], i, 0, outputs);
        }
        pair_match(&pair[0], "islip");
        pair_match(&pair[1], "output-first");
        for (uint32_t i = 0; i < 8; i++)
            cr_assert_eq(pair[0].requests[i].given, pair[1].requests[i].given);
    }
    pair_clear(&pair[0]);
    pair_clear(&pair[1]);
}

/* -- networks ---------------------------------------------------------------------------------- */

static NetParams mesh(const char *engine, NetAllocator vc, NetAllocator pass, NetSpeculation speculation)
{
    NetParams params = make_params("mesh", "4x4", engine);
    params.routing = "dimension-order";
    params.startup_ps = 0;
    params.wormhole.virtual_channels = 2;
    params.wormhole.vc_allocator = vc;
    params.wormhole.switch_allocator = pass;
    params.wormhole.speculation = speculation;
    return params;
}

/* Sends messages to random nodes, all at once. Returns the time of the last arrival. */
static uint64_t flood(const NetParams *params, Log *log, uint64_t messages)
{
    uint64_t seed = 31337;
    log_init(log, messages);
    g_autoptr(Network) net = make_network(params, log);
    for (uint64_t i = 0; i < messages; i++) {
        uint32_t from = (uint32_t)(i % 16);
        send_message(net, from, (from + 1 + random_below(&seed, 15)) % 16, 16 + random_below(&seed, 100), 0, i);
    }
    run_all(net);
    cr_assert_eq(log->order->len, messages);
    return log->last_ps;
}

Test(allocators, both_engines_agree)
{
    for (NetAllocator vc = NET_ALLOCATOR_NONE; vc <= LAST; vc++)
        for (NetAllocator pass = NET_ALLOCATOR_NONE; pass <= LAST; pass++)
            for (NetSpeculation speculation = NET_SPECULATION_NO; speculation <= NET_SPECULATION_YES; speculation++) {
                NetParams quick = mesh("wormhole", vc, pass, speculation);
                NetParams plain = mesh("wormhole-reference", vc, pass, speculation);
                Log log[2];
                flood(&quick, &log[0], 200);
                flood(&plain, &log[1], 200);
                cr_assert_arr_eq(log[0].message, log[1].message, 200 * sizeof(Delivery), "%s, %s, speculation %s",
                                 net_choice_allocators()[vc], net_choice_allocators()[pass],
                                 net_choice_speculations()[speculation]);
                log_clear(&log[0]);
                log_clear(&log[1]);
            }
}

/* A header waits a cycle for the switch at each of its links, unless it speculates. */
Test(allocators, speculation_saves_a_cycle_of_each_hop)
{
    for (NetAllocator vc = NET_ALLOCATOR_NONE; vc <= LAST; vc++)
        for (NetAllocator pass = FIRST; pass <= LAST; pass++) {
            NetParams none = mesh("wormhole", NET_ALLOCATOR_NONE, NET_ALLOCATOR_NONE, NET_SPECULATION_NO);
            NetParams no = mesh("wormhole", vc, pass, NET_SPECULATION_NO);
            NetParams yes = mesh("wormhole", vc, pass, NET_SPECULATION_YES);
            uint64_t cycle_ps = run_one(&no, 0, 1, 16) - run_one(&yes, 0, 1, 16);
            cr_assert_gt(cycle_ps, 0);
            cr_assert_eq(run_one(&none, 0, 15, 16), run_one(&yes, 0, 15, 16));
            cr_assert_eq(run_one(&no, 0, 15, 16), run_one(&yes, 0, 15, 16) + 6 * cycle_ps);
        }
}

/* The closed form is what a message in an empty network takes, whether it has one packet or several. */
Test(allocators, zero_load)
{
    static const uint64_t sizes[] = {1, 16, 100, 1000, 5000};
    for (uint32_t buffer = 2; buffer <= 12; buffer++)
        for (NetSpeculation speculation = NET_SPECULATION_NO; speculation <= NET_SPECULATION_YES; speculation++) {
            NetParams params = mesh("wormhole", NET_ALLOCATOR_ISLIP, NET_ALLOCATOR_ISLIP, speculation);
            params.wormhole.buffer_flits = buffer;
            params.packet_bytes = 128;
            g_autoptr(Network) net = make_network(&params, NULL);
            for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
                for (uint32_t to = 1; to < 16; to += 7)
                    cr_assert_eq(net_zero_load_ps(net, 0, to, sizes[i]), run_one(&params, 0, to, sizes[i]),
                                 "%lu bytes to %u, %u flits, speculation %s", (unsigned long)sizes[i], to, buffer,
                                 net_choice_speculations()[speculation]);
        }
}

/* Only one flit of a port passes per cycle, so two streams from the same link to different ones share what they had
 * each for itself. */
Test(allocators, a_port_sends_one_flit_per_cycle)
{
    for (NetAllocator pass = NET_ALLOCATOR_NONE; pass <= LAST; pass++) {
        NetParams params = mesh("wormhole", NET_ALLOCATOR_NONE, pass, NET_SPECULATION_YES);
        params.wormhole.injection_channels = 2;
        params.wormhole.buffer_flits = 16;
        params.packet_bytes = 8000;
        Log log;
        log_init(&log, 2);
        g_autoptr(Network) net = make_network(&params, &log);
        send_message(net, 5, 6, 8000, 0, 0); /* to the right, and to the left */
        send_message(net, 5, 4, 8000, 0, 1);
        run_all(net);
        uint64_t alone = run_one(&params, 5, 6, 8000);
        cr_assert(pass ? log.last_ps > alone * 19 / 10 : log.last_ps == alone, "%s", net_choice_allocators()[pass]);
        log_clear(&log);
    }
}

Test(allocators, refusals)
{
    NetParams params = mesh("wormhole", NET_ALLOCATOR_ISLIP, NET_ALLOCATOR_ISLIP, NET_SPECULATION_NO);
    params.wormhole.allocation = NET_ALLOCATE_OLDEST_FIRST;
    expect_refusal(&params, NET_ERROR_PARAMETER, "turns of its own");
    params.wormhole.allocation = NET_ALLOCATE_LOWEST;
    params.duplex = NET_DUPLEX_HALF;
    expect_refusal(&params, NET_ERROR_PARAMETER, "half-duplex");
    params.duplex = NET_DUPLEX_FULL;
    params.wormhole.injection_channels = 65;
    expect_refusal(&params, NET_ERROR_PARAMETER, "injection-channels");
    params = make_params("crossbar", "65", "wormhole");
    params.wormhole.switch_allocator = NET_ALLOCATOR_WAVEFRONT;
    expect_refusal(&params, NET_ERROR_PARAMETER, "64 ports");
}
