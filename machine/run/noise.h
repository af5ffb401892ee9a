/* noise.h - what the operating system takes from the cores. */
#ifndef ORRERY_MACHINE_RUN_NOISE_H
#define ORRERY_MACHINE_RUN_NOISE_H

#include "machine/run/run.h"

/* Check that the noise of the config is possible, and give it to the clocks of the ranks, which must have been started.
 */
bool mach_noise_check(const MachConfig *config, GError **error);
void mach_noise_attach(Machine *machine);
/* The same for the cores of a node that has a run queue: its ranks' clocks have none. */
void mach_noise_attach_node(const Machine *machine, MachNode *node);
/* The same for a rank that has come during the run. `index` counts the ranks of its node from 0. */
void mach_noise_attach_newcomer(Machine *machine, uint32_t rank, uint32_t index);

#endif
