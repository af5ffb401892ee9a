/* test_properties.c - random networks and traffic: conservation, determinism, and the engines compared. Seeds are
 * printed.
 */
#include "helper.h"

#include <string.h>

typedef struct Traffic {
    uint32_t from, to, nic;
    uint64_t bytes, time_ps;
} Traffic;

#ifdef __SANITIZE_ADDRESS__
enum { MESSAGES = 120, WORMHOLE_RUNS = 80 };
#else
enum { MESSAGES = 120, WORMHOLE_RUNS = 300 };
#endif
enum { LONG_HOP_PS = 1000000 };

/* Returns whether up*-down* routing is possible on the network. */
static bool goes_up_and_down(const NetParams *params)
{
    NetParams other = *params;
    other.routing = "up-down";
    Network *net = net_network_new(&other, NULL, NULL);
    net_network_free(net);
    return net;
}

/* Returns a random small network and advances `seed`. */
static NetParams random_params(uint64_t *seed, const char *switching)
{
    const Sample *sample = &samples[random_below(seed, (uint32_t)n_samples)];
    while (!goes_with(switching, sample->topology) || strcmp(sample->dims, "1") == 0)
        sample = &samples[random_below(seed, (uint32_t)n_samples)];
    NetParams params = make_params(sample->topology, sample->dims, switching);
    params.bandwidth = 1000000000 + random_below(seed, 1000000000);
    params.link_latency_ps = random_below(seed, 3) * 15000;
    params.router_latency_ps = random_below(seed, 4) * 9000;
    params.switch_latency_ps = random_below(seed, 2) * 50000;
    params.startup_ps = random_below(seed, 3) * 100000;
    uint64_t own = *seed;
    params.packet_startup_ps = random_below(&own, 4) ? 0 : random_below(&own, 3) * 70000;
    params.wormhole.flit_bytes = 4 + random_below(seed, 30);
    params.packet_bytes = params.wormhole.flit_bytes + random_below(seed, 600);
    params.header_bytes = random_below(seed, 20);
    params.wormhole.virtual_channels = 2 + random_below(seed, 4);
    params.wormhole.buffer_flits = 1 + random_below(seed, 8);
    if (strcmp(switching, "switched-ethernet") == 0) { /* no half duplex there, and pauses can deadlock */
        params.ethernet.flow_control = random_below(seed, 3) == 0 ? NET_FLOW_CONTROL_NONE : NET_FLOW_CONTROL_PAUSE;
        params.routing = params.ethernet.flow_control == NET_FLOW_CONTROL_NONE || !goes_up_and_down(&params)
                             ? params.routing
                             : "up-down";
        params.deadlock = NET_DEADLOCK_FATAL;
        return params;
    }
    if (random_below(seed, 2)) /* the usual, half of the time */
        return params;
    if (strcmp(switching, "wormhole") != 0)
        return params;
    params.wormhole.allocation = (NetAllocation)random_below(seed, 4);
    params.wormhole.credit_delay_ps = random_below(seed, 3) * 12000;
    params.wormhole.ejection_flits = random_below(seed, 3);
    params.wormhole.router_stages = random_below(seed, 4);
    params.routing_decision = random_below(seed, 3) == 0 ? NET_DECIDE_AT_SOURCE : NET_DECIDE_DISTRIBUTED;
    params.duplex = random_below(seed, 3) == 0 ? NET_DUPLEX_HALF : NET_DUPLEX_FULL;
    params.nics = 1 + (random_below(seed, 3) == 0);
    params.wormhole.injection_channels = 1 + random_below(seed, 4);
    params.wormhole.injection_flits = random_below(seed, 4);
    return params;
}

/* Half of the time chooses allocators, where they are possible. */
static void random_allocators(uint64_t seed, NetParams *params)
{
    uint64_t own = seed ^ 0x5bd1e995;
    NetParams other = *params;
    if (random_below(&own, 2))
        return;
    other.duplex = NET_DUPLEX_FULL;
    other.wormhole.vc_allocator = (NetAllocator)random_below(&own, 5);
    other.wormhole.switch_allocator = (NetAllocator)random_below(&own, 5);
    other.wormhole.iterations = 1 + random_below(&own, 3);
    other.wormhole.speculation = (NetSpeculation)random_below(&own, 2);
    if (other.wormhole.vc_allocator && other.wormhole.allocation != NET_ALLOCATE_MESSAGE_CLASS)
        other.wormhole.allocation = NET_ALLOCATE_LOWEST;
    Network *net = net_network_new(&other, NULL, NULL);
    if (net)
        *params = other;
    net_network_free(net);
}

/* Sometimes chooses links between groups that are slower and longer than others, or delays beyond what an engine
 * stores.
 */
static void random_delays(uint64_t *seed, NetParams *params)
{
    uint32_t what = random_below(seed, 30);
    if (what < 5) {
        params->global_bandwidth = params->bandwidth / (1 + random_below(seed, 4)) + 1;
        params->global_latency_ps = random_below(seed, 3) * 1000000;
    } else if (what == 5) {
        params->link_latency_ps = random_below(seed, 2) * 20000000;
        params->router_latency_ps = random_below(seed, 2) * 9000000;
    }
}

/* Sometimes chooses another routing that is possible on the network. */
static void random_routing(uint64_t *seed, NetParams *params)
{
    const char *const *routings = net_routings();
    NetParams other = *params;
    other.routing = routings[random_below(seed, g_strv_length((char **)routings))];
    if (random_below(seed, 4) == 0)
        return;
    other.wormhole.virtual_channels += random_below(seed, 4);
    Network *net = net_network_new(&other, NULL, NULL);
    if (net)
        *params = other;
    net_network_free(net);
}

static void random_traffic(uint64_t *seed, const Network *net, Traffic *traffic)
{
    uint32_t nodes = net_network_nodes(net);
    uint32_t nics = net_network_params(net)->nics;
    uint64_t time = 0;
    uint32_t spread = random_below(seed, 4) * 30000 + 1; /* from everything at once to light load */
    bool hot = random_below(seed, 4) == 0;
    for (int i = 0; i < MESSAGES; i++) {
        time += random_below(seed, spread);
        traffic[i] = (Traffic){
            .from = random_below(seed, nodes),
            .to = hot ? 0 : random_below(seed, nodes),
            .nic = nics > 1 ? random_below(seed, nics) : 0,
            .bytes = random_below(seed, 3) ? random_below(seed, 300) : random_below(seed, 3000),
            .time_ps = time,
        };
    }
}

static void run_traffic(Network *net, const Traffic *traffic)
{
    for (uint64_t i = 0; i < MESSAGES; i++) {
        while (net_next_time(net) < traffic[i].time_ps)
            net_step(net);
        send_by_nic(net, traffic[i].nic, traffic[i].from, traffic[i].to, traffic[i].bytes, traffic[i].time_ps, i,
                    false);
    }
    run_all(net);
}

/* Every message is sent and delivered once, not before an empty network would deliver it. Each link on its route has
 * carried its bytes and headers. */
static void check_conservation(const Network *net, const Log *log, const Traffic *traffic, const char *what)
{
    const NetParams *params = net_network_params(net);
    g_autofree uint64_t *bytes = g_new0(uint64_t, net_link_count(net) + 1);
    g_autofree uint64_t *packets = g_new0(uint64_t, net_link_count(net) + 1);
    for (int i = 0; i < MESSAGES; i++) {
        const Delivery *delivery = &log->message[i];
        cr_assert_eq(delivery->sent, 1, "%s: message %d", what, i);
        cr_assert_eq(delivery->delivered, 1, "%s: message %d", what, i);
        cr_assert_leq(delivery->sent_ps, delivery->delivered_ps);
        cr_assert_geq(delivery->delivered_ps, traffic[i].time_ps + params->startup_ps);
        uint32_t links[64];
        uint32_t hops = net_route(net, traffic[i].from, traffic[i].to, links, 64);
        for (uint32_t h = 0; h < hops; h++) {
            uint64_t count = net_packet_count(params, traffic[i].bytes);
            bytes[links[h]] += traffic[i].bytes + count * params->header_bytes;
            packets[links[h]] += count;
        }
    }
    for (uint32_t l = 0; net->model->needs_links && l < net_link_count(net); l++) {
        cr_assert_eq(net_link(net, l)->bytes, bytes[l], "%s: link %u", what, l);
        cr_assert_eq(net_link(net, l)->packets, packets[l], "%s: link %u", what, l);
        cr_assert_leq(net_link(net, l)->busy_ps, log->last_ps, "%s: link %u busy longer than time went by", what, l);
    }
}

Test(properties, conservation_and_determinism)
{
    for (const char *const *model = net_models(); *model; model++)
        for (uint64_t run = 1; run <= 25; run++) {
            uint64_t seed = run * 7919;
            g_autofree char *what = g_strdup_printf("%s, seed %lu", *model, (unsigned long)seed);
            NetParams params = random_params(&seed, *model);
            params.nics = 1; /* net_route() gives the routes of NIC 0 only */
            Traffic traffic[MESSAGES];
            Log log[2];
            for (int again = 0; again < 2; again++) {
                log_init(&log[again], MESSAGES);
                g_autoptr(Network) net = make_network(&params, &log[again]);
                uint64_t traffic_seed = seed;
                random_traffic(&traffic_seed, net, traffic);
                run_traffic(net, traffic);
                check_conservation(net, &log[again], traffic, what);
            }
            cr_assert_arr_eq(log[0].message, log[1].message, MESSAGES * sizeof(Delivery), "%s: not the same twice",
                             what);
            cr_assert_arr_eq(log[0].order->data, log[1].order->data, MESSAGES * sizeof(uint64_t), "%s", what);
            log_clear(&log[0]);
            log_clear(&log[1]);
        }
}

/* A failure after the end of all traffic may not have been noticed yet. */
static void expect_same_links(const Network *a, const Network *b, const char *what)
{
    for (uint32_t l = 0; l < net_link_count(a); l++) {
        NetLink left = *net_link(a, l), right = *net_link(b, l);
        left.failed = right.failed = false;
        cr_assert_arr_eq(&left, &right, sizeof(NetLink), "%s: link %u", what, l);
    }
}

/* Returns failures of links of this network, for a while or for good. The caller frees the text. */
static char *random_failures(uint64_t *seed, NetParams *params)
{
    g_autoptr(Network) net = make_network(params, NULL);
    GString *text = g_string_new(NULL);
    for (uint32_t left = 1 + random_below(seed, 3); left > 0 && net_link_count(net); left--) {
        const NetLink *link = net_link(net, random_below(seed, net_link_count(net)));
        uint32_t from_ns = random_below(seed, 8000);
        g_string_append_printf(text, "%s%u%s%u at %u ns", text->len ? "; " : "", link->from,
                               random_below(seed, 2) ? "-" : "->", link->to, from_ns);
        if (random_below(seed, 4))
            g_string_append_printf(text, " for %u ns", 1 + random_below(seed, 3000));
    }
    params->faults.links = text->str;
    params->transport.timeout_ps = 100000 + random_below(seed, 3) * 1000000;
    params->transport.limit = random_below(seed, 3) ? 100 : 3;
    return g_string_free(text, FALSE);
}

static char *describe(uint64_t seed, const NetParams *params)
{
    return g_strdup_printf(
        "seed %lu: %s, %s (%s), %u channels of %u flits, %s, allocators %s %s, %u times, speculation %s, nics %u, "
        "injection %u of %u, ejection %u, %s, "
        "deadlock %s every %lu, retry %lu ps, failures %s",
        (unsigned long)seed, params->topology, params->routing, net_choice_decisions()[params->routing_decision],
        params->wormhole.virtual_channels, params->wormhole.buffer_flits,
        net_choice_allocations()[params->wormhole.allocation], net_choice_allocators()[params->wormhole.vc_allocator],
        net_choice_allocators()[params->wormhole.switch_allocator], params->wormhole.iterations,
        net_choice_speculations()[params->wormhole.speculation], params->nics, params->wormhole.injection_flits,
        params->wormhole.injection_channels, params->wormhole.ejection_flits, net_choice_duplexes()[params->duplex],
        net_choice_deadlock_policies()[params->deadlock], (unsigned long)params->wormhole.deadlock_cycles,
        (unsigned long)params->wormhole.retry_delay_ps, params->faults.links ? params->faults.links : "none");
}

/* Chooses a network whose routing may deadlock. */
static void random_deadlocks(uint64_t *seed, NetParams *params)
{
    static const char *const topologies[] = {"ring", "ring", "torus", "mesh", "hypercube", "clusters"};
    params->topology = topologies[random_below(seed, 6)];
    params->routing = "shortest-path";
    params->deadlock = random_below(seed, 2) ? NET_DEADLOCK_FATAL : NET_DEADLOCK_RESOLVE;
    params->wormhole.deadlock_cycles = 1 + random_below(seed, 4) * random_below(seed, 200);
    params->wormhole.retry_delay_ps = random_below(seed, 3) * 100000;
    params->wormhole.virtual_channels = 1 + random_below(seed, 2);
    params->n_dims = 0;
    params->nodes = 4 + random_below(seed, 8);
    if (strcmp(params->topology, "torus") == 0 || strcmp(params->topology, "mesh") == 0) {
        params->nodes = 0;
        params->n_dims = 2;
        params->dims[0] = 2 + random_below(seed, 4);
        params->dims[1] = 2 + random_below(seed, 4);
    } else if (strcmp(params->topology, "hypercube") == 0) {
        params->nodes = 16;
    } else if (strcmp(params->topology, "clusters") == 0) {
        params->nodes = 0;
        params->n_dims = 3;
        params->dims[0] = 2;
        params->dims[1] = 3;
        params->dims[2] = 2;
    }
}

/* Without a fatal deadlock all messages arrive, and those of a pair of nodes (and a NIC) in order. */
static void check_deliveries(const Log *log, const Traffic *traffic, const char *what)
{
    cr_assert_eq(log->order->len, MESSAGES, "%s: %u messages are missing", what, MESSAGES - log->order->len);
    for (int later = 0; later < MESSAGES; later++)
        for (int i = 0; i < later; i++)
            if (traffic[i].from == traffic[later].from && traffic[i].to == traffic[later].to &&
                traffic[i].nic == traffic[later].nic)
                cr_assert_leq(log->message[i].delivered_ps, log->message[later].delivered_ps, "%s", what);
}

static void expect_same(const Network *fast, const Network *plain, const Log log[2], const char *what)
{
    cr_assert_arr_eq(log[0].message, log[1].message, MESSAGES * sizeof(Delivery), "%s", what);
    cr_assert_eq(log[0].order->len, log[1].order->len, "%s", what);
    cr_assert_arr_eq(log[0].order->data, log[1].order->data, log[0].order->len * sizeof(uint64_t), "%s", what);
    expect_same_links(fast, plain, what);
    cr_assert_eq(net_deadlock(fast) != NULL, net_deadlock(plain) != NULL, "%s", what);
    cr_assert_eq(net_deadlocks_resolved(fast), net_deadlocks_resolved(plain), "%s", what);
    if (net_first_deadlock(fast))
        cr_assert_str_eq(net_first_deadlock(fast), net_first_deadlock(plain), "%s", what);
}

/* The event-driven engine equals the reference in every time, every link's statistics, and the text of a deadlock. More
 * seeds: ORRERY_SEEDS=10000; beginning elsewhere: ORRERY_SEEDS_AFTER=2000. */
Test(properties, wormhole_equals_the_reference)
{
    const char *more = g_getenv("ORRERY_SEEDS");
    const char *after = g_getenv("ORRERY_SEEDS_AFTER");
    uint64_t runs = more ? g_ascii_strtoull(more, NULL, 10) : WORMHOLE_RUNS;
    uint64_t first = after ? g_ascii_strtoull(after, NULL, 10) + 1 : 1;
    uint64_t fatal = 0, resolved = 0;
    for (uint64_t run = first; run < first + runs; run++) {
        uint64_t seed = run * 104729;
        NetParams params = random_params(&seed, "wormhole");
        random_delays(&seed, &params);
        if (random_below(&seed, 3) == 0)
            random_deadlocks(&seed, &params);
        if (params.link_latency_ps > LONG_HOP_PS || params.router_latency_ps > LONG_HOP_PS)
            params.wormhole.deadlock_cycles =
                MAX(params.wormhole.deadlock_cycles, 1000); /* the search for deadlocks costs more than the rest */
        random_routing(&seed, &params);
        random_allocators(seed, &params);
        g_autofree char *failures = random_below(&seed, 4) ? NULL : random_failures(&seed, &params);
        g_autofree char *what = describe(run * 104729, &params);
        Traffic traffic[MESSAGES];
        Log log[2];
        log_init(&log[0], MESSAGES);
        log_init(&log[1], MESSAGES);
        g_autoptr(Network) fast = make_network(&params, &log[0]);
        params.switching = "wormhole-reference";
        g_autoptr(Network) plain = make_network(&params, &log[1]);
        random_traffic(&seed, fast, traffic);
        run_traffic(fast, traffic);
        run_traffic(plain, traffic);
        expect_same(fast, plain, log, what);
        if (net_deadlock(fast))
            fatal++;
        else if (!failures)
            check_deliveries(&log[0], traffic, what);
        resolved += net_deadlocks_resolved(fast);
        log_clear(&log[0]);
        log_clear(&log[1]);
    }
    cr_assert(after || fatal, "the test should see deadlocks too");
    cr_assert(after || resolved, "the test should see deadlocks that are resolved");
    cr_log_info("%lu fatal deadlocks, %lu resolved", (unsigned long)fatal, (unsigned long)resolved);
}

/* Sends the messages up to a time, runs the network until then, and tells it the time. */
static void run_until(Network *net, const Traffic *traffic, uint64_t until_ps)
{
    int sent = 0;
    for (;;) {
        uint64_t send_ps = sent < MESSAGES ? traffic[sent].time_ps : UINT64_MAX;
        if (MIN(send_ps, net_next_time(net)) > until_ps)
            break;
        if (net_next_time(net) <= send_ps) {
            net_step(net);
            continue;
        }
        const Traffic *message = &traffic[sent];
        send_by_nic(net, message->nic, message->from, message->to, message->bytes, send_ps, (uint64_t)sent, false);
        sent++;
    }
    net_network_settle(net, until_ps);
}

/* Wherever a run ends, links have the same counts in both engines: packets in closed form know how far they are. */
Test(properties, links_count_alike_in_the_middle_of_packets)
{
    uint64_t carried = 0;
    for (uint64_t run = 1; run <= WORMHOLE_RUNS; run++) {
        uint64_t seed = run * 15485863;
        NetParams params = random_params(&seed, "wormhole");
        random_delays(&seed, &params);
        random_routing(&seed, &params);
        g_autofree char *what = describe(run * 15485863, &params);
        Traffic traffic[MESSAGES];
        Log log[2];
        log_init(&log[0], MESSAGES);
        log_init(&log[1], MESSAGES);
        g_autoptr(Network) fast = make_network(&params, &log[0]);
        params.switching = "wormhole-reference";
        g_autoptr(Network) plain = make_network(&params, &log[1]);
        random_traffic(&seed, fast, traffic);
        uint64_t until_ps = traffic[random_below(&seed, 8)].time_ps + random_below(&seed, 4000000);
        run_until(fast, traffic, until_ps);
        run_until(plain, traffic, until_ps);
        expect_same_links(fast, plain, what);
        for (uint32_t l = 0; l < net_link_count(fast); l++)
            carried += net_link(fast, l)->busy_ps;
        log_clear(&log[0]);
        log_clear(&log[1]);
    }
    cr_assert(carried > 0);
}

static uint64_t pick(uint64_t *seed, const uint64_t *values, uint32_t count)
{
    return values[random_below(seed, count)];
}
#define PICK(...) pick(&seed, (const uint64_t[]){__VA_ARGS__}, G_N_ELEMENTS(((const uint64_t[]){__VA_ARGS__})))

static uint32_t count_names(const char *const *names)
{
    uint32_t count = 0;
    while (names[count])
        count++;
    return count;
}

/* Any parameters are refused with a reason, or every message arrives (or a deadlock says why not). */
Test(properties, any_parameters_are_refused_or_work)
{
    unsigned made = 0;
    for (uint64_t run = 1; run <= 10000; run++) {
        uint64_t seed = run * 15485863;
        NetParams params = test_network_params();
        params.topology = net_topologies()[random_below(&seed, count_names(net_topologies()))];
        params.routing = net_routings()[random_below(&seed, count_names(net_routings()))];
        params.switching = net_models()[random_below(&seed, count_names(net_models()))];
        params.nodes = (uint32_t)PICK(0, 0, 1, 2, 5, 12, 16, UINT32_MAX);
        params.n_dims = (uint32_t)PICK(0, 1, 2, 3, 8, 9);
        for (uint32_t i = 0; i < NET_MAX_DIMENSIONS; i++)
            params.dims[i] = (uint32_t)PICK(1, 1, 2, 3, 4, 4, 0);
        params.bandwidth = PICK(0, 1, 1000, 1000000000, UINT64_C(1000000000000), UINT64_MAX);
        params.link_latency_ps = PICK(0, 1, 10000, UINT64_C(1) << 50, UINT64_MAX);
        params.router_latency_ps = PICK(0, 1, 10000, UINT64_C(1) << 40);
        params.switch_latency_ps = PICK(0, 1, 10000, UINT64_C(1) << 40);
        params.startup_ps = PICK(0, 1, 10000, UINT64_C(1) << 40);
        params.packet_startup_ps = PICK(0, 0, 1, 10000, UINT64_C(1) << 40);
        params.wormhole.flit_bytes = (uint32_t)PICK(0, 1, 16, 100, UINT32_MAX);
        params.packet_bytes = (uint32_t)PICK(0, 1, 100, 5000, UINT32_MAX);
        params.header_bytes = (uint32_t)PICK(0, 0, 1, 16, UINT32_MAX);
        params.wormhole.virtual_channels = (uint32_t)PICK(0, 1, 2, 3, 64, 65, UINT32_MAX);
        params.wormhole.buffer_flits = (uint32_t)PICK(0, 1, 2, 7, 1000, UINT32_MAX);
        params.loggp.gap_per_byte_fs = PICK(0, 1, 999, UINT64_C(1) << 50);
        params.wormhole.injection_channels = (uint32_t)PICK(1, 1, 1, 3, 1000, 0, UINT32_MAX);
        params.wormhole.injection_flits = (uint32_t)PICK(0, 0, 1, 2, UINT32_MAX);
        params.wormhole.deadlock_cycles = PICK(1000, 1000, 1, 0, UINT64_MAX);
        params.wormhole.retry_delay_ps = PICK(0, 1, 1000000, UINT64_C(1) << 50, UINT64_MAX);
        params.deadlock = (NetDeadlockPolicy)random_below(&seed, count_names(net_choice_deadlock_policies()));
        params.routing_decision = (NetDecision)random_below(&seed, count_names(net_choice_decisions()));
        Log log;
        log_init(&log, 20);
        NetClient client = log_client(&log);
        g_autoptr(GError) error = NULL;
        g_autoptr(Network) net = net_network_new(&params, &client, &error);
        cr_assert((net == NULL) == (error != NULL), "run %lu", (unsigned long)run);
        for (uint64_t i = 0; net && i < log.count; i++)
            send_message(net, random_below(&seed, net_network_nodes(net)), random_below(&seed, net_network_nodes(net)),
                         random_below(&seed, 200), i, i);
        if (net) {
            made++;
            run_all(net);
            cr_assert((log.order->len == log.count) == (net_deadlock(net) == NULL), "run %lu", (unsigned long)run);
        }
        log_clear(&log);
    }
    cr_assert_gt(made, 100);
}
