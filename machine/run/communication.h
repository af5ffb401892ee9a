/* communication.h - the communication threads of the library, key progress of section [mpi], and the daemons of nodes,
 * section [protocol]. */
#ifndef ORRERY_MACHINE_RUN_COMMUNICATION_H
#define ORRERY_MACHINE_RUN_COMMUNICATION_H

#include "machine/machine.h"

/* Whether nothing in the keys about progress contradicts itself. */
bool mach_communication_check(const MachConfig *config, GError **error);
/* Whether there is a core for each thread and daemon that is to have one of its own; ranks have their places. */
bool mach_communication_have_cores(const Machine *machine, GError **error);

/* Threads and daemons that share cores with ranks: how many tasks so many ranks of a node make with them. */
uint32_t mach_communication_tasks(const Machine *machine, uint32_t ranks);
/* Makes the tasks of these on nodes that have a run queue; those of ranks are there. */
void mach_communication_join(Machine *machine);
void mach_communication_free(Machine *machine);
/* Behind MpiEnv.work, begin_work and serve. */
bool mach_communication_work(void *machine, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);
bool mach_communication_begin_work(void *machine, uint32_t rank, uint64_t time_ps, uint64_t cookie);
bool mach_communication_serve(void *machine, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);
/* For statistics.def: what the communication thread of the rank has taken of other tasks' time. Threads and daemons of
 * a node count for its first rank. */
uint64_t mach_communication_taken_ps(const Machine *machine, uint32_t rank);

#endif
