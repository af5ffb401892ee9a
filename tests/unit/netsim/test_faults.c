/* test_faults.c - links and routers that fail, packets that are lost or late, and NICs that repeat them. */
#include "base/random.h"
#include "helper.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 60 };

static const char *const lossy[] = {"store-and-forward", "cut-through", "wormhole", "wormhole-reference",
                                    "switched-ethernet", "loggp",       NULL};

static NetParams mesh(const char *switching)
{
    NetParams params = make_params(strcmp(switching, "switched-ethernet") == 0 ? "tree" : "mesh",
                                   strcmp(switching, "switched-ethernet") == 0 ? "2x3" : "3x3", switching);
    params.transport.timeout_ps = 20000000;
    return params;
}

/* Sends messages between random nodes; every tenth is long. */
static void run_random(const NetParams *params, Log *log)
{
    g_autoptr(Network) net = make_network(params, log);
    uint64_t state = 7;
    for (uint32_t i = 0; i < log->count; i++) {
        uint32_t from = random_below(&state, net_network_nodes(net)), to = random_below(&state, net_network_nodes(net));
        send_message(net, from, to, i % 10 ? 100 : 5000, (uint64_t)i * 50000, i);
    }
    run_all(net);
    cr_assert_null(net_undeliverable(net), "%s", net_undeliverable(net));
}

/* A NIC that could repeat packets but need not delivers at the same times as one that could not. */
Test(faults, nothing_lost_changes_no_time)
{
    for (const char *const *model = lossy; *model; model++) {
        NetParams params = mesh(*model);
        Log plain, careful;
        log_init(&plain, PAIRS);
        log_init(&careful, PAIRS);
        run_random(&params, &plain);
        params.faults.loss = 1; /* in 10^18 */
        run_random(&params, &careful);
        for (uint32_t i = 0; i < PAIRS; i++)
            cr_assert_eq(plain.message[i].delivered_ps, careful.message[i].delivered_ps, "%s, message %u", *model, i);
        log_clear(&plain);
        log_clear(&careful);
    }
}

/* Each message is delivered once, and messages of a pair in order, whatever is lost, late, or acknowledged. */
Test(faults, delivered_once_and_in_order)
{
    for (const char *const *model = lossy; *model; model++)
        for (uint32_t acknowledgement = 0; acknowledgement <= 8; acknowledgement += 8) {
            NetParams params = mesh(*model);
            params.faults.loss = NET_CHANCE_ONE / 20;
            params.faults.jitter_ps = 300000;
            params.faults.jitter_distribution =
                acknowledgement ? BASE_DISTRIBUTION_EXPONENTIAL : BASE_DISTRIBUTION_UNIFORM;
            params.transport.acknowledgement_bytes = acknowledgement;
            params.transport.limit = 100;
            Log log;
            log_init(&log, PAIRS);
            g_autoptr(Network) net = make_network(&params, &log);
            for (uint32_t i = 0; i < PAIRS; i++)
                send_message(net, 0, net_network_nodes(net) - 1, i % 7 ? 300 : 4000, 0, i);
            run_all(net);
            NetFaultCounts counts;
            cr_assert(net_fault_counts(net, &counts));
            cr_assert_gt(counts.lost, 0, "%s", *model);
            cr_assert(acknowledgement || counts.resent == counts.lost, "%s", *model);
            cr_assert(!counts.acknowledgements == !acknowledgement, "%s", *model);
            for (uint32_t i = 0; i < PAIRS; i++) {
                cr_assert_eq(log.message[i].delivered, 1, "%s: message %u", *model, i);
                cr_assert_eq(g_array_index(log.order, uint64_t, i), i, "%s: place %u", *model, i);
            }
            log_clear(&log);
        }
}

static uint64_t last_with_seed(uint64_t seed)
{
    NetParams params = mesh("cut-through");
    Log log;
    log_init(&log, PAIRS);
    params.faults.loss = NET_CHANCE_ONE / 10;
    params.seed = seed;
    run_random(&params, &log);
    uint64_t last_ps = log.last_ps;
    log_clear(&log);
    return last_ps;
}

Test(faults, losses_follow_from_the_seed)
{
    cr_assert_eq(last_with_seed(1), last_with_seed(1));
    cr_assert_neq(last_with_seed(1), last_with_seed(2));
}

/* Returns the share of packets of one size that is lost if on average one of `bits` bits is damaged. */
static double share_lost(uint64_t bytes, uint64_t bits, uint64_t *wire_bytes)
{
    enum { MESSAGES = 3000 };
    NetParams params = make_params("linear", "2", "store-and-forward");
    NetFaultCounts counts;
    Log log;
    params.faults.bit_errors = NET_CHANCE_ONE / bits;
    params.transport.limit = 1000;
    log_init(&log, MESSAGES);
    g_autoptr(Network) net = make_network(&params, &log);
    for (uint32_t i = 0; i < MESSAGES; i++)
        send_message(net, 0, 1, bytes, 0, i);
    run_all(net);
    net_fault_counts(net, &counts);
    cr_assert_eq(counts.lost, counts.resent);
    cr_assert(counts.lost == 0 || counts.lost_bytes % counts.lost == 0, "all are of one size");
    *wire_bytes = counts.lost ? counts.lost_bytes / counts.lost : 0;
    for (uint32_t i = 0; i < MESSAGES; i++)
        cr_assert_eq(log.message[i].delivered, 1);
    log_clear(&log);
    return (double)counts.lost / (double)(counts.lost + MESSAGES);
}

/* Each bit is damaged independently, those of the header too. A packet arrives if all of its bits do. */
Test(faults, long_packets_are_damaged_more_often)
{
    static const uint64_t sizes[] = {1, 100, 1000};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        uint64_t wire_bytes, header_bytes = make_params("linear", "2", "store-and-forward").header_bytes;
        double lost = share_lost(sizes[i], 10000, &wire_bytes);
        double expected = 1.0 - pow(1.0 - 1e-4, 8.0 * (double)(sizes[i] + header_bytes));
        cr_assert_eq(wire_bytes, sizes[i] + header_bytes);
        cr_assert_float_eq(lost, expected, 0.02, "%" G_GUINT64_FORMAT " bytes: %g, not %g", sizes[i], lost, expected);
    }
    uint64_t none;
    cr_assert_eq(share_lost(1000, NET_CHANCE_ONE, &none), 0.0);
}

static uint64_t deliver(const NetParams *params, uint32_t from, uint32_t to, uint64_t at_ps, NetFaultCounts *counts)
{
    Log log;
    log_init(&log, 1);
    g_autoptr(Network) net = make_network(params, &log);
    send_message(net, from, to, 100, at_ps, 0);
    run_all(net);
    net_fault_counts(net, counts);
    cr_assert_eq(log.message[0].delivered, 1, "%s", net_undeliverable(net));
    uint64_t time_ps = log.message[0].delivered_ps - at_ps;
    log_clear(&log);
    return time_ps;
}

/* The packet is on the second link when that fails. It is sent again a timeout after it has left, when there is a way.
 */
Test(faults, what_is_on_a_failing_link_is_sent_again)
{
    NetFaultCounts counts;
    NetParams params = make_params("linear", "3", "store-and-forward");
    uint64_t whole = run_one(&params, 0, 2, 100), first = run_one(&params, 0, 1, 100);
    uint64_t sent = first - params.link_latency_ps;
    params.transport.timeout_ps = 5000000;
    g_autofree char *link = g_strdup_printf("1-2 at %" G_GUINT64_FORMAT " ps until 3 us", whole - 1);
    params.faults.links = link;
    cr_assert_eq(deliver(&params, 0, 2, 0, &counts), sent + 5000000 + whole - params.startup_ps);
    cr_assert_eq(counts.lost, 1);
    cr_assert_eq(counts.resent, 1);
    cr_assert_eq(counts.failures, 1);
    g_autofree char *late = g_strdup_printf("1-2 at %" G_GUINT64_FORMAT " ps", whole);
    params.faults.links = late; /* at that time the last bit has arrived */
    cr_assert_eq(deliver(&params, 0, 2, 0, &counts), whole);
    cr_assert_eq(counts.lost, 0);
}

Test(faults, shortest_paths_go_round)
{
    static const char *const models[] = {"store-and-forward", "cut-through", "flow", NULL};
    NetFaultCounts counts;
    for (const char *const *model = models; *model; model++) {
        NetParams params = make_params("ring", "6", *model);
        params.routing = "shortest-path";
        uint64_t near = run_one(&params, 0, 1, 100), far = run_one(&params, 0, 3, 100) - run_one(&params, 0, 1, 100);
        params.faults.links = "0-1 at 1 us until 1 ms";
        uint64_t round = deliver(&params, 0, 1, 2000000, &counts);
        cr_assert_eq(round, near + 2 * far, "%s: five hops take %" G_GUINT64_FORMAT, *model, round);
        cr_assert_eq(deliver(&params, 0, 1, 0, &counts), near, "%s: before", *model);
        cr_assert_eq(deliver(&params, 0, 1, UINT64_C(1000000000), &counts), near, "%s: after", *model);
    }
}

/* Packets routed by a table take shortest paths while something on their way has failed, and then the table again. */
Test(faults, tables_are_left_while_links_have_failed)
{
    NetFaultCounts counts;
    g_autofree char *path = NULL;
    close(g_file_open_tmp("orrery-table-XXXXXX", &path, NULL));
    cr_assert(g_file_set_contents(path, "0 1 3\n3 1 2\n2 * 1\n", -1, NULL)); /* the long way round to node 1 */
    NetParams params = make_params("ring", "4", "cut-through");
    params.routing = "shortest-path";
    uint64_t near = run_one(&params, 0, 1, 100), hop = run_one(&params, 0, 2, 100) - near;
    params.routing = "table";
    params.table = path;
    params.faults.links = "1-2 at 1 us until 1 ms";
    cr_assert_eq(deliver(&params, 0, 1, 0, &counts), near + 2 * hop, "before");
    cr_assert_eq(deliver(&params, 0, 1, 2000000, &counts), near, "meanwhile");
    cr_assert_eq(deliver(&params, 3, 2, 2000000, &counts), near, "a way that nothing has happened to");
    cr_assert_eq(deliver(&params, 0, 1, UINT64_C(1000000000), &counts), near + 2 * hop, "after");
    params.faults.links = "0-1 at 1 us"; /* not on the way */
    cr_assert_eq(deliver(&params, 0, 1, 2000000, &counts), near + 2 * hop);
    g_unlink(path);
}

/* On a shared medium a packet is lost with the tap of its sender or its receiver, but not with other taps. */
Test(faults, taps_of_a_shared_medium)
{
    static const char *const models[] = {"bus", "csma-cd"};
    static const struct {
        unsigned tap;
        bool lost;
    } cases[] = {{0, true}, {1, false}, {2, true}, {3, false}};
    for (size_t m = 0; m < G_N_ELEMENTS(models); m++) {
        NetParams params = make_params("bus", "4", models[m]);
        NetFaultCounts counts;
        uint64_t whole = run_one(&params, 0, 2, 100);
        params.transport.timeout_ps = 5000000;
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
            g_autofree char *link =
                g_strdup_printf("%u-4 at %" G_GUINT64_FORMAT " ps until 3 us", cases[i].tap, whole - 1);
            params.faults.links = link;
            uint64_t time = deliver(&params, 0, 2, 0, &counts);
            cr_assert_eq(counts.lost, cases[i].lost, "%s, tap %u", models[m], cases[i].tap);
            cr_assert_eq(counts.resent, cases[i].lost, "%s, tap %u", models[m], cases[i].tap);
            cr_assert(cases[i].lost ? time >= 5000000 + 100 : time == whole, "%s, tap %u: %" G_GUINT64_FORMAT,
                      models[m], cases[i].tap, time);
        }
    }
}

/* Counts the pairs of nodes that the routing still connects after the failures. */
static uint32_t count_reached(NetParams *params, const char *routing)
{
    Log log;
    uint32_t reached = 0;
    params->routing = routing;
    log_init(&log, 1);
    g_autoptr(Network) net = make_network(params, &log);
    send_message(net, 0, 0, 1, 1000, 0);
    run_all(net);
    uint32_t links[256];
    for (uint32_t from = 0; from < net_network_nodes(net); from++)
        for (uint32_t to = 0; to < net_network_nodes(net); to++) {
            uint32_t hops = from == to ? 0 : net_route(net, from, to, links, G_N_ELEMENTS(links));
            for (uint32_t i = 0; i < hops; i++)
                cr_assert_not(net_link(net, links[i])->failed, "%s: %u to %u", routing, from, to);
            reached += hops > 0;
        }
    log_clear(&log);
    return reached;
}

/* A row of a 4x4 mesh is cut: of the 16 * 15 pairs, each routing can still connect some. */
Test(faults, routings_do_what_they_can)
{
    NetParams params = make_params("mesh", "4x4", "cut-through");
    params.faults.links = "(0,0)-(0,1)";
    cr_assert_eq(count_reached(&params, "shortest-path"), 240);
    cr_assert_eq(count_reached(&params, "up-down"), 240);
    cr_assert_eq(count_reached(&params, "valiant"), 240);
    uint32_t order = count_reached(&params, "dimension-order"), adaptive = count_reached(&params, "minimal-adaptive");
    cr_assert_eq(order, 240 - 24, "%u", order);      /* lost: they enter or leave the row in its first column */
    cr_assert_eq(adaptive, 240 - 6, "%u", adaptive); /* only pairs within the row are lost */
    cr_assert_geq(count_reached(&params, "west-first"), order);
    cr_assert_geq(count_reached(&params, "negative-first"), order);
    params.faults.links = NULL;
    params.faults.routers = "5; (2,2)";
    cr_assert_eq(count_reached(&params, "shortest-path"), 14 * 13);
    cr_assert_eq(count_reached(&params, "up-down"), 14 * 13);
}

typedef struct Told {
    unsigned times;
    char *why;
} Told;

static void note_undeliverable(void *user, uint64_t cookie, const char *why)
{
    Told *told = user;
    cr_assert_eq(cookie, 42);
    told->times++;
    g_free(told->why);
    told->why = g_strdup(why);
}

/* Nothing hangs. Each message that cannot be delivered is reported once, with what is in the way. */
Test(faults, what_cannot_be_delivered_is_reported)
{
    Told told = {0};
    NetParams params = make_params("mesh", "2x2", "cut-through");
    NetClient client = {.user = &told, .undeliverable = note_undeliverable};
    params.faults.routers = "(1,1) at 1 us";
    g_autoptr(Network) net = net_network_new(&params, &client, NULL);
    send_message(net, 0, 3, 5000, 2000000, 42);
    run_all(net);
    cr_assert_eq(told.times, 1);
    cr_assert(strstr(told.why, "5000 bytes from (0,0) to (1,1)"), "%s", told.why);
    cr_assert(strstr(told.why, "router (1,1) failed at 1 us"), "%s", told.why);
    cr_assert_str_eq(told.why, net_undeliverable(net));
    cr_assert_str_eq(net_failure(net, 0), "router (1,1) fails at 1 us");
    cr_assert_null(net_failure(net, 1));
    g_free(told.why);
}

/* A failing link fails in one direction; a failing router takes all its links in both directions. */
Test(faults, links_that_fail_at_some_time_are_known)
{
    NetParams params = make_params("mesh", "3x3", "cut-through");
    params.faults.links = "0->1 at 1 s";
    params.faults.routers = "8 until 1 us";
    g_autoptr(Network) net = net_network_new(&params, NULL, NULL);
    for (uint32_t i = 0; i < net_link_count(net); i++) {
        const NetLink *link = net_link(net, i);
        bool fails = (link->from == 0 && link->to == 1) || link->from == 8 || link->to == 8;
        cr_expect_eq(net_failure_of_link(net, i), fails, "link %u: %u->%u", i, link->from, link->to);
    }
    params.faults.links = params.faults.routers = NULL;
    g_autoptr(Network) sound = net_network_new(&params, NULL, NULL);
    cr_assert_not(net_failure_of_link(sound, 0));
}

Test(faults, a_message_is_given_up_after_the_limit)
{
    Told told = {0};
    NetParams params = make_params("crossbar", "4", "store-and-forward");
    NetClient client = {.user = &told, .undeliverable = note_undeliverable};
    NetFaultCounts counts;
    params.faults.loss = NET_CHANCE_ONE;
    params.transport.limit = 3;
    g_autoptr(Network) net = net_network_new(&params, &client, NULL);
    send_message(net, 0, 3, 10, 0, 42);
    run_all(net);
    net_fault_counts(net, &counts);
    cr_assert_eq(told.times, 1);
    cr_assert_eq(counts.lost, 4);
    cr_assert_eq(counts.resent, 3);
    g_free(told.why);
}

Test(faults, impossible_ones_are_refused)
{
    NetParams params = make_params("mesh", "2x2", "cut-through");
    static const char *const links[][2] = {
        {"0-9", "there is no vertex \"9\""},
        {"0-3", "no link from (0,0) to (1,1)"},
        {"0", "is no link"},
        {"0-1 at 5", "is not a time"},
        {"0-1 at 5 ms until 4 ms", "repaired before it fails"},
        {"0-1 at 5 ms until 6 ms for 1 ms", "is not a time"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
        params.faults.links = links[i][0];
        expect_refusal(&params, NET_ERROR_PARAMETER, links[i][1]);
    }
    params.faults.links = NULL;
    params.faults.routers = "(7,7)";
    expect_refusal(&params, NET_ERROR_PARAMETER, "there is no vertex \"(7,7)\"");
    params.faults.routers = NULL;
    params.faults.loss = NET_CHANCE_ONE + 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "at most 1");
    params.faults.loss = 0;
    params = make_params("crossbar", "4", "loggp");
    params.faults.links = "0-1";
    expect_refusal(&params, NET_ERROR_PARAMETER, "no links");
    params = make_params("crossbar", "4", "flow");
    params.faults.loss = 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "no packets");
}

/* Means over many values: fixed, uniform up to twice the mean, exponential. No value is beyond its range. */
Test(faults, spreads_have_their_means)
{
    enum { DRAWS = 20000, MEAN = 1000000 };
    for (uint32_t kind = 0; base_random_distributions()[kind]; kind++) {
        uint64_t sum = 0, most = 0;
        for (uint32_t i = 0; i < DRAWS; i++) {
            uint64_t value = base_random_spread((BaseDistribution)kind, MEAN, base_random_mix(1, i, 0));
            sum += value;
            most = MAX(most, value);
        }
        cr_assert_float_eq((double)sum / DRAWS, MEAN, 0.02 * MEAN, "%s", base_random_distributions()[kind]);
        cr_assert(kind != BASE_DISTRIBUTION_UNIFORM || most <= 2 * MEAN);
    }
    cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_EXPONENTIAL, MEAN, UINT64_MAX), 0);
    cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_EXPONENTIAL, MEAN, UINT64_C(1) << 63), 693147); /* ln 2 */
}
