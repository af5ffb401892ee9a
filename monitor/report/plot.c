/* plot.c - line plots as SVG text: axes, ticks, a line with markers for each series, a legend.
 *
 * It is written by hand because a plot is forty lines of SVG, and so that sweeps draw on machines without any display
 * library. Numbers are printed in the C locale whatever the user's locale is. People with any kind of colour vision can
 * tell the colours apart.
 */
#include "base/write_file.h"
#include "monitor/monitor.h"
#include <math.h>

/* The area of the curves. The picture is larger, by what the labels and the legend need. */
enum { LEFT = 90, RIGHT = 650, TOP = 50, BOTTOM = 450, BELOW = 70, LEAST_LEGEND = 210, LEGEND_ROW = 20 };

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#999999"};
/* When all colours are used up, they are used again with other lines. */
static const char *const dashes[] = {"", " stroke-dasharray=\"8 4\"", " stroke-dasharray=\"2 3\"",
                                     " stroke-dasharray=\"9 3 2 3\""};

typedef struct Axis {
    double low, high;
    bool logarithmic;
    double pixel_low, pixel_high;
} Axis;

MonSeries *mon_plot_series_new(const char *name)
{
    MonSeries *series = g_new0(MonSeries, 1);
    series->name = g_strdup(name);
    series->points = g_array_new(FALSE, FALSE, sizeof(MonPoint));
    series->beyond = g_array_new(FALSE, FALSE, sizeof(double));
    return series;
}

void mon_plot_series_free(MonSeries *series)
{
    if (!series)
        return;
    g_free(series->name);
    g_array_unref(series->points);
    g_array_unref(series->beyond);
    g_free(series);
}

static void append_number(GString *out, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, g_ascii_formatd(text, sizeof text, "%.6g", number));
}

/* Appends text in which every %g is replaced by the next number, whatever the locale. */
static void append_svg(GString *out, const char *format, const double *numbers)
{
    for (const char *at = format; *at != '\0'; at++) {
        if (at[0] == '%' && at[1] == 'g') {
            append_number(out, *numbers++);
            at++;
        } else {
            g_string_append_c(out, *at);
        }
    }
}
#define SVG(out, format, ...) append_svg((out), (format), (const double[]){__VA_ARGS__})

static void append_text(GString *out, double x, double y, const char *anchor, int size, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    SVG(out, "<text x=\"%g\" y=\"%g\" font-size=\"%g\" ", x, y, size);
    g_string_append_printf(out, "text-anchor=\"%s\">%s</text>\n", anchor, escaped);
}

static double place(const Axis *axis, double value)
{
    double low = axis->low, high = axis->high;
    if (axis->logarithmic) {
        low = log10(low);
        high = log10(high);
        value = log10(value);
    }
    return axis->pixel_low + (value - low) / (high - low) * (axis->pixel_high - axis->pixel_low);
}

static Axis make_axis(const GPtrArray *all, bool vertical, bool logarithmic, double pixel_low, double pixel_high)
{
    Axis axis = {.low = logarithmic ? G_MAXDOUBLE : 0.0,
                 .high = 0.0,
                 .logarithmic = logarithmic,
                 .pixel_low = pixel_low,
                 .pixel_high = pixel_high};
    for (guint i = 0; i < all->len; i++) {
        const MonSeries *series = g_ptr_array_index(all, i);
        for (guint k = 0; k < series->points->len; k++) {
            const MonPoint *point = &g_array_index(series->points, MonPoint, k);
            double value = vertical ? point->y : point->x;
            axis.low = MIN(axis.low, value);
            axis.high = MAX(axis.high, value);
        }
        for (guint k = 0; k < series->beyond->len && !vertical; k++)
            axis.high = MAX(axis.high, g_array_index(series->beyond, double, k));
    }
    if (axis.high <= 0.0)
        axis.high = 1.0;
    if (logarithmic) {
        axis.low = pow(10.0, floor(log10(MIN(axis.low, axis.high))));
        axis.high = pow(10.0, ceil(log10(axis.high)));
        if (axis.high <= axis.low)
            axis.high = axis.low * 10.0;
    } else {
        axis.high *= 1.05;
    }
    return axis;
}

/* Returns 1, 2 or 5 times a power of ten, so that about six steps fit. */
static double tick_step(double span)
{
    double raw = span / 6.0, power = pow(10.0, floor(log10(raw))), digit = raw / power;
    return (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0) * power;
}

static void draw_tick(GString *out, const Axis *axis, double value, bool vertical)
{
    char label[G_ASCII_DTOSTR_BUF_SIZE];
    double at = place(axis, value);
    g_ascii_formatd(label, sizeof label, "%.6g", value);
    if (vertical) {
        SVG(out, "<path d=\"M%g %g H%g\" stroke=\"#ddd\"/>\n", LEFT, at, RIGHT);
        append_text(out, LEFT - 8, at + 4, "end", 12, label);
    } else {
        SVG(out, "<path d=\"M%g %g V%g\" stroke=\"#ddd\"/>\n", at, TOP, BOTTOM);
        append_text(out, at, BOTTOM + 18, "middle", 12, label);
    }
}

static void draw_ticks(GString *out, const Axis *axis, bool vertical)
{
    if (axis->logarithmic) {
        for (double value = axis->low; value <= axis->high * 1.001; value *= 10.0)
            draw_tick(out, axis, value, vertical);
        return;
    }
    double step = tick_step(axis->high - axis->low);
    for (int i = 0; i * step <= axis->high; i++)
        draw_tick(out, axis, i * step, vertical);
}

static void draw_series(GString *out, const MonSeries *series, guint index, const Axis *x, const Axis *y)
{
    const char *colour = colours[index % G_N_ELEMENTS(colours)];
    const char *dash = dashes[index / G_N_ELEMENTS(colours) % G_N_ELEMENTS(dashes)];
    g_string_append_printf(out, "<g stroke=\"%s\" fill=\"%s\">\n<polyline fill=\"none\" stroke-width=\"2\"%s points=\"",
                           colour, colour, dash);
    for (guint i = 0; i < series->points->len; i++) {
        const MonPoint *point = &g_array_index(series->points, MonPoint, i);
        SVG(out, "%g,%g ", place(x, point->x), place(y, point->y));
    }
    g_string_append(out, "\"/>\n");
    for (guint i = 0; i < series->points->len; i++) {
        const MonPoint *point = &g_array_index(series->points, MonPoint, i);
        SVG(out, "<circle cx=\"%g\" cy=\"%g\" r=\"3.5\"/>\n", place(x, point->x), place(y, point->y));
    }
    for (guint i = 0; i < series->beyond->len; i++)
        SVG(out, "<path d=\"M%g %g l5 9 h-10 z\"/>\n", place(x, g_array_index(series->beyond, double, i)), TOP);
    double row = TOP + 10 + (double)LEGEND_ROW * index;
    SVG(out, "<path d=\"M%g %g h22\" stroke-width=\"2\"", RIGHT + 14, row);
    g_string_append_printf(out, "%s/>\n</g>\n", dash);
    append_text(out, RIGHT + 42, row + 4, "start", 12, series->name);
}

/* Returns the width of the legend. Letters of 12 pixels are some 7 pixels wide. */
static double legend_width(const GPtrArray *all)
{
    glong most = 0;
    for (guint i = 0; i < all->len; i++)
        most = MAX(most, g_utf8_strlen(((const MonSeries *)g_ptr_array_index(all, i))->name, -1));
    return MAX(LEAST_LEGEND, 56.0 + 7.0 * (double)most);
}

static bool any_beyond(const GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++)
        if (((const MonSeries *)g_ptr_array_index(all, i))->beyond->len)
            return true;
    return false;
}

bool mon_plot_write_svg(const char *path, const char *title, const char *x_label, const char *y_label,
                        const GPtrArray *series, bool logarithmic, GError **error)
{
    Axis x = make_axis(series, false, logarithmic, LEFT, RIGHT);
    Axis y = make_axis(series, true, logarithmic, BOTTOM, TOP);
    g_autoptr(GString) out = g_string_new("<svg xmlns=\"http://www.w3.org/2000/svg\" ");
    double width = RIGHT + legend_width(series),
           height = MAX(BOTTOM + BELOW, TOP + 20.0 + (double)LEGEND_ROW * series->len);
    SVG(out, "width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\">\n", width, height, width,
        height);
    g_string_append(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    append_text(out, LEFT, 28, "start", 17, title);
    if (any_beyond(series))
        append_text(out, LEFT, 45, "start", 12, "triangles at the top: too large to be drawn, or without limit");
    draw_ticks(out, &x, false);
    draw_ticks(out, &y, true);
    SVG(out, "<path d=\"M%g %g V%g H%g\" fill=\"none\" stroke=\"black\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
    append_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + BELOW - 24, "middle", 14, x_label);
    SVG(out, "<g transform=\"rotate(-90 %g %g)\">", 22, (TOP + BOTTOM) / 2.0);
    append_text(out, 22, (TOP + BOTTOM) / 2.0, "middle", 14, y_label);
    g_string_append(out, "</g>\n");
    for (guint i = 0; i < series->len; i++)
        draw_series(out, g_ptr_array_index(series, i), i, &x, &y);
    g_string_append(out, "</svg>\n");
    return base_write_file(path, out->str, out->len, error);
}
