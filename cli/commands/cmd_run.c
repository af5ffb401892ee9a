/* cmd_run.c - `orrery run`: compile if need be, simulate, print what the program prints. */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "monitor/monitor.h"

#include <signal.h>
#include <string.h>

typedef struct RunTarget {
    CliRunOptions run;
    gboolean stats, quiet, check_fail;
    char *json, *traffic, *progress;
    char *network_report, *network_window, *messages;
} RunTarget;

const CliOption cli_run_options[] = {
    CLI_RUN_OPTIONS(RunTarget),
    {"stats", 0, CLI_FLAG, NULL, offsetof(RunTarget, stats), "print where the time went, on standard error", "--stats"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(RunTarget, json), "write the same as JSON", "--json run.json"},
    {"traffic", 0, CLI_RESULT, "FILE", offsetof(RunTarget, traffic),
     "write how many bytes and messages each rank has sent each other one, for `orrery map`", "--traffic run.traffic"},
    {"network-report", 0, CLI_RESULT, "FILE", offsetof(RunTarget, network_report),
     "write what each link and virtual channel carried, and what waited for it, over time: .csv or .json",
     "--network-report links.csv"},
    {"network-window", 0, CLI_TEXT, "TIME", offsetof(RunTarget, network_window),
     "with --network-report: over so much virtual time at once (default: some 32 to 64 windows)",
     "--network-window '10 us'"},
    {"messages", 0, CLI_RESULT, "FILE", offsetof(RunTarget, messages),
     "write the way of every message, with software, links and whom it waited behind: .csv or .json",
     "--messages messages.csv"},
    {"progress", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(CLI_PROGRESS_MODES), offsetof(RunTarget, progress),
     "show how far a run of more than two seconds is; auto: if standard error is a terminal", "--progress=never"},
    {"check-fail", 0, CLI_FLAG, NULL, offsetof(RunTarget, check_fail),
     "exit status 3 if checks have found something and it were 0 otherwise; so does ORRERY_CHECK_FAIL=1",
     "--check --check-fail"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(RunTarget, quiet),
     "no progress and no remarks, only errors and what --check finds", "-q"},
    {0}};

static const CliUsage run_usage = {
    .command = "run",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] PROGRAM [ARGUMENT...]]...",
    .text = "Runs an MPI program on a simulated machine. PROGRAM is one or more .c files, objects or archives, or a\n"
            "program that `orrery cc` made. Arguments of the program follow; a -- before them makes sure of it.\n"
            "Programs separated by : run together, the ranks numbered from left to right. What the program prints\n"
            "goes to standard output in the order of virtual time; what Orrery has to say goes to standard error.\n"
            "The exit status is the program's: the largest of its ranks, 128 + signal after a fault or Ctrl-C, 1\n"
            "after a deadlock, at --max-time and where memory runs out (--memory). 1 also says that the program does "
            "not compile, 2 that Orrery was used wrongly,\n"
            "3 that checks have found something, if --check-fail says so.\n\n"
            "  orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c\n"
            "  orrery run -n 1 master.c : -n 7 worker.c",
    .options = cli_run_options,
};

/* -- running ----------------------------------------------------------------------------------- */

static bool report_network(const RunTarget *target, MonNetwork *network)
{
    g_autoptr(GError) error = NULL;
    if (target->network_report && !mon_network_write_links(network, target->network_report, &error)) {
        cli_say("--network-report: %s", error->message);
        return false;
    }
    if (target->messages && !mon_network_write_messages(network, target->messages, &error)) {
        cli_say("--messages: %s", error->message);
        return false;
    }
    return true;
}

static bool report(Machine *machine, const RunTarget *target, const MonTraffic *traffic, MonNetwork *network)
{
    if (target->stats) {
        GString *out = g_string_new(NULL);
        mon_print_statistics(machine, out);
        mon_network_print(network, out);
        g_printerr("%s", out->str);
        g_string_free(out, TRUE);
    }
    g_autoptr(GError) error = NULL;
    if (target->json && !mon_statistics_write_json(machine, target->json, &error)) {
        cli_say("--json: %s", error->message);
        return false;
    }
    if (traffic && !mon_traffic_write(traffic, target->traffic, &error)) {
        cli_say("--traffic: %s", error->message);
        return false;
    }
    return !network || report_network(target, network);
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

static void say_finding(void *user, const char *text)
{
    (void)user;
    cli_say("%s", text);
}

/* Findings are errors where the user wants them to be, by option or environment. */
static bool findings_fail(const RunTarget *target)
{
    const char *fail = g_getenv("ORRERY_CHECK_FAIL");
    return target->check_fail || (fail && *fail && strcmp(fail, "0") != 0);
}

static bool set_talk(MachOptions *options, const RunTarget *target, CliProgress **progress, GError **error)
{
    if (!cli_progress_new(progress, target->progress, target->quiet, error))
        return false;
    if (target->quiet) {
        options->note = say_nothing;
        options->finding = target->run.check || findings_fail(target) ? say_finding : NULL;
    }
    if (*progress) {
        options->progress = tell_progress;
        options->before_output = clear_progress;
        options->progress_user = *progress;
    }
    return true;
}

/* What --network-report, --network-window and --messages say. */
static bool set_network(const RunTarget *target, MonNetworkOptions *options, GError **error)
{
    *options = (MonNetworkOptions){.links = target->network_report, .messages = target->messages};
    if (target->network_report && !mon_network_check_path(target->network_report, error)) {
        g_prefix_error(error, "--network-report: ");
        return false;
    }
    if (target->messages && !mon_network_check_path(target->messages, error)) {
        g_prefix_error(error, "--messages: ");
        return false;
    }
    if (!target->network_window)
        return true;
    if (!base_units_parse(target->network_window, BASE_UNIT_TIME, &options->window_ps, error)) {
        g_prefix_error(error, "--network-window: ");
        return false;
    }
    if (options->window_ps == 0)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--network-window 0: a window must have some length");
    else if (!options->links)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--network-window says nothing without --network-report FILE");
    return options->window_ps && options->links;
}

static int simulate(Machine *machine, const RunTarget *target, const MonNetworkOptions *options, CliProgress *progress,
                    GError **error)
{
    bool watched = target->stats || options->links || options->messages;
    MonNetwork *network = watched ? mon_network_new(machine, options, error) : NULL;
    if (watched && !network) {
        g_prefix_error(error, options->links ? "--network-report: " : "--messages: ");
        return CLI_STATUS_USAGE;
    }
    MonTraffic *traffic = target->traffic ? mon_traffic_new(machine) : NULL;
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, progress);
    MachStop stop = mach_run(machine);
    int signal = cli_interrupt_end(interrupt);
    cli_progress_clear(progress);
    cli_run_explain(machine, stop);
    int status = mach_run_exit_status(machine);
    if (signal && status == 128 + SIGINT)
        status = 128 + signal;
    if (!status && mach_findings(machine) && findings_fail(target))
        status = CLI_STATUS_FINDINGS;
    bool reported = report(machine, target, traffic, network);
    mon_traffic_free(traffic);
    mon_network_free(network);
    return reported || status ? status : CLI_STATUS_USAGE;
}

static int prepare_and_simulate(RunTarget *target, int argc, char **argv, GError **error)
{
    CliRun run = {0};
    int status = -1;
    CliProgress *progress = NULL;
    MonNetworkOptions options;
    Machine *machine = set_network(target, &options, error) && cli_run_prepare(&run, &target->run, argc, argv, error) &&
                               set_talk(&run.options, target, &progress, error)
                           ? cli_run_machine(&run, error)
                           : NULL;
    if (machine)
        status = simulate(machine, target, &options, progress, error);
    mach_run_free(machine);
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
    if (cli_option_parse(&run_usage, &target, &argc, argv, &done, &error) && !done)
        status = prepare_and_simulate(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_run_options, &target);
    return status;
}
