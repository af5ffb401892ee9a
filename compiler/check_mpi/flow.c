/* flow.c - computes the value, at each use, of variables that are set more than once.
 *
 * One walk over a function in order keeps the last value assigned to each local variable. Each branch gets a copy of
 * this state. Where branches join, variables whose values differ become unknown. A variable that a loop or a switch
 * assigns anywhere is unknown in it and after it, until it is assigned again. The result is a table from each use of a
 * variable, a node of the tree, to the value. Uses within that value are in the table, too.
 *
 * In doubt a variable is unknown. Within a branch whose condition tests a variable, the variable is unknown. Nothing is
 * said about a branch that is never taken because its condition is constant. Functions with labels or setjmp are
 * skipped.
 */
#include "compiler/arena/arena.h"
#include "compiler/check_mpi/unit.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* What is known of a variable at one point. */
typedef struct Known {
    const CcExpr *value; /* NULL: not known */
    bool asked;          /* an enclosing condition tests it, so its value is not relied on */
} Known;

/* What is known at one point of the function. */
typedef struct State {
    GHashTable *known; /* CcSymbol -> Known; looked up and compared, but iteration order never reaches the output */
    bool dead;         /* control does not come here */
} State;

typedef struct Flow {
    CcMpiUnit *mpi;
    State *state;
    const CcStmt *in_switch; /* the innermost switch, whose cases forget what it assigns */
} Flow;

static void expression(Flow *f, const CcExpr *e);
static void list(Flow *f, const CcStmt *s);

/* -- states ------------------------------------------------------------------------------------ */

static State *state_new(void)
{
    State *state = g_new0(State, 1);
    state->known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return state;
}

static void state_free(State *state)
{
    g_hash_table_destroy(state->known);
    g_free(state);
}

static State *state_copy(const State *from)
{
    State *state = state_new();
    GHashTableIter iter;
    gpointer symbol, known;
    g_hash_table_iter_init(&iter, from->known);
    while (g_hash_table_iter_next(&iter, &symbol, &known))
        g_hash_table_insert(state->known, symbol, g_memdup2(known, sizeof(Known)));
    state->dead = from->dead;
    return state;
}

static bool is_candidate(const Flow *f, const CcSymbol *symbol)
{
    const CcMpiVariable *variable = g_hash_table_lookup(f->mpi->variables, symbol);
    return symbol->kind == CC_SYM_VARIABLE && (symbol->storage == CC_AUTO || symbol->storage == CC_REGISTER) &&
           cc_is_scalar(symbol->type) && !(symbol->type->qualifiers & CC_VOLATILE) && variable && !variable->escapes;
}

/* Returns what to remember as a variable's value. For an integer it is the number, so that no chain of variables is
 * followed twice. */
static const CcExpr *worth(const Flow *f, const CcSymbol *symbol, const CcExpr *value)
{
    int64_t number;
    if (!cc_is_integer(symbol->type))
        return value;
    if (!value || !cc_mpi_constant(f->mpi, value, &number))
        return NULL;
    CcExpr *e = CC_NEW(f->mpi->unit->arena, CcExpr);
    e->kind = CC_NUMBER;
    e->type = symbol->type;
    e->loc = value->loc;
    e->integer = cc_type_canonical(cc_type_integer_of(symbol->type), (uint64_t)number);
    return e;
}

static void assign(Flow *f, const CcSymbol *symbol, const CcExpr *value)
{
    if (!is_candidate(f, symbol))
        return;
    value = worth(f, symbol, value);
    Known known = {value, false};
    g_hash_table_insert(f->state->known, (gpointer)symbol, g_memdup2(&known, sizeof known));
}

static bool same_value(const Flow *f, const CcExpr *a, const CcExpr *b)
{
    int64_t x, y;
    if (a == b)
        return true;
    if (!a || !b)
        return false;
    if (cc_mpi_constant(f->mpi, a, &x) && cc_mpi_constant(f->mpi, b, &y))
        return x == y;
    a = cc_mpi_followed(f->mpi, a);
    b = cc_mpi_followed(f->mpi, b);
    return a->kind == CC_NUMBER && b->kind == CC_NUMBER && a->type->kind == CC_POINTER && b->type->kind == CC_POINTER &&
           a->integer == b->integer;
}

/* Returns the state after two branches join, and takes ownership of both. A variable that only an inner condition
 * tested is trusted again, unless just one of the branches goes on. */
static State *join(const Flow *f, const State *before, State *a, State *b)
{
    if (a->dead || b->dead) {
        State *rest = a->dead ? b : a;
        state_free(a->dead ? a : b);
        return rest;
    }
    State *result = state_new();
    GHashTableIter iter;
    gpointer symbol, item;
    g_hash_table_iter_init(&iter, a->known);
    while (g_hash_table_iter_next(&iter, &symbol, &item)) {
        const Known *x = item, *y = g_hash_table_lookup(b->known, symbol);
        const Known *was = g_hash_table_lookup(before->known, symbol);
        if (!y || !same_value(f, x->value, y->value))
            continue;
        Known known = {x->value, was && was->value == x->value ? was->asked : x->asked || y->asked};
        g_hash_table_insert(result->known, symbol, g_memdup2(&known, sizeof known));
    }
    state_free(a);
    state_free(b);
    return result;
}

/* -- conditions -------------------------------------------------------------------------------- */

static bool ask(const CcExpr *e, void *user)
{
    const State *state = user;
    Known *known = e->kind == CC_VARIABLE ? g_hash_table_lookup(state->known, e->symbol) : NULL;
    if (known)
        known->asked = true;
    return true;
}

/* Returns whether the condition holds: 1, 0, or -1 if it is not known. */
static int decide(const Flow *f, const CcExpr *e, int depth)
{
    int64_t a, b;
    if (!e)
        return 1;
    if (cc_mpi_constant(f->mpi, e, &a))
        return a != 0;
    if (e->kind == CC_NOT && depth > 0) {
        int inner = decide(f, e->left, depth - 1);
        return inner < 0 ? -1 : !inner;
    }
    if ((e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR) && depth > 0) {
        int decides = e->kind == CC_LOGICAL_OR;
        int left = decide(f, e->left, depth - 1), right = decide(f, e->right, depth - 1);
        return left == decides || right == decides ? decides : left < 0 || right < 0 ? -1 : !decides;
    }
    if (!cc_is_comparison(e->kind))
        return -1;
    if (cc_mpi_constant(f->mpi, e->left, &a) && cc_mpi_constant(f->mpi, e->right, &b))
        return cc_tree_holds(e->kind, (a < b), a == b, (a > b));
    if (e->left->type->kind == CC_POINTER && e->right->type->kind == CC_POINTER) {
        const CcExpr *x = cc_mpi_followed(f->mpi, e->left), *y = cc_mpi_followed(f->mpi, e->right);
        if (x->kind == CC_NUMBER && y->kind == CC_NUMBER) {
            a = (int64_t)x->integer;
            b = (int64_t)y->integer;
            return cc_tree_holds(e->kind, (a < b), a == b, (a > b));
        }
    }
    return -1;
}

/* Sets the state for code that runs only if the condition has the outcome `outcome`. */
static void under(Flow *f, const State *before, const CcExpr *condition, int decided, int outcome)
{
    State *state = state_copy(before);
    CcVisitor visitor = {NULL, ask};
    if (decided < 0)
        cc_walk_expression(condition, &visitor, state);
    else
        state->dead |= decided != outcome;
    f->state = state;
}

/* -- what is assigned -------------------------------------------------------------------------- */

static bool forget(const CcExpr *e, void *user)
{
    const Flow *f = user;
    bool sets = e->kind == CC_ASSIGN || e->kind == CC_ASSIGN_OP || e->kind == CC_ADDRESS ||
                (e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT);
    if (sets && e->left->kind == CC_VARIABLE)
        g_hash_table_remove(f->state->known, e->left->symbol);
    return true;
}

static void forget_declared(const CcStmt *s, void *user)
{
    const Flow *f = user;
    if (s->kind == CC_DECLARATION && s->symbol)
        g_hash_table_remove(f->state->known, s->symbol);
}

/* Makes every variable unknown that the statements assign anywhere. */
static void forget_all(Flow *f, const CcStmt *s)
{
    CcVisitor visitor = {forget_declared, forget};
    cc_walk_statements(s, &visitor, f);
}

static void forget_in(Flow *f, const CcExpr *e)
{
    CcVisitor visitor = {forget_declared, forget};
    cc_walk_expression(e, &visitor, f);
}

/* -- expressions ------------------------------------------------------------------------------- */

static void use(Flow *f, const CcExpr *e)
{
    const Known *known = g_hash_table_lookup(f->state->known, e->symbol);
    if (f->state->dead)
        g_hash_table_add(f->mpi->unreached, (gpointer)e);
    else if (known && known->value && !known->asked)
        g_hash_table_insert(f->mpi->values, (gpointer)e, (gpointer)known->value);
}

static void set(Flow *f, const CcExpr *e)
{
    expression(f, e->right);
    if (e->left->kind != CC_VARIABLE)
        expression(f, e->left);
    else if (e->kind == CC_ASSIGN)
        assign(f, e->left->symbol, e->right);
    else
        g_hash_table_remove(f->state->known, e->left->symbol);
}

/* One branch of a condition: an expression, or statements, or nothing. */
typedef struct Way {
    const CcExpr *value;
    const CcStmt *first;
} Way;

static void follow(Flow *f, const State *before, const CcExpr *condition, int decided, int outcome, Way way)
{
    under(f, before, condition, decided, outcome);
    expression(f, way.value);
    list(f, way.first);
}

/* Walks the branches of if and ?:, or the right side of && and ||. */
static void branch(Flow *f, const CcExpr *condition, Way yes, Way no)
{
    State *before = f->state;
    int decided = decide(f, condition, 8);
    follow(f, before, condition, decided, 1, yes);
    State *first = f->state;
    follow(f, before, condition, decided, 0, no);
    f->state = join(f, before, first, f->state);
    state_free(before);
}

static void children(Flow *f, const CcExpr *e)
{
    expression(f, e->condition);
    expression(f, e->left);
    expression(f, e->right);
    for (uint32_t i = 0; i < e->n_arguments; i++)
        expression(f, e->arguments[i]);
    if (e->kind == CC_COMPOUND && e->symbol)
        for (const CcInit *init = e->symbol->init; init; init = init->next)
            expression(f, init->value);
    if (e->kind == CC_STATEMENT_EXPR)
        list(f, e->statement);
    const CcSymbol *function = e->kind == CC_CALL ? cc_tree_callee(e) : NULL;
    if (function && (function->noreturn_ || strcmp(function->name, "MPI_Abort") == 0))
        f->state->dead = true;
}

static void expression(Flow *f, const CcExpr *e)
{
    if (!e)
        return;
    switch (e->kind) {
    case CC_VARIABLE: use(f, e); return;
    case CC_ASSIGN:
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: set(f, e); return;
    case CC_ADDRESS:
        expression(f, e->left); /* its value before the callee changes it */
        if (e->left->kind == CC_VARIABLE)
            g_hash_table_remove(f->state->known, e->left->symbol);
        return;
    case CC_LOGICAL_AND:
        expression(f, e->left);
        branch(f, e->left, (Way){.value = e->right}, (Way){0});
        return;
    case CC_LOGICAL_OR:
        expression(f, e->left);
        branch(f, e->left, (Way){0}, (Way){.value = e->right});
        return;
    case CC_CONDITIONAL:
        expression(f, e->condition);
        branch(f, e->condition, (Way){.value = e->left}, (Way){.value = e->right});
        return;
    default: children(f, e); return;
    }
}

/* -- statements -------------------------------------------------------------------------------- */

static void loop(Flow *f, const CcStmt *s)
{
    list(f, s->init);
    forget_in(f, s->expr);
    forget_in(f, s->step);
    forget_all(f, s->body);
    if (s->kind != CC_DO)
        expression(f, s->expr);
    State *before = f->state;
    int decided = s->kind == CC_DO ? 1 : decide(f, s->expr, 8);
    under(f, before, s->kind == CC_DO ? NULL : s->expr, decided, 1);
    list(f, s->body);
    if (s->kind == CC_DO) /* a continue also leads here, so the body may have been left early */
        forget_all(f, s->body);
    f->state->dead = false;
    expression(f, s->kind == CC_DO ? s->expr : s->step);
    state_free(f->state);
    f->state = before; /* state without the variables that the loop assigns */
}

static void switch_(Flow *f, const CcStmt *s)
{
    const CcStmt *outer = f->in_switch;
    expression(f, s->expr);
    forget_all(f, s->body);
    State *before = f->state;
    under(f, before, s->expr, -1, 1);
    f->in_switch = s->body;
    list(f, s->body);
    f->in_switch = outer;
    state_free(f->state);
    f->state = before;
}

static void declaration(Flow *f, const CcSymbol *symbol)
{
    for (const CcInit *init = symbol->init; init; init = init->next)
        expression(f, init->value);
    if (symbol->init && cc_is_scalar(symbol->type))
        assign(f, symbol, symbol->init->value);
    else
        g_hash_table_remove(f->state->known, symbol);
}

static void statement(Flow *f, const CcStmt *s)
{
    switch (s->kind) {
    case CC_BLOCK: list(f, s->first); return;
    case CC_EXPRESSION: expression(f, s->expr); return;
    case CC_DECLARATION: declaration(f, s->symbol); return;
    case CC_IF:
        expression(f, s->expr);
        branch(f, s->expr, (Way){.first = s->body}, (Way){.first = s->otherwise});
        return;
    case CC_WHILE:
    case CC_DO:
    case CC_FOR: loop(f, s); return;
    case CC_SWITCH: switch_(f, s); return;
    case CC_CASE:
    case CC_DEFAULT:
        f->state->dead = false;
        forget_all(f, f->in_switch);
        list(f, s->body);
        return;
    case CC_RETURN:
        expression(f, s->expr);
        f->state->dead = true;
        return;
    case CC_BREAK:
    case CC_CONTINUE:
    case CC_GOTO: f->state->dead = true; return;
    case CC_LABEL:
    case CC_VLA_SIZE: return;
    }
}

static void list(Flow *f, const CcStmt *s)
{
    for (; s; s = s->next)
        statement(f, s);
}

void cc_mpi_follow(CcMpiUnit *mpi, const CcMpiBody *body)
{
    if (body->jumps || body->symbol->body->calls_setjmp || body->n_calls == 0)
        return;
    Flow f = {mpi, state_new(), NULL};
    list(&f, body->symbol->body->body);
    state_free(f.state);
}
