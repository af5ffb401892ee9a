/* tiers.h - when native code is made of what a machine runs. */
#ifndef ORRERY_MACHINE_RUN_TIERS_H
#define ORRERY_MACHINE_RUN_TIERS_H

#include "machine/run/run.h"

/* Before the first run, for a machine whose ranks have been started. NULL: the interpreter alone. */
MachTiers *mach_tiers_new(Machine *machine);
/* Whether it is time to begin; to be called often. `long_since`: much has happened since the last time. */
void mach_tiers_look(MachTiers *tiers, bool long_since);
void mach_tiers_free(MachTiers *tiers);

#endif
