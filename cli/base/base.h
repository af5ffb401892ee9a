/* base.h - what every command of `orrery` is made of.
 *
 *   errors.c, say.c  what goes wrong, and how people are told    options.c   tables of options: parsing, --help
 *   paths.c          where headers, runtime and machines are     machines.c  machines by name
 *
 * Exit statuses of Orrery itself: 1 the program does not compile, 2 wrong usage, config or file; otherwise the
 * program's.
 */
#ifndef ORRERY_CLI_BASE_H
#define ORRERY_CLI_BASE_H

#include "machine/machine.h"

/* -- errors (errors.c) ------------------------------------------------------------------------- */

#define CLI_ERROR (cli_error_quark())
GQuark cli_error_quark(void);
typedef enum CliError {
    CLI_ERROR_USAGE,   /* wrong options or arguments */
    CLI_ERROR_FILE,    /* a file is missing or is not what it should be */
    CLI_ERROR_PRINTED, /* the compiler has said everything already */
    CLI_ERROR_OUTPUT,  /* cli_say_output() could not write, and has said so */
} CliError;

enum { CLI_STATUS_COMPILE = 1, CLI_STATUS_USAGE = 2, CLI_STATUS_FINDINGS = 3 };

/* Wrong usage (CLI_ERROR_USAGE): what, and what would be right. Answers false. */
bool cli_error_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Prints "orrery: ..." on stderr, once, and answers the exit status for it. */
int cli_error_report(const GError *error);

/* -- what is said (say.c) ---------------------------------------------------------------------- */

/* "orrery: text" on stderr. */
void cli_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Writes all of it to stdout; false, having said why, where that is not possible. */
bool cli_say_output(const char *text);

/* -- options (options.c) ----------------------------------------------------------------------- */

typedef enum CliArgument { /* what follows an option; says where its value goes and what a shell may propose */
                           CLI_FLAG,    /* nothing: gboolean */
                           CLI_TEXT,    /* char * */
                           CLI_FILE,    /* char * */
                           CLI_RESULT,  /* char *: a file to be written, or a NAME for NAME.csv and others; refused at
                                           once where it cannot be */
                           CLI_MACHINE, /* char * */
                           CLI_CHOICE,  /* char *; `value` is "a|b|c" */
                           CLI_CHECKS,  /* char *: nothing ("") or, behind a =, names of checks with commas */
                           CLI_LIST,    /* char **, may be given several times */
                           CLI_FOLDERS, /* the same, directories */
} CliArgument;

typedef struct CliOption {
    const char *name; /* without the dashes; the table ends with NULL */
    char letter;      /* or 0 */
    CliArgument argument;
    const char *value;   /* "RANKS"; NULL for a flag */
    size_t offset;       /* of the field in the target */
    const char *help;    /* a few words */
    const char *example; /* "-n 16" */
} CliOption;

typedef struct CliUsage {
    const char *command;  /* "run" */
    const char *synopsis; /* "[OPTION...] PROGRAM [ARGUMENT...]" */
    const char *text;     /* what it does and, in lines of their own, examples */
    const CliOption *options;
    bool mixed; /* options may stand behind and between the arguments, too: none of them belongs to a program */
} CliUsage;

/* Takes the options out of argv, up to the first argument that is none (behind a --), or all of them where they may be
 * mixed, and puts their values into `target`. What is left begins at argv[1]; *argc counts it and argv[0]. *done:
 * --help was asked for and has been printed. Values are g_malloc'd, of lists g_strfreev'd. */
bool cli_option_parse(const CliUsage *usage, void *target, int *argc, char **argv, bool *done, GError **error);
/* Frees the values of a target. */
void cli_option_clear(const CliOption *options, void *target);
/* A whole number between two bounds; the error names the option. */
bool cli_option_number(const char *option, const char *text, uint64_t least, uint64_t greatest, uint64_t *value,
                       GError **error);
/* Looks in "a|b|c" for a value: its index; -1 with an error. */
int cli_option_choice(const char *option, const char *choices, const char *text, GError **error);

/* -- places (paths.c) -------------------------------------------------------------------------- */

char *cli_path_executable(void);        /* absolute path of this program */
char *cli_path_share(const char *name); /* a directory below share/orrery: "include", "lib", "configs" */
/* The error if it, or what it should hold, is not there; `what` begins it: "the headers are". Returns false. */
bool cli_path_share_missing(const char *name, const char *what, GError **error);
bool cli_path_share_check(const char *name, const char *what,
                          GError **error); /* that error unless the directory exists */

/* -- machines (machines.c) --------------------------------------------------------------------- */

#define CLI_MACHINE_NAME "laptop"                          /* the machine where no other is named */
char **cli_machine_search(void);                           /* where machines lie, for mach_config_list(); g_strfreev */
MachConfig *cli_machine(const char *name, GError **error); /* of ours, or the file of that name */

#endif
