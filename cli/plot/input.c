/* input.c - what pictures are drawn from. A trace is known by its first bytes, a table by its name or by the kind of
 * picture, and a program by what `orrery run` would run; it is run with recording first. */
#include "cli/plot/plot_command.h"

#include "monitor/monitor.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_trace(const char *path)
{
    char begin[8] = {0};
    FILE *file = fopen(path, "rb");
    bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, "\x8fTrace\r\n", 8) == 0;
    if (file)
        fclose(file);
    return is;
}

static bool is_table(const char *path)
{
    return g_str_has_suffix(path, ".csv");
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

static bool open_table(PlotSource *source, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(path, &text, &size, error))
        return false;
    source->table = plot_table_new(text, size, error);
    g_prefix_error(error, "%s: ", path);
    return source->table;
}

static bool refuse_run_options(const PlotTarget *target, GError **error)
{
    if (!target->run.ranks)
        return true;
    return cli_error_usage(error, "-n says how many ranks a program starts with; --ranks says which ranks of a "
                                  "recorded run are drawn");
}

bool cli_plot_open(PlotSource *source, const PlotKind *kind, PlotTarget *target, int argc, char **argv, GError **error)
{
    bool wants_table = kind->input == PLOT_INPUT_TABLE;
    const char *path = argc ? argv[0] : NULL;
    if (!path)
        return cli_error_usage(error,
                               wants_table ? "%s is drawn from a table: orrery plot %s results.csv -o %s.svg"
                                           : "%s is drawn from a trace, or a program: orrery plot %s run.trace "
                                             "-o %s.svg",
                               kind->name, kind->name, kind->name);
    if (!cli_file_check(path, error))
        return false;
    bool trace = is_trace(path), table = !trace && is_table(path), program = !trace && !table && is_program(path);
    if (wants_table && (trace || program))
        return cli_error_usage(error,
                               "%s: this is a %s; %s is drawn from a table (CSV), such as `orrery sweep` and "
                               "`orrery net` write",
                               path, trace ? "trace" : "program", kind->name);
    if (!wants_table && table)
        return cli_error_usage(error,
                               "%s: this is a table; %s is drawn from a trace, which `orrery run --trace` "
                               "writes, or from a program",
                               path, kind->name);
    if (argc > 1 && !program)
        return cli_error_usage(error, "\"%s\": one %s is drawn at a time", argv[1], wants_table ? "table" : "trace");
    if (wants_table)
        return open_table(source, path, error);
    if (program)
        return record(source, kind, target, argc, argv, error);
    source->reader = refuse_run_options(target, error) ? trace_reader_new(path, error) : NULL;
    return source->reader;
}

void cli_plot_close(PlotSource *source)
{
    g_clear_pointer(&source->reader, trace_reader_free);
    g_clear_pointer(&source->table, plot_table_free);
    if (source->recorded)
        g_unlink(source->recorded);
    g_clear_pointer(&source->recorded, g_free);
}
