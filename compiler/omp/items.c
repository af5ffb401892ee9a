/* items.c - the lists of clauses: variables and array sections. */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

CcOmpItem *cc_omp_item(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcOmpItem *item = CC_NEW(p->arena, CcOmpItem);
    item->ident = ident;
    item->loc = loc;
    CcSymbol *symbol = cc_scope_lookup(ident);
    if (symbol && symbol->kind == CC_SYM_VARIABLE) {
        item->symbol = symbol->type == p->error_type ? NULL : symbol;
        symbol->used = true;
    } else if (symbol) {
        cc_front_error(p, loc, "'%s' is not a variable", ident->text);
    } else {
        (void)cc_sema_name(p, ident, loc);
    }
    return item;
}

static CcExpr *object(CcParser *p, CcOmpItem *item)
{
    if (!item->expr)
        item->expr = item->symbol ? cc_sema_variable(p, item->symbol, item->loc) : cc_sema_error_expr(p, item->loc);
    return item->expr;
}

CcOmpItem *cc_omp_item_index(CcParser *p, CcOmpItem *item, CcExpr *index, CcLoc loc)
{
    return cc_omp_item_section(p, item, index, cc_omp_int(p, 1, loc), loc);
}

/* Checks a section whose bounds are constants against the array. `whole`: elements of the array; 0: not known. */
static void check_section(CcParser *p, const CcExpr *low, const CcExpr *length, int64_t whole, CcLoc loc)
{
    int64_t from = 0, n = 0;
    bool known = !low || cc_tree_integer_constant(low, &from), counted = length && cc_tree_integer_constant(length, &n);
    if ((low && !cc_is_error(p, low) && !cc_is_integer(low->type)) ||
        (length && !cc_is_error(p, length) && !cc_is_integer(length->type)))
        cc_front_error(p, loc, "the bounds of an array section must be integers");
    else if (counted && n < 0)
        cc_front_error(p, loc, "the array section has the negative length %d", (int)n);
    else if (whole && known && from < 0)
        cc_front_error(p, loc, "the array section begins at %d", (int)from);
    else if (whole && ((known && from > whole) || (counted && (n > whole || (known && from + n > whole)))))
        cc_front_error(p, loc, "the array section goes beyond the %d elements of the array", (int)whole);
}

CcOmpItem *cc_omp_item_section(CcParser *p, CcOmpItem *item, CcExpr *low, CcExpr *length, CcLoc loc)
{
    CcExpr *base = object(p, item);
    bool known = base->type->kind == CC_ARRAY && !base->type->incomplete && !cc_type_has_variable_size(base->type) &&
                 base->type->target->size;
    check_section(p, low, length, known ? (int64_t)(base->type->size / base->type->target->size) : 0, loc);
    if (!low)
        low = cc_omp_int(p, 0, loc);
    if (!length && base->type->kind == CC_ARRAY) {
        CcExpr *all = cc_sema_binary(p, CC_DIVIDE, cc_sema_sizeof_expr(p, base, loc),
                                     cc_sema_sizeof_type(p, base->type->target, loc), loc, loc);
        length = cc_sema_binary(p, CC_SUBTRACT, all, low, loc, loc);
    } else if (!length) {
        if (!cc_is_error(p, base))
            cc_front_error(p, loc,
                           "the section of '%s' needs a length: the size of what the pointer points to is not "
                           "known",
                           item->ident->text);
        length = cc_omp_int(p, 1, loc);
    }
    item->length = item->length ? cc_omp_binary(p, CC_MULTIPLY, cc_omp_ulong(p, item->length), length) : length;
    item->expr = cc_sema_index(p, base, low, loc);
    item->loc = cc_front_join_locs(item->loc, loc);
    return item;
}

CcOmpItem *cc_omp_item_member(CcParser *p, CcOmpItem *item, CcIdent *member, bool arrow, CcLoc loc)
{
    item->expr = cc_sema_member(p, object(p, item), member, arrow, loc, loc);
    item->length = NULL;
    return item;
}

CcOmpItem *cc_omp_items_add(CcOmpItem *list, CcOmpItem *item)
{
    CcOmpItem *last = list;
    while (last->next)
        last = last->next;
    last->next = item;
    return list;
}
