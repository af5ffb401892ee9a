/* polling.h - loops that poll in vain. */
#ifndef ORRERY_MACHINE_RUN_POLLING_H
#define ORRERY_MACHINE_RUN_POLLING_H

#include "machine/run/run.h"

/* The rank's request is about to take effect. True: it does not have to, the rank is parked. */
bool mach_polling_request(Machine *machine, uint32_t rank);
/* What the rank's polls find is about to change, by what takes effect now. */
void mach_polling_touch(Machine *machine, uint32_t rank);
/* Whether nothing can ever happen any more: who is not blocked polls in vain, and nothing is under way. Asked for where
 * machine->circling is not 0. */
bool mach_polling_for_ever(Machine *machine);
/* The run ends or pauses now, or with all calls of the present time (`time_is_up`): nobody is parked any more. */
void mach_polling_end(Machine *machine, bool time_is_up);
/* It pauses, and whoever made it pause may change anything: nothing is known of loops any more. */
void mach_polling_pause(Machine *machine);

#endif
