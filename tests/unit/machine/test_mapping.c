/* Where ranks are placed, and how fast they run there. */
#include "../network.h"
#include "machine/config/config.h"
#include "machine/map/map.h"
#include "machine/node/node.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static MachConfig config_of(const char *mapping, uint32_t cores)
{
    return (MachConfig){.mapping = (char *)mapping,
                        .cores = cores,
                        .net.nics = 1,
                        .clock_hz = 1000000000,
                        .mapping_seed = 1,
                        .node = {.slice_ps = 1000, .switch_ps = 100}};
}

static MachPlace *map(const MachConfig *config, uint32_t ranks, uint32_t nodes, GError **error)
{
    NetParams params;
    NetClient nobody = {0};
    params = test_network_params();
    params.topology = "crossbar";
    params.nodes = nodes;
    g_autoptr(Network) net = net_network_new(&params, &nobody, NULL);
    return mach_map_ranks(config, net, ranks, error);
}

static void expect(const char *mapping, uint32_t cores, uint32_t ranks, uint32_t nodes, const char *expected)
{
    MachConfig config = config_of(mapping, cores);
    g_autoptr(GError) error = NULL;
    g_autofree MachPlace *places = map(&config, ranks, nodes, &error);
    cr_assert_not_null(places, "%s", error ? error->message : "");
    GString *got = g_string_new(NULL);
    for (uint32_t rank = 0; rank < ranks; rank++)
        g_string_append_printf(got, "%s%u", rank ? " " : "", places[rank].node);
    cr_assert_str_eq(got->str, expected, "%s, %u cores, %u ranks, %u nodes: %s", mapping, cores, ranks, nodes,
                     got->str);
    g_string_free(got, TRUE);
}

Test(mapping, block_fills_nodes)
{
    expect("block", 1, 3, 4, "0 1 2");
    expect("block", 2, 4, 4, "0 0 1 1");
}

Test(mapping, more_ranks_than_cores_share)
{
    expect("block", 1, 5, 2, "0 0 0 1 1");
    expect("block", 2, 3, 1, "0 0 0");
    expect("cyclic", 1, 5, 2, "0 1 0 1 0");
}

Test(mapping, cyclic_deals)
{
    expect("cyclic", 2, 4, 4, "0 1 2 3");
}

Test(mapping, random_is_a_permutation_and_repeats)
{
    enum { NODES = 64 };
    MachConfig config = config_of("random", 1);
    g_autofree MachPlace *first = map(&config, NODES, NODES, NULL);
    g_autofree MachPlace *again = map(&config, NODES, NODES, NULL);
    config.mapping_seed = 2;
    g_autofree MachPlace *other = map(&config, NODES, NODES, NULL);
    uint64_t seen = 0;
    for (uint32_t rank = 0; rank < NODES; rank++)
        seen |= UINT64_C(1) << first[rank].node;
    cr_assert_eq(seen, UINT64_MAX, "every node has a rank");
    cr_assert_arr_eq(first, again, NODES * sizeof *first);
    cr_assert_arr_neq(first, other, NODES * sizeof *first);
}

static void with_file(const char *content, uint32_t ranks, const char *expected, const char *mistake)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "orrery-mapping-XXXXXX", NULL);
    int file = g_mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert(g_file_set_contents(path, content, -1, NULL));
    if (expected) {
        expect(path, 1, ranks, 4, expected);
    } else {
        MachConfig config = config_of(path, 1);
        g_autoptr(GError) error = NULL;
        cr_assert_null(map(&config, ranks, 4, &error));
        cr_assert(strstr(error->message, mistake), "\"%s\" should mention \"%s\"", error->message, mistake);
    }
    g_unlink(path);
}

Test(mapping, from_a_file)
{
    with_file("3\n2\n# nobody on 1\n0\n", 3, "3 2 0", NULL);
    with_file("1 3\n0 2 # behind\n", 2, "2 3", NULL);
    with_file("3\n2\n1\n", 2, "3 2", NULL); /* more than needed */
    with_file("3\n9\n", 2, NULL, ":2:1: error: node 9 does not exist");
    with_file("3\n", 2, NULL, "without a node for rank 1");
    with_file("0 1\n0 2\n", 2, NULL, ":2:1: error: rank 0 has a node already");
    with_file("zero\n", 1, NULL, ":1:1: error:");
    with_file("0 1 2\n", 1, NULL, ":1:1: error:");
}

Test(mapping, a_missing_file_says_what_would_do)
{
    MachConfig config = config_of("blok", 1);
    g_autoptr(GError) error = NULL;
    cr_assert_null(map(&config, 1, 1, &error));
    cr_assert(strstr(error->message, "block, cyclic, random"), "%s", error->message);
}

/* Integers, without a rounding that differs between hosts. */
Test(mapping, periods)
{
    MachConfig config = config_of("block", 1);
    cr_assert_eq(mach_map_period_q32(&config), UINT64_C(1000) << 32, "1 GHz");
    config.clock_hz = 3000000000;
    cr_assert_eq(mach_map_period_q32(&config), UINT64_C(1431655765333), "1000/3 ps, rounded down");
}

/* -- messages within a node -------------------------------------------------------------------- */

Test(local, latency_and_bandwidth)
{
    MachConfig config = {.local_latency_ps = 100, .local_bandwidth = UINT64_C(1000000000000)}; /* 1 byte per ps */
    MachNodeChannels *local = mach_node_channels_new(&config);
    uint64_t sent, delivered;
    mach_node_channels_send(local, 0, 1, 50, 1000, 0, &sent, &delivered);
    cr_assert_eq(sent, 1050);
    cr_assert_eq(delivered, 1150);
    mach_node_channels_send(local, 1, 0, 0, 1000, 0, &sent, &delivered);
    cr_assert_eq(delivered, 1100, "the other direction is another channel");
    mach_node_channels_free(local);
}

/* MPI 3.1 section 3.5: messages between two processes do not overtake, so the channel must keep their order. */
Test(local, a_pair_is_first_in_first_out)
{
    MachConfig config = {.local_latency_ps = 10, .local_bandwidth = UINT64_C(1000000000000)};
    MachNodeChannels *local = mach_node_channels_new(&config);
    uint64_t sent, first, second;
    mach_node_channels_send(local, 3, 4, 1000000, 0, 0, &sent, &first);
    mach_node_channels_send(local, 3, 4, 1, 1, 0, &sent, &second);
    cr_assert_gt(second, first, "a short message waits behind a long one");
    for (uint32_t pair = 0; pair < 1000; pair++) /* the table grows */
        mach_node_channels_send(local, pair, pair + 1, 1, 0, 0, &sent, &second);
    mach_node_channels_send(local, 3, 4, 1, 1, 0, &sent, &second);
    cr_assert_gt(second, first, "and is remembered");
    mach_node_channels_free(local);
}
