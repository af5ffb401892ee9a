/* expressions.h - how expressions are made, converted and folded: for the files of this room. */
#ifndef ORRERY_COMPILER_EXPRESSIONS_H
#define ORRERY_COMPILER_EXPRESSIONS_H

#include "compiler/sema/sema.h"

CcExpr *cc_sema_expr_new(CcParser *p, CcExprKind kind, CcType *type, CcLoc loc, CcExpr *left, CcExpr *right);
void cc_sema_set_depth(CcParser *p, CcExpr *expr, const CcExpr *child);
CcExpr *cc_sema_real(CcParser *p, CcType *type, double value, CcLoc loc);
bool cc_sema_modifiable(CcParser *p, const CcExpr *expr, const char *what); /* "assignment to"; says why not */
/* The argument as a transparent union (GNU) by the first member that takes it; NULL: none does. */
CcExpr *cc_sema_transparent_argument(CcParser *p, CcType *type, CcExpr *argument);
bool cc_sema_is_builtin_name(const char *name);
CcExpr *cc_sema_call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc);

CcExpr *cc_sema_rvalue(CcParser *p, CcExpr *expr);                /* decays arrays and functions */
CcExpr *cc_sema_convert(CcParser *p, CcExpr *expr, CcType *type); /* implicit cast without checks; folds numbers */
CcExpr *cc_sema_operand(CcParser *p, CcExpr *expr, CcType *type); /* converts an operand of an operator */
CcExpr *cc_sema_promote(CcParser *p, CcExpr *expr);               /* integer promotions */
CcExpr *cc_sema_promote_argument(CcParser *p, CcExpr *expr);      /* default argument promotions */
CcType *cc_sema_common_type(CcParser *p, CcExpr **left, CcExpr **right); /* usual arithmetic conversions, C11 6.3.1.8 */
unsigned cc_sema_common_bits(const CcExpr *left, const CcExpr *right);   /* GNU: of wide bit-fields; 0: none */
CcExpr *cc_sema_wrap(CcParser *p, CcExpr *expr, unsigned bits);

/* __int128 (wide.c): conversions from and to it, quotients, and what changes an object. */
CcExpr *cc_sema_wide_convert(CcParser *p, CcExpr *expr, CcType *type);
CcExpr *cc_sema_wide_divide(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_wide_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_wide_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);
/* Converts as if by assignment. `what` completes "...": "assigning to", "passing argument 2 of 'f'" ... */
typedef enum CcAssignKind { CC_ASSIGNING, CC_INITIALISING, CC_PASSING, CC_RETURNING } CcAssignKind;
typedef struct CcAssignContext {
    CcAssignKind kind;
    unsigned argument;
    const char *function;
    const CcSymbol *callee;
} CcAssignContext;
CcExpr *cc_sema_assign_convert(CcParser *p, CcExpr *expr, CcType *type, const CcAssignContext *context);
CcExpr *cc_sema_condition(CcParser *p, CcExpr *expr, const char *what); /* a scalar rvalue */

CcExpr *cc_sema_fold(CcParser *p, CcExpr *expr); /* the node itself, or the number it is */
CcExpr *cc_sema_fold_cast(CcParser *p, CcExpr *number, CcType *type, CcLoc loc);
/* The same for __int128 (constant_wide.c). */
CcExpr *cc_sema_fold_wide(CcParser *p, CcExpr *expr);
CcExpr *cc_sema_fold_wide_cast(CcParser *p, const CcExpr *number, CcType *type, CcLoc loc);
CcExpr *cc_sema_fold_address(CcParser *p, CcExpr *expr); /* casts and differences of known addresses */
/* For static objects: a number, a string for arrays, or an address constant; NULL (reported) if not constant. */
CcExpr *cc_sema_static_value(CcParser *p, CcExpr *expr, const char *name);

/* sizeof(a) / sizeof(a[0]) of what is no array. */
void cc_check_size_division(CcParser *p, const CcExpr *left, const CcExpr *right, CcLoc loc);
/* An implicit conversion between arithmetic types, as if by assignment (check_conversion.c). */
void cc_check_conversion(CcParser *p, const CcExpr *e, const CcType *type);

#endif
