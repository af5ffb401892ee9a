/* latency.c - latency curves: over offered load, from the table of `orrery net`, which also knows saturation; or over
 * what a sweep varied, such as the size of messages, from its makespans.
 */
#include "plot/kind/kind.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

typedef struct Curves {
    const PlotTable *table;
    GPtrArray *all; /* PlotSeries */
    const char *x_name, *y_name, *title;
    PlotNumbers x_numbers, y_numbers;
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
        PlotSeries *series =
            plot_series_of(curves->all, traffic < 0 ? "latency" : plot_table_text(table, row, traffic));
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

static bool number_of(const char *text, double *number, PlotNumbers *numbers)
{
    static const struct {
        BaseUnit unit;
        PlotNumbers numbers;
    } units[] = {{BASE_UNIT_COUNT, PLOT_NUMBERS},
                 {BASE_UNIT_SIZE, PLOT_SIZES},
                 {BASE_UNIT_TIME, PLOT_TIMES},
                 {BASE_UNIT_BANDWIDTH, PLOT_COUNTS}};
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
        PlotNumbers numbers;
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
        PlotNumbers numbers;
        if (!number_of(plot_table_text(table, row, x), &point.x, &numbers) ||
            !plot_table_number(table, row, time, &point.y) || point.y <= 0)
            continue;
        curves->x_numbers = numbers;
        g_autofree char *name = series_name(table, row, x, time);
        g_array_append_val(plot_series_of(curves->all, name)->points, point);
        least = fmin(least, point.x);
        most = fmax(most, point.x);
    }
    curves->x_base = !(least > 0 && most >= 16 * least)                                     ? 0
                     : curves->x_numbers == PLOT_SIZES || curves->x_numbers == PLOT_NUMBERS ? 2
                                                                                            : 10;
    curves->y_base = 10;
    curves->y_numbers = PLOT_TIMES;
    curves->x_name = table->columns->pdata[x];
    curves->y_name = "virtual time";
    curves->title = "Latency";
    return true;
}

/* -- drawing ----------------------------------------------------------------------------------- */

static bool any_point(const Curves *curves, bool *beyond)
{
    bool any = false;
    for (guint i = 0; i < curves->all->len; i++) {
        const PlotSeries *series = curves->all->pdata[i];
        any |= series->points->len > 0;
        *beyond |= series->beyond->len > 0;
    }
    return any;
}

static bool draw(Curves *curves, const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    bool beyond = false;
    if (!any_point(curves, &beyond)) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "no row of the table has a latency");
        return false;
    }
    plot_series_sort(curves->all);
    PlotCurves picture = {.title = request->title ? request->title : curves->title,
                          .subtitle = curves->y_base ? "the axis of time is logarithmic" : NULL,
                          .note = beyond ? "Triangles at the top: the network was saturated, and latency has no limit."
                                         : NULL,
                          .x = {.name = curves->x_name, .base = curves->x_base, .numbers = curves->x_numbers},
                          .y = {.name = curves->y_name, .base = curves->y_base, .numbers = curves->y_numbers},
                          .series = curves->all};
    plot_curves_draw(&picture, request->theme, canvas);
    return true;
}

bool plot_draw_latency(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    const PlotTable *table = request->table;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
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
