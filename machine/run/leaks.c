/* leaks.c - reports heap blocks that nobody freed, at the end of a run under --check.
 *
 * What a rank has left is noted when it ends, so in the order of virtual time. It is reported in the order of ranks,
 * once for all ranks that left blocks of the same location.
 */
#include "machine/run/rank_groups.h"
#include "machine/run/run.h"

enum { MOST_LEAKS = 32 };

typedef struct Leak {
    uint32_t rank, number;
    VmLeak left;
} Leak;

static void clear_leak(gpointer data)
{
    g_free(((Leak *)data)->left.place);
}

void mach_note_leaks(Machine *machine, uint32_t rank)
{
    size_t count;
    const VmLeak *leaks = vm_check_leaks(vm_world_rank(machine->vm, rank), &count);
    if (count && !machine->leaks) {
        machine->leaks = g_array_new(FALSE, FALSE, sizeof(Leak));
        g_array_set_clear_func(machine->leaks, clear_leak);
    }
    for (size_t i = 0; i < count; i++) {
        Leak leak = {.rank = rank, .number = (uint32_t)i, .left = leaks[i]};
        leak.left.place = g_strdup(leaks[i].place);
        g_array_append_val(machine->leaks, leak);
    }
}

static int compare_leaks(const void *a, const void *b)
{
    const Leak *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void append_leak(const MachGroup *group, GString *out)
{
    g_string_append_c(out, '\n');
    mach_group_append_ranks(group, out);
    g_string_append_printf(out, ": %" G_GUINT64_FORMAT " byte%s in %" G_GUINT64_FORMAT " block%s, allocated by %s",
                           group->bytes, group->bytes == 1 ? "" : "s", group->blocks, group->blocks == 1 ? "" : "s",
                           group->what);
}

void mach_tell_leaks(Machine *machine)
{
    if (!machine->leaks)
        return;
    g_array_sort(machine->leaks, compare_leaks);
    MachGroups *groups = mach_groups_new();
    for (guint i = 0; i < machine->leaks->len; i++) {
        const Leak *leak = &g_array_index(machine->leaks, Leak, i);
        MachGroup *group = mach_groups_add(groups, leak->left.place, leak->rank, false);
        group->blocks += leak->left.blocks;
        group->bytes += leak->left.bytes;
    }
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "memory that was not freed [%s]:", mpi_check_row(MPI_CHECK_HEAP)->name);
    guint count = mach_groups_count(groups);
    for (guint i = 0; i < MIN(count, MOST_LEAKS); i++)
        append_leak(mach_groups_get(groups, i), text);
    if (count > MOST_LEAKS)
        g_string_append_printf(text, "\n  and blocks of %u other places", count - MOST_LEAKS);
    mach_run_tell_finding(machine, "%s", text->str);
    g_string_free(text, TRUE);
    mach_groups_free(groups);
}
