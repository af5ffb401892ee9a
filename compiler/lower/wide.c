/* wide.c - lowers __int128 as two registers, the lower half first. Memory has the same order.
 *
 * Additions and subtractions find the carry by comparing: a sum is less than its operand if it wrapped. Products use
 * the instructions for the upper half of a product. Shifts compute two results and choose one by a mask, without
 * branches. Quotients and conversions from and to floating types are calls, which sema has inserted.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

typedef struct Wide {
    CcValue low, high;
} Wide;

static const CcType half = {.kind = CC_ULONG, .size = 8, .align = 8};
static const CcType signed_half = {.kind = CC_LONG, .size = 8, .align = 8};

static Wide lower(CcLower *l, CcExpr *expr)
{
    CcReg part[2];
    cc_lower_wide(l, expr, part);
    return (Wide){cc_value_reg(part[0]), cc_value_reg(part[1])};
}

static CcValue op(CcLower *l, CcExprKind kind, CcValue a, CcValue b)
{
    return cc_lower_binary_op(l, kind, &half, a, b);
}

static CcValue constant(int64_t value)
{
    return cc_value_constant(value);
}

static Wide load(CcLower *l, CcAddress address)
{
    address = cc_lower_address_fix(l, address);
    CcReg low = cc_lower_load(l, &half, address);
    return (Wide){cc_value_reg(low), cc_value_reg(cc_lower_load(l, &half, cc_lower_address_add(address, 8)))};
}

static void store(CcLower *l, CcAddress address, Wide value)
{
    address = cc_lower_address_fix(l, address);
    cc_lower_store(l, &half, address, cc_lower_to_reg(l, value.low));
    cc_lower_store(l, &half, cc_lower_address_add(address, 8), cc_lower_to_reg(l, value.high));
}

/* -- arithmetic -------------------------------------------------------------------------------- */

static Wide add(CcLower *l, Wide a, Wide b)
{
    CcValue low = op(l, CC_ADD, a.low, b.low);
    CcValue carry = cc_lower_compare(l, CC_LESS, &half, low, a.low);
    return (Wide){low, op(l, CC_ADD, op(l, CC_ADD, a.high, b.high), carry)};
}

static Wide subtract(CcLower *l, Wide a, Wide b)
{
    CcValue borrow = cc_lower_compare(l, CC_LESS, &half, a.low, b.low);
    return (Wide){op(l, CC_SUBTRACT, a.low, b.low), op(l, CC_SUBTRACT, op(l, CC_SUBTRACT, a.high, b.high), borrow)};
}

static Wide multiply(CcLower *l, Wide a, Wide b)
{
    CcReg upper = cc_lower_emit_rrr(l, VCODE_MULH_UL, cc_lower_to_reg(l, a.low), cc_lower_to_reg(l, b.low));
    CcValue crossed = op(l, CC_ADD, op(l, CC_MULTIPLY, a.low, b.high), op(l, CC_MULTIPLY, a.high, b.low));
    return (Wide){op(l, CC_MULTIPLY, a.low, b.low), op(l, CC_ADD, cc_value_reg(upper), crossed)};
}

static Wide parts(CcLower *l, CcExprKind kind, Wide a, Wide b)
{
    return (Wide){op(l, kind, a.low, b.low), op(l, kind, a.high, b.high)};
}

/* -- shifts ------------------------------------------------------------------------------------ */

/* A shift count: the count modulo 64, 63 minus that, and a mask that is all ones if the count is 64 or more. */
typedef struct Count {
    CcValue bits, rest, large;
} Count;

static Count count_of(CcLower *l, CcValue n)
{
    CcValue bits = op(l, CC_AND, n, constant(63));
    CcValue large = op(l, CC_AND, op(l, CC_SHIFT_RIGHT, n, constant(6)), constant(1));
    return (Count){bits, op(l, CC_XOR, bits, constant(63)), cc_lower_negate(l, &half, large)};
}

/* Returns `if_large` if the mask is all ones, else `small`. */
static CcValue choose(CcLower *l, CcValue mask, CcValue if_large, CcValue small)
{
    if (mask.constant)
        return mask.value ? if_large : small;
    return op(l, CC_XOR, small, op(l, CC_AND, op(l, CC_XOR, if_large, small), mask));
}

static Wide shift_left(CcLower *l, Wide a, Count n)
{
    CcValue low = op(l, CC_SHIFT_LEFT, a.low, n.bits);
    CcValue over = op(l, CC_SHIFT_RIGHT, op(l, CC_SHIFT_RIGHT, a.low, constant(1)), n.rest);
    CcValue high = op(l, CC_OR, op(l, CC_SHIFT_LEFT, a.high, n.bits), over);
    return (Wide){choose(l, n.large, constant(0), low), choose(l, n.large, low, high)};
}

static Wide shift_right(CcLower *l, Wide a, Count n, bool is_signed)
{
    const CcType *type = is_signed ? &signed_half : &half;
    CcValue high = cc_lower_binary_op(l, CC_SHIFT_RIGHT, type, a.high, n.bits);
    CcValue fill = is_signed ? cc_lower_binary_op(l, CC_SHIFT_RIGHT, type, a.high, constant(63)) : constant(0);
    CcValue over = op(l, CC_SHIFT_LEFT, op(l, CC_SHIFT_LEFT, a.high, constant(1)), n.rest);
    CcValue low = op(l, CC_OR, op(l, CC_SHIFT_RIGHT, a.low, n.bits), over);
    return (Wide){choose(l, n.large, high, low), choose(l, n.large, fill, high)};
}

/* -- comparisons ------------------------------------------------------------------------------- */

static CcValue is_less(CcLower *l, Wide a, Wide b, bool is_signed)
{
    CcValue less = cc_lower_compare(l, CC_LESS, is_signed ? &signed_half : &half, a.high, b.high);
    CcValue same = cc_lower_compare(l, CC_EQUAL, &half, a.high, b.high);
    return op(l, CC_OR, less, op(l, CC_AND, same, cc_lower_compare(l, CC_LESS, &half, a.low, b.low)));
}

CcValue cc_lower_wide_compare(CcLower *l, CcExprKind kind, CcExpr *left, CcExpr *right)
{
    bool is_signed = cc_type_is_signed(left->type);
    Wide a = lower(l, left), b = lower(l, right);
    switch (kind) {
    case CC_EQUAL:
    case CC_NOT_EQUAL: {
        Wide differ = parts(l, CC_XOR, a, b);
        return cc_lower_compare(l, kind, &half, op(l, CC_OR, differ.low, differ.high), constant(0));
    }
    case CC_LESS: return is_less(l, a, b, is_signed);
    case CC_GREATER: return is_less(l, b, a, is_signed);
    case CC_LESS_EQUAL: return op(l, CC_XOR, is_less(l, b, a, is_signed), constant(1));
    default: return op(l, CC_XOR, is_less(l, a, b, is_signed), constant(1));
    }
}

static CcValue truth(CcLower *l, Wide value)
{
    return cc_lower_compare(l, CC_NOT_EQUAL, &half, op(l, CC_OR, value.low, value.high), constant(0));
}

CcValue cc_lower_wide_truth(CcLower *l, CcExpr *expr)
{
    return truth(l, lower(l, expr));
}

/* -- expressions ------------------------------------------------------------------------------- */

static Wide lower_cast(CcLower *l, CcExpr *expr)
{
    const CcType *from = expr->left->type;
    if (cc_is_wide(from))
        return lower(l, expr->left);
    bool is_signed = from->kind == CC_POINTER || (cc_is_integer(from) && cc_type_is_signed(from)); /* like gcc */
    const CcType *to = is_signed ? &signed_half : &half;
    CcValue low = cc_lower_convert(l, cc_lower_value(l, expr->left), from, to);
    return (Wide){low, is_signed ? cc_lower_binary_op(l, CC_SHIFT_RIGHT, to, low, constant(63)) : constant(0)};
}

static Wide lower_assign(CcLower *l, CcExpr *expr)
{
    CcAddress to = cc_lower_address_fix(l, cc_lower_place(l, expr->left).address);
    Wide value = lower(l, expr->right);
    store(l, to, value);
    return value;
}

static void move(CcLower *l, const CcReg result[2], Wide value)
{
    cc_lower_emit_move(l, result[0], value.low);
    cc_lower_emit_move(l, result[1], value.high);
}

static Wide lower_conditional(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result[2] = {cc_lower_new_reg(l), cc_lower_new_reg(l)};
    Wide chosen = {constant(0), constant(0)};
    if (expr->left) {
        cc_lower_branch(l, expr->condition, yes, no);
    } else { /* a ?: b */
        chosen = lower(l, expr->condition);
        cc_lower_branch_compare(l, CC_NOT_EQUAL, &half, truth(l, chosen), constant(0), yes, no);
    }
    cc_lower_start_block(l, yes);
    move(l, result, expr->left ? lower(l, expr->left) : chosen);
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    move(l, result, lower(l, expr->right));
    cc_lower_start_block(l, end);
    return (Wide){cc_value_reg(result[0]), cc_value_reg(result[1])};
}

static Wide lower_statement_value(CcLower *l, CcExpr *expr)
{
    CcScopeState state;
    CcExpr *last = cc_lower_statement_expr(l, expr, &state);
    Wide value = last ? lower(l, last) : (Wide){constant(0), constant(0)};
    cc_lower_statement_expr_end(l, &state);
    return value;
}

static Wide lower_binary(CcLower *l, CcExpr *expr)
{
    Wide a = lower(l, expr->left);
    if (expr->kind == CC_SHIFT_LEFT)
        return shift_left(l, a, count_of(l, cc_lower_value(l, expr->right)));
    if (expr->kind == CC_SHIFT_RIGHT)
        return shift_right(l, a, count_of(l, cc_lower_value(l, expr->right)), cc_type_is_signed(expr->type));
    Wide b = lower(l, expr->right);
    switch (expr->kind) {
    case CC_ADD: return add(l, a, b);
    case CC_SUBTRACT: return subtract(l, a, b);
    case CC_MULTIPLY: return multiply(l, a, b);
    default: g_assert(expr->kind == CC_AND || expr->kind == CC_OR || expr->kind == CC_XOR);
    }
    return parts(l, expr->kind, a, b);
}

static Wide lower_expression(CcLower *l, CcExpr *expr)
{
    const Wide zero = {constant(0), constant(0)}, ones = {constant(-1), constant(-1)};
    switch (expr->kind) {
    case CC_NUMBER: return (Wide){constant((int64_t)expr->integer), constant((int64_t)expr->high)};
    case CC_CAST: return lower_cast(l, expr);
    case CC_ASSIGN: return lower_assign(l, expr);
    case CC_CONDITIONAL: return lower_conditional(l, expr);
    case CC_COMMA: cc_lower_effect(l, expr->left); return lower(l, expr->right);
    case CC_STATEMENT_EXPR: return lower_statement_value(l, expr);
    case CC_NEGATE: return subtract(l, zero, lower(l, expr->left));
    case CC_COMPLEMENT: return parts(l, CC_XOR, lower(l, expr->left), ones);
    case CC_CALL:
    case CC_VARIABLE:
    case CC_DEREFERENCE:
    case CC_MEMBER:
    case CC_COMPOUND:
    case CC_VA_ARG: return load(l, cc_lower_aggregate(l, expr));
    default: return lower_binary(l, expr);
    }
}

void cc_lower_wide(CcLower *l, CcExpr *expr, CcReg part[2])
{
    g_assert(cc_is_wide(expr->type));
    Wide value = lower_expression(l, expr);
    part[0] = cc_lower_to_reg(l, value.low);
    part[1] = cc_lower_to_reg(l, value.high);
}
