/* debugger.c - breakpoints and stepping: what the terminal, the editor and the graphical debugger share.
 *
 * Before each statement of each rank the VM asks whether to stop there. The answer follows from the breakpoints and the
 * step in progress. Stopping changes nothing that the program can see: ranks that are stopped are merely not resumed,
 * and mach_run() goes on with the same event as if nothing had happened.
 */
#include "monitor/debug/debug.h"
#include "monitor/report/report.h"
#include <stdlib.h>
#include <string.h>

/* A breakpoint, with all instructions at which it stops. */
typedef struct Breakpoint {
    unsigned number;
    char *where;
    const VcodeModule *module;
    GArray *places; /* uint32_t: instruction indices */
    unsigned hits;
    uint64_t ignore; /* how many more times it does not stop */
} Breakpoint;

typedef enum StepKind { STEP_NONE, STEP_INTO, STEP_OVER, STEP_OUT } StepKind;

struct MonDebugger {
    Machine *machine;
    GPtrArray *breakpoints;
    unsigned next_number;
    StepKind step;
    uint32_t step_rank, step_line, step_file;
    uint64_t step_thread; /* id */
    uint64_t step_depth;
    uint64_t outer_depth; /* depth of the nearest caller that belongs to the program itself; 0: none */
    MonEvent event;       /* the event that on_statement() reports when it stops */
};

static void breakpoint_free(void *item)
{
    Breakpoint *breakpoint = item;
    g_free(breakpoint->where);
    g_array_unref(breakpoint->places);
    g_free(breakpoint);
}

/* -- the hook ---------------------------------------------------------------------------------- */

static Breakpoint *breakpoint_at(MonDebugger *debugger, const VcodeModule *module, uint32_t pc)
{
    for (guint i = 0; i < debugger->breakpoints->len; i++) {
        Breakpoint *breakpoint = g_ptr_array_index(debugger->breakpoints, i);
        for (guint k = 0; breakpoint->module == module && k < breakpoint->places->len; k++)
            if (g_array_index(breakpoint->places, uint32_t, k) == pc)
                return breakpoint;
    }
    return NULL;
}

/* Deeper calls give greater values, inlined calls too. */
static uint64_t depth_of(VmRank *rank, const VcodeModule *module, const VmFrame *frame)
{
    return (uint64_t)(vm_rank_depth(rank) - frame->level) << 32 | vcode_inline_depth(module, frame->inlined);
}

/* Another thread of the rank is at a statement. If the one that steps has ended, its step ends there. */
static bool step_is_over(MonDebugger *debugger)
{
    if (mach_look_lives(debugger->machine, debugger->step_rank, debugger->step_thread))
        return false;
    debugger->event.over = debugger->step_thread;
    return true;
}

static bool step_ends_here(MonDebugger *debugger, VmRank *rank, const VcodeModule *module, uint32_t pc)
{
    if (debugger->step == STEP_NONE || vm_rank_index(rank) != debugger->step_rank)
        return false;
    if (mach_look_thread(debugger->machine, debugger->step_rank) != debugger->step_thread)
        return step_is_over(debugger);
    uint64_t depth = (uint64_t)vm_rank_depth(rank) << 32 | vcode_inline_depth(module, vcode_pc_inlined(module, pc));
    if (depth <= debugger->outer_depth)
        return true;
    /* Depths in between: qsort() and the like have called back into the program. */
    if (debugger->step == STEP_OUT || (debugger->step == STEP_OVER && depth != debugger->step_depth))
        return false;
    const VcodeLine *line = vcode_pc_line(module, pc);
    return depth != debugger->step_depth || !line || line->line != debugger->step_line ||
           line->file != debugger->step_file;
}

static bool in_library(const VcodeModule *module, uint32_t pc)
{
    uint32_t function = vcode_pc_function(module, pc);
    return function == VCODE_NONE || (module->functions.items[function].flags & VCODE_FUNCTION_LIBRARY) != 0;
}

static bool on_statement(VmRank *rank, uint32_t pc, void *user)
{
    MonDebugger *debugger = user;
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    Breakpoint *breakpoint = breakpoint_at(debugger, module, pc);
    bool ignored = breakpoint && breakpoint->ignore > 0;
    if (breakpoint)
        breakpoint->hits++;
    if (ignored)
        breakpoint->ignore--;
    if (breakpoint && !ignored) {
        debugger->event =
            (MonEvent){.reason = MON_BREAKPOINT, .rank = vm_rank_index(rank), .breakpoint = breakpoint->number};
        return true;
    }
    debugger->event = (MonEvent){.reason = MON_STEP, .rank = vm_rank_index(rank)};
    return !in_library(module, pc) && step_ends_here(debugger, rank, module, pc);
}

MonDebugger *mon_debugger_new(Machine *machine)
{
    MonDebugger *debugger = g_new0(MonDebugger, 1);
    debugger->machine = machine;
    debugger->breakpoints = g_ptr_array_new_with_free_func(breakpoint_free);
    debugger->next_number = 1;
    mach_run_set_hook(machine, on_statement, debugger);
    mach_run_count_locks(machine);
    return debugger;
}

void mon_debugger_free(MonDebugger *debugger)
{
    if (!debugger)
        return;
    mach_run_set_hook(debugger->machine, NULL, NULL);
    g_ptr_array_unref(debugger->breakpoints);
    g_free(debugger);
}

/* -- breakpoints ------------------------------------------------------------------------------- */

/* Finds the first statement of each function on the given line, or on the nearest later line that has code. */
static uint32_t find_line(const VcodeModule *module, const char *file, uint32_t wanted, GArray *places)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        if ((line->flags & VCODE_LINE_STATEMENT) != 0 && line->line >= wanted && line->line < best &&
            !in_library(module, line->pc) && mon_debug_same_file(vcode_source_name(module, line->file), file))
            best = line->line;
    }
    uint32_t last_function = VCODE_NONE, last_inlined = VCODE_NONE;
    for (uint32_t i = 0; best != UINT32_MAX && i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        if ((line->flags & VCODE_LINE_STATEMENT) == 0 || line->line != best || in_library(module, line->pc) ||
            !mon_debug_same_file(vcode_source_name(module, line->file), file))
            continue;
        uint32_t function = vcode_pc_function(module, line->pc);
        if (function != last_function || line->inlined != last_inlined)
            g_array_append_val(places, line->pc);
        last_function = function;
        last_inlined = line->inlined;
    }
    return best;
}

/* Finds the first statement of each expansion of the function, wherever it was inlined. */
static void find_inlined(const VcodeModule *module, const char *name, GArray *places)
{
    for (uint32_t i = 0; i < module->inlines.count; i++) {
        if (strcmp(vcode_text(module, module->inlines.items[i].name), name) != 0)
            continue;
        for (uint32_t k = 0; k < module->lines.count; k++) {
            const VcodeLine *line = &module->lines.items[k];
            if ((line->flags & VCODE_LINE_STATEMENT) != 0 && vcode_inline_within(module, line->inlined, i)) {
                g_array_append_val(places, line->pc);
                break;
            }
        }
    }
}

static void find_function(const VcodeModule *module, const char *name, GArray *places)
{
    find_inlined(module, name, places);
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if (strcmp(vcode_text(module, function->name), name) != 0)
            continue;
        for (uint32_t k = 0; k < module->lines.count; k++) {
            const VcodeLine *line = &module->lines.items[k];
            if (line->pc >= function->code_start && line->pc < function->code_start + function->code_count &&
                (line->flags & VCODE_LINE_STATEMENT) != 0) {
                g_array_append_val(places, line->pc);
                return;
            }
        }
    }
}

/* Splits "file.c:12" or "12". Returns line 0 if `where` is neither. */
static uint32_t parse_place(const char *where, char **file)
{
    const char *colon = strrchr(where, ':');
    const char *digits = colon ? colon + 1 : where;
    char *end;
    unsigned long line = strtoul(digits, &end, 10);
    if (!g_ascii_isdigit(*digits) || *end != '\0' || line > UINT32_MAX)
        return 0;
    *file = colon ? g_strndup(where, (gsize)(colon - where)) : NULL;
    return (uint32_t)line;
}

static bool known_file(Machine *machine, const char *file)
{
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++) {
        const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(machine, rank)));
        for (uint32_t i = 0; i < module->files.count; i++)
            if (mon_debug_same_file(vcode_source_name(module, i), file))
                return true;
    }
    return false;
}

unsigned mon_debug_break_add(MonDebugger *debugger, const char *where, GError **error)
{
    g_autofree char *file = NULL;
    uint32_t line = parse_place(where, &file);
    const VcodeModule *done = NULL;
    unsigned number = 0;
    for (uint32_t rank = 0; rank < mach_run_ranks(debugger->machine); rank++) {
        const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(debugger->machine, rank)));
        if (module == done)
            continue;
        done = module;
        g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        if (line > 0)
            find_line(module, file, line, places);
        else
            find_function(module, where, places);
        if (places->len == 0)
            continue;
        Breakpoint *breakpoint = g_new0(Breakpoint, 1);
        number = number != 0 ? number : debugger->next_number++;
        *breakpoint =
            (Breakpoint){.number = number, .where = g_strdup(where), .module = module, .places = g_array_ref(places)};
        g_ptr_array_add(debugger->breakpoints, breakpoint);
    }
    if (number == 0 && file && !known_file(debugger->machine, file))
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "no file '%s' is part of the program", file);
    else if (number == 0 && line > 0)
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no code at or after %s", where);
    else if (number == 0)
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no line or function '%s'", where);
    return number;
}

void mon_debug_break_reserve(MonDebugger *debugger, unsigned number)
{
    debugger->next_number = MAX(debugger->next_number, number);
}

bool mon_debug_break_remove(MonDebugger *debugger, unsigned number)
{
    bool found = false;
    for (guint i = debugger->breakpoints->len; i > 0; i--) {
        const Breakpoint *breakpoint = g_ptr_array_index(debugger->breakpoints, i - 1);
        if (breakpoint->number == number) {
            g_ptr_array_remove_index(debugger->breakpoints, i - 1);
            found = true;
        }
    }
    return found;
}

bool mon_debug_break_ignore(MonDebugger *debugger, unsigned number, uint64_t count)
{
    bool found = false;
    for (guint i = 0; i < debugger->breakpoints->len; i++) {
        Breakpoint *breakpoint = g_ptr_array_index(debugger->breakpoints, i);
        if (breakpoint->number == number)
            breakpoint->ignore = count;
        found = found || breakpoint->number == number;
    }
    return found;
}

static void append_line(const Breakpoint *breakpoint, GString *out)
{
    const VcodeLine *line = vcode_pc_line(breakpoint->module, g_array_index(breakpoint->places, uint32_t, 0));
    g_string_append_printf(out, "%s:%u", line ? vcode_source_name(breakpoint->module, line->file) : "?",
                           line ? line->line : 0);
}

void mon_debug_break_describe(const MonDebugger *debugger, unsigned number, GString *out)
{
    for (guint i = 0; i < debugger->breakpoints->len; i++) {
        const Breakpoint *breakpoint = g_ptr_array_index(debugger->breakpoints, i);
        if (breakpoint->number != number)
            continue;
        g_autofree char *file = NULL;
        uint32_t asked = parse_place(breakpoint->where, &file);
        const VcodeLine *line = vcode_pc_line(breakpoint->module, g_array_index(breakpoint->places, uint32_t, 0));
        append_line(breakpoint, out);
        if (asked > 0 && line && line->line != asked)
            g_string_append_printf(out, " (line %u has no code)", asked);
        else if (asked == 0)
            g_string_append_printf(out, " (%s)", breakpoint->where);
        return;
    }
}

void mon_debug_break_list(const MonDebugger *debugger, GString *out)
{
    for (guint i = 0; i < debugger->breakpoints->len; i++) {
        const Breakpoint *breakpoint = g_ptr_array_index(debugger->breakpoints, i);
        g_string_append_printf(out, "%u  %s  at ", breakpoint->number, breakpoint->where);
        append_line(breakpoint, out);
        g_string_append_printf(out, ", reached %u time%s\n", breakpoint->hits, breakpoint->hits == 1 ? "" : "s");
    }
    if (debugger->breakpoints->len == 0)
        g_string_append(out, "no breakpoints\n");
}

/* -- running ----------------------------------------------------------------------------------- */

MonEvent mon_debug_continue(MonDebugger *debugger)
{
    MachStop stop = mach_run(debugger->machine);
    debugger->step = STEP_NONE;
    if (stop == MACH_STOP_HOOK)
        return debugger->event;
    return (MonEvent){.reason = MON_ENDED, .rank = mach_run_stopped_rank(debugger->machine), .stop = stop};
}

static uint64_t outer_depth(VmRank *rank, VmFrame frame)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    while (vm_rank_caller(rank, &frame))
        if ((module->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) == 0)
            return depth_of(rank, module, &frame);
    return 0;
}

static MonEvent start_step(MonDebugger *debugger, uint32_t rank, StepKind kind)
{
    VmRank *process = mach_run_rank(debugger->machine, rank);
    VmFrame frame;
    debugger->step = kind;
    debugger->step_rank = rank;
    debugger->step_thread = mach_look_thread(debugger->machine, rank);
    debugger->step_depth = debugger->outer_depth = 0;
    debugger->step_line = 0;
    debugger->step_file = VCODE_NONE;
    if (mon_debug_frame(process, 0, &frame)) {
        debugger->step_depth = depth_of(process, vm_image_module(vm_rank_image(process)), &frame);
        debugger->outer_depth = outer_depth(process, frame);
        debugger->step_line = frame.line;
        debugger->step_file = frame.file;
    }
    return mon_debug_continue(debugger);
}

MonEvent mon_debug_step(MonDebugger *debugger, uint32_t rank, bool into)
{
    return start_step(debugger, rank, into ? STEP_INTO : STEP_OVER);
}

MonEvent mon_debug_finish(MonDebugger *debugger, uint32_t rank)
{
    return start_step(debugger, rank, STEP_OUT);
}

Machine *mon_debugger_machine(MonDebugger *debugger)
{
    return debugger->machine;
}
