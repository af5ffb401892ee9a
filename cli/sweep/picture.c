/* picture.c - the picture of a sweep: what was measured over what is the horizontal axis, a line for each combination
 * of everything else that varies.
 *
 * Values of the axis that are quantities of one kind (ranks, sizes, times, rates) are numbers; others, such as machines
 * and algorithms, stand side by side with their names.
 */
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/sweep/sweep.h"

#include <string.h>

typedef struct Kind { /* of quantities */
    BaseUnit unit;
    PlotNumbers numbers;
} Kind;
static const Kind kinds[] = {{BASE_UNIT_COUNT, PLOT_NUMBERS},
                             {BASE_UNIT_TIME, PLOT_TIMES},
                             {BASE_UNIT_BANDWIDTH, PLOT_COUNTS},
                             {BASE_UNIT_SIZE, PLOT_SIZES},
                             {BASE_UNIT_FREQUENCY, PLOT_COUNTS}};
static const char *const unit_names[] = {"", "", " (bytes per second)", "", " (Hz)"};

/* Returns the index of the kind that all values of a dimension are of, or -1. */
static int kind_of(const SweepDimension *dimension)
{
    for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
        guint good = 0;
        uint64_t value;
        while (good < dimension->values->len &&
               base_units_parse(dimension->values->pdata[good], kinds[kind].unit, &value, NULL))
            good++;
        if (good == dimension->values->len)
            return (int)kind;
    }
    return -1;
}

/* Returns where the value of a run is on the horizontal axis. */
static double place(const SweepSpec *spec, guint run, int kind)
{
    const GPtrArray *values = cli_sweep_dimension(spec, spec->x)->values;
    const char *text = cli_sweep_value(spec, run, spec->x);
    uint64_t value = 0;
    if (kind >= 0 && base_units_parse(text, kinds[kind].unit, &value, NULL))
        return (double)value;
    guint i = 0;
    while (i < values->len && strcmp(values->pdata[i], text) != 0)
        i++;
    return i + 1.0;
}

/* Returns the name of a line: the values of everything but x that varies. */
static char *series_name(const SweepSpec *spec, guint run)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < spec->dimensions->len; i++)
        if (i != spec->x && cli_sweep_dimension(spec, i)->values->len > 1)
            g_string_append_printf(name, "%s%s", name->len > 0 ? ", " : "", cli_sweep_value(spec, run, i));
    if (name->len == 0)
        g_string_append(name, cli_sweep_value(spec, run, 0));
    return g_string_free(name, FALSE);
}

static PlotNumbers numbers_of(unsigned measure)
{
    static const PlotNumbers numbers[] = {
        [MACH_UNIT_TIME] = PLOT_TIMES, [MACH_UNIT_COUNT] = PLOT_COUNTS, [MACH_UNIT_BYTES] = PLOT_SIZES};
    return numbers[mach_statistics_measure(measure)->unit];
}

bool cli_sweep_plot(const SweepSpec *spec, const SweepResult *results, const PlotTheme *theme, const char *path,
                    GError **error)
{
    const SweepDimension *dimension = cli_sweep_dimension(spec, spec->x);
    int measure = cli_sweep_measure_index(spec->y), kind = kind_of(dimension);
    bool by_ranks = strcmp(dimension->key, "ranks") == 0;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    for (guint run = 0; run < cli_sweep_runs(spec); run++) {
        g_autofree char *name = series_name(spec, run);
        PlotPoint point = {place(spec, run, kind), (double)results[run].values[measure]};
        if (results[run].done && (!spec->logarithmic || (point.x > 0 && point.y > 0)))
            g_array_append_val(plot_series_of(all, name)->points, point);
    }
    plot_series_sort(all);
    g_autofree char *program = g_path_get_basename(spec->program);
    g_autofree char *x_name = g_strconcat(dimension->key, kind < 0 ? "" : unit_names[kind], NULL);
    unsigned x_base = by_ranks || (kind >= 0 && kinds[kind].numbers == PLOT_SIZES) ? 2 : 10;
    PlotCurves curves = {
        .title = spec->title ? spec->title : program,
        .subtitle = spec->logarithmic ? "both axes are logarithmic" : NULL,
        .x = {.name = x_name,
              .base = spec->logarithmic ? x_base : 0,
              .numbers = kind < 0 ? PLOT_NUMBERS : kinds[kind].numbers,
              .names = kind < 0 ? dimension->values : NULL},
        .y = {.name = spec->y, .base = spec->logarithmic ? 10 : 0, .numbers = numbers_of((unsigned)measure)},
        .series = all};
    if (kind < 0 && spec->logarithmic)
        curves.subtitle = "the vertical axis is logarithmic";
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(theme->paper);
    plot_curves_draw(&curves, theme, canvas);
    g_autoptr(GString) svg = plot_svg(canvas);
    return base_write_file(path, svg->str, svg->len, error);
}
