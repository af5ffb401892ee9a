/* draw_ranks.c - the list of ranks: the state at the moment shown, the call that the rank is in, and how its time
 * divides. */
#include "gui/paint.h"
#include "gui/scene.h"

#define ROW 18.0

static void draw_shares(cairo_t *cairo, const MachRankReport *report, uint64_t makespan, double x, double y,
                        double width)
{
    const uint64_t parts[] = {report->compute_ps, report->overhead_ps, report->blocked_ps};
    double at = x;
    for (int i = 0; i < 3; i++) {
        double part = width * (double)parts[i] / (double)MAX(makespan, 1);
        gui_paint_colour(cairo, gui_paint_state((GuiState)i));
        cairo_rectangle(cairo, at, y - 5, part, 10);
        cairo_fill(cairo);
        at += part;
    }
}

static void draw_row(GuiScene *scene, cairo_t *cairo, uint32_t rank, GuiRect area, double y)
{
    const MonInterval *interval = gui_scene_interval_at(scene, rank, scene->cursor_ps);
    GuiState state = gui_scene_state_at(scene, rank, scene->cursor_ps);
    MachRankReport report;
    mach_run_rank_report(scene->machine, rank, &report);
    g_autofree char *number = g_strdup_printf("%u", rank);
    g_autofree char *node = net_vertex_name(mach_run_network(scene->machine), report.node);
    g_autofree char *doing =
        g_strdup_printf("%s%s%s", gui_scene_state_name(state), interval && interval->call ? ": " : "",
                        interval && interval->call ? interval->call : "");
    gui_paint_colour(cairo, gui_paint_state(state));
    cairo_rectangle(cairo, area.x, y - 6, 12, 12);
    cairo_fill(cairo);
    gui_paint_colour(cairo, gui_paint_ink);
    gui_paint_text(cairo, area.x + 44, y, 12, GUI_RIGHT, number);
    gui_paint_text(cairo, area.x + 56, y, 11, GUI_LEFT, node);
    gui_paint_text(cairo, area.x + 120, y, 11, GUI_LEFT, doing);
    double bar = MAX(area.width - 300, 40);
    draw_shares(cairo, &report, mach_run_makespan(scene->machine), area.x + area.width - bar, y, bar);
}

void gui_draw_ranks(GuiScene *scene, cairo_t *cairo, GuiRect area)
{
    uint32_t rows = (uint32_t)MAX(area.height / ROW, 1.0);
    cairo_save(cairo);
    cairo_rectangle(cairo, area.x, area.y - 2, area.width, area.height + 4);
    cairo_clip(cairo);
    for (uint32_t i = 0; i < rows && scene->first_rank + i < scene->recording->ranks; i++)
        draw_row(scene, cairo, scene->first_rank + i, area, area.y + (i + 0.5) * ROW);
    cairo_restore(cairo);
}
