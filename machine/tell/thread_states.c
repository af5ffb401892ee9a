/* thread_states.c - what the threads of a rank do, for explanations of stops.
 *
 * Threads run in pieces, so where a thread stands that computes is the same in every run. */
#include "machine/tell/thread_states.h"
#include "machine/run/tasks.h"
#include "machine/tell/place.h"

enum { MOST_THREADS = 8 };

static void append_name(uint64_t id, const char *name, GString *out)
{
    g_string_append_printf(out, "thread %" G_GUINT64_FORMAT, id);
    if (*name)
        g_string_append_printf(out, " (%s)", name);
}

/* Appends for example "thread 2: waits for mutex `m` in pthread_mutex_lock at a.c:12, held by thread 1". The thread is
 * selected then. */
static void append_thread(Machine *machine, uint32_t rank, const ThreadsInfo *info, GString *out)
{
    const MachProcess *process = &machine->processes[mach_tasks_of(machine, rank, info->thread)];
    append_name(info->id, info->name, out);
    g_string_append(out, ": ");
    g_autofree char *wait = threads_world_describe(machine->threads, rank, info->thread);
    g_autofree char *call = wait ? NULL : mpi_world_describe_thread(machine->mpi, rank, info->thread);
    g_string_append(out, wait ? wait : call ? call : process->state == MACH_RANK_BLOCKED ? "blocked" : "computing");
    mach_tasks_select(machine, process);
    if (!wait) /* else that has said it */
        mach_place_append(process->vm, out);
}

/* The threads that live. The caller frees the array. */
static GArray *living(const Machine *machine, uint32_t rank)
{
    GArray *threads = threads_world_list(machine->threads, rank);
    for (guint i = threads->len; i-- > 0;)
        if (g_array_index(threads, ThreadsInfo, i).ended)
            g_array_remove_index(threads, i);
    return threads;
}

bool mach_threads_append(Machine *machine, uint32_t rank, GString *out)
{
    g_autoptr(GArray) threads = living(machine, rank);
    if (threads->len < 2)
        return false;
    for (guint i = 0; i < MIN(threads->len, MOST_THREADS); i++) {
        g_string_append(out, i ? "; " : "");
        append_thread(machine, rank, &g_array_index(threads, ThreadsInfo, i), out);
    }
    if (threads->len > MOST_THREADS)
        g_string_append_printf(out, "; and %u more threads", threads->len - MOST_THREADS);
    return true;
}

void mach_threads_append_selected(const Machine *machine, uint32_t rank, GString *out)
{
    if (!machine->processes[rank].threaded)
        return;
    uint32_t selected = vm_thread_selected(machine->processes[rank].vm);
    g_autoptr(GArray) threads = living(machine, rank);
    for (guint i = 0; i < threads->len; i++) {
        const ThreadsInfo *info = &g_array_index(threads, ThreadsInfo, i);
        if (info->thread != selected)
            continue;
        g_string_append(out, ", ");
        append_name(info->id, info->name, out);
    }
}

void mach_threads_append_others(Machine *machine, uint32_t rank, GString *out)
{
    const MachProcess *process = &machine->processes[rank];
    if (!process->threaded)
        return;
    uint32_t selected = vm_thread_selected(process->vm), shown = 0;
    g_autoptr(GArray) threads = living(machine, rank);
    for (guint i = 0; i < threads->len; i++) {
        const ThreadsInfo *info = &g_array_index(threads, ThreadsInfo, i);
        if (info->thread == selected || shown++ >= MOST_THREADS)
            continue;
        g_string_append(out, shown == 1 ? "the other threads of the rank:\n  " : "  ");
        append_thread(machine, rank, info, out);
        g_string_append_c(out, '\n');
    }
    if (shown > MOST_THREADS)
        g_string_append_printf(out, "  and %u more\n", shown - MOST_THREADS);
    vm_thread_select(process->vm, selected);
}
