/* short_header.h - an mpi.h without prototypes for the preprocessor, and the way back to the whole one. */
#ifndef ORRERY_COMPILER_SHORT_HEADER_H
#define ORRERY_COMPILER_SHORT_HEADER_H

#include "compiler/compiler.h"

/* Returns the directory of the short mpi.h, which is to be searched before that of the headers. NULL: the options ask
 * for what would show it. The caller frees it with g_free(). */
char *cc_short_header_dir(const CcOptions *options);
/* Makes the preprocessor's output what it would have been with the whole mpi.h, but for empty lines, line markers and
 * the place of the prototypes, which are last. Returns false if mpi.h cannot be read. O(size). */
bool cc_short_header_restore(GString *text, const char *short_dir, const CcOptions *options);

#endif
