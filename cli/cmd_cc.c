/* cmd_cc.c - `orrery cc`: a drop-in for cc. Compiles each source to an object, links objects to a program.
 *
 * A linked program begins with "#!/path/of/orrery run", so it runs by itself. Flags that cannot change what an Orrery
 * program does (-f..., -m..., most -W..., -pthread, -pipe ...) are accepted and ignored, so that build systems need no
 * change.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

typedef enum Stage { STAGE_PREPROCESS, STAGE_VCODE_TEXT, STAGE_OBJECT, STAGE_PROGRAM } Stage;

typedef struct CcJob {
    CliBuild build;
    Stage stage;
    char *output;
    GPtrArray *inputs;                       /* paths, and -lNAME */
    GPtrArray *directories;                  /* -L */
    bool depend, depend_file, depend_target; /* -MD or -MMD, -MF, -MT or -MQ given */
    bool verbose, no_input;                  /* -v; something else than compiling has been done */
} CcJob;

const CliOption cli_cc_options[] = {
    {"", 'c', CLI_FLAG, NULL, 0, "compile, do not link", "-c"},
    {"", 'E', CLI_FLAG, NULL, 0, "preprocess only", "-E"},
    {"", 'S', CLI_FLAG, NULL, 0, "compile to vCode as text", "-S"},
    {"", 'o', CLI_FILE, "FILE", 0, "name of the result", "-o hello"},
    {"", 'I', CLI_FOLDERS, "DIR", 0, "look for headers there too; also -iquote, -isystem, -idirafter", "-Iinclude"},
    {"", 'D', CLI_LIST, "NAME[=VALUE]", 0, "define a macro", "-DN=100"},
    {"", 'U', CLI_LIST, "NAME", 0, "take a macro away", "-UNDEBUG"},
    {"", 'O', CLI_TEXT, "LEVEL", 0, "optimise: 0 to 3, s, g", "-O2"},
    {"", 'g', CLI_FLAG, NULL, 0, "keep variables and types for the debugger", "-g"},
    {"", 'l', CLI_TEXT, "NAME", 0, "link libNAME.a; m, c, pthread, mpi and the like are always there", "-lm"},
    {"", 'L', CLI_FOLDERS, "DIR", 0, "look for libraries there", "-Llib"},
    {"", 'W', CLI_TEXT, "NAME", 0, "warnings: all, extra, error, NAME, no-NAME; --help=warnings lists them", "-Wall"},
    {"", 'v', CLI_FLAG, NULL, 0, "say what is done", "-v"},
    {"version", 0, CLI_FLAG, NULL, 0, "print the version", "--version"},
    {0}};

static void print_cc_help(void)
{
    GString *out = g_string_new(
        "Usage: orrery cc [OPTION...] FILE...\n\n"
        "Compiles C files and links them with objects and archives like cc. The result runs by itself or under\n"
        "`orrery run`. Flags of other compilers (-f..., -m..., -std=..., -pthread ...) are accepted.\n\n"
        "  orrery cc -O2 -o hello hello.c\n  orrery run -n 4 ./hello\n\nOptions:\n");
    for (const CliOption *option = cli_cc_options; option->name; option++) {
        if (*option->name)
            g_string_append_printf(out, "  --%s", option->name);
        else
            g_string_append_printf(out, "  -%c%s%s", option->letter, option->value ? " " : "",
                                   option->value ? option->value : "");
        g_string_append_printf(out, "\n        %s\n        Example: %s\n", option->help, option->example);
    }
    cli_print(out->str);
    g_string_free(out, TRUE);
}

static void print_warnings(void)
{
    GString *out =
        g_string_new("Warnings of orrery cc; -Wno-NAME switches one off, -Werror=NAME makes it an error.\n\n");
    cc_warning_help(out);
    cli_print(out->str);
    g_string_free(out, TRUE);
}

/* -- options -------------------------------------------------------------------------------------------------- */

/* If `argument` is `flag` followed by its value, or `flag` with the value in the next argument: the value, else NULL.
 */
static const char *flag_value(const char *flag, int argc, char **argv, int *i)
{
    size_t length = strlen(flag);
    if (strncmp(argv[*i], flag, length) != 0)
        return NULL;
    if (argv[*i][length])
        return argv[*i] + length;
    return *i + 1 < argc ? argv[++*i] : NULL;
}

/* Flags of the preprocessor, with a value. */
static bool preprocessor_flag(CcJob *job, int argc, char **argv, int *i)
{
    static const char *const flags[] = {"-I", "-D", "-U"};
    static const char *const separate[] = {"-include", "-isystem", "-iquote", "-idirafter",
                                           "-imacros", "-MF",      "-MT",     "-MQ"};
    for (size_t k = 0; k < G_N_ELEMENTS(separate); k++) {
        if (strcmp(argv[*i], separate[k]) != 0 || *i + 1 >= argc)
            continue;
        job->depend_file |= strcmp(separate[k], "-MF") == 0;
        job->depend_target |= strcmp(separate[k], "-MT") == 0 || strcmp(separate[k], "-MQ") == 0;
        g_ptr_array_add(job->build.flags, g_strdup(argv[*i]));
        g_ptr_array_add(job->build.flags, g_strdup(argv[++*i]));
        return true;
    }
    for (size_t k = 0; k < G_N_ELEMENTS(flags); k++) {
        const char *value = flag_value(flags[k], argc, argv, i);
        if (value) {
            g_ptr_array_add(job->build.flags, g_strconcat(flags[k], value, NULL));
            return true;
        }
    }
    return false;
}

static bool set_optimisation(CcJob *job, const char *level)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"", 1}, {"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"s", 2}, {"z", 2}, {"g", 1}, {"fast", 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        if (strcmp(levels[i].name, level) == 0) {
            job->build.compile.optimise = levels[i].level;
            return true;
        }
    }
    return false;
}

/* Flags without a value that mean something here. */
static bool plain_flag(CcJob *job, const char *flag)
{
    if (strcmp(flag, "-c") == 0)
        job->stage = STAGE_OBJECT;
    else if (strcmp(flag, "-E") == 0)
        job->stage = STAGE_PREPROCESS;
    else if (strcmp(flag, "-S") == 0)
        job->stage = STAGE_VCODE_TEXT;
    else if (strcmp(flag, "-v") == 0)
        job->verbose = true;
    else if (strcmp(flag, "--orrery-library") == 0) /* for the build of the runtime library */
        job->build.compile.library = true;
    else if (strcmp(flag, "-MD") == 0 || strcmp(flag, "-MMD") == 0)
        job->depend = true, g_ptr_array_add(job->build.flags, g_strdup(flag));
    else if (strcmp(flag, "-MP") == 0)
        g_ptr_array_add(job->build.flags, g_strdup(flag));
    else if (g_str_has_prefix(flag, "-g"))
        job->build.compile.debug = strcmp(flag, "-g0") != 0;
    else if (g_str_has_prefix(flag, "-O"))
        return set_optimisation(job, flag + 2);
    else
        return false;
    return true;
}

/* Flags that change nothing here. */
static bool harmless_flag(const char *flag)
{
    static const char *const names[] = {"-pthread", "-pipe", "-s",           "-static",   "-rdynamic",        "-pie",
                                        "-no-pie",  "-w",    "-ansi",        "-pedantic", "-pedantic-errors", "-p",
                                        "-pg",      "-q",    "-nostartfiles"};
    static const char *const prefixes[] = {"-W", "-f", "-m", "-std=", "--std=", "--param", "-R", "-B"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], flag) == 0)
            return true;
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (g_str_has_prefix(flag, prefixes[i]))
            return true;
    return false;
}

/* Questions that build systems ask. */
static bool answer_question(CcJob *job, const char *flag)
{
    g_autofree char *executable = cli_executable();
    g_autofree char *include = cli_share("include");
    if (strcmp(flag, "--version") == 0)
        g_print("orrery cc (Orrery) " ORRERY_VERSION "\nvCode compiler of the Orrery simulator of parallel machines\n");
    else if (strcmp(flag, "-dumpversion") == 0 || strcmp(flag, "-dumpfullversion") == 0)
        g_print(ORRERY_VERSION "\n");
    else if (strcmp(flag, "-dumpmachine") == 0)
        g_print("vcode-orrery-none\n");
    else if (strcmp(flag, "-show") == 0 || strcmp(flag, "--showme") == 0 || strcmp(flag, "-showme") == 0)
        g_print("%s cc\n", executable);
    else if (strcmp(flag, "-print-search-dirs") == 0)
        g_print("install: %s\n", include);
    else if (strcmp(flag, "--help=warnings") == 0 || strcmp(flag, "--help=warning") == 0)
        print_warnings();
    else if (strcmp(flag, "--help") == 0 || strcmp(flag, "-h") == 0)
        print_cc_help();
    else
        return false;
    job->no_input = true;
    return true;
}

static bool parse_argument(CcJob *job, int argc, char **argv, int *i, GError **error)
{
    const char *argument = argv[*i];
    const char *value;
    if (argument[0] != '-' || !argument[1] || g_str_has_prefix(argument, "-l")) {
        g_ptr_array_add(job->inputs, g_strdup(argument));
        return true;
    }
    char *complaint;
    switch (cc_warning_option(&job->build.compile, argument, &complaint)) {
    case CC_OPTION_OTHER: break;
    case CC_OPTION_TAKEN: return true;
    case CC_OPTION_UNKNOWN:
        g_printerr("orrery: warning: %s; see `orrery cc --help=warnings`\n", complaint);
        g_free(complaint);
        return true;
    case CC_OPTION_WRONG:
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, complaint);
        g_free(complaint);
        return false;
    }
    if (answer_question(job, argument) || plain_flag(job, argument) || preprocessor_flag(job, argc, argv, i))
        return true;
    if ((value = flag_value("-o", argc, argv, i))) {
        g_free(job->output);
        job->output = g_strdup(value);
        return true;
    }
    if ((value = flag_value("-L", argc, argv, i))) {
        g_ptr_array_add(job->directories, g_strdup(value));
        return true;
    }
    if ((value = flag_value("-x", argc, argv, i))) {
        if (strcmp(value, "c") == 0 || strcmp(value, "none") == 0)
            return true;
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "-x %s: only C is compiled here", value);
        return false;
    }
    if (harmless_flag(argument)) {
        if (strcmp(argument, "--param") == 0)
            ++*i;
        return true;
    }
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "unknown option %s; see `orrery cc --help`", argument);
    return false;
}

/* -- stages ------------------------------------------------------------------------------------------------------ */

/* "dir/file.c" -> "file.o" */
static char *output_name(const CcJob *job, const char *input, const char *suffix)
{
    if (job->output)
        return g_strdup(job->output);
    g_autofree char *base = g_path_get_basename(input);
    char *dot = strrchr(base, '.');
    if (dot)
        *dot = '\0';
    return g_strconcat(base, suffix, NULL);
}

static bool write_text(const char *text, gsize size, const char *path, GError **error)
{
    if (path && strcmp(path, "-") != 0)
        return g_file_set_contents(path, text, (gssize)size, error);
    fwrite(text, 1, size, stdout);
    if (fflush(stdout) == 0)
        return true;
    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_FILE, "cannot write to standard output");
    return false;
}

static bool preprocess(CcJob *job, const char *input, GError **error)
{
    size_t size;
    CcDiagnostics *diagnostics = cc_diagnostics_new(NULL, NULL, false);
    cc_diagnostics_configure(diagnostics, &job->build.compile, input);
    g_ptr_array_add(job->build.flags, NULL);
    job->build.compile.cpp_flags = (const char *const *)job->build.flags->pdata;
    g_autofree char *text = cc_preprocess(input, &job->build.compile, diagnostics, &size, error);
    g_ptr_array_remove_index(job->build.flags, job->build.flags->len - 1);
    cc_diagnostics_free(diagnostics);
    return text && write_text(text, size, job->output, error);
}

static bool print_vcode(CcJob *job, const char *input, GError **error)
{
    g_autoptr(VcodeModule) module = cli_compile(&job->build, input, error);
    if (!module)
        return false;
    g_autofree char *path = output_name(job, input, ".s");
    GString *out = g_string_new(NULL);
    vcode_disassemble(module, false, out);
    bool good = write_text(out->str, out->len, path, error);
    g_string_free(out, TRUE);
    return good;
}

/* -MD without -MF and -MT: file.d, file.o as the usual compilers have it. */
static void add_dependency_flags(CcJob *job, const char *object)
{
    if (!job->depend)
        return;
    if (!job->depend_file) {
        const char *dot = strrchr(object, '.');
        g_autofree char *base = g_strndup(object, dot ? (size_t)(dot - object) : strlen(object));
        g_ptr_array_add(job->build.flags, g_strdup("-MF"));
        g_ptr_array_add(job->build.flags, g_strconcat(base, ".d", NULL));
    }
    if (!job->depend_target) {
        g_ptr_array_add(job->build.flags, g_strdup("-MT"));
        g_ptr_array_add(job->build.flags, g_strdup(object));
    }
}

static bool compile_object(CcJob *job, const char *input, GError **error)
{
    if (!cli_is_source(input) && strcmp(input, "-") != 0)
        return true; /* objects take part in linking only */
    g_autofree char *path = output_name(job, input, ".o");
    guint flags = job->build.flags->len;
    add_dependency_flags(job, path);
    g_autoptr(VcodeModule) module = cli_compile(&job->build, input, error);
    g_ptr_array_set_size(job->build.flags, (gint)flags);
    return module && vcode_write(module, path, NULL, error);
}

/* Libraries that are part of the runtime or of the simulator. */
static bool is_builtin_library(const char *name)
{
    static const char *const names[] = {"m",     "c",    "pthread", "rt",  "dl",    "util", "mpi",
                                        "mpich", "pmpi", "pmpich",  "gcc", "gcc_s", "gomp"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool link_library(CcJob *job, const char *name, GError **error)
{
    g_autofree char *file = g_strdup_printf("lib%s.a", name);
    for (guint i = 0; i < job->directories->len; i++) {
        g_autofree char *path = g_build_filename(g_ptr_array_index(job->directories, i), file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return cli_build_add(&job->build, path, error);
    }
    if (is_builtin_library(name))
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "-l%s: there is no %s in the directories given with -L", name, file);
    return false;
}

static bool link_program(CcJob *job, GError **error)
{
    for (guint i = 0; i < job->inputs->len; i++) {
        const char *input = g_ptr_array_index(job->inputs, i);
        bool good = g_str_has_prefix(input, "-l") ? link_library(job, input + 2, error)
                                                  : cli_build_add(&job->build, input, error);
        if (!good)
            return false;
    }
    g_autoptr(VcodeModule) program = cli_build_link(&job->build, error);
    if (!program)
        return false;
    g_autofree char *executable = cli_executable();
    g_autofree char *interpreter = g_strconcat(executable, " run", NULL);
    return vcode_write(program, job->output ? job->output : "a.out", interpreter, error);
}

/* One input that is to be compiled by itself. */
static bool compile_one(CcJob *job, const char *input, GError **error)
{
    if (g_str_has_prefix(input, "-l"))
        return true;
    if (job->verbose)
        g_printerr("orrery cc: %s\n", input);
    switch (job->stage) {
    case STAGE_PREPROCESS: return preprocess(job, input, error);
    case STAGE_VCODE_TEXT: return print_vcode(job, input, error);
    default: return compile_object(job, input, error);
    }
}

static bool check_inputs(const CcJob *job, GError **error)
{
    guint sources = 0;
    for (guint i = 0; i < job->inputs->len; i++) {
        const char *input = g_ptr_array_index(job->inputs, i);
        bool library = g_str_has_prefix(input, "-l");
        sources += !library;
        if (!library && strcmp(input, "-") != 0 && !cli_is_input(input) && !vcode_is_vcode(input)) {
            if (cli_check_file(input, error))
                g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                            "%s: neither C source (.c, .i) nor an object or archive of "
                            "`orrery cc`",
                            input);
            return false;
        }
    }
    if (!sources)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, "no input files; for example: orrery cc hello.c");
    else if (sources > 1 && job->output && job->stage != STAGE_PROGRAM)
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, "-o cannot name the results of several files");
    return sources && (sources == 1 || !job->output || job->stage == STAGE_PROGRAM);
}

/* Compiles what it can; answers the exit status. */
static int do_job(CcJob *job)
{
    g_autoptr(GError) error = NULL;
    int status = 0;
    if (!check_inputs(job, &error))
        return cli_fail(error);
    if (job->stage == STAGE_PROGRAM) {
        if (job->verbose)
            g_printerr("orrery cc: linking %s\n", job->output ? job->output : "a.out");
        return link_program(job, &error) ? 0 : cli_fail(error);
    }
    for (guint i = 0; i < job->inputs->len; i++) {
        if (!compile_one(job, g_ptr_array_index(job->inputs, i), &error)) {
            status = MAX(status, cli_fail(error));
            g_clear_error(&error);
        }
    }
    return status;
}

int cli_cc(int argc, char **argv)
{
    CcJob job = {.stage = STAGE_PROGRAM};
    g_autoptr(GError) error = NULL;
    int status = 0;
    cli_build_init(&job.build);
    job.inputs = g_ptr_array_new_with_free_func(g_free);
    job.directories = g_ptr_array_new_with_free_func(g_free);
    for (int i = 1; i < argc && !error; i++)
        parse_argument(&job, argc, argv, &i, &error);
    if (error)
        status = cli_fail(error);
    else if (job.verbose && !job.inputs->len)
        g_printerr("orrery cc (Orrery) " ORRERY_VERSION "\n");
    else if (!job.no_input || job.inputs->len)
        status = do_job(&job);
    g_free(job.output);
    g_ptr_array_unref(job.inputs);
    g_ptr_array_unref(job.directories);
    cli_build_clear(&job.build);
    return status;
}
