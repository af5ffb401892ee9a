/* doacross.c - ordered(n) with depend(sink: ...) and depend(source): iterations that wait for points of a nest of
 * loops.
 *
 * A point's number counts the iterations of the whole nest, the innermost loop fastest. A sink outside of the nest is
 * waited for by nobody.
 */
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

static CcOmpConstruct *doacross_loop(CcParser *p)
{
    CcOmpConstruct *c = p->omp;
    while (c && !c->ordered)
        c = c->outer;
    return c;
}

/* The number k of the iteration in which the loop's variable has the value: (value - start) / step. */
static CcExpr *number_of(CcParser *p, const CcOmpLoop *loop, CcExpr *value)
{
    CcLoc loc = value->loc;
    CcExpr *distance = cc_omp_binary(p, CC_SUBTRACT, cc_omp_ulong(p, value), cc_omp_var(p, loop->across.start, loc));
    distance = cc_sema_cast_expr(p, p->basic[CC_LONG], distance, loc);
    return cc_omp_ulong(p, cc_omp_binary(p, CC_DIVIDE, distance, cc_omp_var(p, loop->across.step, loc)));
}

/* `vector` NULL: the point of the current iterations is done. Otherwise: waits for the point, if it is in the nest; a
 * negative number is huge as an unsigned one. */
static void one_point(CcParser *p, CcOmpConstruct *c, CcStmtList *list, const CcExprList *vector, CcLoc loc)
{
    CcExpr *point = NULL, *inside = NULL;
    CcStmtList call = {NULL, NULL};
    for (unsigned i = 0; i < c->n_loops; i++) {
        CcOmpLoop *loop = &c->loops[i];
        CcExpr *at = vector ? number_of(p, loop, vector->items[i]) : cc_omp_var(p, loop->across.number, loc);
        CcOmpValue number = cc_omp_once(p, list, "number", at);
        CcExpr *count = cc_omp_var(p, loop->across.count, loc);
        CcExpr *within = cc_omp_binary(p, CC_LESS, cc_omp_value(p, &number, loc), count);
        inside = inside ? cc_omp_binary(p, CC_LOGICAL_AND, inside, within) : within;
        at = cc_omp_value(p, &number, loc);
        point = point ? cc_omp_binary(p, CC_ADD, cc_omp_binary(p, CC_MULTIPLY, point, count), at) : at;
    }
    cc_omp_do(p, &call,
              cc_omp_call(p, loc, vector ? "__omp_doacross_wait" : "__omp_doacross_post", "vpz",
                          cc_omp_address(p, cc_omp_var(p, c->state, loc)), point));
    if (vector)
        cc_sema_append(list, cc_sema_if(p, inside, call.first, NULL, loc));
    else
        *list = cc_sema_concat(*list, call);
}

CcStmt *cc_omp_doacross(CcParser *p, const CcOmpClauses *clauses, CcLoc loc)
{
    CcOmpConstruct *c = doacross_loop(p);
    CcStmtList list = {NULL, NULL};
    if (!c) {
        cc_front_error(p, loc, "'#pragma omp ordered' with depend must be in a loop with the clause 'ordered(n)'");
        return cc_omp_block(p, list, loc, loc);
    }
    for (const CcOmpClause *clause = clauses->first; clause; clause = clause->next) {
        if (clause->kind->id != CC_OMP_DEPEND)
            continue;
        if (clause->vector && clause->vector->count != c->n_loops)
            cc_front_error(p, clause->loc, "depend(sink) has %u expressions where ordered(%u) counts %u loops",
                           clause->vector->count, c->ordered, c->ordered);
        else
            one_point(p, c, &list, clause->vector, clause->loc);
    }
    return cc_omp_block(p, list, loc, loc);
}
