/* random.c - random numbers without state, and their distributions about a mean. All is computed in integers, so that
 * the numbers are the same on every host.
 *
 * Exponential numbers are made by inversion: -ln(u) times the mean for u evenly distributed in (0, 1]. Repeated
 * squaring yields the logarithm to base 2 bit by bit (Knuth, The Art of Computer Programming 1, 1.2.2, exercise 28), to
 * 32 binary places.
 */
#include "base/random.h"

#include <stddef.h>

#define LN_2_Q32 UINT64_C(2977044472) /* ln 2 in 32.32 fixed point */
enum { PLACES = 32 };

uint64_t base_random_mix(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t x = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1b54a32d192ed03);
    return base_random_scramble(base_random_scramble(x));
}

const char *const *base_random_distributions(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(BASE_DISTRIBUTIONS);
    return names;
}

/* Returns -log2(number / 2^64) in 32.32 fixed point; number > 0. */
static uint64_t minus_log2(uint64_t number)
{
    unsigned zeros = (unsigned)__builtin_clzll(number);
    uint64_t mantissa = number << zeros >> 32; /* 1 <= mantissa / 2^31 < 2 */
    uint64_t fraction = 0;
    for (int place = 0; place < PLACES; place++) {
        mantissa = mantissa * mantissa >> 31;
        fraction <<= 1;
        if (mantissa >> 32) {
            mantissa >>= 1;
            fraction |= 1;
        }
    }
    return ((uint64_t)(zeros + 1) << PLACES) - fraction;
}

uint64_t base_random_spread(BaseDistribution distribution, uint64_t mean, uint64_t number)
{
    switch (distribution) {
    case BASE_DISTRIBUTION_FIXED: return mean;
    case BASE_DISTRIBUTION_UNIFORM:
        return (uint64_t)(((unsigned __int128)number * (2 * (unsigned __int128)mean + 1)) >> 64);
    case BASE_DISTRIBUTION_EXPONENTIAL: {
        unsigned __int128 log = (unsigned __int128)minus_log2(number | 1) * LN_2_Q32; /* in 64.64 fixed point */
        return (uint64_t)(((log >> 32) * mean) >> 32);
    }
    }
    return mean;
}
