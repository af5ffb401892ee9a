/* clauses.c - what the standard demands of the clauses of a directive (OpenMP 4.5, the restrictions of its sections).
 */
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"

#include <string.h>

#define SHARING (CC_OMP_PART_FOR | CC_OMP_PART_SECTIONS)

const CcOmpClause *cc_omp_find(const CcOmpClause *clause, CcOmpClauseId id)
{
    while (clause && clause->kind->id != id)
        clause = clause->next;
    return clause;
}

static const CcOmpClause *find_again(const CcOmpClause *clause)
{
    return cc_omp_find(clause->next, clause->kind->id);
}

static bool has_word(const CcOmpClause *clause, const char *word)
{
    for (unsigned i = 0; i < clause->n_words; i++)
        if (strcmp(clause->words[i], word) == 0)
            return true;
    return false;
}

/* -- expressions ------------------------------------------------------------------------------- */

typedef enum Demand { ANYTHING, INTEGER, CONSTANT, POSITIVE, CONDITION } Demand;

static Demand demand_of(const CcOmpClause *clause)
{
    switch (clause->kind->id) {
    case CC_OMP_IF:
    case CC_OMP_FINAL: return CONDITION;
    case CC_OMP_SAFELEN:
    case CC_OMP_SIMDLEN:
    case CC_OMP_ALIGNED: return POSITIVE;
    case CC_OMP_HINT: return CONSTANT;
    case CC_OMP_NUM_THREADS:
    case CC_OMP_COLLAPSE:
    case CC_OMP_ORDERED:
    case CC_OMP_NUM_TEAMS:
    case CC_OMP_THREAD_LIMIT:
    case CC_OMP_DEVICE:
    case CC_OMP_PRIORITY:
    case CC_OMP_GRAINSIZE:
    case CC_OMP_NUM_TASKS:
    case CC_OMP_SCHEDULE:
    case CC_OMP_LINEAR:
    case CC_OMP_DIST_SCHEDULE: return INTEGER;
    default: return ANYTHING;
    }
}

static bool check_expression(CcParser *p, const CcOmpClause *clause)
{
    const CcExpr *e = clause->expr;
    Demand demand = demand_of(clause);
    int64_t value = 1;
    if (!e || demand == ANYTHING)
        return true;
    if (cc_is_error(p, e))
        return false;
    if (demand == CONDITION) {
        if (!cc_is_scalar(e->type))
            cc_front_error(p, e->loc, "clause '%s' needs a condition", clause->kind->name);
        return cc_is_scalar(e->type);
    }
    bool constant = cc_tree_integer_constant(e, &value);
    if (!cc_is_integer(e->type)) {
        g_autofree char *type = cc_type_name(e->type);
        cc_front_error(p, e->loc, "clause '%s' needs an integer, not a value of type '%s'", clause->kind->name, type);
        return false;
    }
    if ((demand == POSITIVE && (!constant || value < 1)) || (demand == CONSTANT && (!constant || value < 0))) {
        cc_front_error(p, e->loc, "clause '%s' needs a constant %s", clause->kind->name,
                       demand == POSITIVE ? "above 0" : "that is not negative");
        return false;
    }
    if (clause->kind->id == CC_OMP_NUM_THREADS && value < 1)
        cc_front_warning(p, e->loc, NULL, "num_threads(%d): a team has one thread at least", (int)value);
    return true;
}

/* -- words ------------------------------------------------------------------------------------- */

static bool wrong(CcParser *p, const CcOmpClause *clause, const char *what)
{
    cc_front_error(p, clause->loc, "%s", what);
    return false;
}

static bool check_schedule(CcParser *p, const CcOmpClause *first, const CcOmpClause *clause)
{
    const char *kind = clause->words[clause->n_words - 1];
    bool nonmonotonic = has_word(clause, "nonmonotonic");
    if (clause->expr && (strcmp(kind, "runtime") == 0 || strcmp(kind, "auto") == 0))
        cc_front_error(p, clause->loc, "schedule(%s) takes no size of chunks", kind);
    if (nonmonotonic && cc_omp_find(first, CC_OMP_ORDERED))
        return wrong(p, clause, "a loop with 'ordered' cannot have the schedule 'nonmonotonic'");
    if (nonmonotonic && has_word(clause, "monotonic"))
        return wrong(p, clause, "a schedule cannot be both 'monotonic' and 'nonmonotonic'");
    return true;
}

static bool check_depend(CcParser *p, const CcOmpKind *kind, const CcOmpClause *clause)
{
    bool ordered = kind->parts & CC_OMP_PART_ORDERED, points = has_word(clause, "source") || has_word(clause, "sink");
    if (ordered && !points)
        return wrong(p, clause, "'#pragma omp ordered' takes depend(sink: ...) and depend(source)");
    if (!ordered && points)
        return wrong(p, clause, "depend(sink: ...) and depend(source) belong to '#pragma omp ordered'");
    for (const CcOmpClause *other = clause; ordered && (other = find_again(other));)
        if (has_word(clause, "source") || has_word(other, "source"))
            return wrong(p, other, "depend(source) stands alone");
    return true;
}

static bool check_map(CcParser *p, const CcOmpKind *kind, const CcOmpClause *clause)
{
    bool enters = strcmp(kind->name, "target enter data") == 0, exits = strcmp(kind->name, "target exit data") == 0;
    const char *type = clause->n_words ? clause->words[clause->n_words - 1] : "tofrom";
    if (enters && strcmp(type, "to") != 0 && strcmp(type, "alloc") != 0)
        return wrong(p, clause, "'#pragma omp target enter data' maps 'to' or 'alloc'");
    if (exits && strcmp(type, "from") != 0 && strcmp(type, "release") != 0 && strcmp(type, "delete") != 0)
        return wrong(p, clause, "'#pragma omp target exit data' maps 'from', 'release' or 'delete'");
    if (!enters && !exits && (strcmp(type, "release") == 0 || strcmp(type, "delete") == 0))
        return wrong(p, clause, "only '#pragma omp target exit data' releases and deletes");
    return true;
}

static bool check_words(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, const CcOmpClause *clause)
{
    switch (clause->kind->id) {
    case CC_OMP_SCHEDULE: return check_schedule(p, first, clause);
    case CC_OMP_DEPEND: return check_depend(p, kind, clause);
    case CC_OMP_MAP: return check_map(p, kind, clause);
    case CC_OMP_DEFAULTMAP: return clause->n_words == 2 || wrong(p, clause, "clause 'defaultmap' is (tofrom: scalar)");
    case CC_OMP_LINEAR:
        return !clause->n_words ||
               wrong(p, clause, "only '#pragma omp declare simd' says val, ref or uval with linear");
    default: return true;
    }
}

/* if(task: ...) names a part of the directive. */
static bool check_modifier(CcParser *p, const CcOmpKind *kind, const CcOmpClause *clause)
{
    if (clause->kind->id != CC_OMP_IF)
        return true;
    if (clause->modifier && !strstr(kind->name, clause->modifier->name)) {
        cc_front_error(p, clause->loc, "if(%s: ...) is for '%s', which '#pragma omp %s' is not", clause->modifier->name,
                       clause->modifier->name, kind->name);
        return false;
    }
    for (const CcOmpClause *other = clause; (other = find_again(other));) {
        if (!clause->modifier != !other->modifier)
            return wrong(p, other, "with several clauses 'if', each one must name its directive: if(parallel: ...)");
        if (clause->modifier == other->modifier)
            return wrong(p, other, "clause 'if' is given twice for the same directive");
    }
    return true;
}

/* -- lists ------------------------------------------------------------------------------------- */

static bool is_static(const CcSymbol *symbol)
{
    return symbol->file_scope || symbol->storage == CC_STATIC || symbol->storage == CC_EXTERN ||
           symbol->storage == CC_GLOBAL;
}

/* Whether each thread of the parallel region here has its own; false also if that is not known. */
static bool is_private(const CcParser *p, const CcSymbol *symbol)
{
    return p->region && p->region->kind == CC_REGION_PARALLEL && symbol->region == p->region && !is_static(symbol) &&
           p->omp && !(p->omp->kind->parts & CC_OMP_PART_TEAMS);
}

static bool is_shared(const CcParser *p, const CcSymbol *symbol)
{
    if (symbol->thread)
        return false;
    return is_static(symbol) || (p->region && p->region->kind == CC_REGION_PARALLEL && symbol->region != p->region);
}

static bool takes_parts(CcOmpClauseId id)
{
    return id == CC_OMP_MAP || id == CC_OMP_TO || id == CC_OMP_FROM || id == CC_OMP_DEPEND || id == CC_OMP_REDUCTION;
}

/* Checks a variable of a list against the directive and what is around it. */
static const char *fault_of(const CcParser *p, const CcOmpKind *kind, const CcOmpClause *clause, const CcOmpItem *item)
{
    const CcSymbol *symbol = item->symbol;
    CcOmpClauseId id = clause->kind->id;
    bool shares = kind->parts & SHARING && !(kind->parts & CC_OMP_PART_PARALLEL);
    bool moves = id == CC_OMP_MAP || id == CC_OMP_TO || id == CC_OMP_FROM;
    const CcExpr *object = item->expr ? cc_tree_without_casts(item->expr) : NULL;
    if (item->expr && !takes_parts(id))
        return "is given in part: the clause takes whole variables";
    if (object && object->kind == CC_MEMBER && object->member && object->member->bit_field && takes_parts(id))
        return "is given by a bit-field, which has no address";
    int64_t length = 1;
    if (item->length && (id == CC_OMP_DEPEND || id == CC_OMP_REDUCTION) &&
        cc_tree_integer_constant(item->length, &length) && length == 0)
        return "is a section without elements";
    if (moves && symbol->thread)
        return "is threadprivate and cannot be mapped";
    if (moves && (item->expr ? item->expr->type : symbol->type)->incomplete)
        return "has an incomplete type and cannot be mapped";
    if (shares && is_private(p, symbol) &&
        (id == CC_OMP_LASTPRIVATE || id == CC_OMP_FIRSTPRIVATE || id == CC_OMP_REDUCTION))
        return "is private in the parallel region, so that there is no common variable";
    if (id == CC_OMP_COPYPRIVATE && is_shared(p, symbol))
        return "is shared by the team: copyprivate is for private variables";
    if (id == CC_OMP_ALIGNED && symbol->type->kind != CC_POINTER && symbol->type->kind != CC_ARRAY)
        return "is neither a pointer nor an array";
    return NULL;
}

enum { DATA = 1, MAPPED = 2, GIVEN = 4 };

/* Clauses of the same class cannot both have a variable. */
static unsigned class_of(const CcOmpKind *kind, CcOmpClauseId id)
{
    unsigned of_target = kind->parts & CC_OMP_PART_TARGET ? MAPPED : 0;
    switch (id) {
    case CC_OMP_SHARED:
    case CC_OMP_LASTPRIVATE:
    case CC_OMP_REDUCTION:
    case CC_OMP_LINEAR:
    case CC_OMP_COPYPRIVATE:
    case CC_OMP_USE_DEVICE_PTR: return DATA;
    case CC_OMP_PRIVATE: return DATA | (kind->parts == CC_OMP_PART_TARGET ? MAPPED : 0);
    case CC_OMP_FIRSTPRIVATE:
    case CC_OMP_IS_DEVICE_PTR: return DATA | of_target;
    case CC_OMP_MAP: return MAPPED;
    case CC_OMP_ALIGNED: return GIVEN;
    default: return 0;
    }
}

static bool goes_with(const CcOmpKind *kind, CcOmpClauseId a, CcOmpClauseId b)
{
    bool first_and_last =
        (a == CC_OMP_FIRSTPRIVATE && b == CC_OMP_LASTPRIVATE) || (a == CC_OMP_LASTPRIVATE && b == CC_OMP_FIRSTPRIVATE);
    return first_and_last && !(kind->parts & CC_OMP_PART_DISTRIBUTE && !(kind->parts & CC_OMP_PART_PARALLEL));
}

/* Whether the variable is in another list, in front of the item. */
static bool is_twice(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, const CcOmpClause *clause,
                     const CcOmpItem *item)
{
    CcOmpClauseId id = clause->kind->id;
    unsigned class = class_of(kind, id);
    for (const CcOmpClause *other = first; class && other; other = other->next) {
        if (!(class & class_of(kind, other->kind->id)) || goes_with(kind, id, other->kind->id))
            continue;
        for (const CcOmpItem *i = other->items; i; i = i->next) {
            if (i == item)
                return false;
            bool parts = id == CC_OMP_MAP && other->kind->id == CC_OMP_MAP && (i->expr || item->expr);
            if (i->symbol != item->symbol || parts)
                continue;
            cc_front_error(p, item->loc, "'%s' is in two clauses of '#pragma omp %s', %s and %s", item->ident->text,
                           kind->name, other->kind->name, clause->kind->name);
            return true;
        }
        if (other == clause)
            return false;
    }
    return false;
}

static bool check_items(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, const CcOmpClause *clause)
{
    bool good = true;
    for (const CcOmpItem *item = clause->items; item; item = item->next) {
        if (!item->symbol) {
            good = false;
            continue;
        }
        const char *fault = fault_of(p, kind, clause, item);
        if (fault)
            cc_front_error(p, item->loc, "'%s' in clause '%s' %s", item->ident->text, clause->kind->name, fault);
        else if (!is_twice(p, kind, first, clause, item))
            continue;
        good = false;
    }
    return good;
}

/* -- the directive as a whole ------------------------------------------------------------------ */

static bool check_together(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first)
{
    const CcOmpClause *tasks = cc_omp_find(first, CC_OMP_NUM_TASKS), *hint = cc_omp_find(first, CC_OMP_HINT);
    const CcOmpClause *safe = cc_omp_find(first, CC_OMP_SAFELEN), *lanes = cc_omp_find(first, CC_OMP_SIMDLEN);
    const CcOmpClause *ordered = cc_omp_find(first, CC_OMP_ORDERED), *linear = cc_omp_find(first, CC_OMP_LINEAR);
    int64_t most, length;
    if (tasks && cc_omp_find(first, CC_OMP_GRAINSIZE))
        return wrong(p, tasks, "grainsize and num_tasks exclude each other");
    if (hint && !cc_omp_find(first, CC_OMP_OPERANDS) && !(cc_tree_integer_constant(hint->expr, &most) && most == 0))
        return wrong(p, hint, "a critical region with a hint needs a name: critical(name) hint(...)");
    if (safe && lanes && cc_tree_integer_constant(safe->expr, &most) &&
        cc_tree_integer_constant(lanes->expr, &length) && length > most)
        return wrong(p, lanes, "simdlen is above safelen");
    if (ordered && ordered->expr && kind->parts & CC_OMP_PART_SIMD)
        return wrong(p, ordered, "a loop of simd takes 'ordered' without a number");
    if (ordered && ordered->expr && linear)
        return wrong(p, linear, "linear and ordered(n) exclude each other");
    return true;
}

static bool is_order(CcOmpClauseId id)
{
    return id == CC_OMP_SEQ_CST || id == CC_OMP_ACQ_REL || id == CC_OMP_ACQUIRE || id == CC_OMP_RELEASE ||
           id == CC_OMP_RELAXED;
}

/* Memory orders: one at most, and one that the access can have. */
static bool check_orders(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first)
{
    const CcOmpClause *order = NULL;
    for (const CcOmpClause *clause = first; kind->parts & CC_OMP_PART_ATOMIC && clause; clause = clause->next) {
        if (!is_order(clause->kind->id))
            continue;
        if (order)
            return wrong(p, clause, "an atomic access has one memory order: remove the others");
        order = clause;
    }
    if (!order)
        return true;
    bool reads = cc_omp_find(first, CC_OMP_READ);
    if (order->kind->id == CC_OMP_RELEASE && reads)
        return wrong(p, order, "a load does not release; use acquire");
    if (order->kind->id == CC_OMP_ACQUIRE && !reads && !cc_omp_find(first, CC_OMP_CAPTURE))
        return wrong(p, order, "only 'read' and 'capture' acquire; use release or acq_rel");
    return true;
}

static bool check_needs(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc)
{
    static const struct {
        const char *directive, *text;
        CcOmpClauseId one, other;
    } needs[] = {
        {"target update", "to(...) or from(...)", CC_OMP_TO, CC_OMP_FROM},
        {"target data", "map(...) or use_device_ptr(...)", CC_OMP_MAP, CC_OMP_USE_DEVICE_PTR},
        {"target enter data", "map(...)", CC_OMP_MAP, CC_OMP_MAP},
        {"target exit data", "map(...)", CC_OMP_MAP, CC_OMP_MAP},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(needs); i++)
        if (strcmp(kind->name, needs[i].directive) == 0 && !cc_omp_find(first, needs[i].one) &&
            !cc_omp_find(first, needs[i].other)) {
            cc_front_error(p, loc, "'#pragma omp %s' needs a clause %s", kind->name, needs[i].text);
            return false;
        }
    return true;
}

bool cc_omp_check_clauses(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc)
{
    bool good = check_together(p, kind, first);
    good &= check_needs(p, kind, first, loc);
    good &= check_orders(p, kind, first);
    for (const CcOmpClause *clause = first; clause; clause = clause->next) {
        good &= check_expression(p, clause);
        good &= check_words(p, kind, first, clause);
        good &= check_modifier(p, kind, clause);
        good &= check_items(p, kind, first, clause);
    }
    return good;
}
