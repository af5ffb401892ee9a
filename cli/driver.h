/* driver.h - what the files of `orrery cc` share.
 *
 *   argv --driver_response.c--> words without @file --driver_arguments.c, driver_options.def--> Driver
 *     --driver_stages.c--> text, vCode, objects
 *     --driver_link.c, link_set.c, archive.c--> program, library, joined object
 *   driver_questions.c answers what build systems ask; cmd_cc.c is the command itself.
 *
 * Wrong usage, wrong sources and failed links all end in exit status 1, as with cc.
 */
#ifndef ORRERY_CLI_DRIVER_H
#define ORRERY_CLI_DRIVER_H

#include "cli.h"

typedef enum DriverStage {
    DRIVER_PREPROCESS,
    DRIVER_SYNTAX_ONLY,
    DRIVER_VCODE_TEXT,
    DRIVER_OBJECT,
    DRIVER_LINK,
} DriverStage;

typedef enum DriverLanguage {
    DRIVER_BY_NAME, /* -x none */
    DRIVER_C,
    DRIVER_HEADER,       /* compiled by itself only to see whether it is right */
    DRIVER_PREPROCESSED, /* .i */
    DRIVER_LINKER,       /* an object, archive or library by its path */
    DRIVER_LIBRARY,      /* -lNAME */
    DRIVER_OTHER,        /* a language that is not compiled here */
} DriverLanguage;

typedef struct DriverInput {
    char *name; /* path, "-", or what follows -l */
    DriverLanguage language;
    const char *other;               /* DRIVER_OTHER: its name */
    bool whole_archive, static_only; /* as the linker's options stood here */
} DriverInput;

typedef struct Driver {
    CliBuild build;
    DriverStage stage;
    char *output;
    GPtrArray *inputs;         /* DriverInput * */
    GPtrArray *directories;    /* -L */
    DriverLanguage language;   /* -x */
    const char *language_name; /* of a language that is not compiled here */
    bool whole_archive, static_only;
    bool shared, partial, no_runtime;                     /* -shared, -r, -nostdlib */
    bool rules_only;                                      /* -M or -MM */
    bool depend, depend_file, depend_target;              /* -MD or -MMD, -MF, -MT or -MQ given */
    bool keep_comments;                                   /* -C or -CC, of -E only */
    bool verbose, dry_run, save_temporaries, save_beside; /* -v, -###, -save-temps, -save-temps=obj */
    bool skip_linker_word;                                /* the next -Xlinker is a value of the last */
    guint n_sources;                                      /* inputs that are compiled */
    GPtrArray *words;                                     /* the command line, without @FILE */
    GPtrArray *questions;                                 /* those of it that ask something */
} Driver;

/* -- driver_response.c ------------------------------------------------------------------------- */
/* Replaces each @FILE by the words in it, within one another too. A file that is not there stays a word, as with cc. */
GPtrArray *driver_expand(int argc, char **argv, GError **error);

/* -- driver_arguments.c ------------------------------------------------------------------------ */
bool driver_parse(Driver *driver, GPtrArray *words, GError **error);

/* -- driver_questions.c ------------------------------------------------------------------------ */
/* Whether the word asks something (--version, -print-search-dirs, -show ...) rather than to have something done. */
bool driver_is_question(const char *word);
/* Prints the answer; false with an error if there is none. */
bool driver_answer(const Driver *driver, const char *question, GError **error);
void driver_print_version_details(const Driver *driver); /* -v */

/* -- driver_stages.c --------------------------------------------------------------------------- */
/* One input up to the stage before linking. */
bool driver_compile(Driver *driver, const DriverInput *input, GError **error);
/* Compiles an input that takes part in linking. */
VcodeModule *driver_compile_for_link(Driver *driver, const DriverInput *input, GError **error);

/* -- cmd_cc.c ---------------------------------------------------------------------------------- */
/* "orrery cc: text" on stderr. */
void cli_cc_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* "orrery cc: error: text", unless it has been printed. */
void cli_cc_fail(const GError *error);
void cli_append_cc_help(GString *out);

/* -- driver_link.c ----------------------------------------------------------------------------- */
bool driver_link(Driver *driver, GError **error);

#endif
