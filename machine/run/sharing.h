/* sharing.h - ranks whose nodes have a run queue (node/), because they have more tasks than cores, or may have. */
#ifndef ORRERY_MACHINE_RUN_SHARING_H
#define ORRERY_MACHINE_RUN_SHARING_H

#include "machine/node/node.h"
#include "machine/run/run.h"

/* Makes the nodes that need a run queue, and a task for each rank there. Its places must be known. */
bool mach_sharing_new(Machine *machine, GError **error);
void mach_sharing_free(Machine *machine);
/* Makes the task of a rank that has come, and sleeps. `index` counts the ranks of its node. */
void mach_sharing_join(Machine *machine, uint32_t rank, uint32_t index, int priority);
/* Makes the task of a new thread of a rank, and takes it away at its end. `set` are the processors that it may use;
 * NULL: all. A rank that is in a call and makes its first thread gets a run queue for its node. */
void mach_sharing_open(Machine *machine, uint32_t rank);
void mach_sharing_join_thread(Machine *machine, uint32_t task, uint32_t rank, const uint64_t *set);
void mach_sharing_leave(Machine *machine, uint32_t task);
/* The most tasks that share a core, among all nodes. */
uint32_t mach_sharing_most(const Machine *machine);
/* The core that a task has, and the cores that it may have; NULL: all. */
uint32_t mach_sharing_core(const Machine *machine, uint32_t task);
void mach_sharing_bind(Machine *machine, uint32_t task, const uint64_t *set);

/* What a rank or thread with a task does: `rank` is its row of machine->processes. Its clock counts processor time;
 * these functions lead it to virtual time. */

/* It begins to run at the time of its clock. */
void mach_sharing_begin(Machine *machine, uint32_t rank);
/* It has run ahead, perhaps to its next call. */
void mach_sharing_ran(Machine *machine, uint32_t rank);
/* Its call is over at the time of its clock, and it is ready again. */
void mach_sharing_resume(Machine *machine, uint32_t rank);
/* Its call blocks: it waits as the node says, or sleeps, until mach_sharing_wake(). */
void mach_sharing_block(Machine *machine, uint32_t rank, bool sleeps);
/* A request that is performed in order is over: the rank goes on, or, if it has slept in it, later. */
void mach_sharing_perform(Machine *machine, uint32_t rank, bool yields);
/* That request has ended the rank's run with `call`. */
void mach_sharing_perform_last(Machine *machine, uint32_t rank, MachCall call);
/* It sleeps in the request that is performed, until to_ps. */
void mach_sharing_note_sleep(Machine *machine, uint32_t rank, uint64_t to_ps);
/* It waits for something else than MPI, until mach_sharing_end_pause() at machine->now. */
void mach_sharing_pause(Machine *machine, uint32_t rank);
void mach_sharing_end_pause(Machine *machine, uint32_t rank);
/* Its process has ended. */
void mach_sharing_end(Machine *machine, uint32_t rank);
/* Its call ends at time_ps, as far as the processor time of the library is concerned: MACH_CALL_WAKE comes when it has
 * had a core for that. Behind MpiEnv.wake. */
void mach_sharing_wake(Machine *machine, uint32_t rank, uint64_t time_ps);
/* Something has arrived that the library of the receiver must handle. Returns true if that happens later, when it has
 * a core. */
bool mach_sharing_keep(Machine *machine, uint64_t cookie);
/* The time of the rank, which is ready, since process->resumed_ps: what it had of a core up to now. */
uint64_t mach_sharing_consumed(const Machine *machine, uint32_t rank);
/* The run stops: what was written in the call that stops it counts. */
void mach_sharing_stop(Machine *machine, uint32_t rank);

/* Takes a MACH_EVENT_TIMER or MACH_EVENT_CORE. */
void mach_sharing_event(Machine *machine, const BaseEvent *event);
/* Drops the next event if it is one of these that nobody wants any more. */
bool mach_sharing_skip(Machine *machine);

/* Whether a MACH_EVENT_TIMER or MACH_EVENT_CORE may change something for a task that circles (polling.c), unlike one of
 * a core that another one has for itself which does the same. */
bool mach_sharing_expects(const Machine *machine, const BaseEvent *event);
/* Whether nobody else waits for the task's core. */
bool mach_sharing_is_alone(const Machine *machine, uint32_t task);

/* Whether the rank could go on, but others have its core. */
bool mach_sharing_lacks_core(const Machine *machine, uint32_t rank);

/* For statistics.def. */
uint64_t mach_sharing_ready_ps(const Machine *machine, const MachProcess *process);
uint64_t mach_sharing_switches(const Machine *machine, const MachProcess *process);

#endif
