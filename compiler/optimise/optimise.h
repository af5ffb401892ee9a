/* optimise.h - the optimiser of intermediate code. */
#ifndef ORRERY_COMPILER_OPTIMISE_H
#define ORRERY_COMPILER_OPTIMISE_H

#include "compiler/object/object.h"

/* Runs all passes of the level, in the order of the table in optimise.c. */
void cc_optimise(CcIrFunction *f, int level);
/* legal.c: makes immediates fit vCode's fields. */
void cc_optimise_legalise(CcIrFunction *f);

/* -- scalars.c --------------------------------------------------------------------------------- */

/* Replaces objects of the frame by registers if no other code knows their addresses. Runs once before the function is
 * inlined, and once when nothing more will be inlined (`last`). */
void cc_scalars_replace(CcIrFunction *f, bool last);
/* Turns small block operations into loads and stores. */
void cc_scalars_expand_blocks(CcIrFunction *f);

/* -- inline.c ---------------------------------------------------------------------------------- */

/* The code of a function, kept so that its callers can inline it. */
typedef struct CcExpansion CcExpansion;
/* Returns whether the function may be inlined, before its code is known. */
bool cc_inline_may(const CcSymbol *symbol);
/* Inlines the calls of functions that have an expansion, within the budget of the level. */
void cc_inline_calls(CcGenerate *g, CcIrFunction *f);
/* Returns the expansion of a function, from its code before optimisation, or NULL if it cannot be inlined. */
CcExpansion *cc_inline_keep(CcGenerate *g, CcIrFunction *f);
/* Returns the function of an expansion again, as a copy in `arena`. */
CcIrFunction *cc_inline_copy(const CcExpansion *expansion, CcArena *arena);

#endif
