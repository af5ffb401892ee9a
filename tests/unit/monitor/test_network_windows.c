/* test_network_windows.c - links over time: the division among windows is exact for every width, and doubling the width
 * loses nothing. */
#include "monitor/network/network.h"

#include <criterion/criterion.h>

static NetPassage passage_of(uint64_t asked, uint64_t got, uint64_t left, uint64_t bytes, uint64_t busy)
{
    return (NetPassage){.packets = 1,
                        .asked_ps = asked,
                        .got_ps = got,
                        .reached_ps = got,
                        .left_ps = left,
                        .bytes = bytes,
                        .busy_ps = busy};
}

static MonUse total(MonWindows *windows, size_t channel)
{
    MonUse sum = {0};
    for (uint32_t i = 0; i < mon_windows_count(windows, channel); i++) {
        const MonUse *use = mon_windows_use(windows, channel, i);
        sum.bytes += use->bytes;
        sum.packets += use->packets;
        sum.busy_ps += use->busy_ps;
        sum.held_ps += use->held_ps;
        sum.blocked_ps += use->blocked_ps;
        sum.queue_ps += use->queue_ps;
        sum.most = MAX(sum.most, use->most);
    }
    return sum;
}

Test(windows, a_packet_over_several)
{
    MonWindows *windows = mon_windows_new(1, 100);
    NetPassage passage = passage_of(30, 150, 350, 7, 150);
    mon_windows_passed(windows, 0, &passage);
    cr_assert_eq(mon_windows_length(windows), 100);
    cr_assert_eq(mon_windows_count(windows, 0), 4);
    static const MonUse expected[] = {
        {.blocked_ps = 70},
        {.bytes = 1, .busy_ps = 37, .held_ps = 50, .blocked_ps = 50}, /* floor of 7 * 50 / 200, of 150 * 50 / 200 */
        {.bytes = 4, .busy_ps = 75, .held_ps = 100},              /* floor of 7 * 150 / 200, minus what came before */
        {.bytes = 2, .packets = 1, .busy_ps = 38, .held_ps = 50}, /* the rest */
    };
    for (uint32_t i = 0; i < 4; i++) {
        const MonUse *use = mon_windows_use(windows, 0, i);
        cr_assert_eq(use->bytes, expected[i].bytes, "window %u", i);
        cr_assert_eq(use->packets, expected[i].packets, "window %u", i);
        cr_assert_eq(use->busy_ps, expected[i].busy_ps, "window %u", i);
        cr_assert_eq(use->held_ps, expected[i].held_ps, "window %u", i);
        cr_assert_eq(use->blocked_ps, expected[i].blocked_ps, "window %u", i);
    }
    mon_windows_free(windows);
}

/* A packet that ends where a window ends belongs to that window. A packet that takes no time belongs to its instant. */
Test(windows, ends)
{
    MonWindows *windows = mon_windows_new(1, 100);
    NetPassage passage = passage_of(0, 0, 100, 10, 100), nothing = passage_of(200, 200, 200, 0, 0);
    mon_windows_passed(windows, 0, &passage);
    cr_assert_eq(mon_windows_count(windows, 0), 1);
    cr_assert_eq(mon_windows_use(windows, 0, 0)->packets, 1);
    mon_windows_passed(windows, 0, &nothing);
    cr_assert_eq(mon_windows_count(windows, 0), 3);
    cr_assert_eq(mon_windows_use(windows, 0, 2)->packets, 1);
    mon_windows_free(windows);
}

/* The length of the run is unknown: windows double, and all sums stay. Two channels see that at different times. */
Test(windows, doubling_loses_nothing)
{
    MonWindows *windows = mon_windows_new(2, 0);
    MonUse sum = {0};
    uint64_t time = 0;
    for (uint64_t i = 1; i <= 500; i++) {
        NetPassage passage = passage_of(time, time + i % 13, time + i % 13 + 11 * i, 3 * i, 7 * i);
        mon_windows_passed(windows, i > 10, &passage);
        mon_windows_queue(windows, i > 10, time, time + 5, (uint32_t)(i % 5 + 1));
        sum.bytes += passage.bytes;
        sum.busy_ps += passage.busy_ps;
        sum.blocked_ps += i % 13;
        sum.queue_ps += 5 * (i % 5 + 1);
        time = passage.left_ps;
    }
    MonUse first = total(windows, 0), second = total(windows, 1);
    cr_assert_eq(first.packets, 10);
    cr_assert_eq(first.packets + second.packets, 500);
    cr_assert_eq(first.bytes + second.bytes, sum.bytes);
    cr_assert_eq(first.busy_ps + second.busy_ps, sum.busy_ps);
    cr_assert_eq(first.blocked_ps + second.blocked_ps, sum.blocked_ps);
    cr_assert_eq(first.queue_ps + second.queue_ps, sum.queue_ps);
    cr_assert_eq(second.most, 5);
    cr_assert_leq(mon_windows_count(windows, 1), 64);
    cr_assert_gt(mon_windows_count(windows, 1), 32);
    cr_assert_eq(mon_windows_length(windows) % 1000, 0);
    mon_windows_free(windows);
}

/* Passages reported in another order, or another initial width, give the same result. */
Test(windows, order_does_not_matter)
{
    static const uint64_t times[][2] = {{0, 90000}, {500, 700}, {63000, 64500}, {1, 2}, {40000, 250000}};
    enum { COUNT = G_N_ELEMENTS(times) };
    MonWindows *up = mon_windows_new(1, 0), *down = mon_windows_new(1, 0);
    for (size_t i = 0; i < COUNT; i++) {
        NetPassage a = passage_of(times[i][0], times[i][0], times[i][1], 1000, 1);
        NetPassage b = passage_of(times[COUNT - 1 - i][0], times[COUNT - 1 - i][0], times[COUNT - 1 - i][1], 1000, 1);
        mon_windows_passed(up, 0, &a);
        mon_windows_passed(down, 0, &b);
    }
    cr_assert_eq(mon_windows_length(up), mon_windows_length(down));
    cr_assert_eq(mon_windows_count(up, 0), mon_windows_count(down, 0));
    for (uint32_t i = 0; i < mon_windows_count(up, 0); i++)
        cr_assert_eq(mon_windows_use(up, 0, i)->packets, mon_windows_use(down, 0, i)->packets, "window %u", i);
    mon_windows_free(up);
    mon_windows_free(down);
}

/* The bytes of a window that is doubled later are those of its halves, although each was rounded down. Shares end where
 * windows end, and these ends stay. */
Test(windows, doubling_keeps_ends)
{
    MonWindows *early = mon_windows_new(1, 0), *late = mon_windows_new(1, 0);
    NetPassage odd = passage_of(300, 300, 60700, 12345, 6789), far = passage_of(100000, 100000, 300000, 1, 1);
    mon_windows_passed(early, 0, &odd);
    mon_windows_passed(early, 0, &far);
    mon_windows_passed(late, 0, &far);
    mon_windows_passed(late, 0, &odd);
    for (uint32_t i = 0; i < mon_windows_count(early, 0); i++)
        cr_assert_eq(mon_windows_use(early, 0, i)->bytes, mon_windows_use(late, 0, i)->bytes, "window %u", i);
    mon_windows_free(early);
    mon_windows_free(late);
}
