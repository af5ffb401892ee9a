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

/* Many ranks that do the same put their events in nearly sorted; some others do not. Whatever is kept where, what comes
 * out is what sorting gives. */
Test(queue, many_events_nearly_in_order_come_out_sorted)
{
    enum { RANKS = 5000, ROUNDS = 20 };
    uint64_t seed = 20240602;
    NetQueue *queue = net_queue_new();
    uint64_t order[RANKS * (ROUNDS + 1)] = {0}, out = 0;
    NetEvent event, last = {0};
    for (uint32_t rank = 0; rank < RANKS; rank++)
        net_queue_push(queue, 10, 2, rank, rank, 0);
    while (net_queue_pop(queue, &event)) {
        cr_assert_lt(net_event_compare(&last, &event), 0, "event %lu", out);
        last = event;
        order[out++] = event.a;
        if (event.b == ROUNDS)
            continue;
        bool strays = random_below(&seed, 50) == 0;
        net_queue_push(queue, event.time_ps + (strays ? 1 + random_below(&seed, 300) : 100), 2,
                       event.rank ^ (1u << event.b % 8), event.a, event.b + 1);
        cr_assert_eq(net_queue_top(queue)->time_ps >= event.time_ps, true);
    }
    cr_assert_eq(out, RANKS * (ROUNDS + 1));
    cr_assert_eq(net_queue_size(queue), 0);
    uint64_t seen[RANKS] = {0};
    for (uint64_t i = 0; i < out; i++)
        seen[order[i]]++;
    for (uint32_t rank = 0; rank < RANKS; rank++)
        cr_assert_eq(seen[rank], ROUNDS + 1);
    net_queue_free(queue);
}
