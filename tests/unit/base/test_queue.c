/* test_queue.c - the event queue: its total order, in which only the order of insertion breaks ties. */
#include "../random.h"
#include "base/queue.h"

#include <criterion/criterion.h>
#include <glib.h>

Test(queue, orders_by_time_kind_rank_sequence)
{
    BaseEvent base = {.time_ps = 5, .kind = 5, .rank = 5, .sequence = 5};
    BaseEvent other = base;
    cr_assert_eq(base_queue_compare(&base, &other), 0);
    other.sequence = 6;
    cr_assert_lt(base_queue_compare(&base, &other), 0);
    other.rank = 4; /* rank takes precedence over sequence */
    cr_assert_gt(base_queue_compare(&base, &other), 0);
    other.kind = 6; /* kind takes precedence over rank */
    cr_assert_lt(base_queue_compare(&base, &other), 0);
    other.time_ps = 4; /* time takes precedence over kind */
    cr_assert_gt(base_queue_compare(&base, &other), 0);
}

Test(queue, empty)
{
    BaseQueue *queue = base_queue_new();
    BaseEvent event;
    cr_assert_null(base_queue_top(queue));
    cr_assert_not(base_queue_pop(queue, &event));
    cr_assert_eq(base_queue_size(queue), 0);
    base_queue_free(queue);
    base_queue_free(NULL);
}

Test(queue, equal_events_come_out_as_they_went_in)
{
    BaseQueue *queue = base_queue_new();
    for (uint64_t i = 0; i < 1000; i++)
        base_queue_push(queue, 7, 1, 2, i, ~i);
    for (uint64_t i = 0; i < 1000; i++) {
        BaseEvent event;
        cr_assert(base_queue_pop(queue, &event));
        cr_assert_eq(event.a, i);
        cr_assert_eq(event.b, ~i);
    }
    base_queue_free(queue);
}

Test(queue, random_pushes_and_pops_come_out_sorted)
{
    uint64_t seed = 20240601;
    cr_log_info("seed %lu", (unsigned long)seed);
    BaseQueue *queue = base_queue_new();
    size_t inside = 0;
    BaseEvent last = {0};
    for (int i = 0; i < 20000; i++) {
        if (random_below(&seed, 3) || !inside) { /* never before an event that has been taken out, as in a simulation */
            base_queue_push(queue, last.time_ps + random_below(&seed, 20), random_below(&seed, 3) + 1,
                            random_below(&seed, 4), 0, 0);
            inside++;
            continue;
        }
        BaseEvent top = *base_queue_top(queue);
        BaseEvent event;
        cr_assert(base_queue_pop(queue, &event));
        cr_assert_eq(base_queue_compare(&top, &event), 0);
        cr_assert_geq(event.time_ps, last.time_ps);
        last = event;
        cr_assert_eq(base_queue_size(queue), --inside);
    }
    BaseEvent event;
    last = (BaseEvent){0};
    while (base_queue_pop(queue, &event)) {
        cr_assert_lt(base_queue_compare(&last, &event), 0, "strictly rising when only popped");
        last = event;
    }
    base_queue_free(queue);
}

/* Many ranks that do the same put in their events nearly sorted; some others do not. Wherever the queue keeps them,
 * they come out sorted. */
Test(queue, many_events_nearly_in_order_come_out_sorted)
{
    enum { RANKS = 5000, ROUNDS = 20 };
    uint64_t seed = 20240602;
    BaseQueue *queue = base_queue_new();
    uint64_t order[RANKS * (ROUNDS + 1)] = {0}, out = 0;
    BaseEvent event, last = {0};
    for (uint32_t rank = 0; rank < RANKS; rank++)
        base_queue_push(queue, 10, 2, rank, rank, 0);
    while (base_queue_pop(queue, &event)) {
        cr_assert_lt(base_queue_compare(&last, &event), 0, "event %lu", out);
        last = event;
        order[out++] = event.a;
        if (event.b == ROUNDS)
            continue;
        bool strays = random_below(&seed, 50) == 0;
        base_queue_push(queue, event.time_ps + (strays ? 1 + random_below(&seed, 300) : 100), 2,
                        event.rank ^ (1u << event.b % 8), event.a, event.b + 1);
        cr_assert_eq(base_queue_top(queue)->time_ps >= event.time_ps, true);
    }
    cr_assert_eq(out, RANKS * (ROUNDS + 1));
    cr_assert_eq(base_queue_size(queue), 0);
    uint64_t seen[RANKS] = {0};
    for (uint64_t i = 0; i < out; i++)
        seen[order[i]]++;
    for (uint32_t rank = 0; rank < RANKS; rank++)
        cr_assert_eq(seen[rank], ROUNDS + 1);
    base_queue_free(queue);
}

static bool is_odd(const BaseEvent *event, void *user)
{
    (*(uint64_t *)user)++;
    return event->a & 1;
}

/* Nearly sorted and stray events, wherever the queue keeps them: the least of the odd ones is the next odd one to come
 * out. */
Test(queue, next_of_some)
{
    enum { EVENTS = 3000 };
    uint64_t seed = 20240603, asked = 0, last_odd = 0, expected = UINT64_MAX;
    BaseQueue *queue = base_queue_new();
    BaseEvent event;
    cr_expect_eq(base_queue_next_of(queue, is_odd, &asked), UINT64_MAX);
    for (uint64_t i = 0; i < EVENTS; i++)
        base_queue_push(queue, 1000 + (random_below(&seed, 4) ? i : random_below(&seed, 5000)), 1, 0,
                        random_below(&seed, 100) ? 0 : 1, 0);
    for (uint64_t i = 0; base_queue_size(queue); i++) {
        if (i % 50 == 0 || last_odd)
            expected = base_queue_next_of(queue, is_odd, &asked);
        cr_assert(base_queue_pop(queue, &event));
        cr_assert_leq(event.time_ps, expected);
        last_odd = event.a;
        cr_assert(!last_odd || event.time_ps == expected);
        if (i % 100 == 0) /* the front */
            base_queue_push(queue, event.time_ps, 1, 0, 0, 0);
        if (i > 2 * EVENTS)
            break;
    }
    cr_expect_gt(asked, 0);
    cr_expect_eq(base_queue_next_of(queue, is_odd, &asked), UINT64_MAX);
    base_queue_free(queue);
}

/* Returns the index of the least event, by looking at all of them. */
static size_t least_of(const BaseEvent *events, size_t n)
{
    size_t least = 0;
    for (size_t i = 1; i < n; i++)
        if (base_queue_compare(&events[i], &events[least]) < 0)
            least = i;
    return least;
}

/* Times of all magnitudes up to the greatest, in bursts of equal ones, and some before the event taken out last. */
Test(queue, times_of_all_magnitudes_come_out_in_order)
{
    enum { MOST = 600, TURNS = 30000 };
    static BaseEvent inside[MOST + 8];
    uint64_t seed = 77, sequence = 0;
    size_t n = 0;
    BaseQueue *queue = base_queue_new();
    for (int turn = 0; turn < TURNS; turn++) {
        uint64_t now = n ? base_queue_top(queue)->time_ps : 0;
        uint64_t time = random_below(&seed, 50) ? now + (UINT64_C(1) << random_below(&seed, 50)) : now / 2;
        if (random_below(&seed, 500) == 0)
            time = UINT64_MAX;
        for (uint32_t i = random_below(&seed, 6); n < MOST && i-- > 0; sequence++) {
            BaseEvent event = {.time_ps = time, .kind = 1, .rank = random_below(&seed, 3), .sequence = sequence};
            base_queue_push(queue, event.time_ps, event.kind, event.rank, 0, 0);
            inside[n++] = event;
        }
        for (uint32_t i = random_below(&seed, turn / 1000 % 2 ? 8 : 4); n && i-- > 0;) {
            BaseEvent event;
            size_t least = least_of(inside, n);
            cr_assert(base_queue_pop(queue, &event));
            cr_assert_eq(base_queue_compare(&event, &inside[least]), 0, "turn %d", turn);
            inside[least] = inside[--n];
        }
        cr_assert_eq(base_queue_size(queue), n);
    }
    base_queue_free(queue);
}
