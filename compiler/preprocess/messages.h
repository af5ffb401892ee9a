/* messages.h - what the preprocessor says. */
#ifndef ORRERY_COMPILER_MESSAGES_H
#define ORRERY_COMPILER_MESSAGES_H

#include "compiler/compiler.h"

/* Adds them to the diagnostics; answers what is no message. `cut`: the last line may be half. Free with g_free. */
char *cc_preprocess_messages(const char *text, bool cut, const CcOptions *options, CcDiagnostics *diagnostics);

#endif
