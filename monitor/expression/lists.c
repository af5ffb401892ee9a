/* lists.c - what is in scope at a place: arguments of the call, variables with their types and homes, the line. */
#include "compiler/tree/tree.h"
#include "monitor/expression/values.h"

#include <string.h>

/* Parameters of the call, in their order. */
void mon_expression_arguments(const MonSpot *spot, GString *out)
{
    MonScope scope;
    unsigned shown = 0;
    (void)mon_expression_open(&scope, NULL, spot, NULL);
    for (uint32_t i = 0; scope.framed && i < scope.module->variables.count; i++) {
        const VcodeVariable *variable = &scope.module->variables.items[i];
        bool parameter = (variable->flags & VCODE_VARIABLE_PARAMETER) != 0;
        if (!parameter || variable->function != scope.frame.function || variable->inlined != scope.frame.inlined)
            continue;
        VmValue value;
        bool here = vm_variable_in_scope(variable, &scope.frame);
        if (here)
            value = mon_thread_storage_value(scope.rank, variable, &scope.frame);
        g_string_append_printf(out, "%s = ", vcode_text(scope.module, variable->name));
        if (here || vm_variable_remains(variable, &scope.frame, scope.module, &value))
            vm_value_format(scope.rank, &value, out);
        else
            g_string_append(out, "<optimized out>");
        g_string_append_c(out, '\n');
        shown++;
    }
    if (shown == 0)
        g_string_append(out, "this function has no arguments\n");
}

static void append_home(const MonScope *scope, const VcodeVariable *variable, GString *out)
{
    VmValue value = mon_thread_storage_value(scope->rank, variable, &scope->frame);
    switch (variable->location) {
    case VCODE_AT_REGISTER: g_string_append_printf(out, "in register %" G_GINT64_FORMAT, variable->where); break;
    case VCODE_AT_CONSTANT: g_string_append(out, "a constant here"); break;
    case VCODE_AT_PLACES: {
        uint8_t byte;
        bool there = vm_value_copy(scope->rank, &value, &byte, 1, NULL);
        g_string_append(out, there ? "in registers" : "optimized out here: -O0 keeps it in memory");
        break;
    }
    default: g_string_append_printf(out, "at 0x%" G_GINT64_MODIFIER "x", value.bits);
    }
}

void mon_expression_visible(const MonSpot *spot, GString *out)
{
    MonScope scope;
    unsigned shown = 0;
    (void)mon_expression_open(&scope, NULL, spot, NULL);
    for (uint32_t i = 0; scope.framed && i < scope.module->variables.count; i++) {
        const VcodeVariable *variable = &scope.module->variables.items[i];
        if (!vm_variable_in_scope(variable, &scope.frame) || vm_variable_is_hidden(scope.module, variable))
            continue;
        const char *name = vcode_text(scope.module, variable->name);
        bool hidden =
            &scope.module->variables.items[mon_frame_find_variable(scope.module, &scope.frame, name)] != variable;
        g_string_append_printf(out, "%s: ", name);
        vm_type_format_in(scope.rank, &scope.frame, variable->type, out);
        g_string_append_printf(out, ", line %u, ", variable->line);
        append_home(&scope, variable, out);
        g_string_append(out, hidden ? ", hidden by an inner one\n" : "\n");
        shown++;
    }
    if (shown == 0)
        g_string_append(out, "no local variables here\n");
}

void mon_expression_line(const MonSpot *spot, GString *out)
{
    MonScope scope;
    (void)mon_expression_open(&scope, NULL, spot, NULL);
    if (!scope.framed || scope.frame.line == 0) {
        g_string_append(out,
                        scope.framed ? "this code has no line: it was compiled without -g\n" : "the rank has ended\n");
        return;
    }
    const VcodeFunction *function = &scope.module->functions.items[scope.frame.function];
    uint32_t first = scope.frame.pc, last = scope.frame.pc, end = function->code_start + function->code_count;
    const VcodeLine *line = vcode_pc_line(scope.module, scope.frame.pc), *other;
    while (first > function->code_start && (other = vcode_pc_line(scope.module, first - 1)) && line &&
           other->line == line->line && other->file == line->file)
        first--;
    while (last + 1 < end && (other = vcode_pc_line(scope.module, last + 1)) && line && other->line == line->line &&
           other->file == line->file)
        last++;
    g_string_append_printf(out, "line %u of %s, in %s: instructions %u to %u of %s\n", scope.frame.line,
                           vcode_source_name(scope.module, scope.frame.file), scope.frame.name,
                           first - function->code_start, last - function->code_start,
                           vcode_text(scope.module, function->name));
}
