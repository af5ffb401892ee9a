/* builtins.h - shared by the files of built-in functions (builtins.c, overflow.c, atomics.c).
 *
 * A built-in is a row of a table: name, number of arguments, and a maker. The maker builds its expression from plain
 * operators, or from CC_BUILTIN where the machine has an instruction. A hidden variable holds an operand that is needed
 * more than once.
 */
#ifndef ORRERY_COMPILER_BUILTINS_H
#define ORRERY_COMPILER_BUILTINS_H

#include "compiler/sema/sema.h"

typedef struct CcBuiltinRow CcBuiltinRow;
typedef CcExpr *(*CcBuiltinMaker)(CcParser *p, const CcBuiltinRow *row, CcExpr **arguments, CcLoc loc);
struct CcBuiltinRow {
    const char *name;         /* without __builtin_ */
    unsigned arguments, most; /* least and greatest number of arguments; most 0: exactly `arguments` */
    CcBuiltinMaker make;
    int value;               /* parameter of the maker: a CcBuiltin, CcExprKind, CcKind, number or letter */
    CcKind argument, result; /* types of the arguments and the result, where the maker uses them */
};

/* Stores a value in a hidden variable, so that it can be used more than once. Sets *use to the variable and returns the
 * assignment. A number needs no variable: *use is the number itself. */
CcExpr *cc_sema_once(CcParser *p, CcExpr *value, CcExpr **use, CcLoc loc);
/* Returns the expression that evaluates `set`, then `value`. `set` may be a number, which needs no evaluation, or NULL.
 */
CcExpr *cc_sema_then(CcParser *p, CcExpr *set, CcExpr *value, CcLoc loc);

/* Returns the row of add, sub or mul _overflow for any type, or NULL if the name is none of them (overflow.c). */
const CcBuiltinRow *cc_sema_overflow_builtin(const char *name);
/* Returns a call of __sync_... or __atomic_..., or NULL if there is no such built-in (atomics.c). */
CcExpr *cc_sema_call_atomic(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc);

#endif
