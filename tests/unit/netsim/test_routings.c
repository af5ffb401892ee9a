/* test_routings.c - routing functions: their routes, that they reach every node, and that those called free of deadlock
 * have no cycle in their channel dependency graph. Cycles are found where they exist.
 */
#include "helper.h"

#include "netsim/routing/next_links.h"

#include <glib/gstdio.h>
#include <string.h>

static const char *const adaptive[] = {"west-first", "negative-first", "minimal-adaptive", "valiant",
                                       "ugal",       "up-down",        "destination-mod-k"};

/* Makes a network with this routing, or returns NULL if they cannot be combined. */
static Network *try_channels(const char *topology, const char *dims, const char *routing, const char *switching,
                             uint32_t channels)
{
    NetParams params = make_params(topology, dims, switching);
    params.routing = routing;
    params.wormhole.virtual_channels = channels;
    return net_network_new(&params, NULL, NULL);
}

static Network *try_network(const char *topology, const char *dims, const char *routing, const char *switching)
{
    return try_channels(topology, dims, routing, switching, 6);
}

/* Classes of channels that wait for each other by different rules must be disjoint. */
static void expect_apart(const Network *net, const char *what)
{
    uint64_t seen = 0;
    uint32_t vcs = net->params.wormhole.virtual_channels, classes = net->routing->classes(net);
    for (uint32_t i = 0; net->routing->share && i < classes; i++) {
        uint64_t share = net->routing->share(net, i, vcs);
        cr_assert(share && !(share & seen), "%s: class %u of %u channels", what, i, vcs);
        seen |= share;
    }
}

/* Every proven routing on every sample, with any number of channels that it takes: the general method finds no cycle
 * (Dally and Seitz, 1987; Duato, 1993). */
Test(routings, proven_ones_have_no_circle)
{
    static const uint32_t channels[] = {1, 2, 3, 4, 6, 64};
    unsigned looked_at = 0;
    for (size_t i = 0; i < n_samples; i++)
        for (const char *const *routing = net_routings(); *routing; routing++)
            for (size_t c = 0; c < G_N_ELEMENTS(channels); c++) {
                g_autoptr(Network) net =
                    try_channels(samples[i].topology, samples[i].dims, *routing, "wormhole", channels[c]);
                if (!net || !net->routing->proven || net_network_nodes(net) > 40)
                    continue;
                bool complete;
                expect_apart(net, *routing);
                g_autofree char *circle = net_dependency_circle(net, UINT64_MAX, false, &complete);
                cr_assert(complete);
                cr_assert_null(circle, "%s on %s %s: %s", *routing, samples[i].topology, samples[i].dims, circle);
                looked_at++;
            }
    cr_assert_gt(looked_at, 300);
}

/* A minimal adaptive routing whose escape channels go round the ring without a second class. */
static uint32_t bad_escapes(const Network *net, const NetQuery *query, NetHop *hops)
{
    uint32_t count = net_routing_lookup("minimal-adaptive", NULL)->candidates(net, query, hops);
    hops[count - 1].channel_class = 0;
    return count;
}

/* Dependencies through adaptive channels are followed (the extended graph), so the cycle among escape channels is
 * found. */
Test(routings, circles_of_escape_channels_are_found)
{
    NetParams params = make_params("torus", "5x4", "cut-through");
    params.routing = "minimal-adaptive";
    g_autoptr(Network) net = make_network(&params, NULL);
    NetRouting bad = *net->routing;
    const NetRouting *good = net->routing;
    bad.candidates = bad_escapes;
    net->routing = &bad;
    g_autofree char *circle = net_dependency_circle(net, UINT64_MAX, false, &(bool){false});
    net->routing = good;
    cr_assert_not_null(circle);
    cr_assert_not_null(strstr(circle, "(class 0)"), "%s", circle);
    g_autofree char *none = net_dependency_circle(net, UINT64_MAX, false, &(bool){false});
    cr_assert_null(none, "%s", none);
}

/* A search that is incomplete does not say that there are no cycles. */
Test(routings, incomplete_search_says_so)
{
    NetParams params = make_params("mesh", "8x8", "wormhole");
    params.routing = "shortest-path";
    g_autoptr(Network) net = make_network(&params, NULL);
    bool complete = true;
    g_autofree char *circle = net_dependency_circle(net, 100, false, &complete);
    cr_assert_null(circle);
    cr_assert(!complete);
    cr_assert(!net->may_deadlock, "before the run, all was looked at");
}

/* Turn models stay free of deadlock when the source decides. Minimal adaptive loses its escape channels, and is
 * refused. Packets on their way have one possible hop, and it leads nearer. */
Test(routings, decided_at_the_source)
{
    static const char *const turn_models[] = {"west-first", "negative-first"};
    for (size_t i = 0; i < G_N_ELEMENTS(turn_models); i++) {
        NetParams params = make_params("mesh", "5x5", "wormhole");
        params.routing = turn_models[i];
        params.routing_decision = NET_DECIDE_AT_SOURCE;
        g_autoptr(Network) net = make_network(&params, NULL);
        uint64_t paths = 0; /* bit per first hop after the source, over many packets */
        for (uint64_t number = 0; number < 64; number++) {
            NetQuery query = net_route_begin(net, 0, 24, number);
            NetHop hops[NET_MAX_CANDIDATES];
            uint32_t count, length = 0;
            for (; query.at != 24; length++) {
                count = net_candidates(net, &query, hops);
                cr_assert(count == 1 || (length == 0 && count > 0));
                net_route_advance(net, &query, hops[0]);
                paths |= length == 4 ? UINT64_C(1) << query.at : 0;
            }
            cr_assert_eq(length, 8);
        }
        cr_assert(i == 0 || (paths & (paths - 1)), "packets take different paths");
    }
    NetParams params = make_params("mesh", "4x4", "wormhole");
    params.routing = "minimal-adaptive";
    params.routing_decision = NET_DECIDE_AT_SOURCE;
    expect_refusal(&params, NET_ERROR_PARAMETER, "minimal-adaptive that is decided at the source can deadlock");
}

/* A ring and a torus under shortest paths, and dimension order without its second class, have cycles. */
Test(routings, circles_are_found_and_named)
{
    NetParams params = make_params("ring", "5", "wormhole");
    params.routing = "shortest-path";
    expect_refusal(&params, NET_ERROR_PARAMETER, "node 0 -> node 4, node 4 -> node 3");
    expect_refusal(&params, NET_ERROR_PARAMETER, "circle node");
    params = make_params("torus", "4x4", "wormhole-reference");
    params.routing = "shortest-path";
    expect_refusal(&params, NET_ERROR_PARAMETER, "(0,");
    params = make_params("mesh", "4x4", "wormhole");
    params.routing = "shortest-path";
    net_network_free(make_network(&params, NULL));
}

/* Routes from every node to every other one end, and minimal ones have the length of the shortest path. */
Test(routings, reach_every_node)
{
    for (size_t i = 0; i < n_samples; i++)
        for (size_t r = 0; r < G_N_ELEMENTS(adaptive); r++) {
            g_autoptr(Network) net = try_network(samples[i].topology, samples[i].dims, adaptive[r], "cut-through");
            g_autoptr(Network) plain =
                try_network(samples[i].topology, samples[i].dims, "shortest-path", "cut-through");
            bool minimal = r != 3 && r != 4 && r != 5;
            for (uint32_t from = 0; net && from < net_network_nodes(net); from++)
                for (uint32_t to = 0; to < net_network_nodes(net); to++) {
                    uint32_t hops = net_route(net, from, to, NULL, 0);
                    uint32_t least = net_route(plain, from, to, NULL, 0);
                    cr_assert(minimal ? hops == least : hops >= least, "%s %s", adaptive[r], samples[i].topology);
                }
        }
}

static uint32_t first_hops(const Network *net, uint32_t at, uint32_t to, NetHop *hops)
{
    NetQuery query = {.from = at, .to = to, .via = NET_NONE, .at = at, .in_link = NET_NONE};
    return net_candidates(net, &query, hops);
}

/* Glass and Ni, figures 5 and 10: only west if the destination is to the west, otherwise both ways. */
Test(routings, turn_models)
{
    NetHop hops[NET_MAX_CANDIDATES];
    g_autoptr(Network) west = try_network("mesh", "4x4", "west-first", "wormhole");
    cr_assert_eq(first_hops(west, 5, 15, hops), 2);
    cr_assert_eq(first_hops(west, 6, 12, hops), 1);
    cr_assert_eq(net_link(west, hops[0].link)->to, 5);
    g_autoptr(Network) negative = try_network("mesh", "4x4x4", "negative-first", "wormhole");
    cr_assert_eq(first_hops(negative, 0, 63, hops), 3);
    cr_assert_eq(first_hops(negative, 63, 0, hops), 3);
    cr_assert_eq(first_hops(negative, 16, 3, hops), 1); /* (1,0,0) -> (0,0,3) */
    cr_assert_eq(net_link(negative, hops[0].link)->to, 0);
}

Test(routings, minimal_adaptive_has_an_escape)
{
    NetHop hops[NET_MAX_CANDIDATES];
    g_autoptr(Network) net = try_network("torus", "5x5", "minimal-adaptive", "wormhole");
    cr_assert_eq(first_hops(net, 0, 12, hops), 3);
    cr_assert(!hops[0].escape && hops[0].channel_class == 2);
    cr_assert(hops[2].escape && hops[2].channel_class < 2);
    NetParams params = make_params("torus", "5x5", "wormhole");
    params.routing = "minimal-adaptive";
    params.wormhole.virtual_channels = 2;
    expect_refusal(&params, NET_ERROR_PARAMETER, "at least 3 virtual channels");
}

Test(routings, go_with_their_topologies_only)
{
    static const char *const wrong[][2] = {
        {"west-first", "torus"}, {"negative-first", "ring"}, {"minimal-adaptive", "star"},  {"ugal", "mesh"},
        {"valiant", "omega"},    {"up-down", "omega"},       {"destination-mod-k", "mesh"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        NetParams params = make_params(wrong[i][1], strcmp(wrong[i][1], "omega") ? "16" : "2x4", "store-and-forward");
        params.routing = wrong[i][0];
        expect_refusal(&params, NET_ERROR_PARAMETER, wrong[i][0]);
    }
}

static Network *table_network(const char *text, const char *switching, GError **error)
{
    g_autofree char *path = NULL;
    close(g_file_open_tmp("orrery-table-XXXXXX", &path, NULL));
    g_file_set_contents(path, text, -1, NULL);
    NetParams params = make_params("ring", "4", switching);
    params.routing = "table";
    params.table = path;
    Network *net = net_network_new(&params, NULL, error);
    g_unlink(path);
    return net;
}

/* A table with the long way round; rows for all destinations; errors in tables. */
Test(routings, table)
{
    g_autoptr(Network) net = table_network("# the long way\n0 1 3\n3 1 2\n\n2 1 1\n", "cut-through", NULL);
    cr_assert_not_null(net);
    cr_assert_eq(net_route(net, 0, 1, NULL, 0), 3);
    cr_assert_eq(net_route(net, 1, 0, NULL, 0), 1);
    static const char *const bad[][2] = {
        {"0 1\n", ":1: a row is"},
        {"0 1 1\n0 9 1\n", ":2: there is no such vertex"},
        {"0 2 2\n", ":1: no link leads"},
        {"0 * 1\n1 0 0\n1 * 0\n", "round for ever"},
        {"0 * 1\n1 * 2\n2 * 3\n3 * 0\n", "can deadlock on this ring"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_null(table_network(bad[i][0], "wormhole", &error));
        cr_assert_not_null(strstr(error->message, bad[i][1]), "'%s' should speak of '%s'", error->message, bad[i][1]);
    }
}

/* Kim et al. 2008, section 4: all nodes of a group send to the next group. Minimal routes share one global channel.
 * Those of Valiant and UGAL use the others, too, so the last message arrives earlier. */
Test(routings, ugal_spreads_adversarial_traffic)
{
    static const char *const routings[] = {"dimension-order", "valiant", "ugal"};
    uint64_t last[3];
    for (int r = 0; r < 3; r++) {
        NetParams params = make_params("dragonfly", "4x8x4", "wormhole");
        params.routing = routings[r];
        params.wormhole.virtual_channels = 4;
        Log log;
        log_init(&log, 10 * 32);
        g_autoptr(Network) net = make_network(&params, &log);
        for (uint32_t i = 0; i < 10 * 32; i++)
            send_message(net, i % 32, 32 + i % 32, 1024, 0, i);
        run_all(net);
        cr_assert_eq(log.order->len, 10 * 32);
        last[r] = log.last_ps;
        log_clear(&log);
    }
    cr_assert_lt(last[1] * 2, last[0]);
    cr_assert_lt(last[2] * 2, last[0]);
}

/* A table is kept until another destination needs its slot, or the graph has changed. If tables are large, there are 16
 * slots. */
Test(routings, tables_of_next_links_are_kept_in_slots)
{
    NetNextLinks links;
    bool known;
    net_next_links_init(&links, 1000, 1 << 22);
    cr_assert_eq(links.slots, 16);
    uint32_t *table = net_next_links(&links, 3, &known);
    cr_assert_not(known);
    table[5] = 77;
    cr_assert_eq(net_next_links(&links, 3, &known)[5], 77);
    cr_assert(known);
    net_next_links(&links, 4, &known);
    cr_assert_not(known, "another slot");
    net_next_links(&links, 3, &known);
    cr_assert(known);
    net_next_links(&links, 3 + 16, &known);
    cr_assert_not(known);
    net_next_links(&links, 3, &known);
    cr_assert_not(known, "the other one has it");
    net_next_links_forget(&links);
    net_next_links(&links, 4, &known);
    cr_assert_not(known);
    net_next_links_clear(&links);
    net_next_links_init(&links, 5, 10);
    cr_assert_eq(links.slots, 5, "never more than destinations");
    net_next_links_clear(&links);
}

/* Links by the vertex that they lead to, ascending, each once. */
Test(routings, links_that_enter_a_vertex)
{
    NetParams params = make_params("mesh", "3x3", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    NetEntering entering;
    net_graph_entering_init(&entering, &net->graph);
    cr_assert_eq(entering.first[4 + 1] - entering.first[4], 4, "the one in the middle");
    cr_assert_eq(entering.first[9], net_link_count(net));
    for (uint32_t vertex = 0; vertex < 9; vertex++)
        for (uint32_t i = entering.first[vertex]; i < entering.first[vertex + 1]; i++) {
            cr_expect_eq(net_link(net, entering.link[i])->to, vertex);
            cr_expect(i == entering.first[vertex] || entering.link[i - 1] < entering.link[i]);
        }
    net_graph_entering_clear(&entering);
}
