/* compiler.h - the public interface of the compiler: C source in, vCode out.
 *
 *   .c --preprocess/--> text --syntax/, sema/--> typed tree (tree/tree.h) --check/, check_mpi/--> warnings
 *      --lower/--> IR (ir/ir.h) --optimise/--> IR --emit/--> VcodeModule (object) --link/--> VcodeModule (program)
 *
 * The compiler knows nothing of the simulator. The caller passes the names of the library functions that exist
 * (CcLinkOptions.externs). The compiler learns what MPI is from mpi.h, like any other compiler.
 */
#ifndef ORRERY_COMPILER_H
#define ORRERY_COMPILER_H

#include "vcode/vcode.h"

#define CC_ERROR (cc_error_quark())
GQuark cc_error_quark(void);
typedef enum CcError {
    CC_ERROR_SOURCE, /* the program is wrong; the diagnostics have been printed */
    CC_ERROR_IO,     /* a file cannot be read or written, or the preprocessor cannot be started */
    CC_ERROR_LINK,   /* undefined or duplicate symbols; the message lists them */
} CcError;

/* -- diagnostics ------------------------------------------------------------------------------- */

typedef enum CcSeverity { CC_NOTE, CC_WARNING, CC_SEVERITY_ERROR, CC_FATAL } CcSeverity;

typedef struct CcDiagnostic {
    CcSeverity severity;
    const char *file;      /* name of the original source file (line markers are followed) */
    unsigned line, column; /* 1-based; column counts bytes; 0: none */
    unsigned length;       /* length of the marked range in bytes, at least 1 */
    const char *option;    /* "-Wimplicit-int" for a warning that has a name; NULL otherwise */
    const char *text;      /* the message, without position and severity */
    const char *fix;       /* a correction: replaces fix_length bytes at fix_column of the line; NULL: none */
    unsigned fix_column, fix_length;
} CcDiagnostic;

/* Collects diagnostics and prints them in source order: as "file:line:col: severity: text" with source line and caret,
 * or as JSON. */
typedef struct CcDiagnostics CcDiagnostics;
/* Receives one diagnostic and its rendered text. `user` is the pointer given to cc_diagnostics_new(). */
typedef void (*CcDiagnosticSink)(const CcDiagnostic *diagnostic, const char *rendered, void *user);
/* Returns a new collector; free it with cc_diagnostics_free(). If `sink` is NULL, the rendered text goes to stderr.
 * `colour` adds escape sequences. */
CcDiagnostics *cc_diagnostics_new(CcDiagnosticSink sink, void *user, bool colour);
/* Prints the diagnostics collected so far. */
void cc_diagnostics_flush(CcDiagnostics *diagnostics);
void cc_diagnostics_free(CcDiagnostics *diagnostics);
/* Says what is in a file, which may differ from what is on the disk, or not be there. The text is copied. */
void cc_diagnostics_source(CcDiagnostics *diagnostics, const char *path, const char *text, size_t size);
unsigned cc_diagnostics_errors(const CcDiagnostics *diagnostics);
unsigned cc_diagnostics_warnings(const CcDiagnostics *diagnostics);

/* -- warnings (warnings.def) ------------------------------------------------------------------- */

typedef enum CcWarningId {
#define CC_W(identifier, option, when, help) CC_WARNING_##identifier,
#include "compiler/warnings.def"
#undef CC_W
    CC_WARNING_COUNT
} CcWarningId;
/* What the command line says about one warning: nothing, or a choice by the warning's own name, or by the name of a
 * group (-Wunused). */
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
    CC_DIAGNOSTICS_JSON,      /* gcc's JSON format, to stderr */
    CC_DIAGNOSTICS_JSON_FILE, /* the same JSON, to a file */
    CC_DIAGNOSTICS_SARIF,     /* SARIF 2.1.0 */
    CC_DIAGNOSTICS_SARIF_FILE /* SARIF, to a file */
} CcDiagnosticsFormat;

/* -- compiling --------------------------------------------------------------------------------- */

/* The version of GNU C that the predefined macros claim (predefined.def). It is the last version that has C17 and
 * nothing of C23. */
#define CC_GNU_VERSION "8.3.0"

typedef struct CcOptions {
    const char *include_dir;      /* directory of the compiler's own headers; required */
    const char *const *cpp_flags; /* passed to the preprocessor (-I -D -U -include ...), NULL-terminated; may be NULL */
    unsigned c_standard;          /* 1989, 1999, 2011 or 2017 */
    bool strict; /* -std=c.. instead of -std=gnu..: __STRICT_ANSI__ is defined, trigraphs work, asm and typeof are plain
                    names */
    bool no_gnu_words;             /* -fno-asm: asm and typeof are plain names, but nothing else is strict */
    bool gnu89_inline;             /* -fgnu89-inline: inline means what it means in GNU C89, whatever the standard */
    bool unsigned_char, no_common; /* -funsigned-char; -fno-common */
    bool ms_bitfields;             /* -mms-bitfields: structs are laid out as if they had attribute ms_struct */
    bool no_headers;               /* -nostdinc: the compiler's own headers are not searched */
    bool openmp;                   /* -fopenmp: directives of OpenMP are obeyed, _OPENMP is defined */
    bool openmp_simd;              /* -fopenmp-simd: those that make no threads; they need nothing done */
    bool preprocessed;             /* the source is already preprocessed */
    bool optimise_asked, optimise_for_size; /* define __OPTIMIZE__ and __OPTIMIZE_SIZE__ */
    int optimise;                           /* level 0 to 3; at 0 every variable stays where the debugger finds it */
    bool debug;                             /* -g: write variables and types; line tables are always written */
    bool warn_all, warn_extra, warn_pedantic, warn_mpi; /* -Wall, -Wextra, -pedantic, -Wmpi */
    bool pedantic_errors;                               /* -pedantic-errors */
    bool no_warnings;                                   /* -w */
    bool warnings_are_errors;                           /* -Werror */
    uint8_t warnings[CC_WARNING_COUNT];     /* CcWarningChoice of those named: -Wname, -Wno-name, -Werror=name */
    bool not_errors[CC_WARNING_COUNT];      /* -Wno-error=name */
    CcColour colour;                        /* -fdiagnostics-color= */
    CcDiagnosticsFormat diagnostics_format; /* -fdiagnostics-format= */
    bool hide_caret, hide_option_names, hide_line_numbers; /* -fno-diagnostics-show-... */
    bool fatal_errors;                                     /* -Wfatal-errors */
    bool limit_errors;                                     /* -fmax-errors=, -ferror-limit=: most_errors holds */
    unsigned most_errors;                                  /* used with limit_errors; 0: no limit */
    bool library;            /* mark functions VCODE_FUNCTION_LIBRARY (for the runtime library) */
    FILE *dump;              /* --dump: where to print the stages; NULL: nowhere */
    const char *dump_stages; /* comma-separated stages to print, e.g. "ast,ir,vcode" */
} CcOptions;
/* Sets the options that hold when nobody asks for others. */
void cc_options_default(CcOptions *options);
/* Sets colours, format and limits as the options say. `name` is the name of the source; it names files of
 * diagnostics. */
void cc_diagnostics_configure(CcDiagnostics *diagnostics, const CcOptions *options, const char *name);
/* Takes one option that concerns warnings or diagnostics: -W..., -w, -pedantic, -fdiagnostics-..., -fmax-errors= and
 * the like. With CC_OPTION_UNKNOWN, *complaint says that there is no such warning. With CC_OPTION_WRONG, it says what
 * is wrong with the option. The caller frees *complaint with g_free(). */
typedef enum CcOptionAnswer {
    CC_OPTION_OTHER, /* the flag is not such an option */
    CC_OPTION_TAKEN,
    CC_OPTION_UNKNOWN,
    CC_OPTION_WRONG
} CcOptionAnswer;
CcOptionAnswer cc_warning_option(CcOptions *options, const char *flag, char **complaint);
/* Appends the table of warnings for users (--help=warnings). */
void cc_warning_help(GString *out);
/* Returns the option of a warning ("-Wname"). Sets *help to what the warning finds, and *group to the option that
 * switches it on: "-Wall", or "" if it is on by default, or NULL if only its own name does. */
const char *cc_warning_describe(CcWarningId warning, const char **help, const char **group);
/* Returns whether a warning, if given, counts as an error. */
bool cc_warning_is_error(const CcOptions *options, CcWarningId warning);
/* Returns the warning that `option` ("-Wname") names, or CC_WARNING_COUNT. O(number of warnings). */
CcWarningId cc_warning_find(const char *option);

/* Runs the system's preprocessor. Returns its output, or NULL with `error` set. The caller frees the text with
 * g_free(). Only this function knows how the preprocessor is called. */
char *cc_preprocess(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, size_t *size,
                    GError **error);

/* Compiles preprocessed text to an object. `name` is the name of the source in messages. Returns NULL with `error` set
 * on failure. */
VcodeModule *cc_compile_text(const char *text, size_t size, const char *name, const CcOptions *options,
                             CcDiagnostics *diagnostics, GError **error);
/* Preprocesses and compiles a file. The path "-" means standard input. */
VcodeModule *cc_compile_file(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, GError **error);

/* -- linking ----------------------------------------------------------------------------------- */

typedef struct CcLinkOptions {
    const char *const *externs; /* names of the simulator's functions, sorted by strcmp() */
    size_t n_externs;
    bool debug;                 /* keep variables and types in the program */
    bool undefined_is_warning;  /* an undefined function is a warning; a call of it faults at run time and names it */
    bool first_definition_wins; /* several definitions of one name are no error; the first holds */
    bool no_warnings;           /* -w: the linker gives no warnings */
    const char *const *wrapped; /* names of --wrap NAME: calls of NAME go to __wrap_NAME, those of __real_NAME go to
                                   NAME; may be NULL */
    CcDiagnostics *diagnostics; /* receives errors with their source lines; NULL: all errors go into the GError */
    /* Returns why a function that is not among `externs` is missing, or NULL. The text is static. May be NULL. */
    const char *(*explain_missing)(const char *name);
    /* Returns why a call of a function among `externs` ends the run, or NULL if it does not. The text is static; it is
     * empty where the compiler has warned already. A reference to such a function gives a warning; a weak reference to
     * it is null, as without the library. May be NULL. */
    const char *(*refusal)(const char *name);
} CcLinkOptions;

/* Links objects into a program. It resolves symbols (earlier objects first, weak and common symbols as usual; names
 * that no object defines become externs), keeps only what is reachable from the entry, lays out data and applies
 * relocations. The last object should be the runtime (cc_runtime_path). The entry is _start. It calls main, or MPI_main
 * if there is no main. Objects are not changed. All undefined and duplicate symbols are reported, with file and line.
 * Returns NULL with `error` set on failure. */
VcodeModule *cc_link(VcodeModule *const *objects, size_t n, const CcLinkOptions *options, GError **error);
/* Joins several objects into one. If `shared` is set, its definitions give way to those of other objects. Returns NULL
 * with `error` set if a symbol is defined twice. */
VcodeModule *cc_join(VcodeModule *const *objects, size_t n, bool shared, CcDiagnostics *diagnostics, GError **error);

/* -- what an editor asks of a unit (index.c) --------------------------------------------------- */

/* Which names there are, where they are used, what they mean. The unit may be wrong: what the parser could make sense
 * of is in the index. Places are those of the user's files: names that came out of macros have none. Compiling makes no
 * index; whoever asks for one pays for it. */
typedef struct CcIndex CcIndex;

typedef enum CcEntityKind {
    CC_ENTITY_VARIABLE,
    CC_ENTITY_PARAMETER,
    CC_ENTITY_FUNCTION,
    CC_ENTITY_TYPEDEF,
    CC_ENTITY_ENUMERATOR,
    CC_ENTITY_STRUCT,
    CC_ENTITY_UNION,
    CC_ENTITY_ENUM,
    CC_ENTITY_MEMBER,
    CC_ENTITY_LABEL,
} CcEntityKind;

#define CC_NO_ENTITY UINT32_MAX

typedef struct CcFilePlace { /* a name in a file */
    uint32_t file;           /* index into cc_index_files() */
    unsigned line, column;   /* 1-based; column in bytes. Line 0: nowhere */
    unsigned length;         /* bytes */
} CcFilePlace;

typedef struct CcEntity {
    CcEntityKind kind;
    const char *name;   /* "" if it has none */
    CcFilePlace place;  /* of its definition, or else of its first declaration */
    uint32_t container; /* entity: of a member its struct, of an enumerator its enum, of a local name its function;
                           CC_NO_ENTITY: none */
    bool file_scope, is_static, is_constant, deprecated;
    bool linkage;          /* other units may speak of the same thing: a function or variable that is not static */
    bool defined;          /* this unit defines it */
    bool system;           /* it is declared in a system header */
    bool unknown;          /* nothing declares it: the parser only assumed it */
    int64_t value;         /* of an enumerator */
    uint64_t size, offset; /* bytes: of a type; of a member, offset in its struct */
} CcEntity;

typedef enum CcRole { CC_ROLE_USE, CC_ROLE_DECLARATION, CC_ROLE_DEFINITION } CcRole;
typedef struct CcOccurrence {
    CcFilePlace place;
    uint32_t entity;
    CcRole role;
} CcOccurrence;

/* Parses preprocessed text, checks it, and gathers the names. The text is taken over and freed with g_free(). `name` is
 * the name of the source. `options` and `diagnostics` must outlive the index. `probe` is a spelling of which the index
 * says what could stand in its place (cc_index_probe()), or NULL; with a probe nothing is checked. Returns NULL with
 * `error` set if the host has no memory for it. O(size). */
CcIndex *cc_index_new(char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics,
                      const char *probe, GError **error);
/* NULL is ignored. */
void cc_index_free(CcIndex *index);

/* Returns the names of the files of the unit, as the preprocessor gives them. The index owns them. */
const char *const *cc_index_files(const CcIndex *index, size_t *n);
/* Returns whether a file is a system header. */
bool cc_index_is_system(const CcIndex *index, uint32_t file);
const CcEntity *cc_index_entities(const CcIndex *index, size_t *n);
/* Returns the occurrences in a file, in the order of their places. Those of system headers are declarations only. */
const CcOccurrence *cc_index_occurrences(const CcIndex *index, uint32_t file, size_t *n);

/* Returns the declaration of an entity as C, like "const double *x", "struct point", or for a function its head as the
 * source has it. The caller frees it with g_free(). */
char *cc_index_declaration(const CcIndex *index, uint32_t entity);
/* Returns the entity of the type that an entity has, below pointers and arrays, if that is a struct, union, enum or
 * typedef; else CC_NO_ENTITY. */
uint32_t cc_index_type_of(const CcIndex *index, uint32_t entity);
/* Appends to `members` (uint32_t) the members of a struct or union, those of anonymous ones among them included, or the
 * enumerators of an enum. */
void cc_index_members(const CcIndex *index, uint32_t entity, GArray *members);

/* -- what could stand at a place --------------------------------------------------------------- */

typedef enum CcProbeKind {
    CC_PROBE_NONE,   /* the parser did not come to the probe */
    CC_PROBE_NAME,   /* an ordinary name: `names` are visible */
    CC_PROBE_MEMBER, /* a member behind . or ->, or a designator: `names` are members */
    CC_PROBE_TAG,    /* a tag behind struct, union or enum: `names` are tags of that kind */
    CC_PROBE_LABEL,  /* behind goto: `names` are labels */
} CcProbeKind;
typedef struct CcProbe {
    CcProbeKind kind;
    GArray *names; /* uint32_t: entities, inner scopes first */
} CcProbe;
const CcProbe *cc_index_probe(const CcIndex *index);

#endif
