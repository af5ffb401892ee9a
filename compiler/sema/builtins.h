/* builtins.h - what the files of built-in functions share (builtins.c, overflow.c, atomics.c).
 *
 * A built-in is a row: name, number of arguments, and a maker that builds its expression out of plain operators, or of
 * CC_BUILTIN where the machine has an instruction. An operand that is needed more than once goes through a hidden
 * variable.
 */
#ifndef ORRERY_COMPILER_BUILTINS_H
#define ORRERY_COMPILER_BUILTINS_H

#include "compiler/sema/sema.h"

typedef struct CcBuiltinRow CcBuiltinRow;
typedef CcExpr *(*CcBuiltinMaker)(CcParser *p, const CcBuiltinRow *row, CcExpr **arguments, CcLoc loc);
struct CcBuiltinRow {
    const char *name;         /* without __builtin_ */
    unsigned arguments, most; /* at least and at most; most 0: exactly `arguments` */
    CcBuiltinMaker make;
    int value; /* CcBuiltin, CcExprKind or CcKind, as the maker likes */
    CcKind argument, result;
};

/* The value in a hidden variable, to be used more than once: sets *use to it and returns the assignment. A number needs
 * no variable. */
CcExpr *cc_sema_once(CcParser *p, CcExpr *value, CcExpr **use, CcLoc loc);
/* `set`, then `value`: set may be a number (nothing to do) or NULL. */
CcExpr *cc_sema_then(CcParser *p, CcExpr *set, CcExpr *value, CcLoc loc);

/* overflow.c: add, sub and mul _overflow, for every type. NULL: no such name. */
const CcBuiltinRow *cc_sema_overflow_builtin(const char *name);
/* atomics.c: __sync_... and __atomic_... by their whole name; NULL: no such. */
CcExpr *cc_sema_call_atomic(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc);

#endif
