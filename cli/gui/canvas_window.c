/* canvas_window.c - a canvas of plot/ as PNG or PDF, painted by Cairo. Only in the program orrery-gui: see gui.h. */
#include "cli/base/base.h"
#include "cli/gui/gui.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>

#define PNG_SCALE   2.0
#define PDF_POINTS  0.75 /* a pixel of 1/96 inch in points of 1/72 inch */
#define MOST_PIXELS 32000.0

static void set_colour(cairo_t *cairo, uint32_t colour, double opacity)
{
    double alpha = opacity > 0 && opacity < 1 ? opacity : 1;
    cairo_set_source_rgba(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0,
                          alpha);
}

/* -- patterns: the same strokes as in SVG ------------------------------------------------------- */

static void slanted(cairo_t *cairo, double left, double top, double right, double bottom, bool rising)
{
    double height = bottom - top, step = PLOT_PATTERN_STEP;
    double first = floor((left - height) / step) * step, phase = rising ? bottom : top;
    first -= fmod(rising ? -phase : phase, step); /* lines go through the same points of the picture everywhere */
    for (double x = first - step; x <= right + height + step; x += step) {
        cairo_move_to(cairo, x, rising ? bottom : top);
        cairo_line_to(cairo, x + height, rising ? top : bottom);
    }
}

static void dots(cairo_t *cairo, double left, double top, double right, double bottom)
{
    double step = PLOT_PATTERN_STEP;
    for (double y = floor(top / step) * step; y <= bottom; y += step / 2)
        for (double x = floor(left / step) * step + (fmod(y, step) > 1 ? step / 2 : 0); x <= right; x += step)
            cairo_rectangle(cairo, x + 2, y + 2, PLOT_PATTERN_WIDTH, PLOT_PATTERN_WIDTH);
}

static void stroke_pattern(cairo_t *cairo, const PlotInk *ink)
{
    double left, top, right, bottom;
    cairo_save(cairo);
    cairo_clip_preserve(cairo);
    cairo_clip_extents(cairo, &left, &top, &right, &bottom);
    cairo_new_path(cairo);
    set_colour(cairo, ink->pattern_ink, ink->opacity);
    cairo_set_line_width(cairo, PLOT_PATTERN_WIDTH);
    cairo_set_dash(cairo, NULL, 0, 0);
    if (ink->pattern == PLOT_RISING || ink->pattern == PLOT_CROSSED)
        slanted(cairo, left, top, right, bottom, true);
    if (ink->pattern == PLOT_FALLING || ink->pattern == PLOT_CROSSED)
        slanted(cairo, left, top, right, bottom, false);
    for (double y = floor(top / PLOT_PATTERN_STEP) * PLOT_PATTERN_STEP + 3; ink->pattern == PLOT_LEVEL && y <= bottom;
         y += PLOT_PATTERN_STEP) {
        cairo_move_to(cairo, left, y);
        cairo_line_to(cairo, right, y);
    }
    cairo_stroke(cairo);
    if (ink->pattern == PLOT_DOTS) {
        dots(cairo, left, top, right, bottom);
        cairo_fill(cairo);
    }
    cairo_restore(cairo);
}

/* -- shapes ------------------------------------------------------------------------------------ */

static void add_path(cairo_t *cairo, const PlotCanvas *canvas, const PlotShape *shape)
{
    switch (shape->kind) {
    case PLOT_RECTANGLE: cairo_rectangle(cairo, shape->x, shape->y, shape->width, shape->height); break;
    case PLOT_DISC:
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, shape->x, shape->y, shape->width, 0, 2 * G_PI);
        break;
    default:
        for (guint i = 0; i < shape->count; i++) {
            const PlotPoint *point = &g_array_index(canvas->points, PlotPoint, shape->first + i);
            (i ? cairo_line_to : cairo_move_to)(cairo, point->x, point->y);
        }
        if (shape->kind == PLOT_AREA)
            cairo_close_path(cairo);
    }
}

static void paint_path(cairo_t *cairo, const PlotInk *ink)
{
    static const struct {
        int count;
        double lengths[4];
    } dashes[] = {{0, {0}}, {2, {7, 4}}, {2, {2, 3}}, {4, {9, 3, 2, 3}}};
    if (ink->fill != PLOT_NONE) {
        set_colour(cairo, ink->fill, ink->opacity);
        cairo_fill_preserve(cairo);
    }
    if (ink->pattern) {
        cairo_path_t *path = cairo_copy_path(cairo);
        stroke_pattern(cairo, ink);
        cairo_new_path(cairo);
        cairo_append_path(cairo, path);
        cairo_path_destroy(path);
    }
    if (ink->line != PLOT_NONE) {
        set_colour(cairo, ink->line, ink->opacity);
        cairo_set_line_width(cairo, ink->width);
        cairo_set_dash(cairo, dashes[ink->dash].lengths, dashes[ink->dash].count, 0);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void paint_text(cairo_t *cairo, const PlotShape *shape)
{
    cairo_text_extents_t extents;
    g_autofree char *valid = g_utf8_make_valid(shape->text, -1);
    cairo_select_font_face(cairo, PLOT_FONT, CAIRO_FONT_SLANT_NORMAL,
                           shape->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, shape->height);
    cairo_text_extents(cairo, valid, &extents);
    cairo_save(cairo);
    cairo_translate(cairo, shape->x, shape->y);
    if (shape->upright)
        cairo_rotate(cairo, -G_PI / 2);
    cairo_move_to(cairo, -extents.x_advance * shape->align / 2, 0);
    if (shape->ink.line != PLOT_NONE) {
        cairo_text_path(cairo, valid);
        set_colour(cairo, shape->ink.line, 0);
        cairo_set_line_width(cairo, shape->ink.width);
        cairo_set_dash(cairo, NULL, 0, 0);
        cairo_stroke(cairo);
        cairo_move_to(cairo, -extents.x_advance * shape->align / 2, 0);
    }
    set_colour(cairo, shape->ink.fill, 0);
    cairo_show_text(cairo, valid);
    cairo_restore(cairo);
    cairo_new_path(cairo);
}

static void paint(cairo_t *cairo, const PlotCanvas *canvas)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    set_colour(cairo, canvas->paper, 0);
    cairo_paint(cairo);
    for (guint i = 0; i < canvas->shapes->len; i++) {
        const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        if (shape->kind == PLOT_TEXT) {
            paint_text(cairo, shape);
        } else if (shape->kind != PLOT_GROUP && shape->kind != PLOT_GROUP_END) {
            add_path(cairo, canvas, shape);
            while (i + 1 < canvas->shapes->len &&
                   plot_canvas_alike(shape, &g_array_index(canvas->shapes, PlotShape, i + 1)))
                add_path(cairo, canvas, &g_array_index(canvas->shapes, PlotShape, ++i));
            paint_path(cairo, &shape->ink);
        }
    }
}

/* -- files ------------------------------------------------------------------------------------- */

static cairo_status_t append_bytes(void *user, const unsigned char *bytes, unsigned size)
{
    g_byte_array_append(user, bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *new_surface(const PlotCanvas *canvas, bool png, GByteArray *bytes)
{
    if (png)
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(canvas->width * PNG_SCALE),
                                          (int)ceil(canvas->height * PNG_SCALE));
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append_bytes, bytes, canvas->width * PDF_POINTS,
                                                                   canvas->height * PDF_POINTS);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, canvas->title ? canvas->title : "");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* the same bytes on every day */
    return surface;
}

static GByteArray *draw(const PlotCanvas *canvas, bool png, GError **error)
{
    double scale = png ? PNG_SCALE : PDF_POINTS;
    cairo_status_t status = CAIRO_STATUS_INVALID_SIZE;
    GByteArray *bytes = g_byte_array_new();
    if (canvas->width * scale < MOST_PIXELS && canvas->height * scale < MOST_PIXELS) {
        cairo_surface_t *surface = new_surface(canvas, png, bytes);
        cairo_t *cairo = cairo_create(surface);
        cairo_scale(cairo, scale, scale);
        paint(cairo, canvas);
        cairo_show_page(cairo);
        status = cairo_status(cairo);
        cairo_destroy(cairo);
        if (png && status == CAIRO_STATUS_SUCCESS)
            status = cairo_surface_write_to_png_stream(surface, append_bytes, bytes);
        cairo_surface_finish(surface);
        status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
        cairo_surface_destroy(surface);
    }
    if (status == CAIRO_STATUS_SUCCESS)
        return bytes;
    g_byte_array_unref(bytes);
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "a picture of %.0f by %.0f pixels cannot be painted: %s",
                canvas->width * scale, canvas->height * scale, cairo_status_to_string(status));
    return NULL;
}

GByteArray *(*const cli_gui_paint)(const PlotCanvas *canvas, bool png, GError **error) = draw;

int cli_gui_hand_over(int argc, char **argv)
{
    (void)argc, (void)argv; /* this program has Cairo */
    return CLI_STATUS_USAGE;
}
