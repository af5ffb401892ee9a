/* test_plot.c - SVG plots are well formed, draw every series with its points in the right positions, and do not depend
 * on the locale. */
#include "monitor/monitor.h"
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <locale.h>

static void add(GPtrArray *all, const char *name, const double (*points)[2], int count)
{
    MonSeries *series = mon_plot_series_new(name);
    for (int i = 0; i < count; i++) {
        MonPoint point = {points[i][0], points[i][1]};
        g_array_append_val(series->points, point);
    }
    g_ptr_array_add(all, series);
}

static char *plot_of(const GPtrArray *all, bool logarithmic)
{
    g_autofree char *path = g_strdup_printf("%s/orrery-plot-XXXXXX", g_get_tmp_dir());
    close(g_mkstemp(path));
    g_autoptr(GError) error = NULL;
    cr_assert(mon_plot_write_svg(path, "title", "ranks", "time (us)", all, logarithmic, &error));
    char *text = NULL;
    cr_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_unlink(path);
    return text;
}

static char *plot(bool logarithmic)
{
    static const double rising[][2] = {{1, 10}, {2, 20}, {4, 40.5}}, flat[][2] = {{1, 15}, {4, 15}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)mon_plot_series_free);
    add(all, "mesh & <ring>", rising, 3);
    add(all, "flat", flat, 2);
    return plot_of(all, logarithmic);
}

static guint count(const char *text, const char *piece)
{
    guint found = 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece))
        found++;
    return found;
}

Test(plot, is_well_formed_xml_with_every_point)
{
    g_autofree char *text = plot(false);
    GMarkupParser nothing = {NULL, NULL, NULL, NULL, NULL};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&nothing, 0, NULL, NULL);
    cr_assert(g_markup_parse_context_parse(context, text, -1, NULL));
    cr_assert(g_markup_parse_context_end_parse(context, NULL));
    cr_assert_eq(count(text, "<circle"), 5);
    cr_assert_eq(count(text, "<polyline"), 2);
    cr_assert_eq(count(text, "mesh &amp; &lt;ring&gt;"), 1);
}

Test(plot, logarithmic_axes_put_equal_ratios_at_equal_distances)
{
    g_autofree char *text = plot(true);
    const char *points = strstr(text, "points=\"");
    double x[3], y[3];
    cr_assert(points != NULL);
    points += strlen("points=\"");
    for (int i = 0; i < 3; i++) {
        char *end;
        x[i] = g_ascii_strtod(points, &end);
        y[i] = g_ascii_strtod(end + 1, &end);
        points = end + 1;
    }
    cr_assert_float_eq(x[1] - x[0], x[2] - x[1], 0.1); /* 1, 2, 4; six digits are printed */
    cr_assert(y[0] > y[1] && y[1] > y[2]);
}

Test(plot, numbers_do_not_follow_the_locale)
{
    g_autofree char *before = plot(false);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        cr_skip_test("no locale with a decimal comma here");
    g_autofree char *after = plot(false);
    cr_assert_str_eq(before, after);
}

Test(plot, a_folder_that_is_none_is_an_error)
{
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    cr_assert_not(mon_plot_write_svg("/dev/null/x.svg", "t", "x", "y", none, false, &error));
    cr_assert(error != NULL);
}

/* Series with the same colour have different lines. The picture is as large as the legend needs. Numbers are written in
 * full. */
Test(plot, many_series_with_long_names)
{
    static const double rising[][2] = {{1, 100000}, {2, 200000}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)mon_plot_series_free);
    for (int i = 0; i < 40; i++) {
        g_autofree char *name = g_strdup_printf("a machine with a long name, 100 ns, random, %d", i);
        add(all, name, rising, 2);
    }
    g_autofree char *text = plot_of(all, false);
    cr_assert_eq(count(text, "stroke-dasharray"), 2 * 24);
    cr_assert_eq(count(text, ">100000<"), 1);
    const char *size = strstr(text, "viewBox=\"0 0 ");
    char *end;
    cr_assert(size != NULL);
    cr_assert_gt(g_ascii_strtod(size + strlen("viewBox=\"0 0 "), &end),
                 650 + 42 + 6 * strlen("a machine with a long name, 100 ns, random, 39"));
    cr_assert_gt(g_ascii_strtod(end, NULL), 50 + 40 * 20);
}
