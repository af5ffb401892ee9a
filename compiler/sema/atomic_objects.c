/* atomic_objects.c - plain accesses to objects of atomic types (C11 6.7.2.4): loads, stores, op=, ++ and --.
 *
 * Each is one indivisible operation. The address and the operand are evaluated first. Then the thread takes its turn
 * among the threads of the process (cc_sema_turn()), and the access runs without being interrupted. It is written with
 * the plain version of the type, so that nothing below sema knows of atomic types. Only a mark stays, for checks.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/builtins.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"
#include "vcode/vcode.h"

CcType *cc_sema_atomic_type(CcParser *p, CcType *type, CcLoc loc)
{
    const char *what = type->kind == CC_ARRAY                    ? "an array"
                       : type->kind == CC_FUNCTION               ? "a function"
                       : type->qualifiers & CC_ATOMIC            ? "an atomic type"
                       : type->qualifiers & ~(unsigned)CC_ATOMIC ? "a qualified type"
                                                                 : NULL;
    if (what && type != p->error_type)
        cc_front_error(p, loc, "'_Atomic(...)' of %s (C11 6.7.2.4p3)", what);
    return what ? p->error_type : cc_type_qualified(p, type, CC_ATOMIC);
}

CcExpr *cc_sema_turn(CcParser *p, CcLoc loc)
{
    /* What the runtime library costs is told by keys of its own. */
    const char *name = p->unit->options->library ? "__orrery_turn" : "__orrery_atomic_turn";
    CcSymbol *turn = cc_library_runtime_function(p, name, "v", loc);
    return cc_sema_call(p, cc_sema_variable(p, turn, loc), NULL, loc);
}

CcExpr *cc_sema_marked(CcParser *p, const CcExpr *object, unsigned mark)
{
    CcExpr *copy = CC_NEW(p->arena, CcExpr);
    *copy = *object;
    copy->mark = (uint8_t)mark;
    return copy;
}

/* Whether the address needs no evaluation that others could notice or disturb. */
static bool is_plain(const CcExpr *e)
{
    if (e->kind == CC_MEMBER)
        return e->left->lvalue && is_plain(e->left);
    if (e->kind == CC_DEREFERENCE)
        return e->left->kind == CC_VARIABLE && !(e->left->type->qualifiers & CC_ATOMIC);
    return e->kind == CC_VARIABLE;
}

/* Returns the object with the plain version of its type, to be used any number of times. *set: what must be evaluated
 * first, or NULL. Its accesses are atomic, with the strongest order (6.2.6.1p9), and perhaps parts of an update. */
static CcExpr *plain_object(CcParser *p, CcExpr *object, unsigned update, CcExpr **set, CcLoc loc)
{
    unsigned mark = VCODE_MARK_ATOMIC | VCODE_MARK_ACQUIRE | VCODE_MARK_RELEASE | update;
    CcType *type = cc_type_unqualified(p, object->type);
    *set = NULL;
    if (is_plain(object)) {
        CcExpr *copy = cc_sema_marked(p, object, mark);
        copy->type = type;
        return copy;
    }
    CcExpr *use, *address = cc_sema_address(p, object, loc);
    if (cc_is_error(p, address))
        return address;
    *set = cc_sema_once(p, cc_sema_cast_expr(p, cc_type_pointer_to(p, type), address, loc), &use, loc);
    return cc_sema_marked(p, cc_sema_dereference(p, use, loc), mark);
}

/* Returns the assignment of a value to a new hidden variable of the type. Sets *use to the variable. */
static CcExpr *keep(CcParser *p, CcType *type, CcExpr *value, CcExpr **use, CcLoc loc)
{
    CcSymbol *symbol = cc_sema_hidden_variable(p, "value", cc_type_unqualified(p, type), false, loc);
    *use = cc_sema_variable(p, symbol, loc);
    return cc_sema_assignment(p, *use, value, loc);
}

CcExpr *cc_sema_atomic_load(CcParser *p, CcExpr *object)
{
    CcLoc loc = object->loc;
    CcExpr *set, *place = plain_object(p, object, 0, &set, loc);
    if (cc_is_error(p, place))
        return place;
    return cc_sema_then(p, set, cc_sema_comma(p, cc_sema_turn(p, loc), place, loc), loc);
}

CcExpr *cc_sema_atomic_store(CcParser *p, CcExpr *object, CcExpr *value, CcLoc loc)
{
    CcExpr *set, *place = plain_object(p, object, 0, &set, loc), *use = value, *kept = NULL;
    if (cc_is_error(p, place))
        return place;
    value = cc_sema_rvalue(p, value);
    if (!cc_is_number(value)) {
        CcAssignContext context = {CC_ASSIGNING, 0, NULL, NULL};
        value = cc_sema_assign_convert(p, value, place->type, &context);
        kept = keep(p, place->type, value, &use, loc);
    }
    CcExpr *store = cc_sema_assignment(p, place, use, loc);
    store = cc_sema_comma(p, cc_sema_turn(p, loc), store, loc);
    return cc_sema_then(p, set, cc_sema_then(p, kept, store, loc), loc);
}

CcExpr *cc_sema_atomic_change(CcParser *p, CcExprKind op, CcExpr *object, CcExpr *operand, bool old, CcLoc loc)
{
    CcExpr *set, *place = plain_object(p, object, VCODE_MARK_UPDATE, &set, loc), *use, *was;
    operand = cc_sema_rvalue(p, operand);
    if (cc_is_error(p, place) || cc_is_error(p, operand))
        return cc_sema_error_expr(p, loc);
    CcExpr *kept = cc_is_number(operand) ? NULL : keep(p, operand->type, operand, &use, loc);
    CcExpr *turn = cc_sema_turn(p, loc), *all;
    if (!kept)
        use = operand;
    if (old) {
        all = cc_sema_comma(p, turn, keep(p, place->type, place, &was, loc), loc);
        CcExpr *changed = cc_sema_cast_expr(p, p->basic[CC_VOID], cc_sema_assignment_op(p, op, place, use, loc), loc);
        all = cc_sema_comma(p, all, cc_sema_comma(p, changed, was, loc), loc);
    } else {
        all = cc_sema_comma(p, turn, cc_sema_assignment_op(p, op, place, use, loc), loc);
    }
    return cc_sema_then(p, set, cc_sema_then(p, kept, all, loc), loc);
}
