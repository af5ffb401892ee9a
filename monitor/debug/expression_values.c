/* expression_values.c - what the operands of a debugger's expression are: objects of the rank, and numbers.
 *
 * An operand is a VmValue. Names, members and pointers lead from one operand to the next without reading more of the
 * rank than they need. Operators compute with a MonNumber, which is made from the operand here.
 */
#include "monitor/debug/debug.h"
#include "monitor/debug/expression.h"
#include "monitor/report/report.h"

#include <string.h>

bool mon_expression_fail(MonScope *scope, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!*scope->error)
        g_set_error_literal(scope->error, MON_ERROR, MON_ERROR_EXPRESSION, text);
    return false;
}

const VcodeType *mon_expression_stripped(MonScope *scope, uint32_t type)
{
    return vm_type_record(scope->module, vm_type_strip(scope->module, type));
}

uint64_t mon_expression_size_of(MonScope *scope, uint32_t type)
{
    VmFrame frame;
    bool framed = mon_debug_frame(scope->rank, scope->level, &frame);
    return MAX(vm_type_size(scope->rank, framed ? &frame : NULL, type), 1);
}

static bool load(MonScope *scope, const VmValue *value, uint64_t *bits)
{
    *bits = 0;
    return scope->skip > 0 || vm_value_load(scope->rank, value, bits, scope->error);
}

/* -- numbers: what operators work on ----------------------------------------------------------- */

static double real_of(const VcodeType *record, uint64_t bits)
{
    g_assert(record);
    double number;
    if (record->size == 4) {
        uint32_t low = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool number_of_object(MonScope *scope, const VmValue *value, MonNumber *number)
{
    const VcodeType *record = mon_expression_stripped(scope, value->type);
    switch (record ? record->kind : VCODE_TYPE_SIGNED) {
    case VCODE_TYPE_POINTER:
    case VCODE_TYPE_ARRAY: *number = (MonNumber){.kind = MON_POINTER, .target = record->target}; break;
    case VCODE_TYPE_FUNCTION: *number = (MonNumber){.kind = MON_POINTER, .target = value->type}; break;
    case VCODE_TYPE_UNSIGNED: *number = (MonNumber){.kind = record->size == 8 ? MON_UNSIGNED : MON_SIGNED}; break;
    case VCODE_TYPE_FLOAT: *number = (MonNumber){.kind = MON_REAL}; break;
    case VCODE_TYPE_STRUCT:
    case VCODE_TYPE_UNION:
    case VCODE_TYPE_COMPLEX:
    case VCODE_TYPE_VOID: return mon_expression_fail(scope, "a number or a pointer is needed here, not a whole object");
    default: *number = (MonNumber){.kind = MON_SIGNED};
    }
    if (record && record->kind == VCODE_TYPE_ARRAY && value->variable)
        return mon_expression_fail(scope, "the array is kept in registers here: it has elements, but no address");
    if (!load(scope, value, &number->bits))
        return false;
    if (number->kind == MON_REAL)
        number->real = real_of(record, number->bits);
    return true;
}

bool mon_expression_number_of(MonScope *scope, const VmValue *value, MonNumber *number)
{
    if (value->repeat > 0)
        return mon_expression_fail(scope, "the result of @ can only be printed");
    *number = (MonNumber){.bits = value->bits, .target = value->type};
    switch (value->shape) {
    case VM_OBJECT: return number_of_object(scope, value, number);
    case VM_INTEGER: number->kind = MON_SIGNED; break;
    case VM_UNSIGNED: number->kind = MON_UNSIGNED; break;
    case VM_ADDRESS: number->kind = MON_POINTER; break;
    case VM_REAL: number->kind = MON_REAL; memcpy(&number->real, &value->bits, sizeof number->real);
    }
    return true;
}

VmValue mon_expression_integer(int64_t number)
{
    return (VmValue){.shape = VM_INTEGER, .type = VCODE_NONE, .bits = (uint64_t)number};
}

VmValue mon_expression_real(double number)
{
    VmValue value = {.shape = VM_REAL, .type = VCODE_NONE};
    memcpy(&value.bits, &number, sizeof number);
    return value;
}

double mon_expression_number_real(const MonNumber *number)
{
    if (number->kind == MON_REAL)
        return number->real;
    return number->kind == MON_SIGNED ? (double)(int64_t)number->bits : (double)number->bits;
}

bool mon_expression_number_truth(const MonNumber *number)
{
    return number->kind == MON_REAL ? number->real != 0.0 : number->bits != 0;
}

/* -- names ------------------------------------------------------------------------------------- */

static bool find_enumerator(MonScope *scope, const char *name, VmValue *value)
{
    for (uint32_t i = 0; i < scope->module->types.count; i++) {
        const VcodeType *type = &scope->module->types.items[i];
        for (uint32_t k = 0; type->kind == VCODE_TYPE_ENUM && k < type->count; k++) {
            const VcodeMember *member = &scope->module->members.items[type->first + k];
            if (strcmp(vcode_text(scope->module, member->name), name) == 0) {
                *value = (VmValue){.shape = VM_OBJECT, .type = i, .bits = (uint64_t)member->value};
                return true;
            }
        }
    }
    return false;
}

static bool find_function(MonScope *scope, const char *name, VmValue *value)
{
    for (uint32_t i = 0; i < scope->module->functions.count; i++)
        if (strcmp(vcode_text(scope->module, scope->module->functions.items[i].name), name) == 0) {
            *value = (VmValue){.shape = VM_ADDRESS, .type = VCODE_NONE, .bits = VCODE_CODE_BASE + 16 * (uint64_t)i};
            return true;
        }
    return false;
}

bool mon_named_value(MonScope *scope, const char *name, VmValue *value)
{
    return mon_debug_find_variable(scope->rank, scope->level, name, value) || find_function(scope, name, value) ||
           find_enumerator(scope, name, value) || mon_expression_fail(scope, "no variable '%s' is in scope here", name);
}

/* -- objects that others lead to --------------------------------------------------------------- */

bool mon_expression_address_of(MonScope *scope, const VmValue *operand, VmValue *value)
{
    if (operand->shape == VM_ADDRESS && operand->bits >= VCODE_CODE_BASE) {
        *value = *operand; /* &function */
        return true;
    }
    if (operand->shape != VM_OBJECT || !operand->in_memory || operand->variable)
        return mon_expression_fail(scope, "this has no address: it is no variable in memory (with -O0, variables are)");
    *value = (VmValue){.shape = VM_ADDRESS, .type = operand->type, .bits = operand->bits};
    return true;
}

/* Returns the index-th object that a pointer or array points to. */
bool mon_expression_dereference(MonScope *scope, const VmValue *pointer, int64_t index, VmValue *value)
{
    MonNumber number = {0};
    const VcodeType *array = pointer->variable ? mon_expression_stripped(scope, pointer->type) : NULL;
    if (array && array->kind == VCODE_TYPE_ARRAY && pointer->repeat == 0) {
        *value = vm_value_part(pointer, array->target, (uint64_t)index * mon_expression_size_of(scope, array->target));
        return true;
    }
    if (!mon_expression_number_of(scope, pointer, &number))
        return false;
    const VcodeType *target = mon_expression_stripped(scope, number.target);
    if (number.kind != MON_POINTER)
        return mon_expression_fail(scope, "only a pointer or an array can be dereferenced");
    if (number.bits >= VCODE_CODE_BASE && number.bits < VCODE_LABEL_BASE && index == 0) {
        *value = (VmValue){.shape = VM_ADDRESS, .type = number.target, .bits = number.bits};
        return true; /* *function is the function again (C11 6.5.3.2) */
    }
    if (!target || target->kind == VCODE_TYPE_VOID)
        return mon_expression_fail(scope, "a pointer to void points to no type; cast it, as in *(int *)p");
    *value = (VmValue){.shape = VM_OBJECT,
                       .type = number.target,
                       .in_memory = true,
                       .bits = number.bits + (uint64_t)index * mon_expression_size_of(scope, number.target)};
    return true;
}

static const VcodeMember *find_member(MonScope *scope, const VcodeType *record, const char *name, uint64_t *offset,
                                      int depth)
{
    for (uint32_t i = 0; depth < 16 && i < record->count && record->first + i < scope->module->members.count; i++) {
        const VcodeMember *member = &scope->module->members.items[record->first + i];
        const char *member_name = vcode_text(scope->module, member->name);
        const VcodeType *inner = *member_name == '\0' ? mon_expression_stripped(scope, member->type) : NULL;
        uint64_t here = *offset + (uint64_t)member->value;
        const VcodeMember *found = NULL;
        if (strcmp(member_name, name) == 0)
            found = member;
        else if (inner && (inner->kind == VCODE_TYPE_STRUCT || inner->kind == VCODE_TYPE_UNION))
            found = find_member(scope, inner, name, &here, depth + 1);
        if (found) {
            *offset = here;
            return found;
        }
    }
    return NULL;
}

static bool bit_field_value(MonScope *scope, const VcodeMember *member, const VmValue *unit, VmValue *value)
{
    uint64_t bits = 0;
    if (scope->skip == 0 && !vm_value_load_bit_field(scope->rank, member, unit, &bits))
        return unit->variable
                   ? mon_expression_fail(scope, "the bit-field is optimized out here")
                   : mon_expression_fail(scope, "cannot read memory at 0x%" G_GINT64_MODIFIER "x", unit->bits);
    *value = (VmValue){.shape = VM_OBJECT, .type = member->type, .bits = bits};
    return true;
}

bool mon_expression_member(MonScope *scope, const VmValue *object, const char *name, VmValue *value)
{
    const VcodeType *record = object->shape == VM_OBJECT ? mon_expression_stripped(scope, object->type) : NULL;
    if (record && record->kind == VCODE_TYPE_POINTER)
        return mon_expression_fail(scope, "this is a pointer: write ->%s", name);
    if (!record || (record->kind != VCODE_TYPE_STRUCT && record->kind != VCODE_TYPE_UNION))
        return mon_expression_fail(scope, "there is no member '%s': this is not a struct or union", name);
    uint64_t offset = 0;
    const VcodeMember *member = find_member(scope, record, name, &offset, 0);
    if (!member) {
        g_autoptr(GString) type = g_string_new(NULL);
        vm_type_format(scope->module, object->type, type);
        return mon_expression_fail(scope, "no member '%s' in %s", name, type->str);
    }
    VmValue part = vm_value_part(object, member->type, offset);
    if (member->bit_width > 0)
        return bit_field_value(scope, member, &part, value);
    *value = part;
    return true;
}

/* -- casts ------------------------------------------------------------------------------------- */

bool mon_expression_cast(MonScope *scope, const MonTypeName *type, const VmValue *operand, VmValue *value)
{
    MonNumber number = {0};
    if (!mon_expression_number_of(scope, operand, &number))
        return false;
    if (type->pointer) {
        if (number.kind == MON_REAL)
            return mon_expression_fail(scope, "a real number cannot become a pointer");
        *value = (VmValue){.shape = VM_ADDRESS, .type = type->target, .bits = number.bits};
        return true;
    }
    if (type->kind == VCODE_TYPE_STRUCT)
        return mon_expression_fail(scope,
                                   "nothing can become a struct or union; cast a pointer, as in *(struct point *)p");
    if (type->kind == VCODE_TYPE_FLOAT) {
        double result = mon_expression_number_real(&number);
        *value = mon_expression_real(type->size == 4 ? (double)(float)result : result);
        return true;
    }
    if (type->kind == VCODE_TYPE_BOOL) {
        *value = mon_expression_integer(mon_expression_number_truth(&number));
        return true;
    }
    bool fits = number.kind != MON_REAL || (number.real > -9.3e18 && number.real < 9.2e18);
    uint64_t bits = number.kind != MON_REAL ? number.bits : fits ? (uint64_t)(int64_t)number.real : 0;
    unsigned shift = 64 - 8 * type->size;
    bool is_unsigned = type->kind == VCODE_TYPE_UNSIGNED;
    bits = is_unsigned ? bits << shift >> shift : (uint64_t)((int64_t)(bits << shift) >> shift);
    *value = mon_expression_integer((int64_t)bits);
    value->shape = is_unsigned ? VM_UNSIGNED : VM_INTEGER;
    return true;
}
