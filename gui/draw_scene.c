/* draw_scene.c - the whole picture: title, and a frame with a heading for each panel. */
#include "base/units.h"
#include "gui/paint.h"
#include "gui/scene.h"

/* Draws a panel's background and heading. Returns the area left inside. */
static GuiRect begin_panel(cairo_t *cairo, GuiRect area, const char *heading)
{
    gui_paint_colour(cairo, gui_paint_paper);
    cairo_rectangle(cairo, area.x, area.y, area.width, area.height);
    cairo_fill(cairo);
    gui_paint_colour(cairo, gui_paint_faint);
    cairo_set_line_width(cairo, 1.0);
    cairo_rectangle(cairo, area.x + 0.5, area.y + 0.5, area.width - 1, area.height - 1);
    cairo_stroke(cairo);
    gui_paint_colour(cairo, gui_paint_ink);
    gui_paint_text(cairo, area.x + 10, area.y + 14, 13, GUI_LEFT, heading);
    return (GuiRect){area.x + 8, area.y + 28, area.width - 16, area.height - 36};
}

static void draw_title(GuiScene *scene, cairo_t *cairo, double width)
{
    g_autofree char *makespan = base_units_format_time(mach_run_makespan(scene->machine));
    g_autofree char *cursor = base_units_format_time(scene->cursor_ps);
    const MachConfig *config = mach_run_config(scene->machine);
    uint32_t ranks = scene->recording->ranks;
    g_autofree char *base = g_path_get_basename(scene->title);
    g_autofree char *left = g_strdup_printf("%s: %u rank%s on %s", base, ranks, ranks == 1 ? "" : "s", config->name);
    g_autofree char *right = g_strdup_printf("makespan %s, shown: %s", makespan, cursor);
    gui_paint_colour(cairo, gui_paint_ink);
    gui_paint_text(cairo, 12, 18, 16, GUI_LEFT, left);
    gui_paint_text(cairo, width - 12, 18, 14, GUI_RIGHT, right);
}

void gui_draw_scene(GuiScene *scene, cairo_t *cairo, double width, double height)
{
    GuiPanels panels = gui_scene_panels(width, height);
    cairo_set_source_rgb(cairo, 0.95, 0.96, 0.97);
    cairo_paint(cairo);
    draw_title(scene, cairo, width);
    scene->network = begin_panel(cairo, panels.network, "Network");
    gui_draw_network(scene, cairo, scene->network);
    scene->ranks = begin_panel(cairo, panels.ranks, "Ranks");
    gui_draw_ranks(scene, cairo, scene->ranks);
    scene->spacetime = begin_panel(cairo, panels.spacetime, "Space-time diagram");
    gui_draw_spacetime(scene, cairo, scene->spacetime);
}
