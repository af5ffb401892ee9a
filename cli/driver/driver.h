/* driver.h - shared by the files of `orrery cc`.
 *
 *   argv --response.c--> words without @file --arguments.c, options.def--> Driver
 *     --stages.c--> text, vCode, objects
 *     --link.c, cli/build/--> program, library, joined object
 *   questions.c answers what build systems ask; cc_options.c is the help; cmd_cc.c is the command itself.
 *
 * Wrong usage, wrong sources and failed links all give exit status 1, as with cc.
 */
#ifndef ORRERY_CLI_DRIVER_H
#define ORRERY_CLI_DRIVER_H

#include "cli/build/build.h"
#include "vcode/vcode.h"

typedef enum DriverStage {
    DRIVER_PREPROCESS,
    DRIVER_SYNTAX_ONLY,
    DRIVER_VCODE_TEXT,
    DRIVER_OBJECT,
    DRIVER_LINK,
} DriverStage;

typedef struct DriverInput {
    char *name; /* a path, "-", or what follows -l */
    CliLanguage language;
    const char *other;               /* CLI_LANGUAGE_OTHER: name of the language */
    bool whole_archive, static_only; /* state of these linker options at this position */
} DriverInput;

typedef struct Driver {
    CliBuild build;
    DriverStage stage;
    char *output;
    GPtrArray *inputs;         /* DriverInput * */
    GPtrArray *directories;    /* char *: values of -L */
    CliLanguage language;      /* -x */
    const char *language_name; /* name of a language that is not compiled */
    bool whole_archive, static_only;
    bool shared, partial, no_runtime;                     /* -shared, -r, -nostdlib */
    bool rules_only;                                      /* -M or -MM */
    bool depend, depend_file, depend_target;              /* -MD or -MMD given; -MF given; -MT or -MQ given */
    bool keep_comments;                                   /* -C or -CC, only with -E */
    bool verbose, dry_run, save_temporaries, save_beside; /* -v, -###, -save-temps, -save-temps=obj */
    bool skip_linker_word;                                /* the next -Xlinker is the value of the last one */
    guint n_sources;                                      /* number of inputs to be compiled */
    GPtrArray *words;                                     /* the command line, without @FILE */
    GPtrArray *questions;                                 /* words of the command line that are questions */
} Driver;

/* -- response.c -------------------------------------------------------------------------------- */
/* Replaces each @FILE by the words in that file, recursively. If the file does not exist, the word stays, as with
 * cc. */
GPtrArray *cli_driver_expand(int argc, char **argv, GError **error);

/* -- arguments.c ------------------------------------------------------------------------------- */
bool cli_driver_parse(Driver *driver, GPtrArray *words, GError **error);

/* -- questions.c ------------------------------------------------------------------------------- */
/* Returns whether the word is a question (--version, -print-search-dirs, -show ...). */
bool cli_driver_is_question(const char *word);
/* Prints the answer to a question. Returns false with an error if there is none. */
bool cli_driver_answer(const Driver *driver, const char *question, GError **error);
void cli_driver_print_version_details(const Driver *driver); /* -v */

/* -- stages.c ---------------------------------------------------------------------------------- */
/* Takes one input through the stages before linking. */
bool cli_driver_compile(Driver *driver, const DriverInput *input, GError **error);
/* Compiles an input that takes part in linking. */
VcodeModule *cli_driver_compile_for_link(Driver *driver, const DriverInput *input, GError **error);

/* -- say.c ------------------------------------------------------------------------------------- */
/* Prints "orrery cc: text" on stderr. */
void cli_driver_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Prints "orrery cc: error: text" on stderr, unless the error has been printed. */
void cli_driver_say_error(const GError *error);

/* -- cc_options.c ------------------------------------------------------------------------------ */
void cli_driver_append_help(GString *out);

/* -- link.c ------------------------------------------------------------------------------------ */
bool cli_driver_link(Driver *driver, GError **error);

#endif
