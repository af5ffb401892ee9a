/* table.c - the table of the sub-commands of `orrery`, and the message if a name is not in it. */
#include "cli/table.h"
#include "base/nearest.h"
#include "cli/base/base.h"
#include "cli/build/build.h"

#include <string.h>

const CliCommand cli_table[] = {
#define COMMAND(name, help)              COMMAND_AS(name, #name, help)
#define COMMAND_AS(function, name, help) {name, help, cli_##function, cli_##function##_options},
#include "cli/commands.def"
    {0}};

const CliVariable cli_table_variables[] = {
#define ENVIRONMENT(name, help) {#name, help},
#include "cli/environment.def"
    {0}};

void cli_table_append_environment(GString *out)
{
    g_string_append(out, "Environment variables that Orrery heeds; simulated programs see none of them (--env):\n\n");
    for (const CliVariable *variable = cli_table_variables; variable->name; variable++)
        g_string_append_printf(out, "  %s\n        %s\n", variable->name, variable->help);
}

void cli_table_append_overview(GString *out)
{
    g_string_append(out, "Usage: orrery COMMAND ...\n\n"
                         "Simulates parallel machines: runs MPI C programs on them, always with the same result.\n\n"
                         "Commands:\n");
    for (const CliCommand *command = cli_table; command->name; command++)
        g_string_append_printf(out, "  %-13s %s\n", command->name, command->help);
    g_string_append(
        out, "\n`orrery COMMAND --help` says more, with an example for every option; `orrery help environment` has\n"
             "the environment variables. To begin with:\n"
             "  orrery run -n 8 --machine mesh-4x4 --stats hello.c\n");
}

const CliCommand *cli_table_find(const char *name)
{
    for (const CliCommand *command = cli_table; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

/* Returns the command for a name that other programs use, or NULL. */
static const char *other_name(const char *name)
{
    static const char *const names[][2] = {{"version", "--version"}, {"-v", "--version"}, {"-version", "--version"},
                                           {"-help", "--help"},      {"-?", "--help"},    {"build", "cc"},
                                           {"compile", "cc"},        {"gcc", "cc"},       {"mpicc", "cc"},
                                           {"mpiexec", "mpirun"},    {"exec", "run"},     {"start", "run"},
                                           {"gdb", "debug"},         {"view", "gui"},     {"show", "gui"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return NULL;
}

static int no_such_option(const char *name)
{
    static const char *const names[] = {"--version", "--help", NULL};
    const char *near = other_name(name) ? other_name(name) : base_nearest(name, names);
    if (near)
        cli_say("there is no option \"%s\"; did you mean \"orrery %s\"?", name, near);
    else
        cli_say("there is no option \"%s\"; options stand behind a command, as in: orrery run -n 4 hello.c", name);
    return CLI_STATUS_USAGE;
}

int cli_table_refuse(const char *name)
{
    const char *language = cli_language_other(name), *other = other_name(name);
    if (language) {
        cli_say("%s: this is %s, by its name, and Orrery compiles C", name, language);
        return CLI_STATUS_USAGE;
    }
    if (name[0] == '-')
        return no_such_option(name);
    if (other) {
        cli_say("there is no command \"%s\"; did you mean \"orrery %s\"?", name, other);
        return CLI_STATUS_USAGE;
    }
    const char *names[64];
    size_t n = 0;
    for (const CliCommand *command = cli_table; command->name && n + 1 < G_N_ELEMENTS(names); command++)
        names[n++] = command->name;
    names[n] = NULL;
    if (strchr(name, '.') || strchr(name, '/')) {
        cli_say("there is no command \"%s\"; to run a program: orrery run %s", name, name);
        return CLI_STATUS_USAGE;
    }
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    const char *near = base_nearest(name, names);
    cli_say("there is no command \"%s\"; %s%s%s: %s", name, near ? "did you mean \"" : "", near ? near : "",
            near ? "\"? There are" : "there are", all);
    return CLI_STATUS_USAGE;
}
