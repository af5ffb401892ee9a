/* base.h - shared by all commands of `orrery`.
 *
 *   errors.c, say.c  errors, and messages to the user            options.c   tables of options: parsing, --help
 *   paths.c          where headers, runtime and machines are     machines.c  machines by name
 *
 * Exit statuses of Orrery itself: 1 the program does not compile, 2 wrong usage, config or file. Otherwise the exit
 * status is that of the program.
 */
#ifndef ORRERY_CLI_BASE_H
#define ORRERY_CLI_BASE_H

#include "base/choice.h"
#include "machine/machine.h"
#include "plot/plot.h"

/* -- errors (errors.c) ------------------------------------------------------------------------- */

#define CLI_ERROR (cli_error_quark())
GQuark cli_error_quark(void);
typedef enum CliError {
    CLI_ERROR_USAGE,   /* wrong options or arguments */
    CLI_ERROR_FILE,    /* a file is missing or is not what it should be */
    CLI_ERROR_PRINTED, /* the compiler has printed everything already */
    CLI_ERROR_OUTPUT,  /* cli_say_output() could not write, and has reported that */
} CliError;

enum { CLI_STATUS_COMPILE = 1, CLI_STATUS_USAGE = 2, CLI_STATUS_FINDINGS = 3 };

/* Sets an error CLI_ERROR_USAGE. The text says what is wrong, and what would be right. Returns false. */
bool cli_error_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Prints "orrery: ..." on stderr, unless the error has been printed. Returns the exit status for it. */
int cli_error_report(const GError *error);

/* -- what is said (say.c) ---------------------------------------------------------------------- */

/* Prints "orrery: text" on stderr. */
void cli_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Writes the text to stdout. If that fails, reports why and returns false. */
bool cli_say_output(const char *text);
/* The same for bytes that are no text. */
bool cli_say_bytes(const char *bytes, size_t size);

/* -- options (options.c) ----------------------------------------------------------------------- */

typedef enum CliArgument { /* kind of an option's value: type of its field in the target, and what a shell may propose
                            */
                           CLI_FLAG,    /* no value: gboolean */
                           CLI_TEXT,    /* char * */
                           CLI_FILE,    /* char * */
                           CLI_RESULT,  /* char *: a file to be written, or a NAME for NAME.csv and others; checked
                                           before the work begins */
                           CLI_RESULTS, /* char *: a folder to be written */
                           CLI_MACHINE, /* char * */
                           CLI_CHOICE,  /* char *; `value` is "a|b|c" */
                           CLI_CHECKS,  /* char *: "" or, after a =, names of checks separated by commas */
                           CLI_LIST,    /* char **, may be given several times */
                           CLI_FOLDERS, /* char **, directories, may be given several times */
} CliArgument;

/* A row of a table of options. The table ends with a name of NULL. */
typedef struct CliOption {
    const char *name; /* without the dashes; "": there is only a letter */
    char letter;      /* 0: there is none */
    CliArgument argument;
    const char *value;   /* name of the value in the help, like "RANKS"; NULL for a flag */
    size_t offset;       /* of the field in the target, which gets the value */
    const char *help;    /* a few words; further lines may follow */
    const char *example; /* like "-n 16" */
} CliOption;

typedef struct CliUsage {
    const char *command;  /* like "run" */
    const char *synopsis; /* like "[OPTION...] PROGRAM [ARGUMENT...]" */
    const char *text;     /* what the command does, and examples on lines of their own */
    const CliOption *options;
    bool mixed; /* options may come after arguments, too, because no argument belongs to a program */
} CliUsage;

/* Takes the options out of argv and stores their values in `target`. It stops at the first argument that is no option
 * (or at --), unless usage->mixed: then at -- or at :, which another program follows. The rest begins at argv[1]; *argc
 * counts it and argv[0]. Sets *done if --help was given and has been printed. cli_option_clear() frees the values. */
bool cli_option_parse(const CliUsage *usage, void *target, int *argc, char **argv, bool *done, GError **error);
/* Frees the values of a target: strings with g_free(), lists with g_strfreev(). */
void cli_option_clear(const CliOption *options, void *target);
/* Parses a whole number between two bounds. The error names the option. */
bool cli_option_number(const char *option, const char *text, uint64_t least, uint64_t greatest, uint64_t *value,
                       GError **error);
/* Returns the index of a value in a list "a|b|c", or -1 with an error. */
int cli_option_choice(const char *option, const char *choices, const char *text, GError **error);
/* The row of an option --theme, whose text is in that field of a struct. */
#define CLI_OPTION_THEME(Target, field)                                                                                \
    {                                                                                                                  \
        "theme", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(PLOT_THEMES), offsetof(Target, field),                        \
            "colours of pictures: on white (the default), on black, or greys for a printer", "--theme dark"            \
    }
/* Returns the colours that --theme names; NULL: the option was not given. NULL with an error. */
const PlotTheme *cli_option_theme(const char *text, GError **error);

/* -- places (paths.c) -------------------------------------------------------------------------- */

char *cli_path_executable(void);        /* returns the absolute path of this program; g_free() */
char *cli_path_share(const char *name); /* below share/orrery: "include", "lib", "configs"; g_free() */
/* Sets the error that a directory of share/orrery, or a file in it, is missing. `what` begins the message: "the headers
 * are". Returns false. */
bool cli_path_share_missing(const char *name, const char *what, GError **error);
/* Returns true if the directory exists, else sets that error. */
bool cli_path_share_check(const char *name, const char *what, GError **error);

/* -- machines (machines.c) --------------------------------------------------------------------- */

#define CLI_MACHINE_NAME "laptop"                          /* the default machine */
char **cli_machine_search(void);                           /* for mach_config_list(); g_strfreev() */
MachConfig *cli_machine(const char *name, GError **error); /* a machine of Orrery, or a file */

#endif
