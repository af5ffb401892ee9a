/* places.c - the instructions that a place means: a line, a function, a call of MPI, an address. */
#include "base/nearest.h"
#include "monitor/report/report.h"
#include "monitor/session/engine.h"

#include <stdlib.h>
#include <string.h>

bool mon_places_in_library(const VcodeModule *module, uint32_t pc)
{
    uint32_t function = vcode_pc_function(module, pc);
    return function == VCODE_NONE || (module->functions.items[function].flags & VCODE_FUNCTION_LIBRARY) != 0;
}

/* -- lines ------------------------------------------------------------------------------------- */

/* Splits "file.c:12" or "12". Returns line 0 if `where` is neither. */
static uint32_t parse_line(const char *where, char **file)
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

static bool is_statement(const VcodeModule *module, const VcodeLine *line, const char *file)
{
    return (line->flags & VCODE_LINE_STATEMENT) != 0 && !mon_places_in_library(module, line->pc) &&
           mon_debug_same_file(vcode_source_name(module, line->file), file);
}

/* Finds the first statement of each function on the given line, or on the nearest later line that has code. */
static void find_line(const VcodeModule *module, const char *file, uint32_t wanted, GArray *places)
{
    uint32_t best = UINT32_MAX, last_function = VCODE_NONE, last_inlined = VCODE_NONE;
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        if (line->line >= wanted && line->line < best && is_statement(module, line, file))
            best = line->line;
    }
    for (uint32_t i = 0; best != UINT32_MAX && i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        if (line->line != best || !is_statement(module, line, file))
            continue;
        uint32_t function = vcode_pc_function(module, line->pc);
        if (function != last_function || line->inlined != last_inlined)
            g_array_append_val(places, line->pc);
        last_function = function;
        last_inlined = line->inlined;
    }
}

/* -- functions --------------------------------------------------------------------------------- */

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

/* Static functions of several files may have the same name. */
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
                break;
            }
        }
    }
}

/* Finds the calls of a function that the simulator provides. The runtime's own calls of it count as well. */
static void find_calls(const VcodeModule *module, const char *name, GArray *places)
{
    for (uint32_t pc = 0; pc < module->code.count; pc++) {
        VcodeInstr instruction = module->code.items[pc];
        if (vcode_op(instruction) == VCODE_CALLX &&
            strcmp(vcode_text(module, module->externs.items[vcode_imm32(instruction)].name), name) == 0)
            g_array_append_val(places, pc);
    }
}

/* "*12" or "*0x12": the number of an instruction, as `orrery dis` and `info` say it. */
static bool parse_address(const char *where, const VcodeModule *module, uint32_t *pc)
{
    char *end;
    if (*where != '*' || !g_ascii_isdigit(where[1]))
        return false;
    guint64 number = g_ascii_strtoull(where + 1, &end, 0);
    *pc = (uint32_t)number;
    return *end == '\0' && number < module->code.count;
}

bool mon_places_find(Machine *machine, const VcodeModule *module, const char *where, GArray *places)
{
    g_autofree char *file = NULL;
    uint32_t line = parse_line(where, &file), pc;
    (void)machine;
    if (*where == '*') {
        if (parse_address(where, module, &pc))
            g_array_append_val(places, pc);
        return true;
    }
    if (line > 0)
        find_line(module, file, line, places);
    else
        find_function(module, where, places);
    if (line > 0 || places->len > 0)
        return false;
    find_calls(module, where, places);
    return places->len > 0;
}

/* -- texts ------------------------------------------------------------------------------------- */

void mon_places_describe(const VcodeModule *module, const char *where, const GArray *places, GString *out)
{
    g_autofree char *file = NULL;
    uint32_t asked = parse_line(where, &file), pc = g_array_index(places, uint32_t, 0);
    const VcodeLine *line = vcode_pc_line(module, pc);
    if (vcode_op(module->code.items[pc]) == VCODE_CALLX && asked == 0 && *where != '*') {
        g_string_append_printf(out, "%u call%s of %s", places->len, places->len == 1 ? "" : "s", where);
        return;
    }
    g_string_append_printf(out, "%s:%u", line ? vcode_source_name(module, line->file) : "?", line ? line->line : 0);
    if (asked > 0 && line && line->line != asked)
        g_string_append_printf(out, " (line %u has no code)", asked);
    else if (asked == 0)
        g_string_append_printf(out, " (%s)", where);
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

static void try_names(const VcodeModule *module, BaseNearest *nearest)
{
    for (uint32_t i = 0; i < module->functions.count; i++)
        if ((module->functions.items[i].flags & VCODE_FUNCTION_LIBRARY) == 0)
            base_nearest_try(nearest, vcode_text(module, module->functions.items[i].name));
    for (uint32_t i = 0; i < module->externs.count; i++)
        base_nearest_try(nearest, vcode_text(module, module->externs.items[i].name));
}

void mon_places_refuse(Machine *machine, const char *where, GError **error)
{
    g_autofree char *file = NULL;
    uint32_t line = parse_line(where, &file);
    const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(machine, 0)));
    BaseNearest nearest = base_nearest_of(where);
    if (module->lines.count == 0)
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE,
                    "the program has no line numbers: compile it with `orrery cc -g`, or name a function");
    else if (*where == '*')
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no instruction '%s': they are *0 to *%u", where,
                    module->code.count - 1);
    else if (file && !known_file(machine, file))
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "no file '%s' is part of the program", file);
    else if (line > 0)
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no code at or after %s", where);
    else {
        try_names(module, &nearest);
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no line or function '%s'%s%s%s", where,
                    nearest.best ? "; is it " : "", nearest.best ? nearest.best : "", nearest.best ? "?" : "");
    }
}
