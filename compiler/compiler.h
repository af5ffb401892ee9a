/* compiler.h - C source in, vCode out.
 *
 *   .c --preprocess/--> text --syntax/, sema/--> typed tree (tree/tree.h) --check/, check_mpi/--> warnings
 *      --lower/--> IR (ir/ir.h) --optimise/--> IR --emit/--> VcodeModule (object) --link/--> VcodeModule (program)
 *
 * Knows no simulator: the names of library functions that exist come in from outside (CcLinkOptions.externs), and
 * what MPI is it learns from mpi.h like any compiler.
 */
#ifndef ORRERY_COMPILER_H
#define ORRERY_COMPILER_H

#include "vcode/vcode.h"

#define CC_ERROR (cc_error_quark())
GQuark cc_error_quark(void);
typedef enum CcError {
    CC_ERROR_SOURCE, /* the program is wrong; diagnostics have been printed */
    CC_ERROR_IO,     /* a file cannot be read or written, the preprocessor cannot be started */
    CC_ERROR_LINK,   /* undefined or duplicate symbols; the message lists them */
} CcError;

/* -- diagnostics ------------------------------------------------------------------------------- */

typedef enum CcSeverity { CC_NOTE, CC_WARNING, CC_SEVERITY_ERROR, CC_FATAL } CcSeverity;

typedef struct CcDiagnostic {
    CcSeverity severity;
    const char *file;      /* of the original source (line markers followed) */
    unsigned line, column; /* 1-based; column counts bytes; 0: none */
    unsigned length;       /* of the marked range, at least 1 */
    const char *option;    /* "-Wimplicit-int" for warnings that have a name, else NULL */
    const char *text;
} CcDiagnostic;

/* Collects diagnostics and gives them out in the order of the source: as file:line:col: severity: text, source line and
 * caret, or as JSON. */
typedef struct CcDiagnostics CcDiagnostics;
typedef void (*CcDiagnosticSink)(const CcDiagnostic *diagnostic, const char *rendered, void *user);
/* sink NULL: the rendered text goes to stderr. colour: escape sequences. */
CcDiagnostics *cc_diagnostics_new(CcDiagnosticSink sink, void *user, bool colour);
/* Gives out what was collected so far. */
void cc_diagnostics_flush(CcDiagnostics *diagnostics);
void cc_diagnostics_free(CcDiagnostics *diagnostics);
unsigned cc_diagnostics_errors(const CcDiagnostics *diagnostics);
unsigned cc_diagnostics_warnings(const CcDiagnostics *diagnostics);

/* -- warnings (warnings.def) ------------------------------------------------------------------- */

typedef enum CcWarningId {
#define CC_W(identifier, option, when, help) CC_WARNING_##identifier,
#include "compiler/warnings.def"
#undef CC_W
    CC_WARNING_COUNT
} CcWarningId;
/* What the command line says of one warning: by its name, or by that of a group (-Wunused). */
typedef enum CcWarningChoice {
    CC_WARNING_DEFAULT,
    CC_WARNING_ON,
    CC_WARNING_OFF,
    CC_WARNING_ERROR,
    CC_WARNING_GROUP_ON,
    CC_WARNING_GROUP_OFF
} CcWarningChoice;
typedef enum CcColour { CC_COLOUR_AUTO, CC_COLOUR_ALWAYS, CC_COLOUR_NEVER } CcColour;
typedef enum CcDiagnosticsFormat {
    CC_DIAGNOSTICS_TEXT,
    CC_DIAGNOSTICS_JSON, /* gcc's, to stderr */
    CC_DIAGNOSTICS_JSON_FILE,
    CC_DIAGNOSTICS_SARIF, /* SARIF 2.1.0 */
    CC_DIAGNOSTICS_SARIF_FILE
} CcDiagnosticsFormat;

/* -- compiling --------------------------------------------------------------------------------- */

/* The GNU C whose macros programs see (predefined.def): the last that had C17 and nothing of C23. */
#define CC_GNU_VERSION "8.3.0"

typedef struct CcOptions {
    const char *include_dir;      /* our own headers; required */
    const char *const *cpp_flags; /* -I -D -U -include ... passed to the preprocessor, NULL-terminated; may be NULL */
    unsigned c_standard;          /* 1989, 1999, 2011 or 2017 */
    bool strict;       /* -std=c.. rather than -std=gnu..: __STRICT_ANSI__, trigraphs, asm and typeof are names */
    bool no_gnu_words; /* -fno-asm: the last of these alone */
    bool gnu89_inline; /* inline as in GNU C89, whatever the standard */
    bool unsigned_char, no_common;
    bool ms_bitfields;                      /* -mms-bitfields: structs are laid out as by attribute ms_struct */
    bool no_headers;                        /* -nostdinc: ours are not searched */
    bool preprocessed;                      /* the source went through the preprocessor already */
    bool optimise_asked, optimise_for_size; /* for __OPTIMIZE__ and __OPTIMIZE_SIZE__ */
    int optimise;                           /* 0: every variable stays where the debugger finds it; 1, 2, 3 */
    bool debug;                             /* line tables are always written; -g adds variables and types */
    bool warn_all, warn_extra, warn_pedantic, warn_mpi; /* -Wall, -Wextra, -pedantic, -Wmpi */
    bool pedantic_errors;                               /* -pedantic-errors */
    bool no_warnings;                                   /* -w */
    bool warnings_are_errors;                           /* -Werror */
    uint8_t warnings[CC_WARNING_COUNT];                 /* CcWarningChoice, by name: -Wname, -Wno-name, -Werror=name */
    bool not_errors[CC_WARNING_COUNT];                  /* -Wno-error=name */
    CcColour colour;                                    /* -fdiagnostics-color= */
    CcDiagnosticsFormat diagnostics_format;             /* -fdiagnostics-format= */
    bool hide_caret, hide_option_names, hide_line_numbers; /* -fno-diagnostics-show-... */
    bool fatal_errors;                                     /* -Wfatal-errors */
    bool limit_errors;                                     /* -fmax-errors=, -ferror-limit= */
    unsigned most_errors;                                  /* with limit_errors; 0: any number */
    bool library;                                          /* mark functions VCODE_FUNCTION_LIBRARY (the runtime) */
    FILE *dump;                                            /* --dump: where to print stages; NULL */
    const char *dump_stages;                               /* "ast,ir,vcode" */
} CcOptions;
void cc_options_default(CcOptions *options);
/* Colours, format and limits as the options say; `name` is the source's, for files of diagnostics. */
void cc_diagnostics_configure(CcDiagnostics *diagnostics, const CcOptions *options, const char *name);
/* Takes an option of warnings or diagnostics: -W..., -w, -pedantic, -fdiagnostics-..., -fmax-errors= and the like.
 * UNKNOWN: *complaint says of a -W option that there is no such warning; WRONG: what is wrong with it; g_free. */
typedef enum CcOptionAnswer {
    CC_OPTION_OTHER, /* not one of these */
    CC_OPTION_TAKEN,
    CC_OPTION_UNKNOWN,
    CC_OPTION_WRONG
} CcOptionAnswer;
CcOptionAnswer cc_warning_option(CcOptions *options, const char *flag, char **complaint);
/* The table of warnings, for people (--help=warnings). */
void cc_warning_help(GString *out);
/* "-Wname"; what it finds; and the option that switches it on ("-Wall"; "" by default; NULL: only its name). */
const char *cc_warning_describe(CcWarningId warning, const char **help, const char **group);
/* Whether a warning that is given counts as an error. */
bool cc_warning_is_error(const CcOptions *options, CcWarningId warning);
/* "-Wname": the warning, or CC_WARNING_COUNT. O(number of warnings). */
CcWarningId cc_warning_find(const char *option);

/* Runs the system's preprocessor: stdout text, or NULL with an error. The one place that knows how. Free with g_free.
 */
char *cc_preprocess(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, size_t *size,
                    GError **error);

/* Compiles preprocessed text. `name` is the source's name for messages. */
VcodeModule *cc_compile_text(const char *text, size_t size, const char *name, const CcOptions *options,
                             CcDiagnostics *diagnostics, GError **error);
/* Both. "-" reads standard input. */
VcodeModule *cc_compile_file(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, GError **error);

/* -- linking ----------------------------------------------------------------------------------- */

typedef struct CcLinkOptions {
    const char *const *externs; /* names of the simulator's functions, sorted with strcmp */
    size_t n_externs;
    bool debug;                 /* keep variables and types */
    bool undefined_is_warning;  /* a call of what nobody defines names it, as a fault, when it is reached */
    bool first_definition_wins; /* several definitions of a name are no error */
    bool no_warnings;
    const char *const *wrapped; /* NAME: calls of it go to __wrap_NAME, those of __real_NAME to it; may be NULL */
    CcDiagnostics *diagnostics; /* where errors go, with source lines; NULL: all of them into the GError */
    /* Why a function that is not among `externs` is not there, or NULL; static text. May be NULL. */
    const char *(*explain_missing)(const char *name);
    /* Why a function among `externs` ends the run when it is called, or NULL: it does not; static text, empty where the
     * compiler has warned already. A reference to it is a warning; a weak one is null, as without the library. May be
     * NULL. */
    const char *(*refusal)(const char *name);
} CcLinkOptions;

/* Links objects into a program: resolves symbols (earlier objects first; weak and common symbols as usual; names that
 * no object defines become externs), takes only what is reachable from the entry, lays out data, applies relocations.
 * The last object should be the runtime (cc_runtime_path). The entry is _start, which calls main, or MPI_main if there
 * is no main. Objects are not changed. Undefined and duplicate symbols are reported with file and line, all of them. */
VcodeModule *cc_link(VcodeModule *const *objects, size_t n, const CcLinkOptions *options, GError **error);
/* Joins objects to one that stands for all of them. `shared`: its definitions give way to those of other objects. */
VcodeModule *cc_join(VcodeModule *const *objects, size_t n, bool shared, CcDiagnostics *diagnostics, GError **error);

#endif
