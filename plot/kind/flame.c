/* flame.c - where time went, as a flame graph: below, all ranks; above, the functions of the program, the lines that
 * calls stand on, the calls. Widths are sums of virtual time of all ranks. Computing counts for the line of the call
 * that it leads to. The order within a row is by name, as is usual, so that two runs can be compared.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { ROW = 24 };

typedef struct Frame Frame;
struct Frame {
    char *name;
    uint64_t ps;
    GPtrArray *inner; /* Frame */
    GHashTable *known;
    Frame *outer;
    int state; /* colour of a leaf; -1: none */
};

static void frame_free(void *pointer)
{
    Frame *frame = pointer;
    g_free(frame->name);
    g_clear_pointer(&frame->inner, g_ptr_array_unref);
    g_clear_pointer(&frame->known, g_hash_table_unref);
    g_free(frame);
}

static Frame *frame_new(const char *name)
{
    Frame *frame = g_new0(Frame, 1);
    frame->name = g_strdup(name);
    frame->state = -1;
    frame->inner = g_ptr_array_new_with_free_func(frame_free);
    frame->known = g_hash_table_new(g_str_hash, g_str_equal);
    return frame;
}

static Frame *inner_of(Frame *frame, const char *name)
{
    Frame *inner = g_hash_table_lookup(frame->known, name);
    if (!inner) {
        inner = frame_new(name);
        inner->outer = frame;
        g_ptr_array_add(frame->inner, inner);
        g_hash_table_insert(frame->known, inner->name, inner);
    }
    return inner;
}

typedef struct Path { /* what the frames of an interval depend on; texts are those of the reader */
    uint32_t site;
    AnalysisState state;
    const char *function, *cause;
} Path;

static guint path_hash(gconstpointer pointer)
{
    const Path *path = pointer;
    return g_direct_hash(path->function) * 31 + g_direct_hash(path->cause) * 7 + path->site * 4 + path->state;
}

static gboolean path_equal(gconstpointer a, gconstpointer b)
{
    const Path *one = a, *other = b;
    return one->site == other->site && one->state == other->state && one->function == other->function &&
           one->cause == other->cause;
}

typedef struct Flame {
    const PlotRequest *request;
    DataRows *rows;
    Frame *root;
    GHashTable *leaves; /* Path -> Frame: the innermost one */
} Flame;

static Frame *line_of(Flame *flame, uint32_t number)
{
    TraceSite site = trace_reader_site(flame->request->reader, number);
    const char *function = site.function && *site.function ? site.function : "outside of known functions";
    Frame *outer = inner_of(flame->root, function);
    if (!site.line || !site.file)
        return outer;
    g_autofree char *file = g_path_get_basename(site.file);
    g_autofree char *line = g_strdup_printf("%s:%u", file, site.line);
    return inner_of(outer, line);
}

static Frame *new_leaf(Flame *flame, const Path *path)
{
    Frame *line = line_of(flame, path->site);
    if (path->state == ANALYSIS_OVERHEAD || path->state == ANALYSIS_WAITING)
        line = inner_of(line, path->function && *path->function ? path->function : "a call");
    g_autofree char *waiting = path->state == ANALYSIS_WAITING && path->cause && *path->cause
                                   ? g_strdup_printf("waiting: %s", path->cause)
                                   : NULL;
    Frame *leaf = inner_of(line, waiting ? waiting : analysis_state_name(path->state));
    leaf->state = (int)path->state;
    return leaf;
}

static void take(void *user, const AnalysisInterval *interval)
{
    Flame *flame = user;
    if (interval->location >= flame->rows->locations || flame->rows->row_of[interval->location] == DATA_NO_ROW)
        return;
    Path path = {interval->site ? interval->site : interval->after, interval->state, interval->function,
                 interval->cause};
    Frame *leaf = g_hash_table_lookup(flame->leaves, &path);
    if (!leaf) {
        leaf = new_leaf(flame, &path);
        g_hash_table_insert(flame->leaves, g_memdup2(&path, sizeof path), leaf);
    }
    for (Frame *frame = leaf; frame; frame = frame->outer)
        frame->ps += interval->to_ps - interval->from_ps;
}

/* -- drawing ----------------------------------------------------------------------------------- */

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp((*(Frame *const *)a)->name, (*(Frame *const *)b)->name);
}

static unsigned depth_of(const Frame *frame)
{
    unsigned depth = 0;
    for (guint i = 0; i < frame->inner->len; i++)
        depth = MAX(depth, 1 + depth_of(frame->inner->pdata[i]));
    return depth;
}

static void draw_frame(const ChartFrame *chart, const Frame *frame, const Frame *root, double x, double width,
                       unsigned level)
{
    const PlotTheme *theme = chart->theme;
    double y = chart->bottom - (level + 1) * ROW;
    PlotInk ink = frame->state >= 0 ? plot_theme_state(theme, (AnalysisState)frame->state)
                                    : (PlotInk){.fill = theme->grid, .line = PLOT_NONE};
    ink.line = theme->paper;
    ink.width = 1;
    char share[CHART_LABEL], time[CHART_LABEL];
    plot_chart_label(PLOT_NUMBERS, 100 * (double)frame->ps / (double)root->ps, 0.1, share);
    plot_chart_label(PLOT_TIMES, (double)frame->ps, plot_chart_rounding((double)frame->ps, 4), time);
    g_autofree char *told = g_strdup_printf("%s: %s, %s %%", frame->name, time, share);
    plot_canvas_rectangle(chart->canvas, x, y, width, ROW, ink, told);
    if (width > 28) {
        g_autofree char *name = plot_text_fit(frame->name, CHART_TICK_FONT, false, width - 10);
        double wide = plot_text_width(name, CHART_TICK_FONT, false);
        if (ink.pattern && wide + 6 < width) /* letters are not read on strokes */
            plot_canvas_rectangle(chart->canvas, x + 3, y + 4, wide + 5, ROW - 8,
                                  (PlotInk){.fill = ink.fill, .line = PLOT_NONE}, NULL);
        if (strlen(name) >= 8 || strcmp(name, frame->name) == 0)
            plot_canvas_text(chart->canvas, x + 5, y + ROW / 2.0 + 4, CHART_TICK_FONT, PLOT_LEFT,
                             plot_colour_on(ink.fill), name);
    }
    g_ptr_array_sort(frame->inner, by_name);
    double end = x + width; /* sums of a strange trace may be beyond all numbers */
    for (guint i = 0; i < frame->inner->len; i++) {
        const Frame *inner = frame->inner->pdata[i];
        double part = fmin(width * (double)inner->ps / (double)MAX(frame->ps, 1), end - x);
        if (part >= 0.3)
            draw_frame(chart, inner, root, x, part, level + 1);
        x += part;
    }
}

/* Gives the frames of a profile, whose nodes come after their callers. */
static void take_profile(Flame *flame)
{
    const GArray *nodes = flame->request->profile->nodes;
    g_autofree Frame **frames = g_new0(Frame *, MAX(nodes->len, 1));
    for (guint i = 0; i < nodes->len; i++) {
        const PlotFunction *node = &g_array_index(nodes, PlotFunction, i);
        frames[i] = inner_of(node->parent == UINT32_MAX ? flame->root : frames[node->parent], node->name);
        for (AnalysisState state = 0; state < ANALYSIS_STATES; state++) {
            if (!node->ps[state])
                continue;
            Frame *leaf = inner_of(frames[i], analysis_state_name(state));
            leaf->state = (int)state;
            for (Frame *frame = leaf; frame; frame = frame->outer)
                frame->ps += node->ps[state];
        }
    }
}

static void draw(const Flame *flame, PlotCanvas *canvas)
{
    const PlotRequest *request = flame->request;
    ChartFrame chart;
    g_autofree char *facts = plot_data_facts(request);
    plot_chart_frame_begin(&chart, canvas, request->theme, KIND_WIDTH,
                           request->title ? request->title : "Where the time of all ranks went", facts);
    for (AnalysisState state = 0; state < ANALYSIS_STATES; state++)
        plot_chart_frame_legend(&chart, CHART_MARK_AREA, plot_theme_state(request->theme, state),
                                analysis_state_name(state));
    plot_chart_frame_area(&chart, CHART_MARGIN, (double)ROW * (depth_of(flame->root) + 1), CHART_MARGIN);
    plot_canvas_group(canvas, "flame");
    draw_frame(&chart, flame->root, flame->root, chart.left, chart.right - chart.left, 0);
    plot_canvas_group_end(canvas);
    char time[CHART_LABEL];
    plot_chart_label(PLOT_TIMES, (double)flame->root->ps, plot_chart_rounding((double)flame->root->ps, 4), time);
    g_autofree char *note = g_strdup_printf(
        "Widths are times of %s, %s in all. From below: %s", flame->root->name, time,
        request->profile
            ? "functions and what they call; what each did itself."
            : "function, line, call, what was done. Computing counts for the line of the call that follows "
              "it.");
    plot_chart_frame_note(&chart, note);
    plot_chart_frame_end(&chart);
}

static char *name_of(uint64_t ranks)
{
    return ranks == 1 ? g_strdup("one rank") : g_strdup_printf("%" G_GUINT64_FORMAT " ranks", ranks);
}

static bool read_flame(Flame *flame, GError **error)
{
    uint64_t from_ps, to_ps;
    if (flame->request->profile) {
        take_profile(flame);
        return true;
    }
    flame->rows = plot_data_span(flame->request, &from_ps, &to_ps, error)
                      ? plot_data_rows_new(flame->request, UINT32_MAX, error)
                      : NULL;
    if (!flame->rows)
        return false;
    g_free(flame->root->name);
    flame->root->name = name_of(flame->rows->ranks);
    DataListener listener = {.interval = take, .user = flame};
    return plot_data_read(flame->request, &listener, error);
}

bool plot_draw_flame(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    g_autofree char *name = name_of(request->profile ? request->profile->ranks : 1);
    Flame flame = {.request = request, .root = frame_new(name)};
    flame.leaves = g_hash_table_new_full(path_hash, path_equal, g_free, NULL);
    bool good = read_flame(&flame, error);
    if (good && !flame.root->ps) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_EMPTY, "nobody used any time in what is to be drawn");
        good = false;
    }
    if (good)
        draw(&flame, canvas);
    plot_data_rows_free(flame.rows);
    g_hash_table_unref(flame.leaves);
    frame_free(flame.root);
    return good;
}
