/* random.h - random numbers without state: each is a function of its purpose, and the same on every host. */
#ifndef ORRERY_BASE_RANDOM_H
#define ORRERY_BASE_RANDOM_H

#include "base/choice.h"

#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the answer depends on every bit of x. */
static inline uint64_t base_random_scramble(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}
/* Returns a well-mixed number made of the seed and two numbers that name its purpose, such as a node and the index of a
 * packet. */
uint64_t base_random_mix(uint64_t seed, uint64_t a, uint64_t b);

/* The distributions about a mean: the enumerators, and their names in machine files. */
#define BASE_DISTRIBUTIONS(CHOICE)                                                                                     \
    CHOICE(BASE_DISTRIBUTION_FIXED, "fixed")                                                                           \
    CHOICE(BASE_DISTRIBUTION_UNIFORM, "uniform")                                                                       \
    CHOICE(BASE_DISTRIBUTION_EXPONENTIAL, "exponential")
BASE_CHOICE_ENUM(BaseDistribution, BASE_DISTRIBUTIONS);
/* Returns the names of the distributions, by enumerator: a static array that ends with NULL. */
const char *const *base_random_distributions(void);
/* Returns a number >= 0 with the mean `mean`: the mean itself if the distribution is fixed, at most twice the mean if
 * it is uniform. `number` is random; all of its values must be equally likely. The result is exact on every host. */
uint64_t base_random_spread(BaseDistribution distribution, uint64_t mean, uint64_t number);

#endif
