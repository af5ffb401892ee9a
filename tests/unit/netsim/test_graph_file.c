/* test_graph_file.c - graphs from files: edge lists and dot, and errors in them with the line. */
#include "helper.h"

#include <glib/gstdio.h>
#include <string.h>

/* Makes a network from a file with this text. Returns NULL with an error if it is refused. */
static Network *network_of(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    int handle = g_file_open_tmp("orrery-graph-XXXXXX", &path, NULL);
    cr_assert_geq(handle, 0);
    close(handle);
    g_file_set_contents(path, text, -1, NULL);
    NetParams params = test_network_params();
    params.topology = "file";
    params.routing = "shortest-path";
    params.file = path;
    Network *net = net_network_new(&params, NULL, error);
    g_unlink(path);
    return net;
}

static void expect_bad(const char *text, const char *words)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(network_of(text, &error), "should be refused: %s", text);
    cr_assert_not_null(strstr(error->message, words), "'%s' should speak of '%s'", error->message, words);
}

Test(graph_file, edge_list)
{
    g_autoptr(Network) net = network_of("# three nodes around a switch\n"
                                        "switch s\n"
                                        "2 s\n"
                                        "0 s bandwidth=\"10 Gbit/s\" latency=2us width=4\n"
                                        "s -> 1 latency=1.5ns\n"
                                        "1 -> s duplex=full\n",
                                        NULL);
    cr_assert_not_null(net);
    cr_assert_eq(net_network_nodes(net), 3);
    cr_assert_eq(net_link_count(net), 6);
    cr_assert_eq(net_link(net, 0)->bandwidth, UINT64_C(5000000000)); /* node 0: four lanes of 10 Gbit/s */
    cr_assert_eq(net_link(net, 0)->latency_ps, 2000000);
    cr_assert_eq(net_link(net, 1)->latency_ps, 10000); /* node 1: the network's own */
    cr_assert_eq(net_route(net, 0, 2, NULL, 0), 2);
    cr_assert_eq(net_distance_diameter(net), 2);
    g_autofree char *name = net_vertex_name(net, 3);
    cr_assert_str_eq(name, "s");
}

/* Nodes with numbers as names keep the order of the numbers, others the order in which they appear. */
Test(graph_file, order_of_nodes)
{
    g_autoptr(Network) numbers = network_of("7 3\n3 10\n", NULL);
    g_autofree char *first = net_vertex_name(numbers, 0);
    g_autofree char *last = net_vertex_name(numbers, 2);
    cr_assert_str_eq(first, "node 3");
    cr_assert_str_eq(last, "node 10");
    g_autoptr(Network) words = network_of("beta alpha\n", NULL);
    g_autofree char *word = net_vertex_name(words, 0);
    cr_assert_str_eq(word, "beta");
}

Test(graph_file, dot)
{
    g_autoptr(Network) net = network_of("/* a comment */\n"
                                        "strict graph \"my net\" {\n"
                                        "  rankdir=LR; graph [label=x]\n"
                                        "  edge [bandwidth=\"1 GB/s\"]\n"
                                        "  subgraph cluster_0 { node [shape=box]; s0; s1 }\n"
                                        "  a -- s0:port -- s1 -- b [latency=\"3 ns\", color=red];\n"
                                        "  c -- s1 [width=2]\n"
                                        "}\n",
                                        NULL);
    cr_assert_not_null(net);
    cr_assert_eq(net_network_nodes(net), 3);
    cr_assert_eq(net_vertex_count(net), 5);
    cr_assert_eq(net_link_count(net), 8);
    cr_assert_eq(net_link(net, 0)->latency_ps, 3000);
    cr_assert_eq(net_link(net, 2)->bandwidth, UINT64_C(2000000000));
    g_autoptr(Network) ring = network_of("digraph { 0 -> 1 -> 2 -> 0 }", NULL);
    cr_assert_eq(net_link_count(ring), 3);
    cr_assert_eq(net_route(ring, 2, 1, NULL, 0), 2);
}

Test(graph_file, bad_input)
{
    expect_bad("0 1\n2 3\n", "disconnected: no way leads from \"0\" to \"2\"");
    expect_bad("0 -> 1\n", "disconnected: no way leads from \"1\" to \"0\"");
    expect_bad("0 1 bandwidth=100\n", ":1: \"100\" is not a bandwidth with a unit");
    expect_bad("0 1\n1 2 latency=3\n", ":2: \"3\" is not a time with a unit");
    expect_bad("0 1 width=0\n", "lanes");
    expect_bad("0 1 width=65536 bandwidth=\"1000 TB/s\"\n",
               "the link from 0 to 1 has 65536 lanes, together above 1 PB/s");
    expect_bad("0 1 duplex=both\n", "full or half");
    expect_bad("0 1 colour=red\n", "no \"colour\"");
    expect_bad("0\n", "two vertices");
    expect_bad("0 0\n", "to itself");
    expect_bad("0 1 'x\n", ":1:");
    expect_bad("", "has no nodes");
    expect_bad("graph {\n a -> b }\n", ":2: links of a graph are --");
    expect_bad("graph { a -- b", "a } is missing");
    expect_bad("graph { a -- { b c } }", "subgraphs as ends");
    expect_bad("graph { a -- b [bandwidth=fast] }", "not a bandwidth");
    expect_bad("graph [", "a { is expected");
}

/* A link that is slower than the rest delays messages that take it, under every switching model. */
Test(graph_file, slow_links_are_slow)
{
    for (const char *const *model = net_models(); *model; model++) {
        if (!goes_with(*model, "ring") || strcmp(*model, "loggp") == 0)
            continue;
        uint64_t time[2];
        for (int slow = 0; slow < 2; slow++) {
            g_autofree char *path = NULL;
            close(g_file_open_tmp("orrery-graph-XXXXXX", &path, NULL));
            g_file_set_contents(path, slow ? "0 1\n1 2 bandwidth=250MB/s\n" : "0 1\n1 2\n", -1, NULL);
            NetParams params = test_network_params();
            params.topology = "file";
            params.routing = "shortest-path";
            params.switching = *model;
            params.file = path;
            time[slow] = run_one(&params, 0, 2, 1024);
            g_unlink(path);
        }
        cr_assert_geq(time[1], time[0] + 3 * 1024000, "%s: %lu and %lu", *model, (unsigned long)time[0],
                      (unsigned long)time[1]);
        cr_assert_leq(time[1], time[0] + 4 * 1100000, "%s", *model);
    }
}
