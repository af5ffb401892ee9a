/* run.h - shared by commands that run programs.
 *
 *   run.c       makes a machine ready to start from options          checks.c    the value of --check
 *   saved.c     what a machine is made of, kept
 *   interrupt.c Ctrl-C                                               progress.c  how far the run is
 */
#ifndef ORRERY_CLI_RUN_H
#define ORRERY_CLI_RUN_H

#include "base/choice.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "machine/machine.h"
#include "vm/vm.h"

/* The options that every command has that runs programs. */
typedef struct CliRunOptions {
    char *ranks, *machine, **set;
    char *quantum, *tier, *jobs, *seed, *choices, *max_time, *memory, *eager_limit, *fs, *wdir;
    char **env, **kill;
    char *check;
    gboolean label;
    char *optimise, **include, **define, **undefine, **warnings, **code;
    bool again; /* set by commands: the programs have been compiled before, and their warnings were shown */
} CliRunOptions;

/* The values of --fs. */
#define CLI_FILE_ACCESSES(CHOICE) CHOICE(VM_FS_CWD, "cwd") CHOICE(VM_FS_NONE, "none") CHOICE(VM_FS_ALL, "all")
/* The values of --progress. */
#define CLI_PROGRESS_MODES(CHOICE)                                                                                     \
    CHOICE(CLI_PROGRESS_AUTO, "auto") CHOICE(CLI_PROGRESS_ALWAYS, "always") CHOICE(CLI_PROGRESS_NEVER, "never")

/* Rows for the option table of a command whose target has the CliRunOptions as field `run`. */
/* clang-format off */
#define CLI_RUN_OPTIONS(target) CLI_RUN_OPTIONS_WITH("ranks", target)
/* The same with another long name, or "", for -n. */
#define CLI_RUN_OPTIONS_WITH(long_name, target)                                                                          \
    {long_name, 'n', CLI_TEXT, "RANKS", offsetof(target, run.ranks),                                                       \
     "how many ranks to start; also -np (default 1)",                                                                  \
     "-n 16"},                                                                                                         \
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(target, run.machine),                                          \
     "the machine to simulate (default " CLI_MACHINE_NAME "); see `orrery machines`",                                                \
     "--machine mesh-4x4"},                                                                                            \
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(target, run.set),                                                     \
     "change a key of the machine; several times",                                                                     \
     "--set network.bandwidth='1 Gbit/s'"},                                                                            \
    {"quantum", 0, CLI_TEXT, "CYCLES", offsetof(target, run.quantum),                                                  \
     "cycles that a rank may run ahead (default " G_STRINGIFY(MACH_QUANTUM) "); never changes a result",                                     \
     "--quantum 1000"},                                                                                                \
    {"tier", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(MACH_TIERS), offsetof(target, run.tier),                                          \
     "how vCode is executed: native code in long runs, never, or from the start; never changes a result",              \
     "--tier native"},                                                                                                 \
    {"jobs", 'j', CLI_TEXT, "N", offsetof(target, run.jobs),                                                           \
     "host threads to use at most (default: one per core, for long runs); never changes a result",                     \
     "--jobs 4"},                                                                                                      \
    {"check", 0, CLI_CHECKS, "CHECKS", offsetof(target, run.check),                                                    \
     cli_check_help,                                                                                                   \
     "--check=leaks,lost"},                                                                                            \
    {"seed", 0, CLI_TEXT, "N", offsetof(target, run.seed),                                                             \
     "vary, reproducibly, what MPI leaves open; 0: the canonical order",                                               \
     "--seed 7"},                                                                                                      \
    {"choices", 0, CLI_TEXT, "CHOICES", offsetof(target, run.choices),                                                 \
     "what is to happen where MPI leaves it open, as `orrery explore` says it",                                        \
     "--choices 0:2,1"},                                                                                               \
    {"max-time", 0, CLI_TEXT, "TIME", offsetof(target, run.max_time),                                                  \
     "stop at this virtual time",                                                                                      \
     "--max-time 10s"},                                                                                                \
    {"kill", 0, CLI_LIST, "RANK@TIME|nodeN@TIME", offsetof(target, run.kill),                                         \
     "let a process, or all of a node, fail at a virtual time; several times",                                        \
     "--kill 3@1ms"},                                                                                                  \
    {"memory", 0, CLI_TEXT, "SIZE", offsetof(target, run.memory),                                                      \
     "end the run when the program has taken so much (default: before the host runs short)",                           \
     "--memory '2 GiB'"},                                                                                              \
    {"eager-limit", 0, CLI_TEXT, "SIZE", offsetof(target, run.eager_limit),                                            \
     "longer standard sends wait for their receiver; 0 shows unsafe programs",                                         \
     "--eager-limit 0"},                                                                                               \
    {"label", 'l', CLI_FLAG, NULL, offsetof(target, run.label),                                                        \
     "put the rank before each line of output",                                                                        \
     "--label"},                                                                                                       \
    {"fs", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(CLI_FILE_ACCESSES), offsetof(target, run.fs),                                                    \
     "host files that the program may open (default $ORRERY_FS, or below the working directory)",                      \
     "--fs none"},                                                                                                     \
    {"env", 0, CLI_LIST, "NAME[=VALUE]", offsetof(target, run.env),                                                    \
     "a variable for the programs, which see none of the host's but OMP_*; NAME alone: as it is here; several times",            \
     "--env OMP_NUM_THREADS=2"},                                                                                       \
    {"wdir", 0, CLI_FILE, "DIR", offsetof(target, run.wdir),                                                           \
     "the program's working directory (default: this one)",                                                            \
     "--wdir results"},                                                                                                \
    {"optimise", 'O', CLI_TEXT, "LEVEL", offsetof(target, run.optimise),                                               \
     "optimisation of .c programs, 0 to 3",                                                                            \
     "-O0"},                                                                                                           \
    {"include", 'I', CLI_FOLDERS, "DIR", offsetof(target, run.include),                                                \
     "look for headers there too",                                                                                     \
     "-Iinclude"},                                                                                                     \
    {"define", 'D', CLI_LIST, "NAME[=VALUE]", offsetof(target, run.define),                                            \
     "define a macro",                                                                                                 \
     "-DN=100"},                                                                                                       \
    {"", 'W', CLI_LIST, "NAME", offsetof(target, run.warnings),                                                        \
     "warnings of .c programs, as for `orrery cc`",                                                                    \
     "-Wall"},                                                                                                         \
    {"", 'f', CLI_LIST, "NAME", offsetof(target, run.code),                                                            \
     "how to compile .c programs: -fopenmp obeys the directives of OpenMP",                                           \
     "-fopenmp"},                                                                                                      \
    {"undefine", 'U', CLI_LIST, "NAME", offsetof(target, run.undefine),                                                \
     "take a macro away",                                                                                              \
     "-UNDEBUG"}
/* clang-format on */

typedef struct CliRun { /* everything that mach_run_new() needs */
    MachConfig *config;
    MachOptions options;
    GArray *kills;   /* MachKill; options.kills points to it; NULL: none */
    GArray *choices; /* MpiChoice; options.choices points to it; NULL: none */
    MachProgram *programs;
    char ***arguments;    /* argv of each program */
    char ***environments; /* environment of each program */
    char *directory;      /* options.directory points to it; NULL: none; free() */
    size_t n_programs;
    const CliRunOptions *given; /* the options, which live as long */
    const char *example;        /* an example for the error that no program is given; NULL: one of `orrery run` */
} CliRun;

/* Makes everything ready for a machine, from the options and the rest of the command line (PROGRAM [ARGUMENT...] [: -n
 * RANKS PROGRAM ...]...). Programs are compiled with debug information, which reports of faults show. Returns false
 * with an error. The caller calls cli_run_clear() in any case. */
bool cli_run_prepare(CliRun *run, const CliRunOptions *options, int argc, char **argv, GError **error);
Machine *cli_run_machine(CliRun *run, GError **error);
/* Between cli_run_prepare() and cli_run_machine(): returns all that the machine is made of, as a floating value
 * (saved.c): programs, their arguments and environments, the machine file, options, names and hashes of sources. */
GVariant *cli_run_save(const CliRun *run);
extern const char cli_run_saved_type[]; /* its type */
/* Makes options of what was saved. cli_run_options_clear() frees them. */
void cli_run_restore_options(GVariant *saved, CliRunOptions *options);
void cli_run_options_clear(CliRunOptions *options);
/* cli_run_prepare() of what was saved, and of options that cli_run_restore_options() made. */
bool cli_run_prepare_saved(CliRun *run, const CliRunOptions *options, GVariant *saved, GError **error);
/* Appends a line for each source that is here, but not as it was. */
void cli_run_compare_sources(GVariant *saved, GString *out);
/* The part of cli_run_prepare() that reads the options of the run. */
bool cli_run_set_options(CliRun *run, const CliRunOptions *options, GError **error);
void cli_run_clear(CliRun *run);
/* MachOptions.program of a CliRun (lookup.c). */
VcodeModule *cli_run_lookup(void *run, const MachLookup *lookup, GError **error);
/* Parses the value of --memory. NULL leaves *bytes. */
bool cli_run_parse_memory(const char *text, uint64_t *bytes, GError **error);
/* Parses the value of --check to a set of checks (checks.c). NULL: the option was not given. */
bool cli_check_parse(const char *list, uint32_t *checks, GError **error);
extern const char cli_check_choices[]; /* like "all|memory|..." */
extern const char cli_check_help[];
/* Initialises a build with -O, -I, -D and -U from the options. The caller clears it in any case. */
bool cli_run_init_build(CliBuild *build, const CliRunOptions *options, GError **error);
/* Loads the machine and applies --set and --eager-limit. */
MachConfig *cli_run_config(const CliRunOptions *options, GError **error);
/* From this call to cli_interrupt_end(), Ctrl-C (and SIGTERM with `termination`) makes mach_run() return. A second one
 * ends the process (interrupt.c). `progress`: the machine is asked several times a second to report its progress. */
typedef struct CliInterrupt CliInterrupt;
CliInterrupt *cli_interrupt_watch(Machine *machine, bool termination, bool progress);
/* Returns the signal that came, or 0. */
int cli_interrupt_end(CliInterrupt *interrupt);
/* Shows how far the run is to a person at a terminal (progress.c). *progress becomes NULL if that is not wanted. The
 * caller frees it with g_free(). */
typedef struct CliProgress CliProgress;
bool cli_progress_new(CliProgress **progress, const char *mode, bool quiet, GError **error);
void cli_progress_tell(CliProgress *progress, const MachProgress *state);
/* Shows a line of the caller at once, but drops it if the last one is too recent to have been read. */
void cli_progress_say(CliProgress *progress, const char *text);
/* Erases the line. To be called before anything else is written. */
void cli_progress_clear(CliProgress *progress);
/* Like cli_interrupt_watch(), but Ctrl-C calls `stop`, on another thread. */
CliInterrupt *cli_interrupt_watch_with(void (*stop)(void *user), void *user);
/* Prints on stderr why the run stopped, if that needs an explanation. */
void cli_run_explain(Machine *machine, MachStop stop);

#endif
