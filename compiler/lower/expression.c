/* expression.c - lowers scalar expressions for their value, and all expressions for their side effects.
 *
 * Operands are evaluated left to right (the arguments of a call right to left, see call.c). The value of a variable in
 * a register is that register itself. No copy is needed until x++ makes one, because changing a variable while another
 * operand of the same operator reads it is undefined (C11 6.5p2).
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

static CcValue number(const CcExpr *expr)
{
    if (cc_is_real(expr->type))
        return cc_value_constant(cc_lower_real_bits(expr->type, expr->real));
    return cc_value_constant((int64_t)expr->integer);
}

CcReg cc_lower_reg(CcLower *l, CcExpr *expr)
{
    return cc_lower_to_reg(l, cc_lower_value(l, expr));
}

/* -- assignment -------------------------------------------------------------------------------- */

static CcValue lower_assign(CcLower *l, CcExpr *expr)
{
    CcPlace place = cc_lower_place(l, expr->left);
    CcValue value = cc_lower_value(l, expr->right);
    return cc_lower_place_store(l, &place, value);
}

/* Returns a place that is read and then written. Its address is evaluated only once. */
static CcPlace fixed_place(CcLower *l, CcExpr *expr)
{
    CcPlace place = cc_lower_place(l, expr);
    if (!place.in_register && (place.address.index == CC_NO_REG || place.address.offset))
        place.address = cc_lower_address_fix(l, place.address);
    return place;
}

static CcValue lower_assign_op(CcLower *l, CcExpr *expr)
{
    CcType *type = expr->left->type, *operation = expr->operation_type ? expr->operation_type : type;
    CcPlace place = fixed_place(l, expr->left);
    if (cc_is_complex(operation)) { /* real op= complex */
        CcReg part[2];
        CcReg left[2] = {cc_lower_place_load(l, &place).reg, CC_NO_REG};
        left[0] = cc_lower_to_reg(l, cc_lower_convert(l, cc_value_reg(left[0]), type, cc_type_complex_part(operation)));
        cc_lower_complex_op(l, expr->op, operation, expr->symbol, left, expr->right, part);
        return cc_lower_place_store(l, &place,
                                    cc_lower_convert(l, cc_value_reg(part[0]), cc_type_complex_part(operation), type));
    }
    CcValue right = cc_lower_value(l, expr->right);
    CcValue old = cc_lower_place_load(l, &place);
    CcValue result;
    if (type->kind == CC_POINTER) {
        result = cc_lower_pointer_step(l, old, type, right, expr->op == CC_SUBTRACT);
    } else {
        result = cc_lower_binary_op(l, expr->op, operation, cc_lower_convert(l, old, type, operation), right);
        result = cc_lower_convert(l, result, operation, type);
    }
    return cc_lower_place_store(l, &place, result);
}

static CcValue stepped(CcLower *l, CcType *type, CcValue old, bool minus)
{
    CcValue one = cc_value_constant(1);
    if (type->kind == CC_POINTER)
        return cc_lower_pointer_step(l, old, type, one, minus);
    CcExprKind op = minus ? CC_SUBTRACT : CC_ADD;
    CcClass class = cc_lower_class(type);
    if (class >= CC_CLASS_F)
        return cc_lower_binary_op(l, op, type, old, cc_value_constant(cc_lower_real_bits(type, 1)));
    if (type->size >= 4)
        return cc_lower_binary_op(l, op, type, old, one);
    CcType promoted = {.kind = CC_INT, .size = 4, .align = 4};
    return cc_lower_convert(l, cc_lower_binary_op(l, op, &promoted, old, one), &promoted, type);
}

/* Lowers ++ and --. Those of a complex lvalue change the real part only, so they work on that part. */
static CcValue lower_increment(CcLower *l, CcExpr *expr, bool value_wanted)
{
    bool minus = expr->kind == CC_PRE_DECREMENT || expr->kind == CC_POST_DECREMENT;
    bool post = expr->kind == CC_POST_INCREMENT || expr->kind == CC_POST_DECREMENT;
    CcPlace place = fixed_place(l, expr->left);
    CcType *type = expr->left->type;
    if (cc_is_complex(type))
        type = place.type = cc_type_complex_part(type);
    CcValue old = cc_lower_place_load(l, &place);
    if (post && value_wanted && place.in_register)
        old = cc_value_reg(cc_lower_emit_rr(l, VCODE_MOV, old.reg));
    CcValue from = post && place.in_register ? cc_lower_place_load(l, &place) : old;
    CcValue now = cc_lower_place_store(l, &place, stepped(l, type, from, minus));
    return post ? old : now;
}

/* -- operators --------------------------------------------------------------------------------- */

static CcValue pointer_difference(CcLower *l, CcExpr *expr)
{
    CcType long_type = {.kind = CC_LONG, .size = 8, .align = 8};
    CcValue left = cc_lower_value(l, expr->left), right = cc_lower_value(l, expr->right);
    CcType *element = expr->left->type->target;
    CcValue size = cc_lower_size(l, element);
    CcValue bytes =
        cc_value_reg(cc_lower_emit_rrr(l, VCODE_SUB_L, cc_lower_to_reg(l, left), cc_lower_to_reg(l, right)));
    if (!size.constant)
        return cc_lower_binary_op(l, CC_DIVIDE, &long_type, bytes, size);
    uint64_t n = (uint64_t)size.value;
    if (n <= 1)
        return bytes;
    if ((n & (n - 1)) == 0) /* the division is exact, so a shift is right for negative differences, too */
        return cc_value_reg(cc_lower_emit_rri(l, VCODE_SARI_L, bytes.reg, __builtin_ctzll(n)));
    return cc_lower_binary_op(l, CC_DIVIDE, &long_type, bytes, size);
}

static CcValue lower_binary(CcLower *l, CcExpr *expr)
{
    if (expr->type->kind == CC_POINTER)
        return cc_value_reg(cc_lower_address_reg(l, cc_lower_pointer(l, expr)));
    if (expr->kind == CC_SUBTRACT && expr->left->type->kind == CC_POINTER)
        return pointer_difference(l, expr);
    CcValue left = cc_lower_value(l, expr->left);
    CcValue right = cc_lower_value(l, expr->right);
    return cc_lower_binary_op(l, expr->kind, expr->type, left, right);
}

static CcValue compare_complex(CcLower *l, CcExpr *expr)
{
    CcReg left[2], right[2];
    cc_lower_complex(l, expr->left, left);
    cc_lower_complex(l, expr->right, right);
    CcType *part = cc_type_complex_part(expr->left->type);
    CcValue re = cc_lower_compare(l, expr->kind, part, cc_value_reg(left[0]), cc_value_reg(right[0]));
    CcValue im = cc_lower_compare(l, expr->kind, part, cc_value_reg(left[1]), cc_value_reg(right[1]));
    return cc_value_reg(cc_lower_emit_rrr(l, expr->kind == CC_EQUAL ? VCODE_AND : VCODE_OR, re.reg, im.reg));
}

static CcValue lower_comparison(CcLower *l, CcExpr *expr)
{
    if (cc_is_complex(expr->left->type))
        return compare_complex(l, expr);
    if (cc_is_wide(expr->left->type))
        return cc_lower_wide_compare(l, expr->kind, expr->left, expr->right);
    CcValue left = cc_lower_value(l, expr->left);
    CcValue right = cc_lower_value(l, expr->right);
    return cc_lower_compare(l, expr->kind, expr->left->type, left, right);
}

static CcValue lower_complement(CcLower *l, CcExpr *expr)
{
    CcValue value = cc_lower_value(l, expr->left);
    CcClass class = cc_lower_class(expr->type);
    if (value.constant)
        return cc_value_constant(class == CC_CLASS_UW ? (int64_t)(uint32_t)~value.value : ~value.value);
    return cc_value_reg(cc_lower_emit_rr(l, class == CC_CLASS_UW ? VCODE_NOT_UW : VCODE_NOT_L, value.reg));
}

static CcValue lower_not(CcLower *l, CcExpr *expr)
{
    if (cc_is_pair(expr->left->type)) {
        CcType bool_type = {.kind = CC_BOOL, .size = 1, .align = 1};
        CcExpr truth = {.kind = CC_CAST, .type = &bool_type, .loc = expr->loc, .left = expr->left};
        return cc_value_reg(cc_lower_emit_rri(l, VCODE_XORI, cc_lower_reg(l, &truth), 1));
    }
    CcValue value = cc_lower_value(l, expr->left);
    return cc_lower_compare(l, CC_EQUAL, expr->left->type, value, cc_value_constant(0));
}

/* -- values that come by several ways ---------------------------------------------------------- */

/* Lowers && and || as values 0 or 1. */
static CcValue lower_logical(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result = cc_lower_new_reg(l);
    cc_lower_branch(l, expr, yes, no);
    cc_lower_start_block(l, yes);
    cc_lower_emit_move(l, result, cc_value_constant(1));
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    cc_lower_emit_move(l, result, cc_value_constant(0));
    cc_lower_start_block(l, end);
    return cc_value_reg(result);
}

/* Lowers a ?: b (GNU). The condition is evaluated once; its value, converted, is the result if it is not 0. */
static CcValue lower_elvis(CcLower *l, CcExpr *expr)
{
    CcIrBlock *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f), *yes = cc_ir_block_new(l->f);
    CcReg result = cc_lower_new_reg(l);
    CcType *type = expr->condition->type;
    CcReg condition = cc_lower_reg(l, expr->condition);
    cc_lower_branch_compare(l, CC_NOT_EQUAL, type, cc_value_reg(condition), cc_value_constant(0), yes, no);
    cc_lower_start_block(l, yes);
    CcValue converted = cc_lower_convert(l, cc_value_reg(condition), type, expr->type);
    cc_lower_emit_move(l, result, converted);
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    cc_lower_emit_move(l, result, cc_lower_value(l, expr->right));
    cc_lower_start_block(l, end);
    return cc_value_reg(result);
}

static CcValue lower_conditional(CcLower *l, CcExpr *expr)
{
    if (!expr->left)
        return lower_elvis(l, expr);
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result = cc_lower_new_reg(l);
    cc_lower_branch(l, expr->condition, yes, no);
    cc_lower_start_block(l, yes);
    cc_lower_emit_move(l, result, cc_lower_value(l, expr->left));
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    cc_lower_emit_move(l, result, cc_lower_value(l, expr->right));
    cc_lower_start_block(l, end);
    return cc_value_reg(result);
}

static CcValue lower_statement_value(CcLower *l, CcExpr *expr)
{
    CcScopeState state;
    CcExpr *last = cc_lower_statement_expr(l, expr, &state);
    CcValue value = cc_value_constant(0);
    if (last) {
        cc_lower_set_loc(l, last->loc, true);
        value = cc_lower_value(l, last);
    }
    cc_lower_statement_expr_end(l, &state);
    return value;
}

/* -- the rest ---------------------------------------------------------------------------------- */

static CcValue lower_cast_from_wide(CcLower *l, CcExpr *expr)
{
    if (expr->type->kind == CC_BOOL)
        return cc_lower_wide_truth(l, expr->left);
    CcReg part[2];
    cc_lower_wide(l, expr->left, part);
    return cc_lower_convert(l, cc_value_reg(part[0]), cc_lower_pair_part(expr->left->type), expr->type);
}

static CcValue lower_cast(CcLower *l, CcExpr *expr)
{
    CcType *from = expr->left->type;
    if (expr->type->kind == CC_VOID) {
        cc_lower_effect(l, expr->left);
        return cc_value_constant(0);
    }
    if (cc_is_wide(from))
        return lower_cast_from_wide(l, expr);
    if (!cc_is_complex(from))
        return cc_lower_convert(l, cc_lower_value(l, expr->left), from, expr->type);
    CcReg part[2];
    cc_lower_complex(l, expr->left, part);
    CcType *type = cc_type_complex_part(from);
    if (expr->type->kind != CC_BOOL)
        return cc_lower_convert(l, cc_value_reg(part[0]), type, expr->type);
    CcValue re = cc_lower_compare(l, CC_NOT_EQUAL, type, cc_value_reg(part[0]), cc_value_constant(0));
    CcValue im = cc_lower_compare(l, CC_NOT_EQUAL, type, cc_value_reg(part[1]), cc_value_constant(0));
    return cc_value_reg(cc_lower_emit_rrr(l, VCODE_OR, re.reg, im.reg));
}

static CcValue lower_part(CcLower *l, CcExpr *expr)
{
    CcType *type = expr->left->type;
    if (!cc_is_complex(type)) { /* a real number's parts are itself and 0 */
        CcValue value = cc_lower_value(l, expr->left);
        return expr->kind == CC_REAL_PART ? value : cc_value_constant(0);
    }
    CcReg part[2];
    cc_lower_complex(l, expr->left, part);
    return cc_value_reg(part[expr->kind == CC_IMAGINARY_PART]);
}

static CcValue lower_label_address(CcLower *l, CcExpr *expr)
{
    CcLabelInfo *info = cc_lower_label_info(l, expr->label);
    info->block->address_taken = true;
    CcReg a = cc_lower_new_reg(l);
    CcIrInstr *i = cc_lower_emit(l, CC_IR_LABEL);
    i->a = a;
    i->extra = info->block->index;
    return cc_value_reg(a);
}

static CcValue lower_va_arg(CcLower *l, CcExpr *expr)
{
    CcAddress slot = cc_lower_va_slot(l, expr);
    /* A slot holds the promoted value, so all of it is read and then narrowed. */
    CcType promoted = {.kind = CC_LONG, .size = 8, .align = 8};
    CcReg value = cc_lower_load(l, &promoted, slot);
    if (cc_lower_class(expr->type) >= CC_CLASS_F)
        return expr->type->kind == CC_FLOAT ? cc_value_reg(cc_lower_emit_rr(l, VCODE_CVT_F_D, value))
                                            : cc_value_reg(value);
    return cc_lower_convert(l, cc_value_reg(value), &promoted, expr->type);
}

static CcValue lower_load(CcLower *l, CcExpr *expr)
{
    CcPlace place = cc_lower_place(l, expr);
    return cc_lower_place_load(l, &place);
}

static CcValue lower_other(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_CALL: return cc_lower_call(l, expr);
    case CC_BUILTIN: return cc_lower_builtin(l, expr);
    case CC_STATEMENT_EXPR: return lower_statement_value(l, expr);
    case CC_LABEL_ADDRESS: return lower_label_address(l, expr);
    case CC_VA_ARG: return lower_va_arg(l, expr);
    case CC_VA_START: cc_lower_va_start(l, expr); return cc_value_constant(0);
    case CC_VA_COPY: {
        CcPlace to = cc_lower_place(l, expr->left);
        CcValue from = cc_lower_value(l, expr->right);
        return cc_lower_place_store(l, &to, from);
    }
    case CC_VA_END: cc_lower_effect(l, expr->left); return cc_value_constant(0);
    case CC_SIZEOF_VARIABLE:
        if (expr->left)
            cc_lower_effect(l, expr->left);
        return cc_lower_size(l, expr->operation_type);
    case CC_REAL_PART:
    case CC_IMAGINARY_PART: return lower_part(l, expr);
    default: g_assert_not_reached();
    }
}

static CcValue lower_operation(CcLower *l, CcExpr *expr)
{
    if (expr->kind >= CC_ADD && expr->kind <= CC_XOR)
        return lower_binary(l, expr);
    if (cc_is_comparison(expr->kind))
        return lower_comparison(l, expr);
    switch (expr->kind) {
    case CC_NEGATE: return cc_lower_negate(l, expr->type, cc_lower_value(l, expr->left));
    case CC_COMPLEMENT: return lower_complement(l, expr);
    case CC_NOT: return lower_not(l, expr);
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: return lower_increment(l, expr, true);
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: return lower_logical(l, expr);
    case CC_CONDITIONAL: return lower_conditional(l, expr);
    case CC_COMMA: cc_lower_effect(l, expr->left); return cc_lower_value(l, expr->right);
    case CC_ASSIGN: return lower_assign(l, expr);
    case CC_ASSIGN_OP: return lower_assign_op(l, expr);
    default: return lower_other(l, expr);
    }
}

CcValue cc_lower_value(CcLower *l, CcExpr *expr)
{
    if (cc_by_address(expr->type) || expr->type->kind == CC_VOID) {
        cc_lower_effect(l, expr);
        return cc_value_constant(0);
    }
    switch (expr->kind) {
    case CC_NUMBER: return number(expr);
    case CC_VARIABLE:
    case CC_DEREFERENCE:
    case CC_MEMBER:
    case CC_STRING:
    case CC_COMPOUND: return lower_load(l, expr);
    case CC_DECAY:
    case CC_ADDRESS:
    case CC_ADDRESS_CONSTANT: return cc_value_reg(cc_lower_address_reg(l, cc_lower_pointer(l, expr)));
    case CC_CAST: return lower_cast(l, expr);
    default: return lower_operation(l, expr);
    }
}

/* -- effects ----------------------------------------------------------------------------------- */

static void effect_of_branches(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    bool logical = expr->kind != CC_CONDITIONAL;
    CcExpr *condition = logical ? expr->left : expr->condition;
    CcExpr *on_yes = logical ? expr->kind == CC_LOGICAL_AND ? expr->right : NULL : expr->left;
    CcExpr *on_no = logical ? expr->kind == CC_LOGICAL_OR ? expr->right : NULL : expr->right;
    cc_lower_branch(l, condition, yes, no);
    cc_lower_start_block(l, yes);
    if (on_yes)
        cc_lower_effect(l, on_yes);
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    if (on_no)
        cc_lower_effect(l, on_no);
    cc_lower_start_block(l, end);
}

static void effect_of_statement(CcLower *l, CcExpr *expr)
{
    CcScopeState state;
    CcExpr *last = cc_lower_statement_expr(l, expr, &state);
    if (last) {
        cc_lower_set_loc(l, last->loc, true);
        cc_lower_effect(l, last);
    }
    cc_lower_statement_expr_end(l, &state);
}

static void effect_of_value(CcLower *l, CcExpr *expr)
{
    if (cc_is_pair(expr->type)) {
        CcReg part[2];
        cc_lower_pair(l, expr, part);
    } else if (cc_is_aggregate(expr->type) || expr->type->kind == CC_ARRAY) {
        (void)cc_lower_aggregate(l, expr);
    } else if (expr->type->kind == CC_VOID || expr->type->kind == CC_FUNCTION) {
        if (expr->kind == CC_DEREFERENCE)
            cc_lower_effect(l, expr->left);
        else if (expr->kind == CC_CALL)
            (void)cc_lower_call(l, expr);
        else if (expr->kind != CC_VARIABLE)
            (void)lower_operation(l, expr);
    } else {
        (void)cc_lower_value(l, expr);
    }
}

void cc_lower_effect(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: (void)lower_increment(l, expr, false); break;
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
    case CC_CONDITIONAL: effect_of_branches(l, expr); break;
    case CC_COMMA:
        cc_lower_effect(l, expr->left);
        cc_lower_effect(l, expr->right);
        break;
    case CC_STATEMENT_EXPR: effect_of_statement(l, expr); break;
    case CC_CAST:
        if (expr->type->kind == CC_VOID) {
            cc_lower_effect(l, expr->left);
            break;
        }
        effect_of_value(l, expr);
        break;
    default: effect_of_value(l, expr); break;
    }
}
