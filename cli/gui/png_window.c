/* png_window.c - a picture of a network as PNG, painted by Cairo. Only in the program orrery-gui: see gui.h. */
#include "cli/base/base.h"
#include "cli/gui/gui.h"
#include "cli/topo/topo.h"

#include <cairo.h>

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
}

static void paint_line(cairo_t *cairo, const TopoShape *shape)
{
    cairo_move_to(cairo, shape->x, shape->y);
    if (shape->kind == TOPO_CURVE) /* the quadratic curve as a cubic one */
        cairo_curve_to(cairo, shape->x + (shape->via_x - shape->x) * 2 / 3,
                       shape->y + (shape->via_y - shape->y) * 2 / 3, shape->to_x + (shape->via_x - shape->to_x) * 2 / 3,
                       shape->to_y + (shape->via_y - shape->to_y) * 2 / 3, shape->to_x, shape->to_y);
    else
        cairo_line_to(cairo, shape->to_x, shape->to_y);
    set_colour(cairo, shape->colour);
    cairo_set_line_width(cairo, shape->size);
    cairo_set_dash(cairo, (const double[]){6, 4}, shape->dashed ? 2 : 0, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
}

static void paint_vertex(cairo_t *cairo, const TopoShape *shape)
{
    cairo_new_path(cairo);
    if (shape->kind == TOPO_DISC)
        cairo_arc(cairo, shape->x, shape->y, shape->size, 0, 2 * G_PI);
    else
        cairo_rectangle(cairo, shape->x - shape->size, shape->y - shape->size, 2 * shape->size, 2 * shape->size);
    set_colour(cairo, shape->colour);
    cairo_fill_preserve(cairo);
    set_colour(cairo, 0x24364f);
    cairo_set_line_width(cairo, 1);
    cairo_stroke(cairo);
}

static void paint_text(cairo_t *cairo, const TopoShape *shape)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(cairo, shape->size);
    cairo_text_extents(cairo, shape->text, &extents);
    double x = shape->from_middle ? shape->x - extents.x_advance / 2 : shape->x;
    if (shape->halo) {
        cairo_move_to(cairo, x, shape->y);
        cairo_text_path(cairo, shape->text);
        set_colour(cairo, 0xffffff);
        cairo_set_line_width(cairo, 3);
        cairo_stroke(cairo);
    }
    cairo_move_to(cairo, x, shape->y);
    set_colour(cairo, shape->colour);
    cairo_show_text(cairo, shape->text);
}

static void paint(cairo_t *cairo, const TopoPicture *picture)
{
    set_colour(cairo, 0xffffff);
    cairo_paint(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    for (guint i = 0; i < picture->shapes->len; i++) {
        const TopoShape *shape = &g_array_index(picture->shapes, TopoShape, i);
        switch (shape->kind) {
        case TOPO_LINE:
        case TOPO_CURVE: paint_line(cairo, shape); break;
        case TOPO_DISC:
        case TOPO_SQUARE: paint_vertex(cairo, shape); break;
        case TOPO_TEXT: paint_text(cairo, shape); break;
        }
    }
}

static cairo_status_t append_bytes(void *user, const unsigned char *bytes, unsigned size)
{
    g_byte_array_append(user, bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

static GByteArray *draw(const TopoPicture *picture, GError **error)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)picture->width, (int)picture->height);
    cairo_t *cairo = cairo_create(surface);
    GByteArray *bytes = g_byte_array_new();
    paint(cairo, picture);
    cairo_status_t status = cairo_status(cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, append_bytes, bytes);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return bytes;
    g_byte_array_unref(bytes);
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "a picture of %.0f by %.0f pixels cannot be painted: %s",
                picture->width, picture->height, cairo_status_to_string(status));
    return NULL;
}

GByteArray *(*const cli_gui_png)(const TopoPicture *picture, GError **error) = draw;

int cli_gui_hand_over(int argc, char **argv)
{
    (void)argc, (void)argv; /* this program has Cairo */
    return CLI_STATUS_USAGE;
}
