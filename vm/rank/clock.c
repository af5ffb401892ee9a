/* clock.c - cycles and picoseconds.
 *
 * A rank counts cycles in 1/256 cycle since it started and never resets the count. Time follows from an anchor: a time,
 * and the count at that time. Only waiting and charged overheads move the anchor, and the program determines the
 * instants of these. So the rounding of times does not depend on where a quantum ended in between.
 */
#include "vm/rank/rank.h"

#include <assert.h>

void vm_clock_repeat(VmClock *clock, uint64_t times, uint64_t period_ps, uint64_t cycles_q8)
{
    clock->base_ps += times * period_ps;
    clock->base_cycles += times * cycles_q8;
    clock->cycles += times * cycles_q8;
}

uint64_t vm_clock_at(const VmClock *clock, uint64_t cycles)
{
    VmClock later = *clock;
    later.cycles = cycles;
    return vm_clock_now(&later);
}

void vm_rank_pace(VmRank *rank)
{
    rank->paced = true;
}

bool vm_rank_may_look_at_clock(const VmRank *rank)
{
    return !rank->paced || rank->in_order;
}

void vm_rank_charge(VmRank *rank, uint64_t cycles_q8)
{
    rank->clock.cycles += cycles_q8;
}

void vm_rank_charge_units(VmRank *rank, uint64_t units)
{
    g_assert(rank->binding);
    rank->clock.cycles += vm_binding_cost(rank->binding, units);
}

uint64_t vm_clock_cycles_before(const VmClock *clock, uint64_t until_ps)
{
    if (until_ps == UINT64_MAX)
        return UINT64_MAX;
    uint64_t work_ps =
        clock->noise ? clock->noise->work(clock->noise, clock->base_ps, until_ps) : until_ps - clock->base_ps;
    unsigned __int128 cycles = ((unsigned __int128)work_ps << 40) / clock->period_q32;
    return clock->base_cycles + (uint64_t)MIN(cycles, INT64_MAX);
}
