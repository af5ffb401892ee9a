/* frame.c - what is around the area of a chart: title, legend, scale of colours, notes. From above to below: title, a
 * line of facts, the legend in as many rows as it needs, the area, its axis, notes. */
#include "plot/chart/chart.h"

#include <math.h>
#include <string.h>

enum { LEGEND_ROW = 20, MARK_WIDTH = 22, MARK_HEIGHT = 12, NOTE_ROW = 17, RAMP_STEPS = 48 };

void plot_chart_frame_begin(ChartFrame *frame, PlotCanvas *canvas, const PlotTheme *theme, double width,
                            const char *title, const char *subtitle)
{
    double room = width - 2 * CHART_MARGIN;
    *frame = (ChartFrame){.canvas = canvas, .theme = theme, .width = width, .top = 40};
    g_autofree char *fitting = plot_text_fit(title, CHART_TITLE_FONT, true, room);
    plot_canvas_group(canvas, "head");
    plot_canvas_bold(canvas, CHART_MARGIN, 32, CHART_TITLE_FONT, PLOT_LEFT, theme->ink, fitting);
    if (subtitle) {
        g_autofree char *facts = plot_text_fit(subtitle, CHART_FONT, false, room);
        plot_canvas_text(canvas, CHART_MARGIN, 52, CHART_FONT, PLOT_LEFT, theme->faint, facts);
        frame->top = 60;
    }
    plot_canvas_group_end(canvas);
    g_free(canvas->title);
    g_free(canvas->description);
    canvas->title = g_strdup(title);
    canvas->description = g_strdup(subtitle ? subtitle : "");
}

static void draw_mark(ChartFrame *frame, ChartMark mark, PlotInk ink, double x, double y)
{
    PlotPoint from = {x, y}, to = {x + MARK_WIDTH, y};
    if (mark == CHART_MARK_AREA) {
        if (ink.line == PLOT_NONE) {
            ink.line = frame->theme->faint;
            ink.width = 0.6;
        }
        plot_canvas_rectangle(frame->canvas, x, y - MARK_HEIGHT / 2.0, MARK_WIDTH, MARK_HEIGHT, ink, NULL);
    } else if (mark == CHART_MARK_LINE) {
        plot_canvas_line(frame->canvas, (const PlotPoint[]){from, to}, 2, ink, NULL);
    } else {
        plot_canvas_arrow(frame->canvas, from, to, 7, ink, NULL);
    }
}

PlotPoint plot_chart_frame_legend(ChartFrame *frame, ChartMark mark, PlotInk ink, const char *text)
{
    double most = frame->width - 2 * CHART_MARGIN - MARK_WIDTH - 8;
    g_autofree char *fitting = plot_text_fit(text, CHART_FONT, false, most);
    double width = MARK_WIDTH + 7 + plot_text_width(fitting, CHART_FONT, false);
    if (frame->legend_x == 0 || frame->legend_x + width > frame->width - CHART_MARGIN) {
        frame->legend_x = CHART_MARGIN;
        frame->top += LEGEND_ROW;
    }
    double y = frame->top - LEGEND_ROW / 2.0 + 2;
    PlotPoint middle = {frame->legend_x + MARK_WIDTH / 2.0, y};
    plot_canvas_group(frame->canvas, "legend");
    draw_mark(frame, mark, ink, frame->legend_x, y);
    plot_canvas_text(frame->canvas, frame->legend_x + MARK_WIDTH + 7, y + 4, CHART_FONT, PLOT_LEFT, frame->theme->ink,
                     fitting);
    plot_canvas_group_end(frame->canvas);
    frame->legend_x += width + 20;
    return middle;
}

void plot_chart_frame_area(ChartFrame *frame, double left, double height, double right)
{
    frame->left = ceil(left);
    frame->right = floor(frame->width - right);
    frame->top = ceil(frame->top + 14);
    frame->bottom = frame->top + height;
    frame->below = frame->bottom;
}

/* Returns how many bytes of the text fit into a line; it is broken at a space. */
static size_t line_of(const char *text, double width)
{
    size_t fitting = 0;
    for (const char *end = text; *end; end++) {
        const char *word = strchr(end, ' ');
        size_t length = word ? (size_t)(word - text) : strlen(text);
        g_autofree char *line = g_strndup(text, length);
        if (fitting && plot_text_width(line, CHART_TICK_FONT, false) > width)
            return fitting;
        fitting = length;
        if (!word)
            return fitting;
        end = word;
    }
    return strlen(text);
}

void plot_chart_frame_note(ChartFrame *frame, const char *text)
{
    plot_canvas_group(frame->canvas, "note");
    while (*text) {
        size_t length = line_of(text, frame->width - 2 * CHART_MARGIN);
        g_autofree char *line = g_strndup(text, length);
        g_autofree char *fitting = plot_text_fit(line, CHART_TICK_FONT, false, frame->width - 2 * CHART_MARGIN);
        frame->below += NOTE_ROW;
        plot_canvas_text(frame->canvas, CHART_MARGIN, frame->below, CHART_TICK_FONT, PLOT_LEFT, frame->theme->faint,
                         fitting);
        text += length;
        text += *text == ' ';
    }
    plot_canvas_group_end(frame->canvas);
}

void plot_chart_frame_ramp(ChartFrame *frame, const char *what, const ChartScale *scale)
{
    double x = frame->right + 20, top = frame->top, height = fmin(frame->bottom - frame->top, 220), width = 14;
    const PlotTheme *theme = frame->theme;
    PlotCanvas *canvas = frame->canvas;
    ChartScale own = *scale;
    own.pixel_low = top + height;
    own.pixel_high = top;
    plot_canvas_group(canvas, "ramp");
    for (unsigned i = 0; i < RAMP_STEPS; i++) { /* each reaches a little into the next one, so that no gap is seen */
        double y = top + height * i / RAMP_STEPS;
        PlotInk ink = {.fill = plot_theme_heat(theme, 1 - (i + 0.5) / RAMP_STEPS), .line = PLOT_NONE};
        plot_canvas_rectangle(canvas, x, y, width, fmin(height / RAMP_STEPS + 0.5, top + height - y), ink, NULL);
    }
    PlotInk edge = {.fill = PLOT_NONE, .line = theme->faint, .width = 0.6};
    plot_canvas_rectangle(canvas, x, top, width, height, edge, NULL);
    g_autoptr(GArray) ticks = plot_chart_ticks(&own, MAX((unsigned)(height / 28), 2));
    double most = 0;
    for (guint i = 0; i < ticks->len; i++) {
        const ChartTick *tick = &g_array_index(ticks, ChartTick, i);
        plot_canvas_text(canvas, x + width + 6, plot_chart_scale_place(&own, tick->value) + 4, CHART_TICK_FONT,
                         PLOT_LEFT, theme->ink, tick->label);
        most = fmax(most, plot_text_width(tick->label, CHART_TICK_FONT, false));
    }
    g_autofree char *fitting = plot_text_fit(what, CHART_FONT, false, fmax(height, 90));
    plot_canvas_upright(canvas, x + width + 6 + most + 18, top + fmax(height, 90) / 2, CHART_FONT, PLOT_MIDDLE,
                        theme->ink, fitting);
    plot_canvas_group_end(canvas);
    frame->below = fmax(frame->below, top + fmax(height, 90));
}

void plot_chart_frame_end(ChartFrame *frame)
{
    frame->canvas->width = frame->width;
    frame->canvas->height = ceil(frame->below + CHART_MARGIN);
}
