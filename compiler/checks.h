/* checks.h - what the checks (checks.def) share: a walk over a function's tree, and questions asked of calls.
 *
 * Checks only look: they change nothing, and lowering does not depend on them. What they report goes through
 * cc_report() with the warning's option, which drops it if it is off.
 */
#ifndef ORRERY_COMPILER_CHECKS_H
#define ORRERY_COMPILER_CHECKS_H

#include "compiler/front.h"

/* Runs every check that is on over every function of the unit. Linear in the size of the unit, if each check is. */
void cc_run_checks(CcUnit *unit);
/* The local ones only: for a unit with errors. */
void cc_run_local_checks(CcUnit *unit);

/* Is told of every node, parents first, in order of the source. NULL: not interested. `expression` answers whether to
 * go on below the node. */
typedef struct CcVisitor {
    void (*statement)(const CcStmt *statement, void *user);
    bool (*expression)(const CcExpr *expr, void *user);
} CcVisitor;
/* A statement and all that follows it in its block; NULL is nothing. Statement expressions and the initialisers of
 * declared variables are walked too. Recursion is bounded by the limits on nesting that the parser keeps. */
void cc_walk_statements(const CcStmt *first, const CcVisitor *visitor, void *user);
void cc_walk_expression(const CcExpr *expr, const CcVisitor *visitor, void *user);

/* The function that a call names, or NULL (a call through a pointer, or no call). */
const CcSymbol *cc_called_function(const CcExpr *call);
/* The expression below implicit and explicit casts. */
const CcExpr *cc_without_casts(const CcExpr *expr);

#define CC_CHECK(function, warning)      void function(CcUnit *unit, CcSymbol *symbol);
#define CC_UNIT_CHECK(function, warning) void function(CcUnit *unit);
#include "compiler/checks.def"

#endif
