/* latency.c - latency curves: over offered load, from the table of `orrery net`, which also knows saturation; or over
 * what a sweep varied, such as the size of messages, from its makespans.
 */
#include "plot/kind/kind.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 400 };

typedef struct Curves {
    const PlotTable *table;
    GPtrArray *all; /* ChartSeries */
    const char *x_name, *y_name, *title;
    ChartNumbers x_numbers, y_numbers;
    unsigned x_base, y_base;
} Curves;

/* -- over load --------------------------------------------------------------------------------- */

static void read_net(Curves *curves)
{
    const PlotTable *table = curves->table;
    int traffic = plot_table_column(table, "traffic"), load = plot_table_column(table, "offered"),
        latency = plot_table_column(table, "latency_cycles"), saturated = plot_table_column(table, "saturated");
    for (guint row = 0; row < table->rows->len; row++) {
        PlotPoint point;
        const char *flag = plot_table_text(table, row, saturated);
        ChartSeries *series =
            plot_chart_series_of(curves->all, traffic < 0 ? "latency" : plot_table_text(table, row, traffic));
        if (!plot_table_number(table, row, load, &point.x))
            continue;
        if (strcmp(flag, "1") == 0 || strcmp(flag, "true") == 0 || strcmp(flag, "yes") == 0)
            g_array_append_val(series->beyond, point.x);
        else if (plot_table_number(table, row, latency, &point.y))
            g_array_append_val(series->points, point);
    }
    curves->x_name = "offered load (flits per node and cycle)";
    curves->y_name = "latency (cycles)";
    curves->title = "Latency over load";
}

/* -- over what a sweep varied ------------------------------------------------------------------ */

static bool number_of(const char *text, double *number, ChartNumbers *numbers)
{
    static const struct {
        BaseUnit unit;
        ChartNumbers numbers;
    } units[] = {{BASE_UNIT_COUNT, CHART_PLAIN},
                 {BASE_UNIT_SIZE, CHART_SIZE},
                 {BASE_UNIT_TIME, CHART_TIME},
                 {BASE_UNIT_BANDWIDTH, CHART_COUNT}};
    uint64_t value;
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (base_units_parse(text, units[i].unit, &value, NULL)) {
            *number = (double)value;
            *numbers = units[i].numbers;
            return true;
        }
    return false;
}

static unsigned count_values(const PlotTable *table, int column)
{
    g_autoptr(GHashTable) values = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint row = 0; row < table->rows->len; row++)
        g_hash_table_add(values, (gpointer)plot_table_text(table, row, column));
    return g_hash_table_size(values);
}

/* Returns the column for the horizontal axis: the input if it varies, else of those whose values are numbers the one
 * with most values. -1: there is none. */
static int choose_x(const PlotTable *table, int end)
{
    int best = -1;
    unsigned most = 1;
    for (int column = 0; column < end; column++) {
        double number;
        ChartNumbers numbers;
        unsigned values = count_values(table, column);
        if (values > most && number_of(plot_table_text(table, 0, column), &number, &numbers)) {
            most = values;
            best = column;
        }
    }
    return best;
}

static char *series_name(const PlotTable *table, guint row, int x, int end)
{
    GString *name = g_string_new(NULL);
    for (int column = 0; column < end; column++)
        if (column != x && count_values(table, column) > 1)
            g_string_append_printf(name, "%s%s", name->len ? ", " : "", plot_table_text(table, row, column));
    if (!name->len)
        g_string_append(name, end > 0 && x != 0 ? plot_table_text(table, row, 0) : "measured");
    return g_string_free(name, FALSE);
}

static bool read_sweep(Curves *curves, GError **error)
{
    const PlotTable *table = curves->table;
    int time = plot_table_column(table, "makespan_ps"), x = choose_x(table, time);
    if (x < 0) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_INPUT,
                            "nothing varies in the table before its column \"makespan_ps\" that is a number");
        return false;
    }
    double least = G_MAXDOUBLE, most = 0;
    for (guint row = 0; row < table->rows->len; row++) {
        PlotPoint point;
        ChartNumbers numbers;
        if (!number_of(plot_table_text(table, row, x), &point.x, &numbers) ||
            !plot_table_number(table, row, time, &point.y) || point.y <= 0)
            continue;
        curves->x_numbers = numbers;
        g_autofree char *name = series_name(table, row, x, time);
        g_array_append_val(plot_chart_series_of(curves->all, name)->points, point);
        least = fmin(least, point.x);
        most = fmax(most, point.x);
    }
    curves->x_base = !(least > 0 && most >= 16 * least)                                    ? 0
                     : curves->x_numbers == CHART_SIZE || curves->x_numbers == CHART_PLAIN ? 2
                                                                                           : 10;
    curves->y_base = 10;
    curves->y_numbers = CHART_TIME;
    curves->x_name = table->columns->pdata[x];
    curves->y_name = "virtual time";
    curves->title = "Latency";
    return true;
}

/* -- drawing ----------------------------------------------------------------------------------- */

/* Returns an axis that has all points. */
static ChartScale scale_of(const Curves *curves, bool up, unsigned base)
{
    ChartScale scale = {.low = G_MAXDOUBLE, .high = 0, .base = base};
    for (guint i = 0; i < curves->all->len; i++) {
        const ChartSeries *series = curves->all->pdata[i];
        for (guint k = 0; k < series->points->len; k++) {
            const PlotPoint *point = &g_array_index(series->points, PlotPoint, k);
            scale.low = fmin(scale.low, up ? point->y : point->x);
            scale.high = fmax(scale.high, up ? point->y : point->x);
        }
        for (guint k = 0; k < series->beyond->len && !up; k++)
            scale.high = fmax(scale.high, g_array_index(series->beyond, double, k));
    }
    if (base) {
        scale.low = pow(base, floor(log(scale.low) / log(base) + 1e-9));
        scale.high = pow(base, ceil(log(scale.high) / log(base) - 1e-9));
        scale.high = fmax(scale.high, scale.low * base);
    } else {
        scale.low = fmin(scale.low, 0);
        scale.high = plot_chart_nice_end(fmax(scale.high, 1e-9), 6);
    }
    return scale;
}

static bool any_point(const Curves *curves, bool *beyond)
{
    bool any = false;
    for (guint i = 0; i < curves->all->len; i++) {
        const ChartSeries *series = curves->all->pdata[i];
        any |= series->points->len > 0;
        *beyond |= series->beyond->len > 0;
    }
    return any;
}

static bool draw(Curves *curves, const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    bool beyond = false;
    ChartFrame frame;
    if (!any_point(curves, &beyond)) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "no row of the table has a latency");
        return false;
    }
    plot_chart_series_sort(curves->all);
    ChartScale x = scale_of(curves, false, curves->x_base), y = scale_of(curves, true, curves->y_base);
    x.numbers = curves->x_numbers;
    y.numbers = curves->y_numbers;
    plot_chart_frame_begin(&frame, canvas, request->theme, 820, request->title ? request->title : curves->title,
                           curves->y_base ? "the axis of time is logarithmic" : NULL);
    plot_chart_lines_legend(&frame, curves->all);
    plot_chart_frame_area(&frame, plot_chart_axis_room(&y, HEIGHT), HEIGHT, KIND_RIGHT);
    plot_chart_axis_across(&frame, &x, curves->x_name);
    plot_chart_axis_up(&frame, &y, curves->y_name);
    plot_chart_axis_lines(&frame);
    plot_chart_lines(&frame, curves->all, &x, &y);
    if (beyond)
        plot_chart_frame_note(&frame, "Triangles at the top: the network was saturated, and latency has no limit.");
    plot_chart_frame_end(&frame);
    return true;
}

bool plot_draw_latency(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    const PlotTable *table = request->table;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_chart_series_free);
    Curves curves = {.table = table, .all = all};
    bool net = plot_table_column(table, "offered") >= 0 && plot_table_column(table, "latency_cycles") >= 0;
    if (!net && plot_table_column(table, "makespan_ps") < 0) {
        g_set_error_literal(
            error, PLOT_ERROR, PLOT_ERROR_INPUT,
            "the table has neither \"offered\" and \"latency_cycles\", as `orrery net` writes them, nor "
            "\"makespan_ps\", as `orrery sweep` does");
        return false;
    }
    if (net)
        read_net(&curves);
    return (net || read_sweep(&curves, error)) && draw(&curves, request, canvas, error);
}
