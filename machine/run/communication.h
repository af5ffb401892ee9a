/* communication.h - the communication threads of the library: key progress of section [mpi]. */
#ifndef ORRERY_MACHINE_RUN_COMMUNICATION_H
#define ORRERY_MACHINE_RUN_COMMUNICATION_H

#include "machine/machine.h"

/* Whether nothing in the keys about progress contradicts itself. */
bool mach_communication_check(const MachConfig *config, GError **error);
/* Whether there is a core for each thread where they are to have cores of their own; ranks have their places. */
bool mach_communication_have_cores(const Machine *machine, GError **error);

#endif
