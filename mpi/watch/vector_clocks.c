/* vector_clocks.c - vector clocks: how much of each rank's past is known at a point (Fidge 1988, Mattern 1989).
 *
 * A rank gets a component when it makes its first choice, so a program without choices has none. Clocks are shared by
 * reference until they are changed, so passing one on with a message needs no copy. */
#include "mpi/watch/choices.h"

#include <string.h>

MpiClock *mpi_clock_ref(MpiClock *clock)
{
    if (clock)
        clock->refs++;
    return clock;
}

void mpi_clock_unref(MpiClock *clock)
{
    if (clock && --clock->refs == 0)
        g_free(clock);
}

MpiTick mpi_clock_at(const MpiClock *clock, uint32_t slot)
{
    return clock && slot < clock->n ? clock->ticks[slot] : (MpiTick){0};
}

/* Ensures that *clock has at least n components and no other reference. */
static MpiClock *own(MpiClock **clock, uint32_t n)
{
    MpiClock *old = *clock;
    if (old && old->refs == 1 && old->n >= n)
        return old;
    uint32_t had = old ? old->n : 0, size = MAX(n, had);
    MpiClock *fresh = g_malloc0(sizeof *fresh + size * sizeof(MpiTick));
    fresh->refs = 1;
    fresh->n = size;
    if (had)
        memcpy(fresh->ticks, old->ticks, had * sizeof(MpiTick));
    mpi_clock_unref(old);
    return *clock = fresh;
}

void mpi_clock_raise(MpiClock **clock, uint32_t slot, MpiTick least)
{
    MpiTick at = mpi_clock_at(*clock, slot);
    if (at.seen >= least.seen && at.matched >= least.matched)
        return;
    own(clock, slot + 1)->ticks[slot] = (MpiTick){MAX(at.seen, least.seen), MAX(at.matched, least.matched)};
}

void mpi_clock_merge(MpiClock **clock, MpiClock *other)
{
    if (!other || other == *clock)
        return;
    if (!*clock) {
        *clock = mpi_clock_ref(other);
        return;
    }
    for (uint32_t slot = 0; slot < other->n; slot++)
        mpi_clock_raise(clock, slot, other->ticks[slot]);
}
