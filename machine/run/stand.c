/* stand.c - the run stands in the debugger's hook, somewhere in a piece of a rank, and goes on there as if nothing had
 * happened. So unlike a pause (stop.c), standing has no part in the order in which ranks run. */
#include "base/queue.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"

void mach_run_stand(Machine *machine, uint32_t rank)
{
    const BaseEvent *top = base_queue_top(machine->queue);
    uint64_t next = MIN(top ? top->time_ps : UINT64_MAX, net_next_time(machine->net));
    next = MIN(MIN(next, machine->held_ps), vm_clock_now(vm_rank_clock(machine->processes[rank].vm)));
    mach_output_flush(machine->output, mach_run_ranks(machine) == 1 ? UINT64_MAX : next);
    machine->stop = MACH_STOP_HOOK;
    machine->stopped_rank = rank;
}

void mach_run_leave(Machine *machine)
{
    if (machine->looks)
        mach_tasks_look_away(machine);
    machine->stop = MACH_STOP_FINISHED;
}

/* Cores that are shared go on changing hands for ever, so the run ends somewhen. A rank that is held gives up its
 * core. */
bool mach_run_hold(Machine *machine, uint32_t rank)
{
    const uint64_t longest_ps = UINT64_C(10000000000000);
    MachProcess *process = &machine->processes[rank];
    if (process->threaded)
        return false;
    process->held = true;
    if (!machine->holding)
        machine->options.max_time_ps = MIN(machine->options.max_time_ps - 1, machine->now + longest_ps) + 1;
    machine->holding = true;
    if (process->share)
        mach_sharing_pause(machine, rank);
    return true;
}
