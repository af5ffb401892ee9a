/* flow.c - reachability: can control reach the end of a function (-Wreturn-type), or the next case?
 *
 * A walk visits the statements in order and carries the flag `reached`: whether control reaches this point. An
 * unreached break thus ends no loop. Constant conditions are decided; calls of noreturn functions do not return.
 * A backward jump can make a label reached that the walk has already passed. The walk therefore repeats until it finds
 * no new label, at most MAX_PASSES times; after that every label counts as reached. In doubt code counts as reached.
 * One exception: a switch over an enumeration that handles every enumerator is assumed to match one of them.
 */
#include "compiler/tree/tree.h"

#include <string.h>

enum { MAX_PASSES = 8, MOST_ENUMERATORS = 1000 };

typedef struct Inner {      /* what the walk knows of the innermost enclosing loop or switch */
    bool breaks, continues; /* a reached break leaves it; a reached continue goes on with it */
    bool in_switch;         /* the innermost switch is reached, so its cases are too */
} Inner;

typedef struct Walk {
    GHashTable *reached; /* set of labels that a reached goto names, and of loops entered at a label within */
    bool changed;        /* this pass added to `reached` */
    bool all;            /* every label counts as reached */
} Walk;

static bool list(Walk *w, const CcStmt *s, bool reached, Inner *inner);

static void reach(Walk *w, const void *what)
{
    if (!w->all && g_hash_table_add(w->reached, (void *)what))
        w->changed = true;
}

static bool is_reached(const Walk *w, const void *what)
{
    return w->all || g_hash_table_contains(w->reached, what);
}

/* -- expressions ------------------------------------------------------------------------------- */

/* Returns 1 if the condition is always true, 0 if always false, -1 if unknown. A missing condition (NULL) is true.
 * `depth` bounds the search, because the walk asks again at each node of a long chain. */
static int truth_within(const CcExpr *e, int depth)
{
    if (!e)
        return 1;
    e = cc_tree_without_casts(e);
    while (e->kind == CC_COMMA)
        e = cc_tree_without_casts(e->right);
    if (e->kind == CC_NUMBER)
        return cc_is_integer(e->type) || e->type->kind == CC_POINTER ? e->integer != 0 : e->real != 0;
    if (e->kind == CC_DECAY && e->left->kind == CC_STRING) /* assert(!"what happened") */
        return 1;
    if (depth == 0 || (e->kind != CC_NOT && e->kind != CC_LOGICAL_AND && e->kind != CC_LOGICAL_OR))
        return -1;
    int left = truth_within(e->left, depth - 1), decides = e->kind == CC_LOGICAL_OR;
    if (e->kind == CC_NOT)
        return left < 0 ? -1 : !left;
    int right = left == decides ? decides : truth_within(e->right, depth - 1);
    return right == decides ? decides : left < 0 ? -1 : right;
}

static int truth(const CcExpr *e)
{
    return truth_within(e, 8);
}

static bool call_returns(const CcExpr *e)
{
    if (e->kind == CC_BUILTIN)
        return e->builtin != CC_BUILTIN_TRAP && e->builtin != CC_BUILTIN_UNREACHABLE;
    const CcSymbol *function = cc_tree_callee(e);
    return !function || !(function->noreturn_ || strcmp(function->name, "MPI_Abort") == 0);
}

/* Whether control reaches the end of the expression. */
static bool expression(Walk *w, const CcExpr *e, bool reached, Inner *inner)
{
    if (!e)
        return reached;
    if (e->kind == CC_STATEMENT_EXPR)
        return list(w, e->statement, reached, inner);
    reached = expression(w, e->condition, reached, inner);
    if (e->kind == CC_CONDITIONAL) {
        int known = truth(e->condition);
        bool yes = expression(w, e->left, reached && known != 0, inner);
        bool no = expression(w, e->right, reached && known != 1, inner);
        return yes || no;
    }
    reached = expression(w, e->left, reached, inner);
    if (e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR) {
        int decides = e->kind == CC_LOGICAL_OR, known = truth(e->left);
        bool right = expression(w, e->right, reached && known != decides, inner);
        return (reached && known != !decides) || right;
    }
    reached = expression(w, e->right, reached, inner);
    for (uint32_t i = 0; i < e->n_arguments; i++)
        reached = expression(w, e->arguments[i], reached, inner);
    return reached && ((e->kind != CC_CALL && e->kind != CC_BUILTIN) || call_returns(e));
}

/* -- statements -------------------------------------------------------------------------------- */

static bool declaration(Walk *w, const CcStmt *s, bool reached, Inner *inner)
{
    for (const CcInit *init = s->symbol->init; init; init = init->next)
        reached = expression(w, init->value, reached, inner);
    return reached;
}

static bool if_else(Walk *w, const CcStmt *s, bool reached, Inner *inner)
{
    int known = truth(s->expr);
    reached = expression(w, s->expr, reached, inner);
    bool yes = list(w, s->body, reached && known != 0, inner);
    bool no = list(w, s->otherwise, reached && known != 1, inner);
    return yes || no;
}

static bool loop(Walk *w, const CcStmt *s, bool reached, Inner *outer)
{
    Inner inner = {.in_switch = outer->in_switch};
    bool tests_first = s->kind != CC_DO;
    int known = truth(s->expr);
    reached = list(w, s->init, reached, outer);
    bool again = g_hash_table_contains(w->reached, s), head = reached || again;
    bool tested = tests_first && expression(w, s->expr, head, outer);
    bool falls = list(w, s->body, tests_first ? tested && known != 0 : head, &inner) || inner.continues;
    if (!tests_first)
        tested = expression(w, s->expr, falls, outer);
    else
        falls = expression(w, s->step, falls, outer);
    if (!head && (tests_first ? falls : tested && known != 0))
        reach(w, s);
    return (tested && known != 1) || inner.breaks;
}

/* Whether a case or the default must match. */
static bool has_all(const CcStmt *s)
{
    const CcType *type = cc_tree_without_casts(s->expr)->type;
    if (s->default_case || type->kind != CC_ENUM || type->tag->n_enumerators > MOST_ENUMERATORS)
        return s->default_case;
    for (uint32_t i = 0; i < type->tag->n_enumerators; i++) {
        const CcStmt *c = s->cases;
        while (c && !(c->low <= type->tag->enumerators[i]->value && type->tag->enumerators[i]->value <= c->high))
            c = c->next_case;
        if (!c)
            return false;
    }
    return type->tag->n_enumerators > 0;
}

static bool one(Walk *w, const CcStmt *s, bool reached, Inner *inner)
{
    switch (s->kind) {
    case CC_BLOCK: return list(w, s->first, reached, inner);
    case CC_EXPRESSION: return expression(w, s->expr, reached, inner);
    case CC_DECLARATION: return declaration(w, s, reached, inner);
    case CC_IF: return if_else(w, s, reached, inner);
    case CC_WHILE:
    case CC_DO:
    case CC_FOR: return loop(w, s, reached, inner);
    case CC_SWITCH: {
        reached = expression(w, s->expr, reached, inner);
        Inner body = {.in_switch = reached};
        bool falls = list(w, s->body, false, &body);
        inner->continues |= body.continues;
        return falls || body.breaks || (reached && !has_all(s));
    }
    case CC_CASE:
    case CC_DEFAULT: return list(w, s->body, reached || inner->in_switch, inner);
    case CC_LABEL: return list(w, s->body, reached || s->label->address_taken || is_reached(w, s->label), inner);
    case CC_GOTO:
        if (reached && s->label)
            reach(w, s->label);
        return false;
    case CC_BREAK: inner->breaks |= reached; return false;
    case CC_CONTINUE: inner->continues |= reached; return false;
    case CC_RETURN: (void)expression(w, s->expr, reached, inner); return false;
    case CC_VLA_SIZE: return reached;
    }
    return reached;
}

/* Walks a statement and those that follow it in its block. A body that is no block is a list of one statement. */
static bool list(Walk *w, const CcStmt *s, bool reached, Inner *inner)
{
    for (; s; s = s->next)
        reached = one(w, s, reached, inner);
    return reached;
}

bool cc_tree_falls_through(const CcStmt *s)
{
    Walk w = {.reached = g_hash_table_new(NULL, NULL), .all = true};
    Inner inner = {.in_switch = true};
    bool falls = one(&w, s, true, &inner);
    g_hash_table_destroy(w.reached);
    return falls;
}

bool cc_tree_reaches_end(const CcStmt *body)
{
    Walk w = {.reached = g_hash_table_new(NULL, NULL), .changed = true};
    bool falls = false;
    for (int pass = 0; w.changed; pass++) {
        Inner inner = {0};
        w.changed = false;
        w.all = pass == MAX_PASSES;
        falls = list(&w, body->first, true, &inner);
    }
    g_hash_table_destroy(w.reached);
    return falls;
}
