/* tiers.h - decides when the program of a machine is compiled to native code. */
#ifndef ORRERY_MACHINE_RUN_TIERS_H
#define ORRERY_MACHINE_RUN_TIERS_H

#include "machine/run/run.h"

/* Called before the first run, when the ranks have been started. Returns NULL if only the interpreter is to be used. */
MachTiers *mach_tiers_new(Machine *machine);
/* Checks whether it is time to begin compiling. To be called often. `long_since`: much has run since the last call. */
void mach_tiers_look(MachTiers *tiers, bool long_since);
/* A rank has come during the run. */
void mach_tiers_came(MachTiers *tiers, uint32_t rank);
void mach_tiers_free(MachTiers *tiers);

#endif
