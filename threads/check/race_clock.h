/* race_clock.h - vector clocks of the strands of a process (Fidge 1988, Mattern 1989).
 *
 * A strand is what runs in the order of the program: a thread, or a task of OpenMP on one. It has a slot of the clocks,
 * in which it counts its releases. A clock says how much of each strand's past is known.
 */
#ifndef ORRERY_THREADS_CHECK_RACE_CLOCK_H
#define ORRERY_THREADS_CHECK_RACE_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ThreadsRaceClock { /* all zero: nothing is known */
    uint32_t n;                   /* slots beyond are 0 */
    uint32_t *ticks;
} ThreadsRaceClock;

void threads_race_clock_clear(ThreadsRaceClock *clock);
/* Raises one slot to at least `tick`. */
void threads_race_clock_raise(ThreadsRaceClock *clock, uint32_t slot, uint32_t tick);
/* Adds what the other clock knows, or takes over that alone. */
void threads_race_clock_join(ThreadsRaceClock *clock, const ThreadsRaceClock *other);
void threads_race_clock_copy(ThreadsRaceClock *clock, const ThreadsRaceClock *other);

static inline uint32_t threads_race_clock_at(const ThreadsRaceClock *clock, uint32_t slot)
{
    return slot < clock->n ? clock->ticks[slot] : 0;
}

#endif
