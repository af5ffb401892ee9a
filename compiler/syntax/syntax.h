/* syntax.h - C's syntax: turns preprocessed text into calls of sema/sema.h, and reports syntax errors. */
#ifndef ORRERY_COMPILER_SYNTAX_H
#define ORRERY_COMPILER_SYNTAX_H

#include "compiler/tree/tree.h"

/* Reads the text of the unit and adds its symbols to it. Returns false if the text could not be read to its end. */
bool cc_syntax_read(CcUnit *unit);
/* Reads the text of the unit as an inquiry, whose result is set. Returns false if it could not be read to its end. */
bool cc_syntax_read_inquiry(CcUnit *unit, struct CcInquired *inquiry);
/* Whether a token (CcUses.probed) is . or ->, or struct, union or enum. */
bool cc_syntax_is_member_sign(int token);
bool cc_syntax_is_tag_word(int token);

#endif
