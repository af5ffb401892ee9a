/* cmd_replay.c - `orrery replay`: runs the traces and schedules of other tools as programs.
 *
 * `orrery run` does the work, with all of its options: it runs the program clib/replay, which does what a table says,
 * with as many ranks as the trace has. Instructions take no time then: all time is that of the trace and of MPI.
 */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/commands/run_told.h"
#include "cli/replay/replay.h"
#include "machine/machine.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum { RUN_BYTES = 4096 /* more than the target of `orrery run` has */, MOST_RANKS_TOLD = 16 };

typedef struct ReplayTarget {
    union {
        char bytes[RUN_BYTES];
        void *aligned;
    } run; /* fields of `orrery run`, where its table says */
    char *flop_rate;
} ReplayTarget;

const CliOption cli_replay_options[] = {{"flop-rate", 0, CLI_TEXT, "RATE", offsetof(ReplayTarget, flop_rate),
                                         "floating-point operations that a processor does in a second, for computing "
                                         "in time-independent traces (default 1e9)",
                                         "--flop-rate 2.5e9"},
                                        {0}};

/* Options of `orrery run` that are about compiling a program, or about the world that it sees. */
static const char *const not_taken[] = {"",         "ranks", "optimise", "include", "define",
                                        "undefine", "env",   "wdir",     "fs",      NULL};

static const char replay_text[] =
    "Runs a trace or a schedule as a program on a simulated machine. FILE is one of\n"
    "  a time-independent trace of SimGrid (`smpirun -trace-ti`, `orrery trace convert --format ti`): a file with the\n"
    "  actions of all ranks, several such files, or a file with their names;\n"
    "  a schedule in GOAL, as text or in LogGOPSim's binary format. Times in it are in ns.\n"
    "There are as many ranks as the trace has. Computing takes the time that the trace says, at --flop-rate; all\n"
    "else is as on this machine. All options of `orrery run` hold that are not about compiling: --machine, --set,\n"
    "--stats, --trace, --json and others; see orrery-run(1).\n\n"
    "  orrery replay --machine torus-8x8x16 --stats lu.ti\n"
    "  orrery replay --machine loggp-cluster --set network.latency=2us binary_tree.goal";

/* -- options ----------------------------------------------------------------------------------- */

static bool is_taken(const CliOption *option)
{
    for (const char *const *name = not_taken; *name; name++)
        if (strcmp(option->name, *name) == 0)
            return false;
    return option->offset + sizeof(char *) <= RUN_BYTES;
}

/* Returns the options of this command and those of `orrery run` as one table, for g_array_unref(). */
static GArray *all_options(void)
{
    GArray *options = g_array_new(TRUE, TRUE, sizeof(CliOption));
    for (const CliOption *option = cli_replay_options; option->name; option++)
        g_array_append_vals(options, option, 1);
    for (const CliOption *option = cli_run_options; option->name; option++)
        if (is_taken(option))
            g_array_append_vals(options, option, 1);
    return options;
}

static void add(GPtrArray *arguments, const char *option, const char *value)
{
    g_ptr_array_add(arguments, g_strdup(option));
    if (value)
        g_ptr_array_add(arguments, g_strdup(value));
}

/* Passes on the options that were given, as arguments of `orrery run`. */
static void pass_on(const ReplayTarget *target, GPtrArray *arguments)
{
    for (const CliOption *option = cli_run_options; option->name; option++) {
        if (!is_taken(option))
            continue;
        const void *field = target->run.bytes + option->offset;
        g_autofree char *name = g_strconcat("--", option->name, NULL);
        char *const *texts = NULL;
        const char *text = NULL;
        gboolean flag = FALSE;
        switch (option->argument) {
        case CLI_FLAG: memcpy(&flag, field, sizeof flag); break;
        case CLI_LIST:
        case CLI_FOLDERS: memcpy(&texts, field, sizeof texts); break;
        default: memcpy(&text, field, sizeof text); break;
        }
        if (flag)
            add(arguments, name, NULL);
        for (; texts && *texts; texts++)
            add(arguments, name, *texts);
        if (text && option->argument == CLI_CHECKS) {
            char *whole = *text ? g_strconcat(name, "=", text, NULL) : g_strdup(name);
            g_ptr_array_add(arguments, whole);
        } else if (text) {
            add(arguments, name, text);
        }
    }
}

/* Instructions of the program that replays take no time. */
static void stop_the_clock(GPtrArray *arguments)
{
    static const char *const keys[] = {"cost.library=0",       "cost.copy-byte=0",           "cost.execution=blocks",
                                       "cost.window=0",        "cost.branch-order=0",        "cost.branch-test=0",
                                       "cost.branch-switch=0", "cost.branch-exit=0",         "cost.exit-order=0",
                                       "cost.exit-test=0",     "cost.branch-predictor=none", "memory.model=flat",
                                       "storage.kind=none"};
    static const char *const classes[] = {
#define COST_CLASS(name, key, q8, help) key,
#include "vcode/costs.def"
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autofree char *setting = classes[i] ? g_strdup_printf("cost.%s=0", classes[i]) : NULL;
        if (setting)
            add(arguments, "--set", setting);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++)
        add(arguments, "--set", keys[i]);
}

/* -- what a run says --------------------------------------------------------------------------- */

/* Returns the line of the trace that the rank is at; 0: it has ended, or has not begun. */
static uint32_t line_of(const VmRank *rank)
{
    const VcodeModule *module = vm_image_module(vm_rank_face(rank)->image);
    for (uint32_t i = 0; i < module->objects.count; i++) {
        const VcodeObject *object = &module->objects.items[i];
        if (object->function != VCODE_NONE || strcmp(vcode_text(module, object->name), "orrery_replay_line") != 0)
            continue;
        const uint32_t *line = vm_rank_peek(rank, (uint64_t)object->where, sizeof *line);
        return line ? *line : 0;
    }
    return 0;
}

static void tell_lines(void *user, Machine *machine, MachStop stop)
{
    const ReplayTrace *trace = user;
    uint32_t told = 0, more = 0;
    if (stop == MACH_STOP_FINISHED || stop == MACH_STOP_INTERRUPT)
        return;
    for (uint32_t i = 0; i < trace->ranks && i < mach_run_ranks(machine); i++) {
        uint32_t line = line_of(mach_run_rank(machine, i));
        if (!line)
            continue;
        if (told++ >= MOST_RANKS_TOLD) {
            more++;
            continue;
        }
        g_autofree char *text = replay_trace_line(trace, i, line);
        cli_say("rank %u was at %s", i, text);
    }
    if (more)
        cli_say("and %u more ranks had not ended", more);
}

/* -- the command ------------------------------------------------------------------------------- */

static bool parse_rate(const char *text, double *rate, GError **error)
{
    char *end;
    *rate = text ? g_ascii_strtod(text, &end) : 1e9;
    if (text && (end == text || *end || !isfinite(*rate) || *rate < 1 || *rate > 1e18))
        return cli_error_usage(error, "--flop-rate %s: it is a number from 1 to 1e18, such as 2.5e9", text);
    return true;
}

static int run(const ReplayTarget *target, const ReplayTrace *trace)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free), kept = g_ptr_array_new();
    g_autofree char *ranks = g_strdup_printf("%u", trace->ranks), *folder = cli_path_share("replay");
    g_autofree char *program = g_build_filename(folder, "replay", NULL);
    if (trace->streams > 1)
        cli_say("the schedule asks for %u processors of a rank; here each rank has one", trace->streams);
    add(arguments, "orrery run", NULL);
    pass_on(target, arguments);
    stop_the_clock(arguments);
    add(arguments, "--fs", "all");
    add(arguments, "--ranks", ranks);
    add(arguments, program, trace->table);
    for (guint i = 0; i < arguments->len; i++) /* the run reorders its arguments */
        g_ptr_array_add(kept, arguments->pdata[i]);
    g_ptr_array_add(kept, NULL);
    return cli_run_told((int)arguments->len, (char **)kept->pdata, &(CliRunTold){(void *)trace, tell_lines});
}

static int replay(const ReplayTarget *target, int argc, char **argv, GError **error)
{
    double rate = 0;
    if (!parse_rate(target->flop_rate, &rate, error))
        return 0;
    if (argc < 1) {
        cli_error_usage(error, "what is to be replayed? For example: orrery replay --stats lu.ti");
        return 0;
    }
    if (!cli_path_share_check("replay", "the program that replays is", error))
        return 0;
    ReplayTrace *trace = replay_trace_new(argv, argc, rate, error);
    int status = trace ? run(target, trace) : 0;
    replay_trace_free(trace);
    return status;
}

int cli_replay(int argc, char **argv)
{
    ReplayTarget target = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) options = all_options();
    CliUsage usage = {.command = "replay",
                      .synopsis = "[OPTION...] FILE...",
                      .text = replay_text,
                      .options = (const CliOption *)(const void *)options->data,
                      .mixed = true};
    bool done = false;
    int status = 0;
    if (cli_option_parse(&usage, &target, &argc, argv, &done, &error) && !done)
        status = replay(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(usage.options, &target);
    return status;
}
