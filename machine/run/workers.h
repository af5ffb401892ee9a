/* workers.h - ranks between communications on several host threads; these functions are the main
 * thread's. */
#ifndef ORRERY_MACHINE_RUN_WORKERS_H
#define ORRERY_MACHINE_RUN_WORKERS_H

#include "machine/run/run.h"

/* NULL where one thread is to do it all. */
MachWorkers *mach_workers_new(Machine *machine);
void mach_workers_free(MachWorkers *pool);
/* From how many cycles on a run counts as long. */
uint64_t mach_workers_long(const MachWorkers *pool);
/* Whether the rank has used so many since it was resumed (or slept) that another thread may as well run it. */
bool mach_workers_ran_long(const MachWorkers *pool, const MachProcess *process);
/* Hands over a ready rank that stands at clock_ps. False: it stays with the main thread. */
bool mach_workers_offer(MachWorkers *pool, uint32_t rank, uint64_t clock_ps);
/* What the ranks that were handed over have left behind, UINT64_MAX if there are none; whether something has come back
 * since; and a way to make that part of the machine's and the output's queue. Ask in this order. */
uint64_t mach_workers_bound(MachWorkers *pool);
bool mach_workers_news(MachWorkers *pool);
void mach_workers_collect(MachWorkers *pool);
/* The main thread is about to do what is due at effect_ps; others may go on meanwhile. */
void mach_workers_expect(MachWorkers *pool, uint64_t effect_ps);
/* The main thread has nothing to do before ranks that were handed over have passed effect_ps: it runs one, or waits. */
void mach_workers_help(MachWorkers *pool, uint64_t effect_ps);
/* Stops all and takes all back. */
void mach_workers_gather(MachWorkers *pool);
/* What the rank that this thread runs writes is collected here. */
GPtrArray *mach_workers_writes(MachWorkers *pool, uint16_t runner);

#endif
