/* cli.h - what the files of the `orrery` command share.
 *
 *   main.c        finds the sub-command                        commands.def  the sub-commands
 *   options.c     tables of options: parsing, --help           paths.c       where headers, runtime and machines are
 *   build.c       from .c files and objects to a program       running.c     the options of everything that runs
 * programs cmd_*.c       one sub-command each                         *_gui.c       what only the program with a window
 * has
 *
 * Sub-commands of several files have a header of their own: driver.h (`orrery cc`), net.h, sweep.h, topo.h,
 * calibrate.h.
 *
 * Exit statuses of Orrery itself: 1 the program does not compile, 2 wrong usage, config or file; otherwise the
 * program's.
 */
#ifndef ORRERY_CLI_H
#define ORRERY_CLI_H

#include "compiler/compiler.h"
#include "machine/machine.h"
#include "monitor/monitor.h"

#define CLI_ERROR (cli_error_quark())
GQuark cli_error_quark(void);
typedef enum CliError {
    CLI_ERROR_USAGE,   /* wrong options or arguments */
    CLI_ERROR_FILE,    /* a file is missing or is not what it should be */
    CLI_ERROR_PRINTED, /* the compiler has said everything already */
    CLI_ERROR_OUTPUT,  /* cli_print() could not write, and has said so */
} CliError;

enum { CLI_STATUS_COMPILE = 1, CLI_STATUS_USAGE = 2, CLI_STATUS_FINDINGS = 3 };

/* Wrong usage (CLI_ERROR_USAGE): what, and what would be right. Answers false. */
bool cli_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Prints "orrery: ..." on stderr, once, and answers the exit status for it. */
int cli_fail(const GError *error);
/* "orrery: text" on stderr. */
void cli_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Writes all of it to stdout; false, having said why, where that is not possible. */
bool cli_print(const char *text);

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
bool cli_parse(const CliUsage *usage, void *target, int *argc, char **argv, bool *done, GError **error);
/* Frees the values of a target. */
void cli_options_clear(const CliOption *options, void *target);
/* A whole number between two bounds; the error names the option. */
/* --memory; NULL: leaves *bytes. */
bool cli_parse_memory(const char *text, uint64_t *bytes, GError **error);
bool cli_parse_number(const char *option, const char *text, uint64_t least, uint64_t greatest, uint64_t *value,
                      GError **error);
/* Looks in "a|b|c" for a value: its index; -1 with an error. */
int cli_parse_choice(const char *option, const char *choices, const char *text, GError **error);

typedef int (*CliFunction)(int argc, char **argv);
#define COMMAND(name, help)                                                                                            \
    int cli_##name(int argc, char **argv);                                                                             \
    extern const CliOption cli_##name##_options[];
#include "commands.def"

typedef struct CliCommand {
    const char *name, *help;
    CliFunction function;
    const CliOption *options;
} CliCommand;
extern const CliCommand cli_commands[]; /* ends with a NULL name */
/* Prints the completion script of a shell (complete.c). */
int cli_complete(int argc, char **argv);

/* -- places (paths.c) -------------------------------------------------------------------------- */

char *cli_executable(void);        /* absolute path of this program */
char *cli_share(const char *name); /* a directory below share/orrery: "include", "lib", "configs" */
/* The error if it, or what it should hold, is not there; `what` begins it: "the headers are". Returns false. */
bool cli_share_missing(const char *name, const char *what, GError **error);
bool cli_share_check(const char *name, const char *what, GError **error); /* that error unless the directory exists */
char **cli_machine_search(void);                           /* where machines lie, for mach_config_list(); g_strfreev */
MachConfig *cli_machine(const char *name, GError **error); /* of ours, or the file of that name */

/* -- programs (build.c) ------------------------------------------------------------------------ */

typedef struct CliBuild {
    CcOptions compile;           /* cpp_flags: see flags */
    GPtrArray *flags;            /* of the preprocessor */
    GPtrArray *preprocess_flags; /* those that only -E takes */
    char *depend, *depend_file;  /* -MD or -MMD; -MF */
    GPtrArray *wrapped;          /* --wrap */
    GPtrArray *libraries;        /* paths of shared libraries that have been added */
    bool undefined_is_warning;   /* --warn-unresolved-symbols */
    bool first_definition_wins;  /* --allow-multiple-definition */
    bool no_runtime;             /* -nostdlib */
    struct LinkSet *set;         /* objects and archives (link_set.c) */
} CliBuild;
void cli_build_init(CliBuild *build);
void cli_build_clear(CliBuild *build);
/* Compiles one C file; "-" reads standard input. */
VcodeModule *cli_compile(CliBuild *build, const char *path, GError **error);
/* The preprocessor's output. */
char *cli_preprocess(CliBuild *build, const char *path, gsize *size, GError **error);
/* Adds an object, or an archive to be drawn on; `whole`: all members of it. */
bool cli_build_add_file(CliBuild *build, const char *path, bool whole, GError **error);
/* Adds an object, and owns it from now on. */
void cli_build_add_module(CliBuild *build, VcodeModule *object);
/* A name that shall be in the program though nobody refers to it. */
void cli_build_need(CliBuild *build, const char *name);
/* Links what was added with the runtime library. */
VcodeModule *cli_build_link(CliBuild *build, GError **error);
/* Joins what was added to one object (-r), or to one that serves as a shared library (-shared). */
VcodeModule *cli_build_join(CliBuild *build, bool shared, GError **error);
/* What a file is, by its content; *what: in words, if it is not ours. */
typedef enum CliFileKind { CLI_FILE_VCODE, CLI_FILE_ARCHIVE, CLI_FILE_FOREIGN } CliFileKind;
CliFileKind cli_file_kind(const char *path, const char **what);
/* Whether the name is one of a C source. */
bool cli_is_source(const char *path);
/* How many of argv[0..argc) make the program: the first argument, and with it all further ones that are inputs. */
int cli_count_inputs(int argc, char **argv);
/* A program from `n` paths: sources, objects, or one program that `orrery cc` made. */
VcodeModule *cli_program(CliBuild *build, char **paths, int n, GError **error);
/* The program as the bytes of its file, for vcode_read_bytes(); g_free. */
char *cli_program_bytes(const VcodeModule *module, gsize *size, GError **error);
/* Does it look like a file we can run at all? Says so if not. */
bool cli_check_file(const char *path, GError **error);

/* -- running (running.c) ----------------------------------------------------------------------- */

/* The options that every running command takes. */
typedef struct CliRunOptions {
    char *ranks, *machine, **set;
    char *quantum, *tier, *jobs, *seed, *choices, *max_time, *memory, *eager_limit, *fs, *wdir;
    char **env;
    char *check;
    gboolean label;
    char *optimise, **include, **define, **undefine, **warnings;
} CliRunOptions;

/* Rows for the option table of a command whose target has the CliRunOptions as field `run`. */
#define CLI_RUN_OPTIONS(target)                                                                                         \
    {"ranks", 'n', CLI_TEXT, "RANKS", offsetof(target, run.ranks), "how many ranks to start; also -np (default 1)",     \
     "-n 16"},                                                                                                          \
        {"machine",                                                                                                     \
         'm',                                                                                                           \
         CLI_MACHINE,                                                                                                   \
         "NAME|FILE",                                                                                                   \
         offsetof(target, run.machine),                                                                                 \
         "the machine to simulate (default laptop); see `orrery machines`",                                             \
         "--machine mesh-4x4"},                                                                                         \
        {"set",                                                                                                         \
         's',                                                                                                           \
         CLI_LIST,                                                                                                      \
         "KEY=VALUE",                                                                                                   \
         offsetof(target, run.set),                                                                                     \
         "change a key of the machine; several times",                                                                  \
         "--set network.bandwidth='1 Gbit/s'"},                                                                         \
        {"quantum",                                                                                                     \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "CYCLES",                                                                                                      \
         offsetof(target, run.quantum),                                                                                 \
         "cycles that a rank may run ahead (default 1000000); never changes a result",                                  \
         "--quantum 1000"},                                                                                             \
        {"tier",                                                                                                        \
         0,                                                                                                             \
         CLI_CHOICE,                                                                                                    \
         "auto|interp|native",                                                                                          \
         offsetof(target, run.tier),                                                                                    \
         "how vCode is executed: native code in long runs, never, or from the start; never changes a result",           \
         "--tier native"},                                                                                              \
        {"jobs",                                                                                                        \
         'j',                                                                                                           \
         CLI_TEXT,                                                                                                      \
         "N",                                                                                                           \
         offsetof(target, run.jobs),                                                                                    \
         "host threads to use at most (default: one per core, for long runs); never changes a result",                  \
         "--jobs 4"},                                                                                                   \
        {"check", 0, CLI_CHECKS, "CHECKS", offsetof(target, run.check), cli_check_help, "--check=leaks,lost"},          \
        {"seed",                                                                                                        \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "N",                                                                                                           \
         offsetof(target, run.seed),                                                                                    \
         "vary, reproducibly, what MPI leaves open; 0: the canonical order",                                            \
         "--seed 7"},                                                                                                   \
        {"choices",                                                                                                     \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "CHOICES",                                                                                                     \
         offsetof(target, run.choices),                                                                                 \
         "what is to happen where MPI leaves it open, as `orrery explore` says it",                                     \
         "--choices 0:2,1"},                                                                                            \
        {"max-time",      0, CLI_TEXT, "TIME", offsetof(target, run.max_time), "stop at this virtual time",             \
         "--max-time 10s"},                                                                                             \
        {"memory",                                                                                                      \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "SIZE",                                                                                                        \
         offsetof(target, run.memory),                                                                                  \
         "end the run when the program has taken so much (default: before the host runs short)",                        \
         "--memory '2 GiB'"},                                                                                           \
        {"eager-limit",                                                                                                 \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "SIZE",                                                                                                        \
         offsetof(target, run.eager_limit),                                                                             \
         "longer standard sends wait for their receiver; 0 shows unsafe programs",                                      \
         "--eager-limit 0"},                                                                                            \
        {"label",  'l', CLI_FLAG, NULL, offsetof(target, run.label), "put the rank before each line of output",         \
         "--label"},                                                                                                    \
        {"fs",                                                                                                          \
         0,                                                                                                             \
         CLI_CHOICE,                                                                                                    \
         "cwd|none|all",                                                                                                \
         offsetof(target, run.fs),                                                                                      \
         "host files that the program may open (default $ORRERY_FS, or below the working directory)",                   \
         "--fs none"},                                                                                                  \
        {"env",                                                                                                         \
         0,                                                                                                             \
         CLI_LIST,                                                                                                      \
         "NAME[=VALUE]",                                                                                                \
         offsetof(target, run.env),                                                                                     \
         "a variable for the programs, which see none of the host's; NAME alone: as it is here; several times",         \
         "--env OMP_NUM_THREADS=2"},                                                                                    \
        {"wdir",                                                                                                        \
         0,                                                                                                             \
         CLI_FILE,                                                                                                      \
         "DIR",                                                                                                         \
         offsetof(target, run.wdir),                                                                                    \
         "the program's working directory (default: this one)",                                                         \
         "--wdir results"},                                                                                             \
        {"optimise", 'O', CLI_TEXT, "LEVEL", offsetof(target, run.optimise), "optimisation of .c programs, 0 to 3",     \
         "-O0"},                                                                                                        \
        {"include", 'I', CLI_FOLDERS, "DIR", offsetof(target, run.include), "look for headers there too", "-Iinclude"}, \
        {"define", 'D', CLI_LIST, "NAME[=VALUE]", offsetof(target, run.define), "define a macro", "-DN=100"},           \
        {"",     'W', CLI_LIST, "NAME", offsetof(target, run.warnings), "warnings of .c programs, as for `orrery cc`",  \
         "-Wall"},                                                                                                      \
    {                                                                                                                   \
        "undefine", 'U', CLI_LIST, "NAME", offsetof(target, run.undefine), "take a macro away", "-UNDEBUG"              \
    }

/* "C++" for a name that ends in .cpp, and so on; NULL: by its name it may be C, or a program. */
const char *cli_other_language(const char *name);
typedef struct CliRun { /* everything that mach_run_new() needs */
    MachConfig *config;
    MachOptions options;
    GArray *choices; /* of options, or NULL */
    MachProgram *programs;
    char ***arguments;    /* argv of each */
    char ***environments; /* of each */
    char *directory;      /* of options, or NULL; free() */
    size_t n_programs;
    const char *example; /* command line that would do, said where no program is given; NULL: orrery run's */
} CliRun;

/* From options and the rest of the command line (PROGRAM [ARGUMENT...] [: -n RANKS PROGRAM ...]...) to a machine that
 * is ready to start. Programs are compiled with variables and types, which reports of faults show. */
bool cli_run_prepare(CliRun *run, const CliRunOptions *options, int argc, char **argv, GError **error);
Machine *cli_run_machine(CliRun *run, GError **error);
void cli_run_clear(CliRun *run);
/* The value of --fs; NULL, the option was not given: what ORRERY_FS says, or *fs as it is. */
bool cli_parse_fs(const char *text, VmFs *fs, GError **error);
/* The names of --check as a set; NULL: the option was not given (checks.c). */
bool cli_parse_checks(const char *list, uint32_t *checks, GError **error);
extern const char cli_check_choices[]; /* "all|memory|..." */
extern const char cli_check_help[];
/* A build with the -O, -I, -D and -U of the options; clear it in any case. */
bool cli_run_init_build(CliBuild *build, const CliRunOptions *options, GError **error);
/* Loads the machine and applies --set and --eager-limit. */
MachConfig *cli_run_config(const CliRunOptions *options, GError **error);
/* From here to the end, Ctrl-C (and with `termination` SIGTERM) makes mach_run() return; a second one ends the process
 * (interrupt.c). `progress`: the machine is asked several times a second to tell how far it is. */
typedef struct CliInterrupt CliInterrupt;
CliInterrupt *cli_interrupt_watch(Machine *machine, bool termination, bool progress);
/* Answers the signal that came, 0: none did. */
int cli_interrupt_end(CliInterrupt *interrupt);
/* How far the run is, for a person at a terminal (progress.c). *progress is NULL where nobody wants to see it; free it
 * with g_free(). */
typedef struct CliProgress CliProgress;
bool cli_progress_new(CliProgress **progress, const char *mode, bool quiet, GError **error);
void cli_progress_tell(CliProgress *progress, const MachProgress *state);
/* Shows a line of the caller's own, at once, or not where the last one is too new to be read. */
void cli_progress_say(CliProgress *progress, const char *text);
/* Takes the line away, before something else is written. */
void cli_progress_clear(CliProgress *progress);
/* As cli_interrupt_watch(), for what `stop` stops, which is called on another thread. */
CliInterrupt *cli_interrupt_watch_with(void (*stop)(void *user), void *user);
/* Says on stderr why the run stopped, if that needs saying. */
void cli_run_explain(Machine *machine, MachStop stop);

#endif
