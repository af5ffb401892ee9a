/* test_flow_failures.c - flows on a link that fails in between: what is left of them takes another route, and nothing
 * is lost.
 */
#include "helper.h"

enum { FLOWS = 3, BYTES = 1000000 };

static uint64_t last_of(const char *failed, NetFaultCounts *counts)
{
    NetParams params = make_params("ring", "6", "flow");
    params.routing = "shortest-path";
    params.faults.links = failed;
    Log log;
    log_init(&log, FLOWS);
    g_autoptr(Network) net = make_network(&params, &log);
    for (uint32_t i = 0; i < FLOWS; i++)
        net_send(net, &(NetSend){.from = 0, .to = 1, .bytes = BYTES, .cookie = i});
    run_all(net);
    cr_assert_null(net_undeliverable(net));
    net_fault_counts(net, counts);
    for (uint32_t i = 0; i < FLOWS; i++)
        cr_assert_eq(log.message[i].delivered, 1, "message %u", i);
    uint64_t last_ps = log.last_ps;
    log_clear(&log);
    return last_ps;
}

/* All links have the same rate, so the way round takes longer by its latency and no more. */
Test(flow_failures, what_is_left_goes_round)
{
    NetFaultCounts counts = {0};
    uint64_t whole = last_of(NULL, &counts);
    g_autofree char *half = g_strdup_printf("0-1 at %" G_GUINT64_FORMAT " ps", whole / 2);
    uint64_t round = last_of(half, &counts);
    cr_assert_eq(counts.lost, 0);
    cr_assert_eq(counts.failures, 1);
    cr_assert_gt(round, whole);
    cr_assert_lt(round, whole + whole / 10, "%" G_GUINT64_FORMAT " instead of %" G_GUINT64_FORMAT, round, whole);
}

/* If there is no other route, the message is lost, and sent again when the link is repaired. */
Test(flow_failures, without_a_way_it_is_sent_again)
{
    NetFaultCounts counts = {0};
    NetParams params = make_params("linear", "2", "flow");
    params.routing = "shortest-path";
    params.transport.timeout_ps = UINT64_C(100000000);
    uint64_t whole = run_one(&params, 0, 1, BYTES);
    g_autofree char *half =
        g_strdup_printf("0-1 at %" G_GUINT64_FORMAT " ps until %" G_GUINT64_FORMAT " ps", whole / 2, whole / 2 + 1000);
    params.faults.links = half;
    Log log;
    log_init(&log, 1);
    g_autoptr(Network) net = make_network(&params, &log);
    net_send(net, &(NetSend){.from = 0, .to = 1, .bytes = BYTES});
    run_all(net);
    net_fault_counts(net, &counts);
    cr_assert_eq(log.message[0].delivered, 1, "%s", net_undeliverable(net));
    cr_assert_eq(counts.lost, 1);
    cr_assert_eq(counts.resent, 1);
    cr_assert_gt(log.message[0].delivered_ps, whole + whole / 2);
    log_clear(&log);
}
