/* cmd_help.c - `orrery help [COMMAND]`: help on all commands, or on one; `orrery help environment`. */
#include "cli/base/base.h"
#include "cli/table.h"

#include <string.h>

const CliOption cli_help_options[] = {{0}};

int cli_help(int argc, char **argv)
{
    char help_option[] = "--help";
    const char *name = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    const CliCommand *command = name ? cli_table_find(name) : NULL;
    bool environment = name && strcmp(name, "environment") == 0;
    if (name && !command && !environment)
        return cli_table_refuse(name);
    if (command && command->function != cli_help) {
        char *arguments[] = {argv[1], help_option, NULL};
        return command->function(2, arguments);
    }
    GString *out = g_string_new(NULL);
    if (environment)
        cli_table_append_environment(out);
    else
        cli_table_append_overview(out);
    bool good = cli_say_output(out->str);
    g_string_free(out, TRUE);
    return good ? 0 : CLI_STATUS_USAGE;
}
