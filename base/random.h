/* random.h - random numbers as functions of what they are for, the same on every host. */
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
/* A well-mixed number from the seed and two more: packet `index` of a node, say. */
uint64_t base_random_mix(uint64_t seed, uint64_t a, uint64_t b);

/* How what varies is spread about its mean: the enumerators, and the names that machine files have for them. */
#define BASE_DISTRIBUTIONS(CHOICE)                                                                                     \
    CHOICE(BASE_DISTRIBUTION_FIXED, "fixed")                                                                           \
    CHOICE(BASE_DISTRIBUTION_UNIFORM, "uniform")                                                                       \
    CHOICE(BASE_DISTRIBUTION_EXPONENTIAL, "exponential")
BASE_CHOICE_ENUM(BaseDistribution, BASE_DISTRIBUTIONS);
/* The names by enumerator: NULL-terminated, static. */
const char *const *base_random_distributions(void);
/* At least 0; on average `mean`, if fixed always; if uniform up to twice that. `number` is random, all of its values
 * equally likely. Exact on every host. */
uint64_t base_random_spread(BaseDistribution distribution, uint64_t mean, uint64_t number);

#endif
