/* loop.c - loops whose iterations are numbered, and shared by the team.
 *
 *      for (i = a; i < b; i += s) body     ---->    n = a < b ? (b - a - 1) / s + 1 : 0;
 *                                                   __omp_loop_begin(&loop, n, schedule, chunk, flags);
 *                                                   while (__omp_loop_next(&loop))
 *                                                       for (k = loop.from; k < loop.to; k++) {
 *                                                           i = a + k * s;
 *                                                           body
 *                                                       }
 *                                                   __omp_loop_end(&loop, nowait);
 *
 * k and n are unsigned longs, and the arithmetic is that of unsigned longs whatever the type of i: it cannot overflow.
 * Collapsed loops share one k. Its parts, one number for each loop, are divided out of the first k of a chunk and then
 * count like the digits of an odometer.
 */
#include "compiler/arena/arena.h"
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- heads of loops ---------------------------------------------------------------------------- */

static unsigned constant_of(CcParser *p, const CcOmpClause *clause)
{
    int64_t value;
    if (!clause || !clause->expr || cc_is_error(p, clause->expr))
        return 0;
    if (cc_tree_integer_constant(clause->expr, &value) && value >= 1 && value <= CC_OMP_MOST_LOOPS)
        return (unsigned)value;
    cc_front_error(p, clause->expr->loc, "clause '%s' needs a constant from 1 to %d", clause->kind->name,
                   CC_OMP_MOST_LOOPS);
    return 0;
}

void cc_omp_loops_expected(CcParser *p, CcOmpConstruct *c)
{
    const CcOmpClause *ordered = cc_omp_clause(c, CC_OMP_ORDERED);
    c->collapse = MAX(constant_of(p, cc_omp_clause(c, CC_OMP_COLLAPSE)), 1u);
    c->ordered = constant_of(p, ordered);
    if (c->ordered && c->ordered < c->collapse) {
        cc_front_error(p, ordered->loc, "ordered(%u) counts fewer loops than collapse(%u)", c->ordered, c->collapse);
        c->ordered = c->collapse;
    }
    c->n_loops = c->loops_left = MAX(c->collapse, c->ordered);
    c->loops = cc_arena_alloc(p->arena, c->n_loops * sizeof *c->loops);
    for (unsigned i = 0; c->ordered && i < c->n_loops; i++) {
        c->loops[i].across.start = cc_omp_hidden(p, &c->head, "start", p->basic[CC_ULONG], c->loc);
        c->loops[i].across.step = cc_omp_hidden(p, &c->head, "step", p->basic[CC_LONG], c->loc);
        c->loops[i].across.count = cc_omp_hidden(p, &c->head, "count", p->basic[CC_ULONG], c->loc);
        c->loops[i].across.number = cc_omp_hidden(p, &c->head, "number", p->basic[CC_ULONG], c->loc);
    }
}

const char *cc_omp_loop_head(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcOmpConstruct *c = p->omp;
    if (!c || c->loops_left == 0)
        return NULL;
    CcOmpLoop *loop = &c->loops[c->n_loops - c->loops_left--];
    loop->ident = ident;
    loop->loc = loc;
    if (cc_omp_has(c, CC_OMP_PART_TASKLOOP))
        c->region->before = true;
    if (ident)
        loop->symbol = cc_omp_loop_variable(p, c, ident, cc_omp_has(c, CC_OMP_PART_SIMD), loc);
    return c->kind->name;
}

void cc_omp_loop_body(CcParser *p)
{
    if (p->omp->region)
        p->omp->region->before = false;
}

static const CcExpr *bare(const CcExpr *e)
{
    return e ? cc_tree_without_casts(e) : NULL;
}

static bool is_variable(const CcExpr *e, const CcSymbol *symbol)
{
    e = bare(e);
    return e && e->kind == CC_VARIABLE && e->symbol == symbol;
}

static bool wrong(CcParser *p, const CcOmpConstruct *c, CcLoc loc, const char *what)
{
    cc_front_error(p, loc, "the loop of '#pragma omp %s' %s", c->kind->name, what);
    return false;
}

static bool read_start(CcParser *p, const CcOmpConstruct *c, CcOmpLoop *loop, const CcStmt *s)
{
    const CcStmt *init = s->init;
    static const char text[] = "must begin with 'variable = value' or 'type variable = value'";
    if (!init)
        return wrong(p, c, s->loc, text);
    if (init->kind == CC_DECLARATION) {
        CcSymbol *symbol = init->symbol;
        if (!symbol->init || symbol->init->next)
            return wrong(p, c, init->loc, text);
        loop->symbol = symbol;
        loop->declared = true;
        loop->first = symbol->init->value;
        symbol->init = NULL;
        symbol->initialised = false;
        return true;
    }
    if (init->kind != CC_EXPRESSION || !init->expr || init->expr->kind != CC_ASSIGN || !loop->ident)
        return wrong(p, c, init->loc, text);
    loop->first = init->expr->right;
    return true;
}

static CcExprKind mirrored(CcExprKind kind)
{
    switch (kind) {
    case CC_LESS: return CC_GREATER;
    case CC_LESS_EQUAL: return CC_GREATER_EQUAL;
    case CC_GREATER: return CC_LESS;
    case CC_GREATER_EQUAL: return CC_LESS_EQUAL;
    default: return kind;
    }
}

static bool read_bound(CcParser *p, const CcOmpConstruct *c, CcOmpLoop *loop, const CcStmt *s)
{
    const CcExpr *test = s->expr;
    while (test && test->kind == CC_CAST)
        test = test->left;
    if (!test || test->kind < CC_NOT_EQUAL || test->kind > CC_GREATER_EQUAL ||
        (!is_variable(test->left, loop->symbol) && !is_variable(test->right, loop->symbol)))
        return wrong(p, c, test ? test->loc : s->loc, "must compare its variable with a bound, by <, <=, > or >=");
    bool left = is_variable(test->left, loop->symbol);
    loop->bound = left ? test->right : test->left;
    loop->relation = left ? test->kind : mirrored(test->kind);
    if (cc_is_real(loop->bound->type))
        return wrong(p, c, loop->bound->loc, "has a floating number as its bound; it must be an integer");
    return true;
}

static bool read_step(CcParser *p, const CcOmpConstruct *c, CcOmpLoop *loop, const CcStmt *s)
{
    static const char text[] = "must end with a step of its variable: i++, i--, i += n, i -= n, i = i + n or i = i - n";
    const CcExpr *step = bare(s->step);
    if (!step)
        return wrong(p, c, s->loc, text);
    CcExpr *one = cc_sema_integer(p, p->basic[CC_LONG], 1, step->loc);
    const CcExpr *sum = step->kind == CC_ASSIGN ? bare(step->right) : NULL;
    switch (step->kind) {
    case CC_PRE_DECREMENT:
    case CC_POST_DECREMENT: loop->subtracts = true; G_GNUC_FALLTHROUGH;
    case CC_PRE_INCREMENT:
    case CC_POST_INCREMENT: loop->step_expr = one; break;
    case CC_ASSIGN_OP:
        if (step->op != CC_ADD && step->op != CC_SUBTRACT)
            return wrong(p, c, step->loc, text);
        loop->subtracts = step->op == CC_SUBTRACT;
        loop->step_expr = step->right;
        break;
    case CC_ASSIGN:
        if (sum->kind != CC_ADD && sum->kind != CC_SUBTRACT)
            return wrong(p, c, step->loc, text);
        loop->subtracts = sum->kind == CC_SUBTRACT;
        if (is_variable(sum->left, loop->symbol))
            loop->step_expr = sum->right;
        else if (is_variable(sum->right, loop->symbol) && !loop->subtracts)
            loop->step_expr = sum->left;
        else
            return wrong(p, c, step->loc, text);
        break;
    default: return wrong(p, c, step->loc, text);
    }
    if (!is_variable(step->left, loop->symbol))
        return wrong(p, c, step->loc, text);
    return true;
}

static bool mentions(const CcExpr *e, const CcSymbol *symbol)
{
    if (!e)
        return false;
    if (e->kind == CC_VARIABLE && e->symbol == symbol)
        return true;
    for (uint32_t i = 0; i < e->n_arguments; i++)
        if (mentions(e->arguments[i], symbol))
            return true;
    return mentions(e->left, symbol) || mentions(e->right, symbol) || mentions(e->condition, symbol);
}

/* All bounds are computed before the loops begin. */
static bool is_independent(CcParser *p, const CcOmpConstruct *c, const CcOmpLoop *loop, unsigned n)
{
    for (unsigned i = 0; i <= n; i++) {
        const CcSymbol *symbol = c->loops[i].symbol;
        const CcExpr *parts[] = {loop->first, loop->bound, loop->step_expr};
        for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
            if (mentions(parts[k], symbol)) {
                g_autofree char *what = g_strdup_printf(
                    "has a start, bound or step that depends on '%s', which changes in it", symbol->name);
                return wrong(p, c, parts[k]->loc, what);
            }
    }
    return true;
}

/* With !=, the variable must meet the bound. */
static bool fits_relation(CcParser *p, const CcOmpConstruct *c, const CcOmpLoop *loop)
{
    int64_t step;
    return loop->relation != CC_NOT_EQUAL ||
           (cc_tree_integer_constant(loop->step_expr, &step) && (step == 1 || step == -1)) ||
           wrong(p, c, loop->step_expr->loc, "compares with !=, so that its step must be 1 or -1");
}

static CcStmt *only_statement(CcStmt *s)
{
    while (s && s->kind == CC_BLOCK && s->first && !s->first->next)
        s = s->first;
    return s;
}

static bool read_loop(CcParser *p, CcOmpConstruct *c, unsigned n, CcStmt *s)
{
    CcOmpLoop *loop = &c->loops[n];
    loop->loc = s->loc;
    if (!read_start(p, c, loop, s) || !loop->symbol || loop->symbol->type == p->error_type)
        return false;
    if (!cc_is_integer(loop->symbol->type) && loop->symbol->type->kind != CC_POINTER) {
        g_autofree char *name = cc_type_name(loop->symbol->type);
        cc_front_error(p, loop->loc,
                       "'%s' has type '%s': the loop of '#pragma omp %s' counts with an integer or a pointer",
                       loop->symbol->name, name, c->kind->name);
        return false;
    }
    if (!read_bound(p, c, loop, s) || !read_step(p, c, loop, s) || !fits_relation(p, c, loop) ||
        !is_independent(p, c, loop, n))
        return false;
    loop->body = s->body;
    loop->symbol->maybe_unused = true; /* it counts, that is use enough */
    return true;
}

bool cc_omp_read_loops(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmt *s = body;
    for (unsigned n = 0; n < c->n_loops; n++) {
        s = n ? only_statement(s) : s;
        if (!s || s->kind != CC_FOR) {
            CcLoc loc = s && s->loc.line ? s->loc : c->loc;
            if (n)
                cc_front_error(p, loc,
                               "'#pragma omp %s' with collapse or ordered needs %u loops, each one all that is in "
                               "the one around it",
                               c->kind->name, c->n_loops);
            else
                cc_front_error(p, loc, "'#pragma omp %s' needs a for loop behind it", c->kind->name);
            return false;
        }
        if (!read_loop(p, c, n, s))
            return false;
        s = c->loops[n].body;
    }
    return true;
}

/* -- numbers of iterations --------------------------------------------------------------------- */

static bool goes_up(const CcOmpLoop *loop)
{
    int64_t step;
    if (loop->relation == CC_NOT_EQUAL)
        return (cc_tree_integer_constant(loop->step_expr, &step) && step < 0) == loop->subtracts;
    return loop->relation == CC_LESS || loop->relation == CC_LESS_EQUAL;
}

/* The step in bytes for a pointer, as an unsigned long that may stand for a negative number. */
static CcExpr *step_of(CcParser *p, const CcOmpLoop *loop)
{
    CcExpr *step = cc_omp_ulong(p, cc_sema_cast_expr(p, p->basic[CC_LONG], loop->step_expr, loop->loc));
    if (loop->symbol->type->kind == CC_POINTER)
        step = cc_omp_binary(p, CC_MULTIPLY, step, cc_sema_sizeof_type(p, loop->symbol->type->target, loop->loc));
    return loop->subtracts ? cc_sema_unary(p, CC_NEGATE, step, loop->loc) : step;
}

/* n = first < bound ? (bound - first - 1) / step + 1 : 0, and likewise for the other relations. */
static void count_loop(CcParser *p, CcOmpLoop *loop, CcStmtList *list)
{
    CcLoc loc = loop->loc;
    CcType *type = loop->bound->type;
    loop->start =
        cc_omp_once(p, list, "start", cc_sema_cast_expr(p, cc_omp_plain_type(p, loop->symbol->type), loop->first, loc));
    loop->step = cc_omp_once(p, list, "step", step_of(p, loop));
    CcOmpValue bound = cc_omp_once(p, list, "bound", loop->bound);
    bool up = goes_up(loop), closed = loop->relation == CC_LESS_EQUAL || loop->relation == CC_GREATER_EQUAL;
#define FIRST cc_sema_cast_expr(p, type, cc_omp_value(p, &loop->start, loc), loc)
#define BOUND cc_omp_value(p, &bound, loc)
    CcExpr *runs = cc_omp_binary(p, loop->relation, FIRST, BOUND);
    CcExpr *distance =
        cc_omp_binary(p, CC_SUBTRACT, cc_omp_ulong(p, up ? BOUND : FIRST), cc_omp_ulong(p, up ? FIRST : BOUND));
#undef FIRST
#undef BOUND
    CcExpr *one = cc_sema_integer(p, p->basic[CC_ULONG], 1, loc);
    CcExpr *size = cc_omp_value(p, &loop->step, loc);
    if (!up)
        size = cc_sema_unary(p, CC_NEGATE, size, loc);
    if (!closed)
        distance = cc_omp_binary(p, CC_SUBTRACT, distance, one);
    bool unit = size->kind == CC_NUMBER && size->integer == 1;
    if (!unit)
        distance = cc_omp_binary(p, CC_DIVIDE, distance, size);
    CcExpr *count = cc_omp_binary(p, CC_ADD, distance, one);
    count = cc_sema_conditional(p, runs, count, cc_sema_integer(p, p->basic[CC_ULONG], 0, loc), loc);
    loop->count = cc_omp_once(p, list, "trips", count);
}

/* Lets the heads of loops mean the originals of variables, whose copies are made later. */
static void use_originals(CcParser *p, const CcOmpConstruct *c, CcExpr *e)
{
    if (!e)
        return;
    for (const CcOmpCopy *copy = c->copies; copy && e->kind == CC_VARIABLE; copy = copy->next)
        if (copy->copy == e->symbol && copy->original) {
            e->symbol = copy->original;
            cc_region_use(p, copy->original, e->loc);
        }
    for (uint32_t i = 0; i < e->n_arguments; i++)
        use_originals(p, c, e->arguments[i]);
    use_originals(p, c, e->left);
    use_originals(p, c, e->right);
    use_originals(p, c, e->condition);
}

void cc_omp_count_trips(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcExpr *product = NULL;
    for (unsigned i = 0; i < c->n_loops; i++) {
        use_originals(p, c, c->loops[i].first);
        use_originals(p, c, c->loops[i].bound);
        use_originals(p, c, c->loops[i].step_expr);
        count_loop(p, &c->loops[i], list);
        if (i >= c->collapse)
            continue;
        CcExpr *count = cc_omp_value(p, &c->loops[i].count, c->loc);
        product = product ? cc_omp_binary(p, CC_MULTIPLY, product, count) : count;
    }
    for (unsigned i = 0; c->ordered && i < c->n_loops; i++) {
        const CcOmpLoop *loop = &c->loops[i];
        cc_omp_set(p, list, cc_omp_var(p, loop->across.start, c->loc), cc_omp_value(p, &loop->start, c->loc));
        cc_omp_set(p, list, cc_omp_var(p, loop->across.step, c->loc), cc_omp_value(p, &loop->step, c->loc));
        cc_omp_set(p, list, cc_omp_var(p, loop->across.count, c->loc), cc_omp_value(p, &loop->count, c->loc));
    }
    c->trips = c->collapse == 1 ? c->loops[0].count : cc_omp_once(p, list, "trips", product);
}

/* -- iterations -------------------------------------------------------------------------------- */

/* variable = start + k * step, converted to its type. */
static CcExpr *value_at(CcParser *p, const CcOmpLoop *loop, CcExpr *k)
{
    CcExpr *value =
        cc_omp_is(&loop->step, 1) ? k : cc_omp_binary(p, CC_MULTIPLY, k, cc_omp_value(p, &loop->step, loop->loc));
    if (!cc_omp_is(&loop->start, 0))
        value = cc_omp_binary(p, CC_ADD, cc_omp_ulong(p, cc_omp_value(p, &loop->start, loop->loc)), value);
    return cc_sema_cast_expr(p, cc_omp_plain_type(p, loop->symbol->type), value, loop->loc);
}

/* Sets the variable of a loop to what it is in iteration k. */
static void enter_iteration(CcParser *p, const CcOmpLoop *loop, CcExpr *k, CcStmtList *list)
{
    if (loop->across.number) {
        cc_omp_set(p, list, cc_omp_var(p, loop->across.number, loop->loc), k);
        k = cc_omp_var(p, loop->across.number, loop->loc);
    }
    cc_omp_set(p, list, cc_sema_variable(p, loop->symbol, loop->loc), value_at(p, loop, k));
}

static void declare_variable(CcParser *p, const CcOmpLoop *loop, CcStmtList *list)
{
    if (!loop->declared)
        return;
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, loop->loc);
    declaration->symbol = loop->symbol;
    cc_sema_append(list, declaration);
}

/* Returns the loops that are associated by ordered(n), but not shared: they run within an iteration. */
static CcStmt *inner_loops(CcParser *p, CcOmpConstruct *c, unsigned n)
{
    if (n == c->n_loops)
        return c->loops[n - 1].body;
    CcOmpLoop *loop = &c->loops[n];
    CcStmtList outer = {NULL, NULL}, body = {NULL, NULL};
    CcSymbol *k = cc_omp_hidden(p, &outer, "k", p->basic[CC_ULONG], loop->loc);
    declare_variable(p, loop, &body);
    enter_iteration(p, loop, cc_omp_var(p, k, loop->loc), &body);
    cc_sema_append(&body, inner_loops(p, c, n + 1));
    cc_sema_append(&outer, cc_omp_count(p, k, cc_omp_int(p, 0, loop->loc), cc_omp_value(p, &loop->count, loop->loc),
                                        cc_omp_block(p, body, loop->loc, loop->loc), loop->loc));
    return cc_omp_block(p, outer, loop->loc, loop->loc);
}

static bool counts(const CcOmpConstruct *c, const CcSymbol *symbol)
{
    for (unsigned i = 0; i < c->n_loops; i++)
        if (c->loops[i].symbol == symbol)
            return true;
    return false;
}

/* Sets the linear variables, but for those that count a loop, to what they are in iteration k: start + k * step. */
static void enter_linear(CcParser *p, const CcOmpConstruct *c, CcSymbol *k, CcStmtList *list)
{
    CcLoc loc = c->loc;
    for (const CcOmpCopy *copy = c->copies; copy; copy = copy->next) {
        if (!copy->clause || copy->clause->kind->id != CC_OMP_LINEAR || !copy->copy || counts(c, copy->copy))
            continue;
        CcExpr *times = cc_sema_cast_expr(p, p->basic[CC_LONG], cc_omp_var(p, k, loc), loc);
        CcExpr *grown = cc_omp_binary(p, CC_MULTIPLY, times, cc_omp_value(p, &copy->step, loc));
        CcExpr *value = cc_omp_binary(p, CC_ADD, cc_omp_value(p, &copy->start, loc), grown);
        cc_omp_set(p, list, cc_sema_variable(p, copy->copy, loc), value);
    }
}

/* Sets the numbers of collapsed loops to those of iteration `from`: the only divisions. */
static void first_numbers(CcParser *p, const CcOmpConstruct *c, CcSymbol *const *numbers, CcExpr *from,
                          CcStmtList *list)
{
    CcLoc loc = c->loops[0].loc;
    if (from->kind == CC_NUMBER) { /* a serial loop begins at 0, perhaps with no iterations at all */
        for (unsigned i = 0; i < c->collapse; i++)
            cc_omp_set(p, list, cc_omp_var(p, numbers[i], loc), from);
        return;
    }
    cc_omp_set(p, list, cc_omp_var(p, numbers[0], loc), from);
    for (unsigned i = c->collapse; i-- > 1;) {
        CcExpr *count = cc_omp_value(p, &c->loops[i].count, loc);
        cc_omp_set(p, list, cc_omp_var(p, numbers[i], loc),
                   cc_omp_binary(p, CC_REMAINDER, cc_omp_var(p, numbers[0], loc), count));
        cc_omp_set(p, list, cc_omp_var(p, numbers[0], loc),
                   cc_omp_binary(p, CC_DIVIDE, cc_omp_var(p, numbers[0], loc), count));
    }
}

/* ++number[i] == count[i] ? (number[i] = 0, and so on for the loop around it) : 0 */
static CcExpr *advance(CcParser *p, const CcOmpConstruct *c, CcSymbol *const *numbers, unsigned i)
{
    CcLoc loc = c->loops[0].loc;
    CcExpr *more = cc_sema_increment(p, CC_PRE_INCREMENT, cc_omp_var(p, numbers[i], loc), loc);
    if (i == 0)
        return more;
    CcExpr *zero = cc_sema_integer(p, p->basic[CC_ULONG], 0, loc);
    CcExpr *again = cc_sema_assignment(p, cc_omp_var(p, numbers[i], loc), zero, loc);
    CcExpr *full = cc_omp_binary(p, CC_EQUAL, more, cc_omp_value(p, &c->loops[i].count, loc));
    return cc_sema_conditional(p, full, cc_sema_comma(p, again, advance(p, c, numbers, i - 1), loc), zero, loc);
}

CcStmt *cc_omp_iterations(CcParser *p, CcOmpConstruct *c, CcExpr *from, CcExpr *to)
{
    CcStmtList outer = {NULL, NULL}, body = {NULL, NULL};
    CcLoc loc = c->loops[0].loc;
    CcSymbol *k = cc_omp_hidden(p, &outer, "k", p->basic[CC_ULONG], loc), *numbers[CC_OMP_MOST_LOOPS] = {k};
    for (unsigned i = 0; c->collapse > 1 && i < c->collapse; i++)
        numbers[i] = cc_omp_hidden(p, &outer, "number", p->basic[CC_ULONG], loc);
    if (c->collapse > 1)
        first_numbers(p, c, numbers, from, &outer);
    for (unsigned i = 0; i < c->collapse; i++) {
        declare_variable(p, &c->loops[i], &body);
        enter_iteration(p, &c->loops[i], cc_omp_var(p, numbers[i], loc), &body);
    }
    enter_linear(p, c, k, &body);
    cc_sema_append(&body, inner_loops(p, c, c->collapse));
    CcLoc end = cc_omp_end_of(c->loops[c->n_loops - 1].body, loc);
    CcStmt *loop = cc_omp_count(p, k, from, to, cc_omp_block(p, body, loc, end), loc);
    if (c->collapse > 1)
        loop->step = cc_sema_comma(p, loop->step, advance(p, c, numbers, c->collapse - 1), loc);
    cc_sema_append(&outer, loop);
    return cc_omp_block(p, outer, loc, end);
}

/* Only those are set whose last value is asked for. */
void cc_omp_set_ends(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *is_last)
{
    CcStmtList set = {NULL, NULL};
    for (unsigned i = 0; i < c->n_loops; i++)
        for (const CcOmpCopy *copy = c->copies; copy; copy = copy->next)
            if (copy->copy == c->loops[i].symbol && copy->last)
                cc_omp_set(p, &set, cc_sema_variable(p, copy->copy, c->loc),
                           value_at(p, &c->loops[i], cc_omp_value(p, &c->loops[i].count, c->loc)));
    if (set.first)
        cc_sema_append(
            list, cc_sema_if(p, cc_omp_var(p, is_last, c->loc), cc_omp_block(p, set, c->loc, c->loc), NULL, c->loc));
}

/* -- worksharing ------------------------------------------------------------------------------- */

static unsigned schedule_of(const CcOmpConstruct *c)
{
    static const struct {
        const char *word;
        unsigned value;
    } words[] = {
        {"runtime", CC_OMP_SCHEDULE_RUNTIME},
        {"static", CC_OMP_SCHEDULE_STATIC},
        {"dynamic", CC_OMP_SCHEDULE_DYNAMIC},
        {"guided", 3},
        {"auto", 4},
        {"monotonic", CC_OMP_SCHEDULE_MONOTONIC},
        {"simd", CC_OMP_SCHEDULE_SIMD},
        {"nonmonotonic", CC_OMP_SCHEDULE_NONMONOTONIC},
    };
    const CcOmpClause *clause = cc_omp_clause(c, CC_OMP_SCHEDULE);
    if (!clause)
        return CC_OMP_SCHEDULE_STATIC;
    unsigned schedule = 0;
    for (unsigned i = 0; i < clause->n_words; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
            if (strcmp(words[k].word, clause->words[i]) == 0)
                schedule |= words[k].value;
    return schedule;
}

CcType *cc_omp_loop_type(CcParser *p)
{
    return cc_type_array_of(p, p->basic[CC_ULONG], CC_OMP_LOOP_WORDS);
}

static CcExpr *word_of(CcParser *p, CcSymbol *state, int64_t index, CcLoc loc)
{
    return cc_sema_index(p, cc_omp_var(p, state, loc), cc_omp_int(p, index, loc), loc);
}

/* The first iteration of the thread's chunk (0), or the one behind its last (1). */
static CcExpr *chunk_end(CcParser *p, const CcOmpConstruct *c, int64_t index)
{
    CcExpr *k = word_of(p, c->state, index, c->loc);
    return c->shift.symbol ? cc_omp_binary(p, CC_ADD, k, cc_omp_value(p, &c->shift, c->loc)) : k;
}

static CcExpr *state_address(CcParser *p, const CcOmpConstruct *c)
{
    return cc_omp_address(p, cc_omp_var(p, c->state, c->loc));
}

/* Appends the calls that hand out `trips` iterations, around the statement that runs one chunk. */
static void share(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcStmt *chunk, unsigned schedule, bool ordered)
{
    CcLoc loc = c->loc;
    CcExpr *size = c->chunk.symbol || c->chunk.number ? cc_omp_value(p, &c->chunk, loc) : cc_omp_int(p, 0, loc);
    CcStmtList turn = {chunk, chunk};
    cc_omp_do(p, list,
              cc_omp_call(p, loc, "__omp_loop_begin", "vpzulu", state_address(p, c), cc_omp_value(p, &c->trips, loc),
                          cc_omp_int(p, schedule, loc), size, cc_omp_int(p, ordered, loc)));
    if (c->ordered) {
        CcExpr *points = NULL;
        for (unsigned i = 0; i < c->n_loops; i++) {
            CcExpr *count = cc_omp_value(p, &c->loops[i].count, loc);
            points = points ? cc_omp_binary(p, CC_MULTIPLY, points, count) : count;
        }
        cc_omp_do(p, list, cc_omp_call(p, loc, "__omp_doacross_begin", "vpz", state_address(p, c), points));
    }
    if (c->is_last) {
        const CcOmpValue *all = c->shift.symbol ? &c->all : &c->trips;
        CcExpr *ends = cc_omp_binary(p, CC_EQUAL, chunk_end(p, c, 1), cc_omp_value(p, all, loc));
        CcStmtList set = {NULL, NULL};
        cc_omp_set(p, &set, cc_omp_var(p, c->is_last, loc), cc_omp_int(p, 1, loc));
        cc_sema_append(&turn, cc_sema_if(p, ends, set.first, NULL, loc));
    }
    CcExpr *more = cc_omp_call(p, loc, "__omp_loop_next", "ip", state_address(p, c));
    cc_sema_append(list, cc_sema_loop(p, CC_WHILE, more, cc_omp_block(p, turn, loc, loc), loc));
    if (c->end)
        cc_sema_append(list, cc_omp_label_here(p, c->end, loc));
}

static void end_sharing(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    bool nowait = cc_omp_clause(c, CC_OMP_NOWAIT) && !cc_omp_has(c, CC_OMP_PART_TARGET);
    CcExpr *end = cc_omp_call(p, c->loc, "__omp_loop_end", "ipi", state_address(p, c), cc_omp_int(p, nowait, c->loc));
    cc_omp_leave_if(p, list, end);
}

static void make_state(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    if (!cc_omp_needs_last(c))
        return;
    c->is_last = cc_omp_hidden(p, list, "last", p->basic[CC_INT], c->loc);
    cc_omp_set(p, list, cc_omp_var(p, c->is_last, c->loc), cc_omp_int(p, 0, c->loc));
}

static void declare_state(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, c->loc);
    declaration->symbol = c->state;
    cc_sema_append(list, declaration);
}

/* -- distribute -------------------------------------------------------------------------------- */

static void pass(CcParser *p, const CcOmpConstruct *c, const CcOmpValue *value)
{
    if (value->symbol)
        cc_region_list(p, c->region, value->symbol, true);
}

void cc_omp_count_outside(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcRegion *region = p->region;
    p->region = c->region->outer;
    cc_omp_count_trips(p, c, list);
    p->region = region;
    for (unsigned i = 0; i < c->n_loops; i++) {
        pass(p, c, &c->loops[i].start);
        pass(p, c, &c->loops[i].step);
        pass(p, c, &c->loops[i].count);
    }
    pass(p, c, &c->trips);
}

/* Appends the calls that give the team its share of the iterations. */
static void begin_portion(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcLoc loc = c->loc;
    CcExpr *size = c->share.symbol || c->share.number ? cc_omp_value(p, &c->share, loc) : cc_omp_int(p, 0, loc);
    c->portion = cc_omp_hidden(p, list, "portion", cc_omp_loop_type(p), loc);
    cc_omp_do(p, list,
              cc_omp_call(p, loc, "__omp_distribute_begin", "vpzl", cc_omp_address(p, cc_omp_var(p, c->portion, loc)),
                          cc_omp_value(p, &c->trips, loc), size));
}

static CcStmt *each_portion(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcLoc loc = c->loc;
    CcExpr *more =
        cc_omp_call(p, loc, "__omp_distribute_next", "ip", cc_omp_address(p, cc_omp_var(p, c->portion, loc)));
    return cc_sema_loop(p, CC_WHILE, more, body, loc);
}

/* In distribute parallel for, the threads share a chunk of the team's. */
static void share_portion(CcParser *p, CcOmpConstruct *c, CcStmtList *list)
{
    CcLoc loc = c->loc;
    CcRegion *region = p->region;
    cc_omp_count_outside(p, c, &c->around);
    p->region = c->region->outer;
    begin_portion(p, c, &c->around);
    p->region = region;
    c->all = c->trips;
    c->shift = cc_omp_once(p, list, "shift", word_of(p, c->portion, 0, loc));
    c->trips =
        cc_omp_once(p, list, "trips",
                    cc_omp_binary(p, CC_SUBTRACT, word_of(p, c->portion, 1, loc), cc_omp_value(p, &c->shift, loc)));
}

CcStmt *cc_omp_distribute(CcParser *p, CcOmpConstruct *c, CcStmt *region)
{
    CcStmtList list = c->around;
    cc_sema_append(&list, each_portion(p, c, region));
    return cc_omp_block(p, list, c->loc, cc_omp_end_of(region, c->loc));
}

/* -- statements -------------------------------------------------------------------------------- */

CcStmt *cc_omp_for(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL};
    declare_state(p, c, &list);
    make_state(p, c, &list);
    if (cc_omp_has(c, CC_OMP_PART_DISTRIBUTE))
        share_portion(p, c, &list);
    else
        cc_omp_count_trips(p, c, &list);
    list = cc_sema_concat(list, c->head);
    CcStmt *chunk = cc_omp_iterations(p, c, chunk_end(p, c, 0), chunk_end(p, c, 1));
    share(p, c, &list, chunk, schedule_of(c), cc_omp_clause(c, CC_OMP_ORDERED));
    if (c->is_last)
        cc_omp_set_ends(p, c, &list, c->is_last);
    cc_omp_finish_copies(p, c, &list, c->is_last);
    end_sharing(p, c, &list);
    return cc_omp_block(p, list, c->loc, cc_omp_end_of(body, c->loc));
}

/* Appends the loop over the team's share of the iterations. */
static void portions(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *any)
{
    CcLoc loc = c->loc;
    CcStmt *loop = cc_omp_iterations(p, c, word_of(p, c->portion, 0, loc), word_of(p, c->portion, 1, loc));
    CcStmtList turn = {loop, loop};
    if (any)
        cc_omp_set(p, &turn, cc_omp_var(p, any, loc),
                   cc_omp_binary(p, CC_EQUAL, word_of(p, c->portion, 1, loc), cc_omp_value(p, &c->trips, loc)));
    cc_sema_append(list, each_portion(p, c, cc_omp_block(p, turn, loc, loc)));
}

/* A loop that one thread runs: simd, or distribute. */
CcStmt *cc_omp_serial_loop(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL};
    CcLoc loc = c->loc;
    CcExpr *zero = cc_sema_integer(p, p->basic[CC_ULONG], 0, loc);
    CcSymbol *any = NULL;
    cc_omp_count_trips(p, c, &list);
    if (cc_omp_needs_last(c)) {
        any = cc_omp_hidden(p, &list, "any", p->basic[CC_INT], loc);
        cc_omp_set(p, &list, cc_omp_var(p, any, loc), zero);
    }
    if (cc_omp_has(c, CC_OMP_PART_DISTRIBUTE))
        begin_portion(p, c, &list);
    list = cc_sema_concat(list, c->head);
    if (cc_omp_has(c, CC_OMP_PART_DISTRIBUTE)) {
        portions(p, c, &list, any);
    } else {
        cc_sema_append(&list, cc_omp_iterations(p, c, zero, cc_omp_value(p, &c->trips, loc)));
        if (any)
            cc_omp_set(p, &list, cc_omp_var(p, any, loc),
                       cc_omp_binary(p, CC_NOT_EQUAL, cc_omp_value(p, &c->trips, loc), zero));
    }
    if (any)
        cc_omp_set_ends(p, c, &list, any);
    cc_omp_finish_copies(p, c, &list, any);
    return cc_omp_block(p, list, loc, cc_omp_end_of(body, loc));
}

/* -- sections ---------------------------------------------------------------------------------- */

/* Returns the statement of a section, which cc_omp_end() has marked; NULL: it is no section. */
static bool is_section(const CcStmt *s)
{
    return s->kind == CC_BLOCK && s->back == s;
}

CcStmt *cc_omp_sections(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcLoc loc = c->loc;
    if (body->kind != CC_BLOCK) {
        cc_front_error(p, body->loc, "'#pragma omp %s' needs a block in { } behind it", c->kind->name);
        return body;
    }
    CcStmtList list = {NULL, NULL}, outer = {NULL, NULL};
    declare_state(p, c, &list);
    make_state(p, c, &list);
    list = cc_sema_concat(list, c->head);
    CcSymbol *k = cc_omp_hidden(p, &outer, "k", p->basic[CC_ULONG], loc);
    CcStmt *choice = NULL, **place = &choice;
    unsigned n = 0;
    for (CcStmt *next, *s = body->first; s; s = next) {
        next = s->next;
        s->next = NULL;
        if (!is_section(s)) { /* the first section may have no directive; it may be several statements */
            if (n > 0) {
                cc_front_error(p, s->loc, "this is in no section; put '#pragma omp section' in front of it");
                continue;
            }
            CcStmtList first = {s, s};
            while (next && !is_section(next)) {
                CcStmt *item = next;
                next = item->next;
                item->next = NULL;
                cc_sema_append(&first, item);
            }
            s = cc_omp_block(p, first, s->loc, s->loc);
        } else {
            s->back = NULL;
        }
        CcExpr *mine = cc_omp_binary(p, CC_EQUAL, cc_omp_var(p, k, loc), cc_omp_int(p, n++, loc));
        *place = cc_sema_if(p, mine, s, NULL, s->loc);
        place = &(*place)->otherwise;
    }
    c->trips = (CcOmpValue){NULL, cc_sema_integer(p, p->basic[CC_ULONG], n, loc)};
    if (!choice)
        choice = cc_sema_stmt_new(p, CC_EXPRESSION, loc);
    cc_sema_append(&outer, cc_omp_count(p, k, chunk_end(p, c, 0), chunk_end(p, c, 1), choice, loc));
    c->chunk = (CcOmpValue){NULL, cc_sema_integer(p, p->basic[CC_LONG], 1, loc)};
    share(p, c, &list, cc_omp_block(p, outer, loc, loc), CC_OMP_SCHEDULE_DYNAMIC, false);
    cc_omp_finish_copies(p, c, &list, c->is_last);
    end_sharing(p, c, &list);
    return cc_omp_block(p, list, loc, body->end);
}
