/* report.h - errors, warnings and notes at places of the source, and knowledge of that source: its lines, its macros,
 * the names that mpi.h would have declared.
 *
 * cc_report() drops warnings that are switched off. It collects the rest (diagnostics.c), which is printed in the order
 * of the source.
 */
#ifndef ORRERY_COMPILER_REPORT_H
#define ORRERY_COMPILER_REPORT_H

#include "base/nearest.h"
#include "compiler/tree/tree.h"

/* The preprocessed text of a unit and the origin of its lines, for reports. CcUnit.seen points to it. */
typedef struct CcSeen {
    const char *text; /* preprocessed; not owned */
    size_t size;
    GByteArray *system;             /* for each file: 1 if it is a system header */
    guint seen_marker;              /* diagnostics.c: cursor, the index of the marker (plus 1) of the last search */
    size_t seen_offset;             /* diagnostics.c: cursor, the offset behind that marker */
    unsigned seen_line;             /* diagnostics.c: cursor, the line behind that marker */
    GArray *markers;                /* CcMarker, in text order */
    GArray *includers;              /* CcIncluder: for each file the place of its first inclusion */
    GArray *choices, *choice_stack; /* CcChoices: the pragmas in text order, and those that push saved (warnings.c) */
    struct CcMacros *macros;        /* macros.c; NULL: not read yet */
    struct CcMpiWords *mpi_words;   /* mpi_words.c; NULL: not read yet */
    GString *joined;                /* diagnostics.c: buffer for a line that markers cut into pieces; NULL: unused */
} CcSeen;
typedef struct CcChoices { /* the state that a #pragma GCC diagnostic leaves, from an offset of the text on */
    size_t offset;
    const uint8_t *choices; /* a CcWarningChoice for each warning; NULL: the command line decides */
} CcChoices;
typedef struct CcIncluder { /* the place of an #include */
    uint32_t file, line;    /* line 0: the file was not included */
} CcIncluder;
typedef struct CcMarker {      /* a line marker of cpp: # line "file" */
    size_t offset;             /* of the text that follows it */
    uint32_t file, line, last; /* first line of that text, and a bound on its last; last 0: no marker follows */
} CcMarker;

enum { CC_MAX_ERRORS = 20 }; /* the default limit: compiling stops after so many errors */

/* -- reports ----------------------------------------------------------------------------------- */

/* Reports a diagnostic at a location. `option` is "-Wname" for a warning that has a name, otherwise NULL. */
void cc_report(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
/* Like cc_report(). Returns true if compiling must stop, after a fatal error or too many errors. */
bool cc_report_list(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, va_list list)
    G_GNUC_PRINTF(5, 0);
/* Like cc_report(), but underlines a second range too: loc is the operator, range the whole expression. */
void cc_report_range(CcUnit *unit, CcSeverity severity, CcLoc loc, CcLoc range, const char *option, const char *format,
                     ...) G_GNUC_PRINTF(6, 7);
/* Suggests a correction for the last diagnostic: `replacement` replaces the text at `loc`, or is inserted before it if
 * loc.length is 0. Call it only where the correction is certain. */
void cc_report_fix(CcUnit *unit, CcLoc loc, const char *replacement);
/* The same for `word`, which the user's line has at `loc`: also where that is the name of a macro, as MPI_INT is. No
 * correction if the line has something else there. */
void cc_report_fix_word(CcUnit *unit, CcLoc loc, const char *word, const char *replacement);
/* Moves the location of a word of the preprocessed text to the user's file. Returns false if the word is not there: it
 * came out of a macro. */
bool cc_report_find_word(CcUnit *unit, CcLoc *loc, const char *word);
/* Removes the errors reported last, as long as they are in the line of `loc`. The caller is about to report the error
 * that caused them. */
void cc_report_forget_line(CcUnit *unit, CcLoc loc);
/* Whether the text at a location came out of a macro. Searches the source, so ask only before an actual report. */
bool cc_report_is_from_macro(CcUnit *unit, CcLoc loc);
/* Returns the preprocessed text from a location to the end of its line, or NULL if it is not known. The text is valid
 * until the next call or report. */
const char *cc_report_seen_text(const CcUnit *unit, CcLoc loc, size_t *size);
/* Returns the user's line that contains a location, its size, and the offset *at of the location in it. NULL: the line
 * is not known, or the text came out of a macro. */
const char *cc_report_source_at(CcUnit *unit, CcLoc loc, size_t *size, size_t *at);
/* Records how `file` was included: the text "In file included from ...:\n" before its diagnostics (diagnostics.c). */
void cc_diagnostics_included(CcDiagnostics *diagnostics, const char *file, const char *chain);
/* Collects a diagnostic (diagnostics.c). `seen_line` is the preprocessed source line; NULL: not known. */
void cc_diagnostics_add(CcDiagnostics *diagnostics, const CcDiagnostic *diagnostic, const char *seen_line,
                        size_t seen_size);
/* Returns the number of errors without the warnings that -Werror raised. If it is not 0, the tree is not valid. */
unsigned cc_diagnostics_mistakes(const CcDiagnostics *diagnostics);

/* -- warnings (warnings.c) --------------------------------------------------------------------- */

/* Obeys a #pragma GCC diagnostic (or clang's) from `offset` of the text on. [text, end) is what follows that name, like
 * ignored "-Wname". Returns the option if there is no such warning, which the caller frees with g_free(), or NULL. */
char *cc_warning_pragma(CcUnit *unit, const char *text, const char *end, size_t offset);
/* Whether the warning is on anywhere in the unit. */
bool cc_warning_possible(const CcUnit *unit, CcWarningId warning);
/* Appends the flags that pass the choices about the preprocessor's own warnings to it. The strings are static. */
void cc_warning_cpp_flags(const CcOptions *options, GPtrArray *flags);

/* -- macros (macros.c) ------------------------------------------------------------------------- */

/* Searches the user's line at `loc` for a macro whose definition ends in ';' or begins with '=', as `sign` says.
 * Returns its name, or NULL. *place is the location of the sign, *use where the line names the macro. Words for which
 * is_name() returns true are not macros. */
const char *cc_macro_with_sign(CcUnit *unit, CcLoc loc, char sign,
                               bool (*is_name)(void *user, const char *word, size_t size), void *user, CcLoc *place,
                               CcLoc *use);
/* Offers all macros of the unit to the search for the nearest name. */
void cc_macro_suggest(CcUnit *unit, BaseNearest *nearest);
void cc_macros_free(CcSeen *seen);

/* -- mpi.h (mpi_words.c) ----------------------------------------------------------------------- */

/* Whether mpi.h contains the name. The program need not include mpi.h. */
bool cc_mpi_words_has(CcUnit *unit, const char *name);
/* Returns the name in mpi.h that is most like `text`, or NULL if none is near or mpi.h has `text` itself. */
const char *cc_mpi_words_suggest(CcUnit *unit, const char *text);
void cc_mpi_words_free(CcSeen *seen);

#endif
