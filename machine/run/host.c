/* host.c - what ranks ask their host for (VmHost): writing, reading, sleeping, memory, names and files. */
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/budget.h"
#include "machine/run/polling.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"
#include "machine/run/workers.h"

#include <poll.h>
#include <unistd.h>

enum { POLL_MS = 100 };

static void host_write(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    Machine *machine = user;
    if (machine->runs_on)
        return;
    uint16_t runner = machine->processes[rank].runner;
    if (runner)
        mach_output_writes_add(mach_workers_writes(machine->workers, runner), rank, stream, time_ps, bytes, size);
    else
        mach_output_write_of(machine->output, mach_tasks_selected(machine, rank), rank, stream, time_ps, bytes, size);
}

/* A rank that sleeps counts as blocked. That is accounted for when the computing around the sleep ends. */
void mach_run_slept(Machine *machine, uint32_t task, uint64_t from_ps, uint64_t to_ps, bool no_core)
{
    machine->processes[task].slept_ps += to_ps - from_ps;
    if (no_core)
        mach_metering_lacked(machine, machine->processes[task].rank, to_ps - from_ps);
    if (!machine->sleeps || machine->processes[task].thread)
        return;
    if (!machine->sleeps[task])
        machine->sleeps[task] = g_array_new(FALSE, FALSE, sizeof(MachSleep));
    MachSleep sleep = {from_ps, to_ps, no_core};
    g_array_append_val(machine->sleeps[task], sleep);
}

static void host_slept(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    Machine *machine = user;
    uint32_t task = mach_tasks_selected(machine, rank);
    mach_run_slept(machine, task, from_ps, to_ps, false);
    if (machine->processes[task].share)
        mach_sharing_note_sleep(machine, task, to_ps);
}

static void host_yielded(void *user, uint32_t rank)
{
    Machine *machine = user;
    machine->processes[mach_tasks_selected(machine, rank)].yields = true;
}

static void host_grew(void *user, uint32_t rank, uint64_t time_ps, int64_t bytes)
{
    mach_budget_grew(user, rank, time_ps, bytes);
}

/* Returns a time before which nothing takes effect: all that will happen comes from the queues, from ranks that run, or
 * from one that is about to go on. */
static uint64_t next_effect(const Machine *machine)
{
    uint64_t next = MIN(base_queue_next_time(machine->queue), net_next_time(machine->net));
    next = MIN(next, machine->held_ps);
    if (machine->woken)
        next = MIN(next, machine->woken_ps);
    if (machine->background)
        next = MIN(next, traffic_background_next(machine->background));
    if (!machine->workers)
        return next;
    next = MIN(next, mach_workers_bound(machine->workers));
    return mach_workers_news(machine->workers) ? 0 : next; /* after the bound: see mach_workers_collect() */
}

/* Whoever looks at each call wants such calls as events. */
static uint64_t host_undisturbed(void *user, uint32_t rank)
{
    Machine *machine = user;
    uint32_t task = mach_tasks_selected(machine, rank);
    const MachProcess *process = &machine->processes[task];
    if (process->share || process->runner || machine->stopped || machine->hooked || machine->timed ||
        machine->options.explore || machine->spinning || machine->ahead || machine->storage)
        return 0;
    uint64_t next = next_effect(machine), limit_ps = mach_run_rank_limit_ps(machine, rank),
             now = mach_advance_clock(process);
    if (limit_ps != UINT64_MAX)
        next = MIN(next, limit_ps + 1);
    if (G_UNLIKELY(process->exposures)) /* whatever takes effect beyond its piece is an event in every run */
        next = MIN(next, vm_clock_at(vm_rank_clock(process->vm), process->piece_end));
    if (now < next)
        next = MIN(next, mach_budget_reach_quietly(machine, now));
    if (now < next)
        mach_advance_account(machine, task, now);
    return next;
}

static void host_piped(void *user, uint32_t rank, const VmPipeChange *change)
{
    Machine *machine = user;
    threads_world_piped(machine->threads, rank, change);
}

static void host_sharing(void *user)
{
    mach_polling_touch_sharers(user);
}

static void host_note(void *user, uint32_t rank, uint64_t time_ps, const char *what, const char *detail,
                      const char *fix)
{
    Machine *machine = user;
    mpi_world_note(machine->mpi, rank, MPI_CHECK_UNINITIALISED, time_ps, what, detail, fix);
}

static size_t host_read(void *user, uint32_t rank, char *bytes, size_t size)
{
    Machine *machine = user;
    if (machine->options.input)
        return machine->options.input(machine->options.user, bytes, size);
    if (isatty(STDIN_FILENO))
        mach_output_prompt(machine->output, rank, vm_clock_now(vm_rank_clock(vm_world_rank(machine->vm, rank))));
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&input, 1, POLL_MS) == 0) /* a person has to type, but Ctrl-C must not wait for that */
        if (mach_run_asked_to_pause(machine))
            return 0;
    ssize_t count = read(STDIN_FILENO, bytes, size);
    if (count > 0 && machine->options.input_copy)
        (void)!write(machine->options.input_copy, bytes, (size_t)count);
    return count > 0 ? (size_t)count : 0;
}

static const char *host_name(void *user, uint32_t rank)
{
    return mach_run_mpi_env(user).node_name(user, rank);
}

/* Reported once: programs try several paths, and all of their ranks do so. */
static void host_refused_file(void *user, uint32_t rank, const char *path)
{
    enum { MOST = 300 };
    Machine *machine = user;
    if (machine->file_refused)
        return;
    machine->file_refused = true;
    g_autofree char *name = g_strndup(path, MOST);
    for (char *at = name; *at; at++)
        *at = g_ascii_iscntrl(*at) ? '?' : *at;
    if (machine->options.fs == VM_FS_NONE)
        mach_run_note(machine,
                      "rank %u asks for the file \"%s\" and does not get it: with --fs none there are no files", rank,
                      name);
    else
        mach_run_note(machine,
                      "rank %u asks for \"%s\", outside the working directory, and does not get it (EACCES); --fs all "
                      "allows it, ORRERY_FS=all where there is no place for options",
                      rank, name);
}

/* A rank that is not performed does not wait: what it has buffered is written at its end, and costs nothing. */
static void host_stored(void *user, uint32_t rank, const VmStorageAccess *access)
{
    Machine *machine = user;
    (void)rank;
    if (machine->accesses)
        g_array_append_val(machine->accesses, *access);
}

static uint32_t host_storage_file(void *user, const char *name)
{
    Machine *machine = user;
    return mach_storage_file(machine->storage, name);
}

VmHost mach_run_vm_host(Machine *machine)
{
    bool timed = machine->config->storage.kind != MACH_STORAGE_NONE;
    return (VmHost){.user = machine,
                    .stored = timed ? host_stored : NULL,
                    .storage_file = timed ? host_storage_file : NULL,
                    .write = host_write,
                    .read = host_read,
                    .slept = host_slept,
                    .yielded = host_yielded,
                    .hostname = host_name,
                    .refused_file = host_refused_file,
                    .grew = host_grew,
                    .undisturbed = host_undisturbed,
                    .piped = host_piped,
                    .sharing = host_sharing,
                    .note = host_note};
}
