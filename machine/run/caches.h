/* caches.h - which caches each rank has. */
#ifndef ORRERY_MACHINE_RUN_CACHES_H
#define ORRERY_MACHINE_RUN_CACHES_H

#include "machine/run/run.h"

/* Checks that the caches of a node are possible. */
bool mach_caches_check(const MachConfig *config, GError **error);
/* Gives the ranks their caches. They must have been started. */
void mach_caches_attach(Machine *machine);
/* The same for a rank that has come during the run. `index` counts the ranks of its node from 0. */
void mach_caches_attach_newcomer(Machine *machine, uint32_t rank, uint32_t index);
void mach_caches_free(Machine *machine);

#endif
