/* inspect.c - what a stopped machine looks like: where every rank is, call stacks, local variables, source text. */
#include "monitor/internal.h"
#include <string.h>

#define LINES_AROUND 5
#define MAX_FRAMES   100

static const VcodeModule *module_of(VmRank *rank)
{
    return vm_image_module(vm_rank_image(rank));
}

static const char *state_name(MachRankState state)
{
    static const char *const names[] = {"ready", "blocked", "finished", "faulted"};
    return names[state];
}

bool mon_frame(VmRank *rank, uint32_t level, VmFrame *frame)
{
    if (vm_rank_depth(rank) == 0)
        return false;
    *frame = vm_rank_frame(rank, 0);
    for (; level > 0; level--)
        if (!vm_rank_caller(rank, frame))
            return false;
    return true;
}

uint32_t mon_frames(MonDebugger *debugger, uint32_t index)
{
    VmRank *rank = mach_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    uint32_t count = 0;
    for (bool more = mon_frame(rank, 0, &frame); more; more = vm_rank_caller(rank, &frame))
        count++;
    return count;
}

static bool in_library(VmRank *rank, const VmFrame *frame)
{
    return (module_of(rank)->functions.items[frame->function].flags & VCODE_FUNCTION_LIBRARY) != 0;
}

/* Level of the innermost frame of the program itself: the library's own functions are of no interest. */
static uint32_t program_level(VmRank *rank)
{
    VmFrame frame;
    uint32_t level = 0;
    for (bool more = mon_frame(rank, 0, &frame); more; more = vm_rank_caller(rank, &frame), level++)
        if (!in_library(rank, &frame))
            return level;
    return 0;
}

static void append_place(VmRank *rank, uint32_t level, GString *out)
{
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    if (!mon_frame(rank, level, &frame))
        return;
    g_string_append_printf(out, "%s", frame.name);
    if (frame.line != 0)
        g_string_append_printf(out, " at %s:%u", vcode_file_name(module, frame.file), frame.line);
}

void mon_info_ranks(MonDebugger *debugger, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    for (uint32_t index = 0; index < mach_ranks(machine); index++) {
        VmRank *rank = mach_rank(machine, index);
        MachRankState state = mach_rank_state(machine, index);
        g_autofree char *doing = state == MACH_RANK_BLOCKED ? mpi_world_describe(mach_mpi(machine), index) : NULL;
        bool ended = state == MACH_RANK_FINISHED;
        MachRankReport report;
        mach_rank_report(machine, index, &report);
        g_autofree char *time = mach_format_time(ended ? report.finish_ps : vm_clock_now(vm_rank_clock(rank)));
        g_string_append_printf(out, "%c %4u  %-8s  %14s  ", index == mach_stopped_rank(machine) ? '*' : ' ', index,
                               state_name(state), time);
        if (!ended && vm_rank_depth(rank) > 0)
            append_place(rank, program_level(rank), out);
        if (doing != NULL)
            g_string_append_printf(out, ", in %s", doing);
        g_string_append_c(out, '\n');
    }
}

bool mon_find_variable(VmRank *rank, uint32_t level, const char *name, VmValue *value)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    VmFrame frame;
    const VcodeVariable *found = NULL;
    if (!mon_frame(rank, level, &frame))
        return false;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *candidate = &module->variables.items[i];
        if (strcmp(vcode_text(module, candidate->name), name) != 0)
            continue;
        bool local = vm_variable_in_scope(candidate, &frame);
        if (!local && candidate->function != VCODE_NONE)
            continue;
        bool found_local = found != NULL && found->function != VCODE_NONE;
        /* the innermost scope is the one that starts last */
        if (found == NULL || (local && (!found_local || candidate->pc_low >= found->pc_low)))
            found = candidate;
    }
    if (found == NULL)
        return false;
    *value = vm_variable_value(found, &frame);
    return true;
}

uint32_t mon_program_frame(MonDebugger *debugger, uint32_t rank)
{
    return program_level(mach_rank(mon_debugger_machine(debugger), rank));
}

static void describe(VmRank *rank, const VmFrame *frame, GString *out)
{
    const VcodeModule *module = module_of(rank);
    g_string_append_printf(out, "%s (", frame->name);
    vm_frame_parameters(rank, frame, SIZE_MAX, out);
    g_string_append_printf(out, ") at %s:%u", vcode_file_name(module, frame->file), frame->line);
    if (frame->inlined != VCODE_NONE)
        g_string_append_printf(out, " <inlined into %s>",
                               vcode_text(module, module->functions.items[frame->function].name));
    g_string_append(out, frame->upcall ? " <called by the MPI library>\n" : "\n");
}

void mon_describe_frame(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    VmRank *rank = mach_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    if (mon_frame(rank, level, &frame))
        describe(rank, &frame, out);
}

/* Number of frames down to main: what called it is not the program's. */
static uint32_t shown_frames(VmRank *rank)
{
    VmFrame frame;
    uint32_t depth = 0, shown = 0;
    for (bool more = mon_frame(rank, 0, &frame); more; more = vm_rank_caller(rank, &frame)) {
        depth++;
        if (!in_library(rank, &frame))
            shown = depth;
    }
    return shown > 0 ? shown : depth;
}

void mon_backtrace(MonDebugger *debugger, uint32_t index, GString *out)
{
    VmRank *rank = mach_rank(mon_debugger_machine(debugger), index);
    uint32_t depth = shown_frames(rank);
    VmFrame frame;
    if (depth == 0)
        g_string_append_printf(out, "rank %u has ended\n", index);
    (void)mon_frame(rank, 0, &frame);
    for (uint32_t level = 0; level < depth && level < MAX_FRAMES; level++) {
        g_string_append_printf(out, "#%-3u ", level);
        describe(rank, &frame, out);
        (void)vm_rank_caller(rank, &frame);
    }
    if (depth > MAX_FRAMES)
        g_string_append_printf(out, "... %u more\n", depth - MAX_FRAMES);
}

void mon_locals(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    VmRank *rank = mach_rank(mon_debugger_machine(debugger), index);
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    if (!mon_frame(rank, level, &frame)) {
        g_string_append_printf(out, "rank %u has no frame %u\n", index, level);
        return;
    }
    unsigned shown = 0;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (!vm_variable_in_scope(variable, &frame))
            continue;
        VmValue value = vm_variable_value(variable, &frame);
        g_string_append_printf(out, "%s = ", vcode_text(module, variable->name));
        vm_value_format(rank, &value, out);
        g_string_append_c(out, '\n');
        shown++;
    }
    if (shown == 0)
        g_string_append(out, "no local variables here\n");
}

void mon_list_source(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    VmRank *rank = mach_rank(mon_debugger_machine(debugger), index);
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    bool known = mon_frame(rank, level, &frame) && frame.line != 0;
    uint32_t count = 0;
    g_auto(GStrv) lines = known ? vcode_source_lines(module, frame.file, &count) : NULL;
    if (!lines) {
        g_string_append(out, "the source text is not there\n");
        return;
    }
    uint32_t first = frame.line > LINES_AROUND ? frame.line - LINES_AROUND : 1;
    uint32_t last = (uint32_t)MIN((uint64_t)frame.line + LINES_AROUND, count);
    for (uint32_t number = first; number <= last; number++)
        g_string_append_printf(out, "%s%5u  %s\n", number == frame.line ? "->" : "  ", number, lines[number - 1]);
}
