/* caches.h - which caches each rank has. */
#ifndef ORRERY_MACHINE_RUN_CACHES_H
#define ORRERY_MACHINE_RUN_CACHES_H

#include "machine/run/run.h"

/* Whether the caches that a node has can be. */
bool mach_caches_check(const MachConfig *config, GError **error);
/* Gives the ranks, which have been started, their caches. */
void mach_caches_attach(Machine *machine);
void mach_caches_free(Machine *machine);

#endif
