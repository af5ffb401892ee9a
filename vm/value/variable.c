/* variable.c - the variables of a stopped rank: whether they are in scope, where they live, and the parameters of
 * calls. */
#include "vm/value/value.h"

bool vm_variable_in_scope(const VcodeVariable *variable, const VmFrame *frame)
{
    return variable->function == frame->function && variable->inlined == frame->inlined &&
           frame->pc >= variable->pc_low && frame->pc < variable->pc_high;
}

VmValue vm_variable_value(const VcodeVariable *variable, const VmFrame *frame)
{
    VmValue value = {.shape = VM_OBJECT, .type = variable->type, .in_memory = true, .frame = *frame, .framed = true};
    switch (variable->location) {
    case VCODE_AT_REGISTER:
        value.in_memory = false;
        value.bits = frame->registers[variable->where];
        break;
    case VCODE_AT_CONSTANT:
        value.in_memory = false;
        value.bits = (uint64_t)variable->where;
        break;
    case VCODE_AT_FRAME: value.bits = frame->frame_base + (uint64_t)variable->where; break;
    case VCODE_AT_REGISTER_ADDRESS: value.bits = frame->registers[variable->where]; break;
    case VCODE_AT_PLACES: value.variable = variable; break;
    default: value.bits = (uint64_t)variable->where; break;
    }
    return value;
}

/* Finds a parameter's value now or, if the code has no more use for it, its last value. */
static bool parameter_value(VmRank *rank, const VcodeModule *module, const VcodeVariable *variable,
                            const VmFrame *frame, VmValue *value)
{
    const VcodeType *type = vm_type_record(module, vm_type_strip(module, variable->type));
    if (vm_variable_in_scope(variable, frame)) {
        *value = vm_variable_value(variable, frame);
        if (!value->variable || vm_value_any_byte(rank, value, type ? type->size : 8))
            return true;
    }
    return vm_variable_remains(variable, frame, module, value);
}

void vm_variable_parameters(VmRank *rank, const VmFrame *frame, size_t longest, GString *out)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    const char *separator = "";
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if ((variable->flags & VCODE_VARIABLE_PARAMETER) == 0 || variable->function != frame->function ||
            variable->inlined != frame->inlined)
            continue;
        g_string_append_printf(out, "%s%s=", separator, vcode_text(module, variable->name));
        gsize start = out->len;
        VmValue value;
        if (parameter_value(rank, module, variable, frame, &value))
            vm_value_format(rank, &value, out);
        else
            g_string_append(out, "<optimized out>");
        if (out->len - start > longest) {
            g_string_truncate(out, start + longest);
            g_string_append(out, "...");
        }
        separator = ", ";
    }
}
