/* random.c - random numbers for experiments: the Mersenne Twister (Matsumoto and Nishimura, "Mersenne Twister: a
 * 623-dimensionally equidistributed uniform pseudo-random number generator", 1998), the same on every host.
 *
 * A message takes some twenty numbers, so they are made 624 at a time, by loops that a compiler makes vector
 * instructions of. They are the numbers of g_rand_new_with_seed_array().
 */
#include "traffic/internal.h"

enum { WORDS = TRAFFIC_RANDOM_WORDS, SHIFT = 397 };

void traffic_random_init(TrafficRandom *random, const uint32_t *seed, uint32_t length)
{
    uint32_t *word = random->word;
    word[0] = UINT32_C(19650218);
    for (uint32_t i = 1; i < WORDS; i++)
        word[i] = UINT32_C(1812433253) * (word[i - 1] ^ word[i - 1] >> 30) + i;
    uint32_t i = 1;
    for (uint32_t k = 0; k < MAX(WORDS, length); k++) {
        word[i] = (word[i] ^ (word[i - 1] ^ word[i - 1] >> 30) * UINT32_C(1664525)) + seed[k % length] + k % length;
        if (++i == WORDS) {
            word[0] = word[WORDS - 1];
            i = 1;
        }
    }
    for (uint32_t k = 1; k < WORDS; k++) {
        word[i] = (word[i] ^ (word[i - 1] ^ word[i - 1] >> 30) * UINT32_C(1566083941)) - i;
        if (++i == WORDS) {
            word[0] = word[WORDS - 1];
            i = 1;
        }
    }
    word[0] = UINT32_C(0x80000000);
    random->next = WORDS;
}

static inline uint32_t twist(uint32_t high, uint32_t low, uint32_t far)
{
    return far ^ ((high & UINT32_C(0x80000000)) | (low & UINT32_C(0x7fffffff))) >> 1 ^
           (-(low & 1) & UINT32_C(0x9908b0df));
}

/* Word i depends on the old words i and i + 1 and on word i + 397, which for later words is a new one: hence parts,
 * in none of which a word depends on one of the same part that is near. */
void traffic_random_refill(TrafficRandom *random)
{
    uint32_t *word = random->word;
    for (uint32_t i = 0; i < WORDS - SHIFT; i++)
        word[i] = twist(word[i], word[i + 1], word[i + SHIFT]);
    for (uint32_t i = WORDS - SHIFT; i < WORDS - 1; i++)
        word[i] = twist(word[i], word[i + 1], word[i + SHIFT - WORDS]);
    word[WORDS - 1] = twist(word[WORDS - 1], word[0], word[SHIFT - 1]);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t number = word[i];
        number ^= number >> 11;
        number ^= number << 7 & UINT32_C(0x9d2c5680);
        number ^= number << 15 & UINT32_C(0xefc60000);
        random->number[i] = number ^ number >> 18;
    }
    random->next = 0;
}

/* Rejects the numbers that would make some results likelier than others. */
uint32_t traffic_random_below(TrafficRandom *random, uint32_t bound)
{
    uint32_t value = traffic_random_int(random);
    if (G_UNLIKELY(value > UINT32_MAX - bound)) { /* it may be beyond the limit */
        uint32_t limit = UINT32_MAX - UINT32_MAX % bound;
        while (value >= limit)
            value = traffic_random_int(random);
    }
    return value % bound;
}
