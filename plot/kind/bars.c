/* bars.c - histograms: bars over powers of two, stacked where there are several sorts. */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 360, LEAST_BINS = 8, MOST_BAR = 64 };

void plot_kind_bars_free(KindBars *bars)
{
    if (!bars)
        return;
    g_free(bars->name);
    g_free(bars);
}

KindBars *plot_kind_bars_of(GPtrArray *all, const char *name)
{
    for (guint i = 0; i < all->len; i++)
        if (strcmp(((KindBars *)all->pdata[i])->name, name) == 0)
            return all->pdata[i];
    KindBars *bars = g_new0(KindBars, 1);
    bars->name = g_strdup(name);
    g_ptr_array_add(all, bars);
    return bars;
}

typedef struct Range {
    unsigned first, last; /* bins that are drawn */
    uint64_t highest;     /* of all bars */
} Range;

static Range range_of(const GPtrArray *all)
{
    Range range = {KIND_BINS, 0, 0};
    for (unsigned bin = 0; bin < KIND_BINS; bin++) {
        uint64_t sum = 0;
        for (guint i = 0; i < all->len; i++)
            sum += ((KindBars *)all->pdata[i])->counts[bin];
        range.highest = MAX(range.highest, sum);
        if (sum && range.first == KIND_BINS)
            range.first = bin;
        if (sum)
            range.last = bin;
    }
    if (range.first == KIND_BINS)
        range.first = 0;
    for (unsigned grow = 0; range.last - range.first + 1 < LEAST_BINS; grow++) /* a lone bar would fill the picture */
        if ((grow % 2 || range.last + 1 == KIND_BINS) && range.first > 0)
            range.first--;
        else
            range.last++;
    return range;
}

static double bin_start(unsigned bin)
{
    return bin ? ldexp(1, (int)bin - 1) : 0;
}

static void draw_bars(ChartFrame *frame, const GPtrArray *all, Range range, const ChartScale *up, double width)
{
    double bar = fmin(width * 0.82, MOST_BAR);
    for (unsigned bin = range.first; bin <= range.last; bin++) {
        double bottom = frame->bottom, x = frame->left + (bin - range.first + 0.5) * width - bar / 2;
        for (guint i = 0; i < all->len; i++) {
            const KindBars *bars = all->pdata[i];
            if (!bars->counts[bin])
                continue;
            double height = plot_chart_scale_place(up, 0) - plot_chart_scale_place(up, (double)bars->counts[bin]);
            PlotInk ink = plot_theme_series(frame->theme, i);
            ink.line = frame->theme->paper;
            ink.width = 0.5;
            g_autofree char *told = g_strdup_printf("%s: %" G_GUINT64_FORMAT, bars->name, bars->counts[bin]);
            plot_canvas_rectangle(frame->canvas, x, bottom - height, bar, height, ink, told);
            bottom -= height;
        }
    }
}

/* Draws the numbers on top of the bars, where they fit. */
static void draw_numbers(ChartFrame *frame, const GPtrArray *all, Range range, const ChartScale *up, double width)
{
    for (unsigned bin = range.first; bin <= range.last; bin++) {
        uint64_t sum = 0;
        char label[CHART_LABEL];
        for (guint i = 0; i < all->len; i++)
            sum += ((KindBars *)all->pdata[i])->counts[bin];
        plot_chart_label(sum < 100000 ? PLOT_NUMBERS : PLOT_COUNTS, (double)sum, plot_chart_rounding((double)sum, 3),
                         label);
        if (sum && plot_text_width(label, CHART_TICK_FONT, false) < width - 2)
            plot_canvas_text(frame->canvas, frame->left + (bin - range.first + 0.5) * width,
                             plot_chart_scale_place(up, (double)sum) - 5, CHART_TICK_FONT, PLOT_MIDDLE,
                             frame->theme->ink, label);
    }
}

/* Draws where bins begin: below every line between two of them where there is room. */
static void draw_bins(ChartFrame *frame, Range range, double width, PlotNumbers numbers, const char *across)
{
    double end = -1e9;
    plot_canvas_group(frame->canvas, "axis x");
    for (unsigned bin = range.first; bin <= range.last + 1; bin++) {
        char label[CHART_LABEL];
        double x = frame->left + (bin - range.first) * width, value = bin_start(bin);
        plot_chart_label(numbers, value, numbers == PLOT_TIMES ? plot_chart_rounding(value, 2) : 1, label);
        double half = plot_text_width(label, CHART_TICK_FONT, false) / 2;
        PlotInk ink = {.fill = PLOT_NONE, .line = frame->theme->ink, .width = 1};
        plot_canvas_line(frame->canvas, (const PlotPoint[]){{x, frame->bottom}, {x, frame->bottom + 5}}, 2, ink, NULL);
        if (x - half < end + 7)
            continue;
        plot_canvas_text(frame->canvas, x, frame->bottom + 18, CHART_TICK_FONT, PLOT_MIDDLE, frame->theme->ink, label);
        end = x + half;
    }
    plot_canvas_text(frame->canvas, (frame->left + frame->right) / 2, frame->bottom + 38, CHART_FONT, PLOT_MIDDLE,
                     frame->theme->ink, across);
    plot_canvas_group_end(frame->canvas);
    frame->below = frame->bottom + 44;
}

void plot_kind_bars_draw(const PlotRequest *request, PlotCanvas *canvas, const GPtrArray *all, const char *title,
                         PlotNumbers numbers, const char *across, const char *up, const char *note)
{
    ChartFrame frame;
    Range range = range_of(all);
    g_autofree char *facts = plot_data_facts(request);
    plot_chart_frame_begin(&frame, canvas, request->theme, KIND_WIDTH, request->title ? request->title : title, facts);
    for (guint i = 0; i < all->len; i++)
        plot_chart_frame_legend(&frame, CHART_MARK_AREA, plot_theme_series(request->theme, i),
                                ((KindBars *)all->pdata[i])->name);
    ChartScale scale = {
        .low = 0, .high = plot_chart_nice_end(fmax((double)range.highest * 1.08, 6), 6), .numbers = PLOT_COUNTS};
    plot_chart_frame_area(&frame, plot_chart_axis_room(&scale, HEIGHT), HEIGHT, KIND_RIGHT);
    plot_chart_axis_up(&frame, &scale, up);
    double width = (frame.right - frame.left) / (range.last - range.first + 1);
    plot_canvas_group(canvas, "bars");
    draw_bars(&frame, all, range, &scale, width);
    draw_numbers(&frame, all, range, &scale, width);
    plot_canvas_group_end(canvas);
    plot_chart_axis_lines(&frame);
    draw_bins(&frame, range, width, numbers, across);
    plot_chart_frame_note(&frame, note);
    plot_chart_frame_end(&frame);
}
