/* optimise.h - what makes intermediate code better. */
#ifndef ORRERY_COMPILER_OPTIMISE_H
#define ORRERY_COMPILER_OPTIMISE_H

#include "compiler/object/object.h"

/* All passes that the level wants, in the order of the table in optimise.c. */
void cc_optimise(CcIrFunction *f, int level);
/* legal.c: immediates that fit vCode's fields. */
void cc_optimise_legalise(CcIrFunction *f);

/* -- scalars.c --------------------------------------------------------------------------------- */

/* Objects of the frame that only this function knows become registers; once before the function is inlined, and once
 * when nothing will be inlined any more. */
void cc_scalars_replace(CcIrFunction *f, bool last);
/* Small block operations become loads and stores. */
void cc_scalars_expand_blocks(CcIrFunction *f);

/* -- inline.c ---------------------------------------------------------------------------------- */

/* A function's code, kept for its callers. */
typedef struct CcExpansion CcExpansion;
bool cc_inline_may(const CcSymbol *symbol);
/* Puts expansions in place of the calls of functions that have one, as far as the budget of the level goes. */
void cc_inline_calls(CcGenerate *g, CcIrFunction *f);
/* The expansion of a function, from its code before it is optimised; NULL: it cannot be inlined. */
CcExpansion *cc_inline_keep(CcGenerate *g, CcIrFunction *f);
/* The function that an expansion is of, in an arena of its own. */
CcIrFunction *cc_inline_copy(const CcExpansion *expansion, CcArena *arena);

#endif
