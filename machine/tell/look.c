/* look.c - looks at the threads of ranks while the machine stands still.
 *
 * The VM shows one thread of a rank, the one that is selected. To look at another one is to select it; mach_run()
 * selects again what was selected when it returned, so that looking changes nothing. MPI's focus never moves. */
#include "machine/run/run.h"
#include "machine/run/tasks.h"

/* -- which threads there are ------------------------------------------------------------------- */

/* The thread at which the run stands. */
static uint32_t standing(const Machine *machine, uint32_t rank)
{
    for (guint i = 0; machine->looks && i < machine->looks->len; i++)
        if (g_array_index(machine->looks, MachLook, i).rank == rank)
            return g_array_index(machine->looks, MachLook, i).thread;
    return vm_thread_selected(machine->processes[rank].vm);
}

/* The end of a process is not that of its threads, to those who look at what they did then. */
static MachRankState state_of(const Machine *machine, uint32_t rank, uint32_t task)
{
    MachRankState state = machine->processes[task].state, whole = machine->processes[rank].state;
    uint32_t thread = machine->processes[task].thread;
    if (whole == MACH_RANK_FAULTED && thread == standing(machine, rank))
        return whole;
    if (state < MACH_RANK_FINISHED || !machine->processes[rank].threaded)
        return state;
    g_autofree char *wait = threads_world_describe(machine->threads, rank, thread);
    g_autofree char *call = wait ? NULL : mpi_world_describe_thread(machine->mpi, rank, thread);
    return wait || call ? MACH_RANK_BLOCKED : MACH_RANK_READY;
}

static MachThread view_of(const Machine *machine, uint32_t rank, const ThreadsInfo *info)
{
    MachThread thread = {.id = info->id, .number = info->thread, .name = info->name, .ended = info->ended};
    uint32_t task = info->ended ? MACH_NO_TASK : mach_tasks_of(machine, rank, info->thread);
    if (task == MACH_NO_TASK) {
        thread.ended = true;
        return thread;
    }
    thread.state = state_of(machine, rank, task);
    thread.lacks_core = mach_run_lacks_core(machine, task);
    thread.runs =
        machine->stop == MACH_STOP_HOOK && rank == machine->stopped_rank && info->thread == standing(machine, rank);
    return thread;
}

GArray *mach_look_threads(const Machine *machine, uint32_t rank)
{
    g_autoptr(GArray) infos = threads_world_list(machine->threads, rank);
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(MachThread));
    const ThreadsInfo only = {.id = 1, .name = ""};
    if (!infos->len)
        g_array_append_val(infos, only);
    for (guint i = 0; i < infos->len; i++) {
        MachThread thread = view_of(machine, rank, &g_array_index(infos, ThreadsInfo, i));
        g_array_append_val(threads, thread);
    }
    return threads;
}

uint64_t mach_look_threads_made(const Machine *machine, uint32_t rank)
{
    return threads_world_stats(machine->threads, rank)->created + 1;
}

bool mach_look_lives(const Machine *machine, uint32_t rank, uint64_t id)
{
    return threads_world_lives(machine->threads, rank, id);
}

uint64_t mach_look_thread(const Machine *machine, uint32_t rank)
{
    return threads_world_id(machine->threads, rank, vm_thread_selected(machine->processes[rank].vm));
}

/* -- what they do ------------------------------------------------------------------------------ */

char *mach_look_waits(const Machine *machine, uint32_t rank, const MachThread *thread)
{
    if (thread->ended || thread->state != MACH_RANK_BLOCKED)
        return NULL;
    char *what = threads_world_describe(machine->threads, rank, thread->number);
    what = what ? what : mpi_world_describe_thread(machine->mpi, rank, thread->number);
    return what ? what : g_strdup("is about to go on");
}

void mach_look_locks(const Machine *machine, uint32_t rank, GString *out)
{
    threads_world_list_locks(machine->threads, rank, out);
}

/* -- looking ----------------------------------------------------------------------------------- */

void mach_look_at(Machine *machine, uint32_t rank, const MachThread *thread)
{
    VmRank *vm = machine->processes[rank].vm;
    MachLook look = {rank, standing(machine, rank)};
    bool before = false;
    if (!machine->looks)
        machine->looks = g_array_new(FALSE, FALSE, sizeof(MachLook));
    for (guint i = 0; i < machine->looks->len; i++)
        before = before || g_array_index(machine->looks, MachLook, i).rank == rank;
    if (!before)
        g_array_append_val(machine->looks, look);
    vm_thread_select(vm, thread->number);
}
