/* sections.c - what a user of the debugger may write beyond C: array[from:to:step], and object@count. */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"

static CcExpr *section(CcParser *p, CcExpr *pointer, CcExpr **bounds, CcType *array, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_SECTION, pointer->type->target, loc, pointer, NULL);
    e->lvalue = true;
    e->operation_type = array;
    e->arguments = bounds;
    e->n_arguments = 3;
    for (int i = 0; i < 3; i++)
        if (bounds[i])
            e->depth = (uint16_t)MAX(e->depth, bounds[i]->depth + 1);
    return e;
}

CcExpr *cc_sema_section(CcParser *p, CcExpr *array, CcExpr *from, CcExpr *to, CcExpr *step, CcLoc loc)
{
    CcExpr **bounds = cc_arena_alloc(p->arena, 3 * sizeof *bounds);
    bounds[0] = from;
    bounds[1] = to;
    bounds[2] = step;
    if (!p->inquiry) {
        cc_front_error(p, loc, "an index is one number: C has no sections of arrays");
        return cc_sema_error_expr(p, loc);
    }
    CcType *type = array->type;
    CcExpr *pointer = cc_sema_rvalue(p, array);
    bool bad = cc_is_error(p, pointer);
    for (int i = 0; i < 3; i++)
        if (bounds[i]) {
            bounds[i] = cc_sema_rvalue(p, bounds[i]);
            if (!cc_is_error(p, bounds[i]) && !cc_is_integer(bounds[i]->type))
                cc_front_error(p, bounds[i]->loc, "a bound of a section is not an integer");
            bad = bad || cc_is_error(p, bounds[i]);
        }
    if (!bad && (pointer->type->kind != CC_POINTER || pointer->type->target->kind == CC_FUNCTION ||
                 pointer->type->target->kind == CC_VOID)) {
        cc_front_error(p, loc, "only an array, or a pointer to objects, has sections");
        bad = true;
    }
    return bad ? cc_sema_error_expr(p, loc) : section(p, pointer, bounds, type->kind == CC_ARRAY ? type : NULL, loc);
}

CcExpr *cc_sema_repeat(CcParser *p, CcExpr *object, CcExpr *count, CcLoc loc)
{
    CcExpr **bounds = cc_arena_alloc(p->arena, 3 * sizeof *bounds);
    bounds[0] = bounds[2] = NULL;
    bounds[1] = cc_sema_rvalue(p, count);
    if (cc_is_error(p, object) || cc_is_error(p, bounds[1]))
        return cc_sema_error_expr(p, loc);
    if (!object->lvalue || object->kind == CC_SECTION) {
        cc_front_error(p, object->loc, "left of @ stands an object in memory, as in values[0]@10");
        return cc_sema_error_expr(p, loc);
    }
    if (!cc_is_integer(bounds[1]->type)) {
        cc_front_error(p, count->loc, "right of @ stands how many there are, from 1 on");
        return cc_sema_error_expr(p, loc);
    }
    CcExpr *address = cc_sema_address(p, object, loc);
    return cc_is_error(p, address) ? address : section(p, address, bounds, NULL, loc);
}
