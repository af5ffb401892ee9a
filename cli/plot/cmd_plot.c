/* cmd_plot.c - `orrery plot`: pictures of runs, as SVG, PDF or PNG. */
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/gui/gui.h"
#include "cli/plot/plot_command.h"
#include "cli/trace/trace_command.h"

#include <string.h>

const CliOption cli_plot_options[] = {
    {"output", 'o', CLI_RESULT, "FILE", offsetof(PlotTarget, output), "where the picture goes: .svg, .pdf or .png",
     "-o run.svg"},
    CLI_OPTION_THEME(PlotTarget, theme),
    {"print", 0, CLI_FLAG, NULL, offsetof(PlotTarget, print), "the same as --theme print", "--print"},
    {"title", 0, CLI_TEXT, "TEXT", offsetof(PlotTarget, title), "the title of the picture",
     "--title 'Jacobi, 8 ranks'"},
    {"from", 0, CLI_TEXT, "TIME", offsetof(PlotTarget, from), "of traces: draw from that virtual time on",
     "--from '2 ms'"},
    {"to", 0, CLI_TEXT, "TIME", offsetof(PlotTarget, to), "of traces: draw up to that virtual time", "--to '2.5 ms'"},
    {"ranks", 0, CLI_TEXT, "RANKS", offsetof(PlotTarget, ranks), "of traces: draw these ranks, with their threads",
     "--ranks 0-3,8"},
    {"measure", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(PLOT_MEASURES), offsetof(PlotTarget, measure),
     "matrix: what is counted (default bytes)", "--measure messages"},
    {"at", 0, CLI_TEXT, "TIME", offsetof(PlotTarget, at),
     "network: at that virtual time (default: when a link is busiest)", "--at 3ms"},
    {"id", 0, CLI_TEXT, "N", offsetof(PlotTarget, id),
     "message: the one of this number (default: the one that took longest)", "--id 17"},
    {"peak", 0, CLI_TEXT, "NUMBER", offsetof(PlotTarget, peak), "roofline: operations that the machine can do a second",
     "--peak 8e9"},
    {"bandwidth", 0, CLI_TEXT, "RATE", offsetof(PlotTarget, bandwidth),
     "roofline: bytes that its memory moves a second", "--bandwidth '12 GB/s'"},
    CLI_RUN_OPTIONS_WITH("", PlotTarget),
    {0}};

static const CliUsage plot_usage = {
    .command = "plot",
    .synopsis = "KIND [OPTION...] TRACE|TABLE|PROFILE|PROGRAM [ARGUMENT...] -o FILE",
    .text = "Draws a picture of a run, without a window. Most kinds are drawn from a trace that `orrery run --trace`\n"
            "has written. Given a program, they run it first, with the options of `orrery run`; options of the\n"
            "program itself come behind a --, and further programs behind a :, as for `orrery run`; options of the\n"
            "picture come before these. Kinds of curves are drawn from tables (CSV), some from\n"
            "profiles (JSON).\n\n"
            "  orrery plot timeline -n 8 samples/jacobi.c -o jacobi.svg\n"
            "  orrery plot space-time --from '10 us' --to '20 us' run.trace -o part.pdf\n"
            "  orrery plot matrix --measure messages --theme dark run.trace -o matrix.png\n"
            "  orrery plot speedup results.csv -o speedup.svg\n\n"
            "Kinds:",
    .options = cli_plot_options,
    .mixed = true,
};

/* Returns the text of --help, with the kinds of plot/kind/kinds.def. */
static GString *usage_text(void)
{
    GString *text = g_string_new(plot_usage.text);
    for (const PlotKind *kind = plot_kinds; kind->name; kind++)
        g_string_append_printf(text, "\n  %-10s %s", kind->name, kind->help);
    return text;
}

/* -- options ----------------------------------------------------------------------------------- */

static bool is_svg(const PlotTarget *target)
{
    return g_str_has_suffix(target->output, ".svg");
}

static bool check_output(const PlotTarget *target, GError **error)
{
    const char *path = target->output;
    if (!path)
        return cli_error_usage(error, "say where the picture goes, as in -o run.svg");
    if (!is_svg(target) && !g_str_has_suffix(path, ".png") && !g_str_has_suffix(path, ".pdf"))
        return cli_error_usage(error, "-o %s: the name must end in .svg, .pdf or .png", path);
#ifndef ORRERY_GUI
    if (!is_svg(target))
        return cli_error_usage(error,
                               "this orrery was built without Cairo, which paints PNG and PDF; use a name that ends "
                               "in .svg");
#endif
    return true;
}

static bool parse_choice(const char *option, const char *choices, const char *text, int *value, GError **error)
{
    if (text)
        *value = cli_option_choice(option, choices, text, error);
    return *value >= 0;
}

static bool parse_quantity(const char *option, const char *text, BaseUnit unit, uint64_t *value, GError **error)
{
    if (!text || base_units_parse(text, unit, value, error))
        return true;
    g_prefix_error(error, "%s: ", option);
    return false;
}

static bool parse_peak(const char *text, double *peak, GError **error)
{
    char *end = NULL;
    if (!text)
        return true;
    *peak = g_ascii_strtod(text, &end);
    if (*text && !*end && *peak > 0 && *peak < 1e30)
        return true;
    return cli_error_usage(error, "--peak %s: expected a number above 0, such as 8e9", text);
}

static bool parse_options(const PlotTarget *target, PlotRequest *request, GError **error)
{
    int measure = PLOT_BYTES;
    uint64_t bandwidth = 0;
    if (target->print && target->theme)
        return cli_error_usage(error, "--print is a theme, as --theme %s is; give one of them", target->theme);
    request->theme = target->print ? plot_theme(PLOT_PRINT) : cli_option_theme(target->theme, error);
    if (!request->theme ||
        !parse_choice("--measure", BASE_CHOICE_ALTERNATIVES(PLOT_MEASURES), target->measure, &measure, error) ||
        !parse_quantity("--at", target->at, BASE_UNIT_TIME, &request->at_ps, error) ||
        !parse_quantity("--bandwidth", target->bandwidth, BASE_UNIT_BANDWIDTH, &bandwidth, error) ||
        (target->id && !cli_option_number("--id", target->id, 0, INT64_MAX, &request->message, error)) ||
        !parse_peak(target->peak, &request->peak, error))
        return false;
    request->measure = (PlotMeasure)measure;
    request->bandwidth = (double)bandwidth;
    request->title = target->title;
    request->at_given = target->at;
    request->message_given = target->id;
    return true;
}

/* -- from request to file ---------------------------------------------------------------------- */

static bool write_picture(const PlotTarget *target, const PlotCanvas *canvas, GError **error)
{
    if (is_svg(target)) {
        g_autoptr(GString) svg = plot_svg(canvas);
        return base_write_file(target->output, svg->str, svg->len, error);
    }
    g_autoptr(GByteArray) bytes = cli_gui_paint(canvas, g_str_has_suffix(target->output, ".png"), error);
    return bytes && base_write_file(target->output, bytes->data, bytes->len, error);
}

static bool draw(const PlotTarget *target, const PlotKind *kind, const PlotSource *source, PlotRequest *request,
                 GError **error)
{
    TraceTarget selected = {.from = target->from, .to = target->to, .ranks = target->ranks};
    PlotGraph *graph = NULL;
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(request->theme->paper);
    request->reader = source->reader;
    request->table = source->table;
    request->profile = source->profile;
    bool good = !source->reader || cli_trace_select(&selected, source->reader, &request->selection, error);
    if (good && kind->input & PLOT_INPUT_GRAPH)
        request->graph = graph = cli_plot_graph(target, source->reader, error);
    good = good && (graph || !(kind->input & PLOT_INPUT_GRAPH)) && kind->draw(request, canvas, error) &&
           write_picture(target, canvas, error);
    cli_plot_graph_free(graph);
    if (request->selection.locations)
        g_array_unref((GArray *)request->selection.locations);
    return good;
}

static int plot(PlotTarget *target, const PlotKind *kind, PlotRequest *request, int argc, char **argv, GError **error)
{
    PlotSource source = {0};
    bool good = cli_plot_open(&source, kind, target, argc, argv, error) && draw(target, kind, &source, request, error);
    cli_plot_close(&source);
    return good ? source.status : CLI_STATUS_USAGE;
}

static const PlotKind *find_kind(int argc, char **argv, GError **error)
{
    if (argc > 1)
        return plot_kind_find(argv[1], error);
    cli_error_usage(error, "which picture? For example: orrery plot timeline run.trace -o run.svg; see `orrery plot "
                           "--help` for all kinds");
    return NULL;
}

int cli_plot(int argc, char **argv)
{
    PlotTarget target = {0};
    PlotRequest request = {0};
    g_autofree char **given = g_memdup2(argv, ((gsize)argc + 1) * sizeof *argv);
    int given_count = argc, status = CLI_STATUS_USAGE;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = usage_text();
    CliUsage usage = plot_usage;
    bool done = false;
    usage.text = text->str;
    if (cli_option_parse(&usage, &target, &argc, argv, &done, &error) && !done) {
        const PlotKind *kind = find_kind(argc, argv, &error);
        if (kind && check_output(&target, &error) && parse_options(&target, &request, &error))
            status = !is_svg(&target) && !cli_gui_paint ? cli_gui_hand_over(given_count, given)
                                                        : plot(&target, kind, &request, argc - 2, argv + 2, &error);
    }
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_plot_options, &target);
    return done ? 0 : status;
}
