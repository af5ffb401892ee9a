/* race_memory.h - what the memory of a process has seen: for each byte the accesses with which later ones may race.
 *
 * Memory is looked at in words of 8 bytes, and each access says which bytes of the word it touches, so there are no
 * alarms for neighbours. Of accesses in the past of a later one, only those stay with which something may still race
 * that does not race with the later one as well (Flanagan and Freund, FastTrack, 2009).
 */
#ifndef ORRERY_THREADS_CHECK_RACE_MEMORY_H
#define ORRERY_THREADS_CHECK_RACE_MEMORY_H

#include "threads/check/race_clock.h"

typedef struct ThreadsRaceMemory ThreadsRaceMemory;

/* An access to a word. */
typedef struct ThreadsRaceAccess {
    uint32_t tick, pc;
    uint16_t slot;
    uint8_t bytes; /* of the word, as bits; 0: there is none */
    bool write : 1, atomic : 1;
    bool object : 1; /* it uses an object that threads synchronise by, or makes or destroys it */
} ThreadsRaceAccess;

ThreadsRaceMemory *threads_race_memory_new(void);
void threads_race_memory_free(ThreadsRaceMemory *memory);
/* Called for a race: bytes from `low` on, `size` of them, of `now` and an earlier access. */
typedef void (*ThreadsRaceTell)(void *user, uint64_t low, uint64_t size, const ThreadsRaceAccess *now,
                                const ThreadsRaceAccess *before);
/* Notes an access to [address, address + size) by a strand with the clock. now->bytes means nothing. */
void threads_race_memory_access(ThreadsRaceMemory *memory, uint64_t address, uint64_t size, ThreadsRaceAccess now,
                                const ThreadsRaceClock *clock, ThreadsRaceTell tell, void *user);
/* Forgets [address, address + size), which is used for something else. */
void threads_race_memory_forget(ThreadsRaceMemory *memory, uint64_t address, uint64_t size);

#endif
