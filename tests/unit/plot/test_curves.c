/* test_curves.c - pictures of curves draw every line with its points in the right places, whatever there is to draw. */
#include "plot/plot.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

static PlotSeries *add(GPtrArray *all, const char *name, const double (*points)[2], int count)
{
    PlotSeries *series = plot_series_of(all, name);
    for (int i = 0; i < count; i++)
        g_array_append_val(series->points, ((PlotPoint){points[i][0], points[i][1]}));
    return series;
}

static GString *draw(PlotCurves curves, const GPtrArray *all)
{
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(0xffffff);
    curves.series = all;
    plot_curves_draw(&curves, plot_theme(PLOT_LIGHT), canvas);
    PlotBox box = plot_canvas_box(canvas);
    cr_assert(box.left >= 0 && box.top >= 0 && box.right <= canvas->width && box.bottom <= canvas->height);
    return plot_svg(canvas);
}

static GString *draw_two(unsigned base)
{
    static const double rising[][2] = {{1, 10}, {2, 20}, {4, 40.5}}, flat[][2] = {{1, 15}, {4, 15}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    add(all, "mesh & <ring>", rising, 3);
    add(all, "flat", flat, 2);
    return draw((PlotCurves){.title = "title", .x = {"ranks", base, 0, NULL}, .y = {"time", base, 0, NULL}}, all);
}

static guint count(const GString *text, const char *piece)
{
    guint found = 0;
    for (const char *at = strstr(text->str, piece); at; at = strstr(at + 1, piece))
        found++;
    return found;
}

Test(curves, are_well_formed_xml_with_every_point)
{
    g_autoptr(GString) text = draw_two(0);
    GMarkupParser nothing = {NULL, NULL, NULL, NULL, NULL};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&nothing, 0, NULL, NULL);
    cr_assert(g_markup_parse_context_parse(context, text->str, -1, NULL));
    cr_assert(g_markup_parse_context_end_parse(context, NULL));
    cr_assert_eq(count(text, "<title>mesh &amp; &lt;ring&gt;: "), 3);
    cr_assert_eq(count(text, "<title>flat: "), 2);
    cr_assert_eq(count(text, "<title>mesh &amp; &lt;ring&gt;: 4, 40.5</title>"), 1);
}

Test(curves, logarithmic_axes_put_equal_ratios_at_equal_distances)
{
    g_autoptr(GString) text = draw_two(2);
    const char *line = strstr(text->str, "<g class=\"series\">");
    double x[3], y[3];
    cr_assert_not_null(line);
    line = strstr(line, "M") + 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        x[i] = g_ascii_strtod(line, &end);
        y[i] = g_ascii_strtod(end, &end);
        line = end + 1;
    }
    cr_assert_float_eq(x[1] - x[0], x[2] - x[1], 0.1);
    cr_assert(y[0] > y[1] && y[1] > y[2]);
}

Test(curves, do_not_follow_the_locale)
{
    g_autoptr(GString) before = draw_two(0);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        cr_skip_test("no locale with a decimal comma here");
    g_autoptr(GString) after = draw_two(0);
    cr_assert_str_eq(before->str, after->str);
}

/* Lines of the same colour have different dashes, and the picture is as high as the legend needs. */
Test(curves, of_many_lines_with_long_names)
{
    static const double rising[][2] = {{1, 100000}, {2, 200000}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    for (int i = 0; i < 40; i++) {
        g_autofree char *name = g_strdup_printf("a machine with a long name, 100 ns, random, %d", i);
        add(all, name, rising, 2);
    }
    g_autoptr(GString) text = draw((PlotCurves){.title = "t", .x = {.name = "x"}, .y = {.name = "y"}}, all);
    cr_assert_eq(count(text, "stroke-dasharray"), 2 * 24);
    cr_assert_eq(count(text, ">100000<"), 1);
}

Test(curves, names_stand_where_values_are_no_numbers)
{
    static const double points[][2] = {{1, 300}, {2, 400}, {3, 100}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (int i = 0; i < 3; i++)
        g_ptr_array_add(names,
                        (gpointer)(const char *const[]){"chain", "a tree with a name that is very long", "ring"}[i]);
    add(all, "time", points, 3);
    g_autoptr(GString) text =
        draw((PlotCurves){.title = "t", .x = {.name = "x", .base = 2, .names = names}, .y = {.name = "y"}}, all);
    cr_assert_eq(count(text, ">chain<"), 1);
    cr_assert_eq(count(text, ">a tree"), 1);
    cr_assert_eq(count(text, ">ring<"), 1);
    cr_assert_eq(count(text, ">1.5<"), 0);
}

Test(curves, of_nothing_have_axes)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    for (unsigned base = 0; base <= 10; base += 2) {
        g_autoptr(GString) none =
            draw((PlotCurves){.title = "t", .x = {"x", base, 0, NULL}, .y = {"y", base, 0, NULL}}, all);
        cr_assert_eq(count(none, "class=\"axis "), 2);
        cr_assert_eq(count(none, "nan"), 0);
        cr_assert_eq(count(none, "inf"), 0);
    }
    PlotSeries *far = add(all, "far", NULL, 0);
    g_array_append_val(far->beyond, ((double){0.5}));
    g_autoptr(GString) beyond = draw((PlotCurves){.title = "t", .x = {.name = "x"}, .y = {.name = "y"}}, all);
    cr_assert_eq(count(beyond, "<title>beyond the picture</title>"), 1);
}

Test(canvas, moves_with_all_that_is_on_it)
{
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(0);
    PlotInk ink = {.fill = 1, .line = PLOT_NONE};
    cr_assert_eq(plot_canvas_box(canvas).right, 0);
    plot_canvas_rectangle(canvas, 10, 20, 5, 6, ink, NULL);
    plot_canvas_disc(canvas, 50, 50, 5, ink, NULL);
    plot_canvas_line(canvas, (const PlotPoint[]){{0, 5}, {7, 90}}, 2, ink, NULL);
    plot_canvas_label(canvas, 60, 30, 10, PLOT_LEFT, 0, 0xffffff, "m");
    plot_canvas_move(canvas, 3, 4);
    PlotBox box = plot_canvas_box(canvas);
    cr_assert_float_eq(box.left, 3, 1e-9);
    cr_assert_float_eq(box.top, 9, 1e-9);
    cr_assert_float_eq(box.right, 63 + 9.74, 1e-9);
    cr_assert_float_eq(box.bottom, 94, 1e-9);
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert_eq(count(svg, "stroke=\"#ffffff\" paint-order=\"stroke\""), 1);
}
