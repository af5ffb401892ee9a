/* polling.h - loops that poll in vain take no host time. */
#ifndef ORRERY_MACHINE_RUN_POLLING_H
#define ORRERY_MACHINE_RUN_POLLING_H

#include "machine/run/run.h"

/* Polls before a loop is watched for the first time; doubled after each watch in vain. */
enum { MACH_LEAST_POLLS = 32 };
bool mach_polling_look(Machine *machine, uint32_t task); /* the slow part of mach_polling_request() */
/* Looks at a request of the task that is about to take effect. Returns true if the rank was parked instead, or the task
 * goes on with a later poll: the request must not take effect. */
static inline bool mach_polling_request(Machine *machine, uint32_t task)
{
    uint32_t rank = machine->processes[task].rank;
    bool few = mpi_world_idle_polls(machine->mpi, rank) < MACH_LEAST_POLLS;
    if (G_LIKELY(few && !machine->processes[rank].watched && !machine->options.explore))
        return false;
    return mach_polling_look(machine, task);
}
void mach_polling_disturb(Machine *machine, uint32_t rank); /* the slow part of the next two functions */
/* To be called before something else happens in a rank than calls of the thread that polls. */
static inline void mach_polling_stir(Machine *machine, uint32_t rank)
{
    if (G_UNLIKELY(machine->processes[rank].poller))
        mach_polling_disturb(machine, rank);
}
/* The same for what a task does. */
static inline void mach_polling_stir_by(Machine *machine, const MachProcess *process)
{
    uint32_t poller = machine->processes[process->rank].poller;
    if (G_UNLIKELY(poller) && &machine->processes[poller - 1] != process)
        mach_polling_disturb(machine, process->rank);
}
/* To be called before something takes effect that changes what the polls of the rank find. */
void mach_polling_touch(Machine *machine, uint32_t rank);
/* Looks at a rank that is about to read shared memory. Returns true if it was parked. */
bool mach_polling_read(Machine *machine, uint32_t rank);
/* To be called before memory is written that ranks share. */
void mach_polling_touch_sharers(Machine *machine);
/* Returns whether nothing can ever happen any more: every rank that is not blocked polls in vain, and nothing is under
 * way. The caller asks only if machine->circling is not 0. */
bool mach_polling_for_ever(Machine *machine);
/* Unparks all ranks as the run ends or pauses. `time_is_up`: all calls of the present time still count. */
void mach_polling_end(Machine *machine, bool time_is_up);
/* Forgets what is known of loops as the run pauses, because whoever made it pause may change anything. */
void mach_polling_pause(Machine *machine);

#endif
