/* lines.c - charts of lines. Each line has its colour, its mark and, from the ninth on, its dashes. */
#include "plot/chart/chart.h"

#include <math.h>

static PlotInk ink_of(const PlotTheme *theme, const PlotSeries *series, unsigned n)
{
    if (series->guide)
        return (PlotInk){.fill = PLOT_NONE, .line = theme->faint, .width = 1.2, .dash = PLOT_DASHED};
    return (PlotInk){.fill = PLOT_NONE,
                     .line = theme->series[n % PLOT_SERIES],
                     .width = 2,
                     .dash = (PlotDash)(n / PLOT_SERIES % (PLOT_DASH_DOT + 1))};
}

/* Draws the n-th mark: a disc, a square, two triangles, a diamond. */
static void draw_mark(PlotCanvas *canvas, double x, double y, PlotInk ink, unsigned n, const char *told)
{
    const double r = 4;
    PlotInk filled = {.fill = ink.line, .line = PLOT_NONE};
    const PlotPoint shapes[][4] = {
        {{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}},
        {{x, y - r * 1.2}, {x + r * 1.1, y + r * 0.8}, {x - r * 1.1, y + r * 0.8}, {x, y - r * 1.2}},
        {{x, y - r * 1.4}, {x + r * 1.4, y}, {x, y + r * 1.4}, {x - r * 1.4, y}},
        {{x, y + r * 1.2}, {x + r * 1.1, y - r * 0.8}, {x - r * 1.1, y - r * 0.8}, {x, y + r * 1.2}},
    };
    unsigned which = n % (G_N_ELEMENTS(shapes) + 1);
    if (which == 0)
        plot_canvas_disc(canvas, x, y, r, filled, told);
    else
        plot_canvas_area(canvas, shapes[which - 1], 4, filled, told);
}

static void draw_series(ChartFrame *frame, const PlotSeries *series, unsigned n, const ChartScale *x,
                        const ChartScale *y)
{
    PlotInk ink = ink_of(frame->theme, series, n);
    g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(PlotPoint));
    for (guint i = 0; i < series->points->len; i++) {
        PlotPoint point = g_array_index(series->points, PlotPoint, i);
        PlotPoint at = {plot_chart_scale_place(x, point.x), fmax(plot_chart_scale_place(y, point.y), frame->top)};
        g_array_append_val(line, at);
    }
    plot_canvas_group(frame->canvas, series->guide ? "guide" : "series");
    if (line->len)
        plot_canvas_line(frame->canvas, (const PlotPoint *)(const void *)line->data, line->len, ink, series->name);
    for (guint i = 0; i < line->len && !series->guide; i++) {
        const PlotPoint *at = &g_array_index(line, PlotPoint, i), *point = &g_array_index(series->points, PlotPoint, i);
        char across[G_ASCII_DTOSTR_BUF_SIZE], up[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(across, sizeof across, "%.6g", point->x);
        g_ascii_formatd(up, sizeof up, "%.6g", point->y);
        g_autofree char *told = g_strdup_printf("%s: %s, %s", series->name, across, up);
        draw_mark(frame->canvas, at->x, at->y, ink, n, told);
    }
    for (guint i = 0; i < series->beyond->len; i++) {
        double at = plot_chart_scale_place(x, g_array_index(series->beyond, double, i));
        double top = frame->top + n % 4 * 11.0; /* those of several lines are below each other */
        const PlotPoint up[] = {{at, top}, {at + 5, top + 9}, {at - 5, top + 9}};
        plot_canvas_area(frame->canvas, up, 3, (PlotInk){.fill = ink.line, .line = PLOT_NONE}, "beyond the picture");
    }
    plot_canvas_group_end(frame->canvas);
}

void plot_chart_lines(ChartFrame *frame, const GPtrArray *all, const ChartScale *x, const ChartScale *y)
{
    unsigned n = 0;
    for (guint i = 0; i < all->len; i++) {
        const PlotSeries *series = all->pdata[i];
        draw_series(frame, series, n, x, y);
        n += !series->guide;
    }
}

void plot_chart_lines_legend(ChartFrame *frame, const GPtrArray *all)
{
    unsigned n = 0;
    for (guint i = 0; i < all->len; i++) {
        const PlotSeries *series = all->pdata[i];
        PlotInk ink = ink_of(frame->theme, series, n);
        PlotPoint middle = plot_chart_frame_legend(frame, CHART_MARK_LINE, ink, series->name);
        if (!series->guide)
            draw_mark(frame->canvas, middle.x, middle.y, ink, n++, NULL);
    }
}
