/* axes.c - axes: lines of the grid, ticks, labels, names. */
#include "plot/chart/chart.h"

#include <math.h>

enum { LABEL_DISTANCE = 22, ACROSS_DISTANCE = 84, MOST_UNITS = 1000000 };

static unsigned ticks_up(double height)
{
    return MAX((unsigned)(height / (2 * LABEL_DISTANCE)), 2);
}

double plot_chart_axis_room(const ChartScale *scale, double height)
{
    g_autoptr(GArray) ticks = plot_chart_ticks(scale, ticks_up(height));
    double most = 0;
    for (guint i = 0; i < ticks->len; i++)
        most = fmax(most, plot_text_width(g_array_index(ticks, ChartTick, i).label, CHART_TICK_FONT, false));
    return CHART_MARGIN + CHART_FONT + 10 + most + 8;
}

static void draw_line(ChartFrame *frame, double x, double y, double to_x, double to_y, uint32_t colour, double width)
{
    PlotInk ink = {.fill = PLOT_NONE, .line = colour, .width = width};
    plot_canvas_line(frame->canvas, (const PlotPoint[]){{x, y}, {to_x, to_y}}, 2, ink, NULL);
}

/* Draws labels where there is room: one that would touch the one before is left out. */
static void draw_across(ChartFrame *frame, const ChartScale *scale, const GArray *ticks)
{
    double end = -1e9;
    for (guint i = 0; i < ticks->len; i++) {
        const ChartTick *tick = &g_array_index(ticks, ChartTick, i);
        double x = plot_chart_scale_place(scale, tick->value),
               half = plot_text_width(tick->label, CHART_TICK_FONT, false) / 2;
        draw_line(frame, x, frame->top, x, frame->bottom, frame->theme->grid, 1);
        if (x - half < end + 6 || !*tick->label)
            continue;
        draw_line(frame, x, frame->bottom, x, frame->bottom + 5, frame->theme->ink, 1);
        plot_canvas_text(frame->canvas, x, frame->bottom + 18, CHART_TICK_FONT, PLOT_MIDDLE, frame->theme->ink,
                         tick->label);
        end = x + half;
    }
}

void plot_chart_axis_across(ChartFrame *frame, ChartScale *scale, const char *name)
{
    scale->pixel_low = frame->left;
    scale->pixel_high = frame->right;
    g_autoptr(GArray) ticks =
        plot_chart_ticks(scale, MAX((unsigned)((frame->right - frame->left) / ACROSS_DISTANCE), 2));
    plot_canvas_group(frame->canvas, "axis x");
    draw_across(frame, scale, ticks);
    g_autofree char *fitting = plot_text_fit(name, CHART_FONT, false, frame->width - 2 * CHART_MARGIN);
    plot_canvas_text(frame->canvas, (frame->left + frame->right) / 2, frame->bottom + 38, CHART_FONT, PLOT_MIDDLE,
                     frame->theme->ink, fitting);
    plot_canvas_group_end(frame->canvas);
    frame->below = fmax(frame->below, frame->bottom + 44);
}

void plot_chart_axis_up(ChartFrame *frame, ChartScale *scale, const char *name)
{
    scale->pixel_low = frame->bottom;
    scale->pixel_high = frame->top;
    g_autoptr(GArray) ticks = plot_chart_ticks(scale, ticks_up(frame->bottom - frame->top));
    plot_canvas_group(frame->canvas, "axis y");
    double most = 0, end = 1e9;
    for (guint i = 0; i < ticks->len; i++) {
        const ChartTick *tick = &g_array_index(ticks, ChartTick, i);
        double y = plot_chart_scale_place(scale, tick->value);
        draw_line(frame, frame->left, y, frame->right, y, frame->theme->grid, 1);
        if (y > end - CHART_TICK_FONT - 2 || !*tick->label)
            continue;
        draw_line(frame, frame->left - 5, y, frame->left, y, frame->theme->ink, 1);
        plot_canvas_text(frame->canvas, frame->left - 8, y + 4, CHART_TICK_FONT, PLOT_RIGHT, frame->theme->ink,
                         tick->label);
        most = fmax(most, plot_text_width(tick->label, CHART_TICK_FONT, false));
        end = y;
    }
    g_autofree char *fitting = plot_text_fit(name, CHART_FONT, false, frame->bottom - frame->top + 20);
    plot_canvas_upright(frame->canvas, fmax(frame->left - most - 18, CHART_FONT + 2), (frame->top + frame->bottom) / 2,
                        CHART_FONT, PLOT_MIDDLE, frame->theme->ink, fitting);
    plot_canvas_group_end(frame->canvas);
}

void plot_chart_axis_lines(ChartFrame *frame)
{
    PlotInk ink = {.fill = PLOT_NONE, .line = frame->theme->ink, .width = 1};
    const PlotPoint points[] = {{frame->left, frame->top}, {frame->left, frame->bottom}, {frame->right, frame->bottom}};
    plot_canvas_line(frame->canvas, points, 3, ink, NULL);
}

/* The values of a scale of time are in its unit. */
ChartScale plot_chart_axis_time(ChartFrame *frame, uint64_t from_ps, uint64_t to_ps)
{
    ChartUnit unit = plot_chart_time_unit(to_ps - from_ps);
    while (to_ps / unit.ps >= MOST_UNITS && unit.ps < G_GUINT64_CONSTANT(1000000000000)) /* decimals are shorter */
        unit = plot_chart_time_unit(unit.ps * 2000);
    ChartScale scale = {.low = (double)from_ps / (double)unit.ps, .high = (double)to_ps / (double)unit.ps};
    if (scale.high <= scale.low) /* a span that is lost among digits */
        scale.high = scale.low + scale.low * 1e-9 + 1;
    g_autofree char *name = g_strdup_printf("virtual time (%s)", unit.name);
    plot_chart_axis_across(frame, &scale, name);
    scale.low = (double)from_ps;
    scale.high = fmax((double)to_ps, scale.low + scale.low * 1e-15 + 1);
    return scale;
}

double plot_chart_time_place(const ChartScale *scale, uint64_t ps)
{
    return plot_chart_scale_place(scale, fmin(fmax((double)ps, scale->low), scale->high));
}
