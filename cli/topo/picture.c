/* picture.c - a network as a picture: a list of shapes, whatever the file format. The topology gives the positions of
 * its vertices.
 *
 * Nodes are discs, switches squares. The two directions of a link are one line. If loads are shown they are side by
 * side, with the direction from left to right above. A link that would run through other vertices is bent around them.
 * Links that fail at some time are dashed and, unless colours show loads, red.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/topo/topo.h"
#include "monitor/monitor.h"
#include "netsim/netsim.h"

#include <math.h>
#include <string.h>

enum {
    MARGIN = 44,
    UNIT = 64,
    WIDEST_UNIT = 150,
    TITLE = 28,
    LEGEND = 22,
    WIDE = 2000,
    NARROWEST_UNIT = 24,
    LONGEST_SIDE = 16000
};
enum { MOST_VERTICES = 4096, MOST_LINKS = 32768 };
#define DISC_RADIUS  12.0
#define SQUARE_HALF  11.0
#define FONT         11.0
#define SMALL_FONT   9.0
#define TITLE_FONT   14.0
#define LETTER_WIDTH 5.6 /* of the small font, approximately */

static const uint32_t ink = 0x24364f, faint = 0x7a8ba3, node_fill = 0xdbe7f6, switch_fill = 0xf6e7c8,
                      failing = 0xc0392b;

typedef struct Place {
    double x, y;
} Place;

typedef struct Draft {
    const Network *net;
    const TopoDrawing *drawing;
    TopoPicture *picture;
    Place *at;      /* by vertex, in pixels */
    double unit;    /* pixels per node distance */
    double scale;   /* of discs and text */
    GArray *labels; /* TopoShape */
} Draft;

static void add(Draft *draft, TopoShape shape)
{
    g_array_append_val(draft->picture->shapes, shape);
}

static void add_text(Draft *draft, double x, double y, double size, bool from_middle, char *text /* taken */)
{
    add(draft,
        (TopoShape){
            .kind = TOPO_TEXT, .x = x, .y = y, .size = size, .colour = ink, .from_middle = from_middle, .text = text});
}

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

static double distance_to_line(Place point, Place from, Place to)
{
    double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    double share = square > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / square : 0;
    share = fmin(fmax(share, 0), 1);
    return hypot(point.x - from.x - share * dx, point.y - from.y - share * dy);
}

static bool runs_through_others(const Draft *draft, const NetLink *link)
{
    Place from = draft->at[link->from], to = draft->at[link->to];
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

/* Keeps a label, to be drawn over all links and vertices. */
static void add_label(Draft *draft, double x, double y, char *text /* taken */)
{
    TopoShape label = {.kind = TOPO_TEXT,
                       .x = x,
                       .y = y + 3 * draft->scale,
                       .size = SMALL_FONT * draft->scale,
                       .colour = ink,
                       .from_middle = true,
                       .halo = true,
                       .text = text};
    g_array_append_val(draft->labels, label);
}

static void add_link(Draft *draft, uint32_t index, uint32_t opposite, bool alike)
{
    const NetLink *link = net_link(draft->net, index);
    const double *load = draft->drawing->load;
    Place from = draft->at[link->from], to = draft->at[link->to];
    double dx = to.x - from.x, dy = to.y - from.y, length = fmax(hypot(dx, dy), 1);
    bool bent = runs_through_others(draft, link);
    bool fails = net_failure_of_link(draft->net, index) ||
                 (!load && opposite != NET_NO_LINK && net_failure_of_link(draft->net, opposite));
    double side = load && opposite != NET_NO_LINK ? 2.2 * draft->scale : 0;
    double bow = bent ? fmin(0.18 * length + 0.6 * draft->unit, 1.1 * draft->unit) : 0;
    /* Sideways offsets: the two directions are on different sides of the line, but bend to the same side. */
    double right_x = dy / length, right_y = -dx / length;
    bool turned = link->from > link->to;
    double bow_x = turned ? -right_x * bow : right_x * bow, bow_y = turned ? -right_y * bow : right_y * bow;
    TopoShape shape = {.kind = bent ? TOPO_CURVE : TOPO_LINE,
                       .x = from.x + right_x * side,
                       .y = from.y + right_y * side,
                       .to_x = to.x + right_x * side,
                       .to_y = to.y + right_y * side,
                       .via_x = (from.x + to.x) / 2 + right_x * side + bow_x,
                       .via_y = (from.y + to.y) / 2 + right_y * side + bow_y,
                       .size = load ? (1.2 + 2.4 * mon_load_place(load[index])) * draft->scale
                                    : 1.5 * fmax(draft->scale, 0.4),
                       .colour = load    ? mon_load_colour(load[index])
                                 : fails ? failing
                                         : faint,
                       .dashed = fails};
    add(draft, shape);
    if (draft->drawing->name_links && (opposite == NET_NO_LINK || index < opposite))
        add_label(draft, (from.x + to.x) / 2 + bow_x / 2, (from.y + to.y) / 2 + bow_y / 2,
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
    Place at = draft->at[vertex];
    bool node = vertex < net_network_nodes(draft->net);
    g_autofree char *name = net_vertex_name(draft->net, vertex);
    add(draft, (TopoShape){.kind = node ? TOPO_DISC : TOPO_SQUARE,
                           .x = at.x,
                           .y = at.y,
                           .size = (node ? DISC_RADIUS : SQUARE_HALF) * draft->scale,
                           .colour = node ? node_fill : switch_fill,
                           .text = g_strdup(name)});
    double number_size = (vertex > 999 ? SMALL_FONT - 1 : FONT) * draft->scale;
    if (draft->scale > 0.35)
        add_text(draft, at.x, at.y + 4 * draft->scale, number_size, true, g_strdup_printf("%u", vertex));
    if (draft->drawing->name_nodes && draft->scale > 0.35)
        add_label(draft, at.x, at.y + 20 * draft->scale, g_steal_pointer(&name));
}

/* Draws the colours of loads, with their percentages below. */
static void add_scale(Draft *draft, double x, double y)
{
    enum { WIDTH = 240, STEPS = 60 };
    double step = (double)WIDTH / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double place = (i + 0.5) / STEPS;
        add(draft, (TopoShape){.kind = TOPO_LINE,
                               .x = x + i * step,
                               .to_x = x + (i + 1) * step,
                               .y = y - LEGEND + 4,
                               .to_y = y - LEGEND + 4,
                               .size = 8,
                               .colour = mon_load_colour(place * place)});
    }
    add_text(draft, x + WIDTH + 14, y - LEGEND + 8, FONT, false, g_strdup("busy, % of the time"));
    for (size_t i = 0; !i || mon_load_marks[i - 1] < 100; i++)
        add_text(draft, x + WIDTH * mon_load_place(mon_load_marks[i] / 100.0), y, SMALL_FONT, true,
                 g_strdup_printf("%u", mon_load_marks[i]));
}

/* Draws the lines of text at the bottom. */
static void add_legend(Draft *draft)
{
    const Network *net = draft->net;
    const NetLink *link = net_link(net, 0);
    double y = draft->picture->height - 12;
    if (draft->drawing->name_links) {
        add_text(draft, MARGIN / 2.0, y, FONT, false, g_strdup("at links: their numbers, of both directions"));
        y -= LEGEND;
    }
    if (draft->drawing->load) {
        add_scale(draft, MARGIN / 2.0, y);
        y -= 2 * LEGEND;
    }
    if (net_failure(net, 0)) {
        add_text(draft, MARGIN / 2.0, y, FONT, false,
                 g_strdup(draft->drawing->load ? "dashed: links that fail" : "dashed, red: links that fail"));
        y -= LEGEND;
    }
    if (!all_alike(net))
        return;
    g_autofree char *latency = base_units_format_time(link->latency_ps);
    add_text(draft, MARGIN / 2.0, y, FONT, false,
             g_strdup_printf("every link: %.4g MB/s, %s", (double)link->bandwidth / 1e6, latency));
}

/* -- the whole --------------------------------------------------------------------------------- */

/* Returns the least distance between two vertices, at most 1. */
static double least_distance(const Place *at, uint32_t count)
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
            unit = fmax(unit, LETTER_WIDTH * (double)g_utf8_strlen(name, -1) + 8);
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
    return fmin(unit, (LONGEST_SIDE - 4 * MARGIN) / side);
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
    draft->at = g_new(Place, count);
    for (uint32_t vertex = 0; vertex < count; vertex++)
        net_vertex_position(draft->net, vertex, &draft->at[vertex].x, &draft->at[vertex].y);
    draft->unit = unit_for(draft);
    draft->scale = fmin(draft->unit / 50, 1);
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        draft->at[vertex].x *= draft->unit;
        draft->at[vertex].y *= draft->unit;
    }
}

typedef struct Extent {
    double left, top, right, bottom;
} Extent;

static void include(Extent *extent, double x, double y, double beside, double above)
{
    extent->left = fmin(extent->left, x - beside);
    extent->right = fmax(extent->right, x + beside);
    extent->top = fmin(extent->top, y - above);
    extent->bottom = fmax(extent->bottom, y + above);
}

/* Returns the extent of the shapes, with words as wide as they may be and curves as far as they may go. */
static Extent extent_of_shapes(const GArray *shapes)
{
    Extent extent = {G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE};
    for (guint i = 0; i < shapes->len; i++) {
        const TopoShape *shape = &g_array_index(shapes, TopoShape, i);
        bool text = shape->kind == TOPO_TEXT;
        double half = text ? 0.32 * shape->size * (double)g_utf8_strlen(shape->text, -1) : shape->size;
        include(&extent, shape->x, shape->y, half, shape->size);
        if (shape->kind == TOPO_CURVE) /* a curve reaches half of the way to its control point */
            include(&extent, (shape->x + shape->to_x + 2 * shape->via_x) / 4,
                    (shape->y + shape->to_y + 2 * shape->via_y) / 4, 2, 2);
    }
    return extent;
}

/* Gives the picture the size that its shapes and its title need, with room for text above and below. */
static void fit(TopoPicture *picture, const char *title)
{
    enum { LEAST_WIDTH = 420 };
    const double letter = 0.62 * TITLE_FONT; /* width of a letter, approximately */
    Extent extent = extent_of_shapes(picture->shapes);
    double drawn = extent.right - extent.left, titled = letter * (double)g_utf8_strlen(title, -1);
    picture->width = fmax(ceil(fmax(drawn, titled)) + MARGIN, LEAST_WIDTH);
    double x = (picture->width - drawn) / 2 - extent.left, y = MARGIN + TITLE - extent.top;
    for (guint i = 0; i < picture->shapes->len; i++) {
        TopoShape *shape = &g_array_index(picture->shapes, TopoShape, i);
        shape->x += x, shape->to_x += x, shape->via_x += x;
        shape->y += y, shape->to_y += y, shape->via_y += y;
    }
    picture->height = ceil(extent.bottom - extent.top + MARGIN + TITLE + 5 * LEGEND);
}

TopoPicture *cli_topo_picture(const Network *net, const TopoDrawing *drawing, GError **error)
{
    if (!check_size(net, error))
        return NULL;
    Draft draft = {.net = net, .drawing = drawing, .picture = g_new0(TopoPicture, 1)};
    TopoPicture *picture = draft.picture;
    picture->shapes = g_array_new(FALSE, FALSE, sizeof(TopoShape));
    draft.labels = g_array_new(FALSE, FALSE, sizeof(TopoShape));
    place_vertices(&draft);
    add_links(&draft);
    for (uint32_t vertex = 0; vertex < net_vertex_count(net); vertex++)
        add_vertex(&draft, vertex);
    g_array_append_vals(picture->shapes, draft.labels->data, draft.labels->len);
    fit(picture, drawing->title);
    add_text(&draft, MARGIN / 2.0, 26, TITLE_FONT, false, g_strdup(drawing->title));
    add_legend(&draft);
    g_array_unref(draft.labels);
    g_free(draft.at);
    return picture;
}

void cli_topo_picture_free(TopoPicture *picture)
{
    if (!picture)
        return;
    for (guint i = 0; i < picture->shapes->len; i++)
        g_free(g_array_index(picture->shapes, TopoShape, i).text);
    g_array_unref(picture->shapes);
    g_free(picture);
}
