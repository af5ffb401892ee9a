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
/* A macro that the user's line at `loc` names and whose definition ends in `;` or begins with `=`: its name, where that
 * sign stands, and where the line names it. NULL: none. */
const char *cc_macro_with_sign(CcParser *p, CcLoc loc, char sign, CcLoc *place, CcLoc *use);
/* Tries all macros of the unit. */
void cc_macro_suggest(CcUnit *unit, CcNearest *nearest);
/* Whether the word occurs in mpi.h, though it was not included; and the name there that is nearest. */
bool cc_mpi_has(CcUnit *unit, const char *name);
const char *cc_mpi_suggest(CcUnit *unit, const char *text);
/* What may help with a name that nothing declares: "; include <stdio.h>", "; did you mean 'x'?" or ""; g_free. */
char *cc_unknown_name_hint(CcParser *p, const char *name, bool functions_only);
/* Whether a missing header was told of already, as an error if this is one: one header, one report. It is now. */
bool cc_told_header(CcParser *p, const char *header, bool as_error);
/* The same for a hint; false: it names no header. */
bool cc_told_hint(CcParser *p, const char *hint, bool as_error);
/* After the report that ended in the hint. True: what was meant is a keyword. */
bool cc_fix_name(CcParser *p, CcLoc loc, const char *hint);
void cc_macros_free(CcFront *front);

#endif
