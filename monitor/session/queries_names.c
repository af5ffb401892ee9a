/* queries_names.c - answers for front ends: what names there are to complete, where ranks are in the source. */
#include "monitor/session/queries.h"

#include "monitor/report/report.h"

#include <string.h>

static const VcodeModule *module_of(const MonQuestion *q)
{
    return vm_image_module(vm_rank_image(mach_run_rank(q->engine->machine, q->rank)));
}

static gint compare(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In ascending order, each once. */
static void append_names(GPtrArray *names, GString *out)
{
    const char *before = NULL;
    g_ptr_array_sort(names, compare);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        if (g_strcmp0(name, before) != 0)
            g_string_append_printf(out, "%s\n", name);
        before = name;
    }
}

bool mon_queries_names(const MonQuestion *q)
{
    const VcodeModule *module = module_of(q);
    bool files = strcmp(q->argument, "files") == 0, functions = strcmp(q->argument, "functions") == 0;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (!files && !functions && strcmp(q->argument, "globals") != 0) {
        g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "there are no names of '%s'", q->argument);
        return false;
    }
    for (uint32_t i = 0; (files || functions) && i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if (function->flags & VCODE_FUNCTION_LIBRARY || (files && function->file == VCODE_NONE))
            continue;
        g_ptr_array_add(
            names, (char *)(files ? vcode_source_name(module, function->file) : vcode_text(module, function->name)));
    }
    for (uint32_t i = 0; !files && !functions && i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (variable->function == VCODE_NONE && !(variable->flags & VCODE_VARIABLE_LIBRARY))
            g_ptr_array_add(names, (char *)vcode_text(module, variable->name));
    }
    append_names(names, q->out);
    return true;
}

/* -- where ranks are --------------------------------------------------------------------------- */

typedef struct Position {
    const char *file;
    uint32_t line;
    MonRankSet *ranks;
} Position;

static gint compare_positions(gconstpointer a, gconstpointer b)
{
    const Position *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Ranks that are near each other are often at the same line: the last positions are tried first. */
static void add_position(GArray *positions, const char *file, uint32_t line, uint32_t rank)
{
    for (guint i = positions->len; i > 0; i--) {
        Position *position = &g_array_index(positions, Position, i - 1);
        if (position->line == line && strcmp(position->file, file) == 0) {
            mon_ranks_add(position->ranks, rank, rank);
            return;
        }
    }
    Position position = {file, line, mon_ranks_new()};
    mon_ranks_add(position.ranks, rank, rank);
    g_array_append_val(positions, position);
}

void mon_queries_positions(const MonQuestion *q)
{
    g_autoptr(GArray) positions = g_array_new(FALSE, FALSE, sizeof(Position));
    for (uint32_t rank = 0; rank < mach_run_ranks(q->engine->machine); rank++) {
        VmRank *vm = mach_run_rank(q->engine->machine, rank);
        VmFrame frame;
        if (vm_rank_depth(vm) > 0 && mon_debug_frame(vm, mon_debug_program_frame(q->debugger, rank), &frame) &&
            frame.line > 0 && frame.file != VCODE_NONE)
            add_position(positions, vcode_source_name(vm_image_module(vm_rank_image(vm)), frame.file), frame.line,
                         rank);
    }
    g_array_sort(positions, compare_positions);
    for (guint i = 0; i < positions->len; i++) {
        Position *position = &g_array_index(positions, Position, i);
        mon_ranks_append(position->ranks, q->out);
        g_string_append_printf(q->out, "\t%u\t%s\n", position->line, position->file);
        mon_ranks_free(position->ranks);
    }
}
