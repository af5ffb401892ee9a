/* advance.h - a rank runs up to its next call, and the call gets its place among the events. */
#ifndef ORRERY_MACHINE_RUN_ADVANCE_H
#define ORRERY_MACHINE_RUN_ADVANCE_H

#include "base/queue.h"
#include "machine/run/run.h"

#include <assert.h>

/* How long Ctrl-C may have to wait, whatever the quantum. */
enum { MACH_LONG_PIECE = 1000000, MACH_PIECE_CYCLES = 2000000 };

/* Runs the rank for that many cycles, but only until its clock is beyond limit_ps. On any thread. */
VmStop mach_run_until(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps);
/* After the end: lets a rank that computes go on, up to its next call but not beyond limit_ps, to see what it was about
 * to do. What it does on the way never happened. */
void mach_run_ahead(Machine *machine, uint32_t rank, uint64_t limit_ps);

static inline uint64_t mach_advance_clock(const MachProcess *process)
{
    return vm_clock_now(vm_rank_clock(process->vm));
}

/* What the end of a run is to the others. False: it has only paused. */
static inline bool mach_advance_call_of(VmStop reason, MachCall *call)
{
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

/* Notes the call that the rank's run came to, if it did. */
static inline void mach_advance_note(MachProcess *process, VmStop reason)
{
    assert(process->state == MACH_RANK_READY && !process->called);
    process->called = mach_advance_call_of(reason, &process->call);
    process->call_ps = mach_advance_clock(process);
    assert(process->call_ps >= process->resumed_ps);
}

/* Of one rank and time there can be several wake-ups, which keep their order, but only one other call. */
static inline void mach_advance_queue_call(Machine *machine, uint32_t rank, uint64_t time_ps, MachCall call)
{
    machine->under_way += call == MACH_CALL_WAKE;
    base_queue_push(machine->queue, time_ps, MACH_EVENT_CALL, 2 * rank + (call != MACH_CALL_WAKE), call, rank);
}

/* Puts the call that is held into the queue. */
void mach_advance_release_held(Machine *machine);
/* The call that a rank has come to. Where little else goes on it is the next event of all, so it is held beside the
 * queue until the loop has seen whether it is: a place in the queue would take as long as the rest of the turn. */
static inline void mach_advance_hold(Machine *machine, uint32_t rank, uint64_t call_ps)
{
    if (G_UNLIKELY(machine->held_ps != UINT64_MAX))
        mach_advance_release_held(machine);
    machine->held_ps = call_ps;
    machine->held_rank = rank;
    if (G_UNLIKELY(call_ps == UINT64_MAX)) /* what stands for nothing */
        mach_advance_release_held(machine);
}

#endif
