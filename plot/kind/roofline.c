/* roofline.c - the roofline model (S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009): what programs
 * or functions reach, in operations a second, over their operations for each byte of memory, under the roof
 * min(peak, intensity * bandwidth). The table has the columns name, operations, bytes and time_ps. Profiles have counts
 * of instructions and accesses instead.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 420, MOST_FUNCTIONS = 12 };

typedef struct Roof {
    double peak, bandwidth; /* of what was reached, where they are not given */
    bool given;
} Roof;

static bool read_points(const PlotTable *table, GPtrArray *all, GError **error)
{
    static const char *const needed[] = {"operations", "bytes", "time_ps"};
    int columns[G_N_ELEMENTS(needed)], name = plot_table_column(table, "name");
    for (size_t i = 0; i < G_N_ELEMENTS(needed); i++) {
        columns[i] = plot_table_column(table, needed[i]);
        if (columns[i] >= 0)
            continue;
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT,
                    "the table has no column \"%s\"; a roofline needs operations, bytes (moved to and from memory) and "
                    "time_ps of each row, and may have its name",
                    needed[i]);
        return false;
    }
    for (guint row = 0; row < table->rows->len; row++) {
        double values[G_N_ELEMENTS(needed)];
        bool good = true;
        for (size_t i = 0; i < G_N_ELEMENTS(needed); i++)
            good = good && plot_table_number(table, row, columns[i], &values[i]) && values[i] > 0;
        if (!good)
            continue;
        PlotPoint point = {values[0] / values[1], values[0] / values[2] * 1e12};
        g_array_append_val(plot_series_of(all, name < 0 ? "measured" : plot_table_text(table, row, name))->points,
                           point);
    }
    if (all->len)
        return true;
    g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY,
                        "no row of the table has operations, bytes and a time above 0");
    return false;
}

static int by_computing(gconstpointer a, gconstpointer b)
{
    const PlotFunction *one = a, *other = b;
    uint64_t mine = one->ps[ANALYSIS_COMPUTING], others = other->ps[ANALYSIS_COMPUTING];
    return mine != others ? mine < others ? 1 : -1 : strcmp(one->name, other->name);
}

/* Of a profile, the functions that computed longest: instructions a second on one core, by instructions for each access
 * to memory (N. Ding, S. Williams, "An Instruction Roofline Model for GPUs", PMBS 2019). */
static bool read_profile(const PlotProfile *profile, GPtrArray *all, GError **error)
{
    g_autoptr(GArray) functions = g_array_copy(profile->functions);
    g_array_sort(functions, by_computing);
    for (guint i = 0; i < functions->len && all->len < MOST_FUNCTIONS; i++) {
        const PlotFunction *function = &g_array_index(functions, PlotFunction, i);
        double instructions = (double)function->instructions;
        if (!function->instructions || !function->accesses || !function->ps[ANALYSIS_COMPUTING])
            continue;
        PlotPoint point = {instructions / (double)function->accesses,
                           instructions / (double)function->ps[ANALYSIS_COMPUTING] * 1e12};
        g_array_append_val(plot_series_of(all, function->name)->points, point);
    }
    if (all->len)
        return true;
    g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "no function of the profile has counts of instructions");
    return false;
}

static double ten(double value, bool up)
{
    double power = log10(value);
    return pow(10, up ? ceil(power - 1e-9) : floor(power + 1e-9));
}

typedef struct Range {
    PlotPoint least, most;
} Range;

static Range range_of(const GPtrArray *all)
{
    Range range = {{G_MAXDOUBLE, G_MAXDOUBLE}, {0, 0}};
    for (guint i = 0; i < all->len; i++) {
        const PlotSeries *series = all->pdata[i];
        for (guint k = 0; k < series->points->len; k++) {
            const PlotPoint *point = &g_array_index(series->points, PlotPoint, k);
            range.least.x = fmin(range.least.x, point->x), range.least.y = fmin(range.least.y, point->y);
            range.most.x = fmax(range.most.x, point->x), range.most.y = fmax(range.most.y, point->y);
        }
    }
    return range;
}

static Roof roof_of(const PlotRequest *request, const GPtrArray *all)
{
    Roof roof = {request->peak, request->bandwidth, request->peak > 0 && request->bandwidth > 0};
    for (guint i = 0; i < all->len; i++) {
        const PlotSeries *series = all->pdata[i];
        for (guint k = 0; k < series->points->len; k++) {
            const PlotPoint *point = &g_array_index(series->points, PlotPoint, k);
            if (!(request->peak > 0))
                roof.peak = fmax(roof.peak, point->y);
            if (!(request->bandwidth > 0))
                roof.bandwidth = fmax(roof.bandwidth, point->y / point->x);
        }
    }
    return roof;
}

static void add_roof(GPtrArray *all, const Roof *roof, double from, double to)
{
    PlotSeries *series = plot_series_new(roof->given ? "roof of the machine" : "roof of what was reached");
    double ridge = roof->peak / roof->bandwidth;
    series->guide = true;
    g_array_append_val(series->points, ((PlotPoint){from, fmin(roof->peak, from * roof->bandwidth)}));
    if (ridge > from && ridge < to)
        g_array_append_val(series->points, ((PlotPoint){ridge, roof->peak}));
    g_array_append_val(series->points, ((PlotPoint){to, fmin(roof->peak, to * roof->bandwidth)}));
    g_ptr_array_insert(all, 0, series);
}

bool plot_draw_roofline(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    const PlotProfile *profile = request->profile;
    if (!(profile ? read_profile(profile, all, error) : read_points(request->table, all, error)))
        return false;
    plot_series_sort(all);
    Range range = range_of(all);
    Roof roof = roof_of(request, all);
    double ridge = roof.peak / roof.bandwidth;
    ChartScale x = {.low = ten(fmin(range.least.x, ridge) / 2, false),
                    .high = ten(fmax(range.most.x, ridge) * 2, true),
                    .base = 10};
    ChartScale y = {.low = ten(fmin(range.least.y, roof.bandwidth * x.low), false),
                    .high = ten(fmax(range.most.y, roof.peak) * 1.1, true),
                    .base = 10,
                    .numbers = PLOT_COUNTS};
    add_roof(all, &roof, x.low, x.high);
    char peak[CHART_LABEL], rate[CHART_LABEL];
    plot_chart_label(PLOT_COUNTS, roof.peak, plot_chart_rounding(roof.peak, 3), peak);
    plot_chart_label(PLOT_COUNTS, roof.bandwidth, plot_chart_rounding(roof.bandwidth, 3), rate);
    g_autofree char *facts =
        profile ? plot_data_facts(request)
                : g_strdup_printf("peak %s operations/s, memory %sB/s; both axes are logarithmic", peak, rate);
    const char *what = !profile          ? "intensity (operations per byte)"
                       : profile->misses ? "instructions per miss of the last cache"
                                         : "instructions per load or store";
    ChartFrame frame;
    plot_chart_frame_begin(&frame, canvas, request->theme, 820, request->title ? request->title : "Roofline", facts);
    plot_chart_lines_legend(&frame, all);
    plot_chart_frame_area(&frame, plot_chart_axis_room(&y, HEIGHT), HEIGHT, KIND_RIGHT);
    plot_chart_axis_across(&frame, &x, what);
    plot_chart_axis_up(&frame, &y, profile ? "instructions per second of a core" : "operations per second");
    plot_chart_axis_lines(&frame);
    plot_chart_lines(&frame, all, &x, &y);
    if (!roof.given)
        plot_chart_frame_note(&frame, "Without --peak and --bandwidth the roof is that of the best that is drawn.");
    plot_chart_frame_end(&frame);
    return true;
}
