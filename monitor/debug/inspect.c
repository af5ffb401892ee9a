/* inspect.c - shows a stopped machine: where every rank is, call stacks, local variables, source text. */
#include "base/units.h"
#include "monitor/debug/debug.h"
#include "monitor/look.h"
#include "monitor/report/report.h"
#include <string.h>

#define LINES_AROUND 5
#define MAX_FRAMES   100

static const VcodeModule *module_of(VmRank *rank)
{
    return vm_image_module(vm_rank_image(rank));
}

static bool in_library(VmRank *rank, const VmFrame *frame)
{
    return (module_of(rank)->functions.items[frame->function].flags & VCODE_FUNCTION_LIBRARY) != 0;
}

bool mon_debug_same_file(const char *known, const char *asked)
{
    if (!asked || strcmp(known, asked) == 0)
        return true;
    g_autofree char *base = g_path_get_basename(known);
    return strcmp(base, asked) == 0;
}

const char *mon_debug_state_name(MachRankState state, bool lacks_core)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_RANK_STATES);
    return lacks_core ? "no core" : names[state];
}

void mon_debug_append_place(VmRank *rank, GString *out)
{
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    if (!mon_debug_frame(rank, mon_frame_program_level(rank), &frame))
        return;
    g_string_append_printf(out, "%s", frame.name);
    if (frame.line != 0)
        g_string_append_printf(out, " at %s:%u", vcode_source_name(module, frame.file), frame.line);
}

void mon_debug_info_ranks(MonDebugger *debugger, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    for (uint32_t index = 0; index < mach_run_ranks(machine); index++) {
        VmRank *rank = mach_run_rank(machine, index);
        MachThread thread;
        bool several = mon_debug_looked_at(machine, index, &thread);
        MachRankState state = several ? thread.state : mach_run_rank_state(machine, index);
        g_autofree char *doing = state == MACH_RANK_BLOCKED ? mach_look_waits(machine, index, &thread) : NULL;
        bool ended = state == MACH_RANK_FINISHED || state == MACH_RANK_KILLED;
        MachRankReport report;
        mach_run_rank_report(machine, index, &report);
        g_autofree char *time = base_units_format_time(ended ? report.finish_ps : vm_clock_now(vm_rank_clock(rank)));
        g_string_append_printf(
            out, "%c %4u  %-8s  %14s  ", index == mach_run_stopped_rank(machine) ? '*' : ' ', index,
            mon_debug_state_name(state, several ? thread.lacks_core : mach_run_lacks_core(machine, index)), time);
        if (!ended && vm_rank_depth(rank) > 0)
            mon_debug_append_place(rank, out);
        mon_debug_append_doing(doing, out);
        if (several)
            g_string_append_printf(out, " (thread %" G_GUINT64_FORMAT " of %u)", thread.id,
                                   mon_debug_living(machine, index));
        g_string_append_c(out, '\n');
    }
}

bool mon_debug_info_objects(MonDebugger *debugger, const char *asked, GString *out)
{
    Machine *machine = mon_debugger_machine(debugger);
    const char *sort = NULL;
    for (const char *const *name = mpi_world_lists(); *name && !sort; name++)
        if (*asked && g_str_has_prefix(*name, asked))
            sort = *name;
    if (!sort)
        return false;
    gsize before = out->len;
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++)
        mpi_world_list(mach_run_mpi(machine), rank, sort, out);
    if (out->len == before)
        g_string_append_printf(out, "there are no %s\n", sort);
    return true;
}

uint32_t mon_debug_program_frame(MonDebugger *debugger, uint32_t rank)
{
    return mon_frame_program_level(mach_run_rank(mon_debugger_machine(debugger), rank));
}

static void describe(VmRank *rank, const VmFrame *frame, GString *out)
{
    const VcodeModule *module = module_of(rank);
    g_string_append_printf(out, "%s (", frame->name);
    vm_variable_parameters(rank, frame, SIZE_MAX, out);
    g_string_append_printf(out, ") at %s:%u", vcode_source_name(module, frame->file), frame->line);
    if (frame->inlined != VCODE_NONE)
        g_string_append_printf(out, " <inlined into %s>",
                               vcode_text(module, module->functions.items[frame->function].name));
    g_string_append(out, !frame->upcall            ? "\n"
                         : in_library(rank, frame) ? " <called for a signal or a cancellation>\n"
                                                   : " <called by the MPI library>\n");
}

void mon_debug_describe_frame(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    if (mon_debug_frame(rank, level, &frame))
        describe(rank, &frame, out);
}

uint32_t mon_debug_frames(MonDebugger *debugger, uint32_t index)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    uint32_t depth = 0, shown = 0;
    for (bool more = mon_debug_frame(rank, 0, &frame); more; more = vm_rank_caller(rank, &frame)) {
        depth++;
        if (!in_library(rank, &frame))
            shown = depth;
    }
    return shown > 0 ? shown : depth;
}

void mon_debug_backtrace(MonDebugger *debugger, uint32_t index, GString *out)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    uint32_t depth = mon_debug_frames(debugger, index);
    VmFrame frame;
    if (depth == 0)
        g_string_append_printf(out, "rank %u has ended\n", index);
    (void)mon_debug_frame(rank, 0, &frame);
    for (uint32_t level = 0; level < depth && level < MAX_FRAMES; level++) {
        g_string_append_printf(out, "#%-3u ", level);
        describe(rank, &frame, out);
        (void)vm_rank_caller(rank, &frame);
    }
    if (depth > MAX_FRAMES)
        g_string_append_printf(out, "... %u more\n", depth - MAX_FRAMES);
}

void mon_debug_locals(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    if (!mon_debug_frame(rank, level, &frame)) {
        g_string_append_printf(out, "rank %u has no frame %u\n", index, level);
        return;
    }
    unsigned shown = 0;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (!vm_variable_in_scope(variable, &frame) || vm_variable_is_hidden(module, variable))
            continue;
        VmValue value = mon_thread_storage_value(rank, variable, &frame);
        g_string_append_printf(out, "%s = ", vcode_text(module, variable->name));
        vm_value_format(rank, &value, out);
        g_string_append_c(out, '\n');
        shown++;
    }
    if (shown == 0)
        g_string_append(out, "no local variables here\n");
}

/* -- expressions ------------------------------------------------------------------------------- */

bool mon_debug_print_type(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *text, bool whole,
                          GString *out, GError **error)
{
    MonSpot spot = {mon_debugger_machine(debugger), rank, frame};
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, text, error);
    if (expression)
        mon_expression_type(expression, &spot, whole, out);
    return expression;
}

/* -- source text ------------------------------------------------------------------------------- */

enum { LINES_LISTED = 10 };

bool mon_debug_list_lines(MonDebugger *debugger, uint32_t index, uint32_t level, MonLines *lines, GString *out)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    bool framed = mon_debug_frame(rank, level, &frame) && lines->module == module_of(rank) && frame.file == lines->file;
    uint32_t count = 0;
    g_auto(GStrv) text = vcode_source_lines(lines->module, lines->file, &count);
    if (!text)
        return false;
    lines->last = MIN(lines->last, count);
    for (uint32_t number = MAX(lines->first, 1); number <= lines->last; number++)
        g_string_append_printf(out, "%s%5u  %s\n", framed && number == frame.line ? "->" : "  ", number,
                               text[number - 1]);
    return true;
}

bool mon_debug_present_lines(MonDebugger *debugger, uint32_t index, uint32_t level, MonLines *lines)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    VmFrame frame;
    if (!mon_debug_frame(rank, level, &frame) || frame.line == 0)
        return false;
    *lines = (MonLines){.module = module_of(rank),
                        .file = frame.file,
                        .first = frame.line > LINES_AROUND ? frame.line - LINES_AROUND : 1,
                        .last = (uint32_t)MIN((uint64_t)frame.line + LINES_AROUND, UINT32_MAX)};
    return true;
}

void mon_debug_list_source(MonDebugger *debugger, uint32_t index, uint32_t level, GString *out)
{
    MonLines lines;
    if (!mon_debug_present_lines(debugger, index, level, &lines) ||
        !mon_debug_list_lines(debugger, index, level, &lines, out))
        g_string_append(out, "the source text is not there\n");
}

/* Returns the file that is meant if none is named: that of the frame, or that of main. */
static uint32_t present_file(VmRank *rank, uint32_t level)
{
    const VcodeModule *module = module_of(rank);
    VmFrame frame;
    if (mon_debug_frame(rank, level, &frame) && frame.file != VCODE_NONE && !in_library(rank, &frame))
        return frame.file;
    for (uint32_t i = 0; i < module->functions.count; i++)
        if (strcmp(vcode_text(module, module->functions.items[i].name), "main") == 0)
            return module->functions.items[i].file;
    return VCODE_NONE;
}

static uint32_t named_file(const VcodeModule *module, const char *name)
{
    for (uint32_t i = 0; i < module->files.count; i++)
        if (mon_debug_same_file(vcode_source_name(module, i), name))
            return i;
    return VCODE_NONE;
}

static bool take_line(const char *text, uint32_t *line)
{
    guint64 number;
    bool good = g_ascii_string_to_unsigned(text, 10, 1, UINT32_MAX, &number, NULL);
    *line = good ? (uint32_t)number : 0;
    return good;
}

static const VcodeFunction *named_function(const VcodeModule *module, uint32_t file, const char *name)
{
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if (strcmp(vcode_text(module, function->name), name) == 0 && function->line > 0 &&
            (file == VCODE_NONE || function->file == file))
            return function;
    }
    return NULL;
}

/* Sets the range so that the line is in the middle. */
static void set_around(MonLines *lines, uint32_t line)
{
    lines->first = line > LINES_AROUND ? line - LINES_AROUND : 1;
    lines->last = (uint32_t)MIN((uint64_t)lines->first + LINES_LISTED - 1, UINT32_MAX);
}

/* Reads "12", "5,20", "5," or a function's name, in the file that `lines` gives (VCODE_NONE: no file was named). */
static bool find_in_file(VmRank *rank, uint32_t level, const char *text, MonLines *lines)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    unsigned n = g_strv_length(parts);
    const VcodeFunction *function = n == 1 ? named_function(lines->module, lines->file, text) : NULL;
    uint32_t line;
    if (function) {
        lines->file = function->file;
        set_around(lines, function->line);
        return true;
    }
    if (lines->file == VCODE_NONE)
        lines->file = present_file(rank, level);
    if (n == 0 || n > 2 || lines->file == VCODE_NONE || !take_line(g_strstrip(parts[0]), &line))
        return false;
    if (n == 1) {
        set_around(lines, line);
        return true;
    }
    lines->first = line;
    lines->last = (uint32_t)MIN((uint64_t)line + LINES_LISTED - 1, UINT32_MAX);
    return *g_strstrip(parts[1]) == '\0' || (take_line(parts[1], &lines->last) && lines->last >= line);
}

bool mon_debug_find_lines(MonDebugger *debugger, uint32_t index, uint32_t level, const char *text, MonLines *lines,
                          GError **error)
{
    VmRank *rank = mach_run_rank(mon_debugger_machine(debugger), index);
    const char *colon = strrchr(text, ':');
    g_autofree char *file = colon ? g_strndup(text, (gsize)(colon - text)) : NULL;
    *lines = (MonLines){.module = module_of(rank), .file = VCODE_NONE};
    if (file)
        lines->file = named_file(lines->module, file);
    if (file && lines->file == VCODE_NONE)
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "no file '%s' is part of the program", file);
    else if (find_in_file(rank, level, colon ? colon + 1 : text, lines))
        return true;
    else
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no line or function '%s'", text);
    return false;
}
