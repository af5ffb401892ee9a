/* unused.c - warns of values that are computed and dropped, of results that must be used, and of variables that are set
 * and never read.
 *
 * Every use of a variable reads it, with one exception: an assignment stores into it, and the value of the assignment
 * is dropped.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Unused {
    CcUnit *unit;
    GHashTable *values;  /* CcStmt *: last statements of statement expressions, whose values are used */
    GHashTable *dropped; /* CcExpr *: expressions evaluated for their side effects only */
    GHashTable *read;    /* CcSymbol *: variables that are read */
    GHashTable *targets; /* CcExpr *: variables that a store does not read */
    GHashTable *set;     /* CcSymbol *: variables that are set */
    GPtrArray *symbols;  /* CcSymbol *: variables of the function, in the order of declaration */
} Unused;

/* -- dropped values ---------------------------------------------------------------------------- */

static bool is_volatile(const CcExpr *e)
{
    return e->lvalue && e->type->qualifiers & CC_VOLATILE;
}

/* Whether the value is that of a variable of the compiler, which holds the result of an operation on an object. */
static bool is_hidden(const CcExpr *e)
{
    return e->kind == CC_VARIABLE && e->symbol->name && strchr(e->symbol->name, '.');
}

static bool has_effect(const CcExpr *e)
{
    if (!e)
        return false;
    switch (e->kind) {
    case CC_CALL:
    case CC_ASSIGN:
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT:
    case CC_STATEMENT_EXPR:
    case CC_VA_START:
    case CC_VA_ARG:
    case CC_VA_COPY:
    case CC_VA_END:
    case CC_BUILTIN: return true;
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
    case CC_COMMA: return has_effect(e->right);
    case CC_CONDITIONAL: return has_effect(e->left) || has_effect(e->right);
    case CC_CAST: return e->type->kind == CC_VOID || has_effect(e->left);
    case CC_MEMBER: return has_effect(e->left) || is_volatile(e);
    case CC_EQUAL:
    case CC_NOT_EQUAL: return is_hidden(e->left);
    case CC_VARIABLE: return is_hidden(e) || is_volatile(e);
    default: return e->type->kind == CC_VOID || is_volatile(e);
    }
}

static void check_dropped(Unused *u, const CcExpr *e)
{
    if (!e)
        return;
    g_hash_table_add(u->dropped, (gpointer)e);
    if (e->kind == CC_COMMA)
        check_dropped(u, e->right);
    const CcSymbol *function = cc_tree_callee(e);
    if (function && function->must_use) {
        cc_report(u->unit, CC_WARNING, e->loc, "-Wunused-result", "the result of '%s' should be looked at",
                  function->name);
        cc_report(u->unit, CC_NOTE, function->loc, NULL, "'%s' is declared here", function->name);
    }
    if (has_effect(e) || e->kind == CC_COMMA || cc_report_is_from_macro(u->unit, e->loc))
        return;
    bool comparison = e->kind == CC_EQUAL && !e->parenthesized && e->op_loc.line && e->left->lvalue;
    if (e->kind == CC_DECAY && e->left->type->kind == CC_FUNCTION && e->left->kind == CC_VARIABLE) {
        cc_report(u->unit, CC_WARNING, e->loc, "-Wunused-value", "'%s' is not called; '()' behind it would call it",
                  e->left->symbol->name);
        return;
    }
    bool simple = e->kind == CC_VARIABLE || e->kind == CC_NUMBER || (e->kind >= CC_EQUAL && e->kind <= CC_LOGICAL_OR);
    cc_report_range(u->unit, CC_WARNING, e->op_loc.line ? e->op_loc : e->loc, e->loc, "-Wunused-value",
                    comparison ? "this compares, and drops the result; '=' assigns"
                    : simple   ? "this statement has no effect"
                               : "this value is computed and dropped");
    if (comparison)
        cc_report_fix(u->unit, e->op_loc, "=");
}

/* -- variables --------------------------------------------------------------------------------- */

/* Returns the variable that a store into `e` changes. NULL: the store goes through a pointer. */
static const CcExpr *stored_variable(const CcExpr *e)
{
    for (;;) {
        bool element = e->kind == CC_DEREFERENCE && e->left->kind == CC_ADD && e->left->left->kind == CC_DECAY;
        if (e->kind == CC_VARIABLE)
            return e;
        if (element)
            e = e->left->left->left;
        else if (e->kind == CC_MEMBER || (e->kind == CC_DEREFERENCE && e->left->kind == CC_DECAY))
            e = e->kind == CC_MEMBER ? e->left : e->left->left;
        else
            return NULL;
    }
}

static bool is_local(const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_VARIABLE && !symbol->file_scope &&
           (symbol->storage == CC_AUTO || symbol->storage == CC_REGISTER);
}

static void note_store(Unused *u, const CcExpr *e)
{
    bool store = e->kind == CC_ASSIGN || e->kind == CC_ASSIGN_OP ||
                 (e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT);
    const CcExpr *variable = store ? stored_variable(e->left) : NULL;
    if (!variable)
        return;
    if (e->kind == CC_ASSIGN || g_hash_table_contains(u->dropped, e)) {
        g_hash_table_add(u->set, variable->symbol);
        if (g_hash_table_contains(u->dropped, e))
            g_hash_table_add(u->targets, (gpointer)variable);
    }
}

static bool visit_expression(const CcExpr *e, void *user)
{
    Unused *u = user;
    note_store(u, e);
    if (e->kind == CC_COMMA && e->left->loc.length < e->loc.length) /* not from an expanded built-in */
        check_dropped(u, e->left);
    if (e->kind == CC_CAST && e->type->kind == CC_VOID)
        g_hash_table_add(u->dropped, e->left);
    if (e->kind == CC_CONDITIONAL && e->type->kind == CC_VOID && e->left) {
        g_hash_table_add(u->dropped, e->left);
        g_hash_table_add(u->dropped, e->right);
    }
    if (e->kind == CC_VARIABLE && !g_hash_table_contains(u->targets, e))
        g_hash_table_add(u->read, e->symbol);
    if (e->kind == CC_NUMBER && e->symbol) /* a sizeof uses the variable */
        g_hash_table_add(u->read, e->symbol);
    if (e->kind == CC_STATEMENT_EXPR) {
        const CcStmt *last = e->statement->first;
        while (last && last->next)
            last = last->next;
        while (last && last->kind == CC_LABEL)
            last = last->body;
        if (last)
            g_hash_table_add(u->values, (gpointer)last);
    }
    return true;
}

static void visit_statement(const CcStmt *s, void *user)
{
    Unused *u = user;
    if (s->kind == CC_EXPRESSION && s->expr && !g_hash_table_contains(u->values, s))
        check_dropped(u, s->expr);
    if (s->kind == CC_FOR && s->step)
        check_dropped(u, s->step);
    if (s->kind == CC_DECLARATION && s->symbol && is_local(s->symbol))
        g_ptr_array_add(u->symbols, s->symbol);
}

static void report_set(Unused *u, const CcSymbol *symbol)
{
    if (!symbol->name || !symbol->used || symbol->maybe_unused || symbol->type->qualifiers & CC_VOLATILE ||
        symbol->type->variable || strchr(symbol->name, '.') || g_hash_table_contains(u->read, symbol) ||
        !g_hash_table_contains(u->set, symbol))
        return;
    if (symbol->parameter)
        cc_report(u->unit, CC_WARNING, symbol->loc, "-Wunused-but-set-parameter", "parameter '%s' is set, and not used",
                  symbol->name);
    else
        cc_report(u->unit, CC_WARNING, symbol->loc, "-Wunused-but-set-variable", "variable '%s' is set, and not used",
                  symbol->name);
}

void cc_check_unused(CcUnit *unit, CcSymbol *symbol)
{
    Unused unused = {unit,
                     g_hash_table_new(NULL, NULL),
                     g_hash_table_new(NULL, NULL),
                     g_hash_table_new(NULL, NULL),
                     g_hash_table_new(NULL, NULL),
                     g_hash_table_new(NULL, NULL),
                     g_ptr_array_new()};
    CcVisitor visitor = {visit_statement, visit_expression};
    for (uint32_t i = 0; i < symbol->body->n_parameters; i++)
        g_ptr_array_add(unused.symbols, symbol->body->parameters[i]);
    cc_walk_statements(symbol->body->body, &visitor, &unused);
    for (guint i = 0; i < unused.symbols->len; i++)
        report_set(&unused, g_ptr_array_index(unused.symbols, i));
    g_hash_table_destroy(unused.values);
    g_hash_table_destroy(unused.dropped);
    g_hash_table_destroy(unused.read);
    g_hash_table_destroy(unused.targets);
    g_hash_table_destroy(unused.set);
    g_ptr_array_free(unused.symbols, TRUE);
}
