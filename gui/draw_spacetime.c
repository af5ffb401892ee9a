/* draw_spacetime.c - the space-time diagram: a row for each rank, time to the right, messages as lines from sender to
 * receiver.
 *
 * The cost of drawing depends on what can be seen, not on what was recorded: intervals narrower than a pixel are drawn
 * at most once per pixel.
 */
#include "base/units.h"
#include "gui/paint.h"
#include "gui/scene.h"
#include <math.h>

#define LABEL_WIDTH 48.0
#define AXIS_HEIGHT 22.0

typedef struct Plot {
    GuiRect area; /* area of the rows */
    double row;   /* height of a row */
    uint32_t rows, first;
    double ps_per_pixel;
    uint64_t from_ps;
} Plot;

static double x_of(const Plot *plot, uint64_t time_ps)
{
    return plot->area.x + ((double)time_ps - (double)plot->from_ps) / plot->ps_per_pixel;
}

static double y_of(const Plot *plot, uint32_t rank)
{
    return plot->area.y + ((double)rank - plot->first + 0.5) * plot->row;
}

static void draw_rank(GuiScene *scene, const Plot *plot, cairo_t *cairo, uint32_t rank)
{
    const GArray *list = scene->by_rank[rank];
    double y = y_of(plot, rank), height = MAX(plot->row * 0.62, 1.0), last_x = -1.0;
    /* Waits for ever, so to the end of the picture. */
    if (mach_run_rank_state(scene->machine, rank) == MACH_RANK_BLOCKED) {
        const MonInterval *last = list->len > 0 ? &g_array_index(scene->recording->intervals, MonInterval,
                                                                 g_array_index(list, guint, list->len - 1))
                                                : NULL;
        double left = MAX(x_of(plot, last ? last->to_ps : 0), plot->area.x);
        gui_paint_colour(cairo, gui_paint_state(GUI_WAITING));
        cairo_rectangle(cairo, left, y - height / 2, plot->area.x + plot->area.width - left, height);
        cairo_fill(cairo);
    }
    for (guint i = 0; i < list->len; i++) {
        const MonInterval *interval =
            &g_array_index(scene->recording->intervals, MonInterval, g_array_index(list, guint, i));
        if (interval->to_ps < scene->from_ps || interval->from_ps > scene->to_ps)
            continue;
        double left = MAX(x_of(plot, interval->from_ps), plot->area.x);
        double right = MIN(x_of(plot, interval->to_ps), plot->area.x + plot->area.width);
        if (right - last_x < 0.25)
            continue;
        last_x = right;
        gui_paint_colour(cairo, gui_paint_state((GuiState)interval->activity));
        cairo_rectangle(cairo, left, y - height / 2, MAX(right - left, 0.25), height);
        cairo_fill(cairo);
    }
}

static void draw_messages(GuiScene *scene, const Plot *plot, cairo_t *cairo)
{
    const GArray *messages = scene->recording->messages;
    cairo_set_source_rgba(cairo, 0.0, 0.27, 0.70, messages->len > 2000 ? 0.25 : 0.8);
    cairo_set_line_width(cairo, 1.0);
    for (guint i = 0; i < messages->len; i++) {
        const MpiMessageInfo *message = &g_array_index(messages, MpiMessageInfo, i);
        if (message->delivered_ps < scene->from_ps || message->sent_ps > scene->to_ps)
            continue;
        cairo_move_to(cairo, x_of(plot, message->sent_ps), y_of(plot, message->from));
        cairo_line_to(cairo, x_of(plot, message->delivered_ps), y_of(plot, message->to));
        cairo_stroke(cairo);
    }
}

/* Returns 1, 2 or 5 times a power of ten, so that about eight steps fit. */
static double tick_step(double span)
{
    double raw = span / 8.0, power = pow(10.0, floor(log10(MAX(raw, 1.0)))), digit = raw / power;
    return (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0) * power;
}

static void draw_axis(GuiScene *scene, const Plot *plot, cairo_t *cairo)
{
    double step = tick_step((double)(scene->to_ps - scene->from_ps)), bottom = plot->area.y + plot->area.height;
    for (double t = ceil((double)scene->from_ps / step) * step; t <= (double)scene->to_ps; t += step) {
        double x = x_of(plot, (uint64_t)t);
        g_autofree char *label = base_units_format_time((uint64_t)t);
        gui_paint_colour(cairo, (GuiColour){0.90, 0.91, 0.93});
        cairo_set_line_width(cairo, 1.0);
        cairo_move_to(cairo, x, plot->area.y);
        cairo_line_to(cairo, x, bottom);
        cairo_stroke(cairo);
        gui_paint_colour(cairo, gui_paint_ink);
        gui_paint_text(cairo, x, bottom + 11, 10, GUI_CENTRE, label);
    }
}

static void draw_legend(cairo_t *cairo, GuiRect area)
{
    double x = area.x + area.width;
    for (int i = 2; i >= 0; i--) {
        gui_paint_colour(cairo, gui_paint_ink);
        x -= gui_paint_text(cairo, x, area.y - 14, 11, GUI_RIGHT, gui_scene_state_name((GuiState)i)) + 18;
        gui_paint_colour(cairo, gui_paint_state((GuiState)i));
        cairo_rectangle(cairo, x, area.y - 19, 12, 10);
        cairo_fill(cairo);
        x -= 14;
    }
}

void gui_draw_spacetime(GuiScene *scene, cairo_t *cairo, GuiRect area)
{
    Plot plot = {.area = {area.x + LABEL_WIDTH, area.y, area.width - LABEL_WIDTH - 8, area.height - AXIS_HEIGHT}};
    uint32_t ranks = scene->recording->ranks;
    plot.row = MAX(plot.area.height / ranks, 3.0);
    plot.row = MIN(plot.row, 40.0);
    plot.first = scene->first_rank < ranks ? scene->first_rank : 0;
    plot.rows = MIN(ranks - plot.first, (uint32_t)(plot.area.height / plot.row));
    plot.from_ps = scene->from_ps;
    plot.ps_per_pixel = (double)(scene->to_ps - scene->from_ps) / plot.area.width;
    scene->spacetime = plot.area;
    draw_legend(cairo, area);
    draw_axis(scene, &plot, cairo);
    cairo_save(cairo);
    cairo_rectangle(cairo, plot.area.x, plot.area.y, plot.area.width, plot.area.height);
    cairo_clip(cairo);
    for (uint32_t i = 0; i < plot.rows; i++)
        draw_rank(scene, &plot, cairo, plot.first + i);
    draw_messages(scene, &plot, cairo);
    double cursor = x_of(&plot, scene->cursor_ps);
    gui_paint_colour(cairo, gui_paint_ink);
    cairo_set_line_width(cairo, 1.0);
    cairo_move_to(cairo, cursor, plot.area.y);
    cairo_line_to(cairo, cursor, plot.area.y + plot.area.height);
    cairo_stroke(cairo);
    cairo_restore(cairo);
    uint32_t every = MAX((uint32_t)(12.0 / plot.row), 1);
    for (uint32_t i = 0; i < plot.rows; i += every) {
        g_autofree char *label = g_strdup_printf("%u", plot.first + i);
        gui_paint_colour(cairo, gui_paint_ink);
        gui_paint_text(cairo, area.x + LABEL_WIDTH - 8, y_of(&plot, plot.first + i), 11, GUI_RIGHT, label);
    }
}
