/* random.c - random numbers for experiments. g_rand_int() is the Mersenne Twister, the same on every host. */
#include "traffic/internal.h"

uint64_t traffic_random_word(GRand *random)
{
    uint64_t high = g_rand_int(random);
    return high << 32 | g_rand_int(random);
}

/* Rejects the numbers that would make some results likelier than others. */
uint32_t traffic_random_below(GRand *random, uint32_t bound)
{
    uint32_t limit = UINT32_MAX - UINT32_MAX % bound;
    uint32_t value;
    do
        value = g_rand_int(random);
    while (value >= limit);
    return value % bound;
}
