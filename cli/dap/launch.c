/* launch.c - what a client says of the program becomes a command line of `orrery debug`, with the same options. */
#include "cli/base/base.h"
#include "cli/dap/server.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DAP_QUANTUM = 100 }; /* ranks are seen in the order of virtual time if each runs no further at a time */

typedef struct DapTarget {
    CliRunOptions run;
} DapTarget;

static const CliOption launch_options[] = {CLI_RUN_OPTIONS(DapTarget), {0}};
static const CliUsage launch_usage = {.command = "debug", .synopsis = "", .text = "", .options = launch_options};

typedef struct DapLaunch {
    DapTarget target;
    bool own;             /* target is to be cleared */
    CliRun run;           /* in the engine's process */
    char **words;         /* of the command line */
    char **moved, **rest; /* the same, as the options have been taken out; what is behind them */
    int n_rest;
    char *folder, *program;
    int input;
} DapLaunch;

/* -- from members to options -------------------------------------------------------------------- */

/* A member of the launch request: a text or number, a list of them, or an object of names and values. */
static const struct {
    const char *member, *option;
} members[] = {
    {"ranks", "--ranks"}, {"machine", "--machine"},  {"set", "--set"},
    {"check", "--check"}, {"maxTime", "--max-time"}, {"eagerLimit", "--eager-limit"},
    {"fs", "--fs"},       {"env", "--env"},          {"optimise", "-O"},
    {"include", "-I"},    {"define", "-D"},          {"flags", ""},
    {"seed", "--seed"},   {"memory", "--memory"},    {"choices", "--choices"},
    {"kill", "--kill"},
};

/* Returns a scalar as text, or NULL. */
static char *scalar(const json_t *value)
{
    if (json_is_string(value))
        return g_strdup(json_string_value(value));
    if (json_is_integer(value))
        return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return json_is_real(value) ? g_strdup_printf("%.17g", json_real_value(value)) : NULL;
}

static void add_option(GPtrArray *words, const char *option, char *value)
{
    if (!*option)
        g_ptr_array_add(words, value);
    else if (g_str_has_prefix(option, "--")) {
        g_ptr_array_add(words, g_strconcat(option, "=", value, NULL));
        g_free(value);
    } else {
        g_ptr_array_add(words, g_strconcat(option, value, NULL));
        g_free(value);
    }
}

static bool add_member(GPtrArray *words, const char *member, const char *option, const json_t *value, GError **error)
{
    size_t i;
    json_t *item;
    const char *name;
    if (json_is_true(value) && strcmp(option, "--check") == 0) {
        g_ptr_array_add(words, g_strdup(option));
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            char *text = scalar(item);
            if (!text)
                return cli_dap_refuse(error, "launch: %s is a list of texts and numbers", member) != NULL;
            add_option(words, option, text);
        }
    } else if (json_is_object(value)) {
        json_object_foreach((json_t *)value, name, item)
        {
            g_autofree char *text = scalar(item);
            if (!text)
                return cli_dap_refuse(error, "launch: %s has texts and numbers as values", member) != NULL;
            add_option(words, option, g_strdup_printf("%s=%s", name, text));
        }
    } else if (value && !json_is_null(value) && !json_is_false(value)) {
        char *text = scalar(value);
        if (!text)
            return cli_dap_refuse(error, "launch: %s is a text or a number", member) != NULL;
        add_option(words, option, text);
    }
    return true;
}

static char *absolute(const DapLaunch *launch, const char *path)
{
    return g_canonicalize_filename(path, launch->folder);
}

static bool add_programs(DapLaunch *launch, GPtrArray *words, const json_t *arguments, GError **error)
{
    const json_t *program = json_object_get(arguments, "program"), *items = json_object_get(arguments, "args");
    size_t i;
    json_t *item;
    if (json_is_string(program))
        g_ptr_array_add(words, absolute(launch, json_string_value(program)));
    else
        json_array_foreach(program, i, item)
        {
            if (!json_is_string(item))
                return cli_dap_refuse(error, "launch: program is a path, or a list of paths") != NULL;
            g_ptr_array_add(words, absolute(launch, json_string_value(item)));
        }
    if (json_is_string(items)) {
        g_auto(GStrv) split = NULL;
        if (g_shell_parse_argv(json_string_value(items), NULL, &split, NULL))
            for (char **one = split; *one; one++)
                g_ptr_array_add(words, g_strdup(*one));
        return true;
    }
    if (items && json_array_size(items))
        g_ptr_array_add(words, g_strdup("--"));
    return !items || add_member(words, "args", "", items, error);
}

/* Makes the command line, and parses it. Without a program in the request that of the command line counts. */
static bool parse(DapServer *server, DapLaunch *launch, const json_t *arguments, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    bool done = false, good = true;
    g_ptr_array_add(words, g_strdup("orrery debug"));
    for (size_t i = 0; i < G_N_ELEMENTS(members) && good; i++)
        good = add_member(words, members[i].member, members[i].option, json_object_get(arguments, members[i].member),
                          error);
    const json_t *program = json_object_get(arguments, "program");
    bool named = json_is_string(program) || json_array_size(program) > 0;
    if (program && !named)
        return cli_dap_refuse(error, "launch: program is a path, or a list of paths") != NULL;
    if (good && json_object_get(arguments, "cwd"))
        g_ptr_array_add(words, g_strconcat("--wdir=", launch->folder, NULL));
    good = good && (!named || add_programs(launch, words, arguments, error));
    g_ptr_array_add(words, NULL);
    launch->words = (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
    if (!good)
        return false;
    if (!named && server->argc == 0)
        return cli_dap_refuse(error, "launch: program is missing: the path of a .c file or a program") != NULL;
    if (!named && g_strv_length(launch->words) == 1) { /* all is as the command line says */
        launch->target.run = *server->given;
        launch->rest = server->argv;
        launch->n_rest = server->argc;
        return true;
    }
    int argc = (int)g_strv_length(launch->words);
    launch->own = true;
    launch->moved = g_memdup2(launch->words, ((gsize)argc + 1) * sizeof *launch->words);
    if (!cli_option_parse(&launch_usage, &launch->target, &argc, launch->moved, &done, error))
        return false;
    launch->rest = named ? launch->moved + 1 : server->argv;
    launch->n_rest = named ? argc - 1 : server->argc;
    if (!launch->target.run.optimise)
        launch->target.run.optimise = g_strdup("0");
    return true;
}

/* -- the session ------------------------------------------------------------------------------- */

static Machine *make_machine(void *user, MonEngine *engine, GError **error)
{
    DapServer *server = user;
    DapLaunch *launch = server->launch;
    char **argv = g_new0(char *, (gsize)launch->n_rest + 1); /* cli_run_prepare() may rearrange them */
    for (int i = 0; i < launch->n_rest; i++)
        argv[i] = g_strdup(launch->rest[i]);
    launch->run.example = "orrery debug --dap -n 4 hello.c";
    if (!cli_run_prepare(&launch->run, &launch->target.run, launch->n_rest, argv, error))
        return NULL;
    if (!launch->target.run.quantum)
        launch->run.options.quantum = DAP_QUANTUM;
    mon_engine_prepare(engine, &launch->run.options);
    return cli_run_machine(&launch->run, error);
}

static void tell_output(void *user, uint32_t rank, int stream, const char *bytes, size_t size)
{
    DapServer *server = user;
    g_autofree char *text = g_strndup(bytes, size);
    json_t *body = json_pack("{s:s, s:o}", "category", stream == STDOUT_FILENO ? "stdout" : "stderr", "output",
                             cli_dap_text(text));
    if (rank != MON_NO_RANK) {
        json_object_set_new(body, "data", json_pack("{s:i}", "rank", (int)rank));
        if (mon_session_ranks(server->core) > 1) {
            g_autofree char *labelled = g_strdup_printf("[%u] %s", rank, text);
            json_object_set_new(body, "output", cli_dap_text(labelled));
        }
    }
    cli_dap_event(server, "output", body);
}

static void tell_note(void *user, const char *text)
{
    g_autofree char *line = g_strdup_printf("orrery: %s\n", text);
    cli_dap_event(user, "output", json_pack("{s:s, s:o}", "category", "important", "output", cli_dap_text(line)));
}

static bool open_input(DapLaunch *launch, const json_t *arguments, GError **error)
{
    const char *path = cli_dap_string(arguments, "input");
    launch->input = -1;
    if (!path)
        return true;
    g_autofree char *whole = absolute(launch, path);
    launch->input = open(whole, O_RDONLY | O_CLOEXEC);
    return launch->input >= 0 || cli_dap_refuse(error, "launch: input: %s: %s", whole, g_strerror(errno)) != NULL;
}

static void launch_free(DapLaunch *launch)
{
    if (!launch)
        return;
    if (launch->own)
        cli_option_clear(launch_options, &launch->target);
    if (launch->input >= 0)
        close(launch->input);
    g_free(launch->moved);
    g_strfreev(launch->words);
    g_free(launch->folder);
    g_free(launch->program);
    g_free(launch);
}

bool cli_dap_launch_begin(DapServer *server, const json_t *arguments, GError **error)
{
    DapLaunch *launch = g_new0(DapLaunch, 1);
    const char *folder = cli_dap_string(arguments, "cwd");
    g_autofree char *here = g_get_current_dir();
    launch->folder = g_canonicalize_filename(folder ? folder : here, here);
    launch->input = -1;
    if (!parse(server, launch, arguments, error) || !open_input(launch, arguments, error)) {
        launch_free(launch);
        return false;
    }
    launch->program = absolute(launch, launch->rest[0]);
    server->launch = launch;
    MonSessionOptions options = {.make = make_machine,
                                 .output = tell_output,
                                 .note = tell_note,
                                 .waiting = cli_dap_meanwhile,
                                 .incoming = server->in,
                                 .user = server,
                                 .by_rank = true,
                                 .input = launch->input};
    server->core = mon_session_new(&options);
    if (mon_session_start(server->core, error))
        return true;
    cli_dap_launch_end(server);
    if (error && !*error)
        (void)cli_dap_refuse(error, "the program does not compile: stderr of the adapter says why");
    return false;
}

void cli_dap_launch_end(DapServer *server)
{
    g_clear_pointer(&server->core, mon_session_free);
    g_clear_pointer(&server->launch, launch_free);
}

const char *cli_dap_launch_program(const DapServer *server)
{
    return server->launch->program;
}

char *cli_dap_launch_path(const DapServer *server, const char *name)
{
    return absolute(server->launch, name);
}
