/* speedup.c - speed-up over ranks from the table of a sweep: the time on the fewest ranks, times their number, by the
 * time on so many, beside the ideal. Each combination of what else varies is a line. Rows of runs that failed have no
 * time and are passed over.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 460 };

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
        g_array_append_val(plot_series_of(all, name)->points, point);
    }
    plot_series_sort(all);
    return true;
}

/* Turns times into speed-ups. Returns the most ranks, and sets the fewest. */
static double to_speedups(GPtrArray *all, double *fewest)
{
    double most = 2;
    *fewest = G_MAXDOUBLE;
    for (guint i = 0; i < all->len; i++) {
        GArray *points = ((PlotSeries *)all->pdata[i])->points;
        PlotPoint base = g_array_index(points, PlotPoint, 0);
        for (guint k = 0; k < points->len; k++) {
            PlotPoint *point = &g_array_index(points, PlotPoint, k);
            point->y = base.x * base.y / point->y;
            most = fmax(most, point->x);
        }
        *fewest = fmin(*fewest, base.x);
    }
    return most;
}

bool plot_draw_speedup(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    if (!read_times(request->table, all, error))
        return false;
    if (!all->len) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "no row of the table has ranks and a time above 0");
        return false;
    }
    double fewest, most = to_speedups(all, &fewest);
    PlotSeries *ideal = plot_series_new("ideal");
    ideal->guide = true;
    g_array_append_val(ideal->points, ((PlotPoint){fewest, fewest}));
    g_array_append_val(ideal->points, ((PlotPoint){most, most}));
    g_ptr_array_insert(all, 0, ideal);
    PlotCurves picture = {
        .title = request->title ? request->title : "Speed-up",
        .subtitle = "time on the fewest ranks times their number, by the time on so many; both axes are logarithmic",
        .x = {.name = "ranks", .base = 2},
        .y = {.name = "speed-up", .base = 2},
        .series = all,
        .width = WIDTH,
        .height = HEIGHT};
    plot_curves_draw(&picture, request->theme, canvas);
    return true;
}
