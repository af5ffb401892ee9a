/* random.h - a random generator for tests that print its seed: xorshift64* (Vigna, 2016). */
#ifndef ORRERY_TEST_RANDOM_H
#define ORRERY_TEST_RANDOM_H

#include <stdint.h>

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static inline uint32_t random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((next_random(state) >> 32) * end >> 32);
}

#endif
