/* complex.c - lowers _Complex values: pairs of registers during a computation, memory otherwise.
 *
 * A real operand of a complex operator stays real. It is not converted, so that infinities survive (C11 annex G.5.1).
 * Its imaginary register is CC_NO_REG. Multiplication uses the plain formula. Division of doubles is Smith's (Algorithm
 * 116, CACM 5:8, 1962); division of floats uses the plain formula in double. Both do what libgcc does in the common
 * range.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

typedef struct Complex {
    CcReg re, im; /* im is CC_NO_REG for a real operand */
} Complex;

static CcReg op2(CcLower *l, CcExprKind kind, const CcType *part, CcReg a, CcReg b)
{
    return cc_lower_binary_op(l, kind, part, cc_value_reg(a), cc_value_reg(b)).reg;
}

static CcReg negate(CcLower *l, const CcType *part, CcReg a)
{
    return cc_lower_negate(l, part, cc_value_reg(a)).reg;
}

static CcReg zero(CcLower *l)
{
    return cc_lower_emit_constant(l, 0);
}

static Complex load(CcLower *l, const CcType *type, CcAddress address)
{
    const CcType *part = cc_type_complex_part(type);
    address = cc_lower_address_fix(l, address);
    CcReg re = cc_lower_load(l, part, address);
    CcReg im = cc_lower_load(l, part, cc_lower_address_add(address, (int64_t)part->size));
    return (Complex){re, im};
}

static void store(CcLower *l, const CcType *type, CcAddress address, Complex value)
{
    const CcType *part = cc_type_complex_part(type);
    address = cc_lower_address_fix(l, address);
    cc_lower_store(l, part, address, value.re);
    cc_lower_store(l, part, cc_lower_address_add(address, (int64_t)part->size), value.im);
}

static Complex lower(CcLower *l, CcExpr *expr)
{
    CcReg part[2];
    cc_lower_complex(l, expr, part);
    return (Complex){part[0], part[1]};
}

static CcReg convert_part(CcLower *l, const CcType *from, const CcType *to, CcReg value)
{
    return cc_lower_convert(l, cc_value_reg(value), from, to).reg;
}

static Complex convert(CcLower *l, const CcType *from, const CcType *to, Complex value)
{
    const CcType *a = cc_type_complex_part(from), *b = cc_type_complex_part(to);
    return (Complex){convert_part(l, a, b, value.re), convert_part(l, a, b, value.im)};
}

/* Lowers an operand of an operator of complex `type`. It stays real if only this operator made it complex. */
static Complex lower_operand(CcLower *l, const CcType *type, CcExpr *expr)
{
    if (expr->kind == CC_CAST && cc_is_complex(expr->type) && !cc_is_complex(expr->left->type)) {
        CcValue value = cc_lower_value(l, expr->left);
        return (Complex){cc_lower_to_reg(l, cc_lower_convert(l, value, expr->left->type, cc_type_complex_part(type))),
                         CC_NO_REG};
    }
    Complex value = lower(l, expr);
    return expr->type->kind == type->kind ? value : convert(l, expr->type, type, value);
}

/* -- arithmetic -------------------------------------------------------------------------------- */

static Complex add(CcLower *l, CcExprKind kind, const CcType *part, Complex a, Complex b)
{
    Complex sum = {op2(l, kind, part, a.re, b.re), a.im};
    if (a.im != CC_NO_REG && b.im != CC_NO_REG)
        sum.im = op2(l, kind, part, a.im, b.im);
    else if (b.im != CC_NO_REG)
        sum.im = kind == CC_SUBTRACT ? negate(l, part, b.im) : b.im;
    return sum;
}

static Complex call_runtime(CcLower *l, CcSymbol *function, const CcType *type, Complex a, Complex b)
{
    CcAddress buffer = cc_lower_frame_temporary(l, type->size, type->align);
    CcReg arguments[] = {cc_lower_address_reg(l, buffer), a.re, a.im, b.re, b.im};
    cc_lower_runtime_call(l, function, arguments, G_N_ELEMENTS(arguments));
    return load(l, type, buffer);
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

/* Tests whether both parts of a result are NaN, which is rare. If so, the runtime recovers an infinity that was lost
 * (C11 G.5.1). */
static Complex recover(CcLower *l, const CcType *part, Complex product, const Complex operands[2], CcSymbol *function,
                       const CcType *type)
{
    CcIrBlock *maybe = cc_ir_block_new(l->f), *both = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    Complex result = {cc_lower_new_reg(l), cc_lower_new_reg(l)};
    cc_lower_emit_move(l, result.re, cc_value_reg(product.re));
    cc_lower_emit_move(l, result.im, cc_value_reg(product.im));
    CcValue re = cc_value_reg(product.re), im = cc_value_reg(product.im);
    cc_lower_branch_compare(l, CC_EQUAL, part, re, re, end, maybe);
    cc_lower_start_block(l, maybe);
    cc_lower_branch_compare(l, CC_EQUAL, part, im, im, end, both);
    cc_lower_start_block(l, both);
    Complex again = call_runtime(l, function, type, operands[0], operands[1]);
    cc_lower_emit_move(l, result.re, cc_value_reg(again.re));
    cc_lower_emit_move(l, result.im, cc_value_reg(again.im));
    cc_lower_start_block(l, end);
    return result;
}

static Complex divide(CcLower *l, const CcType *part, Complex a, Complex b, CcSymbol *function, const CcType *type)
{
    if (b.im == CC_NO_REG)
        return (Complex){op2(l, CC_DIVIDE, part, a.re, b.re),
                         a.im == CC_NO_REG ? CC_NO_REG : op2(l, CC_DIVIDE, part, a.im, b.re)};
    if (a.im == CC_NO_REG)
        a.im = zero(l);
    return call_runtime(l, function, type, a, b);
}

static Complex operate(CcLower *l, CcExprKind op, const CcType *type, CcSymbol *function, Complex a, Complex b)
{
    const CcType *part = cc_type_complex_part(type);
    Complex result = op == CC_MULTIPLY ? multiply(l, part, a, b)
                     : op == CC_DIVIDE ? divide(l, part, a, b, function, type)
                                       : add(l, op, part, a, b);
    if (op == CC_MULTIPLY && a.im != CC_NO_REG && b.im != CC_NO_REG)
        result = recover(l, part, result, (Complex[]){a, b}, function, type);
    if (result.im == CC_NO_REG)
        result.im = zero(l);
    return result;
}

void cc_lower_complex_op(CcLower *l, CcExprKind op, const CcType *type, CcSymbol *function, const CcReg left[2],
                         CcExpr *right, CcReg part[2])
{
    Complex result = operate(l, op, type, function, (Complex){left[0], left[1]}, lower_operand(l, type, right));
    part[0] = result.re;
    part[1] = result.im;
}

/* -- expressions ------------------------------------------------------------------------------- */

static Complex lower_cast(CcLower *l, CcExpr *expr)
{
    CcType *from = expr->left->type;
    if (cc_is_complex(from)) {
        Complex value = lower(l, expr->left);
        return convert(l, from, expr->type, value);
    }
    CcValue value = cc_lower_value(l, expr->left);
    CcReg re = cc_lower_to_reg(l, cc_lower_convert(l, value, from, cc_type_complex_part(expr->type)));
    return (Complex){re, zero(l)};
}

static Complex lower_assign(CcLower *l, CcExpr *expr)
{
    CcAddress to = cc_lower_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex value = lower(l, expr->right);
    store(l, expr->type, to, value);
    return value;
}

static Complex lower_assign_op(CcLower *l, CcExpr *expr)
{
    CcType *type = expr->left->type, *operation = expr->operation_type;
    CcAddress to = cc_lower_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex right = lower_operand(l, operation, expr->right);
    Complex left = convert(l, type, operation, load(l, type, to));
    Complex value = convert(l, operation, type, operate(l, expr->op, operation, expr->symbol, left, right));
    store(l, type, to, value);
    return value;
}

static Complex lower_increment(CcLower *l, CcExpr *expr)
{
    bool minus = expr->kind == CC_PRE_DECREMENT || expr->kind == CC_POST_DECREMENT;
    bool post = expr->kind == CC_POST_INCREMENT || expr->kind == CC_POST_DECREMENT;
    const CcType *part = cc_type_complex_part(expr->type);
    CcAddress place = cc_lower_address_fix(l, cc_lower_place(l, expr->left).address);
    Complex old = load(l, expr->type, place);
    CcReg one = cc_lower_emit_constant(l, cc_lower_real_bits(part, 1));
    Complex now = {op2(l, minus ? CC_SUBTRACT : CC_ADD, part, old.re, one), old.im};
    store(l, expr->type, place, now);
    return post ? old : now;
}

static Complex lower_conditional(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result[2] = {cc_lower_new_reg(l), cc_lower_new_reg(l)};
    Complex chosen = {CC_NO_REG, CC_NO_REG};
    CcExpr *condition = expr->condition;
    if (expr->left) {
        cc_lower_branch(l, condition, yes, no);
    } else { /* a ?: b */
        chosen = lower(l, condition);
        const CcType *part = cc_type_complex_part(condition->type);
        CcIrBlock *other = cc_ir_block_new(l->f);
        cc_lower_branch_compare(l, CC_NOT_EQUAL, part, cc_value_reg(chosen.re), cc_value_constant(0), yes, other);
        cc_lower_start_block(l, other);
        cc_lower_branch_compare(l, CC_NOT_EQUAL, part, cc_value_reg(chosen.im), cc_value_constant(0), yes, no);
    }
    cc_lower_start_block(l, yes);
    if (expr->left)
        chosen = lower(l, expr->left);
    cc_lower_emit_move(l, result[0], cc_value_reg(chosen.re));
    cc_lower_emit_move(l, result[1], cc_value_reg(chosen.im));
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    chosen = lower(l, expr->right);
    cc_lower_emit_move(l, result[0], cc_value_reg(chosen.re));
    cc_lower_emit_move(l, result[1], cc_value_reg(chosen.im));
    cc_lower_start_block(l, end);
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
    cc_lower_statement_expr_end(l, &state);
    return value;
}

static Complex lower_number(CcLower *l, CcExpr *expr)
{
    const CcType *part = cc_type_complex_part(expr->type);
    CcReg re = cc_lower_emit_constant(l, cc_lower_real_bits(part, expr->real));
    return (Complex){re, cc_lower_emit_constant(l, cc_lower_real_bits(part, expr->imaginary))};
}

static Complex lower_operation(CcLower *l, CcExpr *expr)
{
    const CcType *part = cc_type_complex_part(expr->type);
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
        return operate(l, expr->kind, expr->type, expr->symbol, left, right);
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
