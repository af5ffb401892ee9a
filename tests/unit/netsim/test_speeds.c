/* test_speeds.c - links whose bandwidth is changed by name, for runs that ask what would be if. */
#include "helper.h"

static uint64_t time_with(const char *topology, const char *dims, const char *switching, const char *name, uint64_t num,
                          uint64_t den, uint32_t from, uint32_t to)
{
    NetParams params = make_params(topology, dims, switching);
    NetLinkSpeed speed = {name, num, den};
    params.speeds = &speed;
    params.n_speeds = name != NULL;
    return run_one(&params, from, to, 1000);
}

Test(speeds, only_the_link_that_is_named_changes)
{
    uint64_t before = time_with("ring", "8", "store-and-forward", NULL, 1, 1, 0, 1);
    uint64_t wire_ps = net_serialise(1016, UINT64_C(1000000000)), fast_ps = net_serialise(1016, UINT64_C(4000000000)),
             slow_ps = net_serialise(1016, UINT64_C(500000000));
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "0-1", 4, 1, 0, 1), before - wire_ps + fast_ps);
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "0-1", 5, 10, 0, 1), before - wire_ps + slow_ps);
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "1-0", 4, 1, 0, 1), before - wire_ps + fast_ps);
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "0-1", 4, 1, 1, 0), before - wire_ps + fast_ps);
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "1-2", 4, 1, 0, 1), before);
    cr_assert_eq(time_with("ring", "8", "store-and-forward", "0-1", 1, 1, 0, 1), before);
}

Test(speeds, ends_have_names_with_and_without_blanks)
{
    uint64_t before = time_with("crossbar", "4", "store-and-forward", NULL, 1, 1, 2, 3);
    uint64_t fast = time_with("crossbar", "4", "store-and-forward", "node 2-switch", 2, 1, 2, 3);
    cr_assert_lt(fast, before);
    cr_assert_eq(time_with("crossbar", "4", "store-and-forward", "node2-switch", 2, 1, 2, 3), fast);
    cr_assert_eq(time_with("crossbar", "4", "store-and-forward", "switch-2", 2, 1, 2, 3), fast);
    cr_assert_eq(time_with("crossbar", "4", "store-and-forward", "node 1-switch", 2, 1, 2, 3), before);
}

/* However fast or slow, a bandwidth stays one that a machine file may have. */
Test(speeds, extremes)
{
    uint64_t fastest = time_with("ring", "8", "store-and-forward", "0-1", UINT64_C(999999999), 1, 0, 1);
    NetParams params = make_params("ring", "8", "store-and-forward");
    params.bandwidth = UINT64_C(1000000000000000);
    cr_assert_geq(fastest, run_one(&params, 0, 1, 1000));
    cr_assert_gt(time_with("ring", "8", "store-and-forward", "0-1", 1, UINT64_C(100000000), 0, 1), fastest);
}

Test(speeds, what_is_no_link_is_refused)
{
    NetLinkSpeed speed = {"0-5", 2, 1};
    NetParams params = make_params("ring", "8", "store-and-forward");
    params.speeds = &speed;
    params.n_speeds = 1;
    expect_refusal(&params, NET_ERROR_PARAMETER, "no link 0-5");
    speed.name = "node 0-node 11";
    expect_refusal(&params, NET_ERROR_PARAMETER, "did you mean node 0-node 1?");
    speed.name = "";
    expect_refusal(&params, NET_ERROR_PARAMETER, "no link");
    speed.name = "0-1";
    params.switching = "loggp";
    expect_refusal(&params, NET_ERROR_PARAMETER, "loggp has no links");
}
