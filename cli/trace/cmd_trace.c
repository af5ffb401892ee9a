/* cmd_trace.c - `orrery trace`: looks into the traces that `orrery run --trace` writes. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/trace/trace_command.h"

#include <string.h>

const CliOption cli_trace_options[] = {
    {"from", 0, CLI_TEXT, "TIME", offsetof(TraceTarget, from),
     "cut, convert: what happens at that virtual time or later", "--from '2 ms'"},
    {"to", 0, CLI_TEXT, "TIME", offsetof(TraceTarget, to), "cut, convert: what happens at that virtual time or earlier",
     "--to '2.5 ms'"},
    {"ranks", 0, CLI_TEXT, "RANKS", offsetof(TraceTarget, ranks), "cut, convert: what happens at these ranks",
     "--ranks 0-3,8"},
    {"kinds", 0, CLI_TEXT, "KINDS", offsetof(TraceTarget, kinds),
     "cut, convert: events of these kinds, as info names them", "--kinds call,message"},
    {"format", 0, CLI_CHOICE, export_format_choices, offsetof(TraceTarget, format), export_format_help,
     "--format paje"},
    {"output", 'o', CLI_RESULT, "FILE", offsetof(TraceTarget, output),
     "where the result goes; cut and merge need it, the others print it", "--output part.trace"},
    {0}};

static const struct {
    const char *name;
    unsigned files; /* how many it needs; 0: one or more */
    bool (*act)(const TraceTarget *target, char **files, GError **error);
} actions[] = {
    {"info", 1, cli_trace_info},   {"cut", 1, cli_trace_cut},   {"convert", 1, cli_trace_convert},
    {"merge", 0, cli_trace_merge}, {"diff", 2, cli_trace_diff},
};

static const CliUsage trace_usage = {
    .command = "trace",
    .synopsis = "info|cut|convert|merge|diff [OPTION...] TRACE...",
    .text =
        "Looks into traces that `orrery run --trace` has written: calls of MPI with their arguments and source lines,\n"
        "messages, collectives, phases, pauses, files, findings.\n"
        "  info     what is in it: program, machine, time, events by kind, the functions that took longest\n"
        "  cut      the part that --from, --to, --ranks and --kinds select, as a trace\n"
        "  convert  the same part as a table, as JSON, or in the format of another tool\n"
        "  merge    parts of one run, of other ranks or times, as one trace; an event that several have is taken once\n"
        "  diff     the first event in which two runs differ, and the source lines that the change comes from\n"
        "A run that was killed leaves a trace that can be read up to its last whole block.\n\n"
        "  orrery run -n 8 --trace run.trace samples/jacobi.c\n"
        "  orrery trace info run.trace\n"
        "  orrery trace convert --ranks 0 --kinds call run.trace\n"
        "  orrery trace convert --format chrome -o run.json run.trace\n"
        "  orrery trace merge -o whole.trace first.trace second.trace\n"
        "  orrery trace diff slow.trace fast.trace",
    .options = cli_trace_options,
    .mixed = true,
};

static bool act(const TraceTarget *target, int argc, char **argv, GError **error)
{
    if (argc < 1)
        return cli_error_usage(error, "what is to be done? For example: orrery trace info run.trace");
    static const char *const counts[] = {"traces", "one trace", "two traces"};
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
        if (strcmp(argv[0], actions[i].name) != 0)
            continue;
        if (actions[i].files ? (unsigned)argc - 1 != actions[i].files : argc < 2)
            return cli_error_usage(error, "trace %s needs %s", actions[i].name, counts[actions[i].files]);
        return actions[i].act(target, argv + 1, error);
    }
    return cli_error_usage(error, "\"%s\": traces have info, cut, convert, merge and diff", argv[0]);
}

int cli_trace(int argc, char **argv)
{
    TraceTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    if (cli_option_parse(&trace_usage, &target, &argc, argv, &done, &error) && !done)
        act(&target, argc - 1, argv + 1, &error);
    cli_option_clear(cli_trace_options, &target);
    return error ? cli_error_report(error) : 0;
}
