/* expressions.c - queries on expressions: callee, constant value, result of a comparison. */
#include "compiler/tree/tree.h"

const CcSymbol *cc_tree_callee(const CcExpr *call)
{
    if (call->kind != CC_CALL || call->left->kind != CC_DECAY || call->left->left->kind != CC_VARIABLE)
        return NULL;
    const CcSymbol *symbol = call->left->left->symbol;
    return symbol->kind == CC_SYM_FUNCTION ? symbol : NULL;
}

const CcExpr *cc_tree_without_casts(const CcExpr *expr)
{
    while (expr->kind == CC_CAST)
        expr = expr->left;
    return expr;
}

bool cc_tree_integer_constant(const CcExpr *e, int64_t *value)
{
    if (e->kind != CC_NUMBER || !(cc_is_integer(e->type) || cc_is_wide(e->type)))
        return false;
    if (cc_is_wide(e->type) && e->high != ((int64_t)e->integer < 0 ? UINT64_MAX : 0))
        return false;
    *value = (int64_t)e->integer;
    return true;
}

bool cc_tree_is_null_constant(const CcExpr *e)
{
    if (e->kind != CC_NUMBER || e->integer != 0)
        return false;
    return cc_is_integer(e->type) ||
           (e->type->kind == CC_POINTER && e->type->target->kind == CC_VOID && !e->type->target->qualifiers);
}

bool cc_tree_holds(CcExprKind comparison, bool less, bool equal, bool more)
{
    switch (comparison) {
    case CC_EQUAL: return equal;
    case CC_NOT_EQUAL: return !equal;
    case CC_LESS: return less;
    case CC_LESS_EQUAL: return less || equal;
    case CC_GREATER: return more;
    case CC_GREATER_EQUAL: return more || equal;
    default: g_assert_not_reached();
    }
}
