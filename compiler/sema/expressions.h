/* expressions.h - creates, converts and folds expressions: functions that only the files of this room share. */
#ifndef ORRERY_COMPILER_EXPRESSIONS_H
#define ORRERY_COMPILER_EXPRESSIONS_H

#include "compiler/sema/sema.h"

CcExpr *cc_sema_expr_new(CcParser *p, CcExprKind kind, CcType *type, CcLoc loc, CcExpr *left, CcExpr *right);
/* Raises the depth of `expr` above that of a child. Too deep a tree is a fatal error. */
void cc_sema_set_depth(CcParser *p, CcExpr *expr, const CcExpr *child);
CcExpr *cc_sema_real(CcParser *p, CcType *type, double value, CcLoc loc);
/* Whether the expression is a modifiable lvalue. Reports an error if not; `what` names the use, like "assignment to".
 */
bool cc_sema_modifiable(CcParser *p, const CcExpr *expr, const char *what);
/* Converts the argument to a transparent union (GNU) by the first member that accepts it. NULL: none does. */
CcExpr *cc_sema_transparent_argument(CcParser *p, CcType *type, CcExpr *argument);
bool cc_sema_is_builtin_name(const char *name);
CcExpr *cc_sema_call_builtin(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc, CcLoc name_loc);

/* Turns an lvalue into its value; arrays and functions decay to pointers. */
CcExpr *cc_sema_rvalue(CcParser *p, CcExpr *expr);
/* Adds an implicit cast without any check. Folds numbers. */
CcExpr *cc_sema_convert(CcParser *p, CcExpr *expr, CcType *type);
/* Converts an operand of an operator to the common type. */
CcExpr *cc_sema_operand(CcParser *p, CcExpr *expr, CcType *type);
/* Integer promotions (C11 6.3.1.1p2). */
CcExpr *cc_sema_promote(CcParser *p, CcExpr *expr);
/* Default argument promotions (C11 6.5.2.2p6). */
CcExpr *cc_sema_promote_argument(CcParser *p, CcExpr *expr);
/* Usual arithmetic conversions (C11 6.3.1.8): converts both operands and returns their common type. */
CcType *cc_sema_common_type(CcParser *p, CcExpr **left, CcExpr **right);
/* Returns the width in which GNU C computes with values of wide bit-fields (CcExpr.bits), or 0: that of the type. */
unsigned cc_sema_common_bits(const CcExpr *left, const CcExpr *right);
/* Cuts a 64-bit value to its low `bits` bits and sign- or zero-extends it again. `bits` 0: no change. */
CcExpr *cc_sema_wrap(CcParser *p, CcExpr *expr, unsigned bits);

/* __int128 (wide.c): conversions from and to it, quotients, and operators that change an object. */
CcExpr *cc_sema_wide_convert(CcParser *p, CcExpr *expr, CcType *type);
CcExpr *cc_sema_wide_divide(CcParser *p, CcExprKind kind, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_wide_assignment_op(CcParser *p, CcExprKind op, CcExpr *left, CcExpr *right, CcLoc loc);
CcExpr *cc_sema_wide_increment(CcParser *p, CcExprKind kind, CcExpr *operand, CcLoc loc);

/* Objects of atomic types (atomic_objects.c): each access is one operation between two turns of other threads. */
CcExpr *cc_sema_atomic_load(CcParser *p, CcExpr *object);
CcExpr *cc_sema_atomic_store(CcParser *p, CcExpr *object, CcExpr *value, CcLoc loc);
/* object op= operand; `old`: the result is the value before it, as that of object++. */
CcExpr *cc_sema_atomic_change(CcParser *p, CcExprKind op, CcExpr *object, CcExpr *operand, bool old, CcLoc loc);
/* Returns the object, accesses of which have a mark: VCODE_MARK_*. */
CcExpr *cc_sema_marked(CcParser *p, const CcExpr *object, unsigned mark);

/* Where a value is converted as if by assignment, for the text of a report. */
typedef enum CcAssignKind { CC_ASSIGNING, CC_INITIALISING, CC_PASSING, CC_RETURNING } CcAssignKind;
typedef struct CcAssignContext {
    CcAssignKind kind;
    unsigned argument;      /* CC_PASSING: number of the argument, from 1 */
    const char *function;   /* CC_PASSING: name of the function */
    const CcSymbol *callee; /* CC_PASSING: the function, if its symbol is known; else NULL */
} CcAssignContext;
/* Converts as if by assignment (C11 6.5.16.1). Reports what the language does not allow or what is likely wrong. */
CcExpr *cc_sema_assign_convert(CcParser *p, CcExpr *expr, CcType *type, const CcAssignContext *context);
/* Returns the value of a condition. Reports an error if it is not a scalar; `what` names it. */
CcExpr *cc_sema_condition(CcParser *p, CcExpr *expr, const char *what);

/* Returns the number that the node computes if its operands are numbers, otherwise the node itself. */
CcExpr *cc_sema_fold(CcParser *p, CcExpr *expr);
CcExpr *cc_sema_fold_cast(CcParser *p, CcExpr *number, CcType *type, CcLoc loc);
/* Like cc_sema_fold() and cc_sema_fold_cast(), for __int128 (constant_wide.c). */
CcExpr *cc_sema_fold_wide(CcParser *p, CcExpr *expr);
CcExpr *cc_sema_fold_wide_cast(CcParser *p, const CcExpr *number, CcType *type, CcLoc loc);
/* Folds casts and differences of known addresses, like a hand-written offsetof. Returns other nodes as they are. */
CcExpr *cc_sema_fold_address(CcParser *p, CcExpr *expr);
/* Returns the value of an initialiser of a static object: a number, a string for an array, or an address constant.
 * Reports an error and returns NULL if it is not constant. */
CcExpr *cc_sema_static_value(CcParser *p, CcExpr *expr, const char *name);

/* Warns of sizeof(a) / sizeof(a[0]) if `a` is not an array. */
void cc_check_size_division(CcParser *p, const CcExpr *left, const CcExpr *right, CcLoc loc);
/* Warns of an implicit conversion between arithmetic types that may change the value (check_conversion.c). */
void cc_check_conversion(CcParser *p, const CcExpr *e, const CcType *type);

#endif
