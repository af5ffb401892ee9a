/* links.c - how busy the links of the network were at each time: a row for each of the busiest links, coloured by the
 * share of time in which it was busy. The trace has samples of links. */
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 200, MOST_LINKS = 48, NAME_ROOM = 150, SHARE_ROOM = 72 };

typedef struct Link {
    const char *name;
    uint64_t *busy_ps; /* by column */
    uint64_t total_ps;
} Link;

typedef struct Links {
    const PlotRequest *request;
    GHashTable *known; /* number of the name -> Link */
    GPtrArray *all;    /* Link, in the order in which they come */
    DataGrid *times;   /* only its columns are used */
    uint64_t from_ps, to_ps;
} Links;

static void link_free(void *pointer)
{
    Link *link = pointer;
    g_free(link->busy_ps);
    g_free(link);
}

static Link *link_of(Links *links, uint64_t name)
{
    Link *link = g_hash_table_lookup(links->known, GSIZE_TO_POINTER(name));
    if (link)
        return link;
    link = g_new0(Link, 1);
    link->name = trace_reader_text(links->request->reader, name);
    link->busy_ps = g_new0(uint64_t, links->times->columns);
    g_hash_table_insert(links->known, GSIZE_TO_POINTER(name), link);
    g_ptr_array_add(links->all, link);
    return link;
}

/* Spreads the busy time of a sample evenly over its columns. */
static void take(void *user, const TraceEvent *event)
{
    Links *links = user;
    uint64_t from = event->fields[TRACE_LINK_FROM], to = event->time_ps, busy = event->fields[TRACE_LINK_BUSY];
    if (to <= from || from >= links->to_ps || to <= links->from_ps)
        return;
    Link *link = link_of(links, event->fields[TRACE_LINK_LINK]);
    uint32_t column = plot_data_grid_column(links->times, MAX(from, links->from_ps));
    for (uint64_t at = MAX(from, links->from_ps), end; at < MIN(to, links->to_ps); at = end) {
        end = column + 1 < links->times->columns ? plot_data_grid_time(links->times, ++column) : UINT64_MAX;
        end = MIN(end, MIN(to, links->to_ps));
        uint64_t part = (uint64_t)((unsigned __int128)busy * (end - at) / (to - from));
        link->busy_ps[plot_data_grid_column(links->times, at)] += part;
        link->total_ps += part;
    }
}

static int by_use(gconstpointer a, gconstpointer b)
{
    const Link *one = *(Link *const *)a, *other = *(Link *const *)b;
    if (one->total_ps != other->total_ps)
        return one->total_ps < other->total_ps ? 1 : -1;
    return strcmp(one->name, other->name);
}

static double column_share(const Links *links, const Link *link, uint32_t column)
{
    uint64_t end = column + 1 < links->times->columns ? plot_data_grid_time(links->times, column + 1) : links->to_ps;
    uint64_t span = end - plot_data_grid_time(links->times, column);
    return span ? fmin((double)link->busy_ps[column] / (double)span, 1) : 0;
}

/* Returns a scale in percent, up to the most of the links that are shown. */
static ChartScale make_scale(const Links *links, guint shown)
{
    double most = 0.01;
    for (guint i = 0; i < shown; i++)
        for (uint32_t column = 0; column < links->times->columns; column++)
            most = fmax(most, column_share(links, links->all->pdata[i], column));
    return (ChartScale){.low = 0, .high = plot_chart_nice_end(100 * most, 5)};
}

/* Draws a row: a strip, and on it the times at which the link was busy. */
static void draw_link(const Links *links, const ChartFrame *frame, const Link *link, double y, double height,
                      const ChartScale *scale)
{
    double width = (frame->right - frame->left) / links->times->columns;
    g_autofree char *name = plot_text_fit(link->name, CHART_TICK_FONT, false, NAME_ROOM);
    double percent = 100 * (double)link->total_ps / (double)(links->to_ps - links->from_ps);
    char share[CHART_LABEL];
    plot_chart_label(PLOT_NUMBERS, percent, 0.1, share);
    plot_canvas_text(frame->canvas, frame->left - SHARE_ROOM, y + height / 2 + 3, CHART_TICK_FONT, PLOT_RIGHT,
                     frame->theme->ink, name);
    plot_canvas_text(frame->canvas, frame->left - 8, y + height / 2 + 3, CHART_TICK_FONT, PLOT_RIGHT,
                     frame->theme->faint, share);
    PlotInk strip = {.fill = plot_theme_heat(frame->theme, 0), .line = PLOT_NONE};
    plot_canvas_rectangle(frame->canvas, frame->left, y, frame->right - frame->left, height - 1.5, strip, NULL);
    for (uint32_t column = 0; column < links->times->columns; column++) {
        double part = 100 * column_share(links, link, column) / scale->high;
        if (part <= 0)
            continue;
        uint32_t fill = plot_theme_heat(frame->theme, ceil(part * 32) / 32); /* neighbours alike are one shape */
        plot_canvas_rectangle(frame->canvas, frame->left + column * width, y, width, height - 1.5,
                              (PlotInk){.fill = fill, .line = PLOT_NONE}, NULL);
    }
}

static void draw_heading(const ChartFrame *frame)
{
    plot_canvas_text(frame->canvas, frame->left - SHARE_ROOM, frame->top - 8, CHART_TICK_FONT, PLOT_RIGHT,
                     frame->theme->faint, "link");
    plot_canvas_text(frame->canvas, frame->left - 8, frame->top - 8, CHART_TICK_FONT, PLOT_RIGHT, frame->theme->faint,
                     "busy (%)");
}

static void draw(Links *links, PlotCanvas *canvas)
{
    ChartFrame frame;
    const PlotRequest *request = links->request;
    g_autofree char *facts = plot_data_facts(request);
    guint shown = MIN(links->all->len, MOST_LINKS);
    double height = shown <= 12 ? 30 : shown <= 24 ? 22 : 16;
    const char *title = request->title ? request->title : "How busy links were";
    ChartScale scale = make_scale(links, shown);
    plot_chart_frame_begin(&frame, canvas, request->theme, KIND_WIDTH, title, facts);
    frame.top += 16;
    plot_chart_frame_area(&frame, CHART_MARGIN + NAME_ROOM + SHARE_ROOM, shown * height, 110);
    draw_heading(&frame);
    plot_chart_axis_time(&frame, links->from_ps, links->to_ps);
    plot_canvas_group(canvas, "links");
    for (guint i = 0; i < shown; i++)
        draw_link(links, &frame, links->all->pdata[i], frame.top + i * height, height, &scale);
    plot_canvas_group_end(canvas);
    plot_chart_axis_lines(&frame);
    plot_chart_frame_ramp(&frame, "busy (% of the time)", &scale);
    if (shown < links->all->len) {
        g_autofree char *note = g_strdup_printf("The %u busiest of %u links that were used.", shown, links->all->len);
        plot_chart_frame_note(&frame, note);
    }
    plot_chart_frame_end(&frame);
}

bool plot_draw_links(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    Links links = {.request = request};
    if (!plot_data_span(request, &links.from_ps, &links.to_ps, error))
        return false;
    links.known = g_hash_table_new(NULL, NULL);
    links.all = g_ptr_array_new_with_free_func(link_free);
    links.times = plot_data_grid_new(0, COLUMNS, links.from_ps, links.to_ps);
    DataListener listener = {.event = take, .kinds = DATA_KIND(TRACE_LINK), .user = &links};
    bool good = plot_data_read(request, &listener, error);
    if (good && !links.all->len)
        good = plot_data_missing(request, "samples of links", PLOT_KIND_WITHOUT_LINKS, error);
    if (good) {
        g_ptr_array_sort(links.all, by_use);
        draw(&links, canvas);
    }
    g_hash_table_unref(links.known);
    g_ptr_array_unref(links.all);
    plot_data_grid_free(links.times);
    return good;
}
