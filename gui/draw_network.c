/* draw_network.c - the network panel. Vertices are where the topology puts them. Links are coloured by how busy they
 * were, nodes by what their first rank does at the moment shown. Messages under way are dots. */
#include "gui/paint.h"
#include "gui/scene.h"
#include <math.h>

#define MAX_LABELLED 144   /* with more vertices, names would cover the picture */
#define MAX_IDLE     12000 /* with more links, idle ones are not drawn */
#define MAX_BEND     28.0  /* greatest bend of a link, in pixels */

typedef struct View {
    GuiRect area;
    double min_x, min_y, scale;
} View;

static View fit(const Network *net, GuiRect area)
{
    double min_x = G_MAXDOUBLE, min_y = G_MAXDOUBLE, max_x = -G_MAXDOUBLE, max_y = -G_MAXDOUBLE;
    for (uint32_t vertex = 0; vertex < net_vertex_count(net); vertex++) {
        double x, y;
        net_vertex_position(net, vertex, &x, &y);
        min_x = MIN(min_x, x);
        max_x = MAX(max_x, x);
        min_y = MIN(min_y, y);
        max_y = MAX(max_y, y);
    }
    double scale = MIN((area.width - 60) / MAX(max_x - min_x, 0.5), (area.height - 64) / MAX(max_y - min_y, 0.5));
    double used_x = (max_x - min_x) * scale, used_y = (max_y - min_y) * scale;
    View view = {area, min_x, min_y, scale};
    view.area.x += (area.width - used_x) / 2;
    view.area.y += (area.height - 10 - used_y) / 2; /* names are below the vertices */
    return view;
}

static void place(const View *view, const Network *net, uint32_t vertex, double *x, double *y)
{
    net_vertex_position(net, vertex, x, y);
    *x = view->area.x + (*x - view->min_x) * view->scale;
    *y = view->area.y + (*y - view->min_y) * view->scale;
}

/* Returns how much a link is bent, in pixels. A link along a row or column that spans other vertices (the wrap-around
 * of a torus) would hide the links between them. The bend grows with the length, up to a limit. */
static double bend_of(const View *view, double dx, double dy, double length)
{
    bool along = fabs(dx) < 1.0 || fabs(dy) < 1.0;
    return along && length > 1.6 * view->scale ? MIN(length * 0.12, MAX_BEND) : 0.0;
}

static void draw_link(const View *view, const Network *net, const NetLink *link, double share, cairo_t *cairo)
{
    double x1, y1, x2, y2;
    place(view, net, link->from, &x1, &y1);
    place(view, net, link->to, &x2, &y2);
    double dx = x2 - x1, dy = y2 - y1, length = sqrt(dx * dx + dy * dy);
    if (length < 1.0)
        return;
    /* The two directions of a pair are drawn side by side. */
    double nx = -dy / length, ny = dx / length, aside = MIN(2.0, view->scale * 0.05);
    double bend = aside + bend_of(view, dx, dy, length);
    gui_paint_colour(cairo, gui_paint_heat(share));
    cairo_set_line_width(cairo, MIN(1.5, view->scale * 0.04) + MIN(3.0, view->scale * 0.1) * mon_load_place(share));
    cairo_move_to(cairo, x1 + nx * aside, y1 + ny * aside);
    cairo_curve_to(cairo, x1 + dx * 0.3 + nx * bend, y1 + dy * 0.3 + ny * bend, x1 + dx * 0.7 + nx * bend,
                   y1 + dy * 0.7 + ny * bend, x2 + nx * aside, y2 + ny * aside);
    cairo_stroke(cairo);
}

/* Draws idle links first, so that they do not cover busy ones. If there are very many links, draws only busy ones. */
static void draw_links(const View *view, const Network *net, uint64_t end_ps, cairo_t *cairo)
{
    uint32_t links = net_link_count(net);
    for (uint32_t i = 0; links <= MAX_IDLE && i < links; i++)
        if (net_link(net, i)->busy_ps == 0)
            draw_link(view, net, net_link(net, i), 0.0, cairo);
    for (uint32_t i = 0; i < links; i++)
        if (net_link(net, i)->busy_ps > 0)
            draw_link(view, net, net_link(net, i), (double)net_link(net, i)->busy_ps / (double)MAX(end_ps, 1), cairo);
}

/* Draws the colours of a few loads into the line of the panel's title. */
static void draw_legend(cairo_t *cairo, GuiRect area)
{
    size_t n = 1;
    while (mon_load_marks[n - 1] < 100)
        n++;
    double x = area.x + area.width;
    while (n-- > 0) {
        g_autofree char *label = g_strdup_printf("%u", mon_load_marks[n]);
        gui_paint_colour(cairo, gui_paint_ink);
        x -= gui_paint_text(cairo, x, area.y - 14, 11, GUI_RIGHT, label) + 16;
        gui_paint_colour(cairo, gui_paint_heat(mon_load_marks[n] / 100.0));
        cairo_rectangle(cairo, x, area.y - 18, 12, 8);
        cairo_fill(cairo);
        x -= 10;
    }
    gui_paint_colour(cairo, gui_paint_ink);
    gui_paint_text(cairo, x, area.y - 14, 11, GUI_RIGHT, "links busy, % of the time:");
}

static void draw_vertices(GuiScene *scene, const View *view, const Network *net, cairo_t *cairo)
{
    uint32_t vertices = net_vertex_count(net), nodes = net_network_nodes(net);
    g_autofree uint32_t *first_rank = g_new(uint32_t, vertices);
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        first_rank[vertex] = UINT32_MAX;
    for (uint32_t rank = scene->recording->ranks; rank > 0; rank--)
        first_rank[mach_run_node_of(scene->machine, rank - 1)] = rank - 1;
    double radius = CLAMP(view->scale * 0.22, 3.0, 16.0);
    for (uint32_t vertex = 0; vertex < vertices; vertex++) {
        double x, y;
        place(view, net, vertex, &x, &y);
        uint32_t rank = first_rank[vertex];
        cairo_new_path(cairo); /* text leaves a current point, from which an arc would draw a line */
        if (vertex < nodes)
            cairo_arc(cairo, x, y, radius, 0, 2 * G_PI);
        else
            cairo_rectangle(cairo, x - radius * 0.7, y - radius * 0.7, radius * 1.4, radius * 1.4);
        gui_paint_colour(cairo, rank != UINT32_MAX ? gui_paint_state(gui_scene_state_at(scene, rank, scene->cursor_ps))
                                                   : gui_paint_paper);
        cairo_fill_preserve(cairo);
        gui_paint_colour(cairo, gui_paint_ink);
        cairo_set_line_width(cairo, 1.0);
        cairo_stroke(cairo);
        if (rank != UINT32_MAX && radius >= 8 && vertices <= MAX_LABELLED) {
            g_autofree char *label = g_strdup_printf("%u", rank);
            gui_paint_text(cairo, x, y, radius * 0.95, GUI_CENTRE, label);
        }
        if (vertices <= MAX_LABELLED && radius >= 8) {
            g_autofree char *name = net_vertex_name(net, vertex);
            gui_paint_colour(cairo, gui_paint_faint);
            gui_paint_text(cairo, x, y + radius + 8, 9, GUI_CENTRE, name);
        }
    }
}

static void draw_messages(GuiScene *scene, const View *view, const Network *net, cairo_t *cairo)
{
    const GArray *messages = scene->recording->messages;
    cairo_set_source_rgb(cairo, 0.0, 0.27, 0.70);
    for (guint i = 0; i < messages->len; i++) {
        const MpiMessageInfo *message = &g_array_index(messages, MpiMessageInfo, i);
        if (message->sent_ps > scene->cursor_ps || message->delivered_ps <= scene->cursor_ps)
            continue;
        double x1, y1, x2, y2;
        place(view, net, mach_run_node_of(scene->machine, message->from), &x1, &y1);
        place(view, net, mach_run_node_of(scene->machine, message->to), &x2, &y2);
        double done =
            (double)(scene->cursor_ps - message->sent_ps) / (double)(message->delivered_ps - message->sent_ps);
        cairo_new_path(cairo);
        cairo_arc(cairo, x1 + (x2 - x1) * done, y1 + (y2 - y1) * done, 4, 0, 2 * G_PI);
        cairo_fill(cairo);
    }
}

void gui_draw_network(GuiScene *scene, cairo_t *cairo, GuiRect area)
{
    const Network *net = mach_run_network(scene->machine);
    View view = fit(net, area);
    cairo_save(cairo);
    cairo_rectangle(cairo, area.x, area.y, area.width, area.height);
    cairo_clip(cairo);
    draw_links(&view, net, scene->end_ps, cairo);
    draw_messages(scene, &view, net, cairo);
    draw_vertices(scene, &view, net, cairo);
    cairo_restore(cairo);
    if (net_link_count(net))
        draw_legend(cairo, area);
}
