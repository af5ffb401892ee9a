/* expression_operators.c - the operators of a debugger's expressions, as a table, and what they compute.
 *
 * Results are as in C (C11 6.5) but with 64 bits. Two real numbers, or a real number and an integer, give a real
 * number. A pointer and an integer give a pointer. Two integers give an unsigned result if one is unsigned. If the
 * scope says skip, no value causes an error: a division by zero is none in an operand that C would not evaluate.
 */
#include "monitor/debug/expression.h"

/* Longer tokens first. */
static const MonOperator operators[] = {
    {"||", 1, MON_OR},         {"&&", 2, MON_AND},       {"==", 6, MON_EQUAL},   {"!=", 6, MON_UNEQUAL},
    {"<=", 7, MON_LESS_EQUAL}, {"<<", 8, MON_LEFT},      {">>", 8, MON_RIGHT},   {">=", 7, MON_GREATER_EQUAL},
    {"|", 3, MON_BIT_OR},      {"^", 4, MON_BIT_XOR},    {"&", 5, MON_BIT_AND},  {"<", 7, MON_LESS},
    {">", 7, MON_GREATER},     {"+", 9, MON_ADD},        {"-", 9, MON_SUBTRACT}, {"*", 10, MON_MULTIPLY},
    {"/", 10, MON_DIVIDE},     {"%", 10, MON_REMAINDER}, {"@", 11, MON_REPEAT},
};

const MonOperator *mon_operator_at(const char *text)
{
    if (text[0] == '-' && text[1] == '>')
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (g_str_has_prefix(text, operators[i].token))
            return &operators[i];
    return NULL;
}

/* -- one operand ------------------------------------------------------------------------------- */

bool mon_expression_unary(MonScope *scope, char sign, const VmValue *operand, VmValue *value)
{
    MonNumber number = {0};
    if (!mon_expression_number_of(scope, operand, &number))
        return false;
    if (sign == '!') {
        *value = mon_expression_integer(!mon_expression_number_truth(&number));
    } else if (number.kind == MON_POINTER || (sign == '~' && number.kind == MON_REAL)) {
        return mon_expression_fail(scope, "'%c' needs a number", sign);
    } else if (number.kind == MON_REAL) {
        *value = mon_expression_real(sign == '-' ? -number.real : number.real);
    } else {
        uint64_t bits = sign == '-' ? -number.bits : sign == '~' ? ~number.bits : number.bits;
        *value = mon_expression_integer((int64_t)bits);
        value->shape = number.kind == MON_UNSIGNED ? VM_UNSIGNED : VM_INTEGER;
    }
    return true;
}

/* -- two operands ------------------------------------------------------------------------------ */

static bool real_operation(MonScope *scope, const MonOperator *sign, double a, double b, VmValue *value)
{
    switch (sign->operation) {
    case MON_EQUAL: *value = mon_expression_integer(a == b); break;
    case MON_UNEQUAL: *value = mon_expression_integer(a != b); break;
    case MON_LESS: *value = mon_expression_integer(a < b); break;
    case MON_LESS_EQUAL: *value = mon_expression_integer(a <= b); break;
    case MON_GREATER: *value = mon_expression_integer(a > b); break;
    case MON_GREATER_EQUAL: *value = mon_expression_integer(a >= b); break;
    case MON_ADD: *value = mon_expression_real(a + b); break;
    case MON_SUBTRACT: *value = mon_expression_real(a - b); break;
    case MON_MULTIPLY: *value = mon_expression_real(a * b); break;
    case MON_DIVIDE: *value = mon_expression_real(a / b); break;
    default: return mon_expression_fail(scope, "'%s' needs whole numbers", sign->token);
    }
    return true;
}

static bool check_divisor(MonScope *scope, uint64_t a, uint64_t b, bool is_unsigned)
{
    if (scope->skip > 0)
        return true;
    if (b == 0)
        return mon_expression_fail(scope, "division by zero");
    return is_unsigned || (int64_t)b != -1 || (int64_t)a != INT64_MIN ||
           mon_expression_fail(scope, "the quotient overflows");
}

static bool divide(MonScope *scope, MonOperation operation, uint64_t a, uint64_t b, bool is_unsigned, uint64_t *result)
{
    *result = 0;
    if (!check_divisor(scope, a, b, is_unsigned) || scope->skip > 0)
        return scope->skip > 0;
    if (is_unsigned)
        *result = operation == MON_DIVIDE ? a / b : a % b;
    else
        *result = (uint64_t)(operation == MON_DIVIDE ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    return true;
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static bool integer_operation(MonScope *scope, MonOperation operation, uint64_t a, uint64_t b, bool is_unsigned,
                              VmValue *value)
{
    uint64_t bits = 0;
    bool compares =
        operation >= MON_EQUAL && operation <= MON_GREATER && operation != MON_LEFT && operation != MON_RIGHT;
    switch (operation) {
    case MON_EQUAL: bits = a == b; break;
    case MON_UNEQUAL: bits = a != b; break;
    case MON_LESS: bits = less(a, b, is_unsigned); break;
    case MON_LESS_EQUAL: bits = !less(b, a, is_unsigned); break;
    case MON_GREATER: bits = less(b, a, is_unsigned); break;
    case MON_GREATER_EQUAL: bits = !less(a, b, is_unsigned); break;
    case MON_BIT_OR: bits = a | b; break;
    case MON_BIT_XOR: bits = a ^ b; break;
    case MON_BIT_AND: bits = a & b; break;
    case MON_LEFT: bits = b < 64 ? a << b : 0; break;
    case MON_RIGHT: bits = is_unsigned ? (b < 64 ? a >> b : 0) : (uint64_t)((int64_t)a >> MIN(b, 63)); break;
    case MON_ADD: bits = a + b; break;
    case MON_SUBTRACT: bits = a - b; break;
    case MON_MULTIPLY: bits = a * b; break;
    default:
        if (!divide(scope, operation, a, b, is_unsigned, &bits))
            return false;
    }
    *value = mon_expression_integer((int64_t)bits);
    value->shape = is_unsigned && !compares ? VM_UNSIGNED : VM_INTEGER;
    return true;
}

/* Evaluates pointer arithmetic (C11 6.5.6). Comparisons compare the addresses. */
static bool pointer_operation(MonScope *scope, const MonOperator *sign, const MonNumber *left, const MonNumber *right,
                              VmValue *value)
{
    const MonNumber *pointer = left->kind == MON_POINTER ? left : right, *other = pointer == left ? right : left;
    uint64_t size = mon_expression_size_of(scope, pointer->target);
    const VcodeType *target = mon_expression_stripped(scope, pointer->target);
    if (!target || target->kind == VCODE_TYPE_VOID || target->kind == VCODE_TYPE_FUNCTION)
        size = 1;
    bool adds = sign->operation == MON_ADD && other->kind != MON_POINTER;
    bool subtracts = sign->operation == MON_SUBTRACT && pointer == left;
    if (adds || (subtracts && other->kind != MON_POINTER)) {
        uint64_t offset = other->bits * size;
        *value = (VmValue){.shape = VM_ADDRESS,
                           .type = pointer->target,
                           .bits = adds ? pointer->bits + offset : pointer->bits - offset};
        return true;
    }
    if (subtracts) {
        *value = mon_expression_integer((int64_t)(left->bits - right->bits) / (int64_t)size);
        return true;
    }
    if (sign->level < 6 || sign->level > 7)
        return mon_expression_fail(scope, "'%s' does not work on pointers", sign->token);
    return integer_operation(scope, sign->operation, left->bits, right->bits, true, value);
}

static bool repeat(MonScope *scope, const VmValue *object, const MonNumber *count, VmValue *value)
{
    if (object->shape != VM_OBJECT || !object->in_memory || object->variable || object->repeat > 0)
        return mon_expression_fail(scope, "left of @ stands an object in memory, as in values[0]@10");
    if ((count->kind != MON_SIGNED && count->kind != MON_UNSIGNED) || count->bits == 0 || count->bits > INT32_MAX)
        return scope->skip > 0 || mon_expression_fail(scope, "right of @ stands how many there are, from 1 on");
    *value = *object;
    value->repeat = (uint32_t)count->bits;
    return true;
}

bool mon_expression_binary(MonScope *scope, const MonOperator *sign, const VmValue *left, const VmValue *right,
                           VmValue *value)
{
    MonNumber a = {0}, b = {0};
    if (sign->operation == MON_REPEAT)
        return mon_expression_number_of(scope, right, &b) && repeat(scope, left, &b, value);
    if (!mon_expression_number_of(scope, left, &a) || !mon_expression_number_of(scope, right, &b))
        return false;
    if ((a.kind == MON_REAL || b.kind == MON_REAL) && a.kind != MON_POINTER && b.kind != MON_POINTER)
        return real_operation(scope, sign, mon_expression_number_real(&a), mon_expression_number_real(&b), value);
    if (a.kind == MON_REAL || b.kind == MON_REAL)
        return mon_expression_fail(scope, "'%s' does not join a pointer and a real number", sign->token);
    if (a.kind == MON_POINTER || b.kind == MON_POINTER)
        return pointer_operation(scope, sign, &a, &b, value);
    bool is_unsigned = a.kind == MON_UNSIGNED || b.kind == MON_UNSIGNED;
    return integer_operation(scope, sign->operation, a.bits, b.bits, is_unsigned, value);
}
