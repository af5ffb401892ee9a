/* diagnostics.h - what the files of the diagnostics share: the collected form of an error or warning.
 *
 *   cc_report() --diagnostics.c--> CcRecord --sort by place--> diagnostics_text.c | diagnostics_json.c
 *                                  ^ diagnostics_source.c finds the place in the file that the user wrote
 */
#ifndef ORRERY_COMPILER_DIAGNOSTICS_H
#define ORRERY_COMPILER_DIAGNOSTICS_H

#include "compiler/report/report.h"

typedef struct CcLine {
    const char *text;
    size_t size;
} CcLine;

/* The part of a source line that matters: the neighbourhood of the caret. */
typedef struct CcSnippet {
    char *text; /* NULL: the line is not known */
    size_t size, from;
} CcSnippet;

typedef struct CcRecord {
    CcSeverity severity;
    bool from_warning; /* a warning that counts as an error */
    const char *file;  /* owned by the collection */
    unsigned line, column, length;
    unsigned range_column, range_length; /* another stretch that is underlined; 0: none */
    const char *option;                  /* of warnings.def, or NULL */
    char *text;
    CcSnippet snippet;
    char *fix; /* replaces fix_length bytes at fix_column of the line; NULL: none */
    unsigned fix_column, fix_length;
    uint64_t place;      /* in the text that was compiled: the order of the output */
    guint number;        /* order of arrival */
    GPtrArray *children; /* CcRecord *: notes; NULL */
} CcRecord;

struct CcDiagnostics {
    CcDiagnosticSink sink;
    void *user;
    bool colour, caret, option_names, line_numbers;
    CcDiagnosticsFormat format;
    unsigned most_errors; /* 0: any number */
    const char *limit;    /* the option that set it */
    bool stopped;
    bool dropped; /* the last error or warning was not wanted: neither are its notes */
    unsigned errors, warnings;
    unsigned raised;        /* of the errors: warnings that count as errors */
    char *name;             /* of the source, for the names of files that are written */
    GPtrArray *records;     /* CcRecord * */
    CcRecord *last;         /* what the next note or fix belongs to */
    GHashTable *sources;    /* path -> CcSource (diagnostics_source.c) */
    GHashTable *files;      /* interned names */
    GHashTable *inclusions; /* file -> "In file included from ...:\n" */
    const char *last_file;  /* of the last that was shown */
};

/* Length of the word that starts here; 0: none does. */
static inline size_t cc_word_size(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && (g_ascii_isalnum(*at) || *at == '_'))
        at++;
    return (size_t)(at - start);
}

/* -- places (diagnostics_source.c) ------------------------------------------------------------- */

typedef struct CcCursor { /* where the last asked line of a text starts: the next question is usually behind it */
    size_t offset;
    unsigned line;
} CcCursor;
CcLine cc_source_nth_line(const char *text, size_t size, unsigned number, CcCursor *cursor);
GHashTable *cc_sources_new(void);
/* A line of a file; text NULL: cannot be read. */
CcLine cc_source_line(CcDiagnostics *diagnostics, const char *path, unsigned number);
/* Whole file, or NULL. */
const char *cc_source_text(CcDiagnostics *diagnostics, const char *path, size_t *size);
/* Moves column and length from the preprocessed line to the user's. False: what is marked came out of a macro, and
 * they now mark the nearest thing before it, most likely the macro's name. */
bool cc_source_find_column(CcLine user, CcLine seen, unsigned *column, unsigned *length);
CcSnippet cc_source_snippet(CcLine line, unsigned column);

/* -- output ------------------------------------------------------------------------------------ */

/* The record as text, with source line and caret, without its notes; g_free. */
char *cc_diagnostics_render(const CcDiagnostics *diagnostics, const CcRecord *record);
/* All records, as gcc's JSON or as SARIF 2.1.0. */
void cc_diagnostics_write_json(const CcDiagnostics *diagnostics, GString *out);
void cc_diagnostics_write_sarif(const CcDiagnostics *diagnostics, GString *out);
/* Without control characters and bytes that are not UTF-8; g_free. */
char *cc_diagnostics_printable(const char *text);

/* -- what reports ask -------------------------------------------------------------------------- */

/* Whether a warning (NULL: one without a name) is given at this offset of the text; as an error, if it counts as one.
 */
bool cc_warning_severity(const CcUnit *unit, const char *option, size_t offset, CcSeverity *severity);
typedef struct CcMacroPlace {
    const char *name, *file;
    unsigned line, column;
} CcMacroPlace;

/* The last definition of that name in the files of the unit, or NULL. */
const CcMacroPlace *cc_macro_find(CcUnit *unit, const char *name);

#endif
