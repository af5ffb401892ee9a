/* test_queue.c - the event queue: the total order, and nothing but the order of insertion behind it. */
#include "helper.h"

Test(queue, orders_by_time_kind_rank_sequence)
{
    NetEvent base = {.time_ps = 5, .kind = 5, .rank = 5, .sequence = 5};
    NetEvent other = base;
    cr_assert_eq(net_event_compare(&base, &other), 0);
    other.sequence = 6;
    cr_assert_lt(net_event_compare(&base, &other), 0);
    other.rank = 4; /* rank counts before sequence */
    cr_assert_gt(net_event_compare(&base, &other), 0);
    other.kind = 6; /* kind before rank */
    cr_assert_lt(net_event_compare(&base, &other), 0);
    other.time_ps = 4; /* time before kind */
    cr_assert_gt(net_event_compare(&base, &other), 0);
}

Test(queue, empty)
{
    NetQueue *queue = net_queue_new();
    NetEvent event;
    cr_assert_null(net_queue_top(queue));
    cr_assert_not(net_queue_pop(queue, &event));
    cr_assert_eq(net_queue_size(queue), 0);
    net_queue_free(queue);
    net_queue_free(NULL);
}

Test(queue, equal_events_come_out_as_they_went_in)
{
    NetQueue *queue = net_queue_new();
    for (uint64_t i = 0; i < 1000; i++)
        net_queue_push(queue, 7, 1, 2, i, ~i);
    for (uint64_t i = 0; i < 1000; i++) {
        NetEvent event;
        cr_assert(net_queue_pop(queue, &event));
        cr_assert_eq(event.a, i);
        cr_assert_eq(event.b, ~i);
    }
    net_queue_free(queue);
}

Test(queue, random_pushes_and_pops_come_out_sorted)
{
    uint64_t seed = 20240601;
    cr_log_info("seed %lu", (unsigned long)seed);
    NetQueue *queue = net_queue_new();
    size_t inside = 0;
    NetEvent last = {0};
    for (int i = 0; i < 20000; i++) {
        if (random_below(&seed, 3) || !inside) { /* never before what has come out, as in a simulation */
            net_queue_push(queue, last.time_ps + random_below(&seed, 20), random_below(&seed, 3) + 1,
                           random_below(&seed, 4), 0, 0);
            inside++;
            continue;
        }
        NetEvent top = *net_queue_top(queue);
        NetEvent event;
        cr_assert(net_queue_pop(queue, &event));
        cr_assert_eq(net_event_compare(&top, &event), 0);
        cr_assert_geq(event.time_ps, last.time_ps);
        last = event;
        cr_assert_eq(net_queue_size(queue), --inside);
    }
    NetEvent event;
    last = (NetEvent){0};
    while (net_queue_pop(queue, &event)) {
        cr_assert_lt(net_event_compare(&last, &event), 0, "strictly rising when only popped");
        last = event;
    }
    net_queue_free(queue);
}
