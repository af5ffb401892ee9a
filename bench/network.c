/* network.c - how fast the network models are: packet-hops per second of host CPU time, per switching model.
 *
 * Light: on an 8x8 mesh every node sends one-packet messages to random others, with pauses so that few meet. Heavy: the
 * same messages are all sent at once. Wormhole packets have 20 flits. Then come the cases that the wormhole engine is
 * built for: an 8x8 mesh with 8 virtual channels at a load of 0.005 flits per node and cycle ("load"), and tori of
 * 1,024 nodes, all to all. *Flits*: `orrery net` at three loads on an 8x8 mesh with routers of three stages, cycles per
 * second, and cycles in the time in which a random generator makes a thousand numbers; the name of a case says pattern,
 * virtual channels x buffers, flits of a packet, and whether each node takes out one flit per cycle and channels are
 * given in turns ("turns"), or iSLIP allocates channels and switches, too ("islip"). Needs a release build. Prints one
 * row per case. Arguments choose the cases whose names contain them; without arguments, all cases but the tori and
 * those of flits run.
 */
#include "../tests/unit/network.h"
#include "netsim/netsim.h"
#include "traffic/traffic.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct Result {
    uint64_t messages, packet_hops, events, simulated_ps;
    double seconds;
} Result;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static uint32_t random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((next_random(state) >> 32) * end >> 32);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void note_delivery(void *user, uint64_t cookie, uint64_t time_ps)
{
    Result *result = user;
    (void)cookie;
    result->messages++;
    result->simulated_ps = time_ps;
}

static void drain(Network *net, uint64_t until_ps, Result *result)
{
    while (net_next_time(net) != UINT64_MAX && net_next_time(net) < until_ps) {
        net_step(net);
        result->events++;
    }
}

static void count_hops(const Network *net, Result *result)
{
    for (uint32_t i = 0; i < net_link_count(net); i++)
        result->packet_hops += net_link(net, i)->packets;
}

static Network *make(NetParams *params, Result *result)
{
    g_autoptr(GError) error = NULL;
    NetClient client = {.user = result, .delivered = note_delivery};
    Network *net = net_network_new(params, &client, &error);
    if (!net)
        g_error("%s", error->message);
    return net;
}

/* Sends `messages` messages to random destinations, one every `pause_ps` somewhere in the network. */
static Result uniform(NetParams *params, uint64_t messages, uint64_t bytes, uint64_t pause_ps)
{
    Result result = {0};
    uint64_t seed = 12345;
    g_autoptr(Network) net = make(params, &result);
    uint32_t nodes = net_network_nodes(net);
    double begin = cpu_seconds();
    for (uint64_t i = 0; i < messages; i++) {
        uint32_t from = random_below(&seed, nodes);
        uint32_t to = (from + 1 + random_below(&seed, nodes - 1)) % nodes;
        drain(net, i * pause_ps, &result);
        net_send(net, &(NetSend){.from = from, .to = to, .bytes = bytes, .time_ps = i * pause_ps, .cookie = i});
    }
    drain(net, UINT64_MAX, &result);
    result.seconds = cpu_seconds() - begin;
    count_hops(net, &result);
    return result;
}

static Result all_to_all(NetParams *params, uint64_t bytes)
{
    Result result = {0};
    g_autoptr(Network) net = make(params, &result);
    uint32_t nodes = net_network_nodes(net);
    double begin = cpu_seconds();
    for (uint32_t shift = 1; shift < nodes; shift++)
        for (uint32_t from = 0; from < nodes; from++)
            net_send(net, &(NetSend){.from = from, .to = (from + shift) % nodes, .bytes = bytes});
    drain(net, UINT64_MAX, &result);
    result.seconds = cpu_seconds() - begin;
    count_hops(net, &result);
    return result;
}

static void print_row(const char *model, const char *what, const Result *result)
{
    double hops = result->packet_hops ? (double)result->packet_hops : (double)result->messages;
    printf("%-20s %-28s %9lu messages %7.2f s %8.2f M packet-hops/s %7.2f M messages/s\n", model, what,
           (unsigned long)result->messages, result->seconds, hops / result->seconds / 1e6,
           (double)result->messages / result->seconds / 1e6);
    fflush(stdout);
}

static NetParams mesh(const char *model)
{
    NetParams params = test_network_params();
    bool bus = strcmp(model, "bus") == 0 || strcmp(model, "csma-cd") == 0;
    params.topology = bus ? "bus" : "mesh";
    params.switching = model;
    params.nodes = 64;
    params.wormhole.flit_bytes = 16;
    params.packet_bytes = 304; /* 20 flits with the header */
    params.startup_ps = 0;
    params.wormhole.virtual_channels = 8;
    params.router_latency_ps = params.link_latency_ps = 16000;
    return params;
}

static void bench_model(const char *model)
{
    bool plain = strcmp(model, "wormhole-reference") == 0;
    uint64_t messages = plain ? 2000 : 200000;
    NetParams params = mesh(model);
    Result light = uniform(&params, messages, 304, 64000);
    print_row(model, "light", &light);
    Result heavy = uniform(&params, messages, 304, 0);
    print_row(model, "heavy", &heavy);
}

/* Load 0.005: each of 64 nodes begins a packet of 20 flits every 4,000 cycles. */
static void bench_low_load(const char *model, uint64_t messages)
{
    NetParams params = mesh(model);
    Result result = uniform(&params, messages, 304, 16000 * 4000 / 64);
    print_row(model, "8x8, 8 VCs, load 0.005", &result);
    printf("%-20s %.0f cycles/s\n", "", (double)result.simulated_ps / 16000 / result.seconds);
}

/* 1,024 nodes, each sends 1 KiB to every other, in the order of a pairwise exchange: in step s, to the node s further
 * on. Fields that are 0 have defaults: flits of 16 bytes, packets of 1 KiB with 16 bytes of header, so 65 flits. */
typedef struct Torus {
    const char *what;
    uint32_t n_dims, dims[3];
    uint32_t flit_bytes, virtual_channels, buffer_flits;
} Torus;

static const Torus tori[] = {
    {"torus 8x8x16, 16 B, 2x8", 3, {8, 8, 16}, 16, 2, 8}, {"torus 8x8x16, 16 B, 4x8", 3, {8, 8, 16}, 16, 4, 8},
    {"torus 8x8x16, 64 B, 4x8", 3, {8, 8, 16}, 64, 4, 8}, {"torus 32x32, 16 B, 2x8", 2, {32, 32}, 16, 2, 8},
    {"torus 32x32, 16 B, 4x8", 2, {32, 32}, 16, 4, 8},    {"torus 32x32, 64 B, 4x8", 2, {32, 32}, 64, 4, 8},
};

static void bench_torus(const Torus *torus)
{
    NetParams params = test_network_params();
    params.topology = "torus";
    params.switching = "wormhole";
    params.n_dims = torus->n_dims;
    memcpy(params.dims, torus->dims, sizeof torus->dims);
    params.startup_ps = 0;
    params.wormhole.flit_bytes = torus->flit_bytes;
    params.wormhole.virtual_channels = torus->virtual_channels;
    params.wormhole.buffer_flits = torus->buffer_flits;
    Result result = all_to_all(&params, 1024);
    print_row("wormhole", torus->what, &result);
    uint64_t flits = (1024 + params.header_bytes + params.wormhole.flit_bytes - 1) / params.wormhole.flit_bytes;
    double flit_hops = (double)flits * (double)result.packet_hops;
    printf("%-20s %.1f M flit-hops, %.1f M/s, %.1f ns each; %.2f ms simulated\n", "", flit_hops / 1e6,
           flit_hops / result.seconds / 1e6, result.seconds / flit_hops * 1e9, (double)result.simulated_ps / 1e9);
}

/* -- flits: what `orrery net` does --------------------------------------------------------------- */

typedef struct Flits {
    const char *pattern;
    uint32_t virtual_channels, buffer_flits, flits;
} Flits;

static const Flits flits[] = {
    {"uniform", 1, 8, 1},   {"uniform", 1, 4, 5},     {"uniform", 2, 4, 1},   {"uniform", 2, 8, 5},
    {"uniform", 4, 4, 5},   {"uniform", 4, 8, 1},     {"uniform", 4, 8, 5},   {"uniform", 4, 16, 20},
    {"uniform", 8, 8, 1},   {"uniform", 8, 8, 5},     {"uniform", 8, 8, 20},  {"uniform", 8, 16, 5},
    {"uniform", 2, 4, 20},  {"uniform", 16, 16, 1},   {"transpose", 1, 8, 5}, {"transpose", 4, 8, 1},
    {"transpose", 4, 8, 5}, {"transpose", 8, 16, 20}, {"tornado", 1, 8, 5},   {"tornado", 4, 8, 1},
    {"tornado", 4, 8, 5},   {"tornado", 8, 16, 20},   {"hotspot", 1, 8, 5},   {"hotspot", 4, 8, 1},
    {"hotspot", 4, 8, 5},   {"hotspot", 8, 16, 20},
};

/* A cycle is a nanosecond, so a hop takes five. */
typedef enum Router { ROUTER_PLAIN, ROUTER_TURNS, ROUTER_ISLIP, ROUTERS } Router;

static NetParams flit_mesh(const Flits *what, Router router)
{
    NetParams params = test_network_params();
    params.topology = "mesh";
    params.switching = "wormhole";
    params.n_dims = 2;
    params.dims[0] = params.dims[1] = 8;
    params.nodes = 64;
    params.bandwidth = UINT64_C(4000000000);
    params.link_latency_ps = 1000;
    params.wormhole.router_stages = router == ROUTER_ISLIP ? 2 : 3; /* it waits a cycle for the switch */
    params.wormhole.flit_bytes = 4;
    params.header_bytes = 0;
    params.packet_bytes = 4 * what->flits;
    params.wormhole.virtual_channels = what->virtual_channels;
    params.wormhole.buffer_flits = what->buffer_flits;
    params.wormhole.allocation = router == ROUTER_TURNS ? NET_ALLOCATE_ROUND_ROBIN : NET_ALLOCATE_LOWEST;
    params.wormhole.ejection_flits = router != ROUTER_PLAIN;
    if (router == ROUTER_ISLIP)
        params.wormhole.vc_allocator = params.wormhole.switch_allocator = NET_ALLOCATOR_ISLIP;
    return params;
}

/* Returns cycles per second of CPU time, the most of `turns` turns. */
static double cycles_per_second(const NetParams *params, const TrafficOptions *options, double load)
{
    double best = 0;
    for (int turn = 0; turn < 3; turn++) {
        g_autoptr(GError) error = NULL;
        TrafficResult result;
        double begin = cpu_seconds();
        if (!traffic_measure(params, options, (uint64_t)(load * 1e9 + 0.5), &result, &error))
            g_error("%s", error->message);
        double rate = (double)result.simulated_ps / 1000 / (cpu_seconds() - begin);
        best = MAX(best, rate);
        traffic_measure_clear(&result);
    }
    return best;
}

/* Returns the CPU seconds for a thousand random numbers: something that depends on the host alone. */
static double yardstick(void)
{
    enum { NUMBERS = 20000000 };
    uint64_t state = 1, sum = 0;
    double begin = cpu_seconds();
    for (int i = 0; i < NUMBERS; i++)
        sum += next_random(&state);
    double seconds = cpu_seconds() - begin;
    return sum ? seconds * 1000 / NUMBERS : seconds;
}

static void bench_flits(const Flits *what, Router router, const char *name)
{
    static const double loads[] = {0.005, 0.1, 0.3};
    NetParams params = flit_mesh(what, router);
    TrafficOptions options;
    traffic_options_default(&options);
    options.pattern = what->pattern;
    options.precision = 0.01;
    printf("%-40s", name);
    double rates[G_N_ELEMENTS(loads)], thousand = yardstick();
    for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
        rates[i] = cycles_per_second(&params, &options, loads[i]);
        printf(" %9.3f", rates[i] / 1e6);
    }
    printf(" M cycles/s at load 0.005, 0.1, 0.3; per 1000 numbers");
    for (size_t i = 0; i < G_N_ELEMENTS(loads); i++)
        printf(" %.3g", rates[i] * thousand);
    printf("\n");
    fflush(stdout);
}

static bool is_wanted(const char *what, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(what, argv[i]))
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    for (const char *const *model = net_models(); *model; model++)
        if (is_wanted(*model, argc, argv))
            bench_model(*model);
    if (is_wanted("load", argc, argv)) {
        bench_low_load("wormhole", 200000);
        bench_low_load("wormhole-reference", 500);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(tori) && argc > 1; i++)
        if (is_wanted(tori[i].what, argc, argv))
            bench_torus(&tori[i]);
    static const char *const routers[ROUTERS] = {"", ", turns", ", islip"};
    for (size_t i = 0; i < ROUTERS * G_N_ELEMENTS(flits) && argc > 1; i++) {
        const Flits *what = &flits[i / ROUTERS];
        Router router = (Router)(i % ROUTERS);
        g_autofree char *name =
            g_strdup_printf("flits %s, %ux%u, packets of %u%s", what->pattern, what->virtual_channels,
                            what->buffer_flits, what->flits, routers[router]);
        if (is_wanted(name, argc, argv))
            bench_flits(what, router, name);
    }
    return 0;
}
