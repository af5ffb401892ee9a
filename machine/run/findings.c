/* findings.c - what the user is told: remarks of the simulator while a machine runs, and at its end what the checks of
 * MPI have found. Each finding is one remark with its ranks, the name of the check, and what to do.
 */
#include "machine/run/run.h"

enum { MOST_OF_A_CHECK = 16 };

/* -- remarks ----------------------------------------------------------------------------------- */

static void say(Machine *machine, void (*hear)(void *user, const char *text), const char *text)
{
    if (machine->runs_on)
        return;
    if (machine->options.before_output)
        machine->options.before_output(machine->options.progress_user);
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

void mach_run_tell_finding(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    machine->findings++;
    say(machine, machine->options.finding ? machine->options.finding : machine->options.note, text);
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
        mach_run_tell_finding(machine, "%s", text->str);
    }
    for (unsigned check = 0; check < MPI_CHECKS; check++)
        if (told[check] > MOST_OF_A_CHECK)
            mach_run_tell_finding(machine, "and %u more findings [%s]", told[check] - MOST_OF_A_CHECK,
                                  mpi_check_row((MpiCheck)check)->name);
}

uint32_t mach_findings(const Machine *machine)
{
    return machine->findings;
}
