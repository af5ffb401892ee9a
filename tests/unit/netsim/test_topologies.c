/* test_topologies.c - the structure of each topology: links, names, positions, routes, diameters. */
#include "helper.h"

#include <math.h>
#include <string.h>

static NetParams sample_params(const Sample *sample, const char *routing)
{
    NetParams params =
        make_params(sample->topology, sample->dims, strcmp(sample->topology, "bus") ? "store-and-forward" : "bus");
    params.routing = routing;
    return params;
}

static const char *const *each_routing(void)
{
    static const char *const minimal[] = {"dimension-order", "shortest-path", NULL};
    return minimal;
}

/* Every link has its opposite, none exists twice, and links are sorted by the vertex they leave. */
Test(topologies, links_come_in_pairs)
{
    for (size_t i = 0; i < n_samples; i++) {
        NetParams params = sample_params(&samples[i], "dimension-order");
        g_autoptr(Network) net = make_network(&params, NULL);
        for (uint32_t l = 0; !net->topology->one_way && l < net_link_count(net); l++) {
            const NetLink *link = net_link(net, l);
            if (net_graph_find(&net->graph, link->from, link->to) != l && strcmp(params.topology, "dragonfly") == 0)
                continue; /* several channels between the same two routers */
            cr_assert_eq(net_graph_find(&net->graph, link->from, link->to), l, "%s: link %u is there twice",
                         params.topology, l);
            cr_assert_neq(net_graph_find(&net->graph, link->to, link->from), NET_NONE);
            cr_assert(l == 0 || net_link(net, l - 1)->from <= link->from);
        }
    }
}

/* Routes lead from link to link to the destination. None is longer than the diameter, and one is as long. Both routings
 * are minimal on these topologies, so their lengths agree. */
Test(topologies, routes_and_diameter)
{
    for (size_t i = 0; i < n_samples; i++) {
        for (const char *const *routing = each_routing(); *routing; routing++) {
            NetParams params = sample_params(&samples[i], *routing);
            g_autoptr(Network) net = make_network(&params, NULL);
            cr_assert_eq(net_distance_diameter(net), samples[i].diameter, "%s %s %s: %u", params.topology,
                         samples[i].dims, *routing, net_distance_diameter(net));
            uint32_t longest = 0;
            for (uint32_t from = 0; from < net_network_nodes(net); from++)
                for (uint32_t to = 0; to < net_network_nodes(net); to++) {
                    uint32_t links[64];
                    uint32_t hops = net_route(net, from, to, links, G_N_ELEMENTS(links));
                    longest = MAX(longest, hops);
                    uint32_t at = from;
                    for (uint32_t hop = 0; hop < hops; hop++) {
                        cr_assert_eq(net_link(net, links[hop])->from, at);
                        at = net_link(net, links[hop])->to;
                    }
                    cr_assert_eq(at, to);
                }
            cr_assert_eq(longest, samples[i].diameter);
        }
    }
}

Test(topologies, route_writes_no_more_than_asked)
{
    NetParams params = make_params("linear", "5", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    uint32_t links[2] = {99, 99};
    cr_assert_eq(net_route(net, 0, 4, links, 1), 4);
    cr_assert_eq(links[1], 99);
    cr_assert_eq(net_route(net, 0, 4, NULL, 0), 4);
    cr_assert_eq(net_route(net, 3, 3, NULL, 0), 0);
}

/* Closed forms for the number of (directed) links. */
Test(topologies, link_counts)
{
    static const struct {
        const char *topology, *dims;
        uint32_t vertices, links;
    } cases[] = {
        {"linear", "7", 7, 12},       {"ring", "7", 7, 14},     {"ring", "2", 2, 2},      {"ring", "1", 1, 0},
        {"mesh", "4x4", 16, 48},      {"torus", "4x4", 16, 64}, {"torus", "2x4", 8, 24},  {"hypercube", "16", 16, 64},
        {"crossbar", "6", 7, 12},     {"bus", "5", 6, 10},      {"full", "6", 6, 30},     {"star", "6", 6, 10},
        {"fat-tree", "4x4", 24, 64},  {"star", "1", 1, 0},      {"fat-tree", "7", 8, 14}, {"fat-tree", "1", 2, 2},
        {"mesh", "12", 12, 34},       /* no extents: 3 x 4 */
        {"fat-tree", "64", 112, 384}, /* 4 x 4 x 4: three levels of 16 switches */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        NetParams params = make_params(cases[i].topology, cases[i].dims, "loggp");
        g_autoptr(Network) net = make_network(&params, NULL);
        cr_assert_eq(net_vertex_count(net), cases[i].vertices, "%s %s: %u", params.topology, cases[i].dims,
                     net_vertex_count(net));
        cr_assert_eq(net_link_count(net), cases[i].links, "%s %s: %u", params.topology, cases[i].dims,
                     net_link_count(net));
    }
}

/* A fat tree has full bisection: there are as many links between its halves as nodes in each. */
Test(topologies, fat_tree_bisection)
{
    NetParams params = make_params("fat-tree", "4x4x4", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    uint32_t into_top = 0;
    for (uint32_t l = 0; l < net_link_count(net); l++)
        into_top += net_link(net, l)->to >= 64 + 16 + 16 && net_link(net, l)->from < 64 + 16 + 16;
    cr_assert_eq(into_top, 64, "as many links into the top level as there are nodes");
}

/* fat-tree 2x3x4 is XGFT(3; 4,3,2; 1,4,3): same links, names, positions and routes. Its highest switches by hand: two
 * children each, one in either half. */
Test(topologies, fat_trees_are_extended_generalised_ones)
{
    NetParams few = make_params("fat-tree", "2x3x4", "store-and-forward");
    NetParams many = make_params("xgft", "4x3x2x1x4x3", "store-and-forward");
    g_autoptr(Network) tree = make_network(&few, NULL);
    g_autoptr(Network) same = make_network(&many, NULL);
    cr_assert_eq(net_link_count(tree), net_link_count(same));
    for (uint32_t l = 0; l < net_link_count(tree); l++)
        cr_assert(net_link(tree, l)->from == net_link(same, l)->from && net_link(tree, l)->to == net_link(same, l)->to);
    for (uint32_t vertex = 0; vertex < net_vertex_count(tree); vertex++) {
        g_autofree char *name = net_vertex_name(tree, vertex), *other = net_vertex_name(same, vertex);
        double x, y, other_x, other_y;
        net_vertex_position(tree, vertex, &x, &y);
        net_vertex_position(same, vertex, &other_x, &other_y);
        cr_assert_str_eq(name, other);
        cr_assert(x == other_x && y == other_y);
    }
    uint32_t route[6], other_route[6];
    for (uint32_t to = 1; to < 24; to++) {
        uint32_t hops = net_route(tree, 0, to, route, 6);
        cr_assert_eq(hops, net_route(same, 0, to, other_route, 6));
        cr_assert_eq(memcmp(route, other_route, hops * sizeof *route), 0);
    }
    uint32_t top = 24 + 6 + 8; /* the first after nodes and the switches of two levels; digits w3 w2, of 3 and 4 */
    cr_assert_eq(net_vertex_count(tree), top + 12);
    for (uint32_t i = 0; i < 12; i++)
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t child = 24 + 6 + half * 4 + i % 4; /* level 2: digits m3 w2 */
            cr_expect_neq(net_graph_find(&tree->graph, top + i, child), NET_NONE, "%u above %u", top + i, child);
        }
}

Test(topologies, dimension_order_takes_the_first_coordinate_first)
{
    NetParams params = make_params("mesh", "3x4", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    uint32_t links[8];
    cr_assert_eq(net_route(net, 0, 11, links, 8), 5); /* (0,0) -> (2,3) */
    static const uint32_t path[] = {4, 8, 9, 10, 11};
    for (int i = 0; i < 5; i++)
        cr_assert_eq(net_link(net, links[i])->to, path[i]);
}

Test(topologies, hypercube_corrects_the_lowest_bit_first)
{
    NetParams params = make_params("hypercube", "8", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    uint32_t links[8];
    cr_assert_eq(net_route(net, 0, 7, links, 8), 3);
    cr_assert_eq(net_link(net, links[0])->to, 1);
    cr_assert_eq(net_link(net, links[1])->to, 3);
}

Test(topologies, ring_goes_the_shorter_way)
{
    NetParams params = make_params("ring", "8", "store-and-forward");
    g_autoptr(Network) net = make_network(&params, NULL);
    uint32_t links[8];
    cr_assert_eq(net_route(net, 1, 7, links, 8), 2);
    cr_assert_eq(net_link(net, links[0])->to, 0);
    cr_assert_eq(net_route(net, 0, 4, links, 8), 4); /* both ways are equal: takes the upward one */
    cr_assert_eq(net_link(net, links[0])->to, 1);
}

static void expect_name(const char *topology, const char *dims, uint32_t vertex, const char *expected)
{
    NetParams params = make_params(topology, dims, "loggp");
    g_autoptr(Network) net = make_network(&params, NULL);
    g_autofree char *name = net_vertex_name(net, vertex);
    cr_assert_str_eq(name, expected);
}

Test(topologies, names)
{
    expect_name("mesh", "4x4", 6, "(1,2)");
    expect_name("torus", "2x3x4", 23, "(1,2,3)");
    expect_name("ring", "8", 5, "node 5");
    expect_name("hypercube", "8", 5, "node 5");
    expect_name("crossbar", "4", 4, "switch");
    expect_name("bus", "4", 4, "bus");
    expect_name("fat-tree", "4x4", 3, "node 3");
    expect_name("fat-tree", "4x4", 16, "switch 1.0");
    expect_name("fat-tree", "4x4", 23, "switch 2.3");
}

/* No two vertices have the same position, and none are nearer than a third of a node distance. */
Test(topologies, positions_are_apart)
{
    for (size_t i = 0; i < n_samples; i++) {
        NetParams params = sample_params(&samples[i], "dimension-order");
        g_autoptr(Network) net = make_network(&params, NULL);
        for (uint32_t a = 0; a < net_vertex_count(net); a++)
            for (uint32_t b = 0; b < a; b++) {
                double ax, ay, bx, by;
                net_vertex_position(net, a, &ax, &ay);
                net_vertex_position(net, b, &bx, &by);
                cr_assert(isfinite(ax) && isfinite(ay));
                cr_assert_gt(hypot(ax - bx, ay - by), 0.33, "%s %s: %u and %u", params.topology, samples[i].dims, a, b);
            }
    }
}

/* Memory is proportional to links: 65,536 nodes in a torus and a fat tree are made at once. So are a million for loggp,
 * of which `full` would have 10^12 links. */
Test(topologies, large)
{
    NetParams params = make_params("torus", "32x32x64", "store-and-forward");
    g_autoptr(Network) torus = make_network(&params, NULL);
    cr_assert_eq(net_link_count(torus), 6 * 65536);
    cr_assert_eq(net_route(torus, 0, 65535, NULL, 0), 3);
    params = make_params("fat-tree", "16x16x16x16", "store-and-forward");
    params.routing = "shortest-path";
    g_autoptr(Network) tree = make_network(&params, NULL);
    cr_assert_eq(net_link_count(tree), 8 * 65536);
    cr_assert_eq(net_route(tree, 0, 65535, NULL, 0), 8);
    params = make_params("full", "1000000", "loggp");
    g_autoptr(Network) full = make_network(&params, NULL);
    cr_assert_eq(net_link_count(full), 0);
    cr_assert_eq(net_route(full, 0, 999999, NULL, 0), 0);
    cr_assert_eq(net_distance_diameter(full), 1);
}

static uint32_t bisection(const char *topology, const char *dims)
{
    NetParams params = make_params(topology, dims, "loggp");
    g_autoptr(Network) net = make_network(&params, NULL);
    return net_bisection(net);
}

/* Closed forms of Dally and Towles, chapter 3, and Leighton, chapter 1, for one direction. */
Test(topologies, bisection_closed_forms)
{
    cr_assert_eq(bisection("linear", "8"), 1);
    cr_assert_eq(bisection("ring", "8"), 2);
    cr_assert_eq(bisection("mesh", "4x4"), 4);
    cr_assert_eq(bisection("mesh", "4x4x4"), 16);
    cr_assert_eq(bisection("torus", "4x4"), 8);
    cr_assert_eq(bisection("torus", "4x4x4"), 32);
    cr_assert_eq(bisection("hypercube", "32"), 16);
    cr_assert_eq(bisection("full", "8"), 16);
    cr_assert_eq(bisection("fat-tree", "4x4x4"), 32);
    cr_assert_eq(bisection("xgft", "4x4x1x2"), 4);  /* 8 links to the two switches on top, shared by both halves */
    cr_assert_eq(bisection("butterfly", "2x4"), 4); /* one output of each of the 4 first switches below the middle */
    cr_assert_eq(bisection("omega", "2x4"), 8);
    cr_assert_eq(bisection("clos", "2x4x4"), 4); /* 2 middle switches */
    cr_assert_eq(bisection("clos", "4x4x4"), 8);
    cr_assert_eq(bisection("clusters", "2x8"), 1);
}

/* The mean over all pairs of different nodes: closed forms for k-ary n-cubes. */
Test(topologies, average_distance)
{
    static const struct {
        const char *topology, *dims;
        double expected;
    } cases[] = {
        {"ring", "8", 16.0 / 7},
        {"torus", "4x4", 2.0 * 16 / 15},
        {"hypercube", "16", 2.0 * 16 / 15},
        {"mesh", "4x4", 2.0 * 1.25 * 16 / 15},
        {"full", "5", 1},
        {"crossbar", "5", 2},
        {"fat-tree", "4x4", (3 * 2 + 12 * 4) / 15.0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        NetParams params = make_params(cases[i].topology, cases[i].dims, "loggp");
        g_autoptr(Network) net = make_network(&params, NULL);
        cr_assert_float_eq(net_distance_average(net), cases[i].expected, 1e-9, "%s %s: %g", cases[i].topology,
                           cases[i].dims, net_distance_average(net));
    }
}

/* Counts from the papers: Kim et al. 2008 (N = a p (a h + 1)), Oehring et al. 1995, Clos 1953. */
Test(topologies, counts_of_indirect_networks)
{
    static const struct {
        const char *topology, *dims;
        uint32_t nodes, switches, links;
    } cases[] = {
        {"dragonfly", "2x4x2", 72, 36, 2 * 72 + 36 * 3 + 36 * 2},
        {"xgft", "4x4x1x2", 16, 4 + 2, 2 * (16 + 8)},
        {"butterfly", "2x3", 8, 12, 32},
        {"omega", "4x2", 16, 8, 48},
        {"clos", "3x2x4", 8, 11, 16 + 24},
        {"tree", "2x3", 15, 0, 28},
        {"clusters", "3x4", 12, 6, 2 * 12 + 6 + 6},
        {"clusters", "2x3x2", 12, 6 + 6 + 2, 24 + 12 + 12 + 12 + 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        NetParams params = make_params(cases[i].topology, cases[i].dims, "loggp");
        g_autoptr(Network) net = make_network(&params, NULL);
        cr_assert_eq(net_network_nodes(net), cases[i].nodes, "%s: %u", cases[i].topology, net_network_nodes(net));
        cr_assert_eq(net_vertex_count(net) - net_network_nodes(net), cases[i].switches, "%s", cases[i].topology);
        cr_assert_eq(net_link_count(net), cases[i].links, "%s: %u", cases[i].topology, net_link_count(net));
    }
}

/* Butterfly and omega have exactly one path between two nodes, and all n stages are on it. */
Test(topologies, multistage_reaches_every_node)
{
    static const char *const names[] = {"butterfly", "omega"};
    for (size_t i = 0; i < 2; i++) {
        NetParams params = make_params(names[i], "3x3", "store-and-forward");
        g_autoptr(Network) net = make_network(&params, NULL);
        for (uint32_t from = 0; from < 27; from++)
            for (uint32_t to = 0; to < 27; to++)
                cr_assert_eq(net_route(net, from, to, NULL, 0), from == to ? 0 : 4);
    }
}

Test(topologies, parameters_behind_the_name)
{
    NetParams params;
    g_autoptr(GError) error = NULL;
    params = test_network_params();
    cr_assert(net_topology_parse("mesh(4,3)", &params, NULL));
    cr_assert_str_eq(params.topology, "mesh");
    cr_assert(params.n_dims == 2 && params.dims[0] == 4 && params.dims[1] == 3);
    cr_assert(net_topology_parse("dragonfly(a=4, p=2, h=1)", &params, NULL));
    cr_assert(params.n_dims == 3 && params.dims[0] == 2 && params.dims[1] == 4 && params.dims[2] == 1);
    cr_assert(net_topology_parse("xgft(4,4; 1,2)", &params, NULL));
    cr_assert_eq(params.n_dims, 4);
    cr_assert_not(net_topology_parse("mesh(0,4)", &params, &error));
    cr_assert_not_null(strstr(error->message, "parameter 1 of the mesh is 0"), "%s", error->message);
    g_clear_error(&error);
    cr_assert_not(net_topology_parse("dragonfly(q=4)", &params, &error));
    cr_assert_not_null(strstr(error->message, "it has p a h g"), "%s", error->message);
    cr_assert_not(net_topology_parse("clos(m=4,r=2)", &params, NULL));
    cr_assert_not(net_topology_parse("mesh(4,4", &params, NULL));
    cr_assert_not(net_topology_parse("mush(4,4)", &params, NULL));
}
