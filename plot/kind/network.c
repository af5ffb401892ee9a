/* network.c - the network of the machine, its links coloured by how busy they were at a moment: in the sample of each
 * link that has it. If none is given, it is the middle of the sample in which a link was busiest. The two directions of
 * a link are side by side, the one from left to right above. */
#include "plot/kind/kind.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

enum { SIDE_LEAST = 420, SIDE_MOST = 1100, NAMED = 80, EDGE = 14 };

typedef struct Heat {
    const PlotRequest *request;
    uint64_t at_ps;
    GHashTable *edges; /* name -> 1 + index of the edge */
    double *busy;      /* by edge: the share; below 0: no sample has the moment */
    bool any;
} Heat;

static void take(void *user, const TraceEvent *event)
{
    Heat *heat = user;
    uint64_t from = event->fields[TRACE_LINK_FROM], to = event->time_ps;
    heat->any = true;
    if (to <= from || heat->at_ps < from || heat->at_ps >= to)
        return;
    const char *name = trace_reader_text(heat->request->reader, event->fields[TRACE_LINK_LINK]);
    guint edge = GPOINTER_TO_UINT(g_hash_table_lookup(heat->edges, name));
    if (edge)
        heat->busy[edge - 1] = fmin((double)event->fields[TRACE_LINK_BUSY] / (double)(to - from), 1);
}

typedef struct Busiest {
    uint64_t busy_ps, at_ps;
} Busiest;

static void take_busiest(void *user, const TraceEvent *event)
{
    Busiest *busiest = user;
    uint64_t from = event->fields[TRACE_LINK_FROM], busy = event->fields[TRACE_LINK_BUSY];
    if (event->time_ps <= from || busy <= busiest->busy_ps)
        return;
    busiest->busy_ps = busy;
    busiest->at_ps = from + (event->time_ps - from) / 2;
}

typedef struct View { /* from positions to pixels */
    PlotPoint *at;    /* by vertex, in units */
    double x, y, unit, radius;
} View;

static PlotPoint place(const View *view, uint32_t vertex)
{
    return (PlotPoint){view->x + view->at[vertex].x * view->unit, view->y + view->at[vertex].y * view->unit};
}

static int by_value(gconstpointer a, gconstpointer b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Returns where parts of a picture begin that are side by side with gaps between them, such as the planes of a torus.
 */
static GArray *find_parts(const View *view, uint32_t vertices)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(double)), *parts = g_array_new(FALSE, FALSE, sizeof(double));
    double least = G_MAXDOUBLE;
    for (uint32_t i = 0; i < vertices; i++)
        g_array_append_val(columns, view->at[i].x);
    g_array_sort(columns, by_value);
    for (guint i = 1; i < columns->len; i++) {
        double gap = g_array_index(columns, double, i) - g_array_index(columns, double, i - 1);
        least = gap > 1e-6 ? fmin(least, gap) : least;
    }
    for (guint i = 0; i < columns->len; i++)
        if (!i || g_array_index(columns, double, i) - g_array_index(columns, double, i - 1) > 1.2 * least)
            g_array_append_val(parts, g_array_index(columns, double, i));
    g_array_unref(columns);
    return parts;
}

typedef struct Extent {
    double left, right, top, bottom;
} Extent;

static Extent extent_of(const View *view, uint32_t vertices)
{
    Extent extent = {G_MAXDOUBLE, -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE};
    for (uint32_t i = 0; i < vertices; i++) {
        extent.left = fmin(extent.left, view->at[i].x), extent.right = fmax(extent.right, view->at[i].x);
        extent.top = fmin(extent.top, view->at[i].y), extent.bottom = fmax(extent.bottom, view->at[i].y);
    }
    return extent;
}

/* A picture that is many times as wide as high is broken into lines of parts. */
static void fold(View *view, uint32_t vertices)
{
    Extent extent = extent_of(view, vertices);
    double width = extent.right - extent.left, height = extent.bottom - extent.top + 2;
    g_autoptr(GArray) parts = find_parts(view, vertices);
    guint lines = MIN((guint)fmax(sqrt(width / height) + 0.5, 1), parts->len), each = (parts->len + lines - 1) / lines;
    if (width < 4 * height || lines < 2)
        return;
    for (uint32_t i = 0; i < vertices; i++) {
        guint part = parts->len - 1;
        while (part && g_array_index(parts, double, part) > view->at[i].x + 1e-6)
            part--;
        guint line = part / each;
        view->at[i].x -= g_array_index(parts, double, line *each);
        view->at[i].y += line * height;
    }
}

/* Places vertices so that neighbours are some 70 pixels apart, or all fits. */
static View view_of(const PlotGraph *graph, double *width, double *height)
{
    View view = {.at = g_new0(PlotPoint, MAX(graph->n_vertices, 1))};
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        view.at[i] = (PlotPoint){graph->vertices[i].x, graph->vertices[i].y};
    fold(&view, graph->n_vertices);
    Extent extent = extent_of(&view, graph->n_vertices);
    double across = extent.right - extent.left, down = extent.bottom - extent.top, side = fmax(fmax(across, down), 1);
    view.unit = fmin(fmax(SIDE_LEAST / side, 70), SIDE_MOST / side);
    view.radius = fmin(view.unit * 0.2, 13);
    view.x = view.radius + EDGE - extent.left * view.unit;
    view.y = view.radius + EDGE - extent.top * view.unit;
    *width = across * view.unit + 2 * (view.radius + EDGE);
    *height = down * view.unit + 2 * (view.radius + EDGE);
    return view;
}

static void draw_edge(const Heat *heat, const ChartFrame *frame, const View *view, uint32_t index, double most)
{
    const PlotGraph *graph = heat->request->graph;
    const PlotEdge *edge = &graph->edges[index];
    PlotPoint from = place(view, edge->from), to = place(view, edge->to);
    double dx = to.x - from.x, dy = to.y - from.y, length = fmax(hypot(dx, dy), 1e-9), share = heat->busy[index];
    double side = fmax(view->radius * 0.26, 0.6);
    bool far = length > view->unit * 1.6; /* bent around what is between */
    PlotInk ink = {.fill = PLOT_NONE,
                   .line = share < 0 ? frame->theme->grid : plot_theme_heat(frame->theme, share / most),
                   .width = fmax(view->radius * (share > 0 ? 0.36 : 0.2) * (far ? 0.4 : 1), 0.4),
                   .opacity = far ? 0.7 : 0};
    double ox = dy / length * side, oy = -dx / length * side;
    double bow = far ? fmin(0.12 * length, 0.55 * view->unit) : 0;
    double flip = edge->from > edge->to ? -1 : 1; /* both directions bend to the same side */
    PlotPoint middle = {(from.x + to.x) / 2 + ox + dy / length * bow * flip,
                        (from.y + to.y) / 2 + oy - dx / length * bow * flip};
    g_autofree char *told = share < 0 ? g_strdup(edge->name) : g_strdup_printf("%s: %.0f %%", edge->name, 100 * share);
    const PlotPoint points[] = {{from.x + ox, from.y + oy}, middle, {to.x + ox, to.y + oy}};
    plot_canvas_line(frame->canvas, points, 3, ink, told);
}

/* Draws idle links first, and those that are busiest last. */
static void draw_edges(const Heat *heat, const ChartFrame *frame, const View *view, double most)
{
    for (int step = -1; step <= 8; step++)
        for (uint32_t i = 0; i < heat->request->graph->n_edges; i++)
            if ((heat->busy[i] < 0 ? -1 : (int)(heat->busy[i] / most * 8)) == step)
                draw_edge(heat, frame, view, i, most);
}

/* Returns the end of the scale, in percent. */
static double busiest_of(const Heat *heat)
{
    double most = 0.01;
    for (uint32_t i = 0; i < heat->request->graph->n_edges; i++)
        most = fmax(most, heat->busy[i]);
    return plot_chart_nice_end(100 * most, 5);
}

static void draw_vertex(const Heat *heat, const ChartFrame *frame, const View *view, uint32_t index)
{
    const PlotGraph *graph = heat->request->graph;
    const PlotVertex *vertex = &graph->vertices[index];
    PlotPoint at = place(view, index);
    double r = view->radius;
    PlotInk ink = {.fill = frame->theme->paper, .line = frame->theme->ink, .width = fmin(1.2, r / 4)};
    if (vertex->is_switch)
        plot_canvas_rectangle(frame->canvas, at.x - r * 0.85, at.y - r * 0.85, r * 1.7, r * 1.7, ink, vertex->name);
    else
        plot_canvas_disc(frame->canvas, at.x, at.y, r, ink, vertex->name);
    if (graph->n_vertices > NAMED && r < 8)
        return;
    g_autofree char *number = g_strdup_printf("%u", index);
    double size = fmin(r * 0.95, 11);
    if (!vertex->is_switch && plot_text_width(number, size, false) < 1.9 * r)
        plot_canvas_text(frame->canvas, at.x, at.y + size * 0.36, size, PLOT_MIDDLE, frame->theme->ink, number);
}

static bool any_switch(const PlotGraph *graph)
{
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        if (graph->vertices[i].is_switch)
            return true;
    return false;
}

static void draw(const Heat *heat, PlotCanvas *canvas)
{
    const PlotRequest *request = heat->request;
    const PlotGraph *graph = request->graph;
    ChartFrame frame;
    double width, height;
    View view = view_of(graph, &width, &height);
    g_autofree char *facts = plot_data_facts(request), *time = base_units_format_time(heat->at_ps);
    g_autofree char *own = g_strdup_printf("The network of %s at %s", graph->name, time);
    plot_chart_frame_begin(&frame, canvas, request->theme, fmax(width + 2 * CHART_MARGIN + 120, 640),
                           request->title ? request->title : own, facts);
    double room = frame.width - 120 - width;
    plot_chart_frame_area(&frame, room / 2, height, frame.width - room / 2 - width);
    view.x += frame.left;
    view.y += frame.top;
    ChartScale scale = {.low = 0, .high = busiest_of(heat)};
    plot_canvas_group(canvas, "links");
    draw_edges(heat, &frame, &view, scale.high / 100);
    plot_canvas_group_end(canvas);
    plot_canvas_group(canvas, "vertices");
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        draw_vertex(heat, &frame, &view, i);
    plot_canvas_group_end(canvas);
    frame.right = frame.width - 120;
    frame.bottom = frame.top + fmax(height, 140);
    plot_chart_frame_ramp(&frame, "busy (%)", &scale);
    frame.below = fmax(frame.below, frame.bottom) + 6;
    plot_chart_frame_note(&frame, any_switch(graph)
                                      ? "Discs are nodes, squares switches. Of each link, the line to the right "
                                        "of the way from one end to the other is that direction; thin lines "
                                        "carried nothing then."
                                      : "Discs are nodes. Each link has a line for each direction; thin lines "
                                        "carried nothing then.");
    plot_chart_frame_end(&frame);
    g_free(view.at);
}

static bool read_heat(Heat *heat, GError **error)
{
    const PlotGraph *graph = heat->request->graph;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        g_hash_table_insert(heat->edges, (gpointer)graph->edges[i].name, GUINT_TO_POINTER(i + 1));
        heat->busy[i] = -1;
    }
    DataListener listener = {.event = take, .kinds = DATA_KIND(TRACE_LINK), .user = heat};
    return plot_data_read(heat->request, &listener, error) &&
           (heat->any || plot_data_missing(heat->request, "samples of links", PLOT_KIND_WITHOUT_LINKS, error));
}

static bool find_moment(Heat *heat, uint64_t from_ps, uint64_t to_ps, GError **error)
{
    Busiest busiest = {.at_ps = heat->at_ps};
    DataListener listener = {.event = take_busiest, .kinds = DATA_KIND(TRACE_LINK), .user = &busiest};
    if (!plot_data_read(heat->request, &listener, error))
        return false;
    heat->at_ps = CLAMP(busiest.at_ps, from_ps, to_ps);
    return true;
}

bool plot_draw_network(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    uint64_t from_ps, to_ps;
    if (!plot_data_span(request, &from_ps, &to_ps, error))
        return false;
    Heat heat = {.request = request, .at_ps = request->at_given ? request->at_ps : from_ps + (to_ps - from_ps) / 2};
    if (heat.at_ps < from_ps || heat.at_ps > to_ps) {
        g_autofree char *at = base_units_format_time(heat.at_ps), *end = base_units_format_time(to_ps);
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "--at %s is not within the run, whose recording ends at %s",
                    at, end);
        return false;
    }
    heat.edges = g_hash_table_new(g_str_hash, g_str_equal);
    heat.busy = g_new0(double, MAX(request->graph->n_edges, 1));
    bool good = (request->at_given || find_moment(&heat, from_ps, to_ps, error)) && read_heat(&heat, error);
    if (good)
        draw(&heat, canvas);
    g_hash_table_unref(heat.edges);
    g_free(heat.busy);
    return good;
}
