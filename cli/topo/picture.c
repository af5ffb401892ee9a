/* picture.c - a network as a picture. The topology gives the positions of its vertices.
 *
 * Nodes are discs, switches squares. The two directions of a link are one line. If loads are shown they are side by
 * side, with the direction from left to right above. A link that would run through other vertices is bent around them.
 * Links that fail at some time are dashed and, unless colours show loads, of another colour.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/topo/topo.h"
#include "monitor/monitor.h"
#include "netsim/netsim.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 22, UNIT = 64, WIDEST_UNIT = 150, LEGEND = 22, WIDE = 2000, NARROWEST_UNIT = 24, LONGEST_SIDE = 16000 };
enum { MOST_VERTICES = 4096, MOST_LINKS = 32768, CURVE_STEPS = 12 };
#define DISC_RADIUS 12.0
#define SQUARE_HALF 11.0
#define FONT        12.0
#define SMALL_FONT  9.0
#define TITLE_FONT  17.0

typedef struct Label {
    double x, y;
    char *text;
} Label;

typedef struct Draft {
    const Network *net;
    const TopoDrawing *drawing;
    const PlotTheme *theme;
    PlotCanvas *canvas;
    PlotPoint *at;  /* by vertex, in pixels */
    double unit;    /* pixels per node distance */
    double scale;   /* of discs and text */
    GArray *labels; /* Label: drawn over all links and vertices */
} Draft;

/* -- links ------------------------------------------------------------------------------------- */

/* Returns, by link, a link in the opposite direction, or NET_NO_LINK. If there are several between two vertices, the
 * first ones belong together, and so on. Links are sorted by the vertices that they leave. */
static uint32_t *find_opposites(const Network *net, uint32_t links)
{
    uint32_t vertices = net_vertex_count(net);
    g_autofree uint32_t *first = g_new0(uint32_t, (gsize)vertices + 1);
    uint32_t *opposite = g_new(uint32_t, links);
    for (uint32_t i = 0; i < links; i++)
        first[net_link(net, i)->from + 1]++;
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        first[vertex + 1] += first[vertex];
    for (uint32_t i = 0; i < links; i++) {
        const NetLink *link = net_link(net, i);
        uint32_t before = 0;
        for (uint32_t k = first[link->from]; k < i; k++)
            before += net_link(net, k)->to == link->to;
        opposite[i] = NET_NO_LINK;
        for (uint32_t k = first[link->to]; k < first[link->to + 1] && opposite[i] == NET_NO_LINK; k++)
            if (net_link(net, k)->to == link->from && before-- == 0)
                opposite[i] = k;
    }
    return opposite;
}

static double distance_to_line(PlotPoint point, PlotPoint from, PlotPoint to)
{
    double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    double share = square > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / square : 0;
    share = fmin(fmax(share, 0), 1);
    return hypot(point.x - from.x - share * dx, point.y - from.y - share * dy);
}

static bool runs_through_others(const Draft *draft, const NetLink *link)
{
    PlotPoint from = draft->at[link->from], to = draft->at[link->to];
    for (uint32_t vertex = 0; vertex < net_vertex_count(draft->net); vertex++)
        if (vertex != link->from && vertex != link->to &&
            distance_to_line(draft->at[vertex], from, to) < DISC_RADIUS * draft->scale)
            return true;
    return false;
}

/* Returns the label of a link: its number, that of its opposite, and how it differs from other links. */
static char *link_label(const Network *net, uint32_t index, uint32_t opposite, bool alike)
{
    const NetLink *link = net_link(net, index);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u", index);
    if (opposite != NET_NO_LINK)
        g_string_append_printf(text, "/%u", opposite);
    if (!alike) {
        g_autofree char *latency = base_units_format_time(link->latency_ps);
        g_string_append_printf(text, " %.4g MB/s %s", (double)link->bandwidth / 1e6, latency);
    }
    return g_string_free(text, FALSE);
}

static void add_label(Draft *draft, double x, double y, char *text /* taken */)
{
    Label label = {x, y + 3 * draft->scale, text};
    g_array_append_val(draft->labels, label);
}

/* Draws a quadratic Bezier curve by way of its control point. */
static void draw_curve(PlotCanvas *canvas, PlotPoint from, PlotPoint via, PlotPoint to, PlotInk ink, const char *told)
{
    PlotPoint points[CURVE_STEPS + 1];
    for (int i = 0; i <= CURVE_STEPS; i++) {
        double t = (double)i / CURVE_STEPS, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        points[i] = (PlotPoint){a * from.x + b * via.x + c * to.x, a * from.y + b * via.y + c * to.y};
    }
    plot_canvas_line(canvas, points, CURVE_STEPS + 1, ink, told);
}

static bool link_fails(const Draft *draft, uint32_t index, uint32_t opposite)
{
    return net_failure_of_link(draft->net, index) ||
           (!draft->drawing->load && opposite != NET_NO_LINK && net_failure_of_link(draft->net, opposite));
}

/* Idle links are to be seen, too. */
static uint32_t colour_of(const Draft *draft, double place)
{
    return plot_theme_heat(draft->theme, 0.15 + 0.85 * place);
}

static PlotInk link_ink(const Draft *draft, uint32_t index, bool fails)
{
    const double *load = draft->drawing->load;
    double place = load ? mon_load_place(load[index]) : 0;
    return (PlotInk){.fill = PLOT_NONE,
                     .line = load    ? colour_of(draft, place)
                             : fails ? draft->theme->series[1]
                                     : draft->theme->faint,
                     .width = load ? (1.2 + 2.4 * place) * draft->scale : 1.5 * fmax(draft->scale, 0.4),
                     .dash = fails ? PLOT_DASHED : PLOT_SOLID};
}

static char *link_told(const Draft *draft, uint32_t index)
{
    const NetLink *link = net_link(draft->net, index);
    g_autofree char *from = net_vertex_name(draft->net, link->from), *to = net_vertex_name(draft->net, link->to);
    return g_strdup_printf("%s -> %s: %.1f %%", from, to, 100 * draft->drawing->load[index]);
}

static void add_link(Draft *draft, uint32_t index, uint32_t opposite, bool alike)
{
    const NetLink *link = net_link(draft->net, index);
    bool loads = draft->drawing->load;
    PlotPoint from = draft->at[link->from], to = draft->at[link->to];
    double dx = to.x - from.x, dy = to.y - from.y, length = fmax(hypot(dx, dy), 1);
    bool bent = runs_through_others(draft, link);
    double side = loads && opposite != NET_NO_LINK ? 2.2 * draft->scale : 0;
    double bow = bent ? fmin(0.18 * length + 0.6 * draft->unit, 1.1 * draft->unit) : 0;
    /* Sideways offsets: the two directions are on different sides of the line, but bend to the same side. */
    double right_x = dy / length, right_y = -dx / length, turned = link->from > link->to ? -bow : bow;
    PlotPoint begin = {from.x + right_x * side, from.y + right_y * side},
              end = {to.x + right_x * side, to.y + right_y * side};
    PlotPoint via = {(begin.x + end.x) / 2 + right_x * turned, (begin.y + end.y) / 2 + right_y * turned};
    PlotInk ink = link_ink(draft, index, link_fails(draft, index, opposite));
    g_autofree char *told = loads ? link_told(draft, index) : NULL;
    if (bent)
        draw_curve(draft->canvas, begin, via, end, ink, told);
    else
        plot_canvas_line(draft->canvas, (const PlotPoint[]){begin, end}, 2, ink, told);
    if (draft->drawing->name_links && (opposite == NET_NO_LINK || index < opposite))
        add_label(draft, (from.x + to.x) / 2 + right_x * turned / 2, (from.y + to.y) / 2 + right_y * turned / 2,
                  link_label(draft->net, index, opposite, alike));
}

static bool all_alike(const Network *net)
{
    for (uint32_t i = 1; i < net_link_count(net); i++)
        if (net_link(net, i)->bandwidth != net_link(net, 0)->bandwidth ||
            net_link(net, i)->latency_ps != net_link(net, 0)->latency_ps)
            return false;
    return true;
}

static void add_links(Draft *draft)
{
    bool alike = all_alike(draft->net);
    uint32_t links = net_link_count(draft->net);
    g_autofree uint32_t *opposites = find_opposites(draft->net, links);
    for (uint32_t i = 0; i < links; i++)
        if (opposites[i] == NET_NO_LINK || i < opposites[i] || draft->drawing->load)
            add_link(draft, i, opposites[i], alike);
}

/* -- vertices and words ------------------------------------------------------------------------ */

static void add_vertex(Draft *draft, uint32_t vertex)
{
    PlotPoint at = draft->at[vertex];
    const PlotTheme *theme = draft->theme;
    g_autofree char *name = net_vertex_name(draft->net, vertex), *number = g_strdup_printf("%u", vertex);
    double half = SQUARE_HALF * draft->scale;
    PlotInk ink = {.fill = theme->paper, .line = theme->ink, .width = 1.2};
    if (vertex < net_network_nodes(draft->net)) {
        plot_canvas_disc(draft->canvas, at.x, at.y, DISC_RADIUS * draft->scale, ink, name);
    } else {
        ink.fill = theme->grid;
        plot_canvas_rectangle(draft->canvas, at.x - half, at.y - half, 2 * half, 2 * half, ink, name);
    }
    double size = (vertex > 999 ? SMALL_FONT - 1 : SMALL_FONT + 2) * draft->scale;
    if (draft->scale > 0.35)
        plot_canvas_text(draft->canvas, at.x, at.y + 4 * draft->scale, size, PLOT_MIDDLE, theme->ink, number);
    if (draft->drawing->name_nodes && draft->scale > 0.35)
        add_label(draft, at.x, at.y + 20 * draft->scale, g_steal_pointer(&name));
}

static void add_labels(Draft *draft)
{
    for (guint i = 0; i < draft->labels->len; i++) {
        Label *label = &g_array_index(draft->labels, Label, i);
        plot_canvas_label(draft->canvas, label->x, label->y, SMALL_FONT * draft->scale, PLOT_MIDDLE, draft->theme->ink,
                          draft->theme->paper, label->text);
        g_free(label->text);
    }
}

static void add_words(Draft *draft, double x, double y, const char *text)
{
    plot_canvas_text(draft->canvas, x, y, FONT, PLOT_LEFT, draft->theme->ink, text);
}

/* Draws the colours of loads, with their percentages below. */
static void add_scale(Draft *draft, double x, double y)
{
    enum { WIDTH = 240, STEPS = 60 };
    double step = (double)WIDTH / STEPS;
    for (int i = 0; i < STEPS; i++) {
        PlotInk ink = {.fill = colour_of(draft, (i + 0.5) / STEPS), .line = PLOT_NONE};
        plot_canvas_rectangle(draft->canvas, x + i * step, y - LEGEND, step + (i + 1 < STEPS ? 0.5 : 0), 9, ink, NULL);
    }
    PlotInk edge = {.fill = PLOT_NONE, .line = draft->theme->faint, .width = 0.6};
    plot_canvas_rectangle(draft->canvas, x, y - LEGEND, WIDTH, 9, edge, NULL);
    add_words(draft, x + WIDTH + 14, y - LEGEND + 9, "busy, % of the time");
    for (size_t i = 0; !i || mon_load_marks[i - 1] < 100; i++) {
        g_autofree char *mark = g_strdup_printf("%u", mon_load_marks[i]);
        plot_canvas_text(draft->canvas, x + WIDTH * mon_load_place(mon_load_marks[i] / 100.0), y + 1, SMALL_FONT,
                         PLOT_MIDDLE, draft->theme->ink, mark);
    }
}

/* Adds the lines of text at the bottom; returns where the next one would be. */
static double add_legend(Draft *draft, double y)
{
    const Network *net = draft->net;
    const NetLink *link = net_link(net, 0);
    if (all_alike(net)) {
        g_autofree char *latency = base_units_format_time(link->latency_ps);
        g_autofree char *text = g_strdup_printf("every link: %.4g MB/s, %s", (double)link->bandwidth / 1e6, latency);
        add_words(draft, MARGIN, y, text);
        y += LEGEND;
    }
    if (net_failure(net, 0)) {
        add_words(draft, MARGIN, y, "dashed: links that fail");
        y += LEGEND;
    }
    if (draft->drawing->name_links) {
        add_words(draft, MARGIN, y, "at links: their numbers, of both directions");
        y += LEGEND;
    }
    if (draft->drawing->load) {
        add_scale(draft, MARGIN, y + LEGEND);
        y += 2 * LEGEND;
    }
    return y;
}

/* -- the whole --------------------------------------------------------------------------------- */

/* Returns the least distance between two vertices, at most 1. */
static double least_distance(const PlotPoint *at, uint32_t count)
{
    double least = 1; /* squared */
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++) {
            double x = at[a].x - at[b].x, y = at[a].y - at[b].y;
            least = fmin(least, x * x + y * y);
        }
    return fmax(sqrt(least), 0.1);
}

/* Returns a unit that leaves room for names, if possible, and gives the picture a size that other programs can open. */
static double unit_for(const Draft *draft)
{
    const Network *net = draft->net;
    const TopoDrawing *drawing = draft->drawing;
    uint32_t count = net_vertex_count(net);
    double unit = UNIT, left = 0, right = 0, top = 0, bottom = 0;
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        g_autofree char *name = net_vertex_name(net, vertex);
        if (drawing->name_nodes)
            unit = fmax(unit, plot_text_width(name, SMALL_FONT, false) + 8);
        left = fmin(left, draft->at[vertex].x);
        right = fmax(right, draft->at[vertex].x);
        top = fmin(top, draft->at[vertex].y);
        bottom = fmax(bottom, draft->at[vertex].y);
    }
    if (drawing->name_links)
        unit = fmax(unit, all_alike(net) ? 80 : WIDEST_UNIT);
    if (drawing->name_links || drawing->name_nodes)
        unit = fmax(unit, UNIT / least_distance(draft->at, count));
    unit = fmin(unit, WIDEST_UNIT);
    double side = fmax(fmax(right - left, bottom - top), 1);
    if (!drawing->name_links && !drawing->name_nodes) /* closer together, as long as numbers can be read */
        unit = fmin(unit, fmax(WIDE / side, NARROWEST_UNIT / least_distance(draft->at, count)));
    return fmin(unit, (LONGEST_SIDE - 8 * MARGIN) / side);
}

static bool check_size(const Network *net, GError **error)
{
    if (!net_link_count(net))
        return cli_error_usage(
            error, "there is nothing to draw: this network's links were not made, because its switching model "
                   "uses none");
    if (net_vertex_count(net) <= MOST_VERTICES && net_link_count(net) <= MOST_LINKS)
        return true;
    g_set_error(
        error, CLI_ERROR, CLI_ERROR_USAGE,
        "%u vertices and %u links are too many to be seen (at most %d and %d); draw a smaller one of its kind with "
        "--set network.dims=...",
        net_vertex_count(net), net_link_count(net), MOST_VERTICES, MOST_LINKS);
    return false;
}

static void place_vertices(Draft *draft)
{
    uint32_t count = net_vertex_count(draft->net);
    draft->at = g_new(PlotPoint, count);
    for (uint32_t vertex = 0; vertex < count; vertex++)
        net_vertex_position(draft->net, vertex, &draft->at[vertex].x, &draft->at[vertex].y);
    draft->unit = unit_for(draft);
    draft->scale = fmin(draft->unit / 50, 1);
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        draft->at[vertex].x *= draft->unit;
        draft->at[vertex].y *= draft->unit;
    }
}

/* Gives the picture the size that its shapes and its title need, and moves the shapes below the title. Returns where
 * the legend begins. */
static double fit(Draft *draft)
{
    enum { LEAST_WIDTH = 420, TITLE = 34 };
    PlotCanvas *canvas = draft->canvas;
    const char *title = draft->drawing->title;
    PlotBox box = plot_canvas_box(canvas);
    double drawn = box.right - box.left, titled = plot_text_width(title, TITLE_FONT, true);
    canvas->width = fmax(ceil(fmax(drawn, titled)) + 2 * MARGIN, LEAST_WIDTH);
    plot_canvas_move(canvas, (canvas->width - drawn) / 2 - box.left, TITLE + MARGIN - box.top);
    plot_canvas_bold(canvas, MARGIN, TITLE, TITLE_FONT, PLOT_LEFT, draft->theme->ink, title);
    canvas->title = g_strdup(title);
    return TITLE + MARGIN + box.bottom - box.top + 2 * LEGEND;
}

bool cli_topo_draw(const Network *net, const TopoDrawing *drawing, PlotCanvas *canvas, GError **error)
{
    if (!check_size(net, error))
        return false;
    Draft draft = {.net = net, .drawing = drawing, .theme = drawing->theme, .canvas = canvas};
    draft.labels = g_array_new(FALSE, FALSE, sizeof(Label));
    place_vertices(&draft);
    plot_canvas_group(canvas, "links");
    add_links(&draft);
    plot_canvas_group_end(canvas);
    plot_canvas_group(canvas, "vertices");
    for (uint32_t vertex = 0; vertex < net_vertex_count(net); vertex++)
        add_vertex(&draft, vertex);
    add_labels(&draft);
    plot_canvas_group_end(canvas);
    canvas->height = ceil(add_legend(&draft, fit(&draft)));
    g_array_unref(draft.labels);
    g_free(draft.at);
    return true;
}
