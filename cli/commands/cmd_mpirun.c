/* cmd_mpirun.c - `orrery mpirun`, which the shims mpirun and mpiexec call: `orrery run` with the options of other
 * launchers.
 *
 * A command line of another launcher becomes one of `orrery run`. Options for all programs come first, then each
 * program with its own options after a ":".
 *
 *   mpirun -x A=1 -n 1 ./a : -genv B 2 -n 3 ./b    ->    run --env B=2 : --env A=1 -n 1 ./a : -n 3 ./b
 *
 * The options are the rows of launcher.def. Each row names the action here that handles it.
 */
#include "base/nearest.h"
#include "cli/base/base.h"
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

typedef struct Program { /* one program with its own options */
    GPtrArray *options;  /* -n RANKS, --env NAME=VALUE */
    GPtrArray *words;    /* the program and its arguments */
} Program;

typedef struct Launcher {
    GPtrArray *global;   /* options of `orrery run` for all programs; like all these arrays it owns its words */
    GPtrArray *programs; /* Program */
    Program *program;    /* the program whose options are being read */
    char *folder;        /* -wdir */
    bool answered;       /* --version or --help was answered: nothing is run */
    bool closed;         /* a -configfile ended the program: what follows belongs to another one */
    bool after_file;     /* a -configfile was read */
    unsigned depth;      /* nesting depth of -configfile files */
} Launcher;

typedef struct Row {
    const char *names;
    int values;
    bool (*action)(Launcher *launcher, const char *name, char *const *values, const char *text, GError **error);
    const char *text;
} Row;

#define ACTION(action)                                                                                                 \
    static bool on_##action(G_GNUC_UNUSED Launcher *launcher, G_GNUC_UNUSED const char *name,                          \
                            G_GNUC_UNUSED char *const *values, G_GNUC_UNUSED const char *text,                         \
                            G_GNUC_UNUSED GError **error)

/* For --help and the shell completions only. All options and their actions are in launcher.def. */
const CliOption cli_mpirun_options[] = {
    {"np", 'n', CLI_TEXT, "RANKS", 0, "how many ranks of the program to start; also -c (default 1)", "-np 4"},
    {"", 'x', CLI_TEXT, "NAME[=VALUE]", 0,
     "a variable for the program, as it is here or with another value; also -env and, for all programs, -genv NAME "
     "VALUE",
     "-x OMP_NUM_THREADS=2"},
    {"genvlist", 0, CLI_TEXT, "NAMES", 0,
     "variables for all programs, parted by commas, as they are here; -genvall: all", "-genvlist LANG,TERM"},
    {"wdir", 0, CLI_FILE, "DIR", 0, "the programs' working directory, where they are looked for, too; also -wd",
     "-wdir results"},
    {"timeout", 0, CLI_TEXT, "SECONDS", 0, "stop at this virtual time: `orrery run --max-time`", "--timeout 10"},
    {"configfile", 0, CLI_FILE, "FILE", 0, "further programs with their options, one in a line; also --app",
     "-configfile programs.txt"},
    {"tag-output", 'l', CLI_FLAG, NULL, 0, "put the rank before each line of output; also -prepend-rank", "-l"},
    {"quiet", 'q', CLI_FLAG, NULL, 0, "no progress and no remarks, only errors", "-q"},
    {"version", 'V', CLI_FLAG, NULL, 0, "print the version", "--version"},
    {0}};

/* -- what options do --------------------------------------------------------------------------- */

static void add(GPtrArray *words, const char *option, char *value)
{
    g_ptr_array_add(words, g_strdup(option));
    if (value)
        g_ptr_array_add(words, value);
}

ACTION(harmless)
{
    return true;
}
ACTION(refuse)
{
    return cli_error_usage(error, "%s: %s", name, text);
}
ACTION(ranks)
{
    add(launcher->program->options, "-n", g_strdup(values[0]));
    return true;
}
ACTION(timeout)
{
    add(launcher->global, "--max-time", g_strconcat(values[0], " s", NULL));
    return true;
}
ACTION(label)
{
    add(launcher->global, "--label", NULL);
    return true;
}
ACTION(quiet)
{
    add(launcher->global, "--quiet", NULL);
    return true;
}

/* Open MPI 5: words separated by commas, which may be "file=..." and "dir=...". */
ACTION(output)
{
    g_auto(GStrv) words = g_strsplit_set(values[0], ",:", -1);
    for (char **word = words; *word; word++) {
        if (g_str_has_prefix(*word, "file") || g_str_has_prefix(*word, "dir"))
            return cli_error_usage(error,
                                   "%s %s: the shell redirects the output; --output tag labels the lines with the rank",
                                   name, values[0]);
        if (g_str_has_prefix(*word, "tag") || strcmp(*word, "rank") == 0)
            on_label(launcher, name, values, text, error);
    }
    return true;
}

ACTION(input)
{
    return strcmp(values[0], "0") == 0 ||
           cli_error_usage(error, "%s %s: standard input goes to rank 0; < /dev/null gives it to nobody", name,
                           values[0]);
}

ACTION(folder)
{
    if (launcher->folder && strcmp(launcher->folder, values[0]) != 0)
        return cli_error_usage(error, "%s %s: the programs of one run have one working directory, here %s", name,
                               values[0], launcher->folder);
    g_free(launcher->folder);
    launcher->folder = g_strdup(values[0]);
    return true;
}

ACTION(version)
{
    launcher->answered = true;
    return cli_say_output("orrery " ORRERY_VERSION "\n");
}

/* -- the environment --------------------------------------------------------------------------- */

/* Hands on a variable with its present value. If it is not set, the run goes on without it, as with other launchers. */
static void hand_on(GPtrArray *words, const char *name)
{
    if (strchr(name, '=') || g_str_has_suffix(name, "*") || g_getenv(name))
        add(words, "--env", g_strdup(name));
    else
        cli_say("there is no variable %s to hand on", name);
}

static bool hand_on_list(GPtrArray *words, const char *list)
{
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    for (char **each = names; *each; each++)
        if (**each)
            hand_on(words, *each);
    return true;
}

ACTION(variable)
{
    hand_on(launcher->program->options, values[0]);
    return true;
}
ACTION(pair)
{
    add(launcher->program->options, "--env", g_strconcat(values[0], "=", values[1], NULL));
    return true;
}
ACTION(global_pair)
{
    add(launcher->global, "--env", g_strconcat(values[0], "=", values[1], NULL));
    return true;
}
ACTION(list)
{
    return hand_on_list(launcher->program->options, values[0]);
}
ACTION(global_list)
{
    return hand_on_list(launcher->global, values[0]);
}
ACTION(all)
{
    return hand_on_list(launcher->program->options, "*");
}
ACTION(global_all)
{
    return hand_on_list(launcher->global, "*");
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool read_words(Launcher *launcher, int argc, char **argv, GError **error);

/* Each line is a command line of its own. They are joined as if by ":". */
ACTION(config_file)
{
    enum { MOST_NESTED = 8 };
    g_autofree char *content = NULL;
    if (launcher->depth == MOST_NESTED)
        return cli_error_usage(error, "%s %s: more than %d such files name each other", name, values[0], MOST_NESTED);
    if (!g_file_get_contents(values[0], &content, NULL, error))
        return false;
    launcher->depth++;
    bool good = true;
    g_auto(GStrv) lines = g_strsplit(content, "\n", -1);
    for (int i = 0; good && lines[i]; i++) {
        g_autofree char *line = g_strconcat("mpirun ", lines[i], NULL);
        g_auto(GStrv) words = NULL;
        int count;
        good = g_shell_parse_argv(line, &count, &words, error);
        if (!good)
            g_prefix_error(error, "%s:%d: ", values[0], i + 1);
        else
            good = read_words(launcher, count - 1, words + 1, error);
    }
    launcher->depth--;
    launcher->closed = launcher->after_file = true;
    return good;
}

static bool print_help(void);
ACTION(help)
{
    launcher->answered = true;
    return print_help();
}

static const Row rows[] = {
#define LAUNCHER(names, values, action, text) {names, values, on_##action, text},
#include "cli/commands/launcher.def"
};

static bool row_has(const Row *row, const char *name, size_t length)
{
    for (const char *at = row->names; *at; at += strspn(at, " ")) {
        size_t own = strcspn(at, " ");
        if (own == length && strncmp(at, name, length) == 0)
            return true;
        at += own;
    }
    return false;
}

static const Row *find_row(const char *name, size_t length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (row_has(&rows[i], name, length))
            return &rows[i];
    return NULL;
}

/* Returns the option of `orrery run` that a word is: --NAME, or -L with its value in the same or the next word. */
static const CliOption *find_run_option(const char *word)
{
    size_t length = strcspn(word, "=") - MIN(strcspn(word, "="), 2);
    for (const CliOption *option = cli_run_options; option->name; option++)
        if (word[1] == '-' ? length && strlen(option->name) == length && strncmp(option->name, word + 2, length) == 0
                           : option->letter && option->letter == word[1])
            return option;
    return NULL;
}

static bool unknown_option(const char *word, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) each = g_strsplit(rows[i].names, " ", -1);
        for (char **name = each; *name; name++)
            g_ptr_array_add(names, g_strdup(*name));
    }
    for (const CliOption *option = cli_run_options; option->name; option++)
        g_ptr_array_add(names, g_strdup(option->name));
    g_ptr_array_add(names, NULL);
    const char *plain = word + strspn(word, "-");
    g_autofree char *name = g_strndup(plain, strcspn(plain, "="));
    const char *near = strlen(name) > 3 ? base_nearest(name, (const char *const *)names->pdata) : NULL;
    return cli_error_usage(error, "unknown option %s; %s%s%ssee `orrery mpirun --help`", word,
                           near ? "did you mean -" : "", near ? near : "", near ? "? " : "");
}

/* Hands an option of `orrery run` on unchanged. */
static bool take_run_option(Launcher *launcher, const CliOption *option, int argc, char **argv, int *i, GError **error)
{
    const char *word = argv[*i];
    bool valued = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != '\0';
    bool own = strcmp(option->name, "ranks") == 0 || strcmp(option->name, "env") == 0;
    GPtrArray *words = own ? launcher->program->options : launcher->global;
    g_ptr_array_add(words, g_strdup(word));
    if (valued || option->argument == CLI_FLAG || option->argument == CLI_CHECKS)
        return true;
    if (++*i == argc)
        return cli_error_usage(error, "%s needs %s behind it, as in %s", word, option->value, option->example);
    g_ptr_array_add(words, g_strdup(argv[*i]));
    return true;
}

static bool take_row(Launcher *launcher, const Row *row, int argc, char **argv, int *i, GError **error)
{
    const char *word = argv[*i], *equals = strchr(word, '=');
    char *values[3] = {NULL};
    int n = 0;
    if (equals && row->values)
        values[n++] = (char *)equals + 1;
    while (n < row->values) {
        if (++*i == argc)
            return cli_error_usage(error, "%s needs %s behind it", word,
                                   row->values == 1 ? "a value" : "a name and a value");
        values[n++] = argv[*i];
    }
    g_autofree char *name = g_strndup(word, strcspn(word, "="));
    return row->action(launcher, name, values, row->text, error);
}

static bool take_option(Launcher *launcher, int argc, char **argv, int *i, GError **error)
{
    const char *word = argv[*i], *name = word + 1 + (word[1] == '-');
    const CliOption *own = find_run_option(word);
    const Row *row = find_row(name, strcspn(name, "="));
    bool pair = row && row->values == 2; /* -env NAME VALUE is MPICH's, --env NAME=VALUE is ours */
    if (row && !(pair && own && word[1] == '-'))
        return take_row(launcher, row, argc, argv, i, error);
    return own ? take_run_option(launcher, own, argc, argv, i, error) : unknown_option(word, error);
}

static void begin_program(Launcher *launcher)
{
    launcher->program = g_new0(Program, 1);
    launcher->program->options = g_ptr_array_new_with_free_func(g_free);
    launcher->program->words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(launcher->programs, launcher->program);
}

/* Reads a command line of one or several programs. If a program has been read already, another one begins. */
static bool read_words(Launcher *launcher, int argc, char **argv, GError **error)
{
    for (int i = 0; i < argc && !launcher->answered; i++) {
        if ((i == 0 || launcher->closed) && launcher->program->words->len)
            begin_program(launcher);
        launcher->closed = false;
        GPtrArray *words = launcher->program->words;
        bool option = !words->len && argv[i][0] == '-' && argv[i][1];
        if (strcmp(argv[i], ":") == 0)
            begin_program(launcher);
        else if (option && strcmp(argv[i], "--") == 0)
            continue;
        else if (!option)
            g_ptr_array_add(words, g_strdup(argv[i]));
        else if (!take_option(launcher, argc, argv, &i, error))
            return false;
    }
    return true;
}

/* -- from what was read to `orrery run` -------------------------------------------------------- */

/* Returns the path where other launchers would find the program: below the working directory that it gets, or in
 * PATH. */
static char *find_program(const Launcher *launcher, const char *name)
{
    g_autofree char *moved = launcher->folder ? g_build_filename(launcher->folder, name, NULL) : NULL;
    if (moved && !g_path_is_absolute(name) && g_file_test(moved, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer(&moved);
    bool known = strchr(name, '/') || g_file_test(name, G_FILE_TEST_EXISTS);
    char *found = known ? NULL : g_find_program_in_path(name);
    return found ? found : g_strdup(name);
}

static void append_words(GPtrArray *out, const GPtrArray *words)
{
    for (guint i = 0; i < words->len; i++)
        g_ptr_array_add(out, g_strdup(g_ptr_array_index(words, i)));
}

static void append_program(const Launcher *launcher, GPtrArray *out, const Program *program)
{
    append_words(out, program->options);
    if (!program->words->len)
        return;
    g_ptr_array_add(out, find_program(launcher, g_ptr_array_index(program->words, 0)));
    for (guint i = 1; i < program->words->len; i++)
        g_ptr_array_add(out, g_strdup(g_ptr_array_index(program->words, i)));
}

static GPtrArray *run_words(const Launcher *launcher)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(out, g_strdup("run"));
    append_words(out, launcher->global);
    if (launcher->folder)
        add(out, "--wdir", g_strdup(launcher->folder));
    bool idle = launcher->programs->len > 1 && !launcher->program->words->len && launcher->after_file;
    for (guint i = 0; i < launcher->programs->len - idle; i++) {
        g_ptr_array_add(out, g_strdup(":")); /* before the first program, too, because its options are not for all */
        append_program(launcher, out, g_ptr_array_index(launcher->programs, i));
    }
    return out;
}

static void append_option(GString *out, const CliOption *option)
{
    g_autofree char *letter = option->letter ? g_strdup_printf("-%c", option->letter) : g_strdup("");
    g_autofree char *name = *option->name ? g_strconcat("-", option->name, NULL) : g_strdup("");
    g_string_append_printf(out, "  %s%s%s%s%s\n        %s\n        Example: %s\n", letter, *letter && *name ? ", " : "",
                           name, option->value ? " " : "", option->value ? option->value : "", option->help,
                           option->example);
}

static bool print_help(void)
{
    GString *out = g_string_new(
        "Usage: orrery mpirun [OPTION...] PROGRAM [ARGUMENT...] [: [OPTION...] PROGRAM [ARGUMENT...]]...\n\n"
        "Runs MPI programs as `orrery run` does, with the options of Open MPI's and MPICH's mpirun and mpiexec.\n"
        "The shims by these names, in share/orrery/shims, call it. Options of `orrery run` are taken as well.\n\n"
        "  orrery mpirun -np 2 --oversubscribe -x LANG ./hello : -n 1 ./other\n\nOptions:\n");
    for (const CliOption *option = cli_mpirun_options; option->name; option++)
        append_option(out, option);
    g_string_append(
        out,
        "  -h, --help\n        this text\n\nTaken, behind one dash or two, and without effect in a simulation:\n ");
    for (size_t i = 0, column = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) names = g_strsplit(rows[i].action == on_harmless ? rows[i].names : "", " ", -1);
        for (char **name = names; *name; name++) {
            column += strlen(*name) + 1;
            g_string_append_printf(out, "%s %s", column > 100 ? "\n " : "", *name);
            column = column > 100 ? strlen(*name) + 1 : column;
        }
    }
    g_string_append(out, "\n\nRefused:\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) names = g_strsplit(rows[i].action == on_refuse ? rows[i].names : "", " ", -1);
        g_autofree char *all = g_strjoinv(", ", names);
        if (*names)
            g_string_append_printf(out, "  %s\n        %s\n", all, rows[i].text);
    }
    bool good = cli_say_output(out->str);
    g_string_free(out, TRUE);
    return good;
}

static void free_program(gpointer data)
{
    Program *program = data;
    g_ptr_array_unref(program->options);
    g_ptr_array_unref(program->words);
    g_free(program);
}

int cli_mpirun(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    Launcher launcher = {.global = g_ptr_array_new_with_free_func(g_free),
                         .programs = g_ptr_array_new_with_free_func(free_program)};
    begin_program(&launcher);
    bool good = read_words(&launcher, argc - 1, argv + 1, &error);
    g_autoptr(GPtrArray) words = run_words(&launcher);
    bool answered = launcher.answered;
    g_ptr_array_unref(launcher.global);
    g_ptr_array_unref(launcher.programs);
    g_free(launcher.folder);
    if (!good)
        return error ? cli_error_report(error) : CLI_STATUS_USAGE;
    if (answered)
        return 0;
    g_autofree char **borrowed = g_new0(char *, words->len + 1);
    memcpy(borrowed, words->pdata, words->len * sizeof *borrowed);
    return cli_run((int)words->len, borrowed);
}
