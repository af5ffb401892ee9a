/* svg.c - a picture of a network as SVG. Numbers have one decimal and a decimal point in every locale. */
#include "cli/topo/topo.h"

static void append_number(GString *out, const char *key, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(out, " %s=\"%s\"", key, g_ascii_formatd(text, sizeof text, "%.1f", value));
}

static void append_point(GString *out, char letter, double x, double y)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(out, "%c%s", letter, g_ascii_formatd(text, sizeof text, "%.1f", x));
    g_string_append_printf(out, " %s", g_ascii_formatd(text, sizeof text, "%.1f", y));
}

static void append_line(const TopoShape *shape, GString *out)
{
    if (shape->kind == TOPO_LINE) {
        g_string_append(out, "<line");
        append_number(out, "x1", shape->x);
        append_number(out, "y1", shape->y);
        append_number(out, "x2", shape->to_x);
        append_number(out, "y2", shape->to_y);
    } else {
        g_string_append(out, "<path d=\"");
        append_point(out, 'M', shape->x, shape->y);
        append_point(out, 'Q', shape->via_x, shape->via_y);
        append_point(out, ' ', shape->to_x, shape->to_y);
        g_string_append(out, "\" fill=\"none\"");
    }
    g_string_append_printf(out, " stroke=\"#%06x\"", shape->colour);
    append_number(out, "stroke-width", shape->size);
    if (shape->dashed)
        g_string_append(out, " stroke-dasharray=\"6 4\"");
    g_string_append(out, "/>\n");
}

static void append_vertex(const TopoShape *shape, GString *out)
{
    g_autofree char *name = g_markup_escape_text(shape->text, -1);
    bool disc = shape->kind == TOPO_DISC;
    g_string_append(out, disc ? "<circle" : "<rect");
    if (disc) {
        append_number(out, "cx", shape->x);
        append_number(out, "cy", shape->y);
        append_number(out, "r", shape->size);
    } else {
        append_number(out, "x", shape->x - shape->size);
        append_number(out, "y", shape->y - shape->size);
        append_number(out, "width", 2 * shape->size);
        append_number(out, "height", 2 * shape->size);
    }
    g_string_append_printf(out, " fill=\"#%06x\" stroke=\"#24364f\"><title>%s</title></%s>\n", shape->colour, name,
                           disc ? "circle" : "rect");
}

static void append_text(const TopoShape *shape, GString *out)
{
    g_autofree char *text = g_markup_escape_text(shape->text, -1);
    g_string_append(out, "<text");
    append_number(out, "x", shape->x);
    append_number(out, "y", shape->y);
    append_number(out, "font-size", shape->size);
    g_string_append_printf(out, " fill=\"#%06x\"%s%s>%s</text>\n", shape->colour,
                           shape->from_middle ? " text-anchor=\"middle\"" : "",
                           shape->halo ? " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\"" : "", text);
}

void cli_topo_svg(const TopoPicture *picture, GString *out)
{
    g_string_append_printf(out,
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                           "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
                           "<path d=\"M0 0h%.0fv%.0fH0z\" fill=\"white\"/>\n",
                           picture->width, picture->height, picture->width, picture->height, picture->width,
                           picture->height);
    for (guint i = 0; i < picture->shapes->len; i++) {
        const TopoShape *shape = &g_array_index(picture->shapes, TopoShape, i);
        switch (shape->kind) {
        case TOPO_LINE:
        case TOPO_CURVE: append_line(shape, out); break;
        case TOPO_DISC:
        case TOPO_SQUARE: append_vertex(shape, out); break;
        case TOPO_TEXT: append_text(shape, out); break;
        }
    }
    g_string_append(out, "</svg>\n");
}
