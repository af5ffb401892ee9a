/* cmd_debug.c - `orrery debug`: the debugger in the terminal.
 *
 * It reads commands and passes them to the debugger core (monitor/debugger.h). A command is a row of commands.def and
 * its function. Output of the simulated program goes to stdout, and so do the answers.
 */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/dap/dap.h"
#include "cli/debug/desk.h"
#include "cli/run/run.h"

#include <string.h>
#include <unistd.h>

const CliOption cli_debug_options[] = {
    CLI_RUN_OPTIONS(DebugTarget),
    {"command", 'x', CLI_LIST, "FILE", offsetof(DebugTarget, commands),
     "do the commands of this file first; several times, also mixed with -ex. With no terminal, further commands come\n"
     "from standard input. What is no file is taken as a command",
     "-x checks.cmd"},
    {"ex", 0, CLI_LIST, "COMMAND", offsetof(DebugTarget, commands), "do this command first; also -ex. Several times",
     "-ex 'break main' -ex run"},
    {"nx", 0, CLI_FLAG, NULL, offsetof(DebugTarget, no_init), "do not read ~/.config/orrery/debuginit; also -nx",
     "--nx"},
    {"batch", 0, CLI_FLAG, NULL, offsetof(DebugTarget, batch),
     "after -x and -ex, report on standard error and leave. Exit status: 0 the program has ended with 0, 2 a command\n"
     "failed, 3 checks found something, 10 it ended with another status, 11 fault or abort, 12 deadlock, 13 it stands "
     "at\n"
     "a stop, 14 a limit of the run; also -batch",
     "--batch -ex run"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(DebugTarget, json),
     "write the report of --batch as JSON, too (schemas/debug.schema.json)", "--batch --json report.json"},
    {"tui", 0, CLI_FLAG, NULL, offsetof(DebugTarget, full_screen),
     "begin with the full screen: source, ranks, messages, output; also -tui", "--tui"},
    {"color", 0, CLI_CHOICE, "auto|always|never", offsetof(DebugTarget, colour),
     "colours; auto (the default): on a terminal, unless NO_COLOR is set", "--color never"},
    {"input", 0, CLI_FILE, "FILE", offsetof(DebugTarget, input),
     "standard input of the program (the terminal belongs to the debugger)", "--input numbers.txt"},
    {"debug-on-finding", 0, CLI_FLAG, NULL, offsetof(DebugTarget, on_finding),
     "stop, too, where a check finds something; faults and deadlocks stop in any case", "--check --debug-on-finding"},
    {"restart", 0, CLI_FILE, "FILE", offsetof(DebugTarget, restart), "instead of a program: go on at a checkpoint",
     "--restart before.checkpoint"},
    {"history", 0, CLI_TEXT, "SIZE", offsetof(DebugTarget, history),
     "memory that may be taken to go back in time, about (default 1 GiB)", "--history '4 GiB'"},
    {"dap", 0, CLI_FLAG, NULL, offsetof(DebugTarget, dap),
     "answer an editor by the Debug Adapter Protocol, over stdin and stdout; no PROGRAM is needed", "--dap"},
    {"port", 0, CLI_TEXT, "PORT", offsetof(DebugTarget, port),
     "with --dap: wait for one client at a TCP port of this host;\n0: any free one, which is told on stderr",
     "--dap --port 4711"},
    {0}};

static const CliUsage debug_usage = {
    .command = "debug",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...]",
    .text =
        "Steps through the ranks of a program and their threads. Virtual time stands still while the program\n"
        "does, and nothing that is looked at changes what it does: it runs as it would without the debugger, to the\n"
        "last picosecond. It can be stepped backwards as well.\n"
        "Programs are compiled with -O0 unless -O says otherwise. Type `help` for the commands; they have the names "
        "and\n"
        "abbreviations of gdb's.\n\n"
        "  orrery debug -n 4 samples/greetings.c\n"
        "  orrery debug -n 2 -ex 'break 31' -ex run -ex 'print line' samples/greetings.c\n"
        "  orrery debug -n 4 --batch --json report.json -x checks.cmd samples/greetings.c",
    .options = cli_debug_options,
};

/* Whether an option's value is the next word. */
static bool takes_next(const char *word)
{
    for (const CliOption *option = cli_debug_options; option->name; option++)
        if (option->argument != CLI_FLAG && ((g_str_has_prefix(word, "--") && strcmp(word + 2, option->name) == 0) ||
                                             (option->letter && word[1] == option->letter && word[2] == '\0')))
            return true;
    return strcmp(word, "-np") == 0;
}

/* A word before the program, where gdb's options have one dash. */
static char *own_option(const char *word)
{
    static const char *const words[] = {"-ex", "-nx", "-batch", "-tui"};
    for (size_t w = 0; w < G_N_ELEMENTS(words); w++)
        if (strcmp(word, words[w]) == 0)
            return g_strconcat("-", word, NULL);
    if (g_str_has_prefix(word, "--ex="))
        return g_strconcat("--ex= ", word + strlen("--ex="), NULL);
    return g_strdup(word);
}

/* Behind -ex comes a command: it gets a blank before it, which names of files do not have. Free it with g_strfreev().
 */
static char **with_gdb_options(int argc, char **argv)
{
    char **all = g_new0(char *, (gsize)argc + 1);
    int i = 1;
    all[0] = g_strdup(argv[0]);
    for (; i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0; i++) {
        all[i] = own_option(argv[i]);
        if (!takes_next(all[i]) || i + 1 == argc)
            continue;
        bool command = strcmp(all[i], "--ex") == 0;
        i++;
        all[i] = g_strconcat(command ? " " : "", argv[i], NULL);
    }
    for (; i < argc; i++)
        all[i] = g_strdup(argv[i]);
    return all;
}

/* What comes before anything is typed. Scripts that fail are told, and in a batch they end it. */
static void begin(DebugSession *session)
{
    const DebugTarget *target = session->target;
    bool good = target->no_init || cli_debug_read_init(session);
    for (char **command = target->commands; command && *command && !session->quit && (good || !target->batch);
         command++)
        good = cli_debug_first(session, *command);
    if (!good && target->batch)
        cli_debug_batch_failed(session->desk->batch, NULL);
}

static bool open_session(DebugSession *session, GError **error)
{
    if (!session->target->restart)
        return cli_debug_open(session, error);
    if (session->argc > 0)
        return cli_error_usage(error, "--restart: the checkpoint says which program it is; leave %s out",
                               session->argv[0]);
    if (session->target->input)
        return cli_error_usage(error, "--restart: the checkpoint has the program's input; leave --input out");
    bool there = cli_debug_restart(session, session->target->restart, error);
    cli_debug_flush(session);
    return there;
}

static int debug(DebugSession *session, GError **error)
{
    const DebugTarget *target = session->target;
    if (target->colour) {
        g_free(session->desk->settings[DEBUG_SET_STYLE]);
        session->desk->settings[DEBUG_SET_STYLE] = g_strdup(strcmp(target->colour, "always") == 0  ? "on"
                                                            : strcmp(target->colour, "never") == 0 ? "off"
                                                                                                   : "auto");
    }
    if (!open_session(session, error))
        return 0;
    begin(session);
    session->desk->full_screen = target->full_screen;
    if (target->batch)
        return cli_debug_batch_report(session, target->json, error);
    if (isatty(STDIN_FILENO))
        cli_debug_read_terminal(session);
    else
        cli_debug_read_lines(session);
    return 0;
}

int cli_debug(int argc, char **argv)
{
    DebugTarget target = {0};
    DebugSession session = {.target = &target, .input = -1, .out = g_string_new(NULL)};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    char **all = with_gdb_options(argc, argv);
    g_autofree char **shown = g_memdup2(all, sizeof *all * ((gsize)argc + 1));
    cli_debug_desk_open(&session);
    if (cli_option_parse(&debug_usage, &target, &argc, shown, &done, &error) && !done) {
        if (!target.run.optimise)
            target.run.optimise = g_strdup("0");
        session.argc = argc - 1;
        session.argv = shown + 1;
        if (target.batch)
            session.desk->batch = cli_debug_batch_new();
        if (target.json && !target.batch)
            cli_error_usage(&error, "--json FILE is the report of --batch: give that, too");
        else if (target.port && !target.dap)
            cli_error_usage(&error, "--port is for --dap");
        else if (target.dap)
            status = cli_dap_serve(target.port, &target.run, session.argc, session.argv, &error);
        else
            status = debug(&session, &error);
    }
    if (error)
        status = cli_error_report(error);
    cli_debug_close(&session);
    mon_rank_names_free(session.groups);
    cli_debug_free_scripts(&session);
    g_free(session.listed_file);
    g_string_free(session.out, TRUE);
    cli_option_clear(cli_debug_options, &target);
    g_strfreev(all);
    return session.unheard ? CLI_STATUS_USAGE : status;
}
