/* run.c - shared by all commands that run programs: makes a machine ready to start from the options.
 *
 *   [OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] [--env NAME=VALUE] PROGRAM [ARGUMENT...]]...
 *
 * Options before the first program apply to all programs. If a ":" comes before the first program, too, it has options
 * of its own like the others.
 *
 * PROGRAM is one or more .c files, objects and archives, or one program that `orrery cc` made. The first argument that
 * is no such file, or a "--", begins the program's own arguments.
 */
#include "cli/run/run.h"
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "compiler/compiler.h"
#include "machine/machine.h"
#include "mpi/mpi_world.h"
#include "vcode/vcode.h"
#include "vm/vm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the machine ------------------------------------------------------------------------------- */

static bool set_eager_limit(MachConfig *config, const char *limit, GError **error)
{
    bool plain = *limit && limit[strspn(limit, "0123456789")] == '\0'; /* a number without a unit must be bytes */
    g_autofree char *assignment = g_strconcat("mpi.eager-limit=", limit, plain ? " B" : "", NULL);
    return mach_config_set(config, assignment, error);
}

MachConfig *cli_run_config(const CliRunOptions *options, GError **error)
{
    g_autoptr(MachConfig) config = cli_machine(options->machine ? options->machine : CLI_MACHINE_NAME, error);
    if (!config)
        return NULL;
    for (char **assignment = options->set; assignment && *assignment; assignment++) {
        if (!mach_config_set(config, *assignment, error)) {
            g_prefix_error(error, "--set ");
            return NULL;
        }
    }
    if (options->eager_limit && !set_eager_limit(config, options->eager_limit, error)) {
        g_prefix_error(error, "--eager-limit: ");
        return NULL;
    }
    return g_steal_pointer(&config);
}

/* -- the run ----------------------------------------------------------------------------------- */

static bool set_tier(CliRun *run, const CliRunOptions *options, GError **error)
{
    if (!options->tier)
        return true;
    int tier = cli_option_choice("--tier", BASE_CHOICE_ALTERNATIVES(MACH_TIERS), options->tier, error);
    if (tier >= 0)
        run->options.tier = (MachTier)tier;
    return tier >= 0;
}

/* Parses the value of --fs. If `text` is NULL, takes the value of ORRERY_FS, or leaves *fs. */
static bool parse_fs(const char *text, VmFs *fs, GError **error)
{
    static const VmFs modes[] = {CLI_FILE_ACCESSES(BASE_CHOICE_CONSTANT)};
    const char *inherited = g_getenv("ORRERY_FS"), *given = text ? text : inherited;
    if (!given || !*given)
        return true;
    int mode =
        cli_option_choice(text ? "--fs" : "ORRERY_FS", BASE_CHOICE_ALTERNATIVES(CLI_FILE_ACCESSES), given, error);
    if (mode >= 0)
        *fs = modes[mode];
    return mode >= 0;
}

static bool set_directory(CliRun *run, const CliRunOptions *options, GError **error)
{
    if (!options->wdir)
        return true;
    run->directory = realpath(options->wdir, NULL);
    if (!run->directory || !g_file_test(run->directory, G_FILE_TEST_IS_DIR))
        return cli_error_usage(error, "--wdir %s: %s", options->wdir, g_strerror(run->directory ? ENOTDIR : errno));
    run->options.directory = run->directory;
    return true;
}

static bool set_max_time(CliRun *run, const CliRunOptions *options, GError **error)
{
    if (!options->max_time)
        return true;
    if (!base_units_parse(options->max_time, BASE_UNIT_TIME, &run->options.max_time_ps, error)) {
        g_prefix_error(error, "--max-time: ");
        return false;
    }
    if (run->options.max_time_ps == 0)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--max-time 0: nothing could run; leave it out for no limit");
    return run->options.max_time_ps != 0;
}

static bool set_kills(CliRun *run, const CliRunOptions *options, GError **error)
{
    if (!options->kill)
        return true;
    run->options.kills = run->kills = g_array_new(FALSE, FALSE, sizeof(MachKill));
    for (char **kill = options->kill; *kill; kill++) {
        GError *wrong = NULL;
        if (!mach_kills_parse(*kill, run->kills, &wrong)) {
            cli_error_usage(error, "--kill: %s", wrong->message);
            g_error_free(wrong);
            return false;
        }
    }
    return true;
}

bool cli_run_parse_memory(const char *text, uint64_t *bytes, GError **error)
{
    if (!text)
        return true;
    if (!base_units_parse(text, BASE_UNIT_SIZE, bytes, error)) {
        g_prefix_error(error, "--memory: ");
        return false;
    }
    return *bytes || cli_error_usage(error, "--memory 0: nothing could run; leave it out for what the host has");
}

static bool set_choices(CliRun *run, const CliRunOptions *options, GError **error)
{
    char *wrong = NULL;
    if (!options->choices)
        return true;
    run->options.choices = run->choices = mpi_choices_parse(options->choices, &wrong);
    if (wrong)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--choices %s: %s", options->choices, wrong);
    g_free(wrong);
    return run->choices;
}

bool cli_run_set_options(CliRun *run, const CliRunOptions *options, GError **error)
{
    uint64_t jobs;
    mach_run_options_default(&run->options);
    run->options.label = options->label;
    if (options->quantum &&
        !cli_option_number("--quantum", options->quantum, 1, INT64_MAX, &run->options.quantum, error))
        return false;
    if (options->seed && !cli_option_number("--seed", options->seed, 0, INT64_MAX, &run->options.seed, error))
        return false;
    if (options->jobs) {
        if (!cli_option_number("--jobs", options->jobs, 1, 4096, &jobs, error))
            return false;
        run->options.jobs = (uint32_t)jobs;
    }
    if (!cli_check_parse(options->check, &run->options.checks, error))
        return false;
    run->options.program = cli_run_lookup;
    run->options.program_user = run;
    return set_choices(run, options, error) && set_tier(run, options, error) &&
           parse_fs(options->fs, &run->options.fs, error) && set_directory(run, options, error) &&
           set_max_time(run, options, error) && set_kills(run, options, error) &&
           cli_run_parse_memory(options->memory, &run->options.memory_bytes, error);
}

/* -- programs ---------------------------------------------------------------------------------- */

static void add_flags(CliBuild *build, const char *flag, char *const *values)
{
    for (; values && *values; values++)
        g_ptr_array_add(build->flags, g_strconcat(flag, *values, NULL));
}

/* Applies -W, as in `orrery cc`. */
static bool set_warnings(CcOptions *compile, char **names, GError **error)
{
    bool good = true;
    for (char **name = names; good && name && *name; name++) {
        char *complaint;
        g_autofree char *flag = g_strconcat("-W", *name, NULL);
        if (cc_warning_option(compile, flag, &complaint) == CC_OPTION_TAKEN)
            continue;
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s", complaint ? complaint : flag);
        g_free(complaint);
        good = false;
    }
    return good;
}

/* Applies -f, of which only that of OpenMP matters for programs that are run at once. */
static bool set_code(CcOptions *compile, char **names, GError **error)
{
    for (char **name = names; name && *name; name++) {
        if (strcmp(*name, "openmp") != 0) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "unknown option -f%s; `orrery cc` knows more than -fopenmp",
                        *name);
            return false;
        }
        compile->openmp = true;
    }
    return true;
}

bool cli_run_init_build(CliBuild *build, const CliRunOptions *options, GError **error)
{
    cli_build_init(build);
    add_flags(build, "-I", options->include);
    add_flags(build, "-D", options->define);
    add_flags(build, "-U", options->undefine);
    build->compile.no_warnings = options->again;
    if (!set_warnings(&build->compile, options->warnings, error) || !set_code(&build->compile, options->code, error))
        return false;
    if (!options->optimise)
        return true;
    int level = cli_option_choice("-O", "0|1|2|3", options->optimise, error);
    build->compile.optimise = level;
    return level >= 0;
}

/* Returns argv of the program: its name, without .c, and its arguments. */
static char **program_arguments(char **argv, int inputs, int argc)
{
    GPtrArray *out = g_ptr_array_new();
    size_t length = strlen(argv[0]);
    bool source = g_str_has_suffix(argv[0], ".c") && cli_file_is_source(argv[0]);
    g_ptr_array_add(out, g_strndup(argv[0], source ? length - 2 : length));
    if (inputs < argc && strcmp(argv[inputs], "--") == 0)
        inputs++;
    for (int i = inputs; i < argc; i++)
        g_ptr_array_add(out, g_strdup(argv[i]));
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

static bool parse_ranks(const char *text, uint32_t *ranks, GError **error)
{
    uint64_t value = 1;
    if (text && strcmp(text, "0") == 0)
        return cli_error_usage(error, "-n 0: a program needs at least one rank");
    if (text && !cli_option_number("-n", text, 1, INT32_MAX, &value, error))
        return false;
    *ranks = (uint32_t)value;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the variables of --env: NAME=VALUE as it is, and those that the host has for NAME and NAME*. */
static bool add_environment(GPtrArray *out, char *const *given, GError **error)
{
    for (; given && *given; given++) {
        const char *equals = strchr(*given, '=');
        size_t length = strcspn(*given, "=");
        if (length == 0)
            return cli_error_usage(error, "--env %s: NAME=VALUE is needed, or the NAME of a variable that is handed on",
                                   *given);
        if (equals) {
            g_ptr_array_add(out, g_strdup(*given));
            continue;
        }
        bool prefix = (*given)[length - 1] == '*';
        if (!prefix && !g_getenv(*given))
            return cli_error_usage(error, "--env %s: there is no such variable here; --env %s=VALUE makes one", *given,
                                   *given);
        g_auto(GStrv) names = g_listenv();
        qsort(names, g_strv_length(names), sizeof *names, compare_names);
        for (char **name = names; *name; name++)
            if (prefix ? strncmp(*name, *given, length - 1) == 0 : strcmp(*name, *given) == 0)
                g_ptr_array_add(out, g_strconcat(*name, "=", g_getenv(*name), NULL));
    }
    return true;
}

/* The variables of OpenMP are handed on unasked: whoever sets one means the program that he starts. */
static char **program_environment(char *const *global, char *const *own, GError **error)
{
    static char openmp[] = "OMP_*";
    static char *const unasked[] = {openmp, NULL};
    g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
    if (!add_environment(out, unasked, error) || !add_environment(out, global, error) ||
        !add_environment(out, own, error))
        return NULL;
    g_ptr_array_add(out, NULL);
    return g_strdupv((char **)out->pdata);
}

/* Options that may differ between the programs of a run. */
typedef struct Segment {
    char *ranks;
    char **environment; /* added to the one for all programs */
} Segment;

/* Makes PROGRAM [ARGUMENT...] of one segment the next of run->programs. */
static bool add_program(CliRun *run, const CliRunOptions *options, const Segment *segment, int argc, char **argv,
                        GError **error)
{
    MachProgram *program = &run->programs[run->n_programs];
    if (argc < 1)
        return cli_error_usage(error, "no program is given; for example: %s",
                               run->example ? run->example : "orrery run -n 4 hello.c");
    if (!parse_ranks(segment->ranks, &program->count, error))
        return false;
    char **environment = program_environment(options->env, segment->environment, error);
    run->environments[run->n_programs] = environment;
    program->environment = (const char *const *)environment;
    if (!environment)
        return false;
    CliBuild build;
    int inputs = cli_file_count_inputs(argc, argv);
    run->arguments[run->n_programs++] = program_arguments(argv, inputs, argc);
    program->module =
        cli_run_init_build(&build, options, error) ? cli_build_program(&build, argv, inputs, error) : NULL;
    cli_build_clear(&build);
    program->argv = (const char *const *)run->arguments[run->n_programs - 1];
    return program->module;
}

/* Adds a program from a segment after a ":", which has its own number of ranks and additions to the environment. */
static bool add_further_program(CliRun *run, const CliRunOptions *options, int argc, char **argv, GError **error)
{
    static const CliOption rows[] = {
        {"ranks", 'n', CLI_TEXT, "RANKS", offsetof(Segment, ranks), "how many ranks to start", "-n 7"},
        {"env", 0, CLI_LIST, "NAME[=VALUE]", offsetof(Segment, environment), "a variable of the environment",
         "--env OMP_NUM_THREADS=2"},
        {0}};
    CliUsage usage = {.command = "run", .synopsis = "", .text = "", .options = rows};
    Segment target = {0};
    bool done = false;
    bool good = cli_option_parse(&usage, &target, &argc, argv, &done, error) &&
                add_program(run, options, &target, argc - 1, argv + 1, error);
    cli_option_clear(rows, &target);
    return good;
}

static int segment_length(int argc, char **argv)
{
    int n = 0;
    while (n < argc && strcmp(argv[n], ":") != 0)
        n++;
    return n;
}

static bool add_programs(CliRun *run, const CliRunOptions *options, int argc, char **argv, GError **error)
{
    int n = segment_length(argc, argv);
    run->programs = g_new0(MachProgram, (gsize)argc + 1);
    run->arguments = g_new0(char **, (gsize)argc + 1);
    run->environments = g_new0(char **, (gsize)argc + 1);
    bool apart = n == 0 && argc > 0 && !options->ranks; /* options before a first ":" are for all programs */
    if (!apart && !add_program(run, options, &(Segment){.ranks = options->ranks}, n, argv, error))
        return false;
    while (n < argc) {
        int next = n + 1 + segment_length(argc - n - 1, argv + n + 1);
        if (!add_further_program(run, options, next - n, argv + n, error)) /* the ":" takes the place of argv[0] */
            return false;
        n = next;
    }
    return true;
}

/* -- all of it --------------------------------------------------------------------------------- */

bool cli_run_prepare(CliRun *run, const CliRunOptions *options, int argc, char **argv, GError **error)
{
    *run = (CliRun){.example = run->example, .given = options};
    if (!cli_run_set_options(run, options, error))
        return false;
    run->config = cli_run_config(options, error);
    return run->config && add_programs(run, options, argc, argv, error);
}

Machine *cli_run_machine(CliRun *run, GError **error)
{
    return mach_run_new(run->config, run->programs, run->n_programs, &run->options, error);
}

void cli_run_clear(CliRun *run)
{
    for (size_t i = 0; i < run->n_programs; i++) {
        g_clear_pointer(&run->programs[i].module, vcode_module_free);
        g_strfreev(run->arguments[i]);
        g_strfreev(run->environments[i]);
    }
    g_free(run->environments);
    free(run->directory);
    g_free(run->programs);
    g_free(run->arguments);
    g_clear_pointer(&run->config, mach_config_free);
    g_clear_pointer(&run->choices, g_array_unref);
    g_clear_pointer(&run->kills, g_array_unref);
}

void cli_run_explain(Machine *machine, MachStop stop)
{
    GString *text = g_string_new(NULL);
    if (stop != MACH_STOP_FINISHED)
        mach_explain(machine, text);
    if (text->len)
        cli_say("%s", text->str);
    g_string_free(text, TRUE);
}
