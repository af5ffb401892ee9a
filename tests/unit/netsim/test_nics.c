/* test_nics.c - nodes with several network interfaces. */
#include "helper.h"

#include <string.h>

enum { BYTES = 10000 };

static const char *const serving[] = {"store-and-forward", "cut-through", "flow", "loggp", NULL};

/* Sends `messages` messages of BYTES from node 0 to node 1 at time 0, the i-th by NIC i modulo `nics`. Returns the time
 * of the last arrival. */
static uint64_t last_of(const NetParams *params, uint32_t messages, uint32_t nics)
{
    Log log;
    log_init(&log, messages);
    g_autoptr(Network) net = make_network(params, &log);
    for (uint32_t i = 0; i < messages; i++)
        send_by_nic(net, i % nics, 0, 1, BYTES, 0, i, false);
    run_all(net);
    for (uint32_t i = 0; i < messages; i++)
        cr_assert_eq(log.message[i].delivered, 1);
    uint64_t last_ps = log.last_ps;
    log_clear(&log);
    return last_ps;
}

/* A node at a switch has a link for each NIC: messages by different NICs do not delay each other. */
Test(nics, links_of_their_own)
{
    for (const char *const *model = serving; *model; model++) {
        NetParams params = make_params("crossbar", "4", *model);
        uint64_t alone = last_of(&params, 1, 1);
        uint64_t three = last_of(&params, 3, 1);
        params.nics = 3;
        cr_assert_gt(three, 2 * alone - params.startup_ps - params.loggp.latency_ps, "%s", *model);
        cr_assert_eq(last_of(&params, 3, 3), alone, "%s", *model);
        cr_assert_eq(last_of(&params, 3, 1), three, "%s: all by the first", *model);
    }
}

/* In a mesh the node is its own router: startups overlap, but the link is shared. */
Test(nics, share_the_links_of_a_router)
{
    NetParams params = make_params("mesh", "2x2", "store-and-forward");
    params.packet_bytes = BYTES;
    params.startup_ps = UINT64_C(100000000);
    uint64_t one = last_of(&params, 2, 1);
    params.nics = 2;
    uint64_t serialisation = net_serialise(BYTES + params.header_bytes, params.bandwidth);
    cr_assert_gt(params.startup_ps, serialisation);
    cr_assert_eq(one - last_of(&params, 2, 2), params.startup_ps - serialisation);
}

/* A lone message takes the same time by each NIC, on every topology. */
Test(nics, are_alike)
{
    for (size_t i = 0; i < n_samples; i++)
        for (const char *const *model = serving; *model; model++) {
            if (!goes_with(*model, samples[i].topology))
                continue;
            NetParams params = make_params(samples[i].topology, samples[i].dims, *model);
            params.nics = 3;
            Log log;
            log_init(&log, 3);
            g_autoptr(Network) net = make_network(&params, &log);
            uint32_t to = net_network_nodes(net) - 1;
            uint64_t expected = net_zero_load_ps(net, 0, to, BYTES);
            for (uint32_t nic = 0; nic < 3; nic++) {
                uint64_t begin = net_next_time(net) == UINT64_MAX ? log.last_ps : 0;
                send_by_nic(net, nic, 0, to, BYTES, begin, nic, false);
                run_all(net);
                uint64_t taken = log.message[nic].delivered_ps - begin;
                if (begin == 0)
                    cr_assert_eq(taken, expected, "%s %s", samples[i].topology, *model);
                cr_assert_leq(taken, expected, "%s %s NIC %u", samples[i].topology, *model, nic);
            }
            log_clear(&log);
        }
}

/* Traffic of a NIC is counted at its own links, and the number of links is as expected. */
Test(nics, links_are_counted)
{
    NetParams params = make_params("crossbar", "4", "store-and-forward");
    params.nics = 2;
    Log log;
    log_init(&log, 1);
    g_autoptr(Network) net = make_network(&params, &log);
    cr_assert_eq(net_link_count(net), 16);
    send_by_nic(net, 1, 2, 3, 100, 0, 0, false);
    run_all(net);
    unsigned used = 0;
    for (uint32_t i = 0; i < net_link_count(net); i++) {
        const NetLink *link = net_link(net, i);
        if (!link->packets)
            continue;
        used++;
        cr_assert(link->from == 2 || link->to == 3);
        cr_assert_gt(i, net_graph_find(&net->graph, link->from, link->to), "not the first NIC's");
    }
    cr_assert_eq(used, 2);
    log_clear(&log);
}

Test(nics, impossible_numbers_are_refused)
{
    NetParams params = make_params("crossbar", "4", "store-and-forward");
    params.nics = 0;
    expect_refusal(&params, NET_ERROR_PARAMETER, "nics");
    params.nics = NET_MAX_NICS + 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "nics");
    params = make_params("bus", "4", "bus");
    params.nics = 2;
    expect_refusal(&params, NET_ERROR_PARAMETER, "shared medium");
}
