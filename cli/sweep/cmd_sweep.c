/* cmd_sweep.c - `orrery sweep`: many runs over ranks, machines and machine keys, into a table and a plot.
 *
 * The program is compiled once. Every run is a machine of its own, and several run at a time on host threads. Each
 * result is stored where its run is in the plan, so the table does not depend on the number of threads.
 */
#include "base/csv.h"
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "cli/sweep/sweep.h"
#include "machine/machine.h"
#include "monitor/monitor.h"
#include "vcode/vcode.h"

#include <string.h>

typedef struct SweepTarget {
    char *output, *jobs, *progress, *memory, *theme;
    gboolean list;
} SweepTarget;

const CliOption cli_sweep_options[] = {
    {"output", 'o', CLI_RESULT, "NAME", offsetof(SweepTarget, output),
     "write NAME.csv and NAME.svg (default: the sweep file's name, in the working directory)", "--output results"},
    {"jobs", 'j', CLI_TEXT, "N", offsetof(SweepTarget, jobs), "how many runs at a time (default: one per core)",
     "--jobs 4"},
    {"progress", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(CLI_PROGRESS_MODES), offsetof(SweepTarget, progress),
     "show how many runs are over; auto: if standard error is a terminal", "--progress=never"},
    {"memory", 0, CLI_TEXT, "SIZE", offsetof(SweepTarget, memory),
     "end a run when its program has taken so much (default: the largest, before the host runs short)",
     "--memory '2 GiB'"},
    CLI_OPTION_THEME(SweepTarget, theme),
    {"list", 0, CLI_FLAG, NULL, offsetof(SweepTarget, list), "print the runs instead of doing them", "--list"},
    {0}};

static const CliUsage sweep_usage = {
    .command = "sweep",
    .synopsis = "[OPTION...] FILE",
    .text =
        "Runs a program many times and writes a table (CSV) and a plot (SVG). FILE says what to vary:\n\n"
        "  [sweep]\n"
        "  program = ping_pong.c          relative to FILE\n"
        "  ranks = 2 4 8 16\n"
        "  machines = ring-8 mesh-4x4\n"
        "  input = 0 3 1024               standard input\n"
        "  x = ranks                      also: machine, or a key of [vary]\n"
        "  y = makespan                   what is measured, see below\n\n"
        "  [vary]\n"
        "  network.link-latency = 10 ns; 1 us\n\n"
        "Values may be ranges: 2:8, 2:16:2, 2^1:2^10, 1us:1ms:log10 (each ten times the one before).\n"
        "Further keys: arguments, set (KEY=VALUE; KEY=VALUE), title, logarithmic (true or false), max-time (of each\n"
        "run, virtual).\n\n"
        "Rows come into the table as runs end. A sweep that was interrupted leaves NAME.part behind; the same\n"
        "command goes on where it was.\n\n"
        "  orrery sweep samples/sweeps/broadcast.sweep\n\n"
        "What is measured, of all ranks together:",
    .options = cli_sweep_options,
    .mixed = true,
};

/* Returns the text of --help, with the measures of machine/statistics.def. */
static GString *usage_text(void)
{
    static const char *const units[] = {"in ps, ", "", "in bytes, "};
    GString *text = g_string_new(sweep_usage.text);
    for (unsigned i = 0; i < SWEEP_MEASURES; i++) {
        const MachStatistic *row = mach_statistics_measure(i);
        g_string_append_printf(text, "\n  %-10s %s (%s%s)", row->measure, row->help, units[row->unit],
                               row->put == MACH_PUT_MOST ? "the latest" : "added up");
    }
    return text;
}

typedef struct Sweep {
    const SweepSpec *spec;
    char *program; /* the linked program as the bytes of its file; each machine loads it again */
    gsize program_size;
    char **arguments;
    SweepResult *results;
    uint64_t memory; /* limit of a run; 0: what the host has */
    guint jobs;
    SweepJournal *journal;
    CliProgress *progress; /* NULL: not wanted */
    const char *output;    /* NAME for NAME.csv */
    const PlotTheme *theme;
    GMutex lock; /* protects the fields below, and `known` of the results */
    guint over, begun_with;
    gint64 start_us, written_us;
    GError *problem; /* the first error of writing */
} Sweep;

enum { REWRITE_US = 1000000 };

int cli_sweep_measure_index(const char *name)
{
    for (int i = 0; i < SWEEP_MEASURES; i++)
        if (strcmp(mach_statistics_measure((unsigned)i)->measure, name) == 0)
            return i;
    return -1;
}

/* -- one run ----------------------------------------------------------------------------------- */

typedef struct RunIo {
    const char *input;
    size_t at;
    char *note;
} RunIo;

static void drop_output(void *user, int stream, const char *bytes, size_t size)
{
    (void)user;
    (void)stream;
    (void)bytes;
    (void)size;
}

static size_t give_input(void *user, char *bytes, size_t size)
{
    RunIo *io = user;
    size_t given = MIN(size, strlen(io->input + io->at));
    memcpy(bytes, io->input + io->at, given);
    io->at += given;
    return given;
}

static void keep_note(void *user, const char *text)
{
    RunIo *io = user;
    char *all = io->note ? g_strconcat(io->note, "; ", text, NULL) : g_strdup(text);
    g_free(io->note);
    io->note = all;
}

static MachConfig *configure(const Sweep *sweep, guint run, GError **error)
{
    const SweepSpec *spec = sweep->spec;
    g_autoptr(MachConfig) config = cli_machine(cli_sweep_value(spec, run, 0), error);
    if (!config)
        return NULL;
    for (guint i = 0; i < spec->settings->len; i++)
        if (!mach_config_set(config, g_ptr_array_index(spec->settings, i), error))
            return NULL;
    for (guint i = 1; i + 1 < spec->dimensions->len; i++) { /* the keys that vary are between machine and ranks */
        g_autofree char *assignment =
            g_strdup_printf("%s=%s", cli_sweep_dimension(spec, i)->key, cli_sweep_value(spec, run, i));
        if (!mach_config_set(config, assignment, error))
            return NULL;
    }
    return g_steal_pointer(&config);
}

static void measure(const Machine *machine, SweepResult *result)
{
    MachRankReport totals;
    mach_run_totals(machine, &totals);
    for (unsigned i = 0; i < SWEEP_MEASURES; i++)
        result->values[i] = mach_statistics_value(mach_statistics_measure(i), &totals);
    result->status = mach_run_exit_status(machine);
}

static bool simulate(const Sweep *sweep, guint run, MachConfig *config, SweepResult *result, GError **error)
{
    const SweepSpec *spec = sweep->spec;
    RunIo io = {.input = spec->input};
    MachOptions options;
    mach_run_options_default(&options);
    options.memory_bytes = sweep->memory;
    options.memory_sharers = sweep->jobs;
    options.jobs = 1; /* other runs use the other cores */
    options.output = drop_output;
    options.input = give_input;
    options.note = keep_note;
    options.user = &io;
    options.max_time_ps = spec->max_time_ps;
    MachProgram program = {.argv = (const char *const *)sweep->arguments};
    program.count = (uint32_t)g_ascii_strtoull(cli_sweep_value(spec, run, spec->dimensions->len - 1), NULL, 10);
    program.module = vcode_file_read_bytes(sweep->program, sweep->program_size, spec->program, error);
    Machine *machine = program.module ? mach_run_new(config, &program, 1, &options, error) : NULL;
    if (machine) {
        MachStop stop = mach_run(machine);
        measure(machine, result);
        result->done = stop == MACH_STOP_FINISHED;
        if (!result->done) {
            GString *why = g_string_new(NULL);
            mach_explain(machine, why);
            g_string_truncate(why, strcspn(why->str, "\n"));
            result->note = g_string_free(why, FALSE);
        }
        mach_run_free(machine);
    }
    if (!result->note)
        result->note = g_steal_pointer(&io.note);
    g_free(io.note);
    return machine;
}

/* -- table and plot ---------------------------------------------------------------------------- */

static char *make_table(const Sweep *sweep)
{
    const SweepSpec *spec = sweep->spec;
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < spec->dimensions->len; i++) {
        base_csv_append(out, cli_sweep_dimension(spec, i)->key);
        g_string_append_c(out, ',');
    }
    for (unsigned i = 0; i < SWEEP_MEASURES; i++) {
        const MachStatistic *row = mach_statistics_measure(i);
        g_string_append_printf(out, "%s%s,", row->measure, row->unit == MACH_UNIT_TIME ? "_ps" : "");
    }
    g_string_append(out, "exit_status,note\n");
    for (guint run = 0; run < cli_sweep_runs(spec); run++) {
        const SweepResult *result = &sweep->results[run];
        if (!result->known)
            continue;
        for (guint i = 0; i < spec->dimensions->len; i++) {
            base_csv_append(out, cli_sweep_value(spec, run, i));
            g_string_append_c(out, ',');
        }
        for (int i = 0; i < SWEEP_MEASURES; i++)
            if (result->done)
                g_string_append_printf(out, "%" G_GUINT64_FORMAT ",", result->values[i]);
            else
                g_string_append_c(out, ',');
        g_string_append_printf(out, "%d,", result->status);
        base_csv_append(out, result->note ? result->note : "");
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

static bool write_results(const Sweep *sweep, const char *output, GError **error)
{
    g_autofree char *csv = g_strconcat(output, ".csv", NULL), *svg = g_strconcat(output, ".svg", NULL);
    g_autofree char *table = make_table(sweep);
    if (!base_write_file(csv, table, strlen(table), error) ||
        !cli_sweep_plot(sweep->spec, sweep->results, sweep->theme, svg, error))
        return false;
    g_autofree char *text = g_strdup_printf("%s\n%u runs: %s, %s\n", table, cli_sweep_runs(sweep->spec), csv, svg);
    return cli_say_output(text);
}

/* -- one run after the other ------------------------------------------------------------------- */

static void append_clock(GString *out, double seconds)
{
    unsigned whole = (unsigned)(seconds + 0.5);
    g_string_append_printf(out, "%u:%02u", whole / 60, whole % 60);
}

/* Shows a line like "orrery: [0:12] 13 of 48 runs, about 0:32 left". */
static void tell_progress(const Sweep *sweep)
{
    g_autoptr(GString) line = g_string_new("[");
    guint runs = cli_sweep_runs(sweep->spec), here = sweep->over - sweep->begun_with;
    double seconds = (double)(g_get_monotonic_time() - sweep->start_us) / 1e6;
    append_clock(line, seconds);
    g_string_append_printf(line, "] %u of %u runs", sweep->over, runs);
    if (here > 0 && sweep->over < runs) {
        g_string_append(line, ", about ");
        append_clock(line, seconds / here * (runs - sweep->over));
        g_string_append(line, " left");
    }
    cli_progress_say(sweep->progress, line->str);
}

/* Writes the table as far as it goes, in whole rows and in order, for anybody who looks at it meanwhile. */
static void write_rows(Sweep *sweep, GError **error)
{
    g_autofree char *csv = g_strconcat(sweep->output, ".csv", NULL), *table = make_table(sweep);
    sweep->written_us = g_get_monotonic_time();
    base_write_file(csv, table, strlen(table), error);
}

static void keep_result(Sweep *sweep, guint run)
{
    g_mutex_lock(&sweep->lock);
    sweep->results[run].known = true;
    sweep->over++;
    if (!sweep->problem)
        cli_sweep_journal_add(sweep->journal, run, &sweep->results[run], &sweep->problem);
    if (!sweep->problem && g_get_monotonic_time() - sweep->written_us > REWRITE_US)
        write_rows(sweep, &sweep->problem);
    if (sweep->progress)
        tell_progress(sweep);
    g_mutex_unlock(&sweep->lock);
}

static void run_one(void *item, void *user)
{
    Sweep *sweep = user;
    guint run = GPOINTER_TO_UINT(item) - 1;
    SweepResult *result = &sweep->results[run];
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = configure(sweep, run, &error);
    if (!config || !simulate(sweep, run, config, result, &error)) {
        result->note = g_strdup(error->message);
        result->status = CLI_STATUS_USAGE;
    }
    keep_result(sweep, run);
}

/* -- all runs ---------------------------------------------------------------------------------- */

static bool compile(Sweep *sweep, GError **error)
{
    CliBuild build;
    cli_build_init(&build);
    char *path = sweep->spec->program;
    g_autoptr(VcodeModule) module = cli_build_program(&build, &path, 1, error);
    cli_build_clear(&build);
    sweep->program = module ? cli_build_program_bytes(module, &sweep->program_size) : NULL;
    return sweep->program;
}

/* Refuses a wrong machine or key before anything runs. */
static bool check_machines(const Sweep *sweep, GError **error)
{
    guint ranks = cli_sweep_dimension(sweep->spec, sweep->spec->dimensions->len - 1)->values->len;
    for (guint run = 0; run < cli_sweep_runs(sweep->spec);
         run += ranks) { /* ranks vary fastest, and do not matter here */
        g_autoptr(MachConfig) config = configure(sweep, run, error);
        if (!config)
            return false;
    }
    return true;
}

static bool run_all(Sweep *sweep, guint jobs, GError **error)
{
    GThreadPool *pool = g_thread_pool_new(run_one, sweep, (gint)jobs, TRUE, error);
    if (!pool)
        return false;
    for (guint run = 0; run < cli_sweep_runs(sweep->spec); run++)
        if (!sweep->results[run].known)
            g_thread_pool_push(pool, GUINT_TO_POINTER(run + 1), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    cli_progress_clear(sweep->progress);
    if (!sweep->problem)
        return true;
    g_propagate_error(error, g_steal_pointer(&sweep->problem));
    return false;
}

static void add_to(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Returns a fingerprint of everything that a result depends on. The caller frees it with g_free(). */
static char *fingerprint(const Sweep *sweep)
{
    const SweepSpec *spec = sweep->spec;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    add_to(sum, ORRERY_VERSION);
    g_checksum_update(sum, (const guchar *)sweep->program, (gssize)sweep->program_size);
    for (char **argument = sweep->arguments; *argument; argument++)
        add_to(sum, *argument);
    add_to(sum, spec->input);
    for (guint i = 0; i < spec->dimensions->len; i++) {
        const SweepDimension *dimension = cli_sweep_dimension(spec, i);
        add_to(sum, dimension->key);
        for (guint k = 0; k < dimension->values->len; k++)
            add_to(sum, g_ptr_array_index(dimension->values, k));
    }
    guint each = cli_sweep_runs(spec) / cli_sweep_dimension(spec, 0)->values->len;
    for (guint run = 0; run < cli_sweep_runs(spec); run += each) { /* machines vary slowest */
        g_autoptr(MachConfig) config = configure(sweep, run, NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        if (config)
            mach_config_print(config, text);
        add_to(sum, text->str);
    }
    g_autofree char *limit = g_strdup_printf("%" G_GUINT64_FORMAT, spec->max_time_ps);
    add_to(sum, limit);
    return g_strdup(g_checksum_get_string(sum));
}

/* Takes over the results of an interrupted sweep, if it was the same one. */
static bool open_journal(Sweep *sweep, GError **error)
{
    g_autofree char *print = fingerprint(sweep), *path = g_strconcat(sweep->output, ".part", NULL);
    guint runs = cli_sweep_runs(sweep->spec);
    sweep->journal = cli_sweep_journal_open(path, print, sweep->results, runs, &sweep->begun_with, error);
    sweep->over = sweep->begun_with;
    sweep->start_us = sweep->written_us = g_get_monotonic_time();
    if (sweep->journal && sweep->begun_with)
        cli_say("%u of %u runs are done already, by %s; remove it to do them again", sweep->begun_with, runs, path);
    return sweep->journal;
}

static void list_runs(const SweepSpec *spec)
{
    GString *out = g_string_new(NULL);
    for (guint run = 0; run < cli_sweep_runs(spec); run++) {
        for (guint i = 0; i < spec->dimensions->len; i++)
            g_string_append_printf(out, "%s%s=%s", i > 0 ? "  " : "", cli_sweep_dimension(spec, i)->key,
                                   cli_sweep_value(spec, run, i));
        g_string_append_c(out, '\n');
    }
    cli_say_output(out->str);
    g_string_free(out, TRUE);
}

/* Prints the remarks of the runs, each text once. */
static void tell_notes(const Sweep *sweep)
{
    enum { MOST = 10 };
    g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint run = 0; run < cli_sweep_runs(sweep->spec) && g_hash_table_size(told) < MOST; run++) {
        const SweepResult *result = &sweep->results[run];
        if (result->done && result->note && g_hash_table_add(told, result->note))
            cli_say("run %u: %s", run + 1, result->note);
    }
}

/* Returns the worst exit status of the runs: 0 only if all of them finished well. */
static int worst_status(const Sweep *sweep)
{
    int worst = 0;
    tell_notes(sweep);
    for (guint run = 0; run < cli_sweep_runs(sweep->spec); run++) {
        const SweepResult *result = &sweep->results[run];
        if (!result->done)
            cli_say("run %u has no result: %s", run + 1, result->note);
        worst = MAX(worst, result->status);
    }
    return worst;
}

/* `sweep` has what the options say; the rest is made here, and freed. */
static int perform(Sweep *sweep, GError **error)
{
    const SweepSpec *spec = sweep->spec;
    guint runs = cli_sweep_runs(spec);
    sweep->results = g_new0(SweepResult, runs);
    g_mutex_init(&sweep->lock);
    sweep->arguments = g_new0(char *, spec->arguments->len + 2);
    sweep->arguments[0] = g_path_get_basename(spec->program);
    for (guint i = 0; i < spec->arguments->len; i++)
        sweep->arguments[i + 1] = g_strdup(g_ptr_array_index(spec->arguments, i));
    int status = CLI_STATUS_USAGE;
    bool good = check_machines(sweep, error) && compile(sweep, error) && open_journal(sweep, error) &&
                run_all(sweep, sweep->jobs, error) && write_results(sweep, sweep->output, error);
    if (good)
        status = worst_status(sweep);
    cli_sweep_journal_close(sweep->journal, good);
    g_mutex_clear(&sweep->lock);
    for (guint run = 0; run < runs; run++)
        g_free(sweep->results[run].note);
    g_free(sweep->results);
    g_free(sweep->program);
    g_strfreev(sweep->arguments);
    return status;
}

static char *output_name(const SweepTarget *target, const char *path)
{
    if (target->output)
        return g_strdup(target->output);
    char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".sweep"))
        name[strlen(name) - strlen(".sweep")] = '\0';
    return name;
}

int cli_sweep(int argc, char **argv)
{
    SweepTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    Sweep sweep = {0};
    uint64_t jobs = g_get_num_processors();
    g_autoptr(GString) text = usage_text();
    CliUsage usage = sweep_usage;
    usage.text = text->str;
    if (cli_option_parse(&usage, &target, &argc, argv, &done, &error) && !done &&
        (!target.jobs || cli_option_number("--jobs", target.jobs, 1, 1024, &jobs, &error)) &&
        cli_run_parse_memory(target.memory, &sweep.memory, &error) &&
        (sweep.theme = cli_option_theme(target.theme, &error))) {
        SweepSpec *spec = NULL;
        if (argc != 2)
            g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE,
                                "one sweep file is needed; see `orrery sweep --help`");
        else
            spec = cli_sweep_spec_load(argv[1], &error);
        g_autofree char *output = spec ? output_name(&target, argv[1]) : NULL;
        g_autofree char *table = g_strconcat(output ? output : "", ".csv", NULL);
        if (spec && target.list)
            list_runs(spec);
        else if (spec && base_write_possible(table, &error) &&
                 cli_progress_new(&sweep.progress, target.progress, false, &error)) {
            sweep.spec = spec;
            sweep.output = output;
            sweep.jobs = (guint)jobs;
            status = perform(&sweep, &error);
        }
        g_free(sweep.progress);
        cli_sweep_spec_free(spec);
    }
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_sweep_options, &target);
    return status;
}
