/* aggregate.c - lowers structs and unions, which are always handled by address.
 *
 * The value of a struct expression is the address of an object that holds it. Code that stores the value copies it at
 * once. Only an argument of a call needs a copy that nobody else can change, because the callee owns it.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

static CcAddress lower_assign(CcLower *l, CcExpr *expr)
{
    CcAddress to = cc_lower_address_fix(l, cc_lower_place(l, expr->left).address);
    CcAddress from = cc_lower_aggregate(l, expr->right);
    if (expr->type->size)
        cc_lower_copy_memory(l, to, from, expr->type->size);
    return to;
}

static CcAddress lower_conditional(CcLower *l, CcExpr *expr)
{
    CcIrBlock *yes = cc_ir_block_new(l->f), *no = cc_ir_block_new(l->f), *end = cc_ir_block_new(l->f);
    CcReg result = cc_lower_new_reg(l);
    l->f->regs[result].variable = true; /* it is set twice, and is the base of an address afterwards */
    cc_lower_branch(l, expr->condition, yes, no);
    cc_lower_start_block(l, yes);
    cc_lower_emit_move(l, result, cc_value_reg(cc_lower_address_reg(l, cc_lower_aggregate(l, expr->left))));
    cc_lower_emit_jump(l, end);
    cc_lower_start_block(l, no);
    cc_lower_emit_move(l, result, cc_value_reg(cc_lower_address_reg(l, cc_lower_aggregate(l, expr->right))));
    cc_lower_start_block(l, end);
    return cc_lower_address_of(result);
}

static CcAddress lower_statement_value(CcLower *l, CcExpr *expr)
{
    CcScopeState state;
    CcExpr *last = cc_lower_statement_expr(l, expr, &state);
    CcAddress address = cc_lower_address_of(CC_NO_REG);
    if (last)
        address = cc_lower_by_address(l, last, true); /* a copy: the block's variables may be in a VLA's memory */
    cc_lower_statement_expr_end(l, &state);
    return address;
}

void cc_lower_pair(CcLower *l, CcExpr *expr, CcReg part[2])
{
    if (cc_is_wide(expr->type))
        cc_lower_wide(l, expr, part);
    else
        cc_lower_complex(l, expr, part);
}

void cc_lower_store_pair(CcLower *l, const CcType *type, CcAddress address, const CcReg part[2])
{
    const CcType *half = cc_lower_pair_part(type);
    cc_lower_store(l, half, address, part[0]);
    cc_lower_store(l, half, cc_lower_address_add(address, (int64_t)half->size), part[1]);
}

/* Stores a complex or wide value that is no lvalue in a temporary. Returns its address. */
static CcAddress pair_in_memory(CcLower *l, CcExpr *expr)
{
    CcReg part[2];
    const CcType *type = cc_lower_pair_part(expr->type);
    CcAddress address =
        cc_lower_frame_temporary(l, type->size * 2, MAX(type->align, cc_is_wide(expr->type) ? 16u : 1u));
    cc_lower_pair(l, expr, part);
    cc_lower_store_pair(l, expr->type, address, part);
    return address;
}

CcAddress cc_lower_aggregate(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_VARIABLE:
    case CC_DEREFERENCE:
    case CC_MEMBER:
    case CC_STRING:
    case CC_COMPOUND: return cc_lower_place(l, expr).address;
    case CC_CALL:
        if (cc_is_aggregate(expr->type) || cc_is_wide(expr->type))
            return cc_lower_call_by_address(l, expr);
        break;
    case CC_ASSIGN:
        if (!cc_is_pair(expr->type))
            return lower_assign(l, expr);
        break;
    case CC_CONDITIONAL:
        if (!cc_is_pair(expr->type))
            return lower_conditional(l, expr);
        break;
    case CC_COMMA: cc_lower_effect(l, expr->left); return cc_lower_aggregate(l, expr->right);
    case CC_STATEMENT_EXPR:
        if (!cc_is_pair(expr->type))
            return lower_statement_value(l, expr);
        break;
    case CC_VA_ARG:
        if (cc_by_address(expr->type)) {
            CcType pointer = {.kind = CC_POINTER, .size = 8, .align = 8};
            return cc_lower_address_of(cc_lower_load(l, &pointer, cc_lower_va_slot(l, expr)));
        }
        break;
    case CC_CAST:
        if (!cc_is_pair(expr->type))
            return cc_lower_aggregate(l, expr->left);
        break;
    default: break;
    }
    g_assert(cc_is_pair(expr->type));
    return pair_in_memory(l, expr);
}

CcAddress cc_lower_by_address(CcLower *l, CcExpr *expr, bool fresh)
{
    if (cc_is_pair(expr->type) && !(cc_is_wide(expr->type) && expr->kind == CC_CALL))
        return pair_in_memory(l, expr);
    if (!fresh || expr->kind == CC_CALL) /* the result of a call lies in a buffer of its own */
        return cc_lower_aggregate(l, expr);
    CcAddress copy = cc_lower_frame_temporary(l, expr->type->size, expr->type->align);
    CcAddress from = cc_lower_aggregate(l, expr);
    if (expr->type->size)
        cc_lower_copy_memory(l, copy, from, expr->type->size);
    return copy;
}
