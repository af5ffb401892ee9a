/* threads.h - calls of threads/ in their turn. The outcomes are told in the words of MPI's calls, which the scheduler
 * knows. */
#ifndef ORRERY_MACHINE_RUN_THREADS_H
#define ORRERY_MACHINE_RUN_THREADS_H

#include "machine/run/run.h"

ThreadsWorld *mach_threads_new(Machine *machine);
/* Gives the ranks from `first` on, which have their places, their processors. */
void mach_threads_came(Machine *machine, uint32_t first);
/* The cores that a rank's threads use, as long as nobody says otherwise and these are enough. */
MachCores mach_threads_cores(const Machine *machine, uint32_t rank);
/* Lets observers of the machine know what threads wait for. */
void mach_threads_observe(Machine *machine);
/* A task, which is selected, has come to a call. A thread that has ended counts as blocked for ever. */
MpiOutcome mach_threads_call(Machine *machine, MachProcess *process);
/* The same for the end of an upcall. Returns false if another library has made it. */
bool mach_threads_upcall_done(Machine *machine, MachProcess *process, MpiOutcome *outcome);
/* The same for a wake-up of a task whose field `waits` is set. */
MpiOutcome mach_threads_resume(Machine *machine, MachProcess *process);

#endif
