/* explain.c - explains a stop to the user: what happened, where, and where all other ranks are.
 *
 * A location in the program is file:line with the text of the line, if the file can still be read. Calls are shown with
 * their arguments. A few ranks are listed one by one; many are listed in groups with the same description.
 */
#include "base/units.h"
#include "machine/output/output.h"
#include "machine/run/budget.h"
#include "machine/run/rank_groups.h"
#include "machine/run/run.h"
#include "machine/run/tasks.h"
#include "machine/tell/place.h"
#include "machine/tell/scene.h"
#include "machine/tell/thread_states.h"
#include "vm/value.h"

#include <errno.h>

enum { MOST_RANKS = 16, MOST_FRAMES = 12, LONGEST_LINE = 100, LONGEST_VALUE = 80 };
enum { MOST_GROUPED = 1 << 16 };

/* Returns line `number` of a file without blanks at its ends, or NULL. The caller frees it with g_free(). */
static char *source_line(const VcodeModule *module, uint32_t file, uint32_t number)
{
    uint32_t count;
    g_auto(GStrv) lines = vcode_source_lines(module, file, &count);
    if (number == 0 || number > count)
        return NULL;
    char *copy = g_strstrip(g_strndup(lines[number - 1], LONGEST_LINE));
    return g_utf8_validate(copy, -1, NULL) ? copy : (g_free(copy), NULL);
}

/* Appends a text like "main (argc=1, argv=0x82ff80) at ring.c:31". */
static void append_call(VmRank *rank, const VmFrame *frame, GString *out)
{
    g_string_append_printf(out, "%s (", frame->name);
    vm_variable_parameters(rank, frame, LONGEST_VALUE, out);
    g_string_append_c(out, ')');
    mach_place_append_line(vm_image_module(vm_rank_image(rank)), frame, out);
}

static void append_source(const VcodeModule *module, const VmFrame *frame, const char *indent, GString *out)
{
    g_autofree char *text = source_line(module, frame->file, frame->line);
    if (text && *text)
        g_string_append_printf(out, "%s%s\n", indent, text);
}

static uint32_t count_frames(VmRank *rank)
{
    if (vm_rank_depth(rank) == 0)
        return 0;
    uint32_t n = 1;
    for (VmFrame frame = vm_rank_frame(rank, 0); vm_rank_caller(rank, &frame);)
        n++;
    return n;
}

static void append_stack(VmRank *rank, GString *out)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    uint32_t depth = count_frames(rank);
    uint32_t shown = 0;
    bool scene = true; /* of the innermost frame of the program */
    VmFrame frame;
    for (uint32_t level = 0; level < depth; level++) {
        if (level)
            (void)vm_rank_caller(rank, &frame);
        else
            frame = vm_rank_frame(rank, 0);
        bool library = mach_place_in_library(module, &frame);
        bool last = level + 1 == depth;
        if (library && last) /* the outermost frame is _start */
            break;
        if (shown == MOST_FRAMES && depth - level > 3) {
            g_string_append_printf(out, "    ... %u more calls ...\n", depth - level - 3);
            for (; level < depth - 4; level++)
                (void)vm_rank_caller(rank, &frame);
            shown++;
            continue;
        }
        g_string_append(out, shown++ ? "    called from " : "    in ");
        append_call(rank, &frame, out);
        g_string_append(out, !frame.upcall ? "\n"
                             : library     ? " (called for a signal or a cancellation)\n"
                                           : " (called by the MPI library)\n");
        if (!library && scene)
            mach_scene_append(rank, &frame, "        ", out);
        else if (!library)
            append_source(module, &frame, "        ", out);
        scene = scene && library;
    }
}

/* -- ranks ------------------------------------------------------------------------------------- */

/* Appends what a rank that computes was about to do. How far it has run ahead of the end depends on the quantum, but
 * what it comes to within a fixed time does not. After --max-time, it stands where its time was up. */
static void append_computing(Machine *machine, uint32_t rank, GString *out)
{
    const MachProcess *process = &machine->processes[rank];
    VmRank *vm = vm_world_rank(machine->vm, rank);
    bool exact = machine->stop == MACH_STOP_MAX_TIME || machine->stop == MACH_STOP_INTERRUPT ||
                 (machine->stop == MACH_STOP_MEMORY && mach_budget_is_accidental(machine));
    uint64_t limit_ps = machine->now + MACH_HEARD_PS;
    g_string_append(out, mach_run_lacks_core(machine, rank) ? "computing, but others have its core" : "computing");
    if (!exact)
        mach_run_ahead(machine, rank, limit_ps);
    if (!process->called || (!exact && process->call_ps > limit_ps)) {
        if (exact)
            mach_place_append(vm, out);
        return;
    }
    switch (process->call) {
    case MACH_CALL_REQUEST:
        g_string_append_printf(out, ", next %s", vm_rank_request(vm)->function->name);
        mach_place_append(vm, out);
        break;
    case MACH_CALL_EXIT: g_string_append(out, ", about to end"); break;
    case MACH_CALL_FAULT:
        g_string_append(out, ", about to stop with a fault");
        mach_place_append(vm, out);
        break;
    default: break;
    }
}

/* Appends a text like "finished at 3 us with status 0", or "MPI_Recv from 3, in main at ring.c:31". */
static void append_state(Machine *machine, uint32_t rank, bool ahead, GString *out)
{
    const MachProcess *process = &machine->processes[rank];
    g_autofree char *call = NULL;
    g_autofree char *time = base_units_format_time(process->finish_ps);
    switch (process->state) {
    case MACH_RANK_FINISHED:
        g_string_append_printf(out, "finished at %s with status %d", time, process->exit_status);
        break;
    case MACH_RANK_KILLED: g_string_append_printf(out, "killed at %s", time); break;
    case MACH_RANK_READY:
        if (process->threaded && mach_threads_append(machine, rank, out))
            break;
        if (ahead)
            append_computing(machine, rank, out);
        else
            g_string_append(out, "computing");
        break;
    case MACH_RANK_BLOCKED:
        if (process->threaded && mach_threads_append(machine, rank, out))
            break;
        mach_tasks_select(machine, process);
        call = threads_world_describe(machine->threads, rank, 0);
        call = call ? call : mpi_world_describe(machine->mpi, rank);
        g_string_append(out, call ? call : "blocked");
        mach_place_append(vm_world_rank(machine->vm, rank), out);
        break;
    case MACH_RANK_FAULTED:
        g_string_append(out, "stopped");
        mach_place_append(vm_world_rank(machine->vm, rank), out);
        break;
    }
}

/* Groups the ranks by what they do. What a computing rank comes to is looked up only for the first few, as it takes
 * time. */
static MachGroups *group_ranks(Machine *machine, uint32_t except)
{
    MachGroups *groups = mach_groups_new();
    g_autoptr(GString) state = g_string_new(NULL);
    bool few = machine->ranks <= MOST_RANKS + 1;
    uint32_t ahead = 0;
    for (uint32_t rank = 0; rank < MIN(machine->ranks, MOST_GROUPED); rank++) {
        if (rank == except)
            continue;
        ahead += machine->processes[rank].state == MACH_RANK_READY;
        g_string_truncate(state, 0);
        append_state(machine, rank, ahead <= MACH_MOST_HEARD, state);
        mach_groups_add(groups, state->str, rank, few);
    }
    return groups;
}

/* Appends where the ranks are: one line for each rank, or for each group if they are many. */
static void append_others(Machine *machine, uint32_t except, GString *out)
{
    uint32_t others = machine->ranks - (except < machine->ranks), shown = 0;
    if (others == 0)
        return;
    g_string_append(out, except < machine->ranks ? "the other ranks:\n" : "the ranks:\n");
    MachGroups *groups = group_ranks(machine, except);
    for (guint i = 0; i < MIN(mach_groups_count(groups), MOST_RANKS); i++) {
        const MachGroup *group = mach_groups_get(groups, i);
        mach_group_append_ranks(group, out);
        g_string_append_printf(out, ": %s\n", group->what);
        shown += group->ranks.count;
    }
    if (others > shown)
        g_string_append_printf(out, "  and %u more\n", others - shown);
    mach_groups_free(groups);
}

/* -- stops ------------------------------------------------------------------------------------- */

static void append_lines(const char *text, GString *out)
{
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (char **line = lines; *line; line++)
        if (**line)
            g_string_append_printf(out, "    %s\n", *line);
}

static void explain_fault(Machine *machine, GString *out)
{
    uint32_t rank = machine->stopped_rank;
    VmRank *vm = vm_world_rank(machine->vm, rank);
    const VmFault *fault = vm_rank_fault_info(vm);
    g_autofree char *time = base_units_format_time(machine->now);
    VmFrame frame;
    g_string_append_printf(out, "rank %u", rank);
    mach_threads_append_selected(machine, rank, out);
    g_string_append(out, " stopped ");
    if (mach_place_frame(vm, &frame)) {
        const VcodeModule *module = vm_image_module(vm_rank_image(vm));
        if (frame.line)
            g_string_append_printf(out, "at %s:%u ", vcode_source_name(module, frame.file), frame.line);
    }
    g_string_append_printf(out, "(virtual time %s): %s\n", time, fault->reason);
    append_lines(fault->around, out);
    append_stack(vm, out);
    mach_threads_append_others(machine, rank, out);
    append_others(machine, rank, out);
}

/* Appends, for a deadlock, the ranks that could run but poll for what cannot come (polling.c). */
static void append_pollers(Machine *machine, GString *out)
{
    uint32_t shown = 0;
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        if (machine->processes[rank].state != MACH_RANK_READY || shown++ >= MOST_RANKS)
            continue;
        VmRank *vm = vm_world_rank(machine->vm, rank);
        mach_run_ahead(machine, rank, UINT64_MAX); /* to its next poll */
        const VmRequest *poll = vm_rank_request(vm);
        g_string_append_printf(out, "  rank %u: %s finds nothing, now and for ever", rank,
                               poll ? poll->function->name : "what it polls");
        mach_place_append(vm, out);
        g_string_append_c(out, '\n');
    }
    if (shown > MOST_RANKS)
        g_string_append_printf(out, "  ... and %u more ranks that poll\n", shown - MOST_RANKS);
}

/* Appends, for a deadlock, what threads wait for that wait for each other. */
static void append_threads(Machine *machine, GString *out)
{
    uint32_t shown = 0;
    for (uint32_t rank = 0; rank < machine->ranks && shown < MOST_RANKS; rank++) {
        if (machine->processes[rank].state == MACH_RANK_FINISHED)
            continue;
        g_autoptr(GString) text = g_string_new(NULL);
        threads_world_explain(machine->threads, rank, text);
        if (!text->len)
            continue;
        g_auto(GStrv) lines = g_strsplit(g_strchomp(text->str), "\n", -1);
        for (char **line = lines; *line; line++)
            g_string_append_printf(out, "  rank %u: %s\n", rank, *line);
        shown++;
    }
}

static void explain_deadlock(Machine *machine, GString *out)
{
    const char *channels = net_deadlock(machine->net);
    g_autofree char *time = base_units_format_time(machine->now);
    mpi_world_explain_deadlock(machine->mpi, channels, out);
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, '\n');
    append_threads(machine, out);
    if (!channels) /* a deadlock in the network may leave ranks that could go on */
        append_pollers(machine, out);
    if (channels)
        g_string_append_printf(out, "  the network is deadlocked: %s\n", channels);
    g_string_append_printf(out, "  since virtual time %s; %u of %u ranks %s\n", time, machine->running, machine->ranks,
                           channels ? "have not ended" : "wait");
}

static void explain_interrupt(Machine *machine, GString *out)
{
    int error = mach_output_error(machine->output);
    g_autofree char *time = base_units_format_time(machine->now);
    if (error == EPIPE) /* whoever read the output wants no more of it */
        return;
    if (error) {
        g_string_append_printf(out, "cannot write the program's output: %s\n", g_strerror(error));
        return;
    }
    g_string_append_printf(out, "interrupted at virtual time %s\n", time);
    append_others(machine, UINT32_MAX, out);
}

void mach_explain(Machine *machine, GString *out)
{
    g_autofree char *time = base_units_format_time(machine->now);
    switch (machine->stop) {
    case MACH_STOP_FAULT: explain_fault(machine, out); break;
    case MACH_STOP_DEADLOCK: explain_deadlock(machine, out); break;
    case MACH_STOP_INTERRUPT: explain_interrupt(machine, out); break;
    case MACH_STOP_ABORT:
        g_string_append_printf(out, "rank %u called MPI_Abort with code %d at virtual time %s\n", machine->stopped_rank,
                               mpi_world_abort_code(machine->mpi), time);
        append_others(machine, machine->stopped_rank, out);
        break;
    case MACH_STOP_KILLED:
        mach_kills_explain(machine, out);
        append_others(machine, machine->stopped_rank, out);
        break;
    case MACH_STOP_NETWORK:
        g_string_append_printf(out, "a message from rank %u to rank %u is lost: %s\n", machine->stopped_rank,
                               machine->undelivered_to, net_undeliverable(machine->net));
        append_others(machine, UINT32_MAX, out);
        break;
    case MACH_STOP_MAX_TIME:
        g_string_append_printf(out, "stopped: virtual time has reached the limit of %s (--max-time)\n", time);
        append_others(machine, UINT32_MAX, out);
        break;
    case MACH_STOP_MEMORY:
        mach_budget_explain(machine, out);
        append_others(machine, UINT32_MAX, out);
        break;
    case MACH_STOP_FINISHED:
    case MACH_STOP_HOOK: break;
    }
}
