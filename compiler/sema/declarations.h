/* declarations.h - declarations and function bodies: functions that only the files of this room share. */
#ifndef ORRERY_COMPILER_DECLARATIONS_H
#define ORRERY_COMPILER_DECLARATIONS_H

#include "compiler/sema/sema.h"

/* Checks the combination of the specifiers and returns the type that they name, with its qualifiers. */
CcType *cc_sema_specs_finish(CcParser *p, CcSpecs *specs);
/* Returns the type that the attribute mode chooses, or `type` itself if there is no such attribute. */
CcType *cc_sema_mode_type(CcParser *p, CcType *type, const CcAttributes *attributes);
/* Returns the type that the declarator makes of the base type. The type of a `parameter` is adjusted. */
CcType *cc_sema_declarator_type(CcParser *p, CcType *base, CcDeclarator *declarator, bool parameter);
/* Whether inline has its meaning from before C99 here. */
bool cc_sema_gnu_inline(const CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator);
/* Flattens an initialiser (initialiser.c). Completes *type if it is an array without length. */
CcInit *cc_sema_flatten(CcParser *p, CcType **type, CcInitNode *node, bool is_static, const char *name);
/* Warns of the unused labels of the function. */
void cc_sema_leave_function(CcParser *p);
/* Warns of the unused static functions and variables of the unit. */
void cc_sema_leave_unit(CcParser *p);
/* Warns if `symbol` hides another name. Call it before the symbol is bound in the innermost scope. */
void cc_check_shadow(CcParser *p, const CcIdent *ident, const CcSymbol *symbol);
/* Checks a function definition: the type of main(), an old style, a missing earlier declaration or prototype. */
void cc_check_definition(CcParser *p, const CcSymbol *symbol, bool declared, bool prototyped, bool identifiers,
                         unsigned n_parameters);

/* Returns the calling thread's copy of an object with thread storage, an lvalue (thread_storage.c). */
CcExpr *cc_thread_object(CcParser *p, CcSymbol *symbol, CcLoc loc);
/* Completes the records of such objects, at the end of the unit. */
void cc_thread_objects_complete(CcParser *p);
/* Reports the gotos of the function that jump into a fence. */
void cc_sema_check_jumps(CcParser *p);
/* Warns if a function that returns a value can reach its end. */
void cc_sema_check_return(CcParser *p, const CcStmt *body);
/* Returns the label of that name in the current function. Its first use creates it. */
CcLabel *cc_sema_label(CcParser *p, CcIdent *ident, CcLoc loc);

#endif
