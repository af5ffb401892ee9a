/* race_clock.c - vector clocks (race_clock.h). */
#include "threads/check/race_clock.h"

#include <string.h>

void threads_race_clock_clear(ThreadsRaceClock *clock)
{
    g_free(clock->ticks);
    *clock = (ThreadsRaceClock){0};
}

static void grow(ThreadsRaceClock *clock, uint32_t n)
{
    if (n <= clock->n)
        return;
    clock->ticks = g_renew(uint32_t, clock->ticks, n);
    memset(clock->ticks + clock->n, 0, (n - clock->n) * sizeof *clock->ticks);
    clock->n = n;
}

void threads_race_clock_raise(ThreadsRaceClock *clock, uint32_t slot, uint32_t tick)
{
    grow(clock, slot + 1);
    clock->ticks[slot] = MAX(clock->ticks[slot], tick);
}

void threads_race_clock_join(ThreadsRaceClock *clock, const ThreadsRaceClock *other)
{
    grow(clock, other->n);
    for (uint32_t i = 0; i < other->n; i++)
        clock->ticks[i] = MAX(clock->ticks[i], other->ticks[i]);
}

void threads_race_clock_copy(ThreadsRaceClock *clock, const ThreadsRaceClock *other)
{
    grow(clock, other->n);
    if (other->n)
        memcpy(clock->ticks, other->ticks, other->n * sizeof *clock->ticks);
    if (clock->n > other->n)
        memset(clock->ticks + other->n, 0, (clock->n - other->n) * sizeof *clock->ticks);
}
