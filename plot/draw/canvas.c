/* canvas.c - a list of shapes. */
#include "plot/plot.h"

#include <math.h>

PlotCanvas *plot_canvas_new(uint32_t paper)
{
    PlotCanvas *canvas = g_new0(PlotCanvas, 1);
    canvas->paper = paper;
    canvas->shapes = g_array_new(FALSE, FALSE, sizeof(PlotShape));
    canvas->points = g_array_new(FALSE, FALSE, sizeof(PlotPoint));
    canvas->texts = g_string_chunk_new(4096);
    return canvas;
}

void plot_canvas_free(PlotCanvas *canvas)
{
    if (!canvas)
        return;
    g_array_unref(canvas->shapes);
    g_array_unref(canvas->points);
    g_string_chunk_free(canvas->texts);
    g_free(canvas->title);
    g_free(canvas->description);
    g_free(canvas);
}

static void add(PlotCanvas *canvas, PlotShape shape, const char *text)
{
    shape.text = text ? g_string_chunk_insert(canvas->texts, text) : NULL;
    g_array_append_val(canvas->shapes, shape);
}

void plot_canvas_rectangle(PlotCanvas *canvas, double x, double y, double width, double height, PlotInk ink,
                           const char *told)
{
    add(canvas, (PlotShape){.kind = PLOT_RECTANGLE, .ink = ink, .x = x, .y = y, .width = width, .height = height},
        told);
}

static void add_points(PlotCanvas *canvas, PlotShapeKind kind, const PlotPoint *points, guint count, PlotInk ink,
                       const char *told)
{
    guint first = canvas->points->len;
    g_array_append_vals(canvas->points, points, count);
    add(canvas, (PlotShape){.kind = kind, .ink = ink, .first = first, .count = count}, told);
}

void plot_canvas_line(PlotCanvas *canvas, const PlotPoint *points, guint count, PlotInk ink, const char *told)
{
    ink.fill = PLOT_NONE;
    add_points(canvas, PLOT_LINE, points, count, ink, told);
}

void plot_canvas_area(PlotCanvas *canvas, const PlotPoint *points, guint count, PlotInk ink, const char *told)
{
    add_points(canvas, PLOT_AREA, points, count, ink, told);
}

void plot_canvas_disc(PlotCanvas *canvas, double x, double y, double radius, PlotInk ink, const char *told)
{
    add(canvas, (PlotShape){.kind = PLOT_DISC, .ink = ink, .x = x, .y = y, .width = radius}, told);
}

static PlotShape text_at(double x, double y, double size, PlotAlign align, uint32_t colour)
{
    return (PlotShape){
        .kind = PLOT_TEXT, .ink = {.fill = colour, .line = PLOT_NONE}, .x = x, .y = y, .height = size, .align = align};
}

void plot_canvas_text(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                      const char *text)
{
    add(canvas, text_at(x, y, size, align, colour), text);
}

void plot_canvas_bold(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                      const char *text)
{
    PlotShape shape = text_at(x, y, size, align, colour);
    shape.bold = true;
    add(canvas, shape, text);
}

void plot_canvas_upright(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                         const char *text)
{
    PlotShape shape = text_at(x, y, size, align, colour);
    shape.upright = true;
    add(canvas, shape, text);
}

void plot_canvas_label(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                       uint32_t paper, const char *text)
{
    PlotShape shape = text_at(x, y, size, align, colour);
    shape.ink.line = paper;
    shape.ink.width = 3;
    add(canvas, shape, text);
}

void plot_canvas_group(PlotCanvas *canvas, const char *name)
{
    add(canvas, (PlotShape){.kind = PLOT_GROUP}, name);
}

void plot_canvas_group_end(PlotCanvas *canvas)
{
    add(canvas, (PlotShape){.kind = PLOT_GROUP_END}, NULL);
}

void plot_canvas_arrow(PlotCanvas *canvas, PlotPoint from, PlotPoint to, double head, PlotInk ink, const char *told)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    if (length < head * 1.2) { /* too short for a head of that size */
        plot_canvas_line(canvas, (const PlotPoint[]){from, to}, 2, ink, told);
        return;
    }
    dx /= length, dy /= length;
    PlotPoint neck = {to.x - dx * head, to.y - dy * head};
    double half = head * 0.38;
    PlotInk filled = {.fill = ink.line, .line = PLOT_NONE, .opacity = ink.opacity};
    plot_canvas_line(canvas, (const PlotPoint[]){from, neck}, 2, ink, told);
    plot_canvas_area(
        canvas,
        (const PlotPoint[]){to, {neck.x - dy * half, neck.y + dx * half}, {neck.x + dy * half, neck.y - dx * half}}, 3,
        filled, NULL);
}

/* -- all shapes -------------------------------------------------------------------------------- */

static void include(PlotBox *box, double left, double top, double right, double bottom)
{
    box->left = fmin(box->left, left), box->right = fmax(box->right, right);
    box->top = fmin(box->top, top), box->bottom = fmax(box->bottom, bottom);
}

static void include_text(PlotBox *box, const PlotShape *shape)
{
    double width = plot_text_width(shape->text, shape->height, shape->bold), before = width * shape->align / 2;
    if (shape->upright)
        include(box, shape->x - shape->height, shape->y - width + before, shape->x, shape->y + before);
    else
        include(box, shape->x - before, shape->y - shape->height, shape->x - before + width, shape->y);
}

PlotBox plot_canvas_box(const PlotCanvas *canvas)
{
    PlotBox box = {G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE};
    for (guint i = 0; i < canvas->shapes->len; i++) {
        const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        double r = shape->width;
        switch (shape->kind) {
        case PLOT_RECTANGLE:
            include(&box, shape->x, shape->y, shape->x + shape->width, shape->y + shape->height);
            break;
        case PLOT_DISC: include(&box, shape->x - r, shape->y - r, shape->x + r, shape->y + r); break;
        case PLOT_TEXT: include_text(&box, shape); break;
        default:
            for (guint k = shape->first; k < shape->first + shape->count; k++) {
                PlotPoint at = g_array_index(canvas->points, PlotPoint, k);
                include(&box, at.x, at.y, at.x, at.y);
            }
        }
    }
    return box.left > box.right ? (PlotBox){0} : box;
}

void plot_canvas_move(PlotCanvas *canvas, double x, double y)
{
    for (guint i = 0; i < canvas->shapes->len; i++) {
        PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        shape->x += x;
        shape->y += y;
    }
    for (guint i = 0; i < canvas->points->len; i++) {
        PlotPoint *point = &g_array_index(canvas->points, PlotPoint, i);
        point->x += x;
        point->y += y;
    }
}

bool plot_canvas_alike(const PlotShape *one, const PlotShape *other)
{
    const PlotInk *a = &one->ink, *b = &other->ink;
    return one->kind == PLOT_RECTANGLE && other->kind == PLOT_RECTANGLE && !one->text && !other->text &&
           a->fill == b->fill && a->line == b->line && a->width == b->width && a->opacity == b->opacity &&
           a->dash == b->dash && a->pattern == b->pattern && a->pattern_ink == b->pattern_ink;
}
