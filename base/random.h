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

/* clang-format off */
#define BASE_RANDOM_DISTRIBUTIONS(CHOICE)                                                                              \
    CHOICE(BASE_RANDOM_FIXED, "fixed")                                                                                 \
    CHOICE(BASE_RANDOM_UNIFORM, "uniform")                                                                             \
    CHOICE(BASE_RANDOM_EXPONENTIAL, "exponential")
/* clang-format on */
BASE_CHOICE_ENUM(BaseRandomDistribution, BASE_RANDOM_DISTRIBUTIONS);
const char *const *base_random_distributions(void);        /* their names */
const char *const *base_random_jitter_distributions(void); /* the last two */
/* At least 0; on average `mean`, when fixed always; when uniform up to twice that. `number` is random, all of its
 * values equally likely. Exact on every host. */
uint64_t base_random_spread(BaseRandomDistribution distribution, uint64_t mean, uint64_t number);

#endif
