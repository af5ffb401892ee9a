/* noise.h - what the operating system takes from the cores. */
#ifndef ORRERY_MACHINE_RUN_NOISE_H
#define ORRERY_MACHINE_RUN_NOISE_H

#include "machine/run/run.h"

/* Whether what the config says can be; gives it to the clocks of the ranks, which have been started.
 */
bool mach_noise_check(const MachConfig *config, GError **error);
void mach_noise_attach(Machine *machine);

#endif
