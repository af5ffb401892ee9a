/* sema_flow.c - can control reach the end of a function (-Wreturn-type)?
 *
 * A conservative walk over statements: a loop without condition and without break does not end; a call of a noreturn
 * function does not return; a label that is jumped to may be reached whatever comes before it.
 */
#include "compiler/front.h"

#include <string.h>

static bool list_falls(const CcStmt *s);

/* Whether a break leaves this statement's innermost enclosing loop or switch. */
static bool has_break(const CcStmt *s)
{
    for (; s; s = s->next) {
        if (s->kind == CC_BREAK || (s->kind == CC_GOTO && s->expr))
            return true;
        bool own = s->kind == CC_WHILE || s->kind == CC_DO || s->kind == CC_FOR || s->kind == CC_SWITCH;
        if (!own && (has_break(s->first) || has_break(s->body) || has_break(s->otherwise)))
            return true;
    }
    return false;
}

static bool never_returns(const CcExpr *e)
{
    if (!e)
        return false;
    if (e->kind == CC_COMMA)
        return never_returns(e->left) || never_returns(e->right);
    if (e->kind == CC_CAST)
        return never_returns(e->left);
    if (e->kind == CC_BUILTIN)
        return e->builtin == CC_BUILTIN_TRAP || e->builtin == CC_BUILTIN_UNREACHABLE;
    return e->kind == CC_CALL && e->left->kind == CC_DECAY && e->left->left->kind == CC_VARIABLE &&
           e->left->left->symbol->noreturn_;
}

static bool is_true(const CcExpr *e)
{
    return !e || (e->kind == CC_NUMBER && (cc_is_integer(e->type) ? e->integer != 0 : e->real != 0));
}

/* The last case may fall out, any break does, and without default a value may match nothing. */
static bool switch_falls(const CcStmt *s)
{
    return !s->default_case || has_break(s->body) || list_falls(s->body);
}

static bool falls(const CcStmt *s)
{
    switch (s->kind) {
    case CC_BLOCK: return list_falls(s->first);
    case CC_EXPRESSION: return !never_returns(s->expr);
    case CC_IF: return list_falls(s->body) || !s->otherwise || list_falls(s->otherwise);
    case CC_WHILE:
    case CC_FOR: return !is_true(s->expr) || has_break(s->body);
    case CC_DO: return (!is_true(s->expr) && list_falls(s->body)) || has_break(s->body);
    case CC_SWITCH: return switch_falls(s);
    case CC_CASE:
    case CC_DEFAULT:
    case CC_LABEL: return list_falls(s->body);
    case CC_GOTO:
    case CC_BREAK:
    case CC_CONTINUE:
    case CC_RETURN: return false;
    default: return true;
    }
}

static bool list_falls(const CcStmt *s)
{
    bool reached = true;
    for (; s; s = s->next) {
        if (s->kind == CC_LABEL || s->kind == CC_CASE || s->kind == CC_DEFAULT)
            reached = true;
        reached = reached && falls(s);
    }
    return reached;
}

void cc_check_return(CcParser *p, const CcStmt *body)
{
    const CcSymbol *symbol = p->function->symbol;
    if (symbol->type->kind != CC_FUNCTION || symbol->type->target->kind == CC_VOID || symbol->noreturn_)
        return;
    if (strcmp(symbol->name, "main") != 0 && list_falls(body->first))
        cc_warning(p, body->end, "-Wreturn-type", "control reaches end of non-void function '%s'", symbol->name);
}
