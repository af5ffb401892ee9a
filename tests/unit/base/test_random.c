/* Random numbers: known values, and distributions that have the means asked for. */
#include "base/choice.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <glib.h>

enum { MEAN = 1000000 };

/* The first outputs of SplitMix64 with seed 0, as printed by the code of its authors. */
Test(random, scrambles_as_splitmix64_does)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    cr_assert_eq(base_random_scramble(step), UINT64_C(0xe220a8397b1dcdaf));
    cr_assert_eq(base_random_scramble(2 * step), UINT64_C(0x6e789e6aa1b965f4));
    cr_assert_eq(base_random_scramble(0), 0);
}

Test(random, every_number_of_a_mix_counts)
{
    uint64_t mixed = base_random_mix(5, 6, 7);
    cr_assert_eq(base_random_mix(5, 6, 7), mixed);
    cr_assert_neq(base_random_mix(4, 6, 7), mixed);
    cr_assert_neq(base_random_mix(5, 5, 7), mixed);
    cr_assert_neq(base_random_mix(5, 6, 6), mixed);
    cr_assert_neq(base_random_mix(5, 7, 6), mixed);
}

Test(random, distributions_have_names)
{
    const char *const *names = base_random_distributions();
    cr_assert_str_eq(names[BASE_DISTRIBUTION_FIXED], "fixed");
    cr_assert_str_eq(names[BASE_DISTRIBUTION_UNIFORM], "uniform");
    cr_assert_str_eq(names[BASE_DISTRIBUTION_EXPONENTIAL], "exponential");
    cr_assert_null(names[3]);
}

/* Expected: -ln(number / 2^64) times the mean, rounded down; ln 2 is 0.69314718. */
Test(random, spread_of_single_numbers)
{
    static const struct {
        uint64_t number, uniform, exponential;
    } cases[] = {{0, 0, 44361419}, /* like 1: 64 ln 2 */
                 {1, 0, 44361419},
                 {UINT64_C(1) << 62, MEAN / 2, 1386294},
                 {UINT64_C(1) << 63, MEAN, 693147},
                 {UINT64_C(3) << 62, 3 * MEAN / 2, 287682},
                 {UINT64_MAX, 2 * MEAN, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t number = cases[i].number;
        cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_FIXED, MEAN, number), MEAN);
        cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_UNIFORM, MEAN, number), cases[i].uniform, "case %zu", i);
        uint64_t exponential = base_random_spread(BASE_DISTRIBUTION_EXPONENTIAL, MEAN, number);
        cr_assert_eq(exponential, cases[i].exponential, "case %zu: %" G_GUINT64_FORMAT, i, exponential);
    }
}

/* The longest mean that a machine file can name does not overflow. */
Test(random, spread_of_long_times)
{
    const uint64_t mean = INT64_MAX;
    cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_UNIFORM, mean, UINT64_MAX), UINT64_MAX - 1);
    cr_assert_eq(base_random_spread(BASE_DISTRIBUTION_UNIFORM, mean, UINT64_C(1) << 63), mean);
}

Test(random, means)
{
    enum { DRAWN = 20000 };
    for (int distribution = BASE_DISTRIBUTION_UNIFORM; distribution <= BASE_DISTRIBUTION_EXPONENTIAL; distribution++) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < DRAWN; i++)
            sum += base_random_spread((BaseDistribution)distribution, MEAN, base_random_mix(1, i, 0));
        cr_assert_float_eq((double)sum / DRAWN, MEAN, MEAN * 0.02, "%d: %g", distribution, (double)sum / DRAWN);
    }
}
