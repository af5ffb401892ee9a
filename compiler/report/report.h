/* report.h - errors, warnings and notes at places of the source, and what is known of that source: its lines, its
 * macros, what mpi.h would have declared.
 *
 * cc_report() drops what is switched off; the rest is collected (diagnostics.c) and given out in order of the source.
 */
#ifndef ORRERY_COMPILER_REPORT_H
#define ORRERY_COMPILER_REPORT_H

#include "base/nearest.h"
#include "compiler/tree/tree.h"

/* The preprocessed text of a unit, and where its lines came from: for reports. Reached from CcUnit. */
typedef struct CcSeen {
    const char *text;
    size_t size;
    GByteArray *system; /* per file: 1 if it is a system header */
    guint seen_marker;  /* diagnostics.c: where it last looked */
    size_t seen_offset;
    unsigned seen_line;
    GArray *markers;                /* CcMarker, in text order */
    GArray *includers;              /* CcIncluder, per file: who included it first */
    GArray *choices, *choice_stack; /* CcChoices, in text order (warnings.c) */
    struct CcMacros *macros;        /* macros.c; NULL: not asked for yet */
    struct CcMpiWords *mpi_words;   /* mpi_words.c; the same */
    GString *joined;                /* diagnostics.c: a line that markers cut into pieces */
} CcSeen;
typedef struct CcChoices { /* what #pragma GCC diagnostic has chosen, from an offset of the text on */
    size_t offset;
    const uint8_t *choices; /* CcWarningChoice of each warning; NULL: as the command line says */
} CcChoices;
typedef struct CcIncluder {
    uint32_t file, line; /* line 0: not included */
} CcIncluder;
typedef struct CcMarker {
    size_t offset;
    uint32_t file, line, last; /* last: line before the next marker; 0: there is none */
} CcMarker;

enum { CC_MAX_ERRORS = 20 }; /* then compiling stops */

/* -- reports ----------------------------------------------------------------------------------- */

/* Reports at a location. */
void cc_report(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
/* The same; true: so much was reported that compiling stops. */
bool cc_report_list(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, va_list list)
    G_GNUC_PRINTF(5, 0);
/* The same with a second stretch underlined: loc is the operator, range the whole expression. */
void cc_report_range(CcUnit *unit, CcSeverity severity, CcLoc loc, CcLoc range, const char *option, const char *format,
                     ...) G_GNUC_PRINTF(6, 7);
/* What to write instead of `loc` (of length 0: before it) to mend what was reported last. Only where it is sure. */
void cc_report_fix(CcUnit *unit, CcLoc loc, const char *replacement);
/* Takes back the errors that were just reported of that line: they follow from what is to be said now, an error. */
void cc_report_forget_line(CcUnit *unit, CcLoc loc);
/* Whether the text at a location came out of a macro. Costs a look at the source: only for what would be reported. */
bool cc_report_is_from_macro(CcUnit *unit, CcLoc loc);
/* The preprocessed text from a location to the end of its line; NULL: not known. Valid until the next question. */
const char *cc_report_seen_text(const CcUnit *unit, CcLoc loc, size_t *size);
/* The user's line that holds a location, and where in it that is; NULL: not known, or it came out of a macro. */
const char *cc_report_source_at(CcUnit *unit, CcLoc loc, size_t *size, size_t *at);
/* diagnostics.c: the collected form. `seen_line` is the source line as the compiler saw it, may be NULL. */
void cc_diagnostics_included(CcDiagnostics *diagnostics, const char *file, const char *chain);
void cc_diagnostics_add(CcDiagnostics *diagnostics, const CcDiagnostic *diagnostic, const char *seen_line,
                        size_t seen_size);
/* Errors that are not warnings raised by -Werror: after these the tree cannot be trusted. */
unsigned cc_diagnostics_mistakes(const CcDiagnostics *diagnostics);

/* -- warnings (warnings.c) --------------------------------------------------------------------- */

/* Follows "ignored "-Wname"" and the like, what stands behind #pragma GCC diagnostic (or clang's): holds from this
 * offset of the text on. Answers an option that there is not, g_free, or NULL. */
char *cc_warning_pragma(CcUnit *unit, const char *text, const char *end, size_t offset);
/* Whether it is given anywhere in the unit. */
bool cc_warning_possible(const CcUnit *unit, CcWarningId warning);
/* The flags for the preprocessor that the options about its warnings amount to. */
void cc_warning_cpp_flags(const CcOptions *options, GPtrArray *flags);

/* -- macros (macros.c) ------------------------------------------------------------------------- */

/* A macro that the user's line at `loc` names and whose definition ends in `;` or begins with `=`: its name, where that
 * sign stands, and where the line names it. NULL: none. Words that `is_name` knows are no macros. */
const char *cc_macro_with_sign(CcUnit *unit, CcLoc loc, char sign,
                               bool (*is_name)(void *user, const char *word, size_t size), void *user, CcLoc *place,
                               CcLoc *use);
/* Tries all macros of the unit. */
void cc_macro_suggest(CcUnit *unit, BaseNearest *nearest);
void cc_macros_free(CcSeen *seen);

/* -- mpi.h (mpi_words.c) ----------------------------------------------------------------------- */

/* Whether the word occurs in mpi.h, though it was not included; and the name there that is nearest. */
bool cc_mpi_words_has(CcUnit *unit, const char *name);
const char *cc_mpi_words_suggest(CcUnit *unit, const char *text);
void cc_mpi_words_free(CcSeen *seen);

#endif
