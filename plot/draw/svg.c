/* svg.c - a canvas as SVG. Numbers have at most two decimals, with a point in every locale. Rectangles of one look
 * that follow each other become one path, which keeps pictures of many states small. */
#include "plot/plot.h"

#include <math.h>
#include <string.h>

static void append_number(GString *out, double value)
{
    long long hundredths = llround(value * 100);
    unsigned long long size = (unsigned long long)(hundredths < 0 ? -hundredths : hundredths);
    if (hundredths < 0)
        g_string_append_c(out, '-');
    g_string_append_printf(out, "%llu", size / 100);
    if (size % 100) {
        g_string_append_printf(out, ".%02llu", size % 100);
        if (size % 10 == 0)
            g_string_truncate(out, out->len - 1);
    }
}

static void append_attribute(GString *out, const char *name, double value)
{
    g_string_append_printf(out, " %s=\"", name);
    append_number(out, value);
    g_string_append_c(out, '"');
}

/* Appends text for XML: letters that XML does not allow are left out. */
static void append_escaped(GString *out, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        if (letter < 32 || letter == 0x7f)
            g_string_append_c(out, ' ');
        else if (letter != 0xfffe && letter != 0xffff && !(letter >= 0x80 && letter < 0xa0))
            g_string_append_printf(out,
                                   letter == '<'   ? "&lt;"
                                   : letter == '>' ? "&gt;"
                                   : letter == '&' ? "&amp;"
                                   : letter == '"' ? "&quot;"
                                                   : "%.*s",
                                   (int)g_utf8_skip[(guchar)*at], at);
    }
}

static void append_element(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, "<%s>", name);
    append_escaped(out, text);
    g_string_append_printf(out, "</%s>", name);
}

/* -- patterns ---------------------------------------------------------------------------------- */

static const char *const pattern_names[] = {"plain", "rising", "falling", "dots", "crossed", "level"};

static void append_pattern(GString *out, PlotPattern pattern, uint32_t ink)
{
    static const char *const strokes[] = {
        [PLOT_RISING] = "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
        [PLOT_FALLING] = "M-1 -1L7 7M5 -1L7 1M-1 5L1 7",
        [PLOT_CROSSED] = "M-1 7L7 -1M-1 -1L7 7",
        [PLOT_LEVEL] = "M0 3H6",
    };
    g_string_append_printf(out, "<pattern id=\"%s-%06x\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">",
                           pattern_names[pattern], ink);
    if (pattern == PLOT_DOTS)
        g_string_append_printf(out, "<path d=\"M1 1h1.4v1.4h-1.4zM4 4h1.4v1.4h-1.4z\" fill=\"#%06x\"/>", ink);
    else
        g_string_append_printf(out, "<path d=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.2\"/>",
                               strokes[pattern], ink);
    g_string_append(out, "</pattern>\n");
}

/* Appends the patterns that are used, each once, in the order in which they come. */
static void append_definitions(const PlotCanvas *canvas, GString *out)
{
    g_autoptr(GArray) known = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (guint i = 0; i < canvas->shapes->len; i++) {
        const PlotInk *ink = &g_array_index(canvas->shapes, PlotShape, i).ink;
        uint64_t key = (uint64_t)ink->pattern << 32 | ink->pattern_ink;
        guint k = 0;
        while (k < known->len && g_array_index(known, uint64_t, k) != key)
            k++;
        if (!ink->pattern || k < known->len)
            continue;
        g_string_append(out, known->len ? "" : "<defs>\n");
        append_pattern(out, ink->pattern, ink->pattern_ink);
        g_array_append_val(known, key);
    }
    g_string_append(out, known->len ? "</defs>\n" : "");
}

/* -- shapes ------------------------------------------------------------------------------------ */

static void append_ink(GString *out, const PlotInk *ink, const char *pattern)
{
    static const char *const dashes[] = {[PLOT_DASHED] = "7 4", [PLOT_DOTTED] = "2 3", [PLOT_DASH_DOT] = "9 3 2 3"};
    if (pattern)
        g_string_append_printf(out, " fill=\"url(#%s-%06x)\"", pattern, ink->pattern_ink);
    else if (ink->fill == PLOT_NONE)
        g_string_append(out, " fill=\"none\"");
    else
        g_string_append_printf(out, " fill=\"#%06x\"", ink->fill);
    if (ink->line != PLOT_NONE && !pattern) {
        g_string_append_printf(out, " stroke=\"#%06x\"", ink->line);
        append_attribute(out, "stroke-width", ink->width);
        if (ink->dash)
            g_string_append_printf(out, " stroke-dasharray=\"%s\"", dashes[ink->dash]);
    }
    if (ink->opacity > 0 && ink->opacity < 1)
        append_attribute(out, "opacity", ink->opacity);
}

/* Closes an element, with what it tells. */
static void end_element(GString *out, const char *name, const char *told)
{
    if (!told) {
        g_string_append(out, "/>\n");
        return;
    }
    g_string_append_c(out, '>');
    append_element(out, "title", told);
    g_string_append_printf(out, "</%s>\n", name);
}

static void append_place(GString *out, char letter, double x, double y)
{
    g_string_append_c(out, letter);
    append_number(out, x);
    g_string_append_c(out, ' ');
    append_number(out, y);
}

static void append_path(const PlotCanvas *canvas, const PlotShape *shape, GString *out)
{
    for (guint i = 0; i < shape->count; i++) {
        const PlotPoint *point = &g_array_index(canvas->points, PlotPoint, shape->first + i);
        append_place(out, i ? 'L' : 'M', point->x, point->y);
    }
    if (shape->kind == PLOT_AREA)
        g_string_append_c(out, 'z');
}

static void append_rectangle(const PlotShape *shape, GString *out)
{
    append_place(out, 'M', shape->x, shape->y);
    g_string_append_c(out, 'h');
    append_number(out, shape->width);
    g_string_append_c(out, 'v');
    append_number(out, shape->height);
    g_string_append_c(out, 'h');
    append_number(out, -shape->width);
    g_string_append_c(out, 'z');
}

/* Appends `count` shapes as one path, and again with their pattern. */
static void append_as_path(const PlotCanvas *canvas, const PlotShape *shapes, guint count, GString *out)
{
    const PlotInk *ink = &shapes->ink;
    bool rectangles = shapes->kind == PLOT_RECTANGLE;
    for (int layer = 0; layer < (ink->pattern && shapes->kind != PLOT_LINE ? 2 : 1); layer++) {
        g_string_append(out, "<path d=\"");
        for (guint i = 0; i < count; i++)
            if (rectangles)
                append_rectangle(&shapes[i], out);
            else
                append_path(canvas, &shapes[i], out);
        g_string_append_c(out, '"');
        append_ink(out, ink, layer ? pattern_names[ink->pattern] : NULL);
        if (ink->line != PLOT_NONE && !layer)
            g_string_append(out, " stroke-linejoin=\"round\"");
        if (layer && shapes->text)
            g_string_append(out, " pointer-events=\"none\""); /* what is below tells */
        end_element(out, "path", layer ? NULL : shapes->text);
    }
}

static void append_text(const PlotShape *shape, GString *out)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    g_string_append(out, "<text");
    if (shape->upright) {
        g_string_append(out, " transform=\"translate(");
        append_number(out, shape->x);
        g_string_append_c(out, ' ');
        append_number(out, shape->y);
        g_string_append(out, ") rotate(-90)\"");
    } else {
        append_attribute(out, "x", shape->x);
        append_attribute(out, "y", shape->y);
    }
    append_attribute(out, "font-size", shape->height);
    g_string_append_printf(out, "%s fill=\"#%06x\"%s", shape->bold ? " font-weight=\"bold\"" : "", shape->ink.fill,
                           anchors[shape->align]);
    if (shape->ink.line != PLOT_NONE) {
        g_string_append_printf(out, " stroke=\"#%06x\" paint-order=\"stroke\"", shape->ink.line);
        append_attribute(out, "stroke-width", shape->ink.width);
    }
    g_string_append_c(out, '>');
    append_escaped(out, shape->text);
    g_string_append(out, "</text>\n");
}

static void append_disc(const PlotShape *shape, GString *out)
{
    g_string_append(out, "<circle");
    append_attribute(out, "cx", shape->x);
    append_attribute(out, "cy", shape->y);
    append_attribute(out, "r", shape->width);
    append_ink(out, &shape->ink, NULL);
    end_element(out, "circle", shape->text);
}

/* Appends the shapes from index i on that become one element. Returns the index of the next shape. */
static guint append_shape(const PlotCanvas *canvas, guint i, GString *out)
{
    const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
    guint next = i + 1;
    switch (shape->kind) {
    case PLOT_RECTANGLE:
        while (next < canvas->shapes->len && plot_canvas_alike(shape, &g_array_index(canvas->shapes, PlotShape, next)))
            next++;
        append_as_path(canvas, shape, next - i, out);
        break;
    case PLOT_LINE:
    case PLOT_AREA: append_as_path(canvas, shape, 1, out); break;
    case PLOT_DISC: append_disc(shape, out); break;
    case PLOT_TEXT: append_text(shape, out); break;
    case PLOT_GROUP: g_string_append_printf(out, "<g class=\"%s\">\n", shape->text); break;
    case PLOT_GROUP_END: g_string_append(out, "</g>\n"); break;
    }
    return next;
}

GString *plot_svg(const PlotCanvas *canvas)
{
    GString *out = g_string_new("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    append_attribute(out, "width", canvas->width);
    append_attribute(out, "height", canvas->height);
    g_string_append(out, " viewBox=\"0 0 ");
    append_number(out, canvas->width);
    g_string_append_c(out, ' ');
    append_number(out, canvas->height);
    g_string_append(out, "\" font-family=\"'" PLOT_FONT "', Verdana, sans-serif\" role=\"img\">\n");
    append_element(out, "title", canvas->title ? canvas->title : "");
    g_string_append_c(out, '\n');
    append_element(out, "desc", canvas->description ? canvas->description : "");
    g_string_append_c(out, '\n');
    append_definitions(canvas, out);
    g_string_append(out, "<rect");
    append_attribute(out, "width", canvas->width);
    append_attribute(out, "height", canvas->height);
    g_string_append_printf(out, " fill=\"#%06x\"/>\n", canvas->paper);
    for (guint i = 0; i < canvas->shapes->len;)
        i = append_shape(canvas, i, out);
    g_string_append(out, "</svg>\n");
    return out;
}
