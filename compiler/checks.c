/* checks.c - runs the checks of checks.def, and the walk over the tree that they share.
 */
#include "compiler/checks.h"

#include <string.h>

/* -- the walk ---------------------------------------------------------------------------------- */

static void walk_initialiser(const CcInit *init, const CcVisitor *visitor, void *user)
{
    for (; init; init = init->next)
        cc_walk_expression(init->value, visitor, user);
}

void cc_walk_expression(const CcExpr *expr, const CcVisitor *visitor, void *user)
{
    if (!expr || (visitor->expression && !visitor->expression(expr, user)))
        return;
    cc_walk_expression(expr->condition, visitor, user);
    cc_walk_expression(expr->left, visitor, user);
    cc_walk_expression(expr->right, visitor, user);
    for (uint32_t i = 0; i < expr->n_arguments; i++)
        cc_walk_expression(expr->arguments[i], visitor, user);
    if (expr->kind == CC_COMPOUND && expr->symbol)
        walk_initialiser(expr->symbol->init, visitor, user);
    if (expr->kind == CC_STATEMENT_EXPR)
        cc_walk_statements(expr->statement, visitor, user);
}

void cc_walk_statements(const CcStmt *first, const CcVisitor *visitor, void *user)
{
    for (const CcStmt *s = first; s; s = s->next) {
        if (visitor->statement)
            visitor->statement(s, user);
        cc_walk_statements(s->init, visitor, user);
        if (s->kind == CC_DECLARATION && s->symbol)
            walk_initialiser(s->symbol->init, visitor, user);
        cc_walk_expression(s->expr, visitor, user);
        cc_walk_expression(s->step, visitor, user);
        cc_walk_statements(s->first, visitor, user);
        cc_walk_statements(s->body, visitor, user);
        cc_walk_statements(s->otherwise, visitor, user);
    }
}

/* -- questions --------------------------------------------------------------------------------- */

const CcSymbol *cc_called_function(const CcExpr *call)
{
    if (call->kind != CC_CALL || call->left->kind != CC_DECAY || call->left->left->kind != CC_VARIABLE)
        return NULL;
    const CcSymbol *symbol = call->left->left->symbol;
    return symbol->kind == CC_SYM_FUNCTION ? symbol : NULL;
}

const CcExpr *cc_without_casts(const CcExpr *expr)
{
    while (expr->kind == CC_CAST)
        expr = expr->left;
    return expr;
}

/* -- running them ------------------------------------------------------------------------------ */

typedef void (*Check)(CcUnit *unit, CcSymbol *symbol);

static const struct {
    Check run;
    CcWarningId warning;
    bool local;
} checks[] = {
#define CC_CHECK(function, warning)       {function, CC_WARNING_##warning, false},
#define CC_LOCAL_CHECK(function, warning) {function, CC_WARNING_##warning, true},
#include "compiler/checks.def"
    {NULL, CC_WARNING_COUNT, false},
};

static const struct {
    void (*run)(CcUnit *unit);
    CcWarningId warning;
} unit_checks[] = {
#define CC_UNIT_CHECK(function, warning) {function, CC_WARNING_##warning},
#include "compiler/checks.def"
};

/* A check with several rows runs once. */
static bool runs(const CcUnit *unit, size_t i, bool *done)
{
    if (i > 0 && checks[i].run == checks[i - 1].run && *done)
        return false;
    *done = cc_warning_possible(unit, checks[i].warning);
    return *done;
}

static void run_unit_checks(CcUnit *unit)
{
    bool done = false;
    for (size_t i = 0; i < G_N_ELEMENTS(unit_checks); i++) {
        if (done && unit_checks[i].run == unit_checks[i - 1].run)
            continue;
        done = cc_warning_possible(unit, unit_checks[i].warning);
        if (done)
            unit_checks[i].run(unit);
    }
}

static void run_checks(CcUnit *unit, bool all)
{
    for (guint k = 0; k < unit->symbols->len; k++) {
        CcSymbol *symbol = g_ptr_array_index(unit->symbols, k);
        if (symbol->kind != CC_SYM_FUNCTION || !symbol->body || !symbol->body->body)
            continue;
        bool done = false;
        for (size_t i = 0; checks[i].run; i++)
            if ((all || checks[i].local) && runs(unit, i, &done))
                checks[i].run(unit, symbol);
    }
}

void cc_run_checks(CcUnit *unit)
{
    run_checks(unit, true);
    run_unit_checks(unit);
}

void cc_run_local_checks(CcUnit *unit)
{
    run_checks(unit, false);
}
