/* topo_svg.c - a network as an SVG picture, from the positions that the topology gives its vertices.
 *
 * Nodes are discs, switches squares; the two directions of a link are one line. Links between vertices more than 1.5
 * node distances apart in a grid (the ones that close rings) are bent, so that they do not run through the nodes
 * between.
 */
#include "topo.h"

#include <math.h>
#include <string.h>

typedef struct Picture {
    const Network *net;
    double left, top, unit; /* position of (0, 0), pixels per node distance */
    bool bend;
} Picture;

static void place(const Picture *picture, uint32_t vertex, double *x, double *y)
{
    net_vertex_position(picture->net, vertex, x, y);
    *x = picture->left + *x * picture->unit;
    *y = picture->top + *y * picture->unit;
}

static void append_link(const Picture *picture, const NetLink *link, GString *out)
{
    double x1, y1, x2, y2;
    place(picture, link->from, &x1, &y1);
    place(picture, link->to, &x2, &y2);
    double dx = x2 - x1, dy = y2 - y1, length = sqrt(dx * dx + dy * dy);
    if (!picture->bend || length < 1.5 * picture->unit) {
        g_string_append_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1, y1, x2, y2);
        return;
    }
    double bow = 0.45 * picture->unit / length; /* sideways, the same for both directions */
    g_string_append_printf(out, "<path d=\"M%.1f %.1f Q%.1f %.1f %.1f %.1f\"/>\n", x1, y1, (x1 + x2) / 2 + dy * bow,
                           (y1 + y2) / 2 - dx * bow, x2, y2);
}

static void append_links(const Picture *picture, GString *out)
{
    g_string_append(out, "<g fill=\"none\" stroke=\"#7a8ba3\" stroke-width=\"1.5\">\n");
    for (uint32_t i = 0; i < net_links(picture->net); i++) {
        const NetLink *link = net_link(picture->net, i);
        if (link->from < link->to)
            append_link(picture, link, out);
    }
    g_string_append(out, "</g>\n");
}

static void append_vertices(const Picture *picture, GString *out)
{
    g_string_append(out, "<g font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\" stroke=\"#24364f\">\n");
    for (uint32_t vertex = 0; vertex < net_vertices(picture->net); vertex++) {
        double x, y;
        place(picture, vertex, &x, &y);
        g_autofree char *name = net_vertex_name(picture->net, vertex);
        if (vertex < net_nodes(picture->net))
            g_string_append_printf(out,
                                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"12\" fill=\"#dbe7f6\"><title>%s</title>"
                                   "</circle>\n",
                                   x, y, name);
        else
            g_string_append_printf(out,
                                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"22\" fill=\"#f6e7c8\"><title>"
                                   "%s</title></rect>\n",
                                   x - 11, y - 11, name);
        g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#24364f\" stroke=\"none\">%u</text>\n", x,
                               y + 4, vertex);
    }
    g_string_append(out, "</g>\n");
}

void cli_topo_svg(const Network *net, const char *title, GString *out)
{
    enum { MARGIN = 40, UNIT = 56, TITLE = 24 };
    double left = 0, top = 0, right = 0, bottom = 0;
    for (uint32_t vertex = 0; vertex < net_vertices(net); vertex++) {
        double x, y;
        net_vertex_position(net, vertex, &x, &y);
        left = vertex ? fmin(left, x) : x;
        right = vertex ? fmax(right, x) : x;
        top = vertex ? fmin(top, y) : y;
        bottom = vertex ? fmax(bottom, y) : y;
    }
    const char *topology = net_params(net)->topology;
    Picture picture = {.net = net,
                       .unit = UNIT,
                       .left = MARGIN - left * UNIT,
                       .top = MARGIN + TITLE - top * UNIT,
                       .bend = strcmp(topology, "torus") == 0 || strcmp(topology, "hypercube") == 0};
    double width = (right - left) * UNIT + 2 * MARGIN, height = (bottom - top) * UNIT + 2 * MARGIN + TITLE;
    g_autofree char *text = g_markup_escape_text(title, -1);
    g_string_append_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
        "%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<text x=\"%d\" y=\"24\" font-family=\"sans-serif\" font-size=\"14\">%s</text>\n",
        fmax(width, 320), height, fmax(width, 320), height, MARGIN - 12, text);
    append_links(&picture, out);
    append_vertices(&picture, out);
    g_string_append(out, "</svg>\n");
}
