/* look.h - what mach_run() undoes of what somebody has looked at (mach_run_look_at()). */
#ifndef ORRERY_MACHINE_RUN_LOOK_H
#define ORRERY_MACHINE_RUN_LOOK_H

#include "machine/run/run.h"

typedef struct MachLook { /* another thread of a rank is looked at than the one where the run stands */
    uint32_t rank, thread;
} MachLook;

/* Selects the threads again where the run stands. machine->looks must be there. */
void mach_look_away(Machine *machine);

#endif
