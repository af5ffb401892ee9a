/* macros.h - where the macros of the source files are defined: for notes, and for "did you mean". */
#ifndef ORRERY_COMPILER_MACROS_H
#define ORRERY_COMPILER_MACROS_H

#include "compiler/front.h"

typedef struct CcMacroPlace {
    const char *name, *file;
    unsigned line, column;
} CcMacroPlace;

/* The last definition of that name in the files of the unit, or NULL. */
const CcMacroPlace *cc_macro_find(CcUnit *unit, const char *name);
/* Tries all macros of the unit. */
void cc_macro_suggest(CcUnit *unit, CcNearest *nearest);
/* Whether the word occurs in mpi.h, though it was not included; and the name there that is nearest. */
bool cc_mpi_has(CcUnit *unit, const char *name);
const char *cc_mpi_suggest(CcUnit *unit, const char *text);
/* What may help with a name that nothing declares: "; include <stdio.h>", "; did you mean 'x'?" or ""; g_free. */
char *cc_unknown_name_hint(CcParser *p, const char *name, bool functions_only);
/* After the report that ended in the hint. True: what was meant is a keyword. */
bool cc_fix_name(CcParser *p, CcLoc loc, const char *hint);
void cc_macros_free(CcFront *front);

#endif
