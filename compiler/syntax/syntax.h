/* syntax.h - C's syntax: from preprocessed text to calls of sema/sema.h, and what it says of texts that are no C. */
#ifndef ORRERY_COMPILER_SYNTAX_H
#define ORRERY_COMPILER_SYNTAX_H

#include "compiler/tree/tree.h"

/* Reads the text of the unit, which then holds its symbols. False: it could not be read to its end. */
bool cc_syntax_read(CcUnit *unit);

#endif
