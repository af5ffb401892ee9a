/* uninitialised.c - warns of uses of automatic variables that have no value yet.
 *
 * One walk in the order of execution carries three sets of variables:
 *   must   stored into on every path to this point
 *   may    stored into on some path
 *   sure   in `may` but not in `must`: some outcome of a branch, once taken, leads to this point without a store
 * A use of a variable outside of `may` is certainly wrong (-Wuninitialized). A use in `sure` is wrong whenever that
 * branch is taken (-Wsometimes-uninitialized, as in clang). Any other use outside of `must` is perhaps wrong
 * (-Wmaybe-uninitialized, off by default). Within the arms of a branch `sure` is empty, because the condition may be
 * related to an earlier one. Behind the join it is restored.
 *
 * Taking an address counts as a store. A loop uses the set of the variables that are stored into anywhere in it, so
 * that each statement is walked only once. A label that is the target of a backward jump counts as a store to every
 * variable. Functions with computed gotos or setjmp() are not checked.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { MOST_VARIABLES = 4096 };

typedef struct State {
    uint64_t *must, *may, *sure; /* bit sets over the variables, in one allocation that `must` points to */
    bool dead;                   /* control does not reach this point */
} State;

typedef struct Target { /* an enclosing loop or switch: the target of break and continue */
    struct Target *outer;
    State broken, continued; /* joined states of all breaks and continues so far */
    bool loop;
    const State *entry; /* switch: the state at its cases */
    const CcStmt *statement;
} Target;

typedef struct Jump {      /* a label */
    State state;           /* joined states of all gotos to it so far */
    bool backward, passed; /* a goto behind the label jumps to it; the walk has passed the label */
} Jump;

/* The outcome of a branch that skips a store, for a note. */
typedef enum Side {
    SIDE_TRUE,
    SIDE_FALSE,
    SIDE_NO_ITERATION,
    SIDE_FIRST_PASS,
    SIDE_NO_CASE,
    SIDE_CASE,
    SIDE_JUMP
} Side;

typedef struct Flow {
    CcUnit *unit;
    GHashTable *indices; /* CcSymbol -> its index in `symbols`, plus 1 */
    GPtrArray *symbols;  /* CcSymbol *: the automatic variables; the index is the bit in the sets */
    GHashTable *stores;  /* CcStmt of a loop -> uint64_t *: set of the variables stored into within it */
    GHashTable *jumps;   /* CcLabel -> Jump */
    size_t words;        /* of 64 bits in each set */
    State now;           /* at the current point of the walk */
    Target *target;      /* the innermost loop or switch */
    struct {             /* the branch that skips the store, for a note */
        CcLoc loc;
        Side side;
        const char *what;
        bool reported;
    } * witness;     /* one for each variable */
    bool impossible; /* the function cannot be checked */
} Flow;

static bool has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}
static void put(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}
static void drop(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* -- states ------------------------------------------------------------------------------------ */

static State state_new(const Flow *f)
{
    uint64_t *sets = g_new0(uint64_t, 3 * f->words);
    return (State){sets, sets + f->words, sets + 2 * f->words, false};
}

static State state_copy(const Flow *f, const State *from)
{
    State state = state_new(f);
    memcpy(state.must, from->must, 3 * f->words * sizeof(uint64_t));
    state.dead = from->dead;
    return state;
}

static State state_dead(const Flow *f)
{
    State state = state_new(f);
    state.dead = true;
    return state;
}

static void state_free(State *state)
{
    g_free(state->must);
    state->must = NULL;
}

static void state_move(State *to, State *from)
{
    state_free(to);
    *to = *from;
    from->must = NULL;
}

static void forget_sure(const Flow *f, State *state)
{
    memset(state->sure, 0, f->words * sizeof(uint64_t));
}

static void blame(Flow *f, size_t i, CcLoc loc, Side side, const char *what)
{
    f->witness[i].loc = loc;
    f->witness[i].side = side;
    f->witness[i].what = what;
}

/* Joins `from` into `into` and frees `from`. A variable that is in `may` of only one of the two becomes sure. The
 * witness is the branch outcome that leads to the other one: a_side for `into`, b_side for `from`. `before` is the
 * state at the branch if the two are its arms, or NULL. */
static void join(Flow *f, State *into, State *from, const State *before, CcLoc loc, Side a_side, Side b_side,
                 const char *what)
{
    if (into->dead || from->dead) {
        if (into->dead)
            state_move(into, from);
        state_free(from);
        return;
    }
    for (size_t w = 0; w < f->words; w++) {
        uint64_t must = into->must[w] & from->must[w], may = into->may[w] | from->may[w];
        uint64_t a_lacks = may & ~into->may[w], b_lacks = may & ~from->may[w], sure = a_lacks | b_lacks;
        for (uint64_t bits = sure; bits; bits &= bits - 1) {
            size_t i = w * 64 + (size_t)__builtin_ctzll(bits);
            bool first = a_lacks >> (i % 64) & 1;
            blame(f, i, loc, first ? a_side : b_side, what);
        }
        uint64_t both = may & ~must & ~sure, kept = both & into->sure[w] & from->sure[w];
        if (before) /* variables that no arm stored into on all paths keep their state from before the branch */
            kept |= both & before->sure[w] & ~(into->must[w] | from->must[w]);
        into->sure[w] = sure | kept;
        into->must[w] = must;
        into->may[w] = may;
    }
    state_free(from);
}

static void die(Flow *f)
{
    f->now.dead = true;
}

/* -- variables --------------------------------------------------------------------------------- */

static bool is_candidate(const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_VARIABLE && (symbol->storage == CC_AUTO || symbol->storage == CC_REGISTER) &&
           !symbol->parameter && !symbol->initialised && !(symbol->type->qualifiers & CC_VOLATILE) && symbol->name &&
           !strchr(symbol->name, '.') && symbol->loc.line && symbol->type->size > 0;
}

static size_t index_of(const Flow *f, const CcSymbol *symbol)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(f->indices, symbol)) - 1; /* SIZE_MAX: none */
}

static const char *describe(Side side)
{
    static const char *const texts[] = {[SIDE_TRUE] = "condition is true",
                                        [SIDE_FALSE] = "condition is false",
                                        [SIDE_NO_ITERATION] = "loop is not entered",
                                        [SIDE_FIRST_PASS] = "loop is entered",
                                        [SIDE_NO_CASE] = "matches no case",
                                        [SIDE_CASE] = "takes a case that does not set it",
                                        [SIDE_JUMP] = "is taken"};
    return texts[side];
}

static void declared_here(Flow *f, const CcSymbol *symbol)
{
    cc_report(f->unit, CC_NOTE, symbol->loc, NULL, "'%s' was declared here", symbol->name);
}

static void report_use(Flow *f, size_t i, CcLoc loc)
{
    const CcSymbol *symbol = g_ptr_array_index(f->symbols, i);
    bool whole = cc_is_scalar(symbol->type), certain = !has(f->now.may, i), sure = has(f->now.sure, i);
    bool first_pass = f->witness[i].side == SIDE_FIRST_PASS;
    if (f->now.dead || has(f->now.must, i) || f->witness[i].reported || (!certain && !whole && !(sure && first_pass)))
        return;
    f->witness[i].reported = true;
    if (certain)
        cc_report(f->unit, CC_WARNING, loc, "-Wuninitialized", "'%s' is used uninitialized", symbol->name);
    else if (sure && first_pass)
        cc_report(f->unit, CC_WARNING, loc, "-Wuninitialized",
                  "'%s' is used uninitialized when the loop is entered first", symbol->name);
    else if (sure) {
        cc_report(f->unit, CC_WARNING, loc, "-Wsometimes-uninitialized",
                  "variable '%s' is used uninitialized whenever '%s' %s", symbol->name, f->witness[i].what,
                  describe(f->witness[i].side));
        cc_report(f->unit, CC_NOTE, f->witness[i].loc, NULL, "this '%s'", f->witness[i].what);
    } else {
        f->witness[i].reported = false;
        cc_report(f->unit, CC_WARNING, loc, "-Wmaybe-uninitialized", "'%s' may be used uninitialized", symbol->name);
    }
    declared_here(f, symbol);
}

typedef enum Mode { READ, WRITE, ADDRESS } Mode;

static void touch(Flow *f, const CcExpr *variable, Mode mode)
{
    size_t i = index_of(f, variable->symbol);
    if (i == SIZE_MAX)
        return;
    if (mode == READ) {
        report_use(f, i, variable->loc);
        return;
    }
    put(f->now.must, i);
    put(f->now.may, i);
}

/* -- expressions ------------------------------------------------------------------------------- */

static void flow_expression(Flow *f, const CcExpr *e);
static void flow_statements(Flow *f, const CcStmt *s);
static void flow_condition(Flow *f, const CcExpr *e, State *yes, State *no);

static void flow_initialiser(Flow *f, const CcInit *init)
{
    for (; init; init = init->next)
        flow_expression(f, init->value);
}

/* Handles a read, a store or an address of the object that `e` names. A member or element counts as the whole object.
 */
static void flow_place(Flow *f, const CcExpr *e, Mode mode)
{
    switch (e->kind) {
    case CC_VARIABLE: touch(f, e, mode); break;
    case CC_MEMBER:
    case CC_REAL_PART:
    case CC_IMAGINARY_PART: flow_place(f, e->left, mode); break;
    case CC_DEREFERENCE: {
        const CcExpr *pointer = e->left;
        bool element = (pointer->kind == CC_ADD || pointer->kind == CC_SUBTRACT) && pointer->left->kind == CC_DECAY;
        if (element)
            flow_expression(f, pointer->right);
        if (element || pointer->kind == CC_DECAY)
            flow_place(f, element ? pointer->left->left : pointer->left, mode);
        else
            flow_expression(f, pointer);
        break;
    }
    default: flow_expression(f, e);
    }
}

static bool never_returns(const CcExpr *call)
{
    const CcSymbol *function = cc_tree_callee(call);
    return function && (function->noreturn_ || strcmp(function->name, "MPI_Abort") == 0);
}

static void flow_call(Flow *f, const CcExpr *e)
{
    if (e->kind == CC_CALL)
        flow_expression(f, e->left);
    for (uint32_t i = 0; i < e->n_arguments; i++)
        flow_expression(f, e->arguments[i]);
    if (e->kind == CC_CALL ? never_returns(e) : e->builtin == CC_BUILTIN_TRAP || e->builtin == CC_BUILTIN_UNREACHABLE)
        die(f);
}

/* Walks ?: or a logical operator whose value is used. */
static void flow_choice(Flow *f, const CcExpr *e)
{
    State before = state_copy(f, &f->now), yes, no;
    flow_condition(f, e->kind == CC_CONDITIONAL ? e->condition : e, &yes, &no);
    if (e->kind == CC_CONDITIONAL) {
        bool both = !yes.dead && !no.dead;
        state_move(&f->now, &yes);
        if (both)
            forget_sure(f, &f->now);
        flow_expression(f, e->left);
        state_move(&yes, &f->now);
        f->now = no;
        if (both)
            forget_sure(f, &f->now);
        flow_expression(f, e->right);
        no = f->now;
        f->now = state_dead(f);
    }
    state_move(&f->now, &yes);
    join(f, &f->now, &no, &before, e->loc, SIDE_TRUE, SIDE_FALSE,
         e->kind == CC_CONDITIONAL   ? "?:"
         : e->kind == CC_LOGICAL_AND ? "&&"
         : e->kind == CC_LOGICAL_OR  ? "||"
                                     : "!");
    state_free(&before);
}

static void flow_expression(Flow *f, const CcExpr *e)
{
    if (!e)
        return;
    switch (e->kind) {
    case CC_NUMBER:
    case CC_STRING:
    case CC_ADDRESS_CONSTANT:
    case CC_LABEL_ADDRESS:
    case CC_SIZEOF_VARIABLE: return;
    case CC_VARIABLE:
        if (e->lvalue)
            touch(f, e, READ);
        return;
    case CC_DECAY:
    case CC_ADDRESS: flow_place(f, e->left, ADDRESS); return;
    case CC_DEREFERENCE:
    case CC_MEMBER:
    case CC_REAL_PART:
    case CC_IMAGINARY_PART: flow_place(f, e, READ); return;
    case CC_CAST:
        if (e->type->kind != CC_VOID || e->left->kind != CC_VARIABLE) /* (void)x only silences warnings */
            flow_expression(f, e->left);
        return;
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
    case CC_CONDITIONAL: flow_choice(f, e); return;
    case CC_ASSIGN:
        flow_expression(f, e->right);
        flow_place(f, e->left, WRITE);
        return;
    case CC_ASSIGN_OP:
        flow_expression(f, e->right);
        flow_place(f, e->left, READ);
        flow_place(f, e->left, WRITE);
        return;
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT:
        flow_place(f, e->left, READ);
        flow_place(f, e->left, WRITE);
        return;
    case CC_CALL:
    case CC_BUILTIN: flow_call(f, e); return;
    case CC_COMPOUND: flow_initialiser(f, e->symbol->init); return;
    case CC_STATEMENT_EXPR: flow_statements(f, e->statement); return;
    case CC_VA_START:
    case CC_VA_ARG:
    case CC_VA_END: flow_place(f, e->left, ADDRESS); return;
    case CC_VA_COPY:
        flow_expression(f, e->right);
        flow_place(f, e->left, ADDRESS);
        return;
    default: flow_expression(f, e->left); flow_expression(f, e->right);
    }
}

/* Walks a condition. Sets *yes and *no to the states behind it when it is true and false. f->now is consumed. */
static void flow_condition(Flow *f, const CcExpr *e, State *yes, State *no)
{
    if (e->kind == CC_NOT) {
        flow_condition(f, e->left, no, yes);
        return;
    }
    if (e->kind == CC_CAST && cc_is_integer(e->type) && cc_is_integer(e->left->type)) {
        flow_condition(f, e->left, yes, no);
        return;
    }
    if (e->kind == CC_LOGICAL_AND || e->kind == CC_LOGICAL_OR) {
        bool is_and = e->kind == CC_LOGICAL_AND;
        State before = state_copy(f, &f->now), short_yes, short_no, *shortcut = is_and ? &short_no : &short_yes;
        flow_condition(f, e->left, &short_yes, &short_no);
        bool both = !short_yes.dead && !short_no.dead;
        state_move(&f->now, is_and ? &short_yes : &short_no);
        if (both)
            forget_sure(f, &f->now);
        flow_condition(f, e->right, yes, no);
        join(f, is_and ? no : yes, shortcut, &before, e->loc, is_and ? SIDE_FALSE : SIDE_TRUE,
             is_and ? SIDE_FALSE : SIDE_TRUE, is_and ? "&&" : "||");
        state_free(&before);
        return;
    }
    flow_expression(f, e);
    *yes = state_copy(f, &f->now);
    *no = f->now;
    f->now = state_dead(f);
    int64_t value;
    if (cc_is_integer(e->type) && cc_tree_integer_constant(e, &value))
        (value ? no : yes)->dead = true;
}

/* -- statements -------------------------------------------------------------------------------- */

static void flow_if(Flow *f, const CcStmt *s)
{
    State before = state_copy(f, &f->now), yes, no;
    flow_condition(f, s->expr, &yes, &no);
    bool both = !yes.dead && !no.dead;
    state_move(&f->now, &yes);
    if (both)
        forget_sure(f, &f->now);
    flow_statements(f, s->body);
    State taken = f->now;
    f->now = no;
    if (both)
        forget_sure(f, &f->now);
    flow_statements(f, s->otherwise);
    join(f, &taken, &f->now, &before, s->expr->loc, SIDE_TRUE, SIDE_FALSE, "if");
    f->now = taken;
    state_free(&before);
}

/* Whether the first test of a for loop is certainly true, as in for (i = 0; i < 10; ...). */
static bool first_test_is_true(const CcStmt *s)
{
    const CcExpr *test = s->expr, *init = s->init ? s->init->expr : NULL;
    const CcSymbol *symbol = NULL;
    int64_t start, limit;
    if (s->kind != CC_FOR || !test || !s->init || test->kind < CC_EQUAL || test->kind > CC_GREATER_EQUAL)
        return false;
    const CcExpr *variable = cc_tree_without_casts(test->left), *value = NULL;
    if (s->init->kind == CC_DECLARATION && s->init->symbol && s->init->symbol->init) {
        symbol = s->init->symbol;
        value = symbol->init->value;
    } else if (init && init->kind == CC_ASSIGN && init->left->kind == CC_VARIABLE) {
        symbol = init->left->symbol;
        value = init->right;
    }
    if (!symbol || variable->kind != CC_VARIABLE || variable->symbol != symbol ||
        !cc_tree_integer_constant(cc_tree_without_casts(value), &start) ||
        !cc_tree_integer_constant(test->right, &limit))
        return false;
    switch (test->kind) {
    case CC_LESS: return start < limit;
    case CC_LESS_EQUAL: return start <= limit;
    case CC_GREATER: return start > limit;
    case CC_GREATER_EQUAL: return start >= limit;
    case CC_NOT_EQUAL: return start != limit;
    default: return false;
    }
}

/* Enters the body of a loop. The variables that the loop stores into may have a value there, but not in the first
 * iteration. */
static void enter_body(Flow *f, const CcStmt *s, bool certain)
{
    const uint64_t *stores = g_hash_table_lookup(f->stores, s);
    if (!certain)
        forget_sure(f, &f->now);
    for (size_t i = 0; stores && i < f->symbols->len; i++) {
        if (!has(stores, i) || has(f->now.may, i))
            continue;
        put(f->now.may, i);
        put(f->now.sure, i);
        blame(f, i, s->loc, SIDE_FIRST_PASS, "loop");
    }
}

static void flow_body(Flow *f, const CcStmt *s, Target *target)
{
    target->outer = f->target;
    target->loop = true;
    target->statement = s;
    target->broken = state_dead(f);
    target->continued = state_dead(f);
    f->target = target;
    flow_statements(f, s->body);
    f->target = target->outer;
    join(f, &f->now, &target->continued, NULL, s->loc, SIDE_CASE, SIDE_CASE, "continue");
}

static void flow_loop(Flow *f, const CcStmt *s)
{
    static const char *const names[] = {[CC_WHILE] = "while", [CC_FOR] = "for"};
    Target target = {0};
    flow_statements(f, s->init);
    State before = state_copy(f, &f->now), yes, no;
    if (s->expr)
        flow_condition(f, s->expr, &yes, &no);
    else {
        yes = state_copy(f, &f->now);
        no = state_dead(f);
    }
    no.dead |= first_test_is_true(s);
    bool endless = no.dead && !first_test_is_true(s);
    state_move(&f->now, &yes);
    enter_body(f, s, no.dead);
    flow_body(f, s, &target);
    flow_expression(f, s->step);
    for (size_t w = 0; w < f->words && !f->now.dead && !no.dead; w++) { /* the test has made its stores */
        f->now.must[w] |= no.must[w];
        f->now.may[w] |= no.may[w];
    }
    f->now.dead |= endless;
    join(f, &no, &f->now, &before, s->loc, SIDE_NO_ITERATION, SIDE_CASE, names[s->kind]);
    f->now = no;
    join(f, &f->now, &target.broken, &before, s->loc, SIDE_NO_ITERATION, SIDE_CASE, names[s->kind]);
    state_free(&before);
}

static void flow_do(Flow *f, const CcStmt *s)
{
    Target target = {0};
    State yes, no;
    enter_body(f, s, true);
    flow_body(f, s, &target);
    flow_condition(f, s->expr, &yes, &no);
    state_free(&yes);
    state_move(&f->now, &no);
    join(f, &f->now, &target.broken, NULL, s->loc, SIDE_CASE, SIDE_CASE, "do");
}

static bool covers_enum(const CcStmt *s)
{
    const CcType *type = cc_tree_without_casts(s->expr)->type;
    if (type->kind != CC_ENUM)
        return false;
    for (uint32_t i = 0; i < type->tag->n_enumerators; i++) {
        bool found = false;
        for (const CcStmt *c = s->cases; c && !found; c = c->next_case)
            found = c->low <= type->tag->enumerators[i]->value && type->tag->enumerators[i]->value <= c->high;
        if (!found)
            return false;
    }
    return true;
}

static void flow_switch(Flow *f, const CcStmt *s)
{
    flow_expression(f, s->expr);
    State entry = state_copy(f, &f->now);
    Target target = {f->target, state_dead(f), state_dead(f), false, &entry, s};
    forget_sure(f, &entry);
    die(f);
    f->target = &target;
    flow_statements(f, s->body);
    f->target = target.outer;
    join(f, &f->now, &target.broken, NULL, s->loc, SIDE_CASE, SIDE_CASE, "switch");
    if (s->default_case || covers_enum(s))
        entry.dead = true;
    join(f, &f->now, &entry, NULL, s->loc, SIDE_CASE, SIDE_NO_CASE, "switch");
    state_free(&target.continued);
}

static Target *target_of(const Flow *f, bool loop)
{
    Target *target = f->target;
    while (target && loop && !target->loop)
        target = target->outer;
    return target;
}

static void flow_jump(Flow *f, const CcStmt *s)
{
    Target *target = s->kind == CC_GOTO ? NULL : target_of(f, s->kind == CC_CONTINUE);
    Jump *jump = s->kind == CC_GOTO ? g_hash_table_lookup(f->jumps, s->label) : NULL;
    State leaving = state_copy(f, &f->now);
    State *there = jump && !jump->passed ? &jump->state
                   : target              ? (s->kind == CC_BREAK ? &target->broken : &target->continued)
                                         : NULL;
    if (there)
        join(f, there, &leaving, NULL, s->loc, SIDE_JUMP, SIDE_JUMP,
             s->kind == CC_GOTO ? "goto"
             : target->loop     ? "break"
                                : "switch");
    else
        state_free(&leaving);
    die(f);
}

static void flow_label(Flow *f, const CcStmt *s)
{
    Jump *jump = g_hash_table_lookup(f->jumps, s->label);
    if (!jump)
        return;
    if (jump->backward) { /* the state is not known: count every variable as set, so that nothing is reported */
        memset(f->now.must, 0xff, 2 * f->words * sizeof(uint64_t));
        f->now.dead = false;
    }
    jump->passed = true;
    join(f, &f->now, &jump->state, NULL, s->loc, SIDE_CASE, SIDE_JUMP, "goto");
}

static void flow_case(Flow *f, const CcStmt *s)
{
    Target *target = f->target;
    while (target && !target->entry)
        target = target->outer;
    if (!target)
        return;
    State entry = state_copy(f, target->entry);
    join(f, &f->now, &entry, NULL, s->loc, SIDE_CASE, SIDE_CASE, "switch");
}

static void flow_declaration(Flow *f, const CcSymbol *symbol)
{
    size_t i = index_of(f, symbol);
    flow_initialiser(f, symbol->init);
    if (i == SIZE_MAX)
        return;
    drop(f->now.must, i);
    drop(f->now.may, i);
    drop(f->now.sure, i);
}

static void flow_statement(Flow *f, const CcStmt *s)
{
    switch (s->kind) {
    case CC_BLOCK: flow_statements(f, s->first); break;
    case CC_EXPRESSION: flow_expression(f, s->expr); break;
    case CC_DECLARATION: flow_declaration(f, s->symbol); break;
    case CC_VLA_SIZE: break;
    case CC_IF: flow_if(f, s); break;
    case CC_WHILE:
    case CC_FOR: flow_loop(f, s); break;
    case CC_DO: flow_do(f, s); break;
    case CC_SWITCH: flow_switch(f, s); break;
    case CC_CASE:
    case CC_DEFAULT:
        flow_case(f, s);
        flow_statements(f, s->body);
        break;
    case CC_LABEL:
        flow_label(f, s);
        flow_statements(f, s->body);
        break;
    case CC_GOTO:
    case CC_BREAK:
    case CC_CONTINUE: flow_jump(f, s); break;
    case CC_RETURN:
        flow_expression(f, s->expr);
        die(f);
        break;
    }
}

static void flow_statements(Flow *f, const CcStmt *s)
{
    for (; s; s = s->next)
        flow_statement(f, s);
}

/* -- before the walk: variables, labels, and what loops store into ----------------------------- */

static void collect_statement(const CcStmt *s, void *user)
{
    Flow *f = user;
    if (s->kind == CC_DECLARATION && s->symbol && is_candidate(s->symbol) && f->symbols->len < MOST_VARIABLES) {
        g_ptr_array_add(f->symbols, s->symbol);
        g_hash_table_insert(f->indices, s->symbol, GSIZE_TO_POINTER(f->symbols->len));
    }
    if (s->kind == CC_GOTO && s->expr)
        f->impossible = true;
    if ((s->kind == CC_GOTO || s->kind == CC_LABEL) && s->label) {
        Jump *jump = g_hash_table_lookup(f->jumps, s->label);
        if (!jump) {
            jump = g_new0(Jump, 1);
            g_hash_table_insert(f->jumps, s->label, jump);
        }
        jump->backward |= s->kind == CC_GOTO && jump->passed;
        jump->passed |= s->kind == CC_LABEL;
    }
}

static const CcSymbol *root_variable(const CcExpr *e)
{
    for (;;) {
        if (e->kind == CC_VARIABLE)
            return e->symbol;
        if (e->kind == CC_DEREFERENCE && e->left->kind == CC_ADD)
            e = e->left->left;
        else if (e->kind == CC_MEMBER || e->kind == CC_REAL_PART || e->kind == CC_IMAGINARY_PART ||
                 e->kind == CC_DEREFERENCE || e->kind == CC_DECAY)
            e = e->left;
        else
            return NULL;
    }
}

typedef struct Stores {
    Flow *flow;
    uint64_t *set;
} Stores;

static bool collect_store(const CcExpr *e, void *user)
{
    Stores *stores = user;
    bool store = e->kind == CC_ASSIGN || e->kind == CC_ASSIGN_OP || e->kind == CC_ADDRESS || e->kind == CC_DECAY ||
                 (e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT) ||
                 (e->kind >= CC_VA_START && e->kind <= CC_VA_END);
    const CcSymbol *symbol = store && e->left ? root_variable(e->left) : NULL;
    size_t i = symbol ? index_of(stores->flow, symbol) : SIZE_MAX;
    if (i != SIZE_MAX)
        put(stores->set, i);
    return true;
}

/* Fills f->stores for the loops in a list of statements. Adds the stores of the whole list to `all`. */
static void collect_stores(Flow *f, const CcStmt *s, uint64_t *all)
{
    for (; s; s = s->next) {
        bool loop = s->kind == CC_WHILE || s->kind == CC_FOR || s->kind == CC_DO;
        Stores stores = {f, loop ? g_new0(uint64_t, f->words) : all};
        CcVisitor visitor = {NULL, collect_store};
        if (s->kind == CC_DECLARATION && s->symbol)
            for (const CcInit *init = s->symbol->init; init; init = init->next)
                cc_walk_expression(init->value, &visitor, &stores);
        cc_walk_expression(s->expr, &visitor, &stores);
        cc_walk_expression(s->step, &visitor, &stores);
        collect_stores(f, s->init, all);
        collect_stores(f, s->first, stores.set);
        collect_stores(f, s->body, stores.set);
        collect_stores(f, s->otherwise, stores.set);
        if (!loop)
            continue;
        for (size_t w = 0; w < f->words; w++)
            all[w] |= stores.set[w];
        g_hash_table_insert(f->stores, (gpointer)s, stores.set);
    }
}

static void free_jump(gpointer data)
{
    Jump *jump = data;
    state_free(&jump->state);
    g_free(jump);
}

static void prepare_jumps(Flow *f)
{
    GHashTableIter iterator;
    gpointer value;
    g_hash_table_iter_init(&iterator, f->jumps);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        Jump *jump = value;
        jump->state = state_dead(f);
        jump->passed = false;
    }
}

void cc_check_uninitialised(CcUnit *unit, CcSymbol *symbol)
{
    Flow flow = {.unit = unit,
                 .indices = g_hash_table_new(NULL, NULL),
                 .symbols = g_ptr_array_new(),
                 .stores = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                 .jumps = g_hash_table_new_full(NULL, NULL, NULL, free_jump)};
    CcVisitor visitor = {collect_statement, NULL};
    if (!symbol->body->calls_setjmp)
        cc_walk_statements(symbol->body->body, &visitor, &flow);
    if (flow.symbols->len && !flow.impossible) {
        flow.words = (flow.symbols->len + 63) / 64;
        flow.witness = g_malloc0_n(flow.words * 64, sizeof *flow.witness); /* sets have bits behind the last one */
        flow.now = state_new(&flow);
        prepare_jumps(&flow);
        uint64_t *all = g_new0(uint64_t, flow.words);
        collect_stores(&flow, symbol->body->body, all);
        flow_statements(&flow, symbol->body->body);
        g_free(all);
        state_free(&flow.now);
        g_free(flow.witness);
    }
    g_hash_table_destroy(flow.jumps);
    g_hash_table_destroy(flow.stores);
    g_hash_table_destroy(flow.indices);
    g_ptr_array_free(flow.symbols, TRUE);
}
