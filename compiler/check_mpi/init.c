/* init.c - checks that MPI_Init comes first and MPI_Finalize last (-Wmpi-init; MPI-3.1 section 8.7).
 *
 * Examines main: the calls in its outermost block before a certain MPI_Init or after a certain MPI_Finalize, and
 * whether a program that calls one of the two also calls the other. Code that the compiler does not see may call
 * either.
 */
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Find {
    const CcMpiUnit *mpi;
    CcMpiSort sort;     /* sort of the call to find */
    const CcExpr *call; /* the first such call, or NULL */
} Find;

static bool find_call(const CcExpr *e, void *user)
{
    Find *find = user;
    const CcMpiFunction *function = cc_mpi_called(find->mpi, e);
    g_assert(e);
    if (!find->call && function &&
        (function->sort == find->sort || (find->sort == LOCAL && function->sort == COLLECTIVE)))
        find->call = e;
    return !find->call && (find->sort == LOCAL ||
                           (e->kind != CC_CONDITIONAL && e->kind != CC_LOGICAL_AND && e->kind != CC_LOGICAL_OR));
}

/* Returns the call of that sort that the statement certainly makes, or NULL. */
static const CcExpr *sure_call(const CcMpiUnit *mpi, const CcStmt *s, CcMpiSort sort)
{
    static const CcVisitor finder = {NULL, find_call};
    Find find = {mpi, sort, NULL};
    if (s->kind == CC_DECLARATION && s->symbol && s->symbol->init)
        cc_walk_expression(s->symbol->init->value, &finder, &find);
    else if (s->kind == CC_EXPRESSION || s->kind == CC_IF || s->kind == CC_RETURN)
        cc_walk_expression(s->expr, &finder, &find);
    return find.call;
}

/* Returns a call anywhere in the statement that needs MPI to be initialised, or NULL. */
static const CcExpr *any_call(const CcMpiUnit *mpi, const CcStmt *s)
{
    static const CcVisitor finder = {NULL, find_call};
    Find find = {mpi, LOCAL, NULL};
    CcStmt alone = *s;
    alone.next = NULL;
    cc_walk_statements(&alone, &finder, &find);
    return find.call;
}

static const char *name_of(const CcExpr *call)
{
    return cc_tree_callee(call)->name;
}

static void say(const CcMpiUnit *mpi, const CcExpr *call, const char *when, const CcExpr *other)
{
    cc_report(mpi->unit, CC_WARNING, call->loc, "-Wmpi-init", "'%s' is called %s '%s'", name_of(call), when,
              name_of(other));
    cc_report(mpi->unit, CC_NOTE, other->loc, NULL, "'%s' is called here", name_of(other));
}

static void check_order(const CcMpiUnit *mpi, const CcStmt *first)
{
    const CcExpr *early = NULL, *start = NULL, *end = NULL, *late = NULL;
    for (const CcStmt *s = first; s && !late; s = s->next) {
        const CcExpr *call = any_call(mpi, s);
        if (end)
            late = call;
        if (!start && !early)
            start = sure_call(mpi, s, START_MPI);
        if (!start && !early)
            early = call;
        if (early && !start) {
            start = sure_call(mpi, s, START_MPI);
            if (start)
                say(mpi, early, "before", start);
        }
        if (!end)
            end = sure_call(mpi, s, END_MPI);
        if (s->kind == CC_RETURN)
            break;
    }
    if (late)
        say(mpi, late, "after", end);
}

/* -- is one missing? --------------------------------------------------------------------------- */

static bool uses(const CcMpiUnit *mpi, CcMpiSort sort)
{
    for (guint i = 0; i < mpi->unit->symbols->len; i++) {
        const CcMpiFunction *function = cc_mpi_function(mpi, g_ptr_array_index(mpi->unit->symbols, i));
        if (function && function->sort == sort)
            return true;
    }
    return false;
}

static bool calls_unknown(const CcMpiUnit *mpi)
{
    for (guint i = 0; i < mpi->list->len; i++)
        if (((const CcMpiBody *)g_ptr_array_index(mpi->list, i))->calls_unknown)
            return true;
    return false;
}

static bool aborts(const CcMpiUnit *mpi)
{
    for (guint i = 0; i < mpi->calls->len; i++)
        if (strcmp(((const CcMpiCall *)g_ptr_array_index(mpi->calls, i))->function->name, "Abort") == 0)
            return true;
    return false;
}

static void check_missing(const CcMpiUnit *mpi, const CcMpiBody *body)
{
    bool starts = uses(mpi, START_MPI), ends = uses(mpi, END_MPI);
    const CcMpiCall *first = NULL;
    for (guint i = 0; i < body->n_calls && !first; i++) {
        const CcMpiCall *call = g_ptr_array_index(mpi->calls, body->first_call + i);
        if (call->function->sort != ANY_TIME)
            first = call;
    }
    if (!first || calls_unknown(mpi))
        return;
    if (!starts)
        cc_report(mpi->unit, CC_WARNING, first->expr->loc, "-Wmpi-init",
                  "'%s' is called, but the program never calls 'MPI_Init'; call it first", first->name);
    else if (!ends && !aborts(mpi))
        cc_report(mpi->unit, CC_WARNING, body->symbol->loc, "-Wmpi-init",
                  "the program calls 'MPI_Init', but never 'MPI_Finalize'; every rank must call it before it ends");
}

void cc_mpi_check_init(CcMpiUnit *mpi, const CcMpiBody *body)
{
    if (strcmp(body->symbol->name, "main") != 0 || !body->symbol->file_scope)
        return;
    if (!body->jumps)
        check_order(mpi, body->symbol->body->body->first);
    check_missing(mpi, body);
}
