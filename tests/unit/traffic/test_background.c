/* test_background.c - background traffic: bounded, only between its times, and the same for the same seed. */
#include "../network.h"
#include "traffic/internal.h"

#include <criterion/criterion.h>
#include <string.h>

static Network *ring(void)
{
    static const NetClient nobody = {0};
    NetParams params = test_network_params();
    params.topology = "ring";
    params.nodes = 8;
    params.routing = "shortest-path";
    return net_network_new(&params, &nobody, NULL);
}

static const TrafficBackgroundOptions heavy = {
    .pattern = "uniform", .load = TRAFFIC_LOAD_ONE, .seed = 3, .most_waiting = 3};

/* Runs until a time. Returns the last time at which a message was made, and in *first_ps the first. */
static uint64_t run_until(Network *net, TrafficBackground *background, uint64_t until_ps, uint64_t *first_ps)
{
    uint64_t last_ps = 0, next;
    *first_ps = UINT64_MAX;
    while ((next = MIN(net_next_time(net), traffic_background_next(background))) < until_ps) {
        TrafficBackgroundCounts counts;
        if (traffic_background_next(background) == next) {
            *first_ps = MIN(*first_ps, next);
            last_ps = next;
            traffic_background_step(background);
        } else {
            net_step(net);
        }
        traffic_background_counts(background, &counts);
        cr_assert_leq(counts.made - counts.delivered, 8 * heavy.most_waiting);
    }
    return last_ps;
}

Test(background, what_the_network_cannot_take_is_not_made)
{
    TrafficBackgroundCounts counts[2];
    for (int i = 0; i < 2; i++) {
        uint64_t first_ps;
        g_autoptr(Network) net = ring();
        TrafficBackground *background = traffic_background_new(net, &heavy, NULL);
        run_until(net, background, UINT64_C(200000000), &first_ps);
        traffic_background_counts(background, &counts[i]);
        traffic_background_free(background);
    }
    cr_assert_gt(counts[0].refused, 0);
    cr_assert_gt(counts[0].delivered, 0);
    cr_assert_eq(memcmp(&counts[0], &counts[1], sizeof counts[0]), 0);
}

Test(background, between_its_times)
{
    TrafficBackgroundOptions options = heavy;
    TrafficBackgroundCounts counts;
    uint64_t first_ps;
    options.start_ps = 10000000;
    options.end_ps = 20000000;
    g_autoptr(Network) net = ring();
    TrafficBackground *background = traffic_background_new(net, &options, NULL);
    uint64_t last_ps = run_until(net, background, UINT64_MAX, &first_ps); /* it ends by itself */
    cr_assert_geq(first_ps, options.start_ps);
    cr_assert_lt(last_ps, options.end_ps);
    traffic_background_counts(background, &counts);
    cr_assert_eq(counts.made, counts.delivered);
    traffic_background_free(background);
}

Test(background, impossible_options_are_refused)
{
    g_autoptr(Network) net = ring();
    g_autoptr(GError) error = NULL;
    TrafficBackgroundOptions options = heavy;
    options.load = 0;
    cr_assert_null(traffic_background_new(net, &options, &error));
    g_clear_error(&error);
    options = heavy;
    options.start_ps = options.end_ps = 5;
    cr_assert_null(traffic_background_new(net, &options, &error));
    g_clear_error(&error);
    options = heavy;
    options.pattern = "transpose";
    cr_assert_null(traffic_background_new(net, &options, &error));
    cr_assert_eq(error->code, TRAFFIC_ERROR_PATTERN);
}
