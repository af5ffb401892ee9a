/* threads.c - the threads of a stopped rank: which there are, what they do, and which one is looked at. */
#include "base/units.h"
#include "monitor/debug/debug.h"

uint32_t mon_debug_living(Machine *machine, uint32_t rank)
{
    g_autoptr(GArray) threads = mach_look_threads(machine, rank);
    uint32_t living = 0;
    for (guint i = 0; i < threads->len; i++)
        living += !g_array_index(threads, MachThread, i).ended;
    return living;
}

bool mon_debug_looked_at(Machine *machine, uint32_t rank, MachThread *thread)
{
    g_autoptr(GArray) threads = mach_look_threads(machine, rank);
    uint64_t id = mach_look_thread(machine, rank);
    *thread = g_array_index(threads, MachThread, 0);
    for (guint i = 0; i < threads->len; i++)
        if (g_array_index(threads, MachThread, i).id == id)
            *thread = g_array_index(threads, MachThread, i);
    return threads->len > 1 && mach_run_rank_state(machine, rank) != MACH_RANK_FINISHED;
}

void mon_debug_append_doing(const char *doing, GString *out)
{
    if (doing)
        g_string_append_printf(out, g_ascii_islower(*doing) ? ", %s" : ", in %s", doing);
}

GArray *mon_debug_threads(MonDebugger *debugger, uint32_t rank)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_autoptr(GArray) threads = mach_look_threads(mon_debugger_machine(debugger), rank);
    for (guint i = 0; i < threads->len; i++)
        if (!g_array_index(threads, MachThread, i).ended)
            g_array_append_val(ids, g_array_index(threads, MachThread, i).id);
    return ids;
}

uint64_t mon_debug_thread(MonDebugger *debugger, uint32_t rank)
{
    return mach_look_thread(mon_debugger_machine(debugger), rank);
}

bool mon_debug_select_thread(MonDebugger *debugger, uint32_t rank, uint64_t id, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    g_autoptr(GArray) threads = mach_look_threads(machine, rank);
    for (guint i = 0; i < threads->len; i++) {
        const MachThread *thread = &g_array_index(threads, MachThread, i);
        if (thread->id != id || thread->ended)
            continue;
        mach_look_at(machine, rank, thread);
        return true;
    }
    if (id >= 1 && id <= mach_look_threads_made(machine, rank))
        g_string_append_printf(out, "thread %" G_GUINT64_FORMAT " of rank %u has ended\n", id, rank);
    else
        g_string_append_printf(out, "rank %u has no thread %" G_GUINT64_FORMAT ": type info threads\n", rank, id);
    return false;
}

void mon_debug_append_thread(MonDebugger *debugger, uint32_t rank, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    MachThread thread;
    if (mach_look_threads_made(machine, rank) == 1)
        return;
    (void)mon_debug_looked_at(machine, rank, &thread);
    g_string_append_printf(out, ", thread %" G_GUINT64_FORMAT, thread.id);
    if (*thread.name)
        g_string_append_printf(out, " (%s)", thread.name);
}

static void append_thread(Machine *machine, uint32_t rank, const MachThread *thread, bool current, GString *out)
{
    VmRank *vm = mach_run_rank(machine, rank);
    g_string_append_printf(out, "%c %4" G_GUINT64_FORMAT "  ", current ? '*' : ' ', thread->id);
    if (thread->ended) {
        g_string_append_printf(out, "%-8s  ", "ended");
    } else {
        g_autofree char *time = base_units_format_time(vm_clock_now(vm_thread_clock(vm, thread->number)));
        g_string_append_printf(out, "%-8s  %14s  ",
                               thread->runs ? "running" : mon_debug_state_name(thread->state, thread->lacks_core),
                               time);
    }
    if (*thread->name)
        g_string_append_printf(out, "(%s) ", thread->name);
    if (thread->ended) {
        g_string_append(out, "and nobody has joined it\n");
        return;
    }
    g_autofree char *doing = mach_look_waits(machine, rank, thread);
    mach_look_at(machine, rank, thread);
    mon_debug_append_place(vm, out);
    mon_debug_append_doing(doing, out);
    g_string_append_c(out, '\n');
}

void mon_debug_info_threads(MonDebugger *debugger, uint32_t rank, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    MachThread current;
    if (vm_rank_depth(mach_run_rank(machine, rank)) == 0) {
        g_string_append_printf(out, "rank %u has ended\n", rank);
        return;
    }
    (void)mon_debug_looked_at(machine, rank, &current);
    g_autoptr(GArray) threads = mach_look_threads(machine, rank);
    for (guint i = 0; i < threads->len; i++) {
        const MachThread *thread = &g_array_index(threads, MachThread, i);
        append_thread(machine, rank, thread, thread->id == current.id, out);
    }
    if (!current.ended)
        mach_look_at(machine, rank, &current);
}

void mon_debug_info_locks(MonDebugger *debugger, uint32_t rank, GString *out)
{
    gsize before = out->len;
    mach_look_locks(mon_debugger_machine(debugger), rank, out);
    if (out->len == before)
        g_string_append_printf(out, "rank %u has taken no locks\n", rank);
}
