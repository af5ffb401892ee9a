/* input.c - what pictures are drawn from. A trace is known by its first bytes, tables and profiles by their names, and
 * a program by what `orrery run` would run; it is run with recording first. */
#include "cli/plot/plot_command.h"

#include "monitor/monitor.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of a pipe nothing is read: what is read of it is gone. */
static bool is_trace(const char *path)
{
    char begin[8] = {0};
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, "\x8fTrace\r\n", 8) == 0;
    if (file)
        fclose(file);
    return is;
}

static bool is_program(const char *path)
{
    const char *what;
    return cli_file_is_input(path) || cli_file_kind(path, &what) == CLI_FILE_VCODE;
}

/* -- programs ---------------------------------------------------------------------------------- */

static int simulate(Machine *machine, const MonExportsAsked *asked, GError **error)
{
    MonExports *exports = mon_exports_new(machine, asked, error);
    if (!exports)
        return CLI_STATUS_USAGE;
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, false);
    MachStop stop = mach_run(machine);
    cli_interrupt_end(interrupt);
    cli_run_explain(machine, stop); /* what happened up to a fault or deadlock is worth a look, too */
    mon_exports_write(exports, error);
    mon_exports_free(exports);
    return mach_run_exit_status(machine);
}

static bool record(PlotSource *source, const PlotKind *kind, PlotTarget *target, int argc, char **argv, GError **error)
{
    CliRun run = {.example = "orrery plot timeline -n 4 hello.c -o hello.svg"};
    int file = g_file_open_tmp("orrery-XXXXXX.trace", &source->recorded, error);
    if (file < 0)
        return false;
    close(file);
    MonExportsAsked asked = {.paths[MON_EXPORT_trace] = source->recorded};
    g_autofree char *detail = g_strdup(kind->detail);
    asked.texts[MON_EXPORT_TEXT_trace_detail] = detail;
    GError *problem = NULL;
    Machine *machine =
        cli_run_prepare(&run, &target->run, argc, argv, &problem) ? cli_run_machine(&run, &problem) : NULL;
    if (machine)
        source->status = simulate(machine, &asked, &problem);
    mach_run_free(machine);
    cli_run_clear(&run);
    if (problem)
        g_propagate_error(error, problem);
    else
        source->reader = trace_reader_new(source->recorded, error);
    return source->reader;
}

/* -- opening ----------------------------------------------------------------------------------- */

static bool open_text(PlotSource *source, bool profile, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(path, &text, &size, error))
        return false;
    if (profile)
        source->profile = plot_profile_new(text, size, error);
    else
        source->table = plot_table_new(text, size, error);
    if (source->profile || source->table)
        return true;
    g_prefix_error(error, "%s: ", path);
    return false;
}

/* Returns what a kind is drawn from, for messages. */
static const char *needs_of(const PlotKind *kind)
{
    if (kind->input & PLOT_INPUT_TABLE)
        return kind->input & PLOT_INPUT_PROFILE ? "a table (CSV), or a profile, which `orrery profile --json` writes"
                                                : "a table (CSV), such as `orrery sweep` and `orrery net` write";
    return kind->input & PLOT_INPUT_PROFILE
               ? "a trace, which `orrery run --trace` writes, a profile of `orrery profile --json`, or a program"
               : "a trace, which `orrery run --trace` writes, or a program";
}

/* Returns what a file is; where its name and content say nothing, what the kind needs. */
static PlotInput input_of(const PlotKind *kind, const char *path, bool *program)
{
    *program = false;
    if (is_trace(path))
        return PLOT_INPUT_TRACE;
    if (g_str_has_suffix(path, ".csv"))
        return PLOT_INPUT_TABLE;
    if (g_str_has_suffix(path, ".json"))
        return PLOT_INPUT_PROFILE;
    *program = is_program(path);
    return *program || kind->input & PLOT_INPUT_TRACE ? PLOT_INPUT_TRACE : PLOT_INPUT_TABLE;
}

static const char *name_of(PlotInput input, bool program)
{
    return program                     ? "program"
           : input == PLOT_INPUT_TABLE ? "table"
           : input == PLOT_INPUT_TRACE ? "trace"
                                       : "profile, or other JSON";
}

bool cli_plot_open(PlotSource *source, const PlotKind *kind, PlotTarget *target, int argc, char **argv, GError **error)
{
    const char *path = argc ? argv[0] : NULL;
    bool program;
    if (!path)
        return cli_error_usage(error, "%s is drawn from %s: orrery plot %s %s -o %s.svg", kind->name, needs_of(kind),
                               kind->name, kind->input & PLOT_INPUT_TABLE ? "results.csv" : "run.trace", kind->name);
    if (!cli_file_check(path, error))
        return false;
    PlotInput input = input_of(kind, path, &program);
    if (!(input & kind->input))
        return cli_error_usage(error, "%s: this is a %s; %s is drawn from %s", path, name_of(input, program),
                               kind->name, needs_of(kind));
    if (argc > 1 && !program)
        return cli_error_usage(error, "\"%s\": one %s is drawn at a time", argv[1], name_of(input, program));
    if (program)
        return record(source, kind, target, argc, argv, error);
    if (target->run.ranks)
        return cli_error_usage(error, "-n says how many ranks a program starts with; --ranks says which ranks of a "
                                      "recorded run are drawn");
    if (input != PLOT_INPUT_TRACE)
        return open_text(source, input == PLOT_INPUT_PROFILE, path, error);
    source->reader = trace_reader_new(path, error);
    return source->reader;
}

void cli_plot_close(PlotSource *source)
{
    g_clear_pointer(&source->reader, trace_reader_free);
    g_clear_pointer(&source->table, plot_table_free);
    g_clear_pointer(&source->profile, plot_profile_free);
    if (source->recorded)
        g_unlink(source->recorded);
    g_clear_pointer(&source->recorded, g_free);
}
