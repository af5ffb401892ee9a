/* diagnostics.h - shared by the files of the diagnostics: the collected form of an error or warning.
 *
 *   cc_report() --diagnostics.c--> CcRecord --sort by place--> diagnostics_text.c | diagnostics_json.c
 *                                  ^ diagnostics_source.c finds the place in the user's file
 *
 * The compiler sees preprocessed text, while a diagnostic points into the user's file. In names, "seen" is
 * the preprocessed text and "user" the user's file.
 */
#ifndef ORRERY_COMPILER_DIAGNOSTICS_H
#define ORRERY_COMPILER_DIAGNOSTICS_H

#include "compiler/report/report.h"

typedef struct CcLine { /* a line of a text, without its newline; not owned */
    const char *text;   /* not terminated by zero; NULL: the line is not known */
    size_t size;        /* bytes */
} CcLine;

/* The part of a source line around the caret. */
typedef struct CcSnippet {
    char *text;        /* NULL: the line is not known */
    size_t size, from; /* bytes of `text`, and the offset of its first byte in the line */
} CcSnippet;

typedef struct CcRecord {
    CcSeverity severity;
    bool from_warning;                   /* reported as a warning, even if -Werror makes it an error */
    const char *file;                    /* interned in CcDiagnostics.files; NULL: no file */
    unsigned line, column, length;       /* 1-based line and byte column, and bytes; line or column 0: not known */
    unsigned range_column, range_length; /* a second range of the line to underline; range_column 0: none */
    const char *option;                  /* "-Wname" from warnings.def, or NULL */
    char *text;
    CcSnippet snippet;
    char *fix; /* suggested text: replaces fix_length bytes at fix_column of the line; NULL: none */
    unsigned fix_column, fix_length;
    uint64_t place;      /* offset in the preprocessed text: the first key of the output order */
    guint number;        /* order of arrival: the second key */
    GPtrArray *children; /* CcRecord *: the notes that belong to it; NULL: none */
} CcRecord;

struct CcDiagnostics {
    CcDiagnosticSink sink; /* receives the output; NULL: the output goes to stderr */
    void *user;
    bool colour, caret, option_names, line_numbers;
    CcDiagnosticsFormat format;
    unsigned most_errors; /* stop after so many errors; 0: no limit */
    const char *limit;    /* the option that set most_errors; NULL: it has the default */
    bool stopped;         /* the limit was reached or an error was fatal: nothing more is collected */
    bool dropped;         /* the last error or warning was switched off, so its notes are dropped too */
    unsigned errors, warnings;
    unsigned raised;        /* how many of the errors are warnings that count as errors */
    char *name;             /* name of the source, from which the name of an output file is made */
    GPtrArray *records;     /* CcRecord *, owned; notes are their children */
    CcRecord *last;         /* the record that the next note or fix belongs to; NULL: none */
    GHashTable *sources;    /* path -> CcSource (diagnostics_source.c) */
    GHashTable *files;      /* interned file names */
    GHashTable *inclusions; /* file -> "In file included from ...:\n" */
    const char *last_file;  /* file of the last error or warning that was shown */
};

/* Returns the length of the word that starts at `at`, or 0 if no word starts there. */
static inline size_t cc_word_size(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && (g_ascii_isalnum(*at) || *at == '_'))
        at++;
    return (size_t)(at - start);
}

/* -- places (diagnostics_source.c) ------------------------------------------------------------- */

typedef struct CcCursor { /* start of the line found last: the next search usually asks for a later line */
    size_t offset;
    unsigned line;
} CcCursor;
/* Returns line `number` (from 1) of the text. The cursor speeds up a later call; {0, 0} is a new cursor. */
CcLine cc_source_nth_line(const char *text, size_t size, unsigned number, CcCursor *cursor);
GHashTable *cc_sources_new(void);
/* Returns a line of a file. Its text is NULL if the file cannot be read. The file is read once and kept. */
CcLine cc_source_line(CcDiagnostics *diagnostics, const char *path, unsigned number);
/* Returns the whole file, or NULL. The collection owns it. */
const char *cc_source_text(CcDiagnostics *diagnostics, const char *path, size_t *size);
/* Moves column and length from the preprocessed line to the user's line. Returns false if the marked text came out of
 * a macro. Column and length then mark the nearest text before it, most likely the macro's name. */
bool cc_source_find_column(CcLine user, CcLine seen, unsigned *column, unsigned *length);
/* Copies the part of the line around the column. The caller frees its text with g_free(). */
CcSnippet cc_source_snippet(CcLine line, unsigned column);

/* -- output ------------------------------------------------------------------------------------ */

/* Returns the record as text, with source line and caret, but without its notes. The caller frees it with g_free(). */
char *cc_diagnostics_render(const CcDiagnostics *diagnostics, const CcRecord *record);
/* Appends all records to `out` as gcc's JSON. */
void cc_diagnostics_write_json(const CcDiagnostics *diagnostics, GString *out);
/* Appends all records to `out` as SARIF 2.1.0. */
void cc_diagnostics_write_sarif(const CcDiagnostics *diagnostics, GString *out);
/* Returns the text with control characters and invalid UTF-8 replaced by a visible form like <U+001B> or <E9>. The
 * caller frees it with g_free(). */
char *cc_diagnostics_printable(const char *text);

/* -- what reports ask -------------------------------------------------------------------------- */

/* Whether a warning is on at this offset of the preprocessed text. `option` NULL: a warning without a name. Sets
 * *severity to CC_SEVERITY_ERROR if the warning counts as an error there, and leaves it alone otherwise. */
bool cc_warning_severity(const CcUnit *unit, const char *option, size_t offset, CcSeverity *severity);
typedef struct CcMacroPlace { /* where a macro is defined: the place of its name */
    const char *name, *file;
    unsigned line, column;
} CcMacroPlace;

/* Returns the last definition of the macro in the files of the unit, or NULL. */
const CcMacroPlace *cc_macro_find(CcUnit *unit, const char *name);

#endif
