/* cmd_explore.c - `orrery explore`: runs a program in all orders that MPI may choose.
 *
 * The program is compiled once, and machine/explore/explorer.c runs it. This file prints the report: for each failure
 * what happened, the choices that lead there, and the command that runs it again.
 */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "monitor/monitor.h"
#include "mpi/mpi_world.h"
#include "vcode/vcode.h"

#include <string.h>
#include <unistd.h>

enum { STATUS_FAILURE = 3, STATUS_BOUNDED = 4 };
enum { MOST_FAILURES = 16, MOST_OUTPUTS = 8, MOST_REMARKS = 16, MOST_LINES = 24 };

typedef struct ExploreTarget {
    CliRunOptions run;
    char *max_runs, *max_depth, *json;
} ExploreTarget;

#define MAX_RUNS 1000 /* default of --max-runs */

const CliOption cli_explore_options[] = {
    CLI_RUN_OPTIONS(ExploreTarget),
    {"max-runs", 0, CLI_TEXT, "N", offsetof(ExploreTarget, max_runs),
     "executions at most (default " G_STRINGIFY(MAX_RUNS) ")", "--max-runs 100000"},
    {"max-depth", 0, CLI_TEXT, "N", offsetof(ExploreTarget, max_depth),
     "choices at most that are made otherwise than in the first execution (default: any number)", "--max-depth 2"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(ExploreTarget, json), "write the report as JSON too",
     "--json explore.json"},
    {0}};

static const CliUsage explore_usage = {
    .command = "explore",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] PROGRAM [ARGUMENT...]]...",
    .text =
        "Runs an MPI program again and again, until everything that MPI leaves open has gone every way that makes a\n"
        "difference: whose message a receive from any source takes, which request MPI_Waitany and its like report,\n"
        "whether MPI_Test and MPI_Iprobe find something yet. The first execution is that of `orrery run`. For each\n"
        "failure (deadlock, fault, error, MPI_Abort, exit status other than 0) it says what happened, which choices\n"
        "lead there, and the command that runs it again; and it says whether the output is always the same.\n"
        "All checks are on unless --check says which. --jobs is how many executions run at a time.\n"
        "The exit status is 0 if there is no failure in any execution, 3 if there is one, 4 if there is none in those\n"
        "that were done but more are possible (--max-runs, --max-depth, --max-time, Ctrl-C), 1 if the program does "
        "not\n"
        "compile, 2 if Orrery was used wrongly.\n\n"
        "  orrery explore -n 4 samples/sum_of_arrivals.c\n"
        "  orrery explore -n 8 --max-runs 20000 --json report.json farm.c 100",
    .options = cli_explore_options,
};

typedef struct Program {
    char *bytes;
    gsize size;
} Program;

typedef struct Explore {
    const ExploreTarget *target;
    CliRun run;
    Program *programs;
    char *command;   /* beginning of the command that runs a failure again, up to --choices */
    char *arguments; /* program and arguments */
    GMutex lock;     /* protects `read` and `input` */
    bool read;
    GString *input;
} Explore;

/* -- for the explorer -------------------------------------------------------------------------- */

static VcodeModule *new_program(void *user, size_t i, GError **error)
{
    Explore *explore = user;
    const Program *program = &explore->programs[i];
    return vcode_file_read_bytes(program->bytes, program->size, explore->run.arguments[i][0], error);
}

static void read_input(void *user, const char **bytes, size_t *size)
{
    Explore *explore = user;
    char piece[4096];
    ssize_t count;
    g_mutex_lock(&explore->lock);
    while (!explore->read && (count = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        g_string_append_len(explore->input, piece, count);
    explore->read = true;
    *bytes = explore->input->str;
    *size = explore->input->len;
    g_mutex_unlock(&explore->lock);
}

static void stop(void *user)
{
    mach_explorer_interrupt(user);
}

/* -- the command that runs it again ------------------------------------------------------------ */

static void append_argument(GString *out, const char *argument)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%";
    g_autofree char *quoted = g_shell_quote(argument);
    bool safe = *argument && argument[strspn(argument, plain)] == '\0';
    g_string_append_printf(out, "%s%s", out->len ? " " : "", safe ? argument : quoted);
}

/* Returns whether the option exists only in this command. *next: its value is the next argument. */
static bool is_own(const char *argument, bool *next)
{
    static const char *const own[] = {"--max-runs", "--max-depth", "--json", "--jobs", "-j"};
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
        size_t length = strlen(own[i]);
        bool letter = own[i][1] != '-';
        if (strncmp(argument, own[i], length) != 0 || (argument[length] && argument[length] != '=' && !letter))
            continue;
        *next = argument[length] == '\0';
        return true;
    }
    return false;
}

static void note_command(Explore *explore, int argc, char **argv, int rest)
{
    GString *command = g_string_new("orrery run"), *arguments = g_string_new(NULL);
    for (int i = 1; i < argc - rest; i++) {
        bool next = false;
        if (is_own(argv[i], &next))
            i += next;
        else if (strcmp(argv[i], "--") != 0)
            append_argument(command, argv[i]);
    }
    if (!explore->target->run.check)
        append_argument(command, "--check");
    for (int i = argc - rest; i < argc; i++)
        append_argument(arguments, argv[i]);
    explore->command = g_string_free(command, FALSE);
    explore->arguments = g_string_free(arguments, FALSE);
}

static char *command_for(const Explore *explore, const MachExplored *explored)
{
    GString *out = g_string_new(explore->command);
    if (explored->stop == MACH_STOP_MAX_TIME && !explore->target->run.max_time)
        g_string_append_printf(out, " --max-time %" G_GUINT64_FORMAT "ps", explored->limit_ps);
    if (explored->choices->len) {
        g_string_append(out, " --choices ");
        mpi_choices_print(explored->choices, out);
    }
    g_string_append_printf(out, " %s", explore->arguments);
    return g_string_free(out, FALSE);
}

/* -- the report -------------------------------------------------------------------------------- */

/* Appends the lines of a text, each after `indent`; at most `most` of them, if it is not 0. */
static void append_lines(GString *out, const char *indent, const char *text, int most)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    int n = 0;
    for (char **line = lines; *line; line++) {
        if (!line[1] && !**line)
            break;
        if (most && n++ == most) {
            g_string_append_printf(out, "%s...\n", indent);
            break;
        }
        g_string_append_printf(out, "%s%s\n", indent, *line);
    }
}

static void append_runs(GString *out, uint64_t runs, uint64_t all)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " execution%s", runs, all,
                           all == 1 ? "" : "s");
}

static void append_more(GString *out, guint count, guint most, const char *what)
{
    if (count > most)
        g_string_append_printf(out, "and %u more %s\n\n", count - most, what);
}

static void append_failure(GString *out, const Explore *explore, const MachExplored *failure, guint number,
                           uint64_t all)
{
    g_autofree char *command = command_for(explore, failure);
    g_string_append_printf(out, "failure %u, in ", number);
    append_runs(out, failure->runs, all);
    g_string_append_printf(out, ": %s\n", failure->key);
    if (failure->choices->len) {
        g_string_append(out, "  it happens where\n");
        append_lines(out, "    ", failure->steps, 0);
    } else {
        g_string_append(out, "  it happens in the first execution, which is that of `orrery run`\n");
    }
    if (failure->what)
        append_lines(out, "  | ", failure->what, 0);
    g_string_append_printf(out, "  to see it again:\n    %s\n\n", command);
}

static void append_failures(GString *out, const Explore *explore, const MachExploration *result)
{
    for (guint i = 0; i < MIN(result->failures->len, MOST_FAILURES); i++)
        append_failure(out, explore, result->failures->pdata[i], i + 1, result->runs);
    append_more(out, result->failures->len, MOST_FAILURES, "failures (--json has all)");
}

static void append_output(GString *out, const Explore *explore, const MachExplored *output, uint64_t all)
{
    g_autofree char *command = command_for(explore, output);
    append_runs(out, output->runs, all);
    g_string_append_printf(out, " print%s%s\n", output->runs == 1 ? "s" : "", *output->what ? "" : " nothing");
    append_lines(out, "  | ", output->what, MOST_LINES);
    g_string_append_printf(out, "  %s\n\n", command);
}

/* Reports the outputs if there are several. A single one is the normal case, and is printed as by a run. */
static void append_outputs(GString *out, const Explore *explore, const MachExploration *result)
{
    if (result->outputs->len < 2)
        return;
    g_string_append_printf(out, "the output depends on the order of messages: there are %u different ones\n\n",
                           result->outputs->len);
    for (guint i = 0; i < MIN(result->outputs->len, MOST_OUTPUTS); i++)
        append_output(out, explore, result->outputs->pdata[i], result->runs);
    append_more(out, result->outputs->len, MOST_OUTPUTS, "outputs (--json has all)");
}

static void append_remarks(GString *out, const MachExploration *result)
{
    for (guint i = 0; i < MIN(result->remarks->len, MOST_REMARKS); i++) {
        const MachExplored *remark = result->remarks->pdata[i];
        g_string_append(out, "in ");
        append_runs(out, remark->runs, result->runs);
        g_string_append(out, ":\n");
        append_lines(out, "  | ", remark->what, MOST_LINES);
    }
    append_more(out, result->remarks->len, MOST_REMARKS, "remarks (--json has all)");
    if (result->remarks->len)
        g_string_append_c(out, '\n');
}

static void append_summary(GString *out, const MachExploration *result)
{
    uint64_t failed = 0;
    for (guint i = 0; i < result->failures->len; i++)
        failed += ((MachExplored *)result->failures->pdata[i])->runs;
    g_string_append_printf(
        out, "%" G_GUINT64_FORMAT " execution%s, %" G_GUINT64_FORMAT " choice%s that can be made in several ways: ",
        result->runs, result->runs == 1 ? "" : "s", result->points, result->points == 1 ? "" : "s");
    if (result->complete)
        g_string_append(out, "that is all there are\n");
    else if (result->interrupted)
        g_string_append(out, "stopped before all were done\n");
    else if (result->limited)
        g_string_append(out, "there are more; see --max-runs and --max-depth\n");
    else
        g_string_append(out, "some were stopped at a limit of virtual time; see --max-time\n");
    if (!failed)
        g_string_append_printf(out, "no failure; %s\n",
                               result->outputs->len > 1 ? "the outputs differ" : "the output is always the same");
    else
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " execution%s fail%s, in %u way%s\n", failed,
                               failed == 1 ? "" : "s", failed == 1 ? "s" : "", result->failures->len,
                               result->failures->len == 1 ? "" : "s");
}

static bool write_json(const Explore *explore, const MachExploration *result, GError **error)
{
    GPtrArray *commands = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < result->failures->len; i++)
        g_ptr_array_add(commands, command_for(explore, result->failures->pdata[i]));
    for (guint i = 0; i < result->outputs->len; i++)
        g_ptr_array_add(commands, command_for(explore, result->outputs->pdata[i]));
    bool good = mon_write_exploration(result, commands, explore->target->json, error);
    g_ptr_array_unref(commands);
    return good;
}

static int report(const Explore *explore, const MachExploration *result, GError **error)
{
    GString *out = g_string_new(NULL);
    append_failures(out, explore, result);
    append_outputs(out, explore, result);
    append_remarks(out, result);
    append_summary(out, result);
    bool printed = g_strcmp0(explore->target->json, "-") == 0 || cli_say_output(out->str);
    g_string_free(out, TRUE);
    if (!printed || (explore->target->json && !write_json(explore, result, error)))
        return CLI_STATUS_USAGE;
    return result->failures->len ? STATUS_FAILURE : result->complete ? 0 : STATUS_BOUNDED;
}

/* -- all of it --------------------------------------------------------------------------------- */

static bool set_limits(const ExploreTarget *target, MachExploreOptions *limits, GError **error)
{
    uint64_t depth = 0, jobs = g_get_num_processors();
    *limits = (MachExploreOptions){.max_runs = MAX_RUNS};
    if (target->run.choices || target->run.seed)
        return cli_error_usage(error, "%s: `orrery explore` makes all choices; to see some of them, use `orrery run`",
                               target->run.choices ? "--choices" : "--seed");
    if ((target->max_runs &&
         !cli_option_number("--max-runs", target->max_runs, 1, 1000000, &limits->max_runs, error)) ||
        (target->max_depth && !cli_option_number("--max-depth", target->max_depth, 1, 1000000, &depth, error)) ||
        (target->run.jobs && !cli_option_number("--jobs", target->run.jobs, 1, 4096, &jobs, error)))
        return false;
    limits->max_depth = (uint32_t)depth;
    limits->jobs = (uint32_t)jobs;
    return true;
}

static void keep_programs(Explore *explore)
{
    CliRun *run = &explore->run;
    explore->programs = g_new0(Program, run->n_programs);
    for (size_t i = 0; i < run->n_programs; i++) {
        Program *program = &explore->programs[i];
        program->bytes = cli_build_program_bytes(run->programs[i].module, &program->size);
        g_clear_pointer(&run->programs[i].module, vcode_module_free);
    }
}

static int explore_all(Explore *explore, const MachExploreOptions *limits, GError **error)
{
    CliRun *run = &explore->run;
    if (!explore->target->run.check)
        run->options.checks = mpi_checks_all();
    MachExplorer *explorer =
        mach_explorer_new(run->config, run->programs, run->n_programs, &run->options, limits, new_program, explore);
    mach_explorer_input(explorer, read_input, explore);
    CliInterrupt *interrupt = cli_interrupt_watch_with(stop, explorer);
    MachExploration *result = mach_explore(explorer, error);
    cli_interrupt_end(interrupt);
    int status = result ? report(explore, result, error) : CLI_STATUS_USAGE;
    mach_explore_result_free(result);
    mach_explorer_free(explorer);
    return status;
}

static void explore_clear(Explore *explore)
{
    for (size_t i = 0; explore->programs && i < explore->run.n_programs; i++)
        g_free(explore->programs[i].bytes);
    g_free(explore->programs);
    g_free(explore->command);
    g_free(explore->arguments);
    g_string_free(explore->input, TRUE);
    g_mutex_clear(&explore->lock);
    cli_run_clear(&explore->run);
}

int cli_explore(int argc, char **argv)
{
    ExploreTarget target = {0};
    Explore explore = {.target = &target, .input = g_string_new(NULL)};
    explore.run.example = "orrery explore -n 4 hello.c";
    MachExploreOptions limits;
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) original = g_strdupv(argv);
    int before = argc, status = 0;
    bool done = false;
    g_mutex_init(&explore.lock);
    if (cli_option_parse(&explore_usage, &target, &argc, argv, &done, &error) && !done &&
        set_limits(&target, &limits, &error) &&
        cli_run_prepare(&explore.run, &target.run, argc - 1, argv + 1, &error)) {
        keep_programs(&explore);
        note_command(&explore, before, original, argc - 1);
        status = explore_all(&explore, &limits, &error);
    }
    if (error)
        status = cli_error_report(error);
    explore_clear(&explore);
    cli_option_clear(cli_explore_options, &target);
    return status;
}
