/* operators.c - what operators and conversions of C compute (C11 6.3, 6.5), on values that have been loaded.
 *
 * The front end has converted the operands to the type of the operation. Integers are canonical in 64 bits, so that
 * computing with 64 bits and cutting down the result is what the type asks for.
 */
#include "monitor/expression/values.h"

static bool is_comparison(CcExprKind kind)
{
    return kind >= CC_EQUAL && kind <= CC_GREATER_EQUAL;
}

static bool compare(CcExprKind kind, bool less, bool equal, bool greater)
{
    switch (kind) {
    case CC_EQUAL: return equal;
    case CC_NOT_EQUAL: return !equal;
    case CC_LESS: return less;
    case CC_LESS_EQUAL: return less || equal;
    case CC_GREATER: return greater;
    default: return greater || equal;
    }
}

static bool real_operation(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type, double a, double b,
                           MonValue *value)
{
    double result;
    switch (kind) {
    case CC_ADD: result = a + b; break;
    case CC_SUBTRACT: result = a - b; break;
    case CC_MULTIPLY: result = a * b; break;
    case CC_DIVIDE: result = a / b; break;
    default: return mon_expression_fail(scope, &expr->op_loc, "this operator needs whole numbers");
    }
    *value = mon_expression_real(type, type->kind == CC_FLOAT ? (double)(float)result : result);
    return true;
}

static bool divide(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type, uint64_t a, uint64_t b,
                   uint64_t *result)
{
    bool is_signed = cc_type_is_signed(type);
    if (b == 0)
        return mon_expression_fail(scope, &expr->loc, "division by zero");
    if (is_signed && (int64_t)b == -1) { /* the quotient of the least number does not fit */
        *result = kind == CC_DIVIDE ? 0 - a : 0;
        if (kind == CC_DIVIDE && a != 0 && cc_type_canonical(type, *result) == a)
            return mon_expression_fail(scope, &expr->loc, "the quotient overflows");
        return true;
    }
    if (is_signed)
        *result = (uint64_t)(kind == CC_DIVIDE ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    else
        *result = kind == CC_DIVIDE ? a / b : a % b;
    return true;
}

static bool shift(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type, uint64_t a, uint64_t by,
                  uint64_t *result)
{
    if (by >= cc_bits(type))
        return mon_expression_fail(scope, &expr->loc,
                                   "a shift of a %u-bit number by %" G_GINT64_FORMAT " is undefined in C",
                                   cc_bits(type), (int64_t)by);
    if (kind == CC_SHIFT_LEFT)
        *result = a << by;
    else
        *result = cc_type_is_signed(type) ? (uint64_t)((int64_t)a >> by) : a >> by;
    return true;
}

/* Of __int128: numbers that fit into 64 bits. */
static bool wide_operation(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type, uint64_t a,
                           uint64_t b, MonValue *value)
{
    bool is_signed = type->kind == CC_INT128;
    __int128 left = is_signed ? (__int128)(int64_t)a : (__int128)a,
             right = is_signed ? (__int128)(int64_t)b : (__int128)b;
    __int128 result = 0;
    switch (kind) {
    case CC_ADD: result = left + right; break;
    case CC_SUBTRACT: result = left - right; break;
    case CC_MULTIPLY: result = left * right; break;
    default:
        return mon_expression_fail(scope, &expr->loc, "the debugger only adds, subtracts and multiplies an __int128");
    }
    if (result != (is_signed ? (__int128)(int64_t)result : (__int128)(uint64_t)result))
        return mon_expression_fail(scope, &expr->loc, "this __int128 has more than 64 bits");
    *value = mon_expression_bits(type, (uint64_t)result);
    return true;
}

static bool integer_operation(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type, uint64_t a,
                              uint64_t b, MonValue *value)
{
    uint64_t result = 0;
    if (cc_is_wide(type))
        return wide_operation(scope, expr, kind, type, a, b, value);
    switch (kind) {
    case CC_ADD: result = a + b; break;
    case CC_SUBTRACT: result = a - b; break;
    case CC_MULTIPLY: result = a * b; break;
    case CC_AND: result = a & b; break;
    case CC_OR: result = a | b; break;
    case CC_XOR: result = a ^ b; break;
    case CC_DIVIDE:
    case CC_REMAINDER:
        if (!divide(scope, expr, kind, type, a, b, &result))
            return false;
        break;
    case CC_SHIFT_LEFT:
    case CC_SHIFT_RIGHT:
        if (!shift(scope, expr, kind, type, a, b, &result))
            return false;
        break;
    default: return mon_expression_fail(scope, &expr->loc, "the debugger does not compute this");
    }
    *value = mon_expression_bits(type, cc_type_canonical(type, result));
    return true;
}

/* Pointer + integer, pointer - integer, pointer - pointer (C11 6.5.6). */
static bool pointer_operation(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type,
                              const MonValue *left, const MonValue *right, MonValue *value)
{
    const CcType *target = left->type->target;
    bool unsized = target->kind == CC_VOID || target->kind == CC_FUNCTION;
    uint64_t size = unsized ? 1 : mon_expression_type_size(scope, target);
    if (size == 0)
        return mon_expression_fail(scope, &expr->loc, "the size of what this points to is not known");
    if (right->type->kind == CC_POINTER) {
        *value = mon_expression_bits(type, (uint64_t)((int64_t)(left->bits - right->bits) / (int64_t)size));
        return true;
    }
    uint64_t offset = kind == CC_ADD ? right->bits * size : 0 - right->bits * size;
    *value = *left;
    value->type = type;
    if (left->what == MON_PIECES)
        value->at.bits += offset;
    else
        value->bits += offset;
    return true;
}

bool mon_expression_operate(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type,
                            const MonValue *left, const MonValue *right, MonValue *value)
{
    if ((left->what == MON_PIECES && kind != CC_ADD && kind != CC_SUBTRACT) || right->what == MON_PIECES)
        return mon_expression_fail(
            scope, &expr->loc,
            "the array is kept in registers here: it has elements, but no address (-O0 gives it one)");
    if ((left->n_dimensions > 0 && kind != CC_ADD && kind != CC_SUBTRACT) || right->n_dimensions > 0)
        return mon_expression_fail(scope, &expr->loc, "a section of an array can only be printed");
    bool real = left->what == MON_REAL || right->what == MON_REAL;
    double a = mon_expression_as_real(left), b = mon_expression_as_real(right);
    if (is_comparison(kind)) {
        bool is_signed = left->type->kind == CC_INT128 || (cc_is_integer(left->type) && cc_type_is_signed(left->type));
        bool less = real ? a < b : is_signed ? (int64_t)left->bits < (int64_t)right->bits : left->bits < right->bits;
        bool equal = real ? a == b : left->bits == right->bits;
        bool greater = real ? a > b : !less && !equal;
        *value = mon_expression_bits(type, compare(kind, less, equal, greater));
        return true;
    }
    if (left->type->kind == CC_POINTER)
        return pointer_operation(scope, expr, kind, type, left, right, value);
    return real ? real_operation(scope, expr, kind, type, a, b, value)
                : integer_operation(scope, expr, kind, type, left->bits, right->bits, value);
}

/* Returns a real number as an integer of the type; what does not fit is undefined in C, and 0 here. */
static uint64_t whole(const CcType *type, double real)
{
    bool fits = cc_type_is_signed(type) ? real > -9.3e18 && real < 9.2233720368547758e18
                                        : real > -1 && real < 1.8446744073709552e19;
    if (!fits)
        return 0;
    return cc_type_is_signed(type) ? (uint64_t)(int64_t)real : (uint64_t)real;
}

bool mon_expression_convert(MonScope *scope, const CcExpr *expr, const CcType *type, const MonValue *from,
                            MonValue *value)
{
    *value = *from;
    value->type = type;
    if (type->kind == CC_VOID) {
        value->what = MON_NOTHING;
    } else if (from->what == MON_PIECES || from->what == MON_TEXT) {
        if (type->kind != CC_POINTER)
            return mon_expression_fail(scope, &expr->loc, "this has no address in the program");
    } else if (cc_is_wide(type) && from->what == MON_BITS) {
        value->type = type;
    } else if (cc_is_wide(type) || cc_is_complex(type) || cc_is_aggregate(type)) {
        if (from->what != MON_OBJECT)
            return mon_expression_fail(scope, &expr->loc, "numbers of this type can be printed, but not computed with");
    } else if (cc_is_real(type)) {
        double real = mon_expression_as_real(from);
        *value = mon_expression_real(type, type->kind == CC_FLOAT ? (double)(float)real : real);
    } else if (type->kind == CC_BOOL) {
        *value = mon_expression_bits(type, mon_expression_is_true(from));
    } else {
        uint64_t bits = from->what == MON_REAL ? whole(type, from->real) : from->bits;
        value->what = MON_BITS;
        value->bits = type->kind == CC_POINTER || cc_is_wide(type) ? bits : cc_type_canonical(type, bits);
    }
    return true;
}
