/* threads.c - callbacks of threads/: what it asks of the machine, and its calls in their turn. */
#include "machine/run/threads.h"
#include "machine/config/config.h"
#include "machine/map/map.h"
#include "machine/run/advance.h"
#include "machine/run/tasks.h"

#include <assert.h>

/* -- what threads/ asks for -------------------------------------------------------------------- */

static uint32_t start(void *user, uint32_t rank, uint64_t entry, uint64_t argument, uint64_t stack,
                      uint64_t stack_bytes, const uint64_t *set, uint64_t time_ps)
{
    Machine *machine = user;
    uint32_t task = mach_tasks_start(machine, rank, entry, argument, (VmThreadStack){stack, stack_bytes}, set, time_ps);
    return task == MACH_NO_TASK ? THREADS_NONE : machine->processes[task].thread;
}

static void end(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    (void)time_ps;
    mach_tasks_end(user, rank, thread);
}

static void wake(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    mach_advance_wake(user, mach_tasks_of(user, rank, thread), time_ps);
}

static void alarm_at(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    assert(time_ps >= machine->now);
    mach_run_queue_event(machine, time_ps, MACH_EVENT_THREAD_ALARM, rank, cookie, thread);
}

static uint32_t selected(void *user, uint32_t rank)
{
    const Machine *machine = user;
    return vm_thread_selected(machine->processes[rank].vm);
}

static void order(void *user, uint32_t rank)
{
    mach_tasks_order(user, rank);
}

static uint32_t processors(void *user, uint32_t rank)
{
    const Machine *machine = user;
    return machine->processes[rank].processors;
}

void mach_threads_came(Machine *machine, uint32_t first)
{
    if (!machine->node_ranks)
        machine->node_ranks = g_new0(uint32_t, net_network_nodes(machine->net));
    for (uint32_t rank = first; rank < machine->ranks; rank++)
        machine->node_ranks[machine->processes[rank].place.node]++;
    for (uint32_t rank = first; rank < machine->ranks; rank++) {
        MachProcess *process = &machine->processes[rank];
        uint32_t cores = mach_run_model(machine, rank)->config.cores;
        process->processors = MAX(cores / machine->node_ranks[process->place.node], 1);
    }
}

/* Ranks of a node deal out its cores, one to each in turn, as their first cores are. */
MachCores mach_threads_cores(const Machine *machine, uint32_t rank)
{
    uint32_t cores = mach_run_model(machine, rank)->config.cores;
    uint32_t count = machine->processes[rank].processors, step = cores / count;
    return (MachCores){machine->processes[rank].place.core % step, step, count};
}

static uint32_t cores(void *user, uint32_t rank)
{
    return mach_config_seats(&mach_run_model(user, rank)->config);
}

static void usual_set(void *user, uint32_t rank, uint64_t *set)
{
    MachCores usual = mach_threads_cores(user, rank);
    for (uint32_t i = 0, core = usual.first; i < usual.count && core < MACH_CORE_WORDS * 64; i++, core += usual.step)
        set[core / 64] |= UINT64_C(1) << core % 64;
}

/* A rank that has no run queue has its core for itself. */
static uint32_t processor(void *user, uint32_t rank, uint32_t thread)
{
    const Machine *machine = user;
    const MachProcess *process = &machine->processes[mach_tasks_of(machine, rank, thread)];
    if (process->share)
        return mach_sharing_core(machine, mach_tasks_of(machine, rank, thread));
    const uint64_t *set = threads_world_set(machine->threads, rank, thread);
    uint32_t core = process->place.core;
    while (set && !(set[core / 64] >> core % 64 & 1))
        core = (core + 1) % (MACH_CORE_WORDS * 64);
    return core;
}

static void bind(void *user, uint32_t rank, uint32_t thread, const uint64_t *set)
{
    Machine *machine = user;
    uint32_t task = mach_tasks_of(machine, rank, thread);
    if (machine->processes[task].share)
        mach_sharing_bind(machine, task, set);
}

static void turn(void *user, uint32_t rank, uint32_t thread)
{
    Machine *machine = user;
    machine->processes[mach_tasks_of(machine, rank, thread)].whole = MACH_WHOLE_BRANCHES;
}

static void yield(void *user, uint32_t rank, uint32_t thread)
{
    Machine *machine = user;
    machine->processes[mach_tasks_of(machine, rank, thread)].yields = true;
}

/* Findings about threads are told like those about messages. */
static void note(void *user, uint32_t rank, ThreadsFinding finding, uint64_t time_ps, const char *what,
                 const char *detail, const char *fix)
{
    const Machine *machine = user;
    MpiCheck check = finding == THREADS_FINDING_LOCK_ORDER  ? MPI_CHECK_LOCK_ORDER
                     : finding == THREADS_FINDING_DATA_RACE ? MPI_CHECK_DATA_RACES
                                                            : MPI_CHECK_LOCKS;
    mpi_world_note(machine->mpi, rank, check, time_ps, what, detail, fix);
}

static uint32_t checks(const Machine *machine)
{
    uint32_t asked = machine->options.checks;
    return (asked & MPI_CHECK_BIT(MPI_CHECK_LOCK_ORDER) ? THREADS_CHECK_LOCK_ORDER : 0) |
           (asked & MPI_CHECK_BIT(MPI_CHECK_LOCKS) ? THREADS_CHECK_USE : 0) |
           (asked & MPI_CHECK_BIT(MPI_CHECK_DATA_RACES) ? THREADS_CHECK_RACES : 0);
}

ThreadsWorld *mach_threads_new(Machine *machine)
{
    ThreadsEnv env = {.user = machine,
                      .start = start,
                      .end = end,
                      .order = order,
                      .wake = wake,
                      .alarm = alarm_at,
                      .selected = selected,
                      .processors = processors,
                      .cores = cores,
                      .usual_set = usual_set,
                      .processor = processor,
                      .bind = bind,
                      .turn = turn,
                      .yield = yield,
                      .finding = note};
    return threads_world_new(machine->room, &machine->config->threads, &env, checks(machine));
}

/* -- observers --------------------------------------------------------------------------------- */

static void tell_wait(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, uint64_t from_ps,
                      uint64_t to_ps)
{
    static const char *const what[] = {[THREADS_MUTEX] = "for a mutex",
                                       [THREADS_CONDITION] = "for a condition variable",
                                       [THREADS_READ_WRITE_LOCK] = "for a lock",
                                       [THREADS_BARRIER] = "at a barrier",
                                       [THREADS_SPIN_LOCK] = "for a lock",
                                       [THREADS_ONCE] = "for pthread_once",
                                       [THREADS_SEMAPHORE] = "for a semaphore",
                                       [THREADS_WORD] = "for work",
                                       [THREADS_TEAM] = "at a barrier",
                                       [THREADS_THREAD] = "for a thread",
                                       [THREADS_SLEEP] = "sleeping",
                                       [THREADS_STREAM] = "for a stream",
                                       [THREADS_SIGNAL] = "for a signal",
                                       [THREADS_DATA] = "to read from a pipe",
                                       [THREADS_ROOM] = "to write to a pipe",
                                       [THREADS_POLL] = "for descriptors"};
    const Machine *machine = user;
    (void)address;
    mach_run_tell_activity(user, rank, MPI_ACTIVITY_BLOCKED, from_ps, to_ps, what[sort]);
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->waited)
            observer->waited(observer->user, rank, thread, from_ps, to_ps, what[sort]);
    }
}

static void tell_thread(const Machine *machine, uint32_t rank, uint32_t thread, uint32_t by, uint64_t time_ps,
                        bool begins)
{
    for (guint i = 0; thread && i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->thread)
            observer->thread(observer->user, rank, thread, by, time_ps, begins);
    }
}

static void tell_created(void *user, uint32_t rank, uint32_t by, uint32_t thread, uint64_t time_ps)
{
    tell_thread(user, rank, thread, by, time_ps, true);
}

static void tell_ended(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    tell_thread(user, rank, thread, thread, time_ps, false);
}

void mach_threads_observe(Machine *machine)
{
    threads_world_observe(
        machine->threads,
        &(ThreadsObserver){.user = machine, .created = tell_created, .ended = tell_ended, .waited = tell_wait});
}

/* -- calls ------------------------------------------------------------------------------------- */

/* The time of the call counts as blocked. That of several threads is no part of the rank's sums. */
static void account(Machine *machine, const MachProcess *process)
{
    uint64_t clock = mach_advance_clock(process);
    if (!process->threaded && clock > process->called_ps)
        mpi_world_slept(machine->mpi, process->rank, clock - process->called_ps);
}

static MpiOutcome outcome_of(Machine *machine, MachProcess *process, ThreadsOutcome outcome)
{
    if (outcome == THREADS_OUTCOME_DONE || outcome == THREADS_OUTCOME_UPCALL)
        account(machine, process);
    process->synchronised = true;
    process->waits = outcome == THREADS_OUTCOME_BLOCKED || outcome == THREADS_OUTCOME_SPINS;
    process->sleeps = outcome == THREADS_OUTCOME_BLOCKED || outcome == THREADS_OUTCOME_ENDED;
    switch (outcome) {
    case THREADS_OUTCOME_DONE: return MPI_OUTCOME_DONE;
    case THREADS_OUTCOME_UPCALL: return MPI_OUTCOME_UPCALL;
    case THREADS_OUTCOME_FAULT: return MPI_OUTCOME_FAULT;
    case THREADS_OUTCOME_BLOCKED:
    case THREADS_OUTCOME_SPINS:
    case THREADS_OUTCOME_ENDED: break;
    }
    return MPI_OUTCOME_BLOCKED;
}

MpiOutcome mach_threads_call(Machine *machine, MachProcess *process)
{
    process->called_ps = machine->now;
    return outcome_of(machine, process,
                      threads_world_call(machine->threads, process->rank, process->thread, machine->now));
}

bool mach_threads_upcall_done(Machine *machine, MachProcess *process, MpiOutcome *outcome)
{
    if (!threads_world_attends(machine->threads, process->rank, process->thread))
        return false;
    process->called_ps = machine->now;
    *outcome = outcome_of(machine, process,
                          threads_world_upcall_done(machine->threads, process->rank, process->thread, machine->now));
    return true;
}

MpiOutcome mach_threads_resume(Machine *machine, MachProcess *process)
{
    return outcome_of(machine, process,
                      threads_world_resume(machine->threads, process->rank, process->thread, machine->now));
}
