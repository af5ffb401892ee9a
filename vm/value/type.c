/* type.c - the types that the compiler recorded: what is behind their names, how C writes them, how large they are. */
#include "vm/value.h"

#include <string.h>

#define MAX_TYPE_DEPTH 64

const VcodeType *vm_type_record(const VcodeModule *module, uint32_t type)
{
    return type < module->types.count ? &module->types.items[type] : NULL;
}

uint32_t vm_type_strip(const VcodeModule *module, uint32_t type)
{
    for (int depth = 0; depth < 64; depth++) {
        const VcodeType *record = vm_type_record(module, type);
        if (!record || record->kind != VCODE_TYPE_TYPEDEF)
            return type;
        type = record->target;
    }
    return VCODE_NONE;
}

static const char *tag_word(uint32_t kind)
{
    switch (kind) {
    case VCODE_TYPE_STRUCT: return "struct ";
    case VCODE_TYPE_UNION: return "union ";
    case VCODE_TYPE_ENUM: return "enum ";
    default: return "";
    }
}

static void append_base(const VcodeModule *module, const VcodeType *record, GString *out)
{
    const char *name = record ? vcode_text(module, record->name) : "long";
    if (record && record->kind == VCODE_TYPE_VOID)
        g_string_append(out, "void");
    else
        g_string_append_printf(out, "%s%s", record ? tag_word(record->kind) : "", *name ? name : "{...}");
}

static bool binds_tighter(const VcodeType *record)
{
    return record && (record->kind == VCODE_TYPE_ARRAY || record->kind == VCODE_TYPE_FUNCTION);
}

/* Writes the type from the outside in, as C writes declarators: the part still to be written goes in the middle.
 * Pointers may form circles if the module's types are forged. `rank` is NULL if there is no frame. */
static void format_type(const VcodeModule *module, VmRank *rank, const VmFrame *frame, uint32_t type, GString *out)
{
    g_autoptr(GString) declarator = g_string_new(NULL);
    const VcodeType *record = vm_type_record(module, type);
    uint64_t count;
    for (int depth = 0; record; depth++) {
        const VcodeType *target = vm_type_record(module, record->target);
        if (depth == MAX_TYPE_DEPTH) {
            g_string_append(out, "...");
            return;
        }
        if (record->kind == VCODE_TYPE_POINTER) {
            g_string_prepend(declarator, binds_tighter(target) ? "(*" : "*");
            if (binds_tighter(target))
                g_string_append_c(declarator, ')');
        } else if (record->kind == VCODE_TYPE_ARRAY && vm_type_array_count(rank, frame, record, &count)) {
            g_string_append_printf(declarator, "[%" G_GUINT64_FORMAT "]", count);
        } else if (record->kind == VCODE_TYPE_ARRAY) {
            g_string_append(declarator, "[variable length]");
        } else if (record->kind == VCODE_TYPE_FUNCTION) {
            g_string_append(declarator, "()");
        } else {
            break;
        }
        if (!target && record->kind == VCODE_TYPE_POINTER) {
            g_string_append_printf(out, "void %s", declarator->str);
            return;
        }
        record = target;
    }
    append_base(module, record, out);
    if (declarator->len)
        g_string_append_printf(out, " %s", declarator->str);
}

void vm_type_format(const VcodeModule *module, uint32_t type, GString *out)
{
    format_type(module, NULL, NULL, type, out);
}

void vm_type_format_in(VmRank *rank, const VmFrame *frame, uint32_t type, GString *out)
{
    format_type(vm_image_module(vm_rank_image(rank)), rank, frame, type, out);
}

/* -- arrays whose length is known when the program runs ---------------------------------------- */

/* Finds the hidden variable that holds an array length. It is the only one of its name in its function. */
static const VcodeVariable *find_length(const VcodeModule *module, const VmFrame *frame, const char *name)
{
    for (uint32_t i = 0; i < module->variables.count; i++)
        if (vm_variable_in_scope(&module->variables.items[i], frame) &&
            strcmp(vcode_text(module, module->variables.items[i].name), name) == 0)
            return &module->variables.items[i];
    return NULL;
}

bool vm_type_array_count(VmRank *rank, const VmFrame *frame, const VcodeType *array, uint64_t *count)
{
    *count = array->count;
    if (!rank)
        return true;
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    const char *name = vcode_text(module, array->name);
    if (!*name)
        return true;
    const VcodeVariable *variable = frame ? find_length(module, frame, name) : NULL;
    VmValue value;
    if (!variable)
        return false;
    value = vm_variable_value(variable, frame);
    return vm_value_load(rank, &value, count, NULL);
}

uint64_t vm_type_size(VmRank *rank, const VmFrame *frame, uint32_t type)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    uint64_t product = 1;
    for (int depth = 0; depth < MAX_TYPE_DEPTH; depth++) {
        const VcodeType *record = vm_type_record(module, vm_type_strip(module, type));
        uint64_t count;
        if (!record || record->kind != VCODE_TYPE_ARRAY || record->size)
            return product * (record ? record->size : 8);
        if (!vm_type_array_count(rank, frame, record, &count))
            return 0;
        product *= count;
        type = record->target;
    }
    return 0;
}
