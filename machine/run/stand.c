/* stand.c - the run stands in the debugger's hook, somewhere in a piece of a rank, and goes on there as if nothing had
 * happened. So unlike a pause (stop.c), standing has no part in the order in which ranks run. */
#include "base/queue.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/run.h"
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

bool mach_run_look_ahead(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    if (process->state != MACH_RANK_READY || process->called || process->threaded)
        return false;
    VmStop reason = mach_run_until(machine, rank, UINT64_MAX, UINT64_MAX);
    mach_advance_note(process, reason);
    return reason == VM_STOP_HOOK;
}
