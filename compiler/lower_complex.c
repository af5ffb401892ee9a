/* lower_complex.c - _Complex values: pairs of registers while they are computed with, memory otherwise.
 *
 * A real operand of a complex operator stays real (C11 annex G.5.1: no conversion, so that infinities survive):
 * its imaginary register is CC_NO_REG. Multiplication is the plain formula. Division of doubles is Smith's (Algorithm
 * 116, CACM 5:8, 1962), of floats the plain formula in double, both as libgcc does them in the common range.
 */
#include "compiler/lower.h"

typedef struct Complex {
    CcReg re, im; /* im CC_NO_REG: real */
} Complex;

static CcReg op2(CcLower *l, CcExprKind kind, const CcType *part, CcReg a, CcReg b)
{
    return cc_binary_op(l, kind, part, cc_value_reg(a), cc_value_reg(b)).reg;
}

static CcReg negate(CcLower *l, const CcType *part, CcReg a)
{
    return cc_negate(l, part, cc_value_reg(a)).reg;
}

static CcReg zero(CcLower *l)
{
    return cc_emit_constant(l, 0);
}

static Complex load(CcLower *l, const CcType *type, CcAddress address)
{
    const CcType *part = cc_complex_part(type);
    address = cc_address_fix(l, address);
    CcReg re = cc_load(l, part, address);
    CcReg im = cc_load(l, part, cc_address_add(address, (int64_t)part->size));
    return (Complex){re, im};
}

static void store(CcLower *l, const CcType *type, CcAddress address, Complex value)
{
    const CcType *part = cc_complex_part(type);
    address = cc_address_fix(l, address);
    cc_store(l, part, address, value.re);
    cc_store(l, part, cc_address_add(address, (int64_t)part->size), value.im);
}

static Complex lower(CcLower *l, CcExpr *expr)
{
    CcReg part[2];
    cc_lower_complex(l, expr, part);
    return (Complex){part[0], part[1]};
}

static CcReg convert_part(CcLower *l, const CcType *from, const CcType *to, CcReg value)
{
    return cc_convert_value(l, cc_value_reg(value), from, to).reg;
}

static Complex convert(CcLower *l, const CcType *from, const CcType *to, Complex value)
{
    const CcType *a = cc_complex_part(from), *b = cc_complex_part(to);
    return (Complex){convert_part(l, a, b, value.re), convert_part(l, a, b, value.im)};
}

/* An operand of an operator of complex `type`: real if it was made complex only for this. */
static Complex lower_operand(CcLower *l, const CcType *type, CcExpr *expr)
{
    if (expr->kind == CC_CAST && cc_is_complex(expr->type) && !cc_is_complex(expr->left->type)) {
        CcValue value = cc_lower_value(l, expr->left);
        return (Complex){cc_reg(l, cc_convert_value(l, value, expr->left->type, cc_complex_part(type))), CC_NO_REG};
    }
    Complex value = lower(l, expr);
    return expr->type->kind == type->kind ? value : convert(l, expr->type, type, value);
}

/* -- arithmetic ---------------------------------------------------------------------------------------------- */

static Complex add(CcLower *l, CcExprKind kind, const CcType *part, Complex a, Complex b)
{
    Complex sum = {op2(l, kind, part, a.re, b.re), a.im};
    if (a.im != CC_NO_REG && b.im != CC_NO_REG)
        sum.im = op2(l, kind, part, a.im, b.im);
    else if (b.im != CC_NO_REG)
        sum.im = kind == CC_SUBTRACT ? negate(l, part, b.im) : b.im;
    return sum;
}

static Complex multiply(CcLower *l, const CcType *part, Complex a, Complex b)
{
    if (b.im == CC_NO_REG || a.im == CC_NO_REG) {
        Complex c = b.im == CC_NO_REG ? a : b;
        CcReg r = b.im == CC_NO_REG ? b.re : a.re;
        CcReg im = c.im == CC_NO_REG ? CC_NO_REG : op2(l, CC_MULTIPLY, part, c.im, r);
        return (Complex){op2(l, CC_MULTIPLY, part, c.re, r), im};
    }
    CcReg ac = op2(l, CC_MULTIPLY, part, a.re, b.re), bd = op2(l, CC_MULTIPLY, part, a.im, b.im);
    CcReg ad = op2(l, CC_MULTIPLY, part, a.re, b.im), bc = op2(l, CC_MULTIPLY, part, a.im, b.re);
    return (Complex){op2(l, CC_SUBTRACT, part, ac, bd), op2(l, CC_ADD, part, ad, bc)};
}

/* One side of Smith's method: with q the larger and p the smaller part of the divisor. */
static void smith(CcLower *l, const CcType *part, Complex a, CcReg p, CcReg q, bool imaginary_larger, CcReg result[2])
{
    CcReg ratio = op2(l, CC_DIVIDE, part, p, q);
    CcReg denominator = op2(l, CC_ADD, part, op2(l, CC_MULTIPLY, part, p, ratio), q);
    CcReg x, y;
    if (imaginary_larger) { /* x = (a r + b) / d, y = (b r - a) / d */
        x = op2(l, CC_ADD, part, op2(l, CC_MULTIPLY, part, a.re, ratio), a.im);
        y = op2(l, CC_SUBTRACT, part, op2(l, CC_MULTIPLY, part, a.im, ratio), a.re);
    } else { /* x = (b r + a) / d, y = (b - a r) / d */
        x = op2(l, CC_ADD, part, op2(l, CC_MULTIPLY, part, a.im, ratio), a.re);
        y = op2(l, CC_SUBTRACT, part, a.im, op2(l, CC_MULTIPLY, part, a.re, ratio));
    }
    cc_emit_move(l, result[0], cc_value_reg(op2(l, CC_DIVIDE, part, x, denominator)));
    cc_emit_move(l, result[1], cc_value_reg(op2(l, CC_DIVIDE, part, y, denominator)));
}

static Complex divide_double(CcLower *l, const CcType *part, Complex a, Complex b)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result[2] = {cc_new_reg(l), cc_new_reg(l)};
    CcValue c = cc_value_reg(cc_emit_rr(l, VCODE_ABS_D, b.re)), d = cc_value_reg(cc_emit_rr(l, VCODE_ABS_D, b.im));
    cc_branch_compare(l, CC_LESS, part, c, d, yes, no);
    cc_start_block(l, yes);
    smith(l, part, a, b.re, b.im, true, result);
    cc_emit_jump(l, end);
    cc_start_block(l, no);
    smith(l, part, a, b.im, b.re, false, result);
    cc_start_block(l, end);
    return (Complex){result[0], result[1]};
}

static Complex divide_float(CcLower *l, const CcType *part, Complex a, Complex b)
{
    CcType wide = {.kind = CC_DOUBLE, .size = 8, .align = 8};
    CcReg v[4] = {a.re, a.im, b.re, b.im};
    for (unsigned i = 0; i < 4; i++)
        v[i] = convert_part(l, part, &wide, v[i]);
    CcReg d = op2(l, CC_ADD, &wide, op2(l, CC_MULTIPLY, &wide, v[2], v[2]), op2(l, CC_MULTIPLY, &wide, v[3], v[3]));
    CcReg x = op2(l, CC_ADD, &wide, op2(l, CC_MULTIPLY, &wide, v[0], v[2]), op2(l, CC_MULTIPLY, &wide, v[1], v[3]));
    CcReg y =
        op2(l, CC_SUBTRACT, &wide, op2(l, CC_MULTIPLY, &wide, v[1], v[2]), op2(l, CC_MULTIPLY, &wide, v[0], v[3]));
    return (Complex){convert_part(l, &wide, part, op2(l, CC_DIVIDE, &wide, x, d)),
                     convert_part(l, &wide, part, op2(l, CC_DIVIDE, &wide, y, d))};
}

static Complex divide(CcLower *l, const CcType *part, Complex a, Complex b)
{
    if (b.im == CC_NO_REG)
        return (Complex){op2(l, CC_DIVIDE, part, a.re, b.re),
                         a.im == CC_NO_REG ? CC_NO_REG : op2(l, CC_DIVIDE, part, a.im, b.re)};
    if (a.im == CC_NO_REG)
        a.im = zero(l);
    return cc_class(part) == CC_CLASS_F ? divide_float(l, part, a, b) : divide_double(l, part, a, b);
}

static Complex operate(CcLower *l, CcExprKind op, const CcType *type, Complex a, Complex b)
{
    const CcType *part = cc_complex_part(type);
    Complex result = op == CC_MULTIPLY ? multiply(l, part, a, b)
                     : op == CC_DIVIDE ? divide(l, part, a, b)
                                       : add(l, op, part, a, b);
    if (result.im == CC_NO_REG)
        result.im = zero(l);
    return result;
}

void cc_complex_op(CcLower *l, CcExprKind op, const CcType *type, const CcReg left[2], CcExpr *right, CcReg part[2])
{
    Complex result = operate(l, op, type, (Complex){left[0], left[1]}, lower_operand(l, type, right));
    part[0] = result.re;
    part[1] = result.im;
}

/* -- expressions ----------------------------------------------------------------------------------------------------
 */

static Complex lower_cast(CcLower *l, CcExpr *expr)
{
    CcType *from = expr->left->type;
    if (cc_is_complex(from)) {
        Complex value = lower(l, expr->left);
        return convert(l, from, expr->type, value);
    }
    CcValue value = cc_lower_value(l, expr->left);
    CcReg re = cc_reg(l, cc_convert_value(l, value, from, cc_complex_part(expr->type)));
    return (Complex){re, zero(l)};
}

static Complex lower_assign(CcLower *l, CcExpr *expr)
{
    CcAddress to = cc_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex value = lower(l, expr->right);
    store(l, expr->type, to, value);
    return value;
}

static Complex lower_assign_op(CcLower *l, CcExpr *expr)
{
    CcType *type = expr->left->type, *operation = expr->operation_type;
    CcAddress to = cc_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex right = lower_operand(l, operation, expr->right);
    Complex left = convert(l, type, operation, load(l, type, to));
    Complex value = convert(l, operation, type, operate(l, expr->op, operation, left, right));
    store(l, type, to, value);
    return value;
}

static Complex lower_increment(CcLower *l, CcExpr *expr)
{
    bool minus = expr->kind == CC_PRE_DECREMENT || expr->kind == CC_POST_DECREMENT;
    bool post = expr->kind == CC_POST_INCREMENT || expr->kind == CC_POST_DECREMENT;
    const CcType *part = cc_complex_part(expr->type);
    CcAddress place = cc_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex old = load(l, expr->type, place);
    CcReg one = cc_emit_constant(l, cc_real_bits(part, 1));
    Complex now = {op2(l, minus ? CC_SUBTRACT : CC_ADD, part, old.re, one), old.im};
    store(l, expr->type, place, now);
    return post ? old : now;
}

static Complex lower_conditional(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result[2] = {cc_new_reg(l), cc_new_reg(l)};
    Complex chosen = {CC_NO_REG, CC_NO_REG};
    CcExpr *condition = expr->condition;
    if (expr->left) {
        cc_lower_branch(l, condition, yes, no);
    } else { /* a ?: b */
        chosen = lower(l, condition);
        const CcType *part = cc_complex_part(condition->type);
        CcIrBlock *other = cc_ir_block_new(l->f);
        cc_branch_compare(l, CC_NOT_EQUAL, part, cc_value_reg(chosen.re), cc_value_constant(0), yes, other);
        cc_start_block(l, other);
        cc_branch_compare(l, CC_NOT_EQUAL, part, cc_value_reg(chosen.im), cc_value_constant(0), yes, no);
    }
    cc_start_block(l, yes);
    if (expr->left)
        chosen = lower(l, expr->left);
    cc_emit_move(l, result[0], cc_value_reg(chosen.re));
    cc_emit_move(l, result[1], cc_value_reg(chosen.im));
    cc_emit_jump(l, end);
    cc_start_block(l, no);
    chosen = lower(l, expr->right);
    cc_emit_move(l, result[0], cc_value_reg(chosen.re));
    cc_emit_move(l, result[1], cc_value_reg(chosen.im));
    cc_start_block(l, end);
    return (Complex){result[0], result[1]};
}

static Complex lower_statement_value(CcLower *l, CcExpr *expr)
{
    CcScopeState state;
    CcExpr *last = cc_lower_statement_expr(l, expr, &state);
    Complex value = {CC_NO_REG, CC_NO_REG};
    if (last)
        value = lower(l, last);
    else
        value = (Complex){zero(l), zero(l)};
    cc_lower_statement_expr_end(l, expr->statement, &state);
    return value;
}

static Complex lower_number(CcLower *l, CcExpr *expr)
{
    const CcType *part = cc_complex_part(expr->type);
    CcReg re = cc_emit_constant(l, cc_real_bits(part, expr->real));
    return (Complex){re, cc_emit_constant(l, cc_real_bits(part, expr->imaginary))};
}

static Complex lower_operation(CcLower *l, CcExpr *expr)
{
    const CcType *part = cc_complex_part(expr->type);
    switch (expr->kind) {
    case CC_NEGATE: {
        Complex value = lower(l, expr->left);
        return (Complex){negate(l, part, value.re), negate(l, part, value.im)};
    }
    case CC_COMPLEMENT: { /* the conjugate (GNU) */
        Complex value = lower(l, expr->left);
        return (Complex){value.re, negate(l, part, value.im)};
    }
    default: {
        Complex left = lower_operand(l, expr->type, expr->left);
        Complex right = lower_operand(l, expr->type, expr->right);
        return operate(l, expr->kind, expr->type, left, right);
    }
    }
}

static Complex lower_complex(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_NUMBER: return lower_number(l, expr);
    case CC_CAST: return lower_cast(l, expr);
    case CC_ASSIGN: return lower_assign(l, expr);
    case CC_ASSIGN_OP: return lower_assign_op(l, expr);
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: return lower_increment(l, expr);
    case CC_CONDITIONAL: return lower_conditional(l, expr);
    case CC_COMMA: cc_lower_effect(l, expr->left); return lower(l, expr->right);
    case CC_STATEMENT_EXPR: return lower_statement_value(l, expr);
    case CC_CALL: return load(l, expr->type, cc_lower_call_by_address(l, expr));
    case CC_VARIABLE:
    case CC_DEREFERENCE:
    case CC_MEMBER:
    case CC_COMPOUND:
    case CC_VA_ARG: return load(l, expr->type, cc_lower_aggregate(l, expr));
    default: return lower_operation(l, expr);
    }
}

void cc_lower_complex(CcLower *l, CcExpr *expr, CcReg part[2])
{
    g_assert(cc_is_complex(expr->type));
    Complex value = lower_complex(l, expr);
    part[0] = value.re;
    part[1] = value.im;
}
