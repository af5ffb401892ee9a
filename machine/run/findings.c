/* findings.c - what the user is told: remarks of the simulator while a machine runs, and at its end what the checks of
 * MPI have found and what ranks have not freed. Each finding is one remark with its ranks, the name of the check, and
 * what to do.
 */
#include "machine/run/rank_groups.h"
#include "machine/run/run.h"

enum { MOST_OF_A_CHECK = 16, MOST_LEAKS = 32 };

/* -- remarks ----------------------------------------------------------------------------------- */

static void say(Machine *machine, void (*hear)(void *user, const char *text), const char *text)
{
    if (machine->runs_on)
        return;
    if (machine->options.before_output)
        machine->options.before_output(machine->options.progress_user);
    machine->remarks++;
    if (hear)
        hear(machine->options.user, text);
    else
        g_printerr("orrery: %s\n", text);
}

void mach_run_note(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    say(machine, machine->options.note, text);
}

/* Tells what a check has found, of a rank and perhaps others. */
static void tell_finding(Machine *machine, MpiCheck check, uint32_t rank, const char *text)
{
    machine->findings++;
    say(machine, machine->options.finding ? machine->options.finding : machine->options.note, text);
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->finding)
            observer->finding(observer->user, rank, machine->now, mpi_check_row(check)->name, text);
    }
}

/* -- findings ---------------------------------------------------------------------------------- */

static void append_ranks(const MpiFinding *finding, GString *out)
{
    MpiRankList ranks = {0};
    for (uint32_t i = 0; i < finding->n_ranks; i++)
        mpi_rank_list_add(&ranks, finding->ranks[i]);
    mpi_rank_list_append(&ranks, out);
    mpi_rank_list_clear(&ranks);
}

static void append_finding(const MpiFinding *finding, bool finished, GString *out)
{
    append_ranks(finding, out);
    g_string_append_printf(out, ": %s", finding->what);
    if (finished && finding->times > finding->n_ranks)
        g_string_append_printf(out, " (%" G_GUINT64_FORMAT " times%s)", finding->times,
                               finding->n_ranks > 1 ? " in all" : "");
    g_string_append_printf(out, " [%s]", mpi_check_row(finding->check)->name);
    if (finding->detail && finding->same_detail)
        g_string_append_printf(out, "\n    %s", finding->detail);
    else if (finding->detail)
        g_string_append_printf(out, "\n    rank %u: %s", finding->ranks[0], finding->detail);
    g_string_append_printf(out, "\n    to mend it: %s", finding->fix);
}

static void tell_more(Machine *machine, MpiCheck check, uint32_t n)
{
    g_autofree char *text = g_strdup_printf("and %u more findings [%s]", n, mpi_check_row(check)->name);
    tell_finding(machine, check, 0, text);
}

void mach_tell_findings(Machine *machine)
{
    bool finished = machine->stop == MACH_STOP_FINISHED;
    size_t count;
    const MpiFinding *findings = mpi_world_findings(machine->mpi, finished, machine->now, &count);
    uint32_t told[MPI_CHECKS] = {0};
    for (size_t i = 0; i < count; i++) {
        if (told[findings[i].check]++ >= MOST_OF_A_CHECK)
            continue;
        g_autoptr(GString) text = g_string_new(NULL);
        append_finding(&findings[i], finished, text);
        tell_finding(machine, findings[i].check, findings[i].ranks[0], text->str);
    }
    for (unsigned check = 0; check < MPI_CHECKS; check++)
        if (told[check] > MOST_OF_A_CHECK)
            tell_more(machine, (MpiCheck)check, told[check] - MOST_OF_A_CHECK);
}

uint32_t mach_findings(const Machine *machine)
{
    return machine->findings;
}

uint64_t mach_run_told(const Machine *machine)
{
    return mach_output_printed(machine->output) + machine->remarks;
}

uint64_t mach_run_noted(const Machine *machine)
{
    return mpi_world_noted(machine->mpi);
}

/* -- blocks that nobody freed ------------------------------------------------------------------

   What a rank has left is noted when it ends, so in the order of virtual time. It is reported in the order of ranks,
   once for all ranks that left blocks of the same location. */

typedef struct Leak {
    uint32_t rank, number;
    VmLeak left;
} Leak;

static void clear_leak(gpointer data)
{
    g_free(((Leak *)data)->left.place);
}

void mach_findings_note_leaks(Machine *machine, uint32_t rank)
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

void mach_findings_tell_leaks(Machine *machine)
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
    tell_finding(machine, MPI_CHECK_HEAP, g_array_index(machine->leaks, Leak, 0).rank, text->str);
    g_string_free(text, TRUE);
    mach_groups_free(groups);
}
