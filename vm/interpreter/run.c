/* run.c - runs a rank: the loop, and what is around it for ranks that are watched, drilled or sampled. */
#include "vm/direct/direct.h"
#include "vm/drill/drill.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native/native.h"

/* Runs a rank whose instructions nobody meters. */
static VmStop run_unmetered(VmRank *rank, uint64_t quantum)
{
    VmWatch *watch = __atomic_load_n(&rank->image->watch, __ATOMIC_ACQUIRE);
    if (rank->hook || rank->image->decoded)
        return vm_interpreter_run_by_switch(rank, quantum);
    if (rank->shadow && !rank->segments)
        return vm_interpreter_run_checking(rank, quantum);
    if (vm_memory_is_observed(rank))
        return vm_interpreter_run_by_switch(rank, quantum);
    if (rank->meter && rank->image->direct) /* the function may have been entered in the careful loop */
        vm_direct_make(rank->image, rank->image->code + rank->pc);
    return watch ? vm_watch_run(watch, rank, quantum, vm_interpreter_run) : vm_interpreter_run(rank, quantum);
}

/* Runs a rank whose instructions are metered, with samples for the native tier, too: ranks may be metered for as long
 * as it looks what is hot. */
static VmStop run_stepped(VmRank *rank, uint64_t quantum)
{
    VmWatch *watch = __atomic_load_n(&rank->image->watch, __ATOMIC_ACQUIRE);
    return watch ? vm_watch_run(watch, rank, quantum, vm_interpreter_run_by_switch)
                 : vm_interpreter_run_by_switch(rank, quantum);
}

/* Runs a rank that is watched, metered, drilled or sampled. Most ranks are not. */
static G_GNUC_NO_INLINE VmStop run_specially(VmRank *rank, uint64_t quantum)
{
    bool keeps_fenv = rank->image->keeps_fenv;
    if (keeps_fenv)
        vm_fenv_enter(rank);
    if (rank->image->drill)
        quantum = vm_drill_quantum(rank->image->drill, rank, quantum);
    rank->running = rank->hook || vm_memory_is_observed(rank);
    VmStop stop = rank->meter ? vm_meter_run(rank, quantum, run_unmetered, run_stepped) : run_unmetered(rank, quantum);
    rank->running = rank->turn_held = false;
    if (keeps_fenv)
        vm_fenv_leave(rank);
    if (rank->image->drill)
        vm_drill_note(rank->image->drill, rank, stop);
    return stop;
}

VmStop vm_rank_run(VmRank *rank, uint64_t quantum)
{
    const VmImage *image = rank->image;
    g_assert(image);
    rank->turn_cycles = 0;
    bool watched = __atomic_load_n(&image->watch, __ATOMIC_RELAXED);
    if (G_UNLIKELY(rank->hook || rank->meter || vm_memory_is_observed(rank) || image->keeps_fenv || image->decoded ||
                   image->drill || watched))
        return run_specially(rank, quantum);
    return vm_interpreter_run(rank, quantum);
}
