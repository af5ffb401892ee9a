/* test_chart.c - ticks are where people expect them, and labels say as much as is needed. */
#include "plot/chart/chart.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Returns the labels with commas between them. */
static char *labels_of(const ChartScale *scale, unsigned most)
{
    g_autoptr(GArray) ticks = plot_chart_ticks(scale, most);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ticks->len; i++)
        g_string_append_printf(text, "%s%s", i ? "," : "", g_array_index(ticks, ChartTick, i).label);
    return g_string_free(text, FALSE);
}

static void expect(ChartScale scale, unsigned most, const char *labels)
{
    g_autofree char *got = labels_of(&scale, most);
    cr_assert_str_eq(got, labels);
}

Test(ticks, linear)
{
    expect((ChartScale){.low = 0, .high = 10}, 6, "0,2,4,6,8,10");
    expect((ChartScale){.low = 0, .high = 1}, 6, "0,0.2,0.4,0.6,0.8,1");
    expect((ChartScale){.low = 0, .high = 61.4}, 8, "0,10,20,30,40,50,60");
    expect((ChartScale){.low = 0, .high = 0.003}, 4, "0,0.001,0.002,0.003");
    expect((ChartScale){.low = -5, .high = 5}, 5, "-4,-2,0,2,4");
    expect((ChartScale){.low = 1000000.1, .high = 1000000.5}, 5, "1000000.1,1000000.2,1000000.3,1000000.4,1000000.5");
    expect((ChartScale){.low = 0, .high = 1500000, .numbers = PLOT_COUNTS}, 4, "0,500 k,1 M,1.5 M");
    expect((ChartScale){.low = 0, .high = 4096, .numbers = PLOT_SIZES}, 4, "0,1 KiB,2 KiB,3 KiB,4 KiB");
}

Test(ticks, logarithmic)
{
    expect((ChartScale){.low = 1, .high = 16, .base = 2}, 8, "1,2,4,8,16");
    expect((ChartScale){.low = 0.5, .high = 2, .base = 2}, 8, "0.5,1,2");
    expect((ChartScale){.low = 1, .high = 100, .base = 10}, 9, "1,2,5,10,20,50,100");
    expect((ChartScale){.low = 1, .high = 1000000, .base = 10}, 7, "1,10,100,1000,10000,100000,1000000");
    expect((ChartScale){.low = 1, .high = 1048576, .base = 2, .numbers = PLOT_SIZES}, 6,
           "1 B,,,,,32 B,,,,,1 KiB,,,,,32 KiB,,,,,1 MiB");
}

Test(ticks, as_many_as_fit)
{
    for (double high = 0.001; high < 1e9; high *= 1.7)
        for (unsigned most = 2; most < 20; most++) {
            ChartScale scale = {.low = 0, .high = high};
            g_autoptr(GArray) ticks = plot_chart_ticks(&scale, most);
            cr_assert_geq(ticks->len, 1);
            cr_assert_leq(ticks->len, most + 1, "%g, %u: %u", high, most, ticks->len);
        }
}

Test(ticks, places)
{
    ChartScale linear = {.low = 10, .high = 20, .pixel_low = 100, .pixel_high = 300};
    cr_assert_float_eq(plot_chart_scale_place(&linear, 15), 200, 1e-9);
    ChartScale logarithmic = {.low = 1, .high = 100, .base = 10, .pixel_low = 0, .pixel_high = 10};
    cr_assert_float_eq(plot_chart_scale_place(&logarithmic, 10), 5, 1e-9);
    cr_assert_float_eq(plot_chart_nice_end(9.3, 5), 10, 1e-9);
    cr_assert_float_eq(plot_chart_nice_end(10, 5), 10, 1e-9);
}

Test(ticks, labels)
{
    static const struct {
        PlotNumbers numbers;
        double value, step;
        const char *label;
    } cases[] = {
        {PLOT_TIMES, 1500000, 100000, "1.5 us"},
        {PLOT_TIMES, 999, 1, "999 ps"},
        {PLOT_TIMES, 0, 1, "0"},
        {PLOT_TIMES, 3e12, 1e12, "3 s"},
        {PLOT_SIZES, 65536, 1, "64 KiB"},
        {PLOT_SIZES, 1, 1, "1 B"},
        {PLOT_COUNTS, 999, 1, "999"},
        {PLOT_COUNTS, 1250000, 10000, "1.25 M"},
        {PLOT_NUMBERS, -0.0, 1, "0"},
        {PLOT_NUMBERS, 0.125, 0.001, "0.125"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char label[CHART_LABEL];
        plot_chart_label(cases[i].numbers, cases[i].value, cases[i].step, label);
        cr_assert_str_eq(label, cases[i].label);
    }
    cr_assert_float_eq(plot_chart_rounding(1234, 2), 100, 1e-9);
    cr_assert_float_eq(plot_chart_rounding(0.0567, 2), 0.001, 1e-9);
    cr_assert_float_eq(plot_chart_rounding(0, 3), 1, 1e-9);
}

Test(ticks, units_of_time)
{
    cr_assert_str_eq(plot_chart_time_unit(1).name, "ps");
    cr_assert_str_eq(plot_chart_time_unit(5000).name, "ns");
    cr_assert_str_eq(plot_chart_time_unit(1999999).name, "ns");
    cr_assert_str_eq(plot_chart_time_unit(UINT64_MAX).name, "s");
}

Test(frame, grows_with_what_is_in_it)
{
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(0xffffff);
    ChartFrame frame;
    g_autofree char *title = g_strnfill(500, 'x');
    plot_chart_frame_begin(&frame, canvas, plot_theme(PLOT_LIGHT), 600, title, "facts");
    double top = frame.top;
    for (unsigned i = 0; i < 20; i++)
        plot_chart_frame_legend(&frame, (ChartMark)(i % 3), plot_theme_series(plot_theme(PLOT_LIGHT), i),
                                "an entry of it");
    cr_assert_gt(frame.top, top + 60);
    plot_chart_frame_area(&frame, 80, 200, 110);
    ChartScale x = plot_chart_axis_time(&frame, 0, 5000000), y = {.low = 0, .high = 3};
    cr_assert_float_eq(plot_chart_time_place(&x, 9000000), frame.right, 1e-9); /* what is beyond is at the edge */
    plot_chart_axis_up(&frame, &y, "height");
    plot_chart_axis_lines(&frame);
    plot_chart_frame_ramp(&frame, "heat", &y);
    double below = frame.below;
    plot_chart_frame_note(&frame,
                          "A note that is too long for one line of a picture of this width, so that it is broken at "
                          "a space between two of its words, and goes on in the next line.");
    cr_assert_gt(frame.below, below + 30);
    plot_chart_frame_end(&frame);
    cr_assert_gt(canvas->height, frame.below);
    for (guint i = 0; i < canvas->shapes->len; i++) { /* nothing is cut off at the edges */
        const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        if (shape->kind != PLOT_TEXT || shape->upright)
            continue;
        double width = plot_text_width(shape->text, shape->height, shape->bold);
        double left = shape->x - width * shape->align / 2;
        cr_assert(left >= 0 && left + width <= canvas->width, "%s", shape->text);
        cr_assert(shape->y > shape->height && shape->y < canvas->height, "%s", shape->text);
    }
}

Test(lines, series_are_found_and_sorted)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    PlotSeries *one = plot_series_of(all, "one");
    cr_assert_eq(plot_series_of(all, "one"), one);
    cr_assert_neq(plot_series_of(all, "two"), one);
    g_array_append_val(one->points, ((PlotPoint){3, 1}));
    g_array_append_val(one->points, ((PlotPoint){2, 1}));
    g_array_append_val(one->beyond, ((double){2.5}));
    plot_series_sort(all);
    cr_assert_float_eq(g_array_index(one->points, PlotPoint, 0).x, 2, 1e-9);
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(0xffffff);
    ChartFrame frame;
    plot_chart_frame_begin(&frame, canvas, plot_theme(PLOT_DARK), 600, "t", NULL);
    plot_chart_lines_legend(&frame, all);
    plot_chart_frame_area(&frame, 80, 200, 30);
    ChartScale x = {.low = 0, .high = 4}, y = {.low = 0, .high = 2};
    plot_chart_axis_across(&frame, &x, "x");
    plot_chart_axis_up(&frame, &y, "y");
    plot_chart_lines(&frame, all, &x, &y);
    plot_chart_frame_end(&frame);
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(strstr(svg->str, "<title>one: 2, 1</title>"));
    cr_assert(strstr(svg->str, "<title>beyond the picture</title>"));
}
