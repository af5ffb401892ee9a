/* cmd_run.c - `orrery run`: compile if need be, simulate, print what the program prints. */
#include "cli.h"

#include <signal.h>

typedef struct RunTarget {
    CliRunOptions run;
    gboolean stats, quiet;
    char *json, *traffic, *progress;
} RunTarget;

const CliOption cli_run_options[] = {
    CLI_RUN_OPTIONS(RunTarget),
    {"stats", 0, CLI_FLAG, NULL, offsetof(RunTarget, stats), "print where the time went, on standard error", "--stats"},
    {"json", 0, CLI_FILE, "FILE", offsetof(RunTarget, json), "write the same as JSON", "--json run.json"},
    {"traffic", 0, CLI_FILE, "FILE", offsetof(RunTarget, traffic),
     "write how many bytes and messages each rank has sent each other one, for `orrery map`", "--traffic run.traffic"},
    {"progress", 0, CLI_CHOICE, "auto|always|never", offsetof(RunTarget, progress),
     "show how far a run of more than two seconds is; auto: if standard error is a terminal", "--progress=never"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(RunTarget, quiet), "no progress and no remarks, only errors", "-q"},
    {0}};

static const CliUsage run_usage = {
    .command = "run",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] PROGRAM [ARGUMENT...]]...",
    .text = "Runs an MPI program on a simulated machine. PROGRAM is one or more .c files, objects or archives, or a\n"
            "program that `orrery cc` made. Arguments of the program follow; a -- before them makes sure of it.\n"
            "Programs separated by : run together, the ranks numbered from left to right. What the program prints\n"
            "goes to standard output in the order of virtual time; what Orrery has to say goes to standard error.\n"
            "The exit status is the program's: the largest of its ranks, 128 + signal after a fault or Ctrl-C, 1\n"
            "after a deadlock or at --max-time. 1 also says that the program does not compile, 2 that Orrery was used "
            "wrongly.\n\n"
            "  orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c\n"
            "  orrery run -n 1 master.c : -n 7 worker.c",
    .options = cli_run_options,
};

/* -- running --------------------------------------------------------------------------------------------------- */

static bool report(Machine *machine, const RunTarget *target, const MonTraffic *traffic)
{
    if (target->stats) {
        GString *out = g_string_new(NULL);
        mon_print_statistics(machine, out);
        g_printerr("%s", out->str);
        g_string_free(out, TRUE);
    }
    g_autoptr(GError) error = NULL;
    if (target->json && !mon_write_json(machine, target->json, &error)) {
        cli_say("--json: %s", error->message);
        return false;
    }
    if (traffic && !mon_traffic_write(traffic, target->traffic, &error)) {
        cli_say("--traffic: %s", error->message);
        return false;
    }
    return true;
}

static void tell_progress(void *user, const MachProgress *state)
{
    cli_progress_tell(user, state);
}

static void clear_progress(void *user)
{
    cli_progress_clear(user);
}

static void say_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

static bool set_talk(MachOptions *options, const RunTarget *target, CliProgress **progress, GError **error)
{
    if (!cli_progress_new(progress, target->progress, target->quiet, error))
        return false;
    if (target->quiet)
        options->note = say_nothing;
    if (*progress) {
        options->progress = tell_progress;
        options->before_output = clear_progress;
        options->progress_user = *progress;
    }
    return true;
}

static int simulate(Machine *machine, const RunTarget *target, CliProgress *progress)
{
    MonTraffic *traffic = target->traffic ? mon_traffic_new(machine) : NULL;
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, progress != NULL);
    MachStop stop = mach_run(machine);
    int signal = cli_interrupt_end(interrupt);
    cli_progress_clear(progress);
    cli_run_explain(machine, stop);
    int status = mach_exit_status(machine);
    if (signal && status == 128 + SIGINT)
        status = 128 + signal;
    bool reported = report(machine, target, traffic);
    mon_traffic_free(traffic);
    return reported || status ? status : CLI_STATUS_USAGE;
}

static int prepare_and_simulate(RunTarget *target, int argc, char **argv, GError **error)
{
    CliRun run;
    int status = -1;
    CliProgress *progress = NULL;
    Machine *machine =
        cli_run_prepare(&run, &target->run, argc, argv, error) && set_talk(&run.options, target, &progress, error)
            ? cli_run_machine(&run, error)
            : NULL;
    if (machine)
        status = simulate(machine, target, progress);
    mach_free(machine);
    g_free(progress);
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
