/* cmd_machines.c - `orrery machines`: lists the machines, or prints one of them in full. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"

#include <string.h>

typedef struct MachinesTarget {
    char *print;
    char **set;
} MachinesTarget;

const CliOption cli_machines_options[] = {
    {"print", 'p', CLI_MACHINE, "NAME|FILE", offsetof(MachinesTarget, print),
     "print every key of a machine with value, default, unit and source, as a machine file", "--print mesh-4x4"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(MachinesTarget, set), "with --print: change a key; several times",
     "--set network.dims=6x6"},
    {0}};

static const CliUsage machines_usage = {
    .command = "machines",
    .synopsis = "[OPTION...] [NAME|FILE]",
    .text =
        "Lists the machines that --machine knows by name, or prints one as --print does. A machine file of your own\n"
        "is given by its path; a good start is a printed one:\n\n"
        "  orrery machines --print mesh-4x4 > mine.machine\n"
        "  orrery run -n 36 --machine ./mine.machine hello.c",
    .options = cli_machines_options,
    .mixed = true,
};

static bool list(GString *out, GError **error)
{
    g_auto(GStrv) search = cli_machine_search();
    g_auto(GStrv) names = mach_config_list((const char *const *)search);
    size_t width = 0;
    for (char **name = names; *name; name++)
        width = MAX(width, strlen(*name));
    for (char **name = names; *name; name++) {
        g_autoptr(MachConfig) config = cli_machine(*name, error);
        if (!config)
            return false;
        g_string_append_printf(out, "%-*s  %s\n", (int)width, *name, config->description);
    }
    return *names || cli_path_share_missing("configs", "the machines are", error);
}

static bool print(const MachinesTarget *target, GString *out, GError **error)
{
    CliRunOptions options = {.machine = target->print, .set = target->set};
    g_autoptr(MachConfig) config = cli_run_config(&options, error);
    if (config)
        mach_config_print(config, out);
    return config;
}

int cli_machines(int argc, char **argv)
{
    MachinesTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    GString *out = g_string_new(NULL);
    if (cli_option_parse(&machines_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc > 1 && !target.print)
            target.print = g_strdup(argv[1]), argc--, argv++;
        if (argc > 1)
            g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE, "\"%s\": one machine can be printed at a time", argv[1]);
        else if (target.set && !target.print)
            g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE,
                                "--set needs a machine to change, as in --print mesh-4x4 --set network.dims=6x6");
        else if (target.print ? print(&target, out, &error) : list(out, &error))
            status = cli_say_output(out->str) ? 0 : CLI_STATUS_USAGE;
    }
    if (error)
        status = cli_error_report(error);
    g_string_free(out, TRUE);
    cli_option_clear(cli_machines_options, &target);
    return status;
}
