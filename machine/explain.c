/* explain.c - what to tell the user when a run has stopped: what happened, where, and where everybody else is.
 *
 * A place in the program is file:line with the text of the line, where the file can still be read. Only the first ranks
 * are told one by one; the others are counted.
 */
#include "machine/internal.h"

#include <errno.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_FRAMES = 12, LONGEST_LINE = 100 };
#define RUN_AHEAD_PS UINT64_C(100000000) /* 100 us */

/* Line `number` of a file without blanks at its ends, or NULL. g_free. */
static char *source_line(const char *path, uint32_t number)
{
    g_autofree char *text = NULL;
    if (!number || !g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    const char *line = text;
    for (uint32_t i = 1; i < number && line; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line || !*line)
        return NULL;
    char *copy = g_strstrip(g_strndup(line, MIN(strcspn(line, "\n"), LONGEST_LINE)));
    return g_utf8_validate(copy, -1, NULL) ? copy : (g_free(copy), NULL);
}

static bool is_library(const VcodeModule *module, const VmFrame *frame)
{
    return module->functions.items[frame->function].flags & VCODE_FUNCTION_LIBRARY;
}

/* "main at ring.c:31" */
static void append_place(const VcodeModule *module, const VmFrame *frame, GString *out)
{
    g_string_append(out, frame->name);
    if (frame->line)
        g_string_append_printf(out, " at %s:%u", vcode_file_name(module, frame->file), frame->line);
}

static void append_source(const VcodeModule *module, const VmFrame *frame, const char *indent, GString *out)
{
    g_autofree char *text = frame->line ? source_line(vcode_file_name(module, frame->file), frame->line) : NULL;
    if (text && *text)
        g_string_append_printf(out, "%s%s\n", indent, text);
}

/* The innermost frame of the program itself, not of the runtime library. False: there is none. */
static bool program_frame(VmRank *rank, VmFrame *frame)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    uint32_t depth = vm_rank_depth(rank);
    for (uint32_t level = 0; level < depth; level++) {
        *frame = vm_rank_frame(rank, level);
        if (!is_library(module, frame))
            return true;
    }
    return false;
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
    VmFrame frame;
    for (uint32_t level = 0; level < depth; level++) {
        if (level)
            (void)vm_rank_caller(rank, &frame);
        else
            frame = vm_rank_frame(rank, 0);
        bool library = is_library(module, &frame);
        bool last = level + 1 == depth;
        if (library && last) /* _start */
            break;
        if (shown == MOST_FRAMES && depth - level > 3) {
            g_string_append_printf(out, "    ... %u more calls ...\n", depth - level - 3);
            for (; level < depth - 4; level++)
                (void)vm_rank_caller(rank, &frame);
            shown++;
            continue;
        }
        g_string_append(out, shown++ ? "    called from " : "    in ");
        append_place(module, &frame, out);
        g_string_append(out, frame.upcall ? " (called by the MPI library)\n" : "\n");
        if (!library)
            append_source(module, &frame, "        ", out);
    }
}

/* -- ranks ------------------------------------------------------------------------------------------------------ */

static void append_frame(VmRank *rank, GString *out)
{
    VmFrame frame;
    if (program_frame(rank, &frame)) {
        g_string_append(out, ", in ");
        append_place(vm_image_module(vm_rank_image(rank)), &frame, out);
    }
}

/* What a rank that computes was about to do. How far it has run ahead of the end depends on the quantum, what it comes
 * to within a fixed time does not. After --max-time, it stands where its time was up. */
static void append_computing(Machine *machine, uint32_t rank, GString *out)
{
    const MachProcess *process = &machine->processes[rank];
    VmRank *vm = vm_world_rank(machine->vm, rank);
    bool exact = machine->stop == MACH_STOP_MAX_TIME || machine->stop == MACH_STOP_INTERRUPT;
    uint64_t limit_ps = machine->now + RUN_AHEAD_PS;
    g_string_append(out, "computing");
    if (!exact)
        mach_run_ahead(machine, rank, limit_ps);
    if (!process->called || (!exact && process->call_ps > limit_ps)) {
        if (exact)
            append_frame(vm, out);
        return;
    }
    switch (process->call) {
    case MACH_CALL_REQUEST:
        g_string_append_printf(out, ", next %s", vm_rank_request(vm)->function->name);
        append_frame(vm, out);
        break;
    case MACH_CALL_EXIT: g_string_append(out, ", about to end"); break;
    case MACH_CALL_FAULT:
        g_string_append(out, ", about to stop with a fault");
        append_frame(vm, out);
        break;
    default: break;
    }
}

static void append_rank(Machine *machine, uint32_t rank, GString *out)
{
    const MachProcess *process = &machine->processes[rank];
    g_autofree char *call = NULL;
    g_autofree char *time = mach_format_time(process->finish_ps);
    g_string_append_printf(out, "  rank %u: ", rank);
    switch (process->state) {
    case MACH_RANK_FINISHED:
        g_string_append_printf(out, "finished at %s with status %d", time, process->exit_status);
        break;
    case MACH_RANK_READY: append_computing(machine, rank, out); break;
    case MACH_RANK_BLOCKED:
        call = mpi_world_describe(machine->mpi, rank);
        g_string_append(out, call ? call : "blocked");
        append_frame(vm_world_rank(machine->vm, rank), out);
        break;
    case MACH_RANK_FAULTED:
        g_string_append(out, "stopped");
        append_frame(vm_world_rank(machine->vm, rank), out);
        break;
    }
    g_string_append_c(out, '\n');
}

static void append_others(Machine *machine, uint32_t except, GString *out)
{
    uint32_t shown = 0;
    if (machine->ranks == 1 && except == 0)
        return;
    g_string_append(out, except < machine->ranks ? "the other ranks:\n" : "the ranks:\n");
    for (uint32_t rank = 0; rank < machine->ranks && shown < MOST_RANKS; rank++) {
        if (rank == except)
            continue;
        append_rank(machine, rank, out);
        shown++;
    }
    uint32_t others = machine->ranks - (except < machine->ranks);
    if (others > shown)
        g_string_append_printf(out, "  and %u more\n", others - shown);
}

/* -- stops ------------------------------------------------------------------------------------------------------- */

static void explain_fault(Machine *machine, GString *out)
{
    uint32_t rank = machine->stopped_rank;
    VmRank *vm = vm_world_rank(machine->vm, rank);
    const VmFault *fault = vm_rank_fault_info(vm);
    g_autofree char *time = mach_format_time(machine->now);
    VmFrame frame;
    g_string_append_printf(out, "rank %u stopped ", rank);
    if (program_frame(vm, &frame)) {
        const VcodeModule *module = vm_image_module(vm_rank_image(vm));
        if (frame.line)
            g_string_append_printf(out, "at %s:%u ", vcode_file_name(module, frame.file), frame.line);
    }
    g_string_append_printf(out, "(virtual time %s): %s\n", time, fault->reason);
    append_stack(vm, out);
    append_others(machine, rank, out);
}

static void explain_deadlock(Machine *machine, GString *out)
{
    const char *channels = net_deadlock(machine->net);
    g_autofree char *time = mach_format_time(machine->now);
    mpi_world_explain_deadlock(machine->mpi, out);
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, '\n');
    if (channels)
        g_string_append_printf(out, "  the network is deadlocked: %s\n", channels);
    g_string_append_printf(out, "  since virtual time %s; %u of %u ranks wait\n", time, machine->running,
                           machine->ranks);
}

static void explain_interrupt(Machine *machine, GString *out)
{
    int error = mach_output_error(machine->output);
    g_autofree char *time = mach_format_time(machine->now);
    if (error == EPIPE) /* whoever read the output has seen enough */
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
    g_autofree char *time = mach_format_time(machine->now);
    switch (machine->stop) {
    case MACH_STOP_FAULT: explain_fault(machine, out); break;
    case MACH_STOP_DEADLOCK: explain_deadlock(machine, out); break;
    case MACH_STOP_INTERRUPT: explain_interrupt(machine, out); break;
    case MACH_STOP_ABORT:
        g_string_append_printf(out, "rank %u called MPI_Abort with code %d at virtual time %s\n", machine->stopped_rank,
                               mpi_world_abort_code(machine->mpi), time);
        append_others(machine, machine->stopped_rank, out);
        break;
    case MACH_STOP_MAX_TIME:
        g_string_append_printf(out, "stopped: virtual time has reached the limit of %s (--max-time)\n", time);
        append_others(machine, UINT32_MAX, out);
        break;
    case MACH_STOP_FINISHED:
    case MACH_STOP_HOOK: break;
    }
}
