/* paint.c - colours and text: small helpers that all panels use. */
#include "gui/paint.h"
#include "monitor/monitor.h"

#include <pango/pangocairo.h>

const GuiColour gui_paint_ink = {0.13, 0.15, 0.18};
const GuiColour gui_paint_faint = {0.62, 0.65, 0.70};
const GuiColour gui_paint_paper = {1.0, 1.0, 1.0};

GuiColour gui_paint_state(GuiState state)
{
    /* People with any kind of colour vision can tell these apart: green-blue, yellow, vermilion, grey, black. */
    static const GuiColour colours[] = {
        {0.0, 0.62, 0.45}, {0.94, 0.80, 0.26}, {0.84, 0.37, 0.0}, {0.85, 0.86, 0.88}, {0.2, 0.2, 0.2}};
    return colours[state];
}

GuiColour gui_paint_heat(double share)
{
    uint32_t colour = mon_load_colour(share);
    return (GuiColour){(colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0};
}

void gui_paint_colour(cairo_t *cairo, GuiColour colour)
{
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

double gui_paint_text(cairo_t *cairo, double x, double y, double size, GuiAlign align, const char *text)
{
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    PangoFontDescription *font = pango_font_description_from_string("Sans");
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_text(layout, text, -1);
    int width, height;
    pango_layout_get_pixel_size(layout, &width, &height);
    double left = align == GUI_LEFT ? x : (align == GUI_CENTRE ? x - width / 2.0 : x - width);
    cairo_move_to(cairo, left, y - height / 2.0);
    pango_cairo_show_layout(cairo, layout);
    pango_font_description_free(font);
    g_object_unref(layout);
    return width;
}
