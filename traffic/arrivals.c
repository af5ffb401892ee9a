/* arrivals.c - when sources make messages: in every cycle with the same chance p (a Bernoulli process), without looking
 * at every cycle.
 *
 * The gaps have a geometric distribution: P(gap = g) = p q^g, q = 1 - p. Written in binary, the bits of such a number
 * are independent of each other, bit i being 1 with the chance q^(2^i) / (1 + q^(2^i)): that is what the product over
 * the bits of p q^g gives. So a gap is drawn bit by bit, from thresholds that repeated squaring yields in fixed point,
 * with no logarithm whose last digit would differ between hosts.
 */
#include "traffic/internal.h"

#define FRACTION_BITS 63
#define ONE           (UINT64_C(1) << FRACTION_BITS)

void traffic_arrivals_init(TrafficArrivals *arrivals, uint64_t part, uint64_t of)
{
    *arrivals = (TrafficArrivals){0};
    uint64_t q = (uint64_t)(((__uint128_t)(of - part) << FRACTION_BITS) / of);
    while (q && arrivals->bits < TRAFFIC_GAP_BITS) {
        arrivals->chance[arrivals->bits++] = (uint64_t)(((__uint128_t)q << 64) / (ONE + (__uint128_t)q));
        q = (uint64_t)((__uint128_t)q * q >> FRACTION_BITS);
    }
}

uint64_t traffic_gap(const TrafficArrivals *arrivals, GRand *random)
{
    uint64_t gap = 0;
    for (uint32_t i = 0; i < arrivals->bits; i++)
        gap |= (uint64_t)(traffic_random_word(random) < arrivals->chance[i]) << i;
    return gap;
}
