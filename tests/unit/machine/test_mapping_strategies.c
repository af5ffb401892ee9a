/* Placements of tasks that talk to each other: closed forms on regular graphs and networks, and properties that always
 * hold. */
#include "../network.h"
#include "machine/map/placement.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static Network *network(const char *topology, const char *routing, unsigned n_dims, const uint32_t *dims,
                        uint32_t nodes)
{
    NetParams params;
    NetClient nobody = {0};
    g_autoptr(GError) error = NULL;
    params = test_network_params();
    params.topology = topology;
    params.routing = routing;
    params.nodes = nodes;
    params.n_dims = n_dims;
    if (n_dims)
        memcpy(params.dims, dims, n_dims * sizeof *dims);
    Network *net = net_network_new(&params, &nobody, &error);
    cr_assert_not_null(net, "%s", error ? error->message : "");
    return net;
}

#define NETWORK(topology, n_dims, ...) network(topology, "dimension-order", n_dims, (uint32_t[]){__VA_ARGS__}, 0)

/* Makes a problem with a grid of tasks and `cores` slots on each node. `seed` not 0: the tasks are numbered at
 * random. */
static MapProblem *grid_problem(MapHops *hops, unsigned n, const int *dims, const int *periods, uint32_t cores,
                                uint64_t seed)
{
    uint32_t tasks = 1, slots = hops->nodes * cores;
    for (unsigned d = 0; d < n; d++)
        tasks *= (uint32_t)dims[d];
    g_autofree uint32_t *number = g_new(uint32_t, tasks);
    for (uint32_t i = 0; i < tasks; i++) {
        uint32_t j = seed ? mach_map_random_below(&seed, i + 1) : i;
        number[i] = number[j];
        number[j] = i;
    }
    g_autoptr(GArray) edges = mach_map_grid_edges(n, dims, periods, tasks);
    for (guint i = 0; i < edges->len; i++) {
        MapEdge *edge = &g_array_index(edges, MapEdge, i);
        edge->from = number[edge->from];
        edge->to = number[edge->to];
    }
    uint32_t *node = g_new(uint32_t, slots);
    for (uint32_t slot = 0; slot < slots; slot++)
        node[slot] = slot / cores;
    return mach_map_problem_new(tasks, (const MapEdge *)edges->data, edges->len, slots, node, hops);
}

static void assert_no_slot_twice(const MapProblem *problem, const uint32_t *slot_of)
{
    g_autofree bool *taken = g_new0(bool, problem->slots);
    for (uint32_t task = 0; task < problem->tasks; task++) {
        cr_assert_lt(slot_of[task], problem->slots);
        cr_assert_not(taken[slot_of[task]], "slot %u has two tasks", slot_of[task]);
        taken[slot_of[task]] = true;
    }
}

static uint64_t cost_in_order(const MapProblem *problem)
{
    g_autofree uint32_t *slot_of = g_new(uint32_t, problem->tasks);
    for (uint32_t task = 0; task < problem->tasks; task++)
        slot_of[task] = task;
    return mach_map_cost(problem, slot_of);
}

/* -- distances --------------------------------------------------------------------------------- */

/* The closed form for grids is the length of the route, under both routings that take shortest paths. */
Test(mapping_hops, are_links_of_routes)
{
    static const struct {
        const char *topology;
        uint32_t n_dims, dims[3], nodes;
    } machines[] = {{"mesh", 3, {3, 4, 2}, 0},  {"torus", 2, {5, 4}, 0}, {"torus", 3, {2, 3, 4}, 0},
                    {"ring", 0, {0}, 7},        {"linear", 0, {0}, 6},   {"hypercube", 1, {4}, 0},
                    {"fat-tree", 2, {3, 3}, 0}, {"star", 0, {0}, 6},     {"full", 0, {0}, 5},
                    {"crossbar", 0, {0}, 5}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        for (unsigned by_table = 0; by_table < 2; by_table++) {
            g_autoptr(Network) net = network(machines[i].topology, by_table ? "shortest-path" : "dimension-order",
                                             machines[i].n_dims, machines[i].dims, machines[i].nodes);
            g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
            bool uniform = true;
            for (uint32_t a = 0; a < net_network_nodes(net); a++)
                for (uint32_t b = 0; b < net_network_nodes(net); b++) {
                    uint32_t links = net_route(net, a, b, NULL, 0);
                    cr_assert_eq(mach_map_hops_between(hops, a, b), links, "%s: %u to %u", machines[i].topology, a, b);
                    uniform &= a == b || links == net_route(net, 0, 1, NULL, 0);
                }
            cr_assert_eq(mach_map_hops_uniform(hops), uniform, "%s", machines[i].topology);
        }
    }
}

/* With too many nodes for a table of all pairs, the answers are the same, when computed and when cached. */
Test(mapping_hops, of_large_networks)
{
    enum { NODES = 5000 };
    static const char *const topologies[] = {"ring", "crossbar"};
    for (size_t i = 0; i < G_N_ELEMENTS(topologies); i++) {
        g_autoptr(Network) net = network(topologies[i], i == 0 ? "valiant" : "dimension-order", 0, NULL, NODES);
        g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
        cr_assert_null(hops->matrix);
        cr_assert_not_null(hops->recent);
        static const uint32_t others[] = {17, 18, 16, 3000, NODES - 1};
        for (unsigned again = 0; again < 2; again++)
            for (size_t k = 0; k < G_N_ELEMENTS(others); k++)
                cr_assert_eq(mach_map_hops_between(hops, 17, others[k]), net_route(net, 17, others[k], NULL, 0),
                             "%s: %u", topologies[i], others[k]);
    }
}

Test(mapping_hops, around_a_node_come_the_nearer_ones_first)
{
    g_autoptr(Network) net = NETWORK("torus", 2, 5, 6);
    MapAround *around = mach_map_around_new(net);
    mach_map_around_begin(around, 7, UINT32_MAX);
    uint32_t last = 0, n = 0;
    for (uint32_t node; (node = mach_map_around_next(around)) != MAP_NONE; n++) {
        uint32_t apart = net_route(net, 7, node, NULL, 0);
        cr_assert_geq(apart, last);
        last = apart;
    }
    cr_assert_eq(n, 30);
    mach_map_around_free(around);
}

/* -- paths ------------------------------------------------------------------------------------- */

Test(mapping_snake, visits_all_in_steps_of_one)
{
    static const uint32_t extents[] = {3, 4, 2, 5};
    uint32_t before[4], at[4];
    g_autofree bool *seen = g_new0(bool, 120);
    for (uint32_t i = 0; i < 120; i++) {
        mach_map_snake(4, extents, i, at);
        uint32_t steps = 0;
        for (unsigned d = 0; i && d < 4; d++)
            steps += (uint32_t)abs((int)at[d] - (int)before[d]);
        cr_assert(!i || steps == 1, "step %u", i);
        uint32_t place = ((at[0] * 4 + at[1]) * 2 + at[2]) * 5 + at[3];
        cr_assert_not(seen[place]);
        seen[place] = true;
        memcpy(before, at, sizeof at);
    }
}

Test(mapping_snake, of_twos_is_gray_code)
{
    static const uint32_t extents[] = {2, 2, 2, 2, 2};
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t at[5], number = 0;
        mach_map_snake(5, extents, i, at);
        for (unsigned d = 0; d < 5; d++)
            number = 2 * number + at[d];
        cr_assert_eq(number, i ^ i >> 1);
    }
}

/* -- grids onto grids -------------------------------------------------------------------------- */

typedef struct Embedded {
    const char *topology;
    uint32_t n_dims, dims[3], nodes, cores;
    unsigned n;
    int extents[3], periods[3];
    uint64_t cost; /* hop-bytes; 0: one for each edge */
} Embedded;

static void check_embedding(const Embedded *e)
{
    g_autoptr(Network) net = network(e->topology, "dimension-order", e->n_dims, e->dims, e->nodes);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
    g_autoptr(MapProblem) problem = grid_problem(hops, e->n, e->extents, e->periods, e->cores, 0);
    g_autofree uint32_t *slot_of = g_new(uint32_t, problem->tasks);
    cr_assert(mach_map_grid(problem, e->n, e->extents, e->periods, slot_of), "%s", e->topology);
    assert_no_slot_twice(problem, slot_of);
    uint64_t expected = e->cost ? e->cost : problem->weight, cost = mach_map_cost(problem, slot_of);
    cr_assert_eq(cost, expected, "%dx%dx%d onto %s: %" G_GUINT64_FORMAT, e->extents[0], e->extents[1], e->extents[2],
                 e->topology, cost);
}

Test(mapping_grid, neighbours_stay_neighbours)
{
    static const Embedded cases[] = {
        {"mesh", 2, {4, 4}, 0, 1, 2, {4, 4}, {0}, 0},
        {"mesh", 2, {3, 5}, 0, 1, 2, {5, 3}, {0}, 0},  /* transposed */
        {"mesh", 2, {8, 8}, 0, 1, 2, {4, 6}, {0}, 0},  /* a part of it */
        {"mesh", 3, {4, 2, 3}, 0, 1, 1, {24}, {0}, 0}, /* a line: the snake */
        {"mesh", 2, {5, 4}, 0, 1, 1, {20}, {1}, 0},    /* a ring: the closed path, the second extent being even */
        {"mesh", 3, {3, 2, 3}, 0, 1, 1, {18}, {1}, 0},
        {"mesh", 3, {4, 2, 3}, 0, 1, 2, {8, 3}, {1, 0}, 0}, /* two dimensions for one */
        {"torus", 2, {4, 6}, 0, 1, 2, {6, 4}, {1, 1}, 0},
        {"torus", 3, {4, 4, 4}, 0, 1, 2, {16, 4}, {1, 1}, 0},
        {"ring", 0, {0}, 9, 1, 1, {9}, {1}, 0},
        {"linear", 0, {0}, 9, 1, 1, {9}, {0}, 0},
        {"hypercube", 1, {4}, 0, 1, 1, {16}, {1}, 0}, /* a ring: Gray code */
        {"hypercube", 1, {4}, 0, 1, 2, {4, 4}, {1, 1}, 0},
        {"hypercube", 1, {5}, 0, 1, 3, {2, 4, 4}, {1, 1, 0}, 0},
        {"hypercube", 1, {10}, 0, 1, 2, {8, 128}, {1, 1}, 0}, /* more dimensions than are divided up in all ways */
        {"hypercube", 1, {5}, 0, 1, 2, {5, 3}, {0, 0}, 0},    /* a part of 8 x 4 */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        check_embedding(&cases[i]);
}

/* 8 x 8 in blocks of 2 x 2: of the 7 * 8 edges in a dimension, 3 * 8 are between blocks; each counts both ways. */
Test(mapping_grid, blocks_on_nodes_of_several_cores)
{
    static const Embedded cases[] = {{"mesh", 2, {4, 4}, 0, 4, 2, {8, 8}, {0, 0}, UINT64_C(2) * 2 * 3 * 8},
                                     {"torus", 2, {2, 4}, 0, 2, 2, {4, 4}, {0, 0}, UINT64_C(2) * (4 + 3 * 4)}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        check_embedding(&cases[i]);
}

/* On a network that is no grid, blocks still keep edges within nodes. 8 x 8 tasks on 4 nodes of 16 cores around a
 * switch form blocks of 4 x 4. Two lines of 8 edges are cut. A way over the switch has two links. */
Test(mapping_grid, blocks_on_any_network)
{
    static const int dims[] = {8, 8}, periods[] = {0, 0};
    g_autoptr(Network) net = network("crossbar", "shortest-path", 0, NULL, 4);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
    g_autoptr(MapProblem) problem = grid_problem(hops, 2, dims, periods, 16, 0);
    uint32_t slot_of[64];
    cr_assert(mach_map_grid_in_order(problem, 2, dims, periods, slot_of));
    assert_no_slot_twice(problem, slot_of);
    cr_assert_eq(mach_map_cost(problem, slot_of), 2 * 2 * 2 * 8);
}

Test(mapping_grid, what_does_not_fit_is_left_to_others)
{
    static const int dims[] = {3, 7}, periods[] = {0, 0};
    g_autoptr(Network) net = NETWORK("mesh", 2, 5, 5), star = network("star", "shortest-path", 0, NULL, 21);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX), star_hops = mach_map_hops_new(star, UINT64_MAX);
    g_autoptr(MapProblem) problem = grid_problem(hops, 2, dims, periods, 1, 0);
    g_autoptr(MapProblem) on_star = grid_problem(star_hops, 2, dims, periods, 1, 0);
    uint32_t slot_of[21];
    cr_assert_not(mach_map_grid(problem, 2, dims, periods, slot_of));
    cr_assert_not(mach_map_grid(on_star, 2, dims, periods, slot_of));
}

/* -- graphs ------------------------------------------------------------------------------------ */

/* Two cliques of four, joined by one light edge, on a line of two nodes with four cores: the light edge is cut. */
Test(mapping_bisection, cuts_where_little_is_said)
{
    MapEdge edges[13];
    uint32_t n = 0;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < a; b++) {
            edges[n++] = (MapEdge){2 * a, 2 * b, 10};
            edges[n++] = (MapEdge){2 * a + 1, 2 * b + 1, 10};
        }
    edges[n++] = (MapEdge){0, 1, 3};
    g_autoptr(Network) net = network("linear", "dimension-order", 0, NULL, 2);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
    uint32_t *node = g_new(uint32_t, 8), slot_of[8];
    for (uint32_t slot = 0; slot < 8; slot++)
        node[slot] = slot / 4;
    g_autoptr(MapProblem) problem = mach_map_problem_new(8, edges, n, 8, node, hops);
    mach_map_bisect(problem, slot_of);
    assert_no_slot_twice(problem, slot_of);
    cr_assert_eq(mach_map_cost(problem, slot_of), 3);
}

Test(mapping_bisection, of_a_line_is_the_line)
{
    static const int dims[] = {64}, periods[] = {0};
    g_autoptr(Network) net = network("linear", "dimension-order", 0, NULL, 64);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
    g_autoptr(MapProblem) problem = grid_problem(hops, 1, dims, periods, 1, 3);
    uint32_t slot_of[64];
    cr_assert_gt(cost_in_order(problem), 5 * problem->weight, "the numbering says nothing");
    mach_map_bisect(problem, slot_of);
    cr_assert_eq(mach_map_cost(problem, slot_of), problem->weight, "%g",
                 (double)mach_map_cost(problem, slot_of) / (double)problem->weight);
}

/* A grid whose tasks are numbered at random nearly gets its shape back. In order of numbers, neighbours would be 5.3
 * links apart.
 */
Test(mapping_search, gathers_a_scattered_grid)
{
    static const int dims[] = {8, 8}, periods[] = {0, 0};
    g_autoptr(Network) net = NETWORK("mesh", 2, 8, 8);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        g_autoptr(MapHops) hops = mach_map_hops_new(net, 20000000);
        g_autoptr(MapProblem) problem = grid_problem(hops, 2, dims, periods, 1, seed);
        uint32_t slot_of[64];
        mach_map_search(problem, NULL, slot_of);
        assert_no_slot_twice(problem, slot_of);
        cr_assert_gt(cost_in_order(problem), 4 * problem->weight);
        cr_assert_lt(2 * mach_map_cost(problem, slot_of), 3 * problem->weight, "%g",
                     (double)mach_map_cost(problem, slot_of) / (double)problem->weight);
    }
}

/* A task moves to a free slot if only that helps: two tasks, three nodes in a row. */
Test(mapping_exchange, uses_free_slots)
{
    const MapEdge edge = {0, 1, 5};
    g_autoptr(Network) net = network("linear", "dimension-order", 0, NULL, 3);
    g_autoptr(MapHops) hops = mach_map_hops_new(net, UINT64_MAX);
    g_autoptr(MapProblem) problem = mach_map_problem_new(2, &edge, 1, 3, g_memdup2((uint32_t[]){0, 1, 2}, 12), hops);
    uint32_t slot_of[] = {0, 2};
    cr_assert_eq(mach_map_cost(problem, slot_of), 10);
    mach_map_exchange(problem, slot_of);
    assert_no_slot_twice(problem, slot_of);
    cr_assert_eq(mach_map_cost(problem, slot_of), 5);
}

static MapProblem *random_problem(MapHops *hops, uint64_t *seed)
{
    uint32_t cores = 1 + mach_map_random_below(seed, 3), slots = hops->nodes * cores;
    uint32_t tasks = 1 + mach_map_random_below(seed, slots), *node = g_new(uint32_t, slots);
    uint32_t n = mach_map_random_below(seed, 4 * tasks);
    g_autofree MapEdge *edges = g_new(MapEdge, n + 1);
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (MapEdge){mach_map_random_below(seed, tasks), mach_map_random_below(seed, tasks),
                             (uint64_t)mach_map_random_below(seed, 1 << 30) << mach_map_random_below(seed, 20)};
    for (uint32_t slot = 0; slot < slots; slot++)
        node[slot] = slot / cores;
    return mach_map_problem_new(tasks, edges, n, slots, node, hops);
}

/* On any machine every strategy gives each task a slot of its own, always the same one, and exchange never makes it
 * worse.
 */
Test(mapping_strategies, place_everybody_once)
{
    static const char *const topologies[] = {"ring",     "mesh",     "torus", "hypercube",
                                             "crossbar", "fat-tree", "star",  "full"};
    uint64_t seed = 5;
    for (unsigned i = 0; i < 80; i++) {
        const char *topology = topologies[i % G_N_ELEMENTS(topologies)];
        bool cube = strcmp(topology, "hypercube") == 0, tree = strcmp(topology, "fat-tree") == 0;
        bool extents = cube || tree || strcmp(topology, "mesh") == 0 || strcmp(topology, "torus") == 0;
        uint32_t dims[] = {2 + mach_map_random_below(&seed, 3), cube ? 0 : 2 + mach_map_random_below(&seed, 3)};
        g_autoptr(Network) net = network(topology, "shortest-path",
                                         !extents ? 0
                                         : cube   ? 1
                                                  : 2,
                                         dims, extents ? 0 : 2 + mach_map_random_below(&seed, 12));
        g_autoptr(MapHops) hops = mach_map_hops_new(net, 2000000);
        g_autoptr(MapProblem) problem = random_problem(hops, &seed);
        void (*const strategies[])(const MapProblem *, uint32_t *) = {mach_map_bisect, mach_map_greedy};
        g_autofree uint32_t *one = g_new(uint32_t, problem->tasks), *two = g_new(uint32_t, problem->tasks);
        for (unsigned s = 0; s < G_N_ELEMENTS(strategies); s++) {
            strategies[s](problem, one);
            strategies[s](problem, two);
            assert_no_slot_twice(problem, one);
            cr_assert_arr_eq(one, two, problem->tasks * sizeof *one);
            uint64_t before = mach_map_cost(problem, one);
            mach_map_exchange(problem, one);
            assert_no_slot_twice(problem, one);
            cr_assert_leq(mach_map_cost(problem, one), before, "%s", topology);
        }
        mach_map_search(problem, two, one);
        assert_no_slot_twice(problem, one);
        cr_assert_leq(mach_map_cost(problem, one), mach_map_cost(problem, two));
    }
}

/* -- reports ----------------------------------------------------------------------------------- */

static void add_flow(GArray *flows, uint32_t from, uint32_t to, uint64_t bytes)
{
    MachFlow flow = {from, to, bytes, 1};
    g_array_append_val(flows, flow);
}

/* On a line of four nodes, ranks 0 and 1 are together, and rank 2 is at the other end. */
Test(mapping_report, counts_every_link)
{
    g_autoptr(Network) net = network("linear", "dimension-order", 0, NULL, 4);
    MachTraffic traffic = {.ranks = 3, .flows = g_array_new(FALSE, FALSE, sizeof(MachFlow))};
    add_flow(traffic.flows, 0, 1, 1000); /* within a node */
    add_flow(traffic.flows, 0, 2, 10);   /* three links */
    add_flow(traffic.flows, 1, 2, 5);    /* three links */
    add_flow(traffic.flows, 2, 2, 77);   /* to itself: does not count */
    MachMappingReport report;
    mach_map_measure(net, (uint32_t[]){0, 0, 3}, &traffic, &report);
    cr_assert_eq(report.hop_bytes, 45);
    cr_assert_eq(report.bytes, 1015);
    cr_assert_eq(report.remote_bytes, 15);
    cr_assert_eq(report.pairs, 3);
    cr_assert_eq(report.hops, 6);
    cr_assert_eq(report.most_hops, 3);
    cr_assert_eq(report.most_link_bytes, 15);
    cr_assert_eq(net_link(net, report.busiest_link)->from, 0);
    g_array_unref(traffic.flows);
}

/* -- traffic files ----------------------------------------------------------------------------- */

static char *write_temporary(const char *content, gssize size)
{
    char *path = g_build_filename(g_get_tmp_dir(), "orrery-traffic-XXXXXX", NULL);
    int file = g_mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert(g_file_set_contents(path, content, size, NULL));
    return path;
}

static void refused(const char *content, const char *mistake)
{
    g_autofree char *path = write_temporary(content, -1);
    g_autoptr(GError) error = NULL;
    cr_assert_null(mach_traffic_load(path, &error), "%s", content);
    cr_assert(strstr(error->message, mistake), "\"%s\" should say \"%s\"", error->message, mistake);
    g_unlink(path);
}

Test(traffic, what_is_printed_is_read)
{
    g_autofree char *path = write_temporary("# x\n\nranks 3 # three\n2 0 5\n0,1;7\t2\r\n", -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(MachTraffic) traffic = mach_traffic_load(path, &error);
    cr_assert_not_null(traffic, "%s", error ? error->message : "");
    cr_assert_eq(traffic->ranks, 3);
    cr_assert_eq(traffic->ranks_line, 3);
    g_autoptr(GString) text = g_string_new(NULL);
    mach_traffic_print(traffic, text);
    cr_assert_str_eq(strstr(text->str, "\nranks"), "\nranks 3\n# from to bytes messages\n0 1 7 2\n2 0 5 1\n");
    g_unlink(path);
}

Test(traffic, mistakes_have_a_line)
{
    refused("", ":1:1: error: this file has no line \"ranks N\"");
    refused("0 1 5\n", ":1:1: error: traffic begins with a line \"ranks N\"");
    refused("ranks 0\n", ":1:1: error: 0 ranks");
    refused("ranks -4\n", "is negative");
    refused("ranks 4000000000\n", "is too large");
    refused("ranks 2\n0 2 5\n", ":2:1: error: rank 2 does not exist");
    refused("ranks 2\n0 1 -5\n", ":2:1: error: bytes \"-5\" is negative");
    refused("ranks 2\n0 1 5.5\n", ":2:1: error: bytes \"5.5\" is not a whole number");
    refused("ranks 2\n0 1 99999999999999999999999\n", ":2:1: error: bytes \"99999999999999999999999\" is too large");
    refused("ranks 2\n0 1 9007199254740992\n1 0 1\n", ":3:1: error: up to here");
    refused("ranks 2\n0 1\n", ":2:1: error: a line of traffic");
    refused("ranks 2\n0 1 2 3 4\n", ":2:1: error: a line of traffic");
    refused("ranks 2\n0 1 5 many\n", ":2:1: error: messages \"many\" is not a whole number");
    refused("ranks 2\n0 1 5\n1 0 5\n0 1 6\n", ":4:1: error: traffic from rank 0 to rank 1 is in line 2 already");
}
