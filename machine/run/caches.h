/* caches.h - which caches each rank has. */
#ifndef ORRERY_MACHINE_RUN_CACHES_H
#define ORRERY_MACHINE_RUN_CACHES_H

#include "machine/run/run.h"

/* Checks that the caches of a node are possible. */
bool mach_caches_check(const MachConfig *config, GError **error);
/* Gives the ranks their caches. They must have been started. */
void mach_caches_attach(Machine *machine);
void mach_caches_free(Machine *machine);

#endif
