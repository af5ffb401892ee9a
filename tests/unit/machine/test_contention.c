/* Tests of cores that contend: the calendar against a timeline that is searched moment by moment. */
#include "base/random.h"
#include "machine/contention/contention.h"

#include <criterion/criterion.h>

enum { MOMENTS = 20000, TURNS = 2000 };

static uint64_t take_slowly(bool *taken, uint64_t from, uint64_t length, bool whole)
{
    uint64_t at = from, left = length;
    while (left) {
        bool free = !taken[at];
        for (uint64_t i = 0; whole && i < length; i++)
            free = free && !taken[at + i];
        if (whole && free) {
            for (uint64_t i = 0; i < length; i++)
                taken[at + i] = true;
            return at + length;
        }
        if (!whole && free) {
            taken[at] = true;
            left--;
        }
        at++;
    }
    return at;
}

Test(contention, is_what_a_timeline_says)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        MachContention *contention = mach_contention_new();
        bool *taken = g_new0(bool, MOMENTS);
        for (uint64_t turn = 0; turn < TURNS; turn++) {
            uint64_t random = base_random_mix(seed, turn, 0), now = 4 * turn;
            uint64_t from = now + random % 200, length = random >> 20 & 7;
            bool whole = random >> 40 & 1;
            if (!length)
                continue;
            cr_assert_eq(mach_contention_take(contention, MACH_SHARED_MEMORY, 3, now, from, length, whole),
                         take_slowly(taken, from, length, whole), "seed %" G_GUINT64_FORMAT ", turn %" G_GUINT64_FORMAT,
                         seed, turn);
        }
        cr_expect_eq(mach_contention_take(contention, MACH_SHARED_MEMORY, 2, 0, 5, 7, false), 12, "another node");
        cr_expect_eq(mach_contention_take(contention, MACH_SHARED_INTERFACE, 3, 0, 5, 7, true), 12);
        g_free(taken);
        mach_contention_free(contention);
    }
}
