/* arrivals.c - when sources make messages.
 *
 *   Bernoulli   a message in every cycle with the same probability p; the gaps are drawn, not the cycles
 *   bursts      messages without a pause; each ends the burst with the same probability. A gap as above follows, whose
 *               mean is chosen so that the load comes out
 *   periodic    messages at equal distances, counted exactly
 *
 * The gaps have a geometric distribution: P(gap = g) = p q^g, q = 1 - p. The binary digits of such a number are
 * independent of each other, and digit i is 1 with the probability q^(2^i) / (1 + q^(2^i)): the product of these over
 * all digits is p q^g. So a gap is drawn digit by digit. Repeated squaring yields the thresholds in fixed point. No
 * logarithm is needed, whose last digit would differ between hosts.
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

uint64_t traffic_arrivals_gap(const TrafficArrivals *arrivals, TrafficRandom *random)
{
    uint64_t gap = 0;
    if (G_UNLIKELY(random->next + 2 * arrivals->bits > TRAFFIC_RANDOM_WORDS)) {
        for (uint32_t i = 0; i < arrivals->bits; i++)
            gap |= (uint64_t)(traffic_random_word(random) < arrivals->chance[i]) << i;
        return gap;
    }
    const uint32_t *number = &random->number[random->next];
    for (uint32_t i = 0; i < arrivals->bits; i++)
        gap |= (uint64_t)(((uint64_t)number[2 * i] << 32 | number[2 * i + 1]) < arrivals->chance[i]) << i;
    random->next += 2 * arrivals->bits;
    return gap;
}

/* -- sources ----------------------------------------------------------------------------------- */

const char *const *traffic_arrivals_injections(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(TRAFFIC_INJECTIONS);
    return names;
}

/* Prepares arrivals with the probability part / of. Both are halved until they fit. */
static void init_chance(TrafficArrivals *arrivals, __uint128_t part, __uint128_t of)
{
    for (; of >> FRACTION_BITS; of >>= 1)
        part >>= 1;
    traffic_arrivals_init(arrivals, MAX((uint64_t)part, 1), (uint64_t)of);
}

/* A node makes a message every flits / load cycles on average. In a burst of n messages n - 1 of the distances are
 * `step`, so the pause has to make up for the rest: n (flits / load - step) cycles. A gap with the mean g has the
 * probability 1 / (1 + g). */
void traffic_arrivals_source(TrafficSource *source, const TrafficOptions *options, const TrafficLengths *lengths,
                             uint64_t load)
{
    __uint128_t interval = (__uint128_t)lengths->flits * TRAFFIC_LOAD_ONE, of = (__uint128_t)load * lengths->weight;
    *source = (TrafficSource){.injection = options->injection, .burst = MAX(options->burst, 1)};
    source->step = MAX((lengths->flits + lengths->weight - 1) / lengths->weight, 1);
    source->part = interval;
    source->of = (uint64_t)of;
    __uint128_t steps = of * source->step, pause = interval > steps ? (interval - steps) * source->burst : 0;
    if (options->injection == TRAFFIC_BURSTS)
        init_chance(&source->arrivals, of, of + pause);
    else
        init_chance(&source->arrivals, of, interval);
}

uint64_t traffic_arrivals_first(const TrafficSource *source, TrafficRandom *random, uint64_t *phase)
{
    *phase = 0;
    if (source->injection != TRAFFIC_PERIODIC)
        return traffic_arrivals_gap(&source->arrivals, random);
    *phase = traffic_random_word(random) % (uint64_t)MIN(source->part, UINT64_MAX);
    return *phase / source->of;
}

/* In a periodic source `phase` is the fractional part of the time of its last message, in parts of a cycle. */
uint64_t traffic_arrivals_next(const TrafficSource *source, TrafficRandom *random, uint64_t last, uint64_t *phase)
{
    if (source->injection == TRAFFIC_BERNOULLI)
        return last + 1 + traffic_arrivals_gap(&source->arrivals, random);
    if (source->injection == TRAFFIC_BURSTS) {
        bool over = traffic_random_below(random, source->burst) == 0;
        return last + source->step + (over ? traffic_arrivals_gap(&source->arrivals, random) : 0);
    }
    __uint128_t next = *phase % source->of + source->part;
    *phase = (uint64_t)(next % source->of);
    return last + MAX((uint64_t)(next / source->of), 1);
}
