/* declarations.h - parts of declarations and of function bodies: for the files of this room. */
#ifndef ORRERY_COMPILER_DECLARATIONS_H
#define ORRERY_COMPILER_DECLARATIONS_H

#include "compiler/sema/sema.h"

CcType *cc_sema_specs_finish(CcParser *p, CcSpecs *specs); /* checks the combination; the type with its qualifiers */
CcType *cc_sema_mode_type(CcParser *p, CcType *type, const CcAttributes *attributes);
CcType *cc_sema_declarator_type(CcParser *p, CcType *base, CcDeclarator *declarator, bool parameter);
bool cc_sema_gnu_inline(const CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator);
CcSymbol *cc_sema_hidden_variable(CcParser *p, const char *stem, CcType *type, bool is_static, CcLoc loc);
/* Flattens an initialiser (initialiser.c). Completes the type of an array without length. */
CcInit *cc_sema_flatten(CcParser *p, CcType **type, CcInitNode *node, bool is_static, const char *name);
void cc_sema_leave_function(CcParser *p); /* unused labels */
void cc_sema_leave_unit(CcParser *p);     /* unused static functions and variables */
/* Before `symbol` is bound in the innermost scope: does it hide something? */
void cc_check_shadow(CcParser *p, const CcIdent *ident, const CcSymbol *symbol);
void cc_check_definition(CcParser *p, const CcSymbol *symbol, bool declared, bool prototyped, bool identifiers,
                         unsigned n_parameters);

void cc_sema_append(CcStmtList *list, CcStmt *statement);
void cc_sema_check_jumps(CcParser *p);
/* Warns where a function that returns a value can reach its end. */
void cc_sema_check_return(CcParser *p, const CcStmt *body);
CcLabel *cc_sema_label(CcParser *p, CcIdent *ident, CcLoc loc);

#endif
