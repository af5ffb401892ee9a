/* test_params.c - impossible parameters are refused with the key and the reason, unknown names with a suggestion. */
#include "helper.h"

#include <string.h>

Test(params, defaults_make_a_network)
{
    NetParams params = test_network_params();
    params.nodes = 4;
    g_autoptr(Network) net = make_network(&params, NULL);
    cr_assert_eq(net_network_nodes(net), 4);
}

Test(params, unknown_names)
{
    NetParams params = make_params("tours", "8", "loggp");
    expect_refusal(&params, NET_ERROR_UNKNOWN, "did you mean 'torus'");
    params = make_params("ring", "8", "wormhol");
    expect_refusal(&params, NET_ERROR_UNKNOWN, "did you mean 'wormhole'");
    params = make_params("ring", "8", "loggp");
    params.routing = "shortest";
    expect_refusal(&params, NET_ERROR_UNKNOWN, "did you mean 'shortest-path'");
    params.routing = "xyzzy";
    expect_refusal(&params, NET_ERROR_UNKNOWN, "known: dimension-order, shortest-path, west-first");
    params.routing = "";
    expect_refusal(&params, NET_ERROR_UNKNOWN, "routing");
    params.routing = NULL;
    expect_refusal(&params, NET_ERROR_PARAMETER, "routing");
}

Test(params, sizes)
{
    for (const char *const *topology = net_topologies(); strcmp(*topology, "tree") != 0; topology++) {
        NetParams params = make_params(*topology, "0", "loggp");
        expect_refusal(&params, NET_ERROR_PARAMETER, "nodes");
        params = make_params(*topology, "4x0", "loggp");
        expect_refusal(&params, NET_ERROR_PARAMETER, "extent 2");
        params = make_params(*topology, "4x4", "loggp");
        params.nodes = 15;
        expect_refusal(&params, NET_ERROR_PARAMETER, "4x4 makes 16 nodes, but nodes is 15");
        params.nodes = 0;
        params.n_dims = NET_MAX_DIMENSIONS + 1;
        expect_refusal(&params, NET_ERROR_PARAMETER, "dims");
        params = make_params(*topology, "100000x100000", "loggp");
        expect_refusal(&params, NET_ERROR_PARAMETER, "more than");
        params = make_params(*topology, "4000000000", "loggp");
        expect_refusal(&params, NET_ERROR_PARAMETER, "nodes");
    }
}

Test(params, hypercube)
{
    NetParams params = make_params("hypercube", "0", "loggp");
    params.n_dims = 1;
    params.dims[0] = 40;
    expect_refusal(&params, NET_ERROR_PARAMETER, "40 dimensions");
    params.dims[0] = 4;
    params.nodes = 8;
    expect_refusal(&params, NET_ERROR_PARAMETER, "16 nodes, but nodes is 8");
    params.nodes = 0;
    g_autoptr(Network) net = make_network(&params, NULL);
    cr_assert_eq(net_network_nodes(net), 16);
    params = make_params("hypercube", "12", "loggp");
    expect_refusal(&params, NET_ERROR_PARAMETER, "power of two");
    params = make_params("hypercube", "4x4", "loggp");
    g_autoptr(Network) cube = make_network(&params, NULL);
    cr_assert_eq(net_network_params(cube)->dims[0], 4);
}

Test(params, links_and_packets)
{
    NetParams params = make_params("mesh", "4x4", "store-and-forward");
    params.bandwidth = 0;
    expect_refusal(&params, NET_ERROR_PARAMETER, "bandwidth");
    params = make_params("mesh", "4x4", "store-and-forward");
    params.packet_bytes = 0;
    expect_refusal(&params, NET_ERROR_PARAMETER, "packet-bytes");
    params.packet_bytes = UINT32_MAX;
    expect_refusal(&params, NET_ERROR_PARAMETER, "4 GiB");
    params = make_params("mesh", "4x4", "store-and-forward");
    params.link_latency_ps = UINT64_MAX;
    expect_refusal(&params, NET_ERROR_PARAMETER, "link-latency");
    params = make_params("full", "20000", "store-and-forward");
    expect_refusal(&params, NET_ERROR_PARAMETER, "links");
}

Test(params, wormhole)
{
    static const char *const engines[] = {"wormhole", "wormhole-reference"};
    for (size_t i = 0; i < G_N_ELEMENTS(engines); i++) {
        NetParams params = make_params("mesh", "4x4", engines[i]);
        NetParams bad = params;
        bad.wormhole.virtual_channels = 0;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "virtual-channels");
        bad.wormhole.virtual_channels = 1000;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "virtual-channels");
        bad = params;
        bad.wormhole.buffer_flits = 0;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "buffer-flits");
        bad = params;
        bad.wormhole.injection_channels = 0;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "injection-channels");
        bad.wormhole.injection_channels = UINT32_MAX;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "injection-channels");
        bad = params;
        bad.wormhole.deadlock_cycles = 0;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "deadlock-interval");
        bad = params;
        bad.wormhole.buffer_flits = UINT32_MAX;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "buffer-flits");
        bad = params;
        bad.wormhole.flit_bytes = 0;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "flit-bytes");
        bad.wormhole.flit_bytes = params.packet_bytes + params.header_bytes + 1;
        expect_refusal(&bad, NET_ERROR_PARAMETER, "larger than a packet");
    }
}

Test(params, only_wormholes_resolve_deadlocks)
{
    NetParams params = make_params("star", "4", "switched-ethernet");
    params.deadlock = NET_DEADLOCK_RESOLVE;
    expect_refusal(&params, NET_ERROR_PARAMETER, "only wormhole switching");
}

/* Dally and Seitz: one virtual channel does not make a ring of four free of deadlock, but a ring of three is. */
Test(params, rings_need_two_virtual_channels)
{
    NetParams params = make_params("torus", "4x4", "wormhole");
    params.wormhole.virtual_channels = 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "at least 2 virtual channels");
    params.routing = "shortest-path";
    expect_refusal(&params, NET_ERROR_PARAMETER, "can deadlock on this torus under wormhole: packets can wait");
    params.deadlock = NET_DEADLOCK_FATAL;
    net_network_free(make_network(&params, NULL));
    params = make_params("torus", "3x3", "wormhole");
    params.wormhole.virtual_channels = 1;
    net_network_free(make_network(&params, NULL));
    params = make_params("mesh", "4x4", "wormhole");
    params.wormhole.virtual_channels = 1;
    net_network_free(make_network(&params, NULL));
}

Test(params, bus_goes_with_bus)
{
    NetParams params = make_params("bus", "4", "store-and-forward");
    expect_refusal(&params, NET_ERROR_PARAMETER, "switching");
    params = make_params("ring", "4", "bus");
    expect_refusal(&params, NET_ERROR_PARAMETER, "shared medium");
    params = make_params("bus", "4", "bus");
    g_autoptr(Network) bus = make_network(&params, NULL);
    cr_assert(net_send_has_multicast(bus));
    params = make_params("ring", "4", "wormhole");
    g_autoptr(Network) ring = make_network(&params, NULL);
    cr_assert_not(net_send_has_multicast(ring));
}
