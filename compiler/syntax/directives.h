/* directives.h - the tokens of a line "#pragma omp ...". */
#ifndef ORRERY_COMPILER_DIRECTIVES_H
#define ORRERY_COMPILER_DIRECTIVES_H

#include "compiler/omp/omp.h"
#include "compiler/syntax/tokens.h"
#include "grammar.h"

/* Called when OMP_PRAGMA was read: reads the name of the directive. Returns its terminal; EXTENSION: the directive has
 * been left out. */
int cc_directive_begin(CcParser *p, const CcToken *first, CC_SYNTAX_STYPE *value);
/* Called for each token of the line behind that name. Returns its terminal; EXTENSION: it has been left out; 0: it is
 * an ordinary token of C. */
int cc_directive_token(CcParser *p, const CcToken *token, CC_SYNTAX_STYPE *value);

#endif
