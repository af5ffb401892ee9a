/* cmd_lsp.c - `orrery lsp`: the language server, over stdin and stdout, or to one client at a TCP port. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "lsp/lsp.h"

#include <signal.h>
#include <unistd.h>

typedef struct LspTarget {
    gboolean stdio;
    char *port;
} LspTarget;

const CliOption cli_lsp_options[] = {
    {"stdio", 0, CLI_FLAG, NULL, offsetof(LspTarget, stdio), "talk over stdin and stdout, as without it", "--stdio"},
    {"port", 0, CLI_TEXT, "PORT", offsetof(LspTarget, port),
     "wait for one client at a TCP port of this host;\n0: any free one, which is told on stderr", "--port 6009"},
    {0}};

static const CliUsage lsp_usage = {
    .command = "lsp",
    .synopsis = "[OPTION...]",
    .text =
        "Answers an editor's questions about C programs with MPI and OpenMP, by the Language Server Protocol 3.17:\n"
        "errors and warnings while you type, what a name means, where it is defined and used, completion, renaming,\n"
        "corrections. Flags of the compiler come from compile_flags.txt or compile_commands.json.\n\n"
        "  orrery lsp\n"
        "  orrery lsp --port 6009",
    .options = cli_lsp_options,
    .mixed = true,
};

static void tell_port(unsigned port, void *user)
{
    (void)user;
    cli_say("waiting for an editor at port %u of this host", port);
}

static RpcChannel *open_channel(const LspTarget *target, GError **error)
{
    guint64 port;
    if (!target->port) {
        int out = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* nothing else may get between the messages */
        return rpc_channel_new(dup(STDIN_FILENO), out);
    }
    if (target->stdio) {
        cli_error_usage(error, "--stdio and --port exclude each other");
        return NULL;
    }
    if (!cli_option_number("--port", target->port, 0, 65535, &port, error))
        return NULL;
    int client = rpc_channel_accept((unsigned)port, tell_port, NULL, error);
    return client < 0 ? NULL : rpc_channel_new(client, client);
}

int cli_lsp(int argc, char **argv)
{
    LspTarget target = {0};
    bool done = false;
    g_autoptr(GError) error = NULL;
    g_autofree char *headers = cli_path_share("include");
    RpcChannel *channel = NULL;
    int status = 0;
    signal(SIGPIPE, SIG_IGN); /* an editor that is gone is told by the write */
    if (cli_option_parse(&lsp_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc > 1)
            cli_error_usage(&error, "unexpected argument '%s'", argv[1]);
        else if (cli_path_share_check("include", "the headers are", &error))
            channel = open_channel(&target, &error);
    }
    if (channel)
        status = lsp_server_run(channel, headers, ORRERY_VERSION);
    rpc_channel_free(channel);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_lsp_options, &target);
    return status;
}
