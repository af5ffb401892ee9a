/* cmd_critical_path.c - `orrery critical-path`: what a run could not have ended sooner without, of a program or a
 * trace.
 */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/why/why.h"
#include "monitor/monitor.h"

#include <glib/gstdio.h>
#include <string.h>

enum { LONGEST = 20 };

typedef struct CriticalTarget {
    CliRunOptions run;
    char *json, *csv, *longest;
} CriticalTarget;

const CliOption cli_critical_path_options[] = {
    {"longest", 0, CLI_TEXT, "N", offsetof(CriticalTarget, longest),
     "list so many of its longest pieces (default " G_STRINGIFY(20) ")", "--longest 5"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(CriticalTarget, json), "write all of it as JSON", "--json path.json"},
    {"csv", 0, CLI_RESULT, "FILE", offsetof(CriticalTarget, csv), "write its pieces as a table", "--csv path.csv"},
    CLI_RUN_OPTIONS(CriticalTarget),
    {0}};

static const CliUsage critical_usage = {
    .command = "critical-path",
    .synopsis = "[OPTION...] TRACE|PROGRAM [ARGUMENT...]",
    .text = "Shows the critical path: the chain of computing, calls and messages that a run could not have ended\n"
            "sooner without, with its source lines; and the slack of everything else: by how much it could take\n"
            "longer without the run doing so. TRACE is what `orrery run --trace` wrote. A PROGRAM is run as by\n"
            "`orrery run`; what it prints is dropped.\n\n"
            "  orrery critical-path -n 8 samples/jacobi.c\n"
            "  orrery critical-path --csv path.csv run.trace",
    .options = cli_critical_path_options,
};

bool cli_why_write(const char *path, const char *text, GError **error)
{
    if (strcmp(path, "-") != 0)
        return base_write_file(path, text, strlen(text), error);
    if (cli_say_output(text))
        return true;
    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_OUTPUT, "");
    return false;
}

static bool report(const CriticalTarget *target, const char *file, uint64_t longest, GError **error)
{
    g_autoptr(TraceReader) reader = trace_reader_new(file, error);
    g_autoptr(AnalysisPath) path = reader ? analysis_critical_path(reader, error) : NULL;
    if (!path)
        return false;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *csv = target->csv ? cli_why_path_csv(path, reader) : NULL,
                    *json = target->json ? cli_why_path_json(path, reader) : NULL;
    cli_why_append_path(path, reader, (unsigned)longest, text);
    bool aside = g_strcmp0(target->csv, "-") == 0 || g_strcmp0(target->json, "-") == 0;
    return (aside || cli_why_write("-", text->str, error)) && (!csv || cli_why_write(target->csv, csv, error)) &&
           (!json || cli_why_write(target->json, json, error));
}

static bool is_trace(const char *file)
{
    g_autoptr(TraceReader) reader = trace_reader_new(file, NULL);
    char head[8] = "";
    FILE *stream = reader || !g_file_test(file, G_FILE_TEST_IS_REGULAR) ? NULL : g_fopen(file, "re");
    size_t n = stream ? fread(head, 1, sizeof head, stream) : 0;
    if (stream)
        fclose(stream);
    return reader || (n >= 6 && memcmp(head + 1, "Trace", 5) == 0);
}

static int analyse(const CriticalTarget *target, int argc, char **argv, GError **error)
{
    uint64_t longest = LONGEST;
    if (target->longest && !cli_option_number("--longest", target->longest, 0, 1000000, &longest, error))
        return CLI_STATUS_USAGE;
    if (argc < 1) {
        cli_error_usage(error, "no trace and no program is given; for example: orrery critical-path -n 4 hello.c");
        return CLI_STATUS_USAGE;
    }
    if (argc == 1 && is_trace(argv[0]))
        return report(target, argv[0], longest, error) ? 0 : CLI_STATUS_USAGE;
    g_autofree char *file = NULL;
    int status = cli_why_record(&target->run, argc, argv, &file, error);
    if (!*error && !report(target, file, longest, error))
        status = CLI_STATUS_USAGE;
    if (file)
        g_remove(file);
    return status;
}

int cli_critical_path(int argc, char **argv)
{
    CriticalTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&critical_usage, &target, &argc, argv, &done, &error) && !done)
        status = analyse(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_critical_path_options, &target);
    return status;
}
