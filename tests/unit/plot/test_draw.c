/* test_draw.c - canvases become SVG that says what they are, whatever is in their texts; colours can be told apart. */
#include "plot/plot.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static const PlotInk blue = {.fill = 0x0072b2, .line = PLOT_NONE};

static PlotCanvas *canvas_of(double width, double height)
{
    PlotCanvas *canvas = plot_canvas_new(0xffffff);
    canvas->width = width;
    canvas->height = height;
    return canvas;
}

static bool has(const GString *text, const char *part)
{
    return strstr(text->str, part);
}

Test(draw, shapes_become_elements)
{
    g_autoptr(PlotCanvas) canvas = canvas_of(100, 50);
    plot_canvas_group(canvas, "things");
    plot_canvas_disc(canvas, 10, 20.5, 3, blue, "a disc");
    plot_canvas_rectangle(canvas, 1, 2, 3, 4, blue, "a rectangle");
    plot_canvas_text(canvas, 5, 6, 11, PLOT_MIDDLE, 0x123456, "word");
    plot_canvas_upright(canvas, 5, 6, 11, PLOT_RIGHT, 0, "up");
    plot_canvas_bold(canvas, 5, 6, 11, PLOT_LEFT, 0, "strong");
    plot_canvas_group_end(canvas);
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(has(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\" viewBox=\"0 0 100 50\""));
    cr_assert(has(svg,
                  "<g class=\"things\">\n<circle cx=\"10\" cy=\"20.5\" r=\"3\" fill=\"#0072b2\"><title>a disc</title>"
                  "</circle>\n"));
    cr_assert(has(svg, "<path d=\"M1 2h3v4h-3z\" fill=\"#0072b2\"><title>a rectangle</title></path>\n"));
    cr_assert(has(svg, "<text x=\"5\" y=\"6\" font-size=\"11\" fill=\"#123456\" text-anchor=\"middle\">word</text>\n"));
    cr_assert(has(svg, "<text transform=\"translate(5 6) rotate(-90)\" font-size=\"11\" fill=\"#000000\" "
                       "text-anchor=\"end\">up</text>\n"));
    cr_assert(has(svg, "font-weight=\"bold\""));
    cr_assert(g_str_has_suffix(svg->str, "</g>\n</svg>\n"));
}

Test(draw, rectangles_of_one_look_are_one_path)
{
    g_autoptr(PlotCanvas) canvas = canvas_of(10, 10);
    PlotInk other = blue;
    other.fill = 0xff0000;
    plot_canvas_rectangle(canvas, 0, 0, 1, 1, blue, NULL);
    plot_canvas_rectangle(canvas, 2, 0, 1, 1, blue, NULL);
    plot_canvas_rectangle(canvas, 4, 0, 1, 1, other, NULL);
    plot_canvas_rectangle(canvas, 6, 0, 1, 1, other, "told");
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(has(svg, "<path d=\"M0 0h1v1h-1zM2 0h1v1h-1z\" fill=\"#0072b2\"/>\n<path d=\"M4 0h1v1h-1z\" "
                       "fill=\"#ff0000\"/>\n<path d=\"M6 0h1v1h-1z\" fill=\"#ff0000\"><title>told</title></path>\n"));
}

Test(draw, patterns_are_defined_once)
{
    g_autoptr(PlotCanvas) canvas = canvas_of(10, 10);
    PlotInk hatched = {.fill = 0xffffff, .line = PLOT_NONE, .pattern = PLOT_RISING, .pattern_ink = 0x111111};
    plot_canvas_rectangle(canvas, 0, 0, 1, 1, hatched, "one");
    plot_canvas_rectangle(canvas, 2, 0, 1, 1, hatched, "two");
    g_autoptr(GString) svg = plot_svg(canvas);
    const char *first = strstr(svg->str, "<pattern id=\"rising-111111\"");
    cr_assert(first);
    cr_assert(!strstr(first + 1, "<pattern"));
    cr_assert(has(svg, "fill=\"url(#rising-111111)\""));
}

Test(draw, text_is_escaped)
{
    g_autoptr(PlotCanvas) canvas = canvas_of(10, 10);
    canvas->title = g_strdup("a < b & \"c\"");
    plot_canvas_text(canvas, 0, 0, 11, PLOT_LEFT, 0, "\x01\x1b]<script>\n\xff\xfe");
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(has(svg, "<title>a &lt; b &amp; &quot;c&quot;</title>"));
    cr_assert(has(svg, ">  ]&lt;script&gt; "));
    cr_assert(!has(svg, "\x01"));
    cr_assert(g_utf8_validate(svg->str, (gssize)svg->len, NULL));
}

Test(draw, numbers_have_points_in_every_locale)
{
    setlocale(LC_ALL, "de_DE.UTF-8");
    g_autoptr(PlotCanvas) canvas = canvas_of(10, 10);
    plot_canvas_disc(canvas, -0.255, 1e6 + 0.5, 0.1, blue, NULL);
    plot_canvas_disc(canvas, -0.001, 3.999, 2, blue, NULL);
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(has(svg, "cx=\"-0.26\" cy=\"1000000.5\" r=\"0.1\"") ||
              has(svg, "cx=\"-0.25\" cy=\"1000000.5\" r=\"0.1\""));
    cr_assert(has(svg, "cx=\"0\" cy=\"4\" r=\"2\""));
}

Test(draw, arrows_have_heads_where_there_is_room)
{
    g_autoptr(PlotCanvas) canvas = canvas_of(10, 10);
    PlotInk ink = {.fill = PLOT_NONE, .line = 0, .width = 1, .dash = PLOT_DASHED, .opacity = 0.5};
    plot_canvas_arrow(canvas, (PlotPoint){0, 0}, (PlotPoint){20, 0}, 6, ink, "far");
    cr_assert_eq(canvas->shapes->len, 2);
    cr_assert_eq(g_array_index(canvas->shapes, PlotShape, 1).kind, PLOT_AREA);
    plot_canvas_arrow(canvas, (PlotPoint){0, 0}, (PlotPoint){3, 0}, 6, ink, NULL);
    cr_assert_eq(canvas->shapes->len, 3);
    plot_canvas_arrow(canvas, (PlotPoint){5, 5}, (PlotPoint){5, 5}, 6, ink, NULL); /* no direction */
    g_autoptr(GString) svg = plot_svg(canvas);
    cr_assert(has(svg, "stroke-dasharray=\"7 4\""));
    cr_assert(has(svg, "opacity=\"0.5\""));
    cr_assert(!has(svg, "nan"));
}

Test(draw, long_text_is_cut_in_its_middle)
{
    cr_assert_float_eq(plot_text_width("mm", 10, false), 19.48, 1e-9);
    cr_assert_gt(plot_text_width("mm", 10, true), 19.48);
    cr_assert_float_eq(plot_text_width("", 10, false), 0, 1e-9);
    g_autofree char *whole = plot_text_fit("short", 10, false, 100);
    cr_assert_str_eq(whole, "short");
    g_autofree char *cut = plot_text_fit("a_function_with_a_long_name", 10, false, 80);
    cr_assert(strstr(cut, "..."));
    cr_assert(g_str_has_prefix(cut, "a_fun"));
    cr_assert(g_str_has_suffix(cut, "name"));
    cr_assert_leq(plot_text_width(cut, 10, false), 80);
    g_autofree char *wide = plot_text_fit("\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57", 10, false, 45);
    cr_assert(g_utf8_validate(wide, -1, NULL));
    cr_assert_leq(plot_text_width(wide, 10, false), 45);
    g_autofree char *broken = plot_text_fit("\xff\xff\xff", 10, false, 1e9);
    cr_assert(g_utf8_validate(broken, -1, NULL));
    g_autofree char *none = plot_text_fit("word", 10, false, -5);
    cr_assert_str_eq(none, "...");
}

/* Lightness of CIE L*a*b*, from 0 to 100. */
static double lightness(uint32_t colour)
{
    double y = plot_colour_luminance(colour);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

Test(theme, states_differ_in_lightness)
{
    for (PlotThemeName name = PLOT_LIGHT; name <= PLOT_PRINT; name++) {
        const PlotTheme *theme = plot_theme(name);
        for (unsigned one = 0; one < ANALYSIS_STATES; one++)
            for (unsigned other = 0; other < one; other++) {
                double distance = fabs(lightness(theme->states[one]) - lightness(theme->states[other]));
                cr_assert_gt(distance, 8, "theme %d, states %u and %u: %.1f", name, one, other, distance);
            }
    }
}

Test(theme, text_can_be_read)
{
    for (PlotThemeName name = PLOT_LIGHT; name <= PLOT_PRINT; name++) {
        const PlotTheme *theme = plot_theme(name);
        const uint32_t inks[] = {theme->ink, theme->faint};
        double paper = plot_colour_luminance(theme->paper);
        for (size_t i = 0; i < G_N_ELEMENTS(inks); i++) { /* WCAG 2.1, AA: a contrast of 4.5 */
            double ink = plot_colour_luminance(inks[i]);
            cr_assert_gt((MAX(ink, paper) + 0.05) / (MIN(ink, paper) + 0.05), 4.5, "theme %d, ink %zu", name, i);
        }
    }
    cr_assert_eq(plot_colour_on(0xffffff), 0x000000);
    cr_assert_eq(plot_colour_on(0x00213a), 0xffffff);
}

Test(theme, heat_goes_one_way)
{
    for (PlotThemeName name = PLOT_LIGHT; name <= PLOT_PRINT; name++) {
        const PlotTheme *theme = plot_theme(name);
        double direction = name == PLOT_DARK ? 1 : -1;
        for (unsigned i = 1; i <= 60; i++) {
            double step =
                lightness(plot_theme_heat(theme, i / 60.0)) - lightness(plot_theme_heat(theme, (i - 1) / 60.0));
            cr_assert_gt(step * direction, 0, "theme %d, step %u: %f", name, i, step);
        }
        cr_assert_eq(plot_theme_heat(theme, -1), theme->ramp[0]);
        cr_assert_eq(plot_theme_heat(theme, 2), theme->ramp[3]);
    }
}

Test(theme, printed_pictures_have_no_hue)
{
    const PlotTheme *theme = plot_theme(PLOT_PRINT);
    for (unsigned i = 0; i < ANALYSIS_STATES; i++)
        cr_assert((theme->states[i] >> 16) == (theme->states[i] & 255));
    for (unsigned i = 0; i < PLOT_SERIES; i++) {
        cr_assert((theme->series[i] >> 16) == (theme->series[i] & 255));
        cr_assert_neq(plot_theme_series(theme, i).pattern, plot_theme_series(theme, i + 1).pattern);
    }
}
