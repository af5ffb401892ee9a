/* race_sync.h - what orders the accesses of a process's threads: strands, what they know, and what was released where.
 */
#ifndef ORRERY_THREADS_CHECK_RACE_SYNC_H
#define ORRERY_THREADS_CHECK_RACE_SYNC_H

#include "threads/check/race_clock.h"
#include "threads/threads.h"

/* A strand without a slot, of which there are too many at once, is not looked at. */
#define THREADS_NO_SLOT UINT32_MAX

typedef struct ThreadsStrand {
    uint32_t slot;
    ThreadsRaceClock clock;
    ThreadsRaceClock fenced;   /* what its last release fence released */
    ThreadsRaceClock heard;    /* what relaxed loads have seen, for an acquire fence */
    ThreadsRaceClock gathered; /* for the next note that takes it */
    ThreadsRaceClock aside;    /* the same, for one with ASIDE */
    uint64_t sp;               /* stack pointer where it began */
    bool owns;                 /* it has asked which thread runs it */
} ThreadsStrand;

/* A thread, and the strands that it runs: its own, and tasks stacked on that. */
typedef struct ThreadsCarrier {
    GPtrArray *strands;       /* ThreadsStrand; the last one runs */
    ThreadsRaceClock pending; /* what is known at the end of tasks that it has run */
    uint64_t id;
    uint64_t low; /* lowest stack pointer that it is known to have had since then */
} ThreadsCarrier;

/* Who had a slot. */
typedef struct ThreadsSlotOwner {
    uint32_t slot, tick; /* from this tick on */
    uint64_t thread;
    bool task;
} ThreadsSlotOwner;

typedef struct ThreadsRaceSync ThreadsRaceSync;

ThreadsRaceSync *threads_race_sync_new(void);
void threads_race_sync_free(ThreadsRaceSync *sync);

/* A thread of the VM's number, made by `by` (NULL: it was there before), begins or ends. */
ThreadsCarrier *threads_race_sync_begin(ThreadsRaceSync *sync, uint32_t thread, uint64_t id, const ThreadsCarrier *by);
void threads_race_sync_end(ThreadsRaceSync *sync, uint32_t thread);
/* NULL: there is no such thread. */
ThreadsCarrier *threads_race_sync_carrier(const ThreadsRaceSync *sync, uint32_t thread);
static inline ThreadsStrand *threads_race_sync_strand(const ThreadsCarrier *carrier)
{
    return g_ptr_array_index(carrier->strands, carrier->strands->len - 1);
}
/* Who had the slot at a tick. NULL: nobody. */
const ThreadsSlotOwner *threads_race_sync_owner(const ThreadsRaceSync *sync, uint32_t slot, uint32_t tick);

/* Forgets what was released to objects in [address, address + size), which are gone. */
void threads_race_sync_forget(ThreadsRaceSync *sync, uint64_t address, uint64_t size);
/* Objects: `shared` for readers, who release to writers only. */
void threads_race_sync_acquire(ThreadsRaceSync *sync, ThreadsCarrier *carrier, ThreadsSort sort, uint64_t address,
                               bool shared);
void threads_race_sync_release(ThreadsRaceSync *sync, ThreadsCarrier *carrier, ThreadsSort sort, uint64_t address,
                               bool shared);
/* What the carrier knows, to be taken along by a message; and what a message has brought. */
void threads_race_sync_give(ThreadsRaceSync *sync, const ThreadsCarrier *carrier, ThreadsRaceClock *to);
void threads_race_sync_take(const ThreadsCarrier *carrier, const ThreadsRaceClock *from);
/* A load or store with a mark (VCODE_MARK_*), or a fence. */
void threads_race_sync_atomic(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark, uint64_t address,
                              bool write);
void threads_race_sync_fence(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark);
/* A note of the runtime library. Returns what it says about tasks. *sp: the stack pointer; where a task ends, that of
 * where it began. */
typedef enum ThreadsTaskNote { THREADS_TASK_NONE, THREADS_TASK_BEGINS, THREADS_TASK_ENDS } ThreadsTaskNote;
ThreadsTaskNote threads_race_sync_note(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark, uint64_t address,
                                       uint64_t *sp);

#endif
