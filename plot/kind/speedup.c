/* speedup.c - speed-up over ranks from the table of a sweep: the time on the fewest ranks, times their number, by the
 * time on so many, beside the ideal. Each combination of what else varies is a line. Rows of runs that failed have no
 * time and are passed over.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 460 };

/* Columns that a sweep measures and does not vary begin here. */
static int first_measure(const PlotTable *table)
{
    return plot_table_column(table, "makespan_ps");
}

/* Returns whether a column has several values. */
static bool varies(const PlotTable *table, int column)
{
    for (guint row = 1; row < table->rows->len; row++)
        if (strcmp(plot_table_text(table, row, column), plot_table_text(table, 0, column)) != 0)
            return true;
    return false;
}

static char *series_name(const PlotTable *table, guint row, int ranks, int end)
{
    GString *name = g_string_new(NULL);
    for (int column = 0; column < end; column++)
        if (column != ranks && varies(table, column))
            g_string_append_printf(name, "%s%s", name->len ? ", " : "", plot_table_text(table, row, column));
    if (!name->len)
        g_string_append(name, end > 0 && ranks != 0 ? plot_table_text(table, row, 0) : "measured");
    return g_string_free(name, FALSE);
}

static bool read_times(const PlotTable *table, GPtrArray *all, GError **error)
{
    int ranks = plot_table_column(table, "ranks"), time = first_measure(table);
    if (ranks < 0 || time < 0) {
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT,
                    "the table has no column \"%s\"; speed-up needs \"ranks\" and \"makespan_ps\", as `orrery sweep` "
                    "writes them",
                    ranks < 0 ? "ranks" : "makespan_ps");
        return false;
    }
    for (guint row = 0; row < table->rows->len; row++) {
        PlotPoint point;
        if (!plot_table_number(table, row, ranks, &point.x) || !plot_table_number(table, row, time, &point.y) ||
            point.x < 1 || point.y <= 0)
            continue;
        g_autofree char *name = series_name(table, row, ranks, time);
        g_array_append_val(plot_chart_series_of(all, name)->points, point);
    }
    plot_chart_series_sort(all);
    return true;
}

/* Turns times into speed-ups. Returns the most of ranks and speed-ups, and the fewest ranks. */
static PlotPoint to_speedups(GPtrArray *all, double *fewest)
{
    PlotPoint most = {2, 2};
    *fewest = G_MAXDOUBLE;
    for (guint i = 0; i < all->len; i++) {
        GArray *points = ((ChartSeries *)all->pdata[i])->points;
        PlotPoint base = g_array_index(points, PlotPoint, 0);
        for (guint k = 0; k < points->len; k++) {
            PlotPoint *point = &g_array_index(points, PlotPoint, k);
            point->y = base.x * base.y / point->y;
            most.x = fmax(most.x, point->x);
            most.y = fmax(most.y, point->y);
        }
        *fewest = fmin(*fewest, base.x);
    }
    return most;
}

static double least_of(const GPtrArray *all)
{
    double least = 1;
    for (guint i = 0; i < all->len; i++) {
        const ChartSeries *series = all->pdata[i];
        for (guint k = 0; k < series->points->len; k++)
            least = fmin(least, g_array_index(series->points, PlotPoint, k).y);
    }
    return least;
}

static double power_of_two(double value, bool up)
{
    double power = log2(value);
    return exp2(up ? ceil(power - 1e-9) : floor(power + 1e-9));
}

bool plot_draw_speedup(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_chart_series_free);
    if (!read_times(request->table, all, error))
        return false;
    if (!all->len) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "no row of the table has ranks and a time above 0");
        return false;
    }
    double fewest;
    PlotPoint most = to_speedups(all, &fewest);
    ChartSeries *ideal = plot_chart_series_new("ideal");
    ideal->guide = true;
    g_array_append_val(ideal->points, ((PlotPoint){fewest, fewest}));
    g_array_append_val(ideal->points, ((PlotPoint){most.x, most.x}));
    g_ptr_array_insert(all, 0, ideal);
    ChartFrame frame;
    plot_chart_frame_begin(
        &frame, canvas, request->theme, 760, request->title ? request->title : "Speed-up",
        "time on the fewest ranks times their number, by the time on so many; both axes are logarithmic");
    plot_chart_lines_legend(&frame, all);
    ChartScale x = {.low = power_of_two(fewest, false), .high = power_of_two(most.x, true), .base = 2};
    ChartScale y = {
        .low = power_of_two(least_of(all), false), .high = power_of_two(fmax(most.y, most.x), true), .base = 2};
    if (x.high <= x.low)
        x.high = x.low * 2;
    plot_chart_frame_area(&frame, plot_chart_axis_room(&y, HEIGHT), HEIGHT, KIND_RIGHT);
    plot_chart_axis_across(&frame, &x, "ranks");
    plot_chart_axis_up(&frame, &y, "speed-up");
    plot_chart_axis_lines(&frame);
    plot_chart_lines(&frame, all, &x, &y);
    plot_chart_frame_end(&frame);
    return true;
}
