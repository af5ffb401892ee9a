/* collective.c - checks for collective calls that only some ranks reach (-Wmpi-collective; MPI-3.1 section 5.1).
 *
 *     if (rank == 0)
 *         MPI_Bcast(...);    the other ranks never call it, so all wait for ever
 *
 * The statements of a function are visited from the end to the start. Each point gets the list of collective calls that
 * lie ahead of it (Step). At a test of the rank the lists of both branches are compared, for the communicator that the
 * rank belongs to. A call that is on one branch and nowhere on the other is reported. Branches that leave early
 * (return, break, continue) have their own lists, so `if (rank != 0) return;` is found, too. A call of a function of
 * this unit stands for the collectives that it makes. Nothing is reported where code that the compiler does not see may
 * run, or where a communicator made for the purpose is used.
 *
 * Lists share their tails, and at most MOST_STEPS steps are compared or copied. So the time is linear.
 */
#include "compiler/arena/arena.h"
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { MOST_STEPS = 64, MOST_CALLS = 100, MOST_LOOKS = 6 };

/* A collective call that lies ahead. `function` NULL: anything may be called. */
typedef struct Step {
    const struct Step *next;
    const CcMpiFunction *function;
    const CcMpiCall *call;   /* the MPI call itself */
    const CcExpr *site;      /* expression of this function that makes it: the call, or a call of `through` */
    const CcSymbol *through; /* the called function that makes it, or NULL */
    CcMpiComm comm;
    bool conditional; /* it may not happen */
    bool repeated;    /* it is in a loop */
    bool end;         /* marks the end of a loop's body; it is no call */
} Step;

/* The steps of a function of the unit. */
typedef struct Summary {
    const Step *steps;
    bool done; /* false while they are being computed, which detects recursion */
} Summary;

typedef struct Way { /* where break and continue of a statement lead */
    const Step *break_to, *continue_to;
} Way;

typedef struct Source { /* where a rank comes from */
    CcMpiComm comm;
    CcLoc loc;
} Source;

/* A call in one branch of a test of the rank. */
typedef struct Guarded {
    const Step *step;
    const CcExpr *condition;
} Guarded;

/* A call that will be reported unless another branch makes the same call. */
typedef struct Suspect {
    const Step *step;
    const CcExpr *condition;
    Source source;
    bool leaves; /* one of the branches leaves */
} Suspect;

typedef struct Search {
    CcMpiUnit *mpi;
    unsigned depth;             /* nesting depth of the functions whose calls are examined */
    GArray *guarded, *suspects; /* calls of the current function: Guarded, Suspect */
} Search;

/* -- does it depend on the rank? --------------------------------------------------------------- */

typedef enum Value { UNKNOWN, SAME_EVERYWHERE, OF_RANK } Value;
typedef enum Dependence { INDEPENDENT, WITH_OTHERS, ONLY_ON_RANK } Dependence;

static Value value_of(const CcMpiUnit *mpi, const CcExpr *e, Source *source, int looks);

static Value rank_of(const CcMpiUnit *mpi, const CcMpiVariable *variable, Source *source)
{
    if (variable->rank_of) {
        CcExpr name = {.kind = CC_VARIABLE, .symbol = (CcSymbol *)variable->rank_of, .type = variable->rank_of->type};
        source->comm = variable->rank_of == variable->symbol ? (CcMpiComm){1, NULL} : cc_mpi_comm(mpi, &name);
        if (!cc_mpi_comm_known(source->comm))
            source->comm.key = variable->rank_of;
        source->loc = variable->rank_from->loc;
        return OF_RANK;
    }
    unsigned comm = cc_mpi_find_role(variable->setter->function, COMM, 0);
    source->comm = cc_mpi_comm(mpi, variable->setter->expr->arguments[comm]);
    source->loc = variable->setter->expr->loc;
    return cc_mpi_comm_known(source->comm) ? OF_RANK : UNKNOWN;
}

static Value value_of_variable(const CcMpiUnit *mpi, const CcExpr *e, Source *source, int looks)
{
    const CcMpiVariable *variable = cc_mpi_variable(mpi, e);
    if (!variable)
        return e->kind == CC_VARIABLE && e->symbol->parameter ? SAME_EVERYWHERE : UNKNOWN;
    if (variable->rank_of)
        return rank_of(mpi, variable, source);
    if (variable->setter && !variable->set_otherwise && variable->set_as == RANK)
        return rank_of(mpi, variable, source);
    if (variable->setter && !variable->set_otherwise && variable->set_as == SIZE)
        return SAME_EVERYWHERE;
    if (e->kind != CC_VARIABLE || variable->writes > 1 || variable->setter)
        return UNKNOWN;
    if (e->symbol->parameter)
        return variable->escapes ? UNKNOWN : SAME_EVERYWHERE;
    if (!variable->value)
        return UNKNOWN;
    return variable->escapes && cc_tree_without_casts(variable->value)->kind != CC_NUMBER
               ? UNKNOWN
               : value_of(mpi, variable->value, source, looks - 1);
}

static Value value_of(const CcMpiUnit *mpi, const CcExpr *e, Source *source, int looks)
{
    Value left, right;
    if (!e || looks == 0)
        return UNKNOWN;
    switch (e->kind) {
    case CC_NUMBER: return SAME_EVERYWHERE;
    case CC_VARIABLE:
    case CC_MEMBER: return value_of_variable(mpi, e, source, looks);
    case CC_CAST:
    case CC_NEGATE:
    case CC_NOT: return value_of(mpi, e->left, source, looks);
    case CC_ADD:
    case CC_SUBTRACT:
    case CC_MULTIPLY:
    case CC_DIVIDE:
    case CC_REMAINDER:
    case CC_AND:
    case CC_EQUAL:
    case CC_NOT_EQUAL:
    case CC_LESS:
    case CC_LESS_EQUAL:
    case CC_GREATER:
    case CC_GREATER_EQUAL:
        left = value_of(mpi, e->left, source, looks);
        right = value_of(mpi, e->right, source, looks);
        return left == UNKNOWN || right == UNKNOWN ? UNKNOWN : MAX(left, right);
    default: return UNKNOWN;
    }
}

static bool set_by(const CcMpiUnit *mpi, const CcExpr *e, CcMpiRole role)
{
    const CcMpiVariable *variable = cc_mpi_variable(mpi, cc_tree_without_casts(e));
    return variable && variable->setter && variable->set_as == role;
}

/* Returns whether a comparison holds on every rank, as rank < size and rank >= 0 do. */
static bool always_so(const CcMpiUnit *mpi, const CcExpr *e)
{
    const CcExpr *left = e->left, *right = e->right;
    bool less = e->kind == CC_LESS || e->kind == CC_LESS_EQUAL,
         more = e->kind == CC_GREATER || e->kind == CC_GREATER_EQUAL;
    const CcExpr *other = set_by(mpi, left, RANK) ? right : left;
    int64_t number;
    if (!less && !more)
        return false;
    if (set_by(mpi, other, SIZE))
        return true;
    bool zero = cc_mpi_constant(mpi, other, &number) && number <= 0;
    return zero && (other == right ? e->kind == CC_GREATER_EQUAL || e->kind == CC_LESS
                                   : e->kind == CC_LESS_EQUAL || e->kind == CC_GREATER);
}

static Dependence depends(const CcMpiUnit *mpi, const CcExpr *e, bool positive, Source *source)
{
    Source other = {{0, NULL}, {0, 0, 0, 0}};
    switch (e->kind) {
    case CC_NOT: return depends(mpi, e->left, !positive, source);
    case CC_CAST: return depends(mpi, e->left, positive, source);
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: {
        Dependence left = depends(mpi, e->left, positive, source), right = depends(mpi, e->right, positive, &other);
        if (left == INDEPENDENT)
            *source = other;
        if ((e->kind == CC_LOGICAL_AND) == positive) /* both sides must hold */
            return left == right ? left : MAX(left, right) == INDEPENDENT ? INDEPENDENT : WITH_OTHERS;
        return MIN(left, right);
    }
    case CC_EQUAL:
    case CC_NOT_EQUAL:
    case CC_LESS:
    case CC_LESS_EQUAL:
    case CC_GREATER:
    case CC_GREATER_EQUAL: {
        Value left = value_of(mpi, e->left, source, MOST_LOOKS), right = value_of(mpi, e->right, &other, MOST_LOOKS);
        if (right == OF_RANK)
            *source = other;
        bool one = (left == OF_RANK && right == SAME_EVERYWHERE) || (right == OF_RANK && left == SAME_EVERYWHERE);
        return one && !always_so(mpi, e) ? ONLY_ON_RANK : INDEPENDENT;
    }
    default: return value_of(mpi, e, source, MOST_LOOKS) == OF_RANK ? ONLY_ON_RANK : INDEPENDENT;
    }
}

/* -- lists ------------------------------------------------------------------------------------- */

static const Step *put(const Search *search, Step step, const Step *next)
{
    Step *copy = CC_NEW(search->mpi->unit->arena, Step);
    *copy = step;
    copy->next = next;
    return copy;
}

/* Copies the list up to `tail` (or its end) in front of `next`. Each step gets the flags of `mark`. */
static const Step *put_marked(const Search *search, const Step *list, const Step *tail, const Step *next, Step mark)
{
    const Step *steps[MOST_STEPS];
    unsigned n = 0;
    for (; list && list != tail && !list->end && n < MOST_STEPS; list = list->next)
        steps[n++] = list;
    if (list && list != tail && !list->end)
        next = put(search, (Step){0}, next);
    while (n > 0) {
        Step step = *steps[--n];
        step.conditional |= mark.conditional;
        step.repeated |= mark.repeated;
        next = put(search, step, next);
    }
    return next;
}

static const Step *put_perhaps(const Search *search, const Step *list, const Step *tail, const Step *next)
{
    return put_marked(search, list, tail, next, (Step){.conditional = true});
}

typedef struct Ahead { /* the start of a list, for comparisons */
    const Step *steps[MOST_STEPS];
    unsigned n;
    bool unknown; /* something unknown may be called, or the list is too long */
    bool perhaps;
    bool joins; /* the list reaches the tail */
} Ahead;

/* Returns the steps of a list that concern the communicator. */
static Ahead look_ahead(const Step *list, const Step *tail, CcMpiComm comm)
{
    Ahead ahead = {.n = 0};
    for (; list && list != tail && !list->end; list = list->next) {
        if (!list->function || ahead.n == MOST_STEPS) {
            ahead.unknown = true;
            if (ahead.n == MOST_STEPS)
                break;
            continue;
        }
        if (cc_mpi_comm_known(list->comm) && !cc_mpi_same_comm(list->comm, comm))
            continue;
        ahead.perhaps |= list->conditional || list->repeated || !cc_mpi_comm_known(list->comm);
        ahead.steps[ahead.n++] = list;
    }
    ahead.joins = list == tail;
    return ahead;
}

static bool calls(const Ahead *ahead, const Step *wanted)
{
    for (unsigned i = 0; i < ahead->n; i++)
        if (ahead->steps[i]->function == wanted->function)
            return true;
    return ahead->unknown;
}

/* -- reports ----------------------------------------------------------------------------------- */

static bool begin_report(const Search *search, const Step *step, const char *what)
{
    CcMpiUnit *mpi = search->mpi;
    if (!g_hash_table_add(mpi->warned, (gpointer)step->site))
        return false;
    if (step->through)
        cc_report(mpi->unit, CC_WARNING, step->site->loc, "-Wmpi-collective", "'%s', which calls '%s' at line %u, %s",
                  step->through->name, step->call->name, step->call->expr->loc.line, what);
    else
        cc_report(mpi->unit, CC_WARNING, step->site->loc, "-Wmpi-collective", "'%s' %s", step->call->name, what);
    return true;
}

static void note_source(const Search *search, const CcExpr *condition, const Source *source, const char *what)
{
    cc_report(search->mpi->unit, CC_NOTE, condition->loc, NULL, "%s", what);
    if (source->loc.line)
        cc_report(search->mpi->unit, CC_NOTE, source->loc, NULL, "the rank comes from here");
}

static void report_missing(const Search *search, const Step *step, const CcExpr *condition, const Source *source,
                           bool leaves)
{
    const char *what =
        leaves ? "is not reached by the ranks that leave before it; all ranks of the communicator must call it"
               : "is called by some ranks only; all ranks of the communicator must call it";
    if (begin_report(search, step, what))
        note_source(search, condition, source,
                    leaves ? "which ranks leave depends on the rank" : "which ranks call it depends on the rank");
}

static void report_order(const Search *search, const Step *step, const Step *other, const CcExpr *condition,
                         const Source *source)
{
    if (begin_report(search, step,
                     "meets another collective call on the other ranks; the order must be the same on all")) {
        cc_report(search->mpi->unit, CC_NOTE, other->site->loc, NULL, "the other ranks call '%s' here",
                  other->call->name);
        note_source(search, condition, source, "which ranks call it depends on the rank");
    }
}

static void report_roots(const Search *search, const Step *step, const Step *other, const CcExpr *condition,
                         const Source *source)
{
    unsigned root = cc_mpi_find_role(step->function, ROOT, 0);
    int64_t mine, theirs;
    if (root == CC_MPI_MAX_ROLES || !cc_mpi_constant(search->mpi, step->call->expr->arguments[root], &mine) ||
        !cc_mpi_constant(search->mpi, other->call->expr->arguments[root], &theirs) || mine == theirs || mine < 0 ||
        theirs < 0)
        return;
    g_autofree char *what = g_strdup_printf("has root %" G_GINT64_FORMAT " here and root %" G_GINT64_FORMAT
                                            " on the other ranks; all must name the same root",
                                            theirs, mine);
    if (begin_report(search, other, what)) {
        cc_report(search->mpi->unit, CC_NOTE, step->site->loc, NULL, "the other ranks call it here");
        note_source(search, condition, source, "which ranks call it depends on the rank");
    }
}

/* -- comparing two ways ------------------------------------------------------------------------ */

static bool suspect_first_missing(const Search *search, const Ahead *from, const Ahead *in, const CcExpr *condition,
                                  const Source *source, bool leaves)
{
    for (unsigned i = 0; i < from->n; i++) {
        const Step *step = from->steps[i];
        if (step->conditional || !cc_mpi_comm_known(step->comm) || calls(in, step))
            continue;
        Suspect suspect = {step, condition, *source, leaves};
        if (search->suspects->len < MOST_STEPS)
            g_array_append_val(search->suspects, suspect);
        return true;
    }
    return false;
}

static void note_guarded(const Search *search, const Ahead *ahead, const CcExpr *condition)
{
    for (unsigned i = 0; i < ahead->n; i++) {
        Guarded guarded = {ahead->steps[i], condition};
        g_array_append_val(search->guarded, guarded);
    }
}

/* Returns whether another guarded call may be the counterpart of a suspect: if (rank == 0) MPI_Barrier(...); and
 * elsewhere if (rank != 0) MPI_Barrier(...); or an else if. */
static bool made_up_for(const Search *search, const Suspect *suspect)
{
    for (guint i = 0; i < search->guarded->len; i++) {
        const Guarded *other = &g_array_index(search->guarded, Guarded, i);
        if (other->step->function == suspect->step->function && other->step->site != suspect->step->site &&
            !cc_mpi_same_expression(other->condition, suspect->condition))
            return true;
    }
    return false;
}

static void report_suspects(const Search *search)
{
    for (guint i = 0; i < search->suspects->len; i++) {
        const Suspect *suspect = &g_array_index(search->suspects, Suspect, i);
        if (!made_up_for(search, suspect))
            report_missing(search, suspect->step, suspect->condition, &suspect->source, suspect->leaves);
    }
}

/* Returns whether two calls name the same communicator. A copy does not count: the order of calls matters within one
 * communicator only. */
static bool same_communicator(const Step *a, const Step *b)
{
    unsigned i = cc_mpi_find_role(a->function, COMM, 0), j = cc_mpi_find_role(b->function, COMM, 0);
    return i < CC_MPI_MAX_ROLES && j < CC_MPI_MAX_ROLES && !a->through && !b->through &&
           cc_mpi_same_expression(a->call->expr->arguments[i], b->call->expr->arguments[j]);
}

static void compare_in_order(const Search *search, const Ahead *yes, const Ahead *no, const CcExpr *condition,
                             const Source *source)
{
    unsigned n = MIN(yes->n, no->n);
    for (unsigned i = 0; i < n; i++) {
        if (!same_communicator(yes->steps[i], no->steps[i]))
            return;
        if (yes->steps[i]->function != no->steps[i]->function) {
            report_order(search, yes->steps[i], no->steps[i], condition, source);
            return;
        }
        report_roots(search, yes->steps[i], no->steps[i], condition, source);
    }
    if (yes->n == no->n)
        return;
    Suspect suspect = {yes->n > n ? yes->steps[n] : no->steps[n], condition, *source, false};
    g_array_append_val(search->suspects, suspect);
}

static void compare(const Search *search, const CcExpr *condition, const Step *yes, const Step *no, const Step *tail)
{
    Source of_yes = {{0, NULL}, {0, 0, 0, 0}}, of_no = of_yes;
    Dependence for_yes = depends(search->mpi, condition, true, &of_yes);
    Dependence for_no = depends(search->mpi, condition, false, &of_no);
    if (MAX(for_yes, for_no) == INDEPENDENT)
        return;
    const Source *source = for_yes != INDEPENDENT ? &of_yes : &of_no;
    Ahead a = look_ahead(yes, tail, source->comm), b = look_ahead(no, tail, source->comm);
    if (a.joins)
        note_guarded(search, &a, condition);
    if (b.joins)
        note_guarded(search, &b, condition);
    if (!a.joins || !b.joins) { /* one branch leaves: everything that lies ahead counts */
        bool yes_leaves = !a.joins;
        if (for_yes != ONLY_ON_RANK || for_no != ONLY_ON_RANK)
            return;
        a = look_ahead(yes, NULL, source->comm);
        b = look_ahead(no, NULL, source->comm);
        if (!suspect_first_missing(search, yes_leaves ? &b : &a, yes_leaves ? &a : &b, condition, source, true))
            suspect_first_missing(search, yes_leaves ? &a : &b, yes_leaves ? &b : &a, condition, source, false);
        return;
    }
    bool said = for_yes != INDEPENDENT && suspect_first_missing(search, &a, &b, condition, source, false);
    said = said || (for_no != INDEPENDENT && suspect_first_missing(search, &b, &a, condition, source, false));
    if (!said && for_yes == ONLY_ON_RANK && !a.perhaps && !b.perhaps && !a.unknown && !b.unknown)
        compare_in_order(search, &a, &b, condition, source);
}

static bool alike(const Step *a, const Step *b, const Step *tail)
{
    unsigned n = 0;
    while (a && b && a != tail && b != tail && a->function == b->function && a->conditional == b->conditional &&
           a->repeated == b->repeated && a->end == b->end && n++ < MOST_STEPS) {
        a = a->next;
        b = b->next;
    }
    return a == b;
}

/* Returns the list before a branch, after comparing both ways. */
static const Step *branch(const Search *search, const CcExpr *condition, const Step *yes, const Step *no,
                          const Step *tail)
{
    if (yes == no)
        return yes;
    compare(search, condition, yes, no, tail);
    if (alike(yes, no, tail))
        return yes;
    return put_perhaps(search, yes, tail, put_perhaps(search, no, tail, tail));
}

/* -- expressions ------------------------------------------------------------------------------- */

static const Step *before_expression(Search *search, const CcExpr *e, const Step *after);
static const Step *before_list(Search *search, const CcStmt *first, const Step *after, Way way);
static const Step *steps_of(Search *search, const CcSymbol *symbol);

static bool ends_program(const CcMpiFunction *function, const CcSymbol *callee)
{
    return (function && strcmp(function->name, "Abort") == 0) || (callee && callee->noreturn_) ||
           (callee && (strcmp(callee->name, "exit") == 0 || strcmp(callee->name, "abort") == 0));
}

/* Returns whether a variable means the same to the caller: a global, or a member of some struct. */
static bool outlives_call(const CcMpiUnit *mpi, const void *key)
{
    const CcMpiVariable *variable = key ? g_hash_table_lookup(mpi->variables, key) : NULL;
    return variable && (!variable->symbol || variable->symbol->file_scope);
}

/* Adds the steps of a function of this unit. Its parameters are replaced by the arguments. */
static const Step *put_function(Search *search, const CcExpr *call, const CcSymbol *callee, const Step *after)
{
    const Step *steps[MOST_STEPS], *list = steps_of(search, callee);
    unsigned n = 0;
    for (; list && n < MOST_STEPS; list = list->next)
        steps[n++] = list;
    if (list)
        after = put(search, (Step){0}, after);
    while (n > 0) {
        Step step = *steps[--n];
        CcMpiComm comm = {step.comm.index, outlives_call(search->mpi, step.comm.key) ? step.comm.key : NULL};
        for (uint32_t i = 0; i < MIN(callee->body->n_parameters, call->n_arguments); i++)
            if (step.comm.key == callee->body->parameters[i])
                comm = cc_mpi_comm(search->mpi, call->arguments[i]);
        step.comm = comm;
        step.site = call;
        step.through = step.through ? step.through : callee;
        after = put(search, step, after);
    }
    return after;
}

static const Step *before_call(Search *search, const CcExpr *e, const Step *after)
{
    const CcMpiFunction *function = cc_mpi_called(search->mpi, e);
    const CcSymbol *callee = cc_tree_callee(e);
    if (ends_program(function, callee)) {
        after = put(search, (Step){0}, NULL);
    } else if (function && (function->sort == COLLECTIVE || function->sort == END_MPI)) {
        unsigned comm = cc_mpi_find_role(function, COMM, 0);
        CcMpiCall *call = CC_NEW(search->mpi->unit->arena, CcMpiCall);
        *call = (CcMpiCall){function, callee->name, e};
        CcMpiComm of = comm < CC_MPI_MAX_ROLES ? cc_mpi_comm(search->mpi, e->arguments[comm]) : (CcMpiComm){1, NULL};
        after = put(search, (Step){.function = function, .call = call, .site = e, .comm = of}, after);
    } else if (cc_mpi_calls_unknown(search->mpi, e)) {
        after = put(search, (Step){0}, after);
    } else if (!function && callee->body) {
        after = put_function(search, e, callee, after);
    }
    for (uint32_t i = e->n_arguments; i > 0; i--)
        after = before_expression(search, e->arguments[i - 1], after);
    return before_expression(search, e->left, after);
}

static const Step *before_expression(Search *search, const CcExpr *e, const Step *after)
{
    static const Way nowhere = {NULL, NULL};
    if (!e)
        return after;
    switch (e->kind) {
    case CC_CALL: return before_call(search, e, after);
    case CC_CONDITIONAL: {
        const Step *yes = before_expression(search, e->left, after), *no = before_expression(search, e->right, after);
        return before_expression(search, e->condition, branch(search, e->condition, yes, no, after));
    }
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: {
        const Step *right = before_expression(search, e->right, after);
        bool and = e->kind == CC_LOGICAL_AND;
        return before_expression(search, e->left,
                                 branch(search, e->left, and? right : after, and? after : right, after));
    }
    case CC_STATEMENT_EXPR: return before_list(search, e->statement, after, nowhere);
    case CC_NUMBER:
    case CC_VARIABLE: return after;
    default:
        for (uint32_t i = e->n_arguments; i > 0; i--)
            after = before_expression(search, e->arguments[i - 1], after);
        return before_expression(search, e->left, before_expression(search, e->right, after));
    }
}

/* -- statements -------------------------------------------------------------------------------- */

/* Returns whether the loop makes as many turns as the rank says: for (i = 0; i < rank; i++). */
static bool counts_to_rank(const Search *search, const CcStmt *s, Source *source)
{
    Source unused;
    const CcExpr *e = s->kind == CC_FOR && s->expr ? cc_tree_without_casts(s->expr) : NULL;
    if (!e || (e->kind != CC_LESS && e->kind != CC_LESS_EQUAL) || cc_tree_without_casts(e->left)->kind != CC_VARIABLE)
        return false;
    const CcStmt *init = s->init;
    while (init && init->kind == CC_BLOCK)
        init = init->first;
    const CcExpr *from = NULL;
    const CcSymbol *counter = cc_tree_without_casts(e->left)->symbol;
    if (init && init->kind == CC_DECLARATION && init->symbol == counter && counter->init)
        from = counter->init->value;
    else if (init && init->kind == CC_EXPRESSION && init->expr && init->expr->kind == CC_ASSIGN &&
             init->expr->left->kind == CC_VARIABLE && init->expr->left->symbol == counter)
        from = init->expr->right;
    return from && value_of(search->mpi, from, &unused, MOST_LOOKS) == SAME_EVERYWHERE &&
           value_of(search->mpi, e->right, source, MOST_LOOKS) == OF_RANK && !set_by(search->mpi, e->right, SIZE);
}

static const Step *before_loop(Search *search, const CcStmt *s, const Step *after, Way outer)
{
    if (s->kind == CC_DO && s->expr && s->expr->kind == CC_NUMBER && s->expr->integer == 0) {
        Way once = {after, after};
        return before_list(search, s->body, after, once);
    }
    const Step *turn = put(search, (Step){.end = true}, NULL), *out = put(search, (Step){.end = true}, NULL);
    Way way = {out, turn};
    const Step *body = before_expression(search, s->step, turn);
    way.continue_to = body;
    body = before_list(search, s->body, body, way);
    Source source = {{0, NULL}, {0, 0, 0, 0}};
    if (counts_to_rank(search, s, &source)) {
        Ahead ahead = look_ahead(body, turn, source.comm), nothing = {.n = 0};
        suspect_first_missing(search, &ahead, &nothing, s->expr, &source, false);
    }
    after = put_marked(search, body, turn, after, (Step){.repeated = true});
    after = before_expression(search, s->expr, after);
    return before_list(search, s->init, after, outer);
}

/* Returns the list before the statements `from` up to `to`. */
static const Step *before_statement(Search *search, const CcStmt *s, const Step *after, Way way);

static const Step *before_slice(Search *search, const GPtrArray *list, guint from, guint to, const Step *after, Way way)
{
    while (to > from)
        after = before_statement(search, g_ptr_array_index(list, --to), after, way);
    return after;
}

static GPtrArray *array_of(const CcStmt *first)
{
    GPtrArray *list = g_ptr_array_new();
    for (const CcStmt *s = first; s; s = s->next)
        g_ptr_array_add(list, (gpointer)s);
    return list;
}

static bool is_label(const GPtrArray *list, guint i)
{
    const CcStmt *s = g_ptr_array_index(list, i);
    return s->kind == CC_CASE || s->kind == CC_DEFAULT;
}

/* Returns the list before a switch. Each case is a branch, unless it falls into the next one. The first branch is
 * compared with all others. */
static const Step *before_switch(Search *search, const CcStmt *s, const Step *after, Way outer)
{
    const CcStmt *body = s->body && s->body->kind == CC_BLOCK ? s->body->first : s->body;
    g_autoptr(GPtrArray) list = array_of(body);
    Way way = {after, outer.continue_to};
    const Step *first = s->default_case ? NULL : after, *result = after;
    bool any = !s->default_case;
    for (guint i = 0; i < list->len;) {
        guint end = i + 1;
        while (end < list->len && (!is_label(list, end) || is_label(list, end - 1)))
            end++;
        const CcStmt *last = g_ptr_array_index(list, end - 1);
        bool runs_on = end < list->len && last->kind != CC_BREAK && last->kind != CC_RETURN && last->kind != CC_BLOCK;
        const Step *way_of_case = before_slice(search, list, i, end, after, way);
        if (runs_on)
            way_of_case = put(search, (Step){0}, way_of_case);
        if (any && way_of_case != first)
            compare(search, s->expr, way_of_case, first, after);
        else if (!any)
            first = way_of_case;
        any = true;
        result = put_perhaps(search, way_of_case, after, result);
        i = end;
    }
    return before_expression(search, s->expr, result);
}

static const Step *before_statement(Search *search, const CcStmt *s, const Step *after, Way way)
{
    switch (s->kind) {
    case CC_IF: {
        const Step *yes = before_list(search, s->body, after, way), *no = before_list(search, s->otherwise, after, way);
        return before_expression(search, s->expr, branch(search, s->expr, yes, no, after));
    }
    case CC_WHILE:
    case CC_DO:
    case CC_FOR: return before_loop(search, s, after, way);
    case CC_SWITCH: return before_switch(search, s, after, way);
    case CC_BREAK: return way.break_to;
    case CC_CONTINUE: return way.continue_to;
    case CC_RETURN: return before_expression(search, s->expr, NULL);
    case CC_DECLARATION:
        if (s->symbol && s->symbol->init && !s->symbol->init->next)
            return before_expression(search, s->symbol->init->value, after);
        return after;
    case CC_BLOCK: return before_list(search, s->first, after, way);
    default: return before_list(search, s->body, before_expression(search, s->expr, after), way);
    }
}

static const Step *before_list(Search *search, const CcStmt *first, const Step *after, Way way)
{
    if (!first)
        return after;
    if (!first->next)
        return before_statement(search, first, after, way);
    g_autoptr(GPtrArray) list = array_of(first);
    return before_slice(search, list, 0, list->len, after, way);
}

/* -- functions --------------------------------------------------------------------------------- */

static const Step *steps_of(Search *search, const CcSymbol *symbol)
{
    static const Way nowhere = {NULL, NULL};
    CcMpiUnit *mpi = search->mpi;
    Summary *summary = g_hash_table_lookup(mpi->summaries, symbol);
    const CcMpiBody *body = g_hash_table_lookup(mpi->bodies, symbol);
    if (summary)
        return summary->done ? summary->steps : put(search, (Step){0}, NULL);
    if (!body || search->depth == MOST_CALLS)
        return put(search, (Step){0}, NULL);
    summary = CC_NEW(mpi->unit->arena, Summary);
    g_hash_table_insert(mpi->summaries, (gpointer)symbol, summary);
    Search inner = {mpi, search->depth + 1, g_array_new(FALSE, FALSE, sizeof(Guarded)),
                    g_array_new(FALSE, FALSE, sizeof(Suspect))};
    summary->steps =
        body->jumps ? put(search, (Step){0}, NULL) : before_list(&inner, symbol->body->body, NULL, nowhere);
    report_suspects(&inner);
    g_array_free(inner.guarded, TRUE);
    g_array_free(inner.suspects, TRUE);
    summary->done = true;
    return summary->steps;
}

void cc_mpi_check_collectives(CcMpiUnit *mpi, const CcMpiBody *body)
{
    Search search = {mpi, 0, NULL, NULL};
    steps_of(&search, body->symbol);
}
