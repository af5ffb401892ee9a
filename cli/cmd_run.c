/* cmd_run.c - `orrery run`: compile if need be, simulate, print what the program prints. */
#include "cli.h"

typedef struct RunTarget {
    CliRunOptions run;
    gboolean stats;
    char *json;
} RunTarget;

const CliOption cli_run_options[] = {
    CLI_RUN_OPTIONS(RunTarget),
    {"stats", 0, CLI_FLAG, NULL, offsetof(RunTarget, stats), "print where the time went, on standard error", "--stats"},
    {"json", 0, CLI_FILE, "FILE", offsetof(RunTarget, json), "write the same as JSON", "--json run.json"},
    {0}};

static const CliUsage run_usage = {
    .command = "run",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] PROGRAM [ARGUMENT...]]...",
    .text = "Runs an MPI program on a simulated machine. PROGRAM is one or more .c files, objects or archives, or a\n"
            "program that `orrery cc` made. Arguments of the program follow; a -- before them makes sure of it.\n"
            "Programs separated by : run together, the ranks numbered from left to right. What the program prints\n"
            "goes to standard output in the order of virtual time; what Orrery has to say goes to standard error.\n"
            "The exit status is the program's: the largest of its ranks, 128 + signal after a fault, 1 after a\n"
            "deadlock. 1 also says that the program does not compile, 2 that Orrery was used wrongly.\n\n"
            "  orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c\n"
            "  orrery run -n 1 master.c : -n 7 worker.c",
    .options = cli_run_options,
};

/* -- running --------------------------------------------------------------------------------------------------- */

static bool report(Machine *machine, const RunTarget *target)
{
    if (target->stats) {
        GString *out = g_string_new(NULL);
        mon_print_statistics(machine, out);
        g_printerr("%s", out->str);
        g_string_free(out, TRUE);
    }
    g_autoptr(GError) error = NULL;
    if (!target->json || mon_write_json(machine, target->json, &error))
        return true;
    cli_say("--json: %s", error->message);
    return false;
}

static int simulate(Machine *machine, const RunTarget *target)
{
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true);
    MachStop stop = mach_run(machine);
    cli_interrupt_end(interrupt);
    cli_run_explain(machine, stop);
    int status = mach_exit_status(machine);
    return report(machine, target) || status ? status : CLI_STATUS_USAGE;
}

static int prepare_and_simulate(RunTarget *target, int argc, char **argv, GError **error)
{
    CliRun run;
    int status = -1;
    Machine *machine =
        cli_run_prepare(&run, &target->run, argc, argv, error) ? cli_run_machine(&run, error) : NULL;
    if (machine)
        status = simulate(machine, target);
    mach_free(machine);
    cli_run_clear(&run);
    return status;
}

int cli_run(int argc, char **argv)
{
    RunTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_parse(&run_usage, &target, &argc, argv, &done, &error) && !done)
        status = prepare_and_simulate(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_fail(error);
    cli_options_clear(cli_run_options, &target);
    return status;
}
