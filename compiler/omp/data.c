/* data.c - private copies of variables: private, firstprivate, lastprivate, linear, reduction, and variables of loops.
 *
 * A copy is a new variable of the same name in a scope of its own, so that names in the block mean it.
 */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

CcType *cc_omp_plain_type(CcParser *p, CcType *type)
{
    return type->kind == CC_ARRAY ? type : cc_type_unqualified(p, type);
}

static CcSymbol *declare_copy(CcParser *p, CcOmpConstruct *c, CcIdent *ident, CcSymbol *original, CcType *type,
                              CcLoc loc)
{
    CcSymbol *copy = cc_scope_new_symbol(p, CC_SYM_VARIABLE, ident->text, type, loc);
    copy->storage = CC_AUTO;
    copy->defined = copy->used = true;
    copy->addressed = type->kind == CC_ARRAY || cc_is_aggregate(type);
    copy->align = original ? original->align : 0;
    cc_scope_bind(p, p->scope, ident, copy);
    if (p->region)
        cc_region_use_type(p, type, loc);
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, c->loc);
    declaration->symbol = copy;
    cc_sema_append(&c->head, declaration);
    return copy;
}

static CcOmpCopy *find_copy(const CcOmpConstruct *c, const CcSymbol *original)
{
    CcOmpCopy *copy = c->copies;
    while (copy && copy->original != original)
        copy = copy->next;
    return copy;
}

static CcOmpCopy *add_copy(CcParser *p, CcOmpConstruct *c, const CcOmpClause *clause, const CcOmpItem *item)
{
    CcOmpCopy *copy = CC_NEW(p->arena, CcOmpCopy);
    copy->original = item->symbol;
    copy->clause = clause;
    copy->item = item;
    *c->last_copy = copy;
    c->last_copy = &copy->next;
    return copy;
}

static bool is_copyable(CcParser *p, const CcOmpClause *clause, const CcOmpItem *item)
{
    const CcSymbol *symbol = item->symbol;
    CcOmpClauseId id = clause->kind->id;
    if (symbol->thread) {
        cc_front_error(p, item->loc, "'%s' is threadprivate and cannot be in clause '%s'", symbol->name,
                       clause->kind->name);
        return false;
    }
    if (item->length && id != CC_OMP_REDUCTION) {
        cc_front_error(p, item->loc, "clause '%s' takes whole variables, not a section of '%s'", clause->kind->name,
                       symbol->name);
        return false;
    }
    if (symbol->type->incomplete) {
        cc_front_error(p, item->loc, "'%s' has an incomplete type: no copy can be made", symbol->name);
        return false;
    }
    if ((symbol->type->qualifiers & CC_CONST) && id != CC_OMP_FIRSTPRIVATE) {
        cc_front_error(p, item->loc, "'%s' is const and cannot be in clause '%s'", symbol->name, clause->kind->name);
        return false;
    }
    return true;
}

static bool is_also(const CcOmpConstruct *c, CcOmpClauseId id, const CcSymbol *symbol)
{
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item && clause->kind->id == id; item = item->next)
            if (item->symbol == symbol)
                return true;
    return false;
}

static bool makes_copy(const CcOmpConstruct *c, const CcOmpClause *clause, const CcOmpItem *item)
{
    if (cc_omp_has(c, CC_OMP_PART_TASK | CC_OMP_PART_TASKLOOP) && clause->kind->id == CC_OMP_FIRSTPRIVATE &&
        !is_also(c, CC_OMP_LASTPRIVATE, item->symbol))
        return false; /* the record has the copy */
    switch (clause->kind->id) {
    case CC_OMP_PRIVATE:
    case CC_OMP_FIRSTPRIVATE:
    case CC_OMP_LASTPRIVATE:
    case CC_OMP_LINEAR:
    case CC_OMP_REDUCTION: return true;
    default: return false;
    }
}

static void start_copy(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    const CcOmpItem *item = copy->item;
    if (copy->clause->kind->id == CC_OMP_REDUCTION) {
        cc_omp_reduction_start(p, c, copy);
        return;
    }
    CcStmtList init = {NULL, NULL};
    CcSymbol *source = copy->source ? copy->source : copy->original;
    CcExpr *original = copy->first ? cc_sema_variable(p, source, item->loc) : NULL;
    CcType *type = cc_type_evaluated(p, cc_omp_plain_type(p, copy->original->type));
    copy->copy = declare_copy(p, c, item->ident, copy->original, type, item->loc);
    if (original)
        cc_omp_copy(p, &init, cc_sema_variable(p, copy->copy, item->loc), original);
    if (copy->clause->kind->id == CC_OMP_LINEAR)
        copy->start = cc_omp_once(p, &init, "start", cc_sema_variable(p, copy->copy, item->loc));
    c->head = cc_sema_concat(c->head, init);
}

/* linear(x: step): evaluates the step. */
static void read_step(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    const CcType *type = copy->original->type;
    CcExpr *step = copy->clause->expr ? copy->clause->expr : cc_omp_int(p, 1, copy->item->loc);
    if (!cc_is_integer(type) && type->kind != CC_POINTER) {
        g_autofree char *name = cc_type_name(type);
        cc_front_error(p, copy->item->loc, "'%s' has type '%s': only integers and pointers are linear",
                       copy->original->name, name);
        c->broken = true;
        return;
    }
    copy->step = cc_omp_once(p, &c->before, "step", cc_sema_cast_expr(p, p->basic[CC_LONG], step, step->loc));
}

/* Tasks of a loop may begin when others have set the original already. */
static void keep_first_value(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy)
{
    CcType *type = cc_type_evaluated(p, cc_omp_plain_type(p, copy->original->type));
    copy->source = cc_omp_hidden(p, &c->before, "first", type, c->loc);
    cc_omp_copy(p, &c->before, cc_omp_var(p, copy->source, c->loc), cc_sema_variable(p, copy->original, c->loc));
}

void cc_omp_collect(CcParser *p, CcOmpConstruct *c)
{
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item; item = item->next) {
            if (!item->symbol || !makes_copy(c, clause, item) || !is_copyable(p, clause, item))
                continue;
            CcOmpCopy *copy = find_copy(c, item->symbol);
            if (!copy)
                copy = add_copy(p, c, clause, item);
            CcOmpClauseId id = clause->kind->id;
            copy->last |= id == CC_OMP_LASTPRIVATE || id == CC_OMP_LINEAR;
            copy->first |= id == CC_OMP_FIRSTPRIVATE || id == CC_OMP_LINEAR;
        }
    for (CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (copy->clause->kind->id == CC_OMP_LINEAR)
            read_step(p, c, copy);
        else if (copy->clause->kind->id == CC_OMP_REDUCTION &&
                 (copy->item->length || copy->original->type->kind == CC_ARRAY))
            cc_omp_reduction_prepare(p, c, copy);
        else if (copy->first && copy->last && cc_omp_has(c, CC_OMP_PART_TASKLOOP))
            keep_first_value(p, c, copy);
}

static bool is_shared(const CcOmpConstruct *c)
{
    return cc_omp_has(c, CC_OMP_PART_FOR | CC_OMP_PART_SECTIONS | CC_OMP_PART_PARALLEL);
}

static bool is_reduction(const CcOmpCopy *copy)
{
    return copy->clause && copy->clause->kind->id == CC_OMP_REDUCTION;
}

void cc_omp_copies(CcParser *p, CcOmpConstruct *c)
{
    bool waits = false;
    for (CcOmpCopy *copy = c->copies; copy; copy = copy->next) {
        start_copy(p, c, copy);
        waits |= copy->first && copy->last;
        waits |= is_reduction(copy) && cc_omp_reduction_reads_original(p, copy);
    }
    /* All threads must have read the originals before one of them sets them. */
    if (waits && is_shared(c))
        cc_omp_do(p, &c->head, cc_omp_call(p, c->loc, "__omp_barrier", "i"));
}

CcSymbol *cc_omp_loop_variable(CcParser *p, CcOmpConstruct *c, CcIdent *ident, bool last, CcLoc loc)
{
    CcSymbol *symbol = cc_scope_lookup(ident);
    if (symbol)
        symbol->used = true;
    if (!symbol || symbol->kind != CC_SYM_VARIABLE || symbol->type == p->error_type)
        return symbol;
    for (CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (copy->copy == symbol || copy->original == symbol) {
            CcOmpClauseId id = copy->clause ? copy->clause->kind->id : CC_OMP_PRIVATE;
            if (!copy->clause)
                cc_front_error(p, loc, "'%s' counts two of the loops", symbol->name);
            else if (id == CC_OMP_REDUCTION || id == CC_OMP_FIRSTPRIVATE ||
                     (id == CC_OMP_LINEAR && !(cc_omp_has(c, CC_OMP_PART_SIMD) && c->collapse == 1)))
                cc_front_error(p, loc, "'%s' counts the loop and cannot be in clause '%s'", symbol->name,
                               copy->clause->kind->name);
            return copy->copy;
        }
    CcOmpItem *item = CC_NEW(p->arena, CcOmpItem);
    *item = (CcOmpItem){.ident = ident, .symbol = symbol, .loc = loc};
    if (symbol->thread)
        cc_front_error(p, loc, "'%s' is threadprivate and cannot count the loop", symbol->name);
    CcOmpCopy *copy = add_copy(p, c, NULL, item);
    copy->last = last;
    CcRegion *const regions[] = {c->region, c->league, c->target};
    for (size_t i = 0; i < G_N_ELEMENTS(regions); i++)
        if (regions[i])
            cc_region_list(p, regions[i], symbol, false);
    if (last && p->region)
        cc_region_use(p, symbol, loc);
    copy->copy = declare_copy(p, c, ident, symbol, cc_omp_plain_type(p, symbol->type), loc);
    return copy->copy;
}

bool cc_omp_needs_last(const CcOmpConstruct *c)
{
    for (const CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (copy->last)
            return true;
    return false;
}

static void finish_reductions(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcStmtList combine = {NULL, NULL};
    for (CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (is_reduction(copy) && (copy->copy || copy->buffer))
            cc_omp_reduction_combine(p, &combine, copy);
    if (!combine.first)
        return;
    bool lock = is_shared(c);
    if (lock)
        cc_omp_do(p, list, cc_omp_call(p, c->loc, "__omp_reduce_begin", "v"));
    *list = cc_sema_concat(*list, combine);
    if (lock)
        cc_omp_do(p, list, cc_omp_call(p, c->loc, "__omp_reduce_end", "v"));
}

void cc_omp_finish_copies(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *is_last)
{
    CcStmtList last = {NULL, NULL};
    for (CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (copy->last && copy->copy)
            cc_omp_copy(p, &last, cc_sema_variable(p, copy->original, c->loc), cc_sema_variable(p, copy->copy, c->loc));
    if (last.first && is_last) {
        CcStmt *body = cc_omp_block(p, last, c->loc, c->loc);
        cc_sema_append(list, cc_sema_if(p, cc_omp_var(p, is_last, c->loc), body, NULL, c->loc));
    } else {
        *list = cc_sema_concat(*list, last);
    }
    finish_reductions(p, c, list);
}
