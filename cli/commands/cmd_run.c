/* cmd_run.c - `orrery run`: compiles if needed, simulates, and prints what the program prints. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/commands/run_told.h"
#include "cli/debug/on_finding.h"
#include "cli/run/run.h"
#include "cli/why/why.h"
#include "machine/machine.h"
#include "monitor/monitor.h"
#include "trace/trace.h"

#include <signal.h>
#include <string.h>

typedef struct RunTarget {
    CliRunOptions run;
    gboolean stats, quiet, check_fail, debug;
    char *progress, **what_if, **debug_commands;
    MonExportsAsked exports;
    CliWhatIf *hypotheses;  /* of --what-if; NULL: none */
    const CliRunTold *told; /* NULL: nobody */
    CliDebugWatch *watch;   /* of --debug-on-finding; NULL: none */
} RunTarget;

const CliOption cli_run_options[] = {
    CLI_RUN_OPTIONS(RunTarget),
    {"stats", 0, CLI_FLAG, NULL, offsetof(RunTarget, stats), "print where the time went, on standard error", "--stats"},
/* clang-format off */
#define MON_EXPORT(identifier, option, help, example)                                                                  \
    {option, 0, CLI_RESULT, "FILE", offsetof(RunTarget, exports.paths[MON_EXPORT_##identifier]), help, example},
#define MON_EXPORT_FOLDER(identifier, option, help, example)                                                           \
    {option, 0, CLI_RESULTS, "DIR", offsetof(RunTarget, exports.paths[MON_EXPORT_##identifier]), help, example},
#define MON_EXPORT_SETTING(identifier, export, option, value, unit, zero, help, example)                               \
    {option, 0, CLI_TEXT, value, offsetof(RunTarget, exports.settings[MON_EXPORT_SETTING_##identifier]), help, example},
#define MON_EXPORT_TEXT(identifier, export, option, value, help, example)                                              \
    {option, 0, CLI_TEXT, value, offsetof(RunTarget, exports.texts[MON_EXPORT_TEXT_##identifier]), help, example},
#include "monitor/exports.def"
    /* clang-format on */
    {"what-if", 0, CLI_LIST, "WHAT=HOW", offsetof(RunTarget, what_if),
     "run again as if something were otherwise, and print what that gains; several times:\n"
     "network=free, cpu=2x, link:A-B=4x, imbalance=none, wait:LINE=0, algorithm:bcast=chain;\n"
     "several with + between them in one run",
     "--what-if network=free --what-if cpu=2x+imbalance=none"},
    {"progress", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(CLI_PROGRESS_MODES), offsetof(RunTarget, progress),
     "show how far a run of more than two seconds is; auto: if standard error is a terminal", "--progress=never"},
    {"check-fail", 0, CLI_FLAG, NULL, offsetof(RunTarget, check_fail),
     "exit status 3 if checks have found something and it were 0 otherwise; so does ORRERY_CHECK_FAIL=1",
     "--check --check-fail"},
    {"debug-on-finding", 0, CLI_FLAG, NULL, offsetof(RunTarget, debug),
     "open the debugger where a check finds something, a program fault, an error of MPI or a deadlock ends the run: "
     "at\n"
     "that moment, with the way back; on a terminal, or with -x",
     "--check --debug-on-finding"},
    {"debug-command", 'x', CLI_LIST, "COMMAND", offsetof(RunTarget, debug_commands),
     "what that debugger does first; several times", "-x backtrace -x reverse-step"},
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
            "after a deadlock, at --max-time and where memory runs out (--memory). 1 also says that the program\n"
            "does not compile, 2 that Orrery was used wrongly, 3 that checks have found something, if --check-fail\n"
            "says so.\n\n"
            "  orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c\n"
            "  orrery run -n 1 master.c : -n 7 worker.c\n"
            "  orrery run -n 8 --check --debug-on-finding samples/greetings.c",
    .options = cli_run_options,
};

/* -- running ----------------------------------------------------------------------------------- */

/* Returns JSON, for g_free(); NULL: nothing was asked, or the run itself has not come to its end. */
static char *report_what_if(const Machine *machine, const RunTarget *target, MachStop stop)
{
    if (!target->hypotheses || stop != MACH_STOP_FINISHED)
        return NULL;
    GString *out = g_string_new(NULL);
    char *json = cli_what_if_run(target->hypotheses, machine, out);
    g_printerr("%s", out->str);
    g_string_free(out, TRUE);
    return json;
}

/* Returns whether all was written that makes the run a success. A trace that ends early is told, but no reason to fail:
 * the program has run as without it. */
static bool report(const Machine *machine, const RunTarget *target, MonExports *exports, MachStop stop)
{
    if (target->stats) {
        GString *out = g_string_new(NULL);
        mon_print_statistics(machine, out);
        mon_exports_print_hot_spots(exports, out);
        g_printerr("%s", out->str);
        g_string_free(out, TRUE);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *what_if = report_what_if(machine, target, stop);
    mon_exports_tell_what_if(exports, what_if);
    if (mon_exports_write(exports, &error))
        return true;
    g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
    for (char **line = lines; *line; line++)
        cli_say("%s", *line);
    return g_error_matches(error, TRACE_ERROR, TRACE_ERROR_EARLY);
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

/* Returns whether findings give an exit status other than 0, by option or environment. */
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

static int simulate(Machine *machine, const RunTarget *target, CliProgress *progress, GError **error)
{
    MonExports *exports = mon_exports_new(machine, &target->exports, error);
    if (!exports)
        return CLI_STATUS_USAGE;
    if (target->hypotheses)
        cli_what_if_watch(target->hypotheses, machine);
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, progress);
    cli_debug_watch_begin(target->watch, machine);
    MachStop stop = mach_run(machine);
    bool told = cli_debug_watch_end(target->watch, stop);
    int signal = cli_interrupt_end(interrupt);
    cli_progress_clear(progress);
    if (!told)
        cli_run_explain(machine, stop);
    if (target->told)
        target->told->stopped(target->told->user, machine, stop);
    int status = mach_run_exit_status(machine);
    if (signal && status == 128 + SIGINT)
        status = 128 + signal;
    if (!status && mach_findings(machine) && findings_fail(target))
        status = CLI_STATUS_FINDINGS;
    bool reported = report(machine, target, exports, stop);
    mon_exports_free(exports);
    return reported || status ? status : CLI_STATUS_USAGE;
}

static int prepare_and_simulate(RunTarget *target, int argc, char **argv, GError **error)
{
    CliRun run = {0};
    int status = -1;
    CliProgress *progress = NULL;
    target->exports.hot_spots = target->stats;
    target->hypotheses = target->what_if ? cli_what_if_new(target->what_if, &target->run, error) : NULL;
    Machine *machine = (!target->what_if || target->hypotheses) && mon_exports_check(&target->exports, error) &&
                               cli_run_prepare(&run, &target->run, argc, argv, error) &&
                               (!target->hypotheses || cli_what_if_prepare(target->hypotheses, &run, error)) &&
                               set_talk(&run.options, target, &progress, error) &&
                               cli_debug_watch_prepare(target->watch, &run.options, error)
                           ? cli_run_machine(&run, error)
                           : NULL;
    if (machine)
        status = simulate(machine, target, progress, error);
    mach_run_free(machine);
    if (machine)
        cli_debug_watch_open(target->watch, progress, findings_fail(target) ? CLI_STATUS_FINDINGS : 0, &status);
    g_free(progress);
    cli_what_if_free(target->hypotheses);
    cli_run_clear(&run);
    return status;
}

int cli_run(int argc, char **argv)
{
    return cli_run_told(argc, argv, NULL);
}

int cli_run_told(int argc, char **argv, const CliRunTold *told)
{
    RunTarget target = {.told = told};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    bool good = cli_option_parse(&run_usage, &target, &argc, argv, &done, &error) && !done;
    if (good && target.debug_commands && !target.debug)
        good = cli_error_usage(&error, "-x is for the debugger that --debug-on-finding opens");
    if (good && target.debug)
        target.watch = cli_debug_watch_new(&target.run, argc - 1, argv + 1, target.debug_commands);
    if (good)
        status = prepare_and_simulate(&target, argc - 1, argv + 1, &error);
    cli_debug_watch_free(target.watch);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_run_options, &target);
    return status;
}
