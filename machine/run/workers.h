/* workers.h - runs ranks between communications on several host threads. Only the main thread calls these functions. */
#ifndef ORRERY_MACHINE_RUN_WORKERS_H
#define ORRERY_MACHINE_RUN_WORKERS_H

#include "machine/run/run.h"

/* Returns NULL if one thread is to do everything. */
MachWorkers *mach_workers_new(Machine *machine);
void mach_workers_free(MachWorkers *pool);
/* Returns the least length of a run, in cycles, that counts as long. */
uint64_t mach_workers_long(const MachWorkers *pool);
/* Returns whether the rank has run so long since it was resumed (or slept) that another thread may as well run it. */
bool mach_workers_ran_long(const MachWorkers *pool, const MachProcess *process);
/* Hands over a ready rank with its clock at clock_ps. Returns false if it stays with the main thread. */
bool mach_workers_offer(MachWorkers *pool, uint32_t rank, uint64_t clock_ps);
/* mach_workers_bound() returns a time that all ranks handed over have passed, or UINT64_MAX if there are none.
 * mach_workers_news() returns whether some have come back since, and mach_workers_collect() puts what they bring into
 * the queues of the machine and its output. They must be called in this order. */
uint64_t mach_workers_bound(MachWorkers *pool);
bool mach_workers_news(MachWorkers *pool);
void mach_workers_collect(MachWorkers *pool);
/* Says that the main thread is about to do what is due at effect_ps. Others may go on meanwhile. */
void mach_workers_expect(MachWorkers *pool, uint64_t effect_ps);
/* To be called when the main thread has nothing to do before the ranks handed over have passed effect_ps. It runs one
 * of them, or waits. */
void mach_workers_help(MachWorkers *pool, uint64_t effect_ps);
/* Stops all threads and takes all ranks back. */
void mach_workers_gather(MachWorkers *pool);
/* Returns the array that collects what the rank on this thread writes. */
GPtrArray *mach_workers_writes(MachWorkers *pool, uint16_t runner);

#endif
