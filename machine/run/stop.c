/* stop.c - ends or pauses a run: what is still under way, what is counted until then, what is reported. */
#include "base/queue.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/polling.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"
#include "machine/run/workers.h"

/* Reports choices of --choices that were never made: they belong to another program, or to other options. */
static void tell_missed(Machine *machine)
{
    MpiChoice choice;
    if (!machine->options.choices || !mpi_world_missed_choice(machine->mpi, &choice))
        return;
    mach_run_note(machine,
                  "--choices: rank %u did not come to make its choice number %u so; are program, arguments, ranks "
                  "and options those that the choices were found with?",
                  choice.rank, choice.number);
}

/* Reports deadlocks in the network that have been resolved. */
static void tell_resolved(Machine *machine)
{
    uint64_t count = net_deadlocks_resolved(machine->net);
    if (count)
        mach_run_note(machine,
                      "%" G_GUINT64_FORMAT
                      " deadlock%s in the network resolved, by aborting and sending again a packet of "
                      "each; the first: %s",
                      count, count == 1 ? "" : "s", net_first_deadlock(machine->net));
}

/* Cuts counts off at the present time, however far ranks have run ahead and however the network works it out. */
static void cut_counts(Machine *machine)
{
    bool cut = machine->tallies && machine->clipped && !machine->options.explore;
    for (uint32_t rank = 0; cut && rank < machine->ranks; rank++)
        vm_rank_cut(machine->processes[rank].vm, machine->now);
}

/* If all ranks find a mistake and call MPI_Abort, but only one of them reports it, that one is a little later than the
 * others, because it had to write. No real system ends processes in no time. So ranks are let go on as far as the
 * explanation of the stop looks, and what they write on the way is shown. How many ranks, and how far, does not depend
 * on the host. */
static void hear_out(Machine *machine)
{
    uint64_t limit_ps = machine->now + MACH_HEARD_PS;
    uint32_t rank = 0;
    for (uint32_t ahead = 0; rank < machine->ranks && ahead < MACH_MOST_HEARD; rank++) {
        ahead += machine->processes[rank].state == MACH_RANK_READY;
        mach_run_ahead(machine, rank, limit_ps);
    }
    mach_output_end_late(machine->output, machine->now, limit_ps, rank);
}

/* Ends the run for good at the present time. */
void mach_run_stop(Machine *machine, MachStop reason, uint32_t rank)
{
    machine->usual = false; /* ranks may still be run, but nothing has an effect any more */
    if (machine->workers)
        mach_workers_gather(machine->workers);
    if (machine->held_ps != UINT64_MAX)
        mach_advance_release_held(machine);
    mach_polling_end(machine, reason == MACH_STOP_MAX_TIME);
    machine->stop = reason;
    machine->stopped = true;
    machine->stopped_rank = rank;
    machine->clipped = reason != MACH_STOP_FINISHED;
    cut_counts(machine);
    mach_sharing_stop(machine, rank);
    if (reason == MACH_STOP_ABORT && !machine->runs_on)
        hear_out(machine);
    else
        mach_output_end(machine->output, machine->clipped ? machine->now : UINT64_MAX);
    if (machine->runs_on)
        return;
    if (!machine->options.explore)
        mpi_world_conclude(machine->mpi);
    tell_missed(machine);
    tell_resolved(machine);
    mach_tell_findings(machine);
    if (reason == MACH_STOP_FINISHED)
        mach_findings_tell_leaks(machine);
}

/* Shows the output that nothing can overtake any more. If there is a single rank, that is all of its output. */
void mach_run_pause(Machine *machine, MachStop reason, uint32_t rank)
{
    machine->usual = false; /* ranks may still be run, but nothing has an effect any more */
    if (machine->workers)
        mach_workers_gather(machine->workers);
    if (machine->held_ps != UINT64_MAX)
        mach_advance_release_held(machine);
    mach_polling_pause(machine);
    const BaseEvent *top = base_queue_top(machine->queue);
    uint64_t next = MIN(top ? top->time_ps : UINT64_MAX, net_next_time(machine->net));
    mach_output_flush(machine->output, mach_run_ranks(machine) == 1 ? UINT64_MAX : next);
    machine->stop = reason;
    machine->stopped_rank = rank;
}

/* -- standing ---------------------------------------------------------------------------------- */

/* The run stands in the debugger's hook, somewhere in a piece of a rank, and goes on there as if nothing had happened.
 * So unlike a pause, standing has no part in the order in which ranks run. */
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

void mach_run_limit_work(Machine *machine, uint64_t cycles)
{
    machine->limits_work = true;
    machine->work_left = cycles;
}
