/* report.c - answers questions about a machine, before, during and after its run. */
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/communication.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>

uint32_t mach_run_ranks(const Machine *machine)
{
    return machine->ranks;
}

uint64_t mach_run_now(const Machine *machine)
{
    return machine->now;
}

uint32_t mach_run_stopped_rank(const Machine *machine)
{
    return machine->stopped_rank;
}

VmRank *mach_run_rank(Machine *machine, uint32_t rank)
{
    return vm_world_rank(machine->vm, rank);
}

Network *mach_run_network(Machine *machine)
{
    return machine->net;
}

MpiWorld *mach_run_mpi(Machine *machine)
{
    return machine->mpi;
}

const MachConfig *mach_run_config(const Machine *machine)
{
    return machine->config;
}

uint32_t mach_run_node_of(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].place.node;
}

void mach_run_queues(const Machine *machine, uint32_t rank, uint32_t *posted, uint32_t *unexpected)
{
    mpi_world_queues(machine->mpi, rank, posted, unexpected);
}

MachRankState mach_run_rank_state(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].state;
}

bool mach_run_lacks_core(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].share && mach_sharing_lacks_core(machine, rank);
}

void mach_run_set_hook(Machine *machine, VmHook hook, void *user)
{
    machine->hooked = hook;
    machine->hook = hook;
    machine->hook_user = user;
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        if (machine->processes[rank].state != MACH_RANK_FINISHED)
            vm_rank_set_hook(vm_world_rank(machine->vm, rank), hook, user);
}

int mach_run_exit_status(const Machine *machine)
{
    int status = 0;
    switch (machine->stop) {
    case MACH_STOP_FINISHED:
        for (uint32_t rank = 0; rank < machine->ranks; rank++)
            status = MAX(status, machine->processes[rank].exit_status);
        return status;
    case MACH_STOP_FAULT: return 128 + vm_rank_fault_info(vm_world_rank(machine->vm, machine->stopped_rank))->signal;
    case MACH_STOP_KILLED: return 128 + SIGKILL;
    case MACH_STOP_ABORT: return mach_run_abort_status(mpi_world_abort_code(machine->mpi));
    case MACH_STOP_INTERRUPT:
        switch (mach_output_error(machine->output)) {
        case 0: return 128 + SIGINT;
        case EPIPE: return 128 + SIGPIPE;
        default: return 1;
        }
    default: return 1;
    }
}

/* Corrects the report of a rank that computes: it counts up to now, not up to where it has run ahead. Overhead of local
 * MPI calls since it resumed counts as computing, because nobody knows how much of it lies before now. These calls do
 * not count. */
static void cut_off(const Machine *machine, uint32_t rank, MachRankReport *report)
{
    const MachProcess *process = &machine->processes[rank];
    if (process->state != MACH_RANK_READY && !process->cut)
        return;
    report->overhead_ps = process->resumed_overhead_ps;
    report->calls = process->resumed_calls;
    if (process->cut || machine->now <= process->resumed_ps)
        return;
    uint64_t computed_ps = mach_advance_computed(machine, rank);
    report->compute_ps += computed_ps;
    if (process->share)
        report->blocked_ps += machine->now - process->resumed_ps - computed_ps;
}

void mach_run_rank_report(const Machine *machine, uint32_t rank, MachRankReport *report)
{
    const MachProcess *process = &machine->processes[rank];
    const MpiRankStats *stats = mpi_world_stats(machine->mpi, rank);
    *report = (MachRankReport){.node = process->place.node, .exit_status = process->exit_status};
#define SOURCE_RANK(field, source) report->field = source;
#define SOURCE_CACHE(field, source)
#define SOURCE_PREDICTOR(field, source)
#define SOURCE_THREADS(field, source)
#define MACH_STATISTIC(group, field, source, unit, heading, width, share, measure, help) SOURCE_##group(field, source)
#include "machine/statistics.def"
    cut_off(machine, rank, report);
    uint64_t start_ps = MIN(process->start_ps, machine->now); /* it may not have begun */
    report->finish_ps = start_ps + report->compute_ps + report->overhead_ps + report->blocked_ps;
    if (G_UNLIKELY(process->threaded)) { /* several threads use time at once */
        report->compute_ps += mach_tasks_compute_ps(machine, rank);
        report->finish_ps = process->state == MACH_RANK_FINISHED ? process->finish_ps : machine->now;
    }
    assert(process->state != MACH_RANK_FINISHED || report->finish_ps == process->finish_ps);
}

bool mach_run_background_counts(const Machine *machine, TrafficBackgroundCounts *counts)
{
    if (machine->background)
        traffic_background_counts(machine->background, counts);
    return machine->background;
}

const ThreadsStats *mach_run_thread_counts(const Machine *machine, uint32_t rank)
{
    const ThreadsStats *stats = threads_world_stats(machine->threads, rank);
    return stats->created ? stats : NULL;
}

void mach_run_count_locks(Machine *machine)
{
    threads_world_count_locks(machine->threads);
}

GArray *mach_run_locks(const Machine *machine, uint32_t rank)
{
    return threads_world_locks(machine->threads, rank);
}

GArray *mach_run_regions(const Machine *machine, uint32_t rank)
{
    return threads_world_regions(machine->threads, rank);
}

void mach_run_totals(const Machine *machine, MachRankReport *totals)
{
    *totals = (MachRankReport){0};
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        MachRankReport report;
        mach_run_rank_report(machine, rank, &report);
        mach_statistics_add(totals, &report);
    }
}

uint64_t mach_run_makespan(const Machine *machine)
{
    MachRankReport totals;
    mach_run_totals(machine, &totals);
    return totals.finish_ps;
}
