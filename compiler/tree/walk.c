/* walk.c - the walk over statements and expressions that the checks share. */
#include "compiler/tree/tree.h"

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
