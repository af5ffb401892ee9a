/* omp.h - directives of OpenMP 4.5: what the grammar calls to make trees of them.
 *
 * A directive with its clauses is a CcOmpDirective. A construct is one that a statement follows. The grammar calls
 * cc_omp_begin() before it reads the statement and cc_omp_end() behind it; the result is an ordinary statement, made of
 * ordinary C and of calls of the runtime (clib/runtime/omp_abi.h). Regions that other threads run are outlined
 * (sema/regions.c).
 */
#ifndef ORRERY_COMPILER_OMP_H
#define ORRERY_COMPILER_OMP_H

#include "compiler/sema/sema.h"

typedef enum CcOmpFollows {
    CC_OMP_BLOCK,
    CC_OMP_LOOP,
    CC_OMP_ALONE,
    CC_OMP_SKIP,
    CC_OMP_THREADPRIVATE,
    CC_OMP_DECLARES,
} CcOmpFollows;
typedef enum CcOmpShape {
    CC_OMP_SHAPE_BARE,
    CC_OMP_SHAPE_EXPR,
    CC_OMP_SHAPE_MAYBE,
    CC_OMP_SHAPE_LIST,
    CC_OMP_SHAPE_OPERATION,
    CC_OMP_SHAPE_STEP,
    CC_OMP_SHAPE_WORDS,
    CC_OMP_SHAPE_WORD_LIST,
} CcOmpShape;
typedef enum CcOmpClauseId {
#define OMP_CLAUSE(id, name, shape, parts, flags, words) CC_OMP_##id,
#include "compiler/omp/omp_clauses.def"
} CcOmpClauseId;

typedef struct CcOmpKind { /* a row of omp_directives.def */
    const char *name;
    CcOmpFollows follows;
    unsigned parts;
} CcOmpKind;
typedef struct CcOmpClauseKind { /* a row of omp_clauses.def */
    CcOmpClauseId id;
    const char *name;
    CcOmpShape shape;
    unsigned parts;
    bool once, data;
    const char *words;
} CcOmpClauseKind;

typedef struct CcOmpItem { /* a variable of a list, or an array section */
    struct CcOmpItem *next;
    CcIdent *ident;
    CcSymbol *symbol; /* NULL: an error was reported */
    CcExpr *expr;     /* the object: the variable, or the first element of the section */
    CcExpr *length;   /* number of elements of the section, of all its dimensions; NULL: no section */
    CcLoc loc;
} CcOmpItem;
typedef struct CcOmpClause {
    struct CcOmpClause *next;
    const CcOmpClauseKind *kind;
    CcLoc loc;
    CcOmpItem *items;
    CcExpr *expr;
    CcExprList *vector;   /* depend(sink: ...) */
    const char *words[4]; /* in the order of the source */
    unsigned n_words;
    CcIdent *operation;        /* reduction by a name, as min or one of declare reduction */
    int sign;                  /* reduction by an operator: its character, or one of CC_OMP_SIGN_... */
    const CcOmpKind *modifier; /* if(parallel: ...); NULL: none */
} CcOmpClause;
enum { CC_OMP_SIGN_BOTH = 'a', CC_OMP_SIGN_EITHER = 'o' }; /* && and || */
typedef struct CcOmpClauses {
    CcOmpClause *first, *last;
} CcOmpClauses;

/* -- words (directives.c) ---------------------------------------------------------------------- */

/* Returns the directive with that name, words separated by one space, or NULL. */
const CcOmpKind *cc_omp_find_directive(const char *name);
/* Returns how many words of a name begin the name of a directive: whether "target enter" could go on. */
bool cc_omp_begins_directive(const char *words);
/* Returns the clause with that name that the directive may have; NULL: it may not. */
const CcOmpClauseKind *cc_omp_find_clause(const CcOmpKind *directive, const char *name);
/* Whether the name is that of a clause of any directive. */
bool cc_omp_is_clause(const char *name);

/* -- lists (items.c) --------------------------------------------------------------------------- */

CcOmpItem *cc_omp_item(CcParser *p, CcIdent *ident, CcLoc loc);
/* item[index], item[low:length] (both may be NULL), item.member and item->member. */
CcOmpItem *cc_omp_item_index(CcParser *p, CcOmpItem *item, CcExpr *index, CcLoc loc);
CcOmpItem *cc_omp_item_section(CcParser *p, CcOmpItem *item, CcExpr *low, CcExpr *length, CcLoc loc);
CcOmpItem *cc_omp_item_member(CcParser *p, CcOmpItem *item, CcIdent *member, bool arrow, CcLoc loc);
CcOmpItem *cc_omp_items_add(CcOmpItem *list, CcOmpItem *item);

/* -- constructs (construct.c) ------------------------------------------------------------------ */

typedef struct CcOmpConstruct CcOmpConstruct;
CcOmpConstruct *cc_omp_begin(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc);
CcStmt *cc_omp_end(CcParser *p, CcOmpConstruct *construct, CcStmt *body);
/* Drops a construct whose statement has a syntax error. */
void cc_omp_abandon(CcParser *p, CcOmpConstruct *construct);
/* A directive without a statement. */
CcStmt *cc_omp_alone(CcParser *p, const CcOmpKind *kind, const CcOmpClauses *clauses, CcLoc loc);
/* Tells of the head of a for, before it is read, whether a directive hands out its iterations. `ident`: the variable
 * that the head assigns to; NULL: it declares one. Returns the name of the directive, or NULL. */
const char *cc_omp_loop_head(CcParser *p, CcIdent *ident, CcLoc loc);
/* Tells that the body of such a for begins. */
void cc_omp_loop_body(CcParser *p);
void cc_omp_threadprivate(CcParser *p, CcOmpItem *items, CcLoc loc);

/* -- reductions that the program declares (reduction.c) ---------------------------------------- */

typedef struct CcOmpDeclared CcOmpDeclared;
/* Begins the combiner, an expression of omp_out and omp_in. */
CcOmpDeclared *cc_omp_reduction_begin(CcParser *p, CcIdent *name, int sign, CcType *type, CcLoc loc);
void cc_omp_reduction_combiner(CcParser *p, CcOmpDeclared *declared, CcExpr *combiner);
/* Begins the initialiser: an assignment to omp_priv, a call, or "omp_priv = { ... }". */
void cc_omp_reduction_initialiser(CcParser *p, CcOmpDeclared *declared);
void cc_omp_reduction_end(CcParser *p, CcOmpDeclared *declared, CcExpr *call, CcInitNode *value);

#endif
