/* communication.h - the communication threads of the library: key progress of section [mpi]. */
#ifndef ORRERY_MACHINE_RUN_COMMUNICATION_H
#define ORRERY_MACHINE_RUN_COMMUNICATION_H

#include "machine/machine.h"

/* Whether nothing in the keys about progress contradicts itself. */
bool mach_communication_check(const MachConfig *config, GError **error);
/* Whether there is a core for each thread where they are to have cores of their own; ranks have their places. */
bool mach_communication_have_cores(const Machine *machine, GError **error);

/* Threads that share cores with ranks: how many tasks so many ranks of a node make with their threads. */
uint32_t mach_communication_tasks(const Machine *machine, uint32_t ranks);
/* Makes the tasks of such threads on nodes that have a run queue; those of ranks are there. */
void mach_communication_join(Machine *machine);
void mach_communication_free(Machine *machine);
/* Behind MpiEnv.work. */
bool mach_communication_work(void *machine, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);

#endif
