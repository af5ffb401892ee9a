/* curves.c - whole pictures of lines: what a sweep measured, latency over load, speed-up. */
#include "plot/chart/chart.h"

#include <math.h>

enum { WIDTH = 820, HEIGHT = 400, RIGHT = 34, STEPS = 6 };

/* -- scales ------------------------------------------------------------------------------------ */

static void include(ChartScale *scale, double value)
{
    scale->low = fmin(scale->low, value);
    scale->high = fmax(scale->high, value);
}

/* Widens a logarithmic scale to powers of its base. */
static void widen(ChartScale *scale)
{
    double base = scale->base;
    if (!(scale->low > 0) || !(scale->high >= scale->low) || isinf(scale->high)) { /* there is no point */
        scale->low = 1;
        scale->high = base;
    }
    scale->low = pow(base, floor(log(scale->low) / log(base) + 1e-9));
    scale->high = fmax(pow(base, ceil(log(scale->high) / log(base) - 1e-9)), scale->low * base);
}

/* Returns an axis that has all points. */
static ChartScale scale_of(const PlotCurves *curves, bool up)
{
    const PlotAxis *axis = up ? &curves->y : &curves->x;
    ChartScale scale = {.low = G_MAXDOUBLE, .high = 0, .base = axis->base, .numbers = axis->numbers};
    for (guint i = 0; i < curves->series->len; i++) {
        const PlotSeries *series = curves->series->pdata[i];
        for (guint k = 0; k < series->points->len; k++) {
            const PlotPoint *point = &g_array_index(series->points, PlotPoint, k);
            include(&scale, up ? point->y : point->x);
        }
        for (guint k = 0; k < series->beyond->len && !up; k++)
            include(&scale, g_array_index(series->beyond, double, k));
    }
    if (axis->base) {
        widen(&scale);
    } else {
        scale.low = fmin(scale.low, 0);
        scale.high = scale.high > 0 ? plot_chart_nice_end(scale.high, STEPS) : 1;
    }
    return scale;
}

/* Replaces the ticks of an axis by names, one at each of 1, 2, ..., cut where they would touch. The caller frees the
 * array. */
static GArray *name_ticks(ChartScale *scale, const PlotAxis *axis, double width)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(ChartTick));
    for (guint i = 0; axis->names && i < axis->names->len; i++) {
        ChartTick tick = {.value = i + 1.0};
        g_autofree char *name =
            plot_text_fit(axis->names->pdata[i], CHART_TICK_FONT, false, width / axis->names->len - 8);
        g_strlcpy(tick.label, name, sizeof tick.label);
        g_array_append_val(ticks, tick);
    }
    if (axis->names) {
        scale->ticks = ticks;
        scale->base = 0;
        scale->low = 0.5;
        scale->high = axis->names->len + 0.5;
    }
    return ticks;
}

/* -- drawing ----------------------------------------------------------------------------------- */

void plot_curves_draw(const PlotCurves *curves, const PlotTheme *theme, PlotCanvas *canvas)
{
    ChartFrame frame;
    double height = curves->height > 0 ? curves->height : HEIGHT, width = curves->width > 0 ? curves->width : WIDTH;
    ChartScale x = scale_of(curves, false), y = scale_of(curves, true);
    double left = plot_chart_axis_room(&y, height);
    g_autoptr(GArray) names = name_ticks(&x, &curves->x, width - left - RIGHT);
    plot_chart_frame_begin(&frame, canvas, theme, width, curves->title, curves->subtitle);
    plot_chart_lines_legend(&frame, curves->series);
    plot_chart_frame_area(&frame, left, height, RIGHT);
    plot_chart_axis_across(&frame, &x, curves->x.name);
    plot_chart_axis_up(&frame, &y, curves->y.name);
    plot_chart_axis_lines(&frame);
    plot_chart_lines(&frame, curves->series, &x, &y);
    if (curves->note)
        plot_chart_frame_note(&frame, curves->note);
    plot_chart_frame_end(&frame);
}
