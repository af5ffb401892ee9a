/* queries_data.c - answers for programs that show them in their own way: JSON.
 *
 * Texts of the simulated program may have any bytes: what is no UTF-8 is replaced.
 */
#include "monitor/report/report.h"
#include "monitor/session/queries.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 2000, MOST_NAMES = 200, MOST_BYTES = 1 << 20, MOST_CODE = 10000 };

static json_t *text_of(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static bool tell(const MonQuestion *q, json_t *answer)
{
    char *text = json_dumps(answer, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(answer);
    g_string_append(q->out, text);
    free(text);
    return true;
}

static VmRank *rank_of(const MonQuestion *q)
{
    return mach_run_rank(q->engine->machine, q->rank);
}

static const VcodeModule *module_of(const MonQuestion *q)
{
    return vm_image_module(vm_rank_image(rank_of(q)));
}

/* -- ranks and frames -------------------------------------------------------------------------- */

static json_t *describe_rank(const MonQuestion *q, uint32_t index)
{
    Machine *machine = q->engine->machine;
    VmRank *vm = mach_run_rank(machine, index);
    MachThread thread;
    bool several = mon_debug_looked_at(machine, index, &thread);
    MachRankState state = several ? thread.state : mach_run_rank_state(machine, index);
    bool ended = state == MACH_RANK_FINISHED || state == MACH_RANK_KILLED;
    g_autofree char *doing = state == MACH_RANK_BLOCKED ? mach_look_waits(machine, index, &thread) : NULL;
    g_autoptr(GString) place = g_string_new(NULL);
    MachRankReport report;
    mach_run_rank_report(machine, index, &report);
    if (!ended && vm_rank_depth(vm) > 0)
        mon_debug_append_place(vm, place);
    bool lacks_core = several ? thread.lacks_core : mach_run_lacks_core(machine, index);
    json_t *one = json_pack("{s:i, s:s, s:b, s:o, s:o, s:I}", "rank", (int)index, "state",
                            mon_debug_state_name(state, lacks_core), "ended", ended, "place", text_of(place->str),
                            "doing", text_of(doing ? doing : ""), "time_ps",
                            (json_int_t)(ended ? report.finish_ps : vm_clock_now(vm_rank_clock(vm))));
    if (several && !ended) {
        g_autoptr(GArray) ids = mon_debug_threads(q->debugger, index);
        json_t *threads = json_array();
        for (guint i = 0; i < ids->len; i++)
            json_array_append_new(threads, json_integer((json_int_t)g_array_index(ids, uint64_t, i)));
        json_object_set_new(one, "threads", threads);
    }
    return one;
}

bool mon_queries_data_ranks(const MonQuestion *q)
{
    json_t *all = json_array();
    for (uint32_t rank = 0; rank < mach_run_ranks(q->engine->machine); rank++)
        json_array_append_new(all, describe_rank(q, rank));
    return tell(q, all);
}

bool mon_queries_data_stack(const MonQuestion *q)
{
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    VmFrame frame;
    uint32_t level = 0;
    for (bool more = mon_debug_frame(rank_of(q), 0, &frame); more && level < MOST_FRAMES;
         more = vm_rank_caller(rank_of(q), &frame), level++) {
        bool library = (module->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) != 0;
        bool known = frame.file != VCODE_NONE && frame.line > 0;
        json_array_append_new(
            all, json_pack("{s:i, s:o, s:o, s:i, s:i, s:b}", "level", (int)level, "name", text_of(frame.name), "file",
                           known ? text_of(vcode_source_name(module, frame.file)) : json_null(), "line",
                           known ? (int)frame.line : 0, "pc", (int)frame.pc, "library", library));
    }
    return tell(q, all);
}

/* -- values ------------------------------------------------------------------------------------ */

static json_t *describe_value(const MonQuestion *q, const char *name, const char *text)
{
    MonSpot spot = {q->engine->machine, q->rank, q->frame};
    MonFormat format = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL), type = g_string_new(NULL);
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, text, &error);
    json_t *one = json_pack("{s:o, s:o}", "name", text_of(name), "expression", text_of(text));
    bool indexed = false, good = expression && mon_expression_print(expression, &spot, &format, value, &error);
    uint64_t address, bytes;
    if (expression)
        mon_expression_type(expression, &spot, false, type);
    json_object_set_new(one, "type", text_of(type->str));
    if (!good)
        json_object_set_new(one, "error", text_of(error->message));
    else
        json_object_set_new(one, "value", text_of(value->str));
    json_object_set_new(one, "parts",
                        json_integer(good ? (json_int_t)mon_expression_parts(expression, &spot, &indexed) : 0));
    json_object_set_new(one, "indexed", json_boolean(indexed));
    json_object_set_new(one, "changes", json_boolean(expression && mon_expression_changes(expression)));
    if (good && mon_expression_memory(expression, &spot, &address, &bytes, NULL)) {
        json_object_set_new(one, "address", json_integer((json_int_t)address));
        json_object_set_new(one, "bytes", json_integer((json_int_t)bytes));
    }
    return one;
}

static bool belongs(const MonQuestion *q, const VcodeModule *module, const VcodeVariable *variable,
                    const VmFrame *frame, bool framed)
{
    bool parameter = (variable->flags & VCODE_VARIABLE_PARAMETER) != 0, global = variable->function == VCODE_NONE;
    if (strcmp(q->argument, "globals") == 0)
        return global && !vm_variable_is_hidden(module, variable);
    return framed && !global && parameter == (strcmp(q->argument, "arguments") == 0) &&
           vm_variable_in_scope(variable, frame) && !vm_variable_is_hidden(module, variable);
}

bool mon_queries_data_variables(const MonQuestion *q)
{
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    VmFrame frame;
    bool framed = mon_debug_frame(rank_of(q), q->frame, &frame);
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (!belongs(q, module, variable, &frame, framed))
            continue;
        const char *name = vcode_text(module, variable->name);
        if (mon_frame_find_variable(module, framed ? &frame : NULL, name) == i) /* else an inner one hides it */
            json_array_append_new(all, describe_value(q, name, name));
    }
    return tell(q, all);
}

bool mon_queries_data_value(const MonQuestion *q)
{
    return tell(q, describe_value(q, q->argument, q->argument));
}

bool mon_queries_data_parts(const MonQuestion *q)
{
    MonSpot spot = {q->engine->machine, q->rank, q->frame};
    char *rest;
    uint64_t first = g_ascii_strtoull(q->argument, &rest, 10), count = g_ascii_strtoull(rest, &rest, 10);
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, rest + strspn(rest, " "), q->error);
    if (!expression)
        return false;
    json_t *all = json_array();
    g_autoptr(GPtrArray) parts = mon_expression_part_names(expression, &spot, first, count);
    for (guint i = 0; i + 1 < parts->len; i += 2)
        json_array_append_new(all, describe_value(q, g_ptr_array_index(parts, i), g_ptr_array_index(parts, i + 1)));
    return tell(q, all);
}

/* -- sources and code -------------------------------------------------------------------------- */

/* Marks the files that have code of the program's own functions. */
static bool *own_files(const VcodeModule *module)
{
    bool *own = g_new0(bool, module->files.count + 1);
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        uint32_t function = vcode_pc_function(module, line->pc);
        if (line->file < module->files.count && function != VCODE_NONE &&
            !(module->functions.items[function].flags & VCODE_FUNCTION_LIBRARY))
            own[line->file] = true;
    }
    return own;
}

bool mon_queries_data_sources(const MonQuestion *q)
{
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    g_autofree bool *own = own_files(module);
    for (uint32_t i = 0; i < module->files.count; i++)
        if (own[i])
            json_array_append_new(all, text_of(vcode_source_name(module, i)));
    return tell(q, all);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool mon_queries_data_lines(const MonQuestion *q)
{
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        if (line->line && mon_debug_same_file(vcode_source_name(module, line->file), q->argument))
            g_array_append_val(lines, line->line);
    }
    g_array_sort(lines, by_number);
    for (guint i = 0; i < lines->len; i++)
        if (i == 0 || g_array_index(lines, uint32_t, i) != g_array_index(lines, uint32_t, i - 1))
            json_array_append_new(all, json_integer(g_array_index(lines, uint32_t, i)));
    return tell(q, all);
}

bool mon_queries_data_bytes(const MonQuestion *q)
{
    char *rest;
    uint64_t address = g_ascii_strtoull(q->argument, &rest, 10), count = g_ascii_strtoull(rest, NULL, 10);
    g_autoptr(GString) digits = g_string_new(NULL);
    for (uint64_t i = 0; i < MIN(count, MOST_BYTES); i++) {
        const uint8_t *byte = vm_rank_peek(rank_of(q), address + i, 1);
        if (!byte)
            break;
        g_string_append_printf(digits, "%02x", *byte);
    }
    return tell(q, json_string(digits->str));
}

bool mon_queries_data_code(const MonQuestion *q)
{
    char *rest;
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    uint64_t first = g_ascii_strtoull(q->argument, &rest, 10), count = g_ascii_strtoull(rest, NULL, 10);
    for (uint64_t pc = first; pc < module->code.count && pc - first < MIN(count, MOST_CODE); pc++) {
        g_autoptr(GString) text = g_string_new(NULL);
        uint32_t function = vcode_pc_function(module, (uint32_t)pc);
        const VcodeLine *line = vcode_pc_line(module, (uint32_t)pc);
        vcode_disassemble_instruction(module, (uint32_t)pc, text);
        g_strstrip(text->str);
        const char *name = function == VCODE_NONE ? "" : vcode_text(module, module->functions.items[function].name);
        json_t *one =
            json_pack("{s:I, s:o, s:o}", "pc", (json_int_t)pc, "text", text_of(text->str), "name", text_of(name));
        if (line && line->line && line->file != VCODE_NONE) {
            json_object_set_new(one, "file", text_of(vcode_source_name(module, line->file)));
            json_object_set_new(one, "line", json_integer(line->line));
        }
        json_array_append_new(all, one);
    }
    return tell(q, all);
}

/* -- names ------------------------------------------------------------------------------------- */

static void add_name(json_t *all, GHashTable *known, const char *name, const char *prefix, const char *kind)
{
    if (!g_str_has_prefix(name, prefix) || g_hash_table_size(known) >= MOST_NAMES ||
        !g_hash_table_add(known, (gpointer)name))
        return;
    json_array_append_new(all, json_pack("{s:o, s:s}", "name", text_of(name), "kind", kind));
}

bool mon_queries_data_names(const MonQuestion *q)
{
    json_t *all = json_array();
    const VcodeModule *module = module_of(q);
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    VmFrame frame;
    bool framed = mon_debug_frame(rank_of(q), q->frame, &frame);
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        bool global = variable->function == VCODE_NONE;
        if (!vm_variable_is_hidden(module, variable) && (global || (framed && vm_variable_in_scope(variable, &frame))))
            add_name(all, known, vcode_text(module, variable->name), q->argument, "variable");
    }
    for (uint32_t i = 0; i < module->functions.count; i++)
        if (!(module->functions.items[i].flags & VCODE_FUNCTION_LIBRARY))
            add_name(all, known, vcode_text(module, module->functions.items[i].name), q->argument, "function");
    return tell(q, all);
}
