/* construct.c - constructs: a directive, the statement behind it, and what they become.
 *
 * From the outside to the inside: what clauses say is evaluated (before); a target or parallel region or a task begins,
 * whose block becomes a function; copies of variables are made in a scope of their own (head); loops, sections and the
 * like are shared; copies go back to their originals (tail).
 */
#include "compiler/omp/construct.h"
#include "compiler/arena/arena.h"
#include "compiler/tree/tree.h"

#include <string.h>

#define TASKS (CC_OMP_PART_TASK | CC_OMP_PART_TASKLOOP)
#define LOOPS (CC_OMP_PART_FOR | CC_OMP_PART_SIMD | CC_OMP_PART_DISTRIBUTE | CC_OMP_PART_TASKLOOP)

/* -- clauses ----------------------------------------------------------------------------------- */

const CcOmpClause *cc_omp_clause(const CcOmpConstruct *c, CcOmpClauseId id)
{
    return cc_omp_find(c->clauses, id);
}

static CcExpr *condition_of(CcParser *p, const CcOmpClause *clause, const char *part, CcLoc loc)
{
    for (; clause; clause = clause->next)
        if (clause->kind->id == CC_OMP_IF && (!clause->modifier || strcmp(clause->modifier->name, part) == 0))
            return cc_sema_binary(p, CC_NOT_EQUAL, clause->expr, cc_omp_int(p, 0, loc), clause->expr->loc,
                                  clause->expr->loc);
    return cc_omp_int(p, 1, loc);
}

CcExpr *cc_omp_condition(CcParser *p, const CcOmpConstruct *c, const char *part)
{
    return condition_of(p, c->clauses, part, c->loc);
}

/* -- regions ----------------------------------------------------------------------------------- */

static void list_items(CcParser *p, CcRegion *region, const CcOmpClause *clause, bool by_value)
{
    for (const CcOmpItem *item = clause->items; item; item = item->next)
        if (item->symbol)
            cc_region_list(p, region, item->symbol, by_value);
}

static void begin_target(CcParser *p, CcOmpConstruct *c)
{
    c->target = cc_region_begin(p, CC_REGION_TARGET, c->kind->name, c->loc);
    if (cc_omp_clause(c, CC_OMP_DEFAULTMAP))
        c->target->rule = CC_DEFAULT_SHARED;
    bool combined = c->kind->parts != CC_OMP_PART_TARGET;
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        if (clause->kind->id == CC_OMP_MAP)
            list_items(p, c->target, clause, false);
        else if (combined && (clause->kind->id == CC_OMP_REDUCTION || clause->kind->id == CC_OMP_LASTPRIVATE ||
                              clause->kind->id == CC_OMP_LINEAR))
            list_items(p, c->target, clause, false);
        else if (clause->kind->id == CC_OMP_FIRSTPRIVATE || clause->kind->id == CC_OMP_IS_DEVICE_PTR)
            list_items(p, c->target, clause, true);
}

static CcRegion *begin_region(CcParser *p, CcOmpConstruct *c, CcRegionKind kind)
{
    CcRegion *region = cc_region_begin(p, kind, c->kind->name, c->loc);
    const CcOmpClause *rule = cc_omp_clause(c, CC_OMP_DEFAULT);
    if (rule)
        region->rule = strcmp(rule->words[0], "none") == 0 ? CC_DEFAULT_NONE : CC_DEFAULT_SHARED;
    for (const CcOmpCopy *copy = c->copies; copy; copy = copy->next)
        if (copy->source) {
            cc_region_list(p, region, copy->source, true);
            cc_region_list(p, region, copy->original, false);
        }
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next) {
        bool copied = kind == CC_REGION_TASK && clause->kind->id == CC_OMP_FIRSTPRIVATE;
        if (clause->kind->data)
            list_items(p, region, clause, copied);
    }
    return region;
}

/* The first thread's copy of a threadprivate variable. */
typedef struct Original {
    const CcOmpItem *item;
    CcSymbol *address;
} Original;

/* copyin: each thread's copy of a threadprivate variable gets the value of the first thread's. */
static void copy_in(CcParser *p, CcOmpConstruct *c, const GArray *originals)
{
    CcStmtList list = {NULL, NULL};
    for (guint i = 0; i < originals->len; i++) {
        const Original *original = &g_array_index(originals, Original, i);
        CcSymbol *symbol = original->item->symbol, *address = original->address;
        CcLoc loc = original->item->loc;
        CcExpr *mine = cc_sema_variable(p, symbol, loc);
        CcExpr *other = cc_omp_binary(p, CC_NOT_EQUAL, cc_omp_address(p, mine), cc_omp_var(p, address, loc));
        CcStmtList copy = {NULL, NULL};
        cc_omp_copy(p, &copy, cc_sema_variable(p, symbol, loc),
                    cc_omp_field(p, cc_omp_var(p, address, loc), 0, symbol->type));
        cc_sema_append(&list, cc_sema_if(p, other, cc_omp_block(p, copy, loc, loc), NULL, loc));
    }
    if (!list.first)
        return;
    cc_omp_do(p, &list, cc_omp_call(p, c->loc, "__omp_barrier", "i"));
    c->head = cc_sema_concat(c->head, list);
}

static void begin_parallel(CcParser *p, CcOmpConstruct *c)
{
    g_autoptr(GArray) originals = g_array_new(FALSE, FALSE, sizeof(Original));
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item && clause->kind->id == CC_OMP_COPYIN; item = item->next) {
            if (item->symbol && !item->symbol->thread)
                cc_front_error(p, item->loc, "'%s' is not threadprivate: copyin copies nothing else",
                               item->symbol->name);
            if (!item->symbol || !item->symbol->thread)
                continue;
            Original original = {item, cc_omp_hidden(p, &c->before, "copyin", p->void_pointer, item->loc)};
            cc_omp_set(p, &c->before, cc_omp_var(p, original.address, item->loc),
                       cc_omp_address(p, cc_sema_variable(p, item->symbol, item->loc)));
            g_array_append_val(originals, original);
        }
    c->region = begin_region(p, c, CC_REGION_PARALLEL);
    copy_in(p, c, originals);
}

/* Evaluates the clauses that say sizes. */
static void evaluate_sizes(CcParser *p, CcOmpConstruct *c)
{
    const struct {
        CcOmpClauseId id;
        CcKind type;
        CcOmpValue *value;
    } sizes[] = {
        {CC_OMP_SCHEDULE, CC_LONG, &c->chunk},
        {CC_OMP_DIST_SCHEDULE, CC_LONG, &c->share},
        {CC_OMP_NUM_TEAMS, CC_INT, &c->teams},
        {CC_OMP_THREAD_LIMIT, CC_INT, &c->limit},
    };
    CcLoc loc = c->loc;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const CcOmpClause *clause = cc_omp_clause(c, sizes[i].id);
        if (!clause || !clause->expr || c->broken)
            continue;
        CcType *type = p->basic[sizes[i].type];
        CcOmpValue *value = sizes[i].value;
        *value = cc_omp_once(p, &c->before, "size", cc_sema_cast_expr(p, type, clause->expr, clause->loc));
        CcExpr *positive = cc_omp_binary(p, CC_GREATER, cc_omp_value(p, value, loc), cc_omp_int(p, 0, loc));
        CcExpr *one = cc_sema_integer(p, type, 1, loc);
        *value =
            cc_omp_once(p, &c->before, "size", cc_sema_conditional(p, positive, cc_omp_value(p, value, loc), one, loc));
    }
}

CcOmpConstruct *cc_omp_begin(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc)
{
    CcOmpConstruct *c = CC_NEW(p->arena, CcOmpConstruct);
    cc_omp_check_nesting(p, kind, clauses->first, loc);
    c->outer = p->omp;
    c->kind = kind;
    c->clauses = clauses->first;
    c->loc = loc;
    c->last_copy = &c->copies;
    c->broken = !cc_omp_check_clauses(p, kind, c->clauses, loc);
    c->leaves = g_ptr_array_new();
    evaluate_sizes(p, c);
    cc_omp_collect(p, c);
    if (cc_omp_has(c, CC_OMP_PART_TARGET))
        begin_target(p, c);
    c->block = cc_region_block_begin(p, kind->name, loc);
    c->scope = cc_scope_push(p, CC_SCOPE_BLOCK);
    p->omp = c;
    if (cc_omp_has(c, CC_OMP_PART_TEAMS))
        c->league = begin_region(p, c, CC_REGION_PARALLEL);
    if (cc_omp_has(c, CC_OMP_PART_PARALLEL))
        begin_parallel(p, c);
    else if (cc_omp_has(c, TASKS))
        c->region = begin_region(p, c, CC_REGION_TASK);
    if (cc_omp_has(c, CC_OMP_PART_TASKLOOP))
        c->region->size = 16; /* from and to */
    cc_omp_copies(p, c);
    if (kind->follows == CC_OMP_LOOP)
        cc_omp_loops_expected(p, c);
    if (cc_omp_has(c, CC_OMP_PART_FOR | CC_OMP_PART_SECTIONS))
        c->state = cc_sema_hidden_variable(p, "loop", cc_omp_loop_type(p), false, loc);
    return c;
}

static void leave(CcParser *p, CcOmpConstruct *c)
{
    while (p->scope != c->scope && p->scope->open && p->scope != p->file_scope)
        cc_sema_leave_scope(p);
    if (p->scope == c->scope)
        cc_scope_pop(p);
    cc_region_block_end(p, c->block);
    p->omp = c->outer;
    g_ptr_array_free(c->leaves, TRUE);
}

void cc_omp_abandon(CcParser *p, CcOmpConstruct *c)
{
    if (p->omp != c)
        return;
    CcStmt *nothing = cc_sema_stmt_new(p, CC_BLOCK, c->loc);
    if (c->region)
        cc_region_end(p, c->region, nothing, c->loc);
    if (c->league)
        cc_region_end(p, c->league, nothing, c->loc);
    if (c->target)
        cc_region_end(p, c->target, nothing, c->loc);
    leave(p, c);
}

/* -- cancelling -------------------------------------------------------------------------------- */

/* Returns the construct around the current point that has one of the parts, within the same function; NULL: none. */
static CcOmpConstruct *enclosing(CcParser *p, unsigned parts)
{
    for (CcOmpConstruct *c = p->omp; c; c = c->outer) {
        if (cc_omp_has(c, parts))
            return c;
        if (cc_omp_has(c, CC_OMP_PART_PARALLEL | TASKS | CC_OMP_PART_TARGET))
            break;
    }
    return NULL;
}

void cc_omp_leave_if(CcParser *p, CcStmtList *list, CcExpr *call)
{
    CcStmt *statement = cc_sema_expression_statement(p, call, call->loc);
    const CcOmpConstruct *parallel = enclosing(p, CC_OMP_PART_PARALLEL);
    if (parallel)
        g_ptr_array_add(parallel->leaves, statement);
    cc_sema_append(list, statement);
}

/* If the region can be cancelled, the calls that tell of it are followed by a jump to its end. */
static void add_leaves(CcParser *p, CcOmpConstruct *c)
{
    for (guint i = 0; c->region_end && i < c->leaves->len; i++) {
        CcStmt *statement = g_ptr_array_index(c->leaves, i);
        statement->kind = CC_IF;
        statement->body = cc_omp_goto(p, c->region_end, c->loc);
    }
}

/* Returns the construct that is cancelled, which is the innermost one, but for sections and task groups in it; NULL: it
 * is another one. */
static CcOmpConstruct *cancelled(CcParser *p, unsigned parts)
{
    CcOmpConstruct *c = p->omp;
    unsigned between = CC_OMP_PART_SECTION | (parts == TASKS ? (unsigned)CC_OMP_PART_TASKGROUP : 0u);
    while (c && cc_omp_has(c, between))
        c = c->outer;
    return c && cc_omp_has(c, parts) ? c : NULL;
}

static CcLabel **cancel_target(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, unsigned *construct,
                               const char **name)
{
    static const struct {
        CcOmpClauseId id;
        unsigned parts, construct;
        const char *name;
    } kinds[] = {
        {CC_OMP_OF_PARALLEL, CC_OMP_PART_PARALLEL, CC_OMP_CANCELS_PARALLEL, "parallel"},
        {CC_OMP_OF_FOR, CC_OMP_PART_FOR, CC_OMP_CANCELS_LOOP, "for"},
        {CC_OMP_OF_SECTIONS, CC_OMP_PART_SECTIONS, CC_OMP_CANCELS_SECTIONS, "sections"},
        {CC_OMP_OF_TASKGROUP, TASKS, CC_OMP_CANCELS_TASKGROUP, "taskgroup"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const CcOmpClause *clause = cc_omp_find(clauses->first, kinds[i].id);
        if (!clause)
            continue;
        *name = kinds[i].name;
        *construct = kinds[i].construct;
        CcOmpConstruct *c = cancelled(p, kinds[i].parts);
        if (!c)
            return NULL;
        static const CcOmpClauseId against[] = {CC_OMP_NOWAIT, CC_OMP_ORDERED};
        for (size_t k = 0; k < G_N_ELEMENTS(against) && (i == 1 || i == 2); k++)
            if (cc_omp_clause(c, against[k]) && kind->parts & CC_OMP_PART_CANCEL)
                cc_front_error(p, clause->loc, "a construct with the clause '%s' cannot be cancelled",
                               cc_omp_clause(c, against[k])->kind->name);
        return i == 0 || i == 3 ? &c->region_end : &c->end;
    }
    return NULL;
}

static CcStmt *cancel(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc)
{
    CcStmtList list = {NULL, NULL};
    unsigned construct = 0;
    const char *name = NULL;
    CcLabel **label = cancel_target(p, kind, clauses, &construct, &name);
    if (!label) {
        if (name)
            cc_front_error(p, loc, "'#pragma omp %s %s' is not directly in a '%s' construct", kind->name, name,
                           construct == CC_OMP_CANCELS_TASKGROUP ? "task" : name);
        else
            cc_front_error(p, loc, "'#pragma omp %s' needs what to cancel: parallel, for, sections or taskgroup",
                           kind->name);
        return cc_omp_block(p, list, loc, loc);
    }
    if (!*label)
        *label = cc_omp_label(p, "cancelled", loc);
    CcExpr *what = cc_omp_int(p, construct, loc);
    CcExpr *call = kind->parts & CC_OMP_PART_CANCEL ? cc_omp_call(p, loc, "__omp_cancel", "iui", what,
                                                                  condition_of(p, clauses->first, "cancel", loc))
                                                    : cc_omp_call(p, loc, "__omp_cancellation_point", "iu", what);
    return cc_sema_if(p, call, cc_omp_goto(p, *label, loc), NULL, loc);
}

/* -- single, critical and the like ------------------------------------------------------------- */

static void barrier(CcParser *p, CcStmtList *list, CcLoc loc)
{
    cc_omp_leave_if(p, list, cc_omp_call(p, loc, "__omp_barrier", "i"));
}

/* copyprivate: the thread that ran the block gives the addresses of its variables to the others. */
static void copy_out(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *mine)
{
    CcLoc loc = c->loc;
    CcStmtList give = {NULL, NULL}, take = {NULL, NULL};
    unsigned n = 0;
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item && clause->kind->id == CC_OMP_COPYPRIVATE; item = item->next)
            n++;
    CcSymbol *record = cc_omp_hidden(p, list, "record", cc_type_array_of(p, p->void_pointer, n), loc);
    CcSymbol *from = cc_omp_hidden(p, list, "from", p->void_pointer, loc);
    uint64_t offset = 0;
    for (const CcOmpClause *clause = c->clauses; clause; clause = clause->next)
        for (const CcOmpItem *item = clause->items; item && clause->kind->id == CC_OMP_COPYPRIVATE; item = item->next) {
            if (!item->symbol)
                continue;
            CcType *pointer = cc_type_pointer_to(p, item->symbol->type);
            cc_omp_set(p, &give, cc_omp_field(p, cc_omp_var(p, record, loc), offset, p->void_pointer),
                       cc_omp_address(p, cc_sema_variable(p, item->symbol, loc)));
            CcExpr *address = cc_omp_field(p, cc_omp_var(p, from, loc), offset, pointer);
            cc_omp_copy(p, &take, cc_sema_variable(p, item->symbol, loc), cc_sema_dereference(p, address, loc));
            offset += 8;
        }
    cc_sema_append(list, cc_sema_if(p, cc_omp_var(p, mine, loc), cc_omp_block(p, give, loc, loc), NULL, loc));
    CcExpr *own = cc_sema_conditional(p, cc_omp_var(p, mine, loc), cc_omp_address(p, cc_omp_var(p, record, loc)),
                                      cc_sema_cast_expr(p, p->void_pointer, cc_omp_int(p, 0, loc), loc), loc);
    cc_omp_set(p, list, cc_omp_var(p, from, loc), cc_omp_call(p, loc, "__omp_copyprivate", "pp", own));
    CcExpr *other = cc_sema_unary(p, CC_NOT, cc_omp_var(p, mine, loc), loc);
    cc_sema_append(list, cc_sema_if(p, other, cc_omp_block(p, take, loc, loc), NULL, loc));
}

static CcStmt *single(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL}, inner = c->head;
    CcLoc loc = c->loc;
    CcSymbol *mine = cc_omp_hidden(p, &list, "mine", p->basic[CC_INT], loc);
    cc_omp_set(p, &list, cc_omp_var(p, mine, loc), cc_omp_call(p, loc, "__omp_single_begin", "i"));
    cc_sema_append(&inner, body);
    CcStmt *block = cc_omp_block(p, inner, loc, cc_omp_end_of(body, loc));
    cc_sema_append(&list, cc_sema_if(p, cc_omp_var(p, mine, loc), block, NULL, loc));
    const CcOmpClause *copies = cc_omp_clause(c, CC_OMP_COPYPRIVATE), *nowait = cc_omp_clause(c, CC_OMP_NOWAIT);
    if (copies && nowait)
        cc_front_error(p, nowait->loc, "'nowait' and 'copyprivate' exclude each other: the others need the values");
    if (copies && !c->broken)
        copy_out(p, c, &list, mine);
    if (!nowait)
        barrier(p, &list, loc);
    return cc_omp_block(p, list, loc, loc);
}

/* The lock of a critical region is a common object, so that all units that name it have the same. */
static CcSymbol *lock_of(CcParser *p, const CcOmpConstruct *c)
{
    const CcOmpClause *named = cc_omp_clause(c, CC_OMP_OPERANDS);
    g_autofree char *name = g_strdup_printf("omp_critical.%s", named && named->operation ? named->operation->text : "");
    CcSymbol *known = g_hash_table_lookup(p->linkage, name);
    if (known)
        return known;
    CcType *type = cc_type_array_of(p, p->basic[CC_ULONG], CC_OMP_LOCK_WORDS);
    CcSymbol *lock =
        cc_scope_new_symbol(p, CC_SYM_VARIABLE, cc_arena_strdup(p->arena, name, strlen(name)), type, c->loc);
    lock->file_scope = lock->tentative = lock->used = lock->addressed = true;
    lock->storage = CC_GLOBAL;
    lock->region = NULL;
    g_hash_table_insert(p->linkage, (gpointer)lock->name, lock);
    g_ptr_array_add(p->unit->symbols, lock);
    return lock;
}

/* Runs the block between two calls. */
static CcStmt *between(CcParser *p, CcOmpConstruct *c, CcExpr *first, CcStmt *body, CcExpr *last)
{
    CcStmtList list = {NULL, NULL};
    cc_omp_do(p, &list, first);
    list = cc_sema_concat(list, c->head);
    cc_sema_append(&list, body);
    last->loc = cc_omp_end_of(body, c->loc);
    cc_omp_do(p, &list, last);
    return cc_omp_block(p, list, c->loc, cc_omp_end_of(body, c->loc));
}

static CcStmt *critical(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcSymbol *lock = lock_of(p, c);
    return between(
        p, c, cc_omp_call(p, c->loc, "__omp_critical_begin", "vp", cc_omp_address(p, cc_omp_var(p, lock, c->loc))),
        body, cc_omp_call(p, c->loc, "__omp_critical_end", "vp", cc_omp_address(p, cc_omp_var(p, lock, c->loc))));
}

/* A section is marked for the sections around it. */
static CcStmt *section(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {body, body};
    CcStmt *block = cc_omp_block(p, list, c->loc, cc_omp_end_of(body, c->loc));
    block->back = block;
    return block;
}

/* -- ends of constructs ------------------------------------------------------------------------ */

/* Returns the statement of the innermost part. */
static CcStmt *innermost(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcLoc loc = c->loc;
    if (c->kind->follows == CC_OMP_LOOP) {
        if (c->broken || !cc_omp_read_loops(p, c, body))
            return body;
        if (cc_omp_has(c, CC_OMP_PART_TASKLOOP))
            return body; /* cc_omp_task() does the rest */
        return cc_omp_has(c, CC_OMP_PART_FOR) ? cc_omp_for(p, c, body) : cc_omp_serial_loop(p, c, body);
    }
    if (cc_omp_has(c, CC_OMP_PART_SECTIONS))
        return cc_omp_sections(p, c, body);
    if (cc_omp_has(c, CC_OMP_PART_SECTION))
        return section(p, c, body);
    if (cc_omp_has(c, CC_OMP_PART_SINGLE))
        return single(p, c, body);
    if (cc_omp_has(c, CC_OMP_PART_MASTER))
        return cc_sema_if(p, cc_omp_call(p, loc, "__omp_master", "i"), body, NULL, loc);
    if (cc_omp_has(c, CC_OMP_PART_CRITICAL))
        return critical(p, c, body);
    if (cc_omp_has(c, CC_OMP_PART_ORDERED) && (!cc_omp_clause(c, CC_OMP_SIMD) || cc_omp_clause(c, CC_OMP_THREADS)))
        return between(p, c, cc_omp_call(p, loc, "__omp_ordered_begin", "v"), body,
                       cc_omp_call(p, loc, "__omp_ordered_end", "v"));
    if (cc_omp_has(c, CC_OMP_PART_TASKGROUP))
        return between(p, c, cc_omp_call(p, loc, "__omp_taskgroup_begin", "v"), body,
                       cc_omp_call(p, loc, "__omp_taskgroup_end", "v"));
    if (cc_omp_has(c, CC_OMP_PART_ATOMIC))
        return cc_omp_atomic(p, c, body);
    CcStmtList list = c->head; /* parallel, task, target, teams, ordered simd: the block itself */
    cc_sema_append(&list, body);
    if (c->region_end)
        cc_sema_append(&list, cc_omp_label_here(p, c->region_end, loc));
    if (!cc_omp_has(c, TASKS))
        cc_omp_finish_copies(p, c, &list, NULL);
    return cc_omp_block(p, list, loc, cc_omp_end_of(body, loc));
}

/* Declares and fills the record of a region that copies no VLA. */
static CcSymbol *record_of(CcParser *p, CcStmtList *list, const CcRegion *region, CcLoc loc)
{
    CcType *words = cc_type_array_of(p, p->basic[CC_ULONG], region->size / 8 + 1);
    CcSymbol *record = cc_omp_hidden(p, list, "record", words, loc);
    record->align = MAX(region->align, 8u);
    cc_omp_fill(p, list, region, record);
    return record;
}

static CcStmt *run_parallel(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    static const char *const places[] = {"", "", "master", "close", "spread"};
    CcStmtList list = {NULL, NULL}, whole = {body, body};
    CcLoc loc = c->loc, end = cc_omp_end_of(body, loc);
    if (c->region_end && !c->region_end->statement)
        cc_sema_append(&whole, cc_omp_label_here(p, c->region_end, loc));
    add_leaves(p, c);
    cc_region_end(p, c->region, cc_omp_block(p, whole, loc, end), end);
    const CcOmpClause *number = cc_omp_clause(c, CC_OMP_NUM_THREADS), *bind = cc_omp_clause(c, CC_OMP_PROC_BIND);
    CcExpr *threads = cc_omp_int(p, 0, loc);
    if (number && !c->broken) {
        CcOmpValue wanted = cc_omp_once(p, &list, "threads", cc_sema_cast_expr(p, p->basic[CC_INT], number->expr, loc));
        CcExpr *positive = cc_omp_binary(p, CC_GREATER, cc_omp_value(p, &wanted, loc), cc_omp_int(p, 0, loc));
        threads = cc_sema_conditional(p, positive, cc_omp_value(p, &wanted, loc), cc_omp_int(p, -1, loc), loc);
    }
    unsigned place = 0;
    for (unsigned i = 2; bind && i < G_N_ELEMENTS(places); i++)
        place = strcmp(bind->words[0], places[i]) == 0 ? i : place;
    CcSymbol *record = record_of(p, &list, c->region, loc);
    cc_omp_do(p, &list,
              cc_omp_call(p, loc, "__omp_fork", "vppiiu", cc_omp_address(p, cc_omp_var(p, c->region->function, loc)),
                          cc_omp_address(p, cc_omp_var(p, record, loc)), threads, cc_omp_condition(p, c, "parallel"),
                          cc_omp_int(p, place, loc)));
    return cc_omp_block(p, list, loc, end);
}

static CcExpr *number_or_zero(CcParser *p, const CcOmpValue *value, CcLoc loc)
{
    return value->symbol || value->number ? cc_omp_value(p, value, loc) : cc_omp_int(p, 0, loc);
}

static CcStmt *run_teams(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL}, whole = {body, body};
    CcLoc loc = c->loc, end = cc_omp_end_of(body, loc);
    cc_region_end(p, c->league, cc_omp_block(p, whole, loc, end), end);
    CcSymbol *record = record_of(p, &list, c->league, loc);
    cc_omp_do(p, &list,
              cc_omp_call(p, loc, "__omp_teams", "vppii", cc_omp_address(p, cc_omp_var(p, c->league->function, loc)),
                          cc_omp_address(p, cc_omp_var(p, record, loc)), number_or_zero(p, &c->teams, loc),
                          number_or_zero(p, &c->limit, loc)));
    return cc_omp_block(p, list, loc, end);
}

static void wait_for_depends(CcParser *p, const CcOmpClause *clauses, CcStmtList *list, CcLoc loc)
{
    CcSymbol *depends = NULL;
    unsigned n = cc_omp_depends(p, clauses, list, &depends, loc);
    if (n)
        cc_omp_do(p, list,
                  cc_omp_call(p, loc, "__omp_taskwait_depend", "vup", cc_omp_int(p, n, loc),
                              cc_omp_address(p, cc_omp_var(p, depends, loc))));
}

static CcStmt *run_target(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcStmtList list = {NULL, NULL}, whole = {body, body};
    CcLoc loc = c->loc, end = cc_omp_end_of(body, loc);
    cc_region_end(p, c->target, cc_omp_block(p, whole, loc, end), end);
    wait_for_depends(p, c->clauses, &list, loc);
    CcSymbol *record = cc_omp_record(p, &list, c->target, loc);
    cc_omp_do(p, &list, cc_omp_call(p, loc, "__omp_target", "vp", cc_omp_var(p, record, loc)));
    return cc_omp_block(p, list, loc, end);
}

CcStmt *cc_omp_end(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    CcLoc loc = c->loc, end = cc_omp_end_of(body, loc);
    bool marked = cc_omp_has(c, CC_OMP_PART_SECTION);
    CcStmt *result = innermost(p, c, body);
    /* What evaluates clauses refers to names outside of the scope, which the region's end leaves. */
    if (cc_omp_has(c, CC_OMP_PART_PARALLEL))
        result = run_parallel(p, c, result);
    else if (cc_omp_has(c, TASKS))
        result = cc_omp_task(p, c, result);
    if (c->around.first)
        result = cc_omp_distribute(p, c, result);
    if (c->league)
        result = run_teams(p, c, result);
    if (c->target)
        result = run_target(p, c, result);
    leave(p, c);
    if (!c->before.first || marked)
        return result;
    CcStmtList list = c->before;
    cc_sema_append(&list, result);
    return cc_omp_block(p, list, loc, end);
}

/* -- directives without a statement ------------------------------------------------------------ */

CcStmt *cc_omp_alone(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc)
{
    CcStmtList list = {NULL, NULL};
    cc_omp_check_nesting(p, kind, clauses->first, loc);
    if (!cc_omp_check_clauses(p, kind, clauses->first, loc))
        return cc_omp_block(p, list, loc, loc);
    if (kind->parts & CC_OMP_PART_BARRIER)
        barrier(p, &list, loc);
    else if (kind->parts & CC_OMP_PART_TASKWAIT)
        cc_omp_do(p, &list, cc_omp_call(p, loc, "__omp_taskwait", "v"));
    else if (kind->parts & CC_OMP_PART_TASKYIELD)
        cc_omp_do(p, &list, cc_omp_call(p, loc, "__omp_taskyield", "v"));
    else if (kind->parts & CC_OMP_PART_FLUSH)
        cc_omp_do(p, &list, cc_omp_call(p, loc, "__omp_flush", "v"));
    else if (kind->parts & (CC_OMP_PART_CANCEL | CC_OMP_PART_CANCELLATION_POINT))
        return cancel(p, kind, clauses, loc);
    else if (kind->parts & CC_OMP_PART_ORDERED)
        return cc_omp_doacross(p, clauses, loc);
    else if (kind->parts & CC_OMP_PART_DATA) /* the device is the host: nothing moves */
        wait_for_depends(p, clauses->first, &list, loc);
    return cc_omp_block(p, list, loc, loc);
}

void cc_omp_threadprivate(CcParser *p, CcOmpItem *items, CcLoc loc)
{
    (void)loc;
    for (CcOmpItem *item = items; item; item = item->next) {
        CcSymbol *symbol = item->symbol;
        if (!symbol)
            continue;
        if (!symbol->file_scope && symbol->storage != CC_STATIC && symbol->storage != CC_EXTERN)
            cc_front_error(p, item->loc, "'%s' is automatic: each thread that declares it has its own", symbol->name);
        else if (item->expr)
            cc_front_error(p, item->loc, "threadprivate takes whole variables, not a part of '%s'", symbol->name);
        else if (symbol->type->incomplete)
            cc_front_error(p, item->loc, "'%s' has an incomplete type: no thread can have a copy", symbol->name);
        else if (symbol->references > 0 && !symbol->thread)
            cc_front_error(p, item->loc, "'%s' is threadprivate only behind its first use; say so in front of it",
                           symbol->name);
        else
            symbol->thread = true;
    }
}
