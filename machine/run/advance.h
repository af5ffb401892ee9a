/* advance.h - runs a rank up to its next call, and puts the call in order among the events. */
#ifndef ORRERY_MACHINE_RUN_ADVANCE_H
#define ORRERY_MACHINE_RUN_ADVANCE_H

#include "base/queue.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"

#include <assert.h>

/* MACH_PIECE_CYCLES bounds how long Ctrl-C may have to wait, whatever the quantum. After a piece of at least
 * MACH_LONG_PIECE cycles it is worth looking whether native code should be made (tiers.c). */
enum { MACH_LONG_PIECE = 1000000, MACH_PIECE_CYCLES = 2000000 };

/* Runs the rank for `cycles` cycles, but no further than its clock is beyond limit_ps. On any thread. */
VmStop mach_run_until(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps);

/* -- ranks whose memory others may write at any time -------------------------------------------
 *
 * Such a rank is exposed (MpiEnv.expose). It runs in pieces of MACH_PIECE_PS, in its own cycles. A piece ends at the
 * first branch or call behind it, which depends on the rank alone. The next one begins when no effect is to come that
 * is earlier than MACH_AHEAD_PS before it. So who accesses the memory at time t finds the rank at the first end of a
 * piece, or call, later than t + MACH_AHEAD_PS, in every quantum and on every thread, and what is written is seen
 * MACH_AHEAD_PS + MACH_PIECE_PS later at the latest. A call that takes effect without leaving the VM ends no piece; at
 * the end of a piece there is none. */

#define MACH_AHEAD_PS UINT64_C(4000000)
#define MACH_PIECE_PS UINT64_C(6000000)

/* Lets an exposed rank go on with its piece, or begin the next, for `cycles` cycles and up to limit_ps. */
VmStop mach_run_piece(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps);

/* Lets an exposed rank come to where others find it at this time (MpiEnv.still). */
bool mach_run_still(void *user, uint32_t rank);
/* Behind MpiEnv.expose. */
void mach_run_expose(void *user, uint32_t rank, bool exposed);

/* Whether a call of the rank at now_ps that ends at end_ps may take effect without leaving the VM. */
static inline bool mach_advance_stays(const MachProcess *process, uint64_t now_ps, uint64_t end_ps)
{
    return G_LIKELY(!process->exposures) || end_ps - now_ps <= MACH_AHEAD_PS;
}

static inline uint64_t mach_advance_clock(const MachProcess *process)
{
    return vm_clock_now(G_UNLIKELY(process->threaded) ? vm_thread_clock(process->vm, process->thread)
                                                      : vm_rank_clock(process->vm));
}

/* Translates the end of a rank's run to a call. Returns false if the rank has only paused. */
static inline bool mach_advance_call_of(VmStop reason, MachCall *call)
{
    if (G_LIKELY(reason == VM_STOP_REQUEST)) {
        *call = MACH_CALL_REQUEST;
        return true;
    }
    switch (reason) {
    case VM_STOP_REQUEST: *call = MACH_CALL_REQUEST; return true;
    case VM_STOP_UPCALL_DONE: *call = MACH_CALL_UPCALL_DONE; return true;
    case VM_STOP_EXITED: *call = MACH_CALL_EXIT; return true;
    case VM_STOP_FAULT: *call = MACH_CALL_FAULT; return true;
    case VM_STOP_QUANTUM:
    case VM_STOP_HOOK: return false;
    }
    return false;
}

/* Notes the call that a rank's run ended with, if it did. */
static inline void mach_advance_note(MachProcess *process, VmStop reason)
{
    assert(process->state == MACH_RANK_READY && !process->called);
    process->called = mach_advance_call_of(reason, &process->call);
    process->call_ps = mach_advance_clock(process);
    if (G_UNLIKELY(process->exposures) && process->called) {
        process->in_piece = false;
        process->renews = vm_rank_clock(process->vm)->cycles >= process->piece_end;
    }
    assert(process->call_ps >= process->resumed_ps);
}

/* Accounts for the rank's computing until `now`, without sleeps and the overhead of local MPI calls. */
static inline void mach_advance_account(Machine *machine, uint32_t rank, uint64_t now)
{
    MachProcess *process = &machine->processes[rank];
    assert(process->state == MACH_RANK_READY && now >= process->resumed_ps);
    uint64_t overhead_ps = process->stats->overhead_ps;
    uint64_t elapsed_ps = now - process->resumed_ps, local_ps = overhead_ps - process->resumed_overhead_ps;
    if (G_UNLIKELY(process->threaded)) { /* others have overhead, too */
        local_ps = MIN(process->local_ps, elapsed_ps - MIN(process->slept_ps, elapsed_ps));
        process->local_ps = 0;
    }
    assert(local_ps <= elapsed_ps && process->slept_ps <= elapsed_ps - local_ps);
    process->compute_ps += elapsed_ps - local_ps - process->slept_ps;
    if (G_UNLIKELY(process->slept_ps)) {
        mpi_world_slept(machine->mpi, process->rank, process->slept_ps);
        process->slept_ps = 0;
    }
    process->resumed_overhead_ps = overhead_ps;
    process->resumed_calls = process->stats->calls;
    process->resumed_ps = now;
}

/* Returns for how long a rank that is ready has computed since resumed_ps, which is before now. */
static inline uint64_t mach_advance_computed(const Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    return process->share ? mach_sharing_consumed(machine, rank) : machine->now - process->resumed_ps;
}

/* The rank ends now, however far it has run ahead: what it counts by itself ends where it was last accounted for. */
static inline void mach_advance_cut(const Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    if (process->state != MACH_RANK_READY)
        return;
    if (machine->now > process->resumed_ps)
        process->compute_ps += mach_advance_computed(machine, rank);
    if (process->share && machine->now > process->resumed_ps)
        mpi_world_slept(machine->mpi, rank, machine->now - process->resumed_ps - mach_advance_computed(machine, rank));
    process->cut = true;
}

/* One rank can have several wake-ups at one time, which keep their order, but only one other call. */
static inline void mach_advance_queue_call(Machine *machine, uint32_t rank, uint64_t time_ps, MachCall call)
{
    machine->under_way += call == MACH_CALL_WAKE;
    base_queue_push(machine->queue, time_ps, MACH_EVENT_CALL, 2 * rank + (call != MACH_CALL_WAKE), call, rank);
}

/* The call that a task waits in ends at time_ps, or when it has a core after that. */
static inline void mach_advance_wake(Machine *machine, uint32_t task, uint64_t time_ps)
{
    assert(time_ps >= machine->now);
    if (G_UNLIKELY(machine->processes[task].share != NULL))
        mach_sharing_wake(machine, task, time_ps);
    else
        mach_advance_queue_call(machine, task, time_ps, MACH_CALL_WAKE);
}

/* Puts the held call into the queue. */
void mach_advance_release_held(Machine *machine);
/* Holds the call that a rank has come to. Where little else goes on, it is the next event of all. So it stays beside
 * the queue until the loop has seen whether that is true. Queueing it would cost as much time as the rest of the
 * turn. */
static inline void mach_advance_hold_call(Machine *machine, uint32_t rank, uint64_t call_ps)
{
    if (G_UNLIKELY(machine->held_ps != UINT64_MAX))
        mach_advance_release_held(machine);
    machine->held_ps = call_ps;
    machine->held_rank = rank;
    if (G_UNLIKELY(call_ps == UINT64_MAX)) /* this value means that no call is held */
        mach_advance_release_held(machine);
}
/* The same for a rank that may share its core: then the time of its call is not yet known. */
static inline void mach_advance_hold(Machine *machine, const MachProcess *process, uint32_t rank)
{
    if (G_UNLIKELY(process->share != NULL))
        mach_sharing_ran(machine, rank);
    else
        mach_advance_hold_call(machine, rank, process->call_ps);
}

#endif
