/* cmd_debug.c - `orrery debug`: the debugger in the terminal.
 *
 * It reads commands and passes them to the debugger core (monitor/debugger.h). A command is a row of commands.def and
 * its function. Output of the simulated program goes to stdout, and so do the answers.
 */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/dap/dap.h"
#include "cli/debug/debug.h"
#include "cli/run/run.h"

#include <unistd.h>

const CliOption cli_debug_options[] = {
    CLI_RUN_OPTIONS(DebugTarget),
    {"command", 'x', CLI_LIST, "COMMAND", offsetof(DebugTarget, commands),
     "do this first; several times. With no terminal, further commands come from standard input",
     "-x 'break main' -x run"},
    {"input", 0, CLI_FILE, "FILE", offsetof(DebugTarget, input),
     "standard input of the program (the terminal belongs to the debugger)", "--input numbers.txt"},
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
        "Programs are compiled with -O0 unless -O says otherwise. Type `help` for the commands.\n\n"
        "  orrery debug -n 4 samples/greetings.c\n"
        "  orrery debug -n 2 -x 'break 31' -x run -x 'print line' samples/greetings.c",
    .options = cli_debug_options,
};

int cli_debug(int argc, char **argv)
{
    DebugTarget target = {0};
    DebugSession session = {.target = &target, .out = g_string_new(NULL)};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&debug_usage, &target, &argc, argv, &done, &error) && !done) {
        if (!target.run.optimise)
            target.run.optimise = g_strdup("0");
        session.argc = argc - 1;
        session.argv = argv + 1;
        if (target.port && !target.dap)
            cli_error_usage(&error, "--port is for --dap");
        else if (target.dap)
            status = cli_dap_serve(target.port, &target.run, session.argc, session.argv, &error);
        else if (cli_debug_open(&session, &error)) {
            for (char **command = target.commands; command && *command && !session.quit; command++)
                cli_debug_execute(&session, *command);
            if (isatty(STDIN_FILENO))
                cli_debug_read_terminal(&session);
            else
                cli_debug_read_lines(&session);
        }
    }
    if (error)
        status = cli_error_report(error);
    cli_debug_close(&session);
    mon_rank_names_free(session.groups);
    cli_debug_free_scripts(&session);
    g_free(session.listed_file);
    g_string_free(session.out, TRUE);
    cli_option_clear(cli_debug_options, &target);
    return session.unheard ? CLI_STATUS_USAGE : status;
}
