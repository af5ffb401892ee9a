/* clock.c - cycles and picoseconds.
 *
 * A rank counts cycles in 1/256 cycle since it started and never resets the count. Time follows from an anchor: a time,
 * and the count at that time. Only waiting and charged overheads move the anchor, and they happen at instants that the
 * program determines; so where a quantum ended in between cannot shift a time by rounding.
 */
#include "vm/internal.h"

#include <assert.h>

/* Both factors are below 2^64 and the product is exact in 128 bits; q8 times q32 leaves 40 fraction bits. */
uint64_t vm_clock_now(const VmClock *clock)
{
    unsigned __int128 elapsed = (unsigned __int128)(clock->cycles - clock->base_cycles) * clock->period_q32;
    uint64_t work_ps = (uint64_t)(elapsed >> 40);
    if (G_UNLIKELY(clock->noise))
        return clock->noise->through(clock->noise, clock->base_ps, work_ps);
    return clock->base_ps + work_ps;
}

void vm_clock_set(VmClock *clock, uint64_t time_ps)
{
    assert(time_ps >= vm_clock_now(clock)); /* on the way of every message: only where asserts are compiled */
    clock->base_ps = time_ps;
    clock->base_cycles = clock->cycles;
}

void vm_clock_repeat(VmClock *clock, uint64_t times, uint64_t period_ps, uint64_t cycles_q8)
{
    clock->base_ps += times * period_ps;
    clock->base_cycles += times * cycles_q8;
    clock->cycles += times * cycles_q8;
}

VmClock *vm_rank_clock(VmRank *rank)
{
    return &rank->clock;
}

void vm_rank_charge(VmRank *rank, uint64_t cycles_q8)
{
    rank->clock.cycles += cycles_q8;
}

void vm_rank_charge_units(VmRank *rank, uint64_t units)
{
    g_assert(rank->binding);
    rank->clock.cycles += (uint64_t)((unsigned __int128)units * rank->binding->unit_q16 >> 8);
}

void vm_costs_default(VmCosts *costs)
{
    *costs = (VmCosts){0};
    for (unsigned c = 0; c < VCODE_COST_COUNT; c++)
        costs->class_q8[c] = vcode_cost_info[c].default_q8;
    costs->copy_byte_q8 = 16; /* 16 bytes per cycle */
    costs->library_q8 = 256;
}
