/* construct.h - shared by the files of this room: a construct while it is being read, and helpers that build trees. */
#ifndef ORRERY_COMPILER_OMP_CONSTRUCT_H
#define ORRERY_COMPILER_OMP_CONSTRUCT_H

#include "compiler/omp/omp.h"

enum { /* what directives are made of */
       CC_OMP_PART_PARALLEL = 1 << 0,
       CC_OMP_PART_FOR = 1 << 1,
       CC_OMP_PART_SIMD = 1 << 2,
       CC_OMP_PART_SECTIONS = 1 << 3,
       CC_OMP_PART_SECTION = 1 << 4,
       CC_OMP_PART_SINGLE = 1 << 5,
       CC_OMP_PART_MASTER = 1 << 6,
       CC_OMP_PART_CRITICAL = 1 << 7,
       CC_OMP_PART_ORDERED = 1 << 8,
       CC_OMP_PART_ATOMIC = 1 << 9,
       CC_OMP_PART_TASK = 1 << 10,
       CC_OMP_PART_TASKLOOP = 1 << 11,
       CC_OMP_PART_TASKGROUP = 1 << 12,
       CC_OMP_PART_DISTRIBUTE = 1 << 13,
       CC_OMP_PART_TEAMS = 1 << 14,
       CC_OMP_PART_TARGET = 1 << 15,
       CC_OMP_PART_DATA = 1 << 16,
       CC_OMP_PART_TASKWAIT = 1 << 17,
       CC_OMP_PART_TASKYIELD = 1 << 18,
       CC_OMP_PART_BARRIER = 1 << 19,
       CC_OMP_PART_FLUSH = 1 << 20,
       CC_OMP_PART_CANCEL = 1 << 21,
       CC_OMP_PART_CANCELLATION_POINT = 1 << 22,
};

/* The constants of the runtime's ABI (clib/runtime/omp_abi.h), which says what they mean. */
enum {
    CC_OMP_SCHEDULE_RUNTIME = 0,
    CC_OMP_SCHEDULE_STATIC = 1,
    CC_OMP_SCHEDULE_DYNAMIC = 2,
    CC_OMP_SCHEDULE_MONOTONIC = 0x100,
    CC_OMP_SCHEDULE_NONMONOTONIC = 0x200,
    CC_OMP_SCHEDULE_SIMD = 0x400,
    CC_OMP_LOOP_ORDERED = 1,
    CC_OMP_LOOP_WORDS = 16, /* unsigned longs in a struct __omp_loop: from, to, and the runtime's */
    CC_OMP_LOCK_WORDS = 8,
    CC_OMP_TASK_UNTIED = 1,
    CC_OMP_TASK_FINAL = 2,
    CC_OMP_TASK_MERGEABLE = 4,
    CC_OMP_TASK_UNDEFERRED = 8,
    CC_OMP_TASK_NOGROUP = 16,
    CC_OMP_CANCELS_PARALLEL = 1,
    CC_OMP_CANCELS_LOOP = 2,
    CC_OMP_CANCELS_SECTIONS = 4,
    CC_OMP_CANCELS_TASKGROUP = 8,
};

enum { CC_OMP_MOST_LOOPS = 64 };

/* A value that is computed once and used several times. */
typedef struct CcOmpValue {
    CcSymbol *symbol; /* the hidden variable that holds it; NULL: a number */
    CcExpr *number;
} CcOmpValue;

/* A private copy that a clause makes, or the rules for the variable of a loop. */
typedef struct CcOmpCopy {
    struct CcOmpCopy *next;
    CcSymbol *original, *copy;
    const CcOmpClause *clause; /* NULL: the variable of a loop */
    const CcOmpItem *item;
    bool last;        /* the last iteration's value goes into the original */
    bool first;       /* it begins with the original's value */
    CcOmpValue start; /* linear: the original's value */
    CcSymbol *source; /* firstprivate and lastprivate of a taskloop: what firstprivate says; NULL: the original */
    CcOmpValue step;  /* linear: what it grows by in each iteration */
    CcOmpValue base;  /* reduction of arrays: pointer to the first element of the original */
    CcOmpValue count; /* and the number of elements */
    CcSymbol *buffer; /* reduction of an array section: its elements */
    CcType *element;  /* reduction of arrays: type of the elements; NULL: no array */
} CcOmpCopy;

/* A loop whose iterations are numbered: variable = start + k * step for 0 <= k < count. */
typedef struct CcOmpLoop {
    CcLoc loc;
    CcIdent *ident;   /* the variable that the head assigns to; NULL: it declares one */
    CcSymbol *symbol; /* the variable, private */
    bool declared;    /* by the head */
    CcStmt *body;
    CcExpr *first, *bound, *step_expr;
    CcExprKind relation; /* of the variable to the bound */
    bool subtracts;      /* the head subtracts the step */
    CcOmpValue start, step, count;
    /* Of loops with ordered(n), for depend in their bodies, which are read before the values are known. */
    struct {
        CcSymbol *start, *step, *count, *number; /* number: the current k */
    } across;
} CcOmpLoop;

struct CcOmpConstruct {
    CcOmpConstruct *outer;
    const CcOmpKind *kind;
    const CcOmpClause *clauses;
    CcLoc loc;
    bool broken;           /* an error was reported: only the statement itself is kept */
    CcStmtList before;     /* in front of everything: what clauses say, evaluated */
    CcStmtList head, tail; /* at the start and the end of the innermost part */
    CcOmpCopy *copies, **last_copy;
    CcRegion *target, *league, *region; /* outlined regions; league: of teams; region: of parallel, task, taskloop */
    CcBlockOfDirective *block;
    CcScope *scope;
    CcLabel *end, *region_end; /* where cancel goes; NULL: no cancel */
    GPtrArray *leaves;         /* CcStmt *: calls that may say that the region has been cancelled */
    CcOmpValue chunk, share;   /* sizes of chunks: of schedule, of dist_schedule */
    CcOmpValue teams, limit;   /* num_teams, thread_limit */
    /* Loops. */
    unsigned n_loops, collapse, ordered, loops_left;
    CcOmpLoop *loops;
    CcSymbol *state;   /* struct __omp_loop */
    CcOmpValue trips;  /* product of the collapsed loops */
    CcOmpValue shift;  /* distribute parallel for: the first iteration of the team's chunk */
    CcOmpValue all;    /* and the iterations of all teams */
    CcStmtList around; /* and what stands in front of the parallel region */
    CcSymbol *portion; /* distribute: struct __omp_loop */
    CcSymbol *is_last; /* set by the thread that runs the last iteration */
};

static inline bool cc_omp_has(const CcOmpConstruct *c, unsigned parts)
{
    return c->kind->parts & parts;
}
const CcOmpClause *cc_omp_clause(const CcOmpConstruct *c, CcOmpClauseId id);
const CcOmpClause *cc_omp_find(const CcOmpClause *first, CcOmpClauseId id);
/* Whether the clause IF is for this part of the directive. */
CcExpr *cc_omp_condition(CcParser *p, const CcOmpConstruct *c, const char *part);

/* -- restrictions (clauses.c, nesting.c) --------------------------------------------------------- */

/* Checks what the standard demands of the clauses of a directive. Returns false after an error. */
bool cc_omp_check_clauses(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc);
/* Reports a construct that cannot be in those around it. */
void cc_omp_check_nesting(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc);

/* -- trees (build.c) --------------------------------------------------------------------------- */

/* Declares a hidden variable. */
CcSymbol *cc_omp_hidden(CcParser *p, CcStmtList *list, const char *stem, CcType *type, CcLoc loc);
/* Evaluates the expression once, in a hidden variable of its type. Numbers stay numbers. */
CcOmpValue cc_omp_once(CcParser *p, CcStmtList *list, const char *stem, CcExpr *expr);
CcExpr *cc_omp_value(CcParser *p, const CcOmpValue *value, CcLoc loc);
static inline bool cc_omp_is(const CcOmpValue *value, uint64_t number)
{
    return value->number && value->number->integer == number;
}
CcExpr *cc_omp_var(CcParser *p, CcSymbol *symbol, CcLoc loc);
CcExpr *cc_omp_int(CcParser *p, int64_t value, CcLoc loc);
CcExpr *cc_omp_ulong(CcParser *p, CcExpr *expr);
CcExpr *cc_omp_binary(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right);
void cc_omp_do(CcParser *p, CcStmtList *list, CcExpr *expr);
void cc_omp_set(CcParser *p, CcStmtList *list, CcExpr *left, CcExpr *right);
/* Calls a function of the runtime. `signature` is as in library.def; its arguments, expressions, follow. */
CcExpr *cc_omp_call(CcParser *p, CcLoc loc, const char *name, const char *signature, ...);
/* *(type *)((char *)pointer + offset) */
CcExpr *cc_omp_field(CcParser *p, CcExpr *pointer, uint64_t offset, CcType *type);
CcExpr *cc_omp_address(CcParser *p, CcExpr *lvalue); /* as void * */
/* Copies an object of any type. */
void cc_omp_copy(CcParser *p, CcStmtList *list, CcExpr *to, CcExpr *from);
/* for (k = from; k < to; k++) body, where k is an unsigned long. */
CcStmt *cc_omp_count(CcParser *p, CcSymbol *k, CcExpr *from, CcExpr *to, CcStmt *body, CcLoc loc);
CcStmt *cc_omp_block(CcParser *p, CcStmtList list, CcLoc loc, CcLoc end);
CcLoc cc_omp_end_of(const CcStmt *body, CcLoc loc);
CcLabel *cc_omp_label(CcParser *p, const char *name, CcLoc loc);
CcStmt *cc_omp_label_here(CcParser *p, CcLabel *label, CcLoc loc);
CcStmt *cc_omp_goto(CcParser *p, CcLabel *label, CcLoc loc);

/* -- data (data.c) ----------------------------------------------------------------------------- */

/* Finds the private copies that the clauses ask for. Called in front of the construct. */
void cc_omp_collect(CcParser *p, CcOmpConstruct *c);
/* Makes them, those of the innermost part, and declares them in its scope. */
void cc_omp_copies(CcParser *p, CcOmpConstruct *c);
/* Gives the variable of a loop its copy. Returns the copy. */
CcSymbol *cc_omp_loop_variable(CcParser *p, CcOmpConstruct *c, CcIdent *ident, bool last, CcLoc loc);
/* Appends what ends the copies: last values and reductions. `is_last`: condition; NULL: always. */
void cc_omp_finish_copies(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *is_last);
bool cc_omp_needs_last(const CcOmpConstruct *c);
CcType *cc_omp_plain_type(CcParser *p, CcType *type);

/* -- reductions (reduction.c) ------------------------------------------------------------------ */

/* Evaluates what an array section is, in front of the construct. */
void cc_omp_reduction_prepare(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy);
/* Declares and initialises the copy. */
void cc_omp_reduction_start(CcParser *p, CcOmpConstruct *c, CcOmpCopy *copy);
/* Whether making the copy reads the original, so that no thread may combine before all have made theirs. */
bool cc_omp_reduction_reads_original(const CcParser *p, const CcOmpCopy *copy);
void cc_omp_reduction_combine(CcParser *p, CcStmtList *list, const CcOmpCopy *copy);

/* -- loops (loop.c) ---------------------------------------------------------------------------- */

void cc_omp_loops_expected(CcParser *p, CcOmpConstruct *c);
/* Finds the loops in the statement and their bounds. Returns false if an error was reported. */
bool cc_omp_read_loops(CcParser *p, CcOmpConstruct *c, CcStmt *body);
/* Appends the computation of the number of iterations. */
void cc_omp_count_trips(CcParser *p, CcOmpConstruct *c, CcStmtList *list);
/* The same in the region around that of the construct, whose copies of variables are not there yet. */
void cc_omp_count_outside(CcParser *p, CcOmpConstruct *c, CcStmtList *list);
/* Where `is_last` holds, sets the variables of loops to the values that they have behind them. */
void cc_omp_set_ends(CcParser *p, CcOmpConstruct *c, CcStmtList *list, CcSymbol *is_last);
/* Returns the loop over iterations from <= k < to. */
CcStmt *cc_omp_iterations(CcParser *p, CcOmpConstruct *c, CcExpr *from, CcExpr *to);
/* The statement of a worksharing loop, of a loop of one thread, of sections. */
CcStmt *cc_omp_for(CcParser *p, CcOmpConstruct *c, CcStmt *body);
CcStmt *cc_omp_serial_loop(CcParser *p, CcOmpConstruct *c, CcStmt *body);
/* Runs the parallel region of distribute parallel for, once for each chunk of the team. */
CcStmt *cc_omp_distribute(CcParser *p, CcOmpConstruct *c, CcStmt *region);
CcStmt *cc_omp_sections(CcParser *p, CcOmpConstruct *c, CcStmt *body);
/* Appends a call whose result says that the parallel region has been cancelled: the thread then goes to its end. */
void cc_omp_leave_if(CcParser *p, CcStmtList *list, CcExpr *call);
/* ordered depend(source) or depend(sink: ...). */
CcStmt *cc_omp_doacross(CcParser *p, const CcOmpClauses *clauses, CcLoc loc);

CcType *cc_omp_loop_type(CcParser *p); /* of a struct __omp_loop */

/* -- tasks and other directives (task.c, atomic.c) --------------------------------------------- */

CcStmt *cc_omp_task(CcParser *p, CcOmpConstruct *c, CcStmt *body);
CcStmt *cc_omp_atomic(CcParser *p, CcOmpConstruct *c, CcStmt *body);
/* Appends statements that fill the record of a region, whose address is `record`, a void *. */
void cc_omp_fill(CcParser *p, CcStmtList *list, const CcRegion *region, CcSymbol *record);
/* Appends the making of a record by __omp_task_new(), filled. Returns the variable with its address. */
CcSymbol *cc_omp_record(CcParser *p, CcStmtList *list, const CcRegion *region, CcLoc loc);
/* Appends an array of dependences from the clauses depend. Returns their number. *array: NULL if there are none. */
unsigned cc_omp_depends(CcParser *p, const CcOmpClause *clauses, CcStmtList *list, CcSymbol **array, CcLoc loc);

#endif
