/* task.c - tasks, loops of tasks, and the records of regions. */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- records ----------------------------------------------------------------------------------- */

static CcExpr *record_pointer(CcParser *p, CcSymbol *record, CcLoc loc)
{
    CcExpr *e = cc_omp_var(p, record, loc);
    return record->type->kind == CC_ARRAY ? cc_omp_address(p, e) : e;
}

void cc_omp_fill(CcParser *p, CcStmtList *list, const CcRegion *region, CcSymbol *record)
{
    CcLoc loc = region->loc;
    CcSymbol *next = NULL; /* where the next VLA goes, behind the record's fixed part */
    for (uint32_t i = 0; i < region->n_captures; i++) {
        const CcCapture *capture = &region->captures[i];
        CcExpr *variable = cc_sema_variable(p, capture->symbol, loc);
        CcType *type = cc_omp_plain_type(p, capture->symbol->type);
        if (capture->how == CC_CAPTURE_ADDRESS) {
            cc_omp_set(p, list, cc_omp_field(p, record_pointer(p, record, loc), capture->offset, p->void_pointer),
                       cc_omp_address(p, variable));
        } else if (capture->how == CC_CAPTURE_VALUE) {
            cc_omp_copy(p, list, cc_omp_field(p, record_pointer(p, record, loc), capture->offset, type), variable);
        } else {
            if (!next) {
                next = cc_omp_hidden(p, list, "next", p->basic[CC_ULONG], loc);
                cc_omp_set(p, list, cc_omp_var(p, next, loc),
                           cc_sema_integer(p, p->basic[CC_ULONG], (region->size + 63) / 64 * 64, loc));
            }
            cc_omp_set(p, list, cc_omp_field(p, record_pointer(p, record, loc), capture->offset, p->basic[CC_ULONG]),
                       cc_omp_var(p, next, loc));
            CcExpr *to = cc_sema_cast_expr(p, p->char_pointer, record_pointer(p, record, loc), loc);
            to = cc_omp_binary(p, CC_ADD, to, cc_omp_var(p, next, loc));
            CcExpr *size = cc_sema_sizeof_expr(p, cc_sema_variable(p, capture->symbol, loc), loc);
            cc_omp_do(p, list, cc_omp_call(p, loc, "memcpy", "pppz", to, cc_omp_address(p, variable), size));
            size = cc_sema_sizeof_expr(p, cc_sema_variable(p, capture->symbol, loc), loc);
            CcExpr *end = cc_omp_binary(p, CC_ADD, cc_omp_var(p, next, loc), size);
            end = cc_omp_binary(p, CC_AND, cc_omp_binary(p, CC_ADD, end, cc_omp_int(p, 15, loc)),
                                cc_omp_int(p, -16, loc));
            cc_omp_set(p, list, cc_omp_var(p, next, loc), end);
        }
    }
}

/* Returns the size of the record with the copies of VLAs behind it. */
static CcExpr *record_size(CcParser *p, const CcRegion *region, CcLoc loc)
{
    CcExpr *size = cc_sema_integer(p, p->basic[CC_ULONG], region->size, loc);
    for (uint32_t i = 0; i < region->n_captures; i++)
        if (region->captures[i].how == CC_CAPTURE_OFFSET) {
            CcExpr *more = cc_sema_sizeof_expr(p, cc_sema_variable(p, region->captures[i].symbol, loc), loc);
            size = cc_omp_binary(p, CC_ADD, size, cc_omp_binary(p, CC_ADD, more, cc_omp_int(p, 80, loc)));
        }
    return size;
}

CcSymbol *cc_omp_record(CcParser *p, CcStmtList *list, const CcRegion *region, CcLoc loc)
{
    CcSymbol *record = cc_omp_hidden(p, list, "record", p->void_pointer, loc);
    cc_omp_set(p, list, cc_omp_var(p, record, loc),
               cc_omp_call(p, loc, "__omp_task_new", "ppzz", cc_omp_address(p, cc_omp_var(p, region->function, loc)),
                           record_size(p, region, loc), cc_omp_int(p, region->align, loc)));
    cc_omp_fill(p, list, region, record);
    return record;
}

/* -- dependences ------------------------------------------------------------------------------- */

unsigned cc_omp_depends(CcParser *p, const CcOmpClause *clauses, CcStmtList *list, CcSymbol **array, CcLoc loc)
{
    unsigned n = 0, i = 0;
    for (const CcOmpClause *clause = clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item && clause->kind->id == CC_OMP_DEPEND; item = item->next)
            n++;
    if (n == 0)
        return 0;
    *array = cc_omp_hidden(p, list, "depends", cc_type_array_of(p, p->basic[CC_ULONG], (uint64_t)n * 2), loc);
    for (const CcOmpClause *clause = clauses; clause; clause = clause->next) {
        if (clause->kind->id != CC_OMP_DEPEND)
            continue;
        if (!clause->n_words) {
            cc_front_error(p, clause->loc,
                           "depend needs a type: depend(in: ...), depend(out: ...) or depend(inout: ...)");
            continue;
        }
        int kind = strcmp(clause->words[0], "in") == 0 ? 1 : strcmp(clause->words[0], "out") == 0 ? 2 : 3;
        for (const CcOmpItem *item = clause->items; item; item = item->next, i += 2) {
            if (!item->symbol)
                continue;
            CcExpr *object = item->expr ? item->expr : cc_sema_variable(p, item->symbol, item->loc);
            CcExpr *at = cc_sema_index(p, cc_omp_var(p, *array, loc), cc_omp_int(p, i, loc), loc);
            cc_omp_set(p, list, at, cc_omp_address(p, object));
            at = cc_sema_index(p, cc_omp_var(p, *array, loc), cc_omp_int(p, i + 1, loc), loc);
            cc_omp_set(p, list, at, cc_omp_int(p, kind, loc));
        }
    }
    return n;
}

/* -- tasks ------------------------------------------------------------------------------------- */

static CcExpr *flag_if(CcParser *p, CcExpr *flags, CcExpr *condition, int flag, int otherwise)
{
    CcLoc loc = flags->loc;
    CcExpr *bit = cc_sema_conditional(p, condition, cc_omp_int(p, flag, loc), cc_omp_int(p, otherwise, loc), loc);
    return cc_omp_binary(p, CC_OR, flags, bit);
}

static CcExpr *task_flags(CcParser *p, const CcOmpConstruct *c)
{
    CcLoc loc = c->loc;
    int fixed = (cc_omp_clause(c, CC_OMP_UNTIED) ? CC_OMP_TASK_UNTIED : 0) |
                (cc_omp_clause(c, CC_OMP_MERGEABLE) ? CC_OMP_TASK_MERGEABLE : 0) |
                (cc_omp_clause(c, CC_OMP_NOGROUP) ? CC_OMP_TASK_NOGROUP : 0);
    CcExpr *flags = cc_omp_int(p, fixed, loc);
    const CcOmpClause *final = cc_omp_clause(c, CC_OMP_FINAL);
    if (final)
        flags = flag_if(p, flags, final->expr, CC_OMP_TASK_FINAL, 0);
    if (cc_omp_clause(c, CC_OMP_IF))
        flags = flag_if(p, flags, cc_omp_condition(p, c, cc_omp_has(c, CC_OMP_PART_TASK) ? "task" : "taskloop"), 0,
                        CC_OMP_TASK_UNDEFERRED);
    return flags;
}

static CcExpr *number_or_zero(CcParser *p, const CcOmpConstruct *c, CcOmpClauseId id)
{
    const CcOmpClause *clause = cc_omp_clause(c, id);
    return clause ? clause->expr : cc_omp_int(p, 0, c->loc);
}

/* The body of a task of a loop: iterations from <= k < to, which the record begins with. */
static CcStmt *taskloop_body(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcLoc loc = c->loc;
    CcStmtList list = c->head;
    CcSymbol *from = cc_omp_hidden(p, &list, "from", p->basic[CC_ULONG], loc);
    CcSymbol *to = cc_omp_hidden(p, &list, "to", p->basic[CC_ULONG], loc);
    cc_omp_set(p, &list, cc_omp_var(p, from, loc),
               cc_omp_field(p, cc_omp_var(p, c->region->record, loc), 0, p->basic[CC_ULONG]));
    cc_omp_set(p, &list, cc_omp_var(p, to, loc),
               cc_omp_field(p, cc_omp_var(p, c->region->record, loc), 8, p->basic[CC_ULONG]));
    cc_sema_append(&list, cc_omp_iterations(p, c, cc_omp_var(p, from, loc), cc_omp_var(p, to, loc)));
    if (c->region_end)
        cc_sema_append(&list, cc_omp_label_here(p, c->region_end, loc));
    if (cc_omp_needs_last(c)) {
        CcSymbol *last = cc_omp_hidden(p, &list, "last", p->basic[CC_INT], loc);
        cc_omp_set(p, &list, cc_omp_var(p, last, loc),
                   cc_omp_binary(p, CC_EQUAL, cc_omp_var(p, to, loc), cc_omp_value(p, &c->trips, loc)));
        cc_omp_set_ends(p, c, &list, last);
        cc_omp_finish_copies(p, c, &list, last);
    }
    return cc_omp_block(p, list, loc, cc_omp_end_of(body, loc));
}

CcStmt *cc_omp_task(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL};
    CcLoc loc = c->loc, end = cc_omp_end_of(body, loc);
    bool loop = cc_omp_has(c, CC_OMP_PART_TASKLOOP);
    bool good = !c->broken && (!loop || c->loops[c->n_loops - 1].body);
    if (loop && good) { /* the bounds are computed in front of the task: they are of the region around it */
        cc_omp_count_outside(p, c, &list);
        body = taskloop_body(p, c, body);
    }
    cc_region_end(p, c->region, body, end);
    if (!good)
        return cc_omp_block(p, list, loc, end);
    CcSymbol *record = cc_omp_record(p, &list, c->region, loc);
    CcExpr *priority = number_or_zero(p, c, CC_OMP_PRIORITY);
    if (loop) {
        cc_omp_do(p, &list,
                  cc_omp_call(p, loc, "__omp_taskloop", "vpuizzz", cc_omp_var(p, record, loc), task_flags(p, c),
                              priority, cc_omp_value(p, &c->trips, loc), number_or_zero(p, c, CC_OMP_GRAINSIZE),
                              number_or_zero(p, c, CC_OMP_NUM_TASKS)));
        return cc_omp_block(p, list, loc, end);
    }
    CcSymbol *depends = NULL;
    unsigned n = cc_omp_depends(p, c->clauses, &list, &depends, loc);
    CcExpr *array = n ? cc_omp_address(p, cc_omp_var(p, depends, loc))
                      : cc_sema_cast_expr(p, p->void_pointer, cc_omp_int(p, 0, loc), loc);
    cc_omp_do(p, &list,
              cc_omp_call(p, loc, "__omp_task", "vpuiup", cc_omp_var(p, record, loc), task_flags(p, c), priority,
                          cc_omp_int(p, n, loc), array));
    return cc_omp_block(p, list, loc, end);
}
