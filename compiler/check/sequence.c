/* sequence.c - warns of variables that one expression changes and uses without a sequence point in between (C11 6.5p2).
 *
 * For every expression the local variables that it changes and reads are collected. Two operands that are not sequenced
 * must not both use a variable that one of them changes. The sets are short lists: they ignore variables after the
 * first MOST.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { MOST = 12 };

typedef struct Set {
    const CcSymbol *items[MOST];
    unsigned n;
} Set;

typedef struct Effects {
    Set changed, read;
} Effects;

static void add(Set *set, const CcSymbol *symbol)
{
    for (unsigned i = 0; i < set->n; i++)
        if (set->items[i] == symbol)
            return;
    if (set->n < MOST)
        set->items[set->n++] = symbol;
}

static void merge(Effects *into, const Effects *from)
{
    for (unsigned i = 0; i < from->changed.n; i++)
        add(&into->changed, from->changed.items[i]);
    for (unsigned i = 0; i < from->read.n; i++)
        add(&into->read, from->read.items[i]);
}

static const CcSymbol *common(const Set *a, const Set *b)
{
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < b->n; k++)
            if (a->items[i] == b->items[k])
                return a->items[i];
    return NULL;
}

static void report(CcUnit *unit, const CcExpr *e, const CcSymbol *symbol)
{
    if (symbol && !cc_report_is_from_macro(unit, e->loc))
        cc_report(unit, CC_WARNING, e->loc, "-Wsequence-point",
                  "'%s' is changed and used here in an order that C leaves open", symbol->name);
}

/* Reports a variable that one of two unsequenced operands changes and the other one uses. */
static void unsequenced(CcUnit *unit, const CcExpr *e, const Effects *a, const Effects *b)
{
    const CcSymbol *symbol = common(&a->changed, &b->changed);
    symbol = symbol ? symbol : common(&a->changed, &b->read);
    report(unit, e, symbol ? symbol : common(&b->changed, &a->read));
}

static Effects effects_of(CcUnit *unit, const CcExpr *e);

static Effects both(CcUnit *unit, const CcExpr *e, const CcExpr *left, const CcExpr *right, bool sequenced)
{
    Effects a = effects_of(unit, left), b = effects_of(unit, right);
    if (!sequenced && (a.changed.n || b.changed.n))
        unsequenced(unit, e, &a, &b);
    merge(&a, &b);
    return a;
}

/* A store is sequenced after the values of both sides are computed, but not after their side effects. */
static Effects store(CcUnit *unit, const CcExpr *e)
{
    const CcSymbol *target = e->left->kind == CC_VARIABLE ? e->left->symbol : NULL;
    Effects left = {0}, right = e->right ? effects_of(unit, e->right) : (Effects){0};
    if (!target)
        left = effects_of(unit, e->left);
    if (e->right && (left.changed.n || right.changed.n))
        unsequenced(unit, e, &left, &right);
    merge(&left, &right);
    if (!target)
        return left;
    Effects own = {{{target}, 1}, {{NULL}, 0}};
    bool inner_call = e->right && e->right->kind == CC_CALL;
    if (!inner_call)
        report(unit, e, common(&own.changed, &right.changed));
    if (e->kind != CC_ASSIGN)
        add(&left.read, target);
    add(&left.changed, target);
    return left;
}

static Effects call(CcUnit *unit, const CcExpr *e)
{
    Effects all = e->left ? effects_of(unit, e->left) : (Effects){0};
    for (uint32_t i = 0; i < e->n_arguments; i++) {
        Effects next = effects_of(unit, e->arguments[i]);
        if (all.changed.n || next.changed.n)
            unsequenced(unit, e, &all, &next);
        merge(&all, &next);
    }
    return all;
}

static Effects effects_of(CcUnit *unit, const CcExpr *e)
{
    Effects none = {0};
    if (!e)
        return none;
    switch (e->kind) {
    case CC_VARIABLE:
        if (e->symbol->kind == CC_SYM_VARIABLE && cc_is_scalar(e->type))
            add(&none.read, e->symbol);
        return none;
    case CC_NUMBER:
    case CC_STRING:
    case CC_ADDRESS: /* the address of a variable does not use its value */
    case CC_DECAY:
        return e->kind == CC_ADDRESS || e->kind == CC_DECAY
                   ? (e->left->kind == CC_VARIABLE ? none : effects_of(unit, e->left))
                   : none;
    case CC_ASSIGN:
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: return store(unit, e);
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
    case CC_COMMA: return both(unit, e, e->left, e->right, true);
    case CC_CONDITIONAL: {
        Effects condition = effects_of(unit, e->condition), arms = both(unit, e, e->left, e->right, true);
        merge(&condition, &arms);
        return condition;
    }
    case CC_CALL:
    case CC_BUILTIN: return call(unit, e);
    case CC_STATEMENT_EXPR:
    case CC_COMPOUND: return none;
    default: return both(unit, e, e->left, e->right, false);
    }
}

static void visit_statement(const CcStmt *s, void *unit)
{
    (void)effects_of(unit, s->expr);
    (void)effects_of(unit, s->step);
    if (s->kind == CC_DECLARATION && s->symbol)
        for (const CcInit *init = s->symbol->init; init; init = init->next)
            (void)effects_of(unit, init->value);
}

void cc_check_sequence(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {visit_statement, NULL};
    cc_walk_statements(symbol->body->body, &visitor, unit);
}
