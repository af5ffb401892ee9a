/* front_support.h - parses C text in a test and keeps the diagnostics. */
#ifndef ORRERY_TEST_FRONT_SUPPORT_H
#define ORRERY_TEST_FRONT_SUPPORT_H

#include "compiler/front/front.h"
#include "compiler/pipeline.h"

typedef struct Parsed {
    CcUnit *unit;   /* NULL if there are errors */
    char *said;     /* "line:column: severity: text\n" for each diagnostic */
    char *rendered; /* as a user sees it */
    unsigned errors, warnings;
} Parsed;

/* Parses a text, which must live as long as the result. */
Parsed parse(const char *text);
Parsed parse_with(const char *text, size_t size, const CcOptions *options);
void parsed_free(Parsed *parsed);
/* Returns the file-scope (or hidden) symbol of that name, or NULL. */
const CcSymbol *symbol_of(const Parsed *parsed, const char *name);
/* Fails the test unless the text is accepted. */
void accept(const char *text);
/* Fails the test unless the text is refused and a message contains `part`. */
void refuse(const char *text, const char *part);
/* Fails the test unless the text is accepted with a warning that contains `part`. */
void warn(const char *text, const char *part);

#endif
