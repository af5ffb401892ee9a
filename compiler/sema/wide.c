/* wide.c - __int128: expands its complicated operations in the tree, so that lowering has little to do.
 *
 * Quotients and conversions from and to floating types become calls of the runtime (runtime/wide.c). Compound
 * assignments and increments are written out; the object's address is computed once.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

static CcExpr *call_runtime(CcParser *p, const char *name, const char *signature, CcExpr *first, CcExpr *second,
                            CcLoc loc)
{
    CcSymbol *function = cc_library_runtime_function(p, name, signature, loc);
    function->used = true;
    CcExprList *arguments = cc_sema_expr_list(p, NULL, first);
    if (second)
        arguments = cc_sema_expr_list(p, arguments, second);
    return cc_sema_call(p, cc_sema_variable(p, function, loc), arguments, loc);
}

CcExpr *cc_sema_wide_divide(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc)
{
    static const char *const names[2][2] = {{"__orrery_wide_udiv", "__orrery_wide_umod"},
                                            {"__orrery_wide_div", "__orrery_wide_mod"}};
    bool is_signed = cc_type_is_signed(left->type);
    return call_runtime(p, names[is_signed][kind == CC_REMAINDER], is_signed ? "www" : "WWW", left, right, loc);
}

/* -- conversions ------------------------------------------------------------------------------- */

static CcExpr *to_real(CcParser *p, CcExpr *e, const CcType *type)
{
    static const char *const names[2][2] = {{"__orrery_wide_u_to_double", "__orrery_wide_u_to_float"},
                                            {"__orrery_wide_to_double", "__orrery_wide_to_float"}};
    static const char *const signatures[2][2] = {{"dW", "fW"}, {"dw", "fw"}};
    bool is_signed = cc_type_is_signed(e->type), single = type->kind == CC_FLOAT;
    return call_runtime(p, names[is_signed][single], signatures[is_signed][single], e, NULL, e->loc);
}

static CcExpr *from_real(CcParser *p, CcExpr *e, const CcType *type)
{
    bool is_signed = cc_type_is_signed(type);
    return call_runtime(p, is_signed ? "__orrery_wide_from_double" : "__orrery_wide_u_from_double",
                        is_signed ? "wd" : "Wd", cc_sema_convert(p, e, p->basic[CC_DOUBLE]), NULL, e->loc);
}

CcExpr *cc_sema_wide_convert(CcParser *p, CcExpr *e, CcType *type)
{
    if (cc_is_number(e))
        return cc_sema_fold_cast(p, e, type, e->loc);
    if (cc_is_complex(type)) /* the imaginary part is 0 */
        return cc_sema_convert(p, cc_sema_convert(p, e, p->basic[type->kind - CC_CFLOAT + CC_FLOAT]), type);
    if (cc_is_complex(e->type))
        return cc_sema_convert(p, cc_sema_convert(p, e, p->basic[e->type->kind - CC_CFLOAT + CC_FLOAT]), type);
    if (cc_is_real(type)) /* long double has the format of double here */
        return cc_sema_convert(p, to_real(p, e, type), type);
    if (cc_is_real(e->type))
        return from_real(p, e, type);
    CcExpr *cast = cc_sema_expr_new(p, CC_CAST, type, e->loc, e, NULL);
    cast->implicit = true;
    return cast;
}

/* -- objects ----------------------------------------------------------------------------------- */

/* Returns the lvalue as an expression that can be used twice. *before: what must be evaluated first, or NULL. */
static CcExpr *named_twice(CcParser *p, CcExpr *e, CcExpr **before)
{
    if (e->kind == CC_VARIABLE)
        return e;
    if (e->kind == CC_MEMBER && e->left->lvalue) {
        CcExpr *copy = CC_NEW(p->arena, CcExpr);
        *copy = *e;
        copy->left = named_twice(p, e->left, before);
        return copy;
    }
    CcSymbol *place = cc_sema_hidden_variable(p, "place", cc_type_pointer_to(p, e->type), false, e->loc);
    CcExpr *pointer = cc_sema_variable(p, place, e->loc);
    *before = cc_sema_expr_new(p, CC_ASSIGN, pointer->type, e->loc, pointer, cc_sema_address(p, e, e->loc));
    return cc_sema_dereference(p, cc_sema_variable(p, place, e->loc), e->loc);
}

CcExpr *cc_sema_wide_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc)
{
    CcExpr *before = NULL;
    left = named_twice(p, left, &before);
    CcExpr *changed = cc_sema_assignment(p, left, cc_sema_binary(p, op, left, right, loc, loc), loc);
    return before ? cc_sema_comma(p, before, changed, loc) : changed;
}

CcExpr *cc_sema_wide_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc)
{
    bool up = kind == CC_PRE_INCREMENT || kind == CC_POST_INCREMENT;
    CcExpr *one = cc_sema_integer(p, p->basic[CC_INT], 1, loc);
    if (kind == CC_PRE_INCREMENT || kind == CC_PRE_DECREMENT)
        return cc_sema_wide_assignment_op(p, up ? CC_ADD : CC_SUBTRACT, operand, one, loc);
    CcExpr *before = NULL;
    operand = named_twice(p, operand, &before);
    CcSymbol *symbol = cc_sema_hidden_variable(p, "old", cc_type_unqualified(p, operand->type), false, loc);
    CcExpr *old = cc_sema_variable(p, symbol, loc);
    CcExpr *keep = cc_sema_expr_new(p, CC_ASSIGN, old->type, loc, old, operand);
    CcExpr *changed =
        cc_sema_assignment(p, operand, cc_sema_binary(p, up ? CC_ADD : CC_SUBTRACT, old, one, loc, loc), loc);
    CcExpr *all = cc_sema_comma(p, keep, cc_sema_comma(p, changed, old, loc), loc);
    return before ? cc_sema_comma(p, before, all, loc) : all;
}
