/* messages.h - the messages of the preprocessor. */
#ifndef ORRERY_COMPILER_MESSAGES_H
#define ORRERY_COMPILER_MESSAGES_H

#include "compiler/compiler.h"

/* Adds the messages in `text` to the diagnostics. Returns the lines that are no messages, which the caller frees with
 * g_free(). `cut`: the text is not complete, its last line is ignored. */
char *cc_preprocess_messages(const char *text, bool cut, const CcOptions *options, CcDiagnostics *diagnostics);

#endif
