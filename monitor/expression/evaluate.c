/* evaluate.c - evaluates the tree of an expression in a frame of a stopped rank.
 *
 * Names, members and pointers lead from one object to the next without reading more of the rank than they need. The
 * parser bounds the depth of the tree.
 */
#include "compiler/tree/tree.h"
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <math.h>
#include <string.h>

bool mon_expression_fail(MonScope *scope, const CcLoc *loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!scope->error || *scope->error)
        return false;
    if (loc && scope->text && loc->column > 0 && loc->column <= strlen(scope->text)) {
        g_autofree char *pointed = cc_inquiry_point(text, scope->text, loc->column, loc->length);
        g_set_error_literal(scope->error, MON_ERROR, MON_ERROR_EXPRESSION, pointed);
    } else {
        g_set_error_literal(scope->error, MON_ERROR, MON_ERROR_EXPRESSION, text);
    }
    return false;
}

/* Takes the error of a function that knows no text. */
static bool pass_on(MonScope *scope, const CcLoc *loc, GError *problem)
{
    bool gone = g_str_has_suffix(problem->message, "is optimized out here");
    (void)mon_expression_fail(scope, loc, "%s%s", problem->message,
                              gone ? ": compiled with -O0, the program keeps every variable where a debugger finds it"
                                   : "");
    g_error_free(problem);
    return false;
}

/* -- values ------------------------------------------------------------------------------------ */

MonValue mon_expression_bits(const CcType *type, uint64_t bits)
{
    return (MonValue){.type = type, .what = MON_BITS, .bits = bits};
}

MonValue mon_expression_real(const CcType *type, double real)
{
    return (MonValue){.type = type, .what = MON_REAL, .real = real};
}

double mon_expression_as_real(const MonValue *value)
{
    if (value->what == MON_REAL)
        return value->real;
    return cc_is_integer(value->type) && cc_type_is_signed(value->type) ? (double)(int64_t)value->bits
                                                                        : (double)value->bits;
}

bool mon_expression_is_true(const MonValue *value)
{
    return value->what == MON_REAL ? value->real != 0.0 : value->what != MON_BITS || value->bits != 0;
}

uint64_t mon_expression_raw(const MonValue *value)
{
    uint64_t raw = value->bits;
    if (value->what == MON_REAL && value->type->size == 4) {
        float narrow = (float)value->real;
        raw = 0;
        memcpy(&raw, &narrow, sizeof narrow);
    } else if (value->what == MON_REAL) {
        memcpy(&raw, &value->real, sizeof raw);
    }
    return raw;
}

static MonValue memory_at(const CcType *type, uint64_t address)
{
    return (MonValue){.type = type,
                      .what = MON_OBJECT,
                      .at = {.shape = VM_OBJECT, .type = VCODE_NONE, .in_memory = true, .bits = address}};
}

static const VcodeVariable *length_variable(const MonScope *scope, const char *name)
{
    for (uint32_t i = 0; scope->framed && i < scope->module->variables.count; i++) {
        const VcodeVariable *variable = &scope->module->variables.items[i];
        if (vm_variable_in_scope(variable, &scope->frame) &&
            strcmp(vcode_text(scope->module, variable->name), name) == 0)
            return variable;
    }
    return NULL;
}

uint64_t mon_expression_type_length(MonScope *scope, const CcType *array)
{
    if (!array->variable)
        return array->length;
    const VcodeVariable *variable = array->length_symbol ? length_variable(scope, array->length_symbol->name) : NULL;
    uint64_t length = 0;
    if (variable) {
        VmValue value = vm_variable_value(variable, &scope->frame);
        if (!vm_value_load(scope->rank, &value, &length, NULL))
            length = 0;
    }
    return length;
}

uint64_t mon_expression_type_size(MonScope *scope, const CcType *type)
{
    uint64_t product = 1;
    for (; type->kind == CC_ARRAY && type->size == 0; type = type->target)
        product *= mon_expression_type_length(scope, type);
    return product * type->size;
}

static uint64_t sign_extended(const CcType *type, uint64_t raw)
{
    return type->kind == CC_POINTER ? raw : cc_type_canonical(type, raw);
}

static bool load_field(MonScope *scope, const CcLoc *loc, MonValue *value)
{
    const CcMember *field = value->field;
    unsigned end = (unsigned)field->bit_offset + field->bit_width, down = 64u - field->bit_width;
    uint8_t bytes[16] = {0};
    GError *problem = NULL;
    if (end > 128 || !vm_value_copy(scope->rank, &value->at, bytes, (end + 7) / 8, &problem))
        return problem ? pass_on(scope, loc, problem) : mon_expression_fail(scope, loc, "the bit-field cannot be read");
    uint64_t whole = 0; /* the field, shifted to the upper end */
    for (unsigned bit = end; bit-- > field->bit_offset;)
        whole |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << (63 - (end - 1 - bit));
    bool is_signed = cc_type_is_signed(value->type);
    *value = mon_expression_bits(value->type, is_signed ? (uint64_t)((int64_t)whole >> down) : whole >> down);
    return true;
}

/* An __int128 that fits into 64 bits. */
static bool load_wide(MonScope *scope, const CcLoc *loc, MonValue *value)
{
    uint64_t half[2];
    GError *problem = NULL;
    if (!vm_value_copy(scope->rank, &value->at, half, sizeof half, &problem))
        return pass_on(scope, loc, problem);
    bool negative = value->type->kind == CC_INT128 && (int64_t)half[0] < 0;
    if (half[1] != (negative ? UINT64_MAX : 0))
        return mon_expression_fail(scope, loc,
                                   "this __int128 has more than 64 bits: it can be printed, but not computed with");
    *value = mon_expression_bits(value->type, half[0]);
    return true;
}

bool mon_expression_load(MonScope *scope, const CcLoc *loc, MonValue *value)
{
    if (value->what != MON_OBJECT)
        return value->what != MON_NOTHING || mon_expression_fail(scope, loc, "this has no value: it is void");
    if (value->n_dimensions > 0)
        return mon_expression_fail(scope, loc, "a section of an array can only be printed");
    if (cc_is_wide(value->type))
        return load_wide(scope, loc, value);
    if (!cc_is_scalar(value->type) || cc_is_complex(value->type))
        return mon_expression_fail(scope, loc,
                                   cc_is_aggregate(value->type)
                                       ? "a number or a pointer is needed here, not a whole object"
                                       : "numbers of this type can be printed, but not computed with");
    if (value->field)
        return load_field(scope, loc, value);
    uint64_t raw = 0;
    GError *problem = NULL;
    if (!vm_value_copy(scope->rank, &value->at, &raw, value->type->size, &problem))
        return pass_on(scope, loc, problem);
    const CcType *type = value->type;
    if (!cc_is_real(type)) {
        *value = mon_expression_bits(type, sign_extended(type, raw));
        return true;
    }
    float narrow;
    double real;
    memcpy(&narrow, &raw, sizeof narrow);
    memcpy(&real, &raw, sizeof real);
    *value = mon_expression_real(type, type->size == 4 ? (double)narrow : real);
    return true;
}

static bool operand(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    return mon_evaluate(scope, expr, value) && mon_expression_load(scope, &expr->loc, value);
}

/* -- objects ----------------------------------------------------------------------------------- */

static bool no_function(MonScope *scope, const CcExpr *expr)
{
    const char *name = expr->symbol->name;
    for (uint32_t i = 0; i < scope->module->externs.count; i++)
        if (strcmp(vcode_text(scope->module, scope->module->externs.items[i].name), name) == 0)
            return mon_expression_fail(
                scope, &expr->loc, "'%s' is a function of the simulator: only functions of the program can be called",
                name);
    for (uint32_t i = 0; i < scope->module->inlines.count; i++) {
        const VcodeInline *inlined = &scope->module->inlines.items[i];
        bool library = (scope->module->functions.items[inlined->function].flags & VCODE_FUNCTION_LIBRARY) != 0;
        if (!library && strcmp(vcode_text(scope->module, inlined->name), name) == 0)
            return mon_expression_fail(scope, &expr->loc, "'%s' is only in its callers, inlined: -O0 keeps it", name);
    }
    return mon_expression_fail(scope, &expr->loc, "the program has no function '%s'", name);
}

static bool variable(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    const CcSymbol *symbol = expr->symbol;
    if (symbol->kind == CC_SYM_FUNCTION) {
        if (!symbol->file_scope || !symbol->defined)
            return no_function(scope, expr);
        *value = mon_expression_bits(expr->type, VCODE_CODE_BASE + 16 * (uint64_t)symbol->value);
        return true;
    }
    const VcodeVariable *record = &scope->module->variables.items[symbol->value];
    if (!scope->framed && record->function != VCODE_NONE)
        return mon_expression_fail(scope, &expr->loc, "'%s' is a variable of a function that has ended", symbol->name);
    *value = (MonValue){.type = expr->type, .what = MON_OBJECT, .home = record};
    value->at = mon_thread_storage_value(scope->rank, record, &scope->frame);
    if (value->at.shape != VM_OBJECT)
        return mon_expression_fail(scope, &expr->loc, "this thread has no copy of '%s' yet", symbol->name);
    return true;
}

static bool dereference(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue pointer;
    if (!operand(scope, expr->left, &pointer))
        return false;
    if (pointer.what == MON_TEXT)
        return mon_expression_fail(scope, &expr->loc, "a string literal has no address in the program");
    if (expr->type->kind == CC_FUNCTION) {
        *value = mon_expression_bits(expr->type, pointer.bits);
        return true;
    }
    if (expr->type->kind == CC_VOID)
        return mon_expression_fail(scope, &expr->loc, "a pointer to void points to no type; cast it, as in *(int *)p");
    if (pointer.what == MON_PIECES) {
        *value = pointer;
        value->what = MON_OBJECT;
        value->type = expr->type;
        return true;
    }
    *value = memory_at(expr->type, pointer.bits);
    memcpy(value->dimensions, pointer.dimensions, sizeof value->dimensions);
    value->n_dimensions = pointer.n_dimensions;
    return true;
}

static void take_part(MonValue *value, const CcType *type, uint64_t offset)
{
    value->at = vm_value_part(&value->at, VCODE_NONE, offset);
    value->type = type;
    value->home = NULL;
}

static bool member(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    if (!mon_evaluate(scope, expr->left, value))
        return false;
    if (value->what != MON_OBJECT || !value->at.in_memory)
        return mon_expression_fail(scope, &expr->loc, "this object is kept nowhere in memory");
    take_part(value, expr->type, expr->member->offset);
    value->field = expr->member->bit_field ? expr->member : NULL;
    return true;
}

static bool decay(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    if (!mon_evaluate(scope, expr->left, value))
        return false;
    if (value->what == MON_OBJECT && (value->at.variable || !value->at.in_memory)) {
        value->what = MON_PIECES;
    } else if (value->what == MON_OBJECT) {
        value->bits = value->at.bits;
        value->what = MON_BITS;
    }
    value->type = expr->type;
    return true;
}

static bool address_of(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    if (!mon_evaluate(scope, expr->left, value))
        return false;
    if (value->what == MON_OBJECT && (!value->at.in_memory || value->at.variable || value->field))
        return mon_expression_fail(scope, &expr->loc,
                                   "this has no address: it is no variable in memory (with -O0, variables are)");
    if (value->what == MON_TEXT)
        return mon_expression_fail(scope, &expr->loc, "a string literal has no address in the program");
    if (value->n_dimensions > 0)
        return mon_expression_fail(scope, &expr->loc, "a section of an array can only be printed");
    *value = mon_expression_bits(expr->type, value->what == MON_OBJECT ? value->at.bits : value->bits);
    return true;
}

/* -- sections ---------------------------------------------------------------------------------- */

static bool bound(MonScope *scope, const CcExpr *expr, int64_t *number)
{
    MonValue value;
    if (!expr)
        return true;
    if (!operand(scope, expr, &value))
        return false;
    *number = (int64_t)value.bits;
    return true;
}

/* Finds first, count and step of a section as Python slices have them, but that a negative bound is one. */
static bool find_elements(MonScope *scope, const CcExpr *expr, int64_t *first, uint64_t *count, int64_t *step)
{
    int64_t length = expr->operation_type ? (int64_t)mon_expression_type_length(scope, expr->operation_type) : -1, to;
    *step = 1;
    if (!bound(scope, expr->arguments[2], step))
        return false;
    if (*step == 0)
        return mon_expression_fail(scope, &expr->arguments[2]->loc, "the step of a section is not 0");
    bool open = *step > 0 ? !expr->arguments[1] : !expr->arguments[0];
    if (open && length < 0)
        return mon_expression_fail(scope, &expr->loc, "how long this is, is not known: give the end of the section");
    *first = *step > 0 ? 0 : length - 1;
    to = *step > 0 ? length : -1;
    if (!bound(scope, expr->arguments[0], first) || !bound(scope, expr->arguments[1], &to))
        return false;
    int64_t span = *step > 0 ? to - *first : *first - to;
    uint64_t stride = *step > 0 ? (uint64_t)*step : 0 - (uint64_t)*step;
    if (span <= 0 || span > INT32_MAX)
        return mon_expression_fail(scope, &expr->loc,
                                   span <= 0 ? "this section has no elements" : "this section has too many elements");
    *count = ((uint64_t)span + stride - 1) / stride;
    return true;
}

static bool section(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue pointer;
    int64_t first = 0, step = 1;
    uint64_t count = 0, size = mon_expression_type_size(scope, expr->type);
    if (!operand(scope, expr->left, &pointer) || !find_elements(scope, expr, &first, &count, &step))
        return false;
    if (pointer.what == MON_TEXT || size == 0)
        return mon_expression_fail(scope, &expr->loc, "this has no elements in memory");
    if (pointer.n_dimensions == MON_MOST_DIMENSIONS)
        return mon_expression_fail(scope, &expr->loc, "a section has at most %d dimensions", MON_MOST_DIMENSIONS);
    if (pointer.what == MON_PIECES) {
        *value = pointer;
        value->what = MON_OBJECT;
        value->at.bits += (uint64_t)first * size;
    } else {
        *value = memory_at(expr->type, pointer.bits + (uint64_t)first * size);
        memcpy(value->dimensions, pointer.dimensions, sizeof value->dimensions);
        value->n_dimensions = pointer.n_dimensions;
    }
    value->type = expr->type;
    value->dimensions[value->n_dimensions++] = (MonDimension){count, step * (int64_t)size};
    return true;
}

/* -- changes ----------------------------------------------------------------------------------- */

static bool store_field(MonScope *scope, const CcExpr *expr, const MonValue *object, uint64_t bits)
{
    const CcMember *field = object->field;
    unsigned end = (unsigned)field->bit_offset + field->bit_width, size = (end + 7) / 8;
    uint8_t bytes[16] = {0};
    GError *problem = NULL;
    if (size > sizeof bytes || !vm_value_copy(scope->rank, &object->at, bytes, size, &problem))
        return problem ? pass_on(scope, &expr->loc, problem) : false;
    for (unsigned bit = field->bit_offset; bit < end; bit++) {
        uint8_t mask = (uint8_t)(1u << bit % 8);
        bool on = bits >> (bit - field->bit_offset) & 1;
        bytes[bit / 8] = (uint8_t)(on ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask);
    }
    return vm_value_store(scope->rank, &object->at, NULL, bytes, size, &problem) || pass_on(scope, &expr->loc, problem);
}

static bool store_whole(MonScope *scope, const CcExpr *expr, const MonValue *object, const MonValue *from)
{
    uint64_t size = object->type->size;
    g_autofree uint8_t *bytes = g_try_malloc(size + 8);
    GError *problem = NULL;
    if (from->what != MON_OBJECT || !bytes)
        return mon_expression_fail(scope, &expr->loc, "this cannot be copied");
    if (!vm_value_copy(scope->rank, &from->at, bytes, size, &problem) ||
        !vm_value_store(scope->rank, &object->at, object->home, bytes, size, &problem))
        return pass_on(scope, &expr->loc, problem);
    return true;
}

static bool store(MonScope *scope, const CcExpr *expr, const MonValue *object, const MonValue *from)
{
    if (!scope->may_change)
        return mon_expression_fail(scope, &expr->loc, "this would change the program: set var does that");
    if (object->what != MON_OBJECT || object->n_dimensions > 0)
        return mon_expression_fail(scope, &expr->loc, "only an object of the program can be changed");
    if (from->what == MON_TEXT || from->what == MON_PIECES)
        return mon_expression_fail(scope, &expr->loc, "this has no address in the program");
    if (from->what == MON_OBJECT)
        return store_whole(scope, expr, object, from);
    if (object->field)
        return store_field(scope, expr, object, from->bits);
    uint64_t raw = mon_expression_raw(from);
    GError *problem = NULL;
    return vm_value_store(scope->rank, &object->at, object->home, &raw, object->type->size, &problem) ||
           pass_on(scope, &expr->loc, problem);
}

static bool assign(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue object;
    if (!mon_evaluate(scope, expr->left, &object) || !mon_evaluate(scope, expr->right, value))
        return false;
    bool whole = cc_is_aggregate(expr->type) || cc_is_complex(expr->type) || cc_is_wide(expr->type);
    return (whole || mon_expression_load(scope, &expr->right->loc, value)) && store(scope, expr, &object, value);
}

static bool assign_operation(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue object, left, right, result;
    if (!mon_evaluate(scope, expr->left, &object) || !operand(scope, expr->right, &right))
        return false;
    left = object;
    return mon_expression_load(scope, &expr->left->loc, &left) &&
           mon_expression_convert(scope, expr, expr->operation_type, &left, &left) &&
           mon_expression_operate(scope, expr, expr->op, expr->operation_type, &left, &right, &result) &&
           mon_expression_convert(scope, expr, expr->type, &result, value) && store(scope, expr, &object, value);
}

static bool increment(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    bool up = expr->kind == CC_PRE_INCREMENT || expr->kind == CC_POST_INCREMENT;
    bool before = expr->kind == CC_POST_INCREMENT || expr->kind == CC_POST_DECREMENT;
    static const CcType long_type = {.kind = CC_LONG, .size = 8, .align = 8};
    MonValue object, old, changed;
    if (!mon_evaluate(scope, expr->left, &object))
        return false;
    old = object;
    if (!mon_expression_load(scope, &expr->left->loc, &old))
        return false;
    MonValue one = old.what == MON_REAL ? mon_expression_real(old.type, 1.0) : mon_expression_bits(&long_type, 1);
    if (!mon_expression_operate(scope, expr, up ? CC_ADD : CC_SUBTRACT, old.type, &old, &one, &changed) ||
        !store(scope, expr, &object, &changed))
        return false;
    *value = before ? old : changed;
    return true;
}

/* -- operators that do not always evaluate both operands ---------------------------------------- */

static bool logical(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue left, right;
    if (!operand(scope, expr->left, &left))
        return false;
    bool truth = mon_expression_is_true(&left);
    if (truth == (expr->kind == CC_LOGICAL_AND)) {
        if (!operand(scope, expr->right, &right))
            return false;
        truth = mon_expression_is_true(&right);
    }
    *value = mon_expression_bits(expr->type, truth);
    return true;
}

static bool conditional(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue condition;
    if (!operand(scope, expr->condition, &condition))
        return false;
    bool truth = mon_expression_is_true(&condition);
    if (truth && !expr->left)
        return mon_expression_convert(scope, expr, expr->type, &condition, value);
    return mon_evaluate(scope, truth ? expr->left : expr->right, value);
}

/* -- the rest ---------------------------------------------------------------------------------- */

static bool number(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    if (cc_is_complex(expr->type) || (cc_is_wide(expr->type) && expr->high != 0 && expr->high != UINT64_MAX))
        return mon_expression_fail(scope, &expr->loc, "numbers of this type can be printed, but not computed with");
    *value = cc_is_real(expr->type) ? mon_expression_real(expr->type, expr->real)
                                    : mon_expression_bits(expr->type, expr->integer);
    return true;
}

static bool unary(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue left;
    if (!operand(scope, expr->left, &left))
        return false;
    if (left.what == MON_PIECES || left.n_dimensions > 0)
        return mon_expression_fail(scope, &expr->loc, "this can only be printed");
    if (expr->kind == CC_NOT)
        *value = mon_expression_bits(expr->type, !mon_expression_is_true(&left));
    else if (left.what == MON_REAL)
        *value = mon_expression_real(expr->type, -left.real);
    else
        *value = mon_expression_bits(
            expr->type, cc_type_canonical(expr->type, expr->kind == CC_NEGATE ? 0 - left.bits : ~left.bits));
    return true;
}

static bool cast(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue left;
    if (!mon_evaluate(scope, expr->left, &left))
        return false;
    bool whole = cc_is_aggregate(expr->type) || cc_is_complex(expr->type);
    if (!whole && expr->type->kind != CC_VOID && !mon_expression_load(scope, &expr->left->loc, &left))
        return false;
    if (left.n_dimensions > 0)
        return mon_expression_fail(scope, &expr->loc, "a section of an array can only be printed");
    return mon_expression_convert(scope, expr, expr->type, &left, value);
}

/* What programs call by the names of functions of <math.h>. */
static bool builtin(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue argument;
    bool known = expr->builtin == CC_BUILTIN_SQRT || expr->builtin == CC_BUILTIN_FABS;
    if (!known)
        return mon_expression_fail(scope, &expr->loc, "the debugger does not evaluate this built-in function");
    if (!operand(scope, expr->arguments[0], &argument))
        return false;
    double real = mon_expression_as_real(&argument);
    *value = mon_expression_real(expr->type, expr->builtin == CC_BUILTIN_SQRT ? sqrt(real) : fabs(real));
    return true;
}

static bool call(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    enum { MOST = 8 };
    MonValue callee, arguments[MOST];
    if (!scope->in_copy)
        return mon_expression_fail(scope, &expr->loc, "functions cannot be called here: what they would do would stay");
    if (expr->n_arguments > MOST)
        return mon_expression_fail(scope, &expr->loc, "the debugger calls functions with at most %d arguments", MOST);
    if (!operand(scope, expr->left, &callee))
        return false;
    for (uint32_t i = 0; i < expr->n_arguments; i++)
        if (!operand(scope, expr->arguments[i], &arguments[i]))
            return false;
    return mon_call(scope, expr, &callee, arguments, value);
}

static bool complex_part(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    if (!mon_evaluate(scope, expr->left, value))
        return false;
    if (value->what != MON_OBJECT || !value->at.in_memory || !cc_is_complex(expr->left->type))
        return mon_expression_fail(scope, &expr->loc, "only a complex object in memory has parts here");
    take_part(value, expr->type, expr->kind == CC_IMAGINARY_PART ? expr->type->size : 0);
    return true;
}

static bool both(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    MonValue left, right;
    return operand(scope, expr->left, &left) && operand(scope, expr->right, &right) &&
           mon_expression_operate(scope, expr, expr->kind, expr->type, &left, &right, value);
}

static bool comma(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    return mon_evaluate(scope, expr->left, value) && mon_evaluate(scope, expr->right, value);
}

bool mon_evaluate(MonScope *scope, const CcExpr *expr, MonValue *value)
{
    *value = (MonValue){.type = expr->type};
    if (expr->kind >= CC_ADD && expr->kind <= CC_GREATER_EQUAL)
        return both(scope, expr, value);
    switch (expr->kind) {
    case CC_NUMBER: return number(scope, expr, value);
    case CC_STRING:
        *value = (MonValue){
            .type = expr->type, .what = MON_TEXT, .literal = expr->string, .literal_size = expr->string_size};
        return true;
    case CC_VARIABLE: return variable(scope, expr, value);
    case CC_DECAY: return decay(scope, expr, value);
    case CC_ADDRESS: return address_of(scope, expr, value);
    case CC_DEREFERENCE: return dereference(scope, expr, value);
    case CC_MEMBER: return member(scope, expr, value);
    case CC_CAST: return cast(scope, expr, value);
    case CC_NEGATE:
    case CC_COMPLEMENT:
    case CC_NOT: return unary(scope, expr, value);
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: return increment(scope, expr, value);
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: return logical(scope, expr, value);
    case CC_CONDITIONAL: return conditional(scope, expr, value);
    case CC_COMMA: return comma(scope, expr, value);
    case CC_ASSIGN: return assign(scope, expr, value);
    case CC_ASSIGN_OP: return assign_operation(scope, expr, value);
    case CC_CALL: return call(scope, expr, value);
    case CC_BUILTIN: return builtin(scope, expr, value);
    case CC_SECTION: return section(scope, expr, value);
    case CC_REAL_PART:
    case CC_IMAGINARY_PART: return complex_part(scope, expr, value);
    case CC_SIZEOF_VARIABLE:
        *value = mon_expression_bits(expr->type, mon_expression_type_size(scope, expr->operation_type));
        return true;
    default: return mon_expression_fail(scope, &expr->loc, "the debugger does not evaluate this part of C");
    }
}
