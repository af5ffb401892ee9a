/* condition.c - lowers conditions directly to branches, without computing a 0 or 1 first.
 *
 * &&, || and ! only choose targets. && and || evaluate from left to right, and no more than needed (C11 6.5.13p4). A
 * comparison becomes one branch instruction.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

static void branch_value(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no)
{
    CcType *type = expr->type;
    if (cc_is_pair(type)) {
        CcType bool_type = {.kind = CC_BOOL, .size = 1, .align = 1};
        CcExpr truth = {.kind = CC_CAST, .type = &bool_type, .loc = expr->loc, .left = expr};
        CcValue value = cc_lower_value(l, &truth);
        cc_lower_branch_compare(l, CC_NOT_EQUAL, &bool_type, value, cc_value_constant(0), yes, no);
        return;
    }
    CcValue value = cc_lower_value(l, expr);
    cc_lower_branch_compare(l, CC_NOT_EQUAL, type, value, cc_value_constant(0), yes, no);
}

static void branch_logical(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no)
{
    CcIrBlock *right = cc_ir_block_new(l->f);
    if (expr->kind == CC_LOGICAL_AND)
        cc_lower_branch(l, expr->left, right, no);
    else
        cc_lower_branch(l, expr->left, yes, right);
    cc_lower_start_block(l, right);
    cc_lower_branch(l, expr->right, yes, no);
}

/* Returns whether the conversion keeps the truth value: to _Bool, or from an integer or pointer to one that is not
 * narrower. */
static bool keeps_truth(const CcExpr *cast)
{
    const CcType *from = cast->left->type, *to = cast->type;
    if (!cc_is_scalar(from) || cc_is_pair(from))
        return false;
    if (to->kind == CC_BOOL)
        return true;
    bool integers = (cc_is_integer(from) || from->kind == CC_POINTER) && (cc_is_integer(to) || to->kind == CC_POINTER);
    return integers && to->size >= from->size;
}

void cc_lower_branch(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no)
{
    switch (expr->kind) {
    case CC_NOT: cc_lower_branch(l, expr->left, no, yes); return;
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: branch_logical(l, expr, yes, no); return;
    case CC_COMMA:
        cc_lower_effect(l, expr->left);
        cc_lower_branch(l, expr->right, yes, no);
        return;
    case CC_CAST:
        if (keeps_truth(expr)) {
            cc_lower_branch(l, expr->left, yes, no);
            return;
        }
        break;
    case CC_EQUAL:
    case CC_NOT_EQUAL:
    case CC_LESS:
    case CC_LESS_EQUAL:
    case CC_GREATER:
    case CC_GREATER_EQUAL:
        if (!cc_is_pair(expr->left->type)) {
            CcValue left = cc_lower_value(l, expr->left);
            CcValue right = cc_lower_value(l, expr->right);
            cc_lower_branch_compare(l, expr->kind, expr->left->type, left, right, yes, no);
            return;
        }
        break;
    default: break;
    }
    branch_value(l, expr, yes, no);
}
