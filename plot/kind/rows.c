/* rows.c - rows of ranks over time, and what these did.
 *
 * While there are few intervals, each is drawn as it is. Beyond that, time has columns. High rows then show the shares
 * of the states in each column, low ones the state that lasted longest. Rows of more than KIND_MOST_ROWS locations
 * stand for 2, 4, 8, ... of them each.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <string.h>

enum { MOST_EXACT = 20000, MOST_TOLD = 1500, COLUMNS = 440, ALL_HEIGHT = 84, ALL_FROM_ROWS = 32, SHARES_HEIGHT = 11 };

/* -- gathering --------------------------------------------------------------------------------- */

static void take_interval(void *user, const AnalysisInterval *interval)
{
    KindRows *rows = user;
    uint32_t row = rows->rows->row_of[interval->location];
    if (row == DATA_NO_ROW)
        return;
    rows->used[interval->state] = true;
    plot_data_grid_add(rows->grid, row, interval->state, interval->from_ps, interval->to_ps);
    plot_data_grid_add(rows->all, 0, interval->state, interval->from_ps, interval->to_ps);
    if (!rows->exact)
        return;
    if (rows->exact->len < MOST_EXACT)
        g_array_append_vals(rows->exact, interval, 1);
    else
        g_clear_pointer(&rows->exact, g_array_unref);
}

bool plot_kind_rows_read(KindRows *rows, const PlotRequest *request, GError **error)
{
    *rows = (KindRows){.request = request};
    if (!plot_data_span(request, &rows->from_ps, &rows->to_ps, error))
        return false;
    rows->rows = plot_data_rows_new(request, KIND_MOST_ROWS, error);
    if (!rows->rows)
        return false;
    rows->grid = plot_data_grid_new(rows->rows->rows, COLUMNS, rows->from_ps, rows->to_ps);
    rows->all = plot_data_grid_new(1, COLUMNS, rows->from_ps, rows->to_ps);
    if (rows->rows->per_row == 1)
        rows->exact = g_array_new(FALSE, FALSE, sizeof(AnalysisInterval));
    DataListener listener = {.interval = take_interval, .user = rows};
    return plot_data_read(request, &listener, error);
}

void plot_kind_rows_clear(KindRows *rows)
{
    plot_data_rows_free(rows->rows);
    plot_data_grid_free(rows->grid);
    plot_data_grid_free(rows->all);
    if (rows->exact)
        g_array_unref(rows->exact);
}

/* -- head and axes ----------------------------------------------------------------------------- */

static PlotInk state_ink(const KindRows *rows, AnalysisState state)
{
    PlotInk ink = plot_theme_state(rows->frame.theme, state);
    ink.opacity = rows->tint;
    return ink;
}

void plot_kind_rows_begin(KindRows *rows, PlotCanvas *canvas, const char *title)
{
    const PlotRequest *request = rows->request;
    g_autofree char *facts = plot_data_facts(request);
    plot_chart_frame_begin(&rows->frame, canvas, request->theme, KIND_WIDTH, request->title ? request->title : title,
                           facts);
    for (AnalysisState state = 0; state < ANALYSIS_STATES; state++)
        if (rows->used[state])
            plot_chart_frame_legend(&rows->frame, CHART_MARK_AREA, state_ink(rows, state), analysis_state_name(state));
}

double plot_kind_rows_middle(const KindRows *rows, uint32_t row)
{
    return rows->frame.top + (row + 0.5) * rows->height;
}

/* Returns how many rows are from one label to the next. */
static uint32_t label_step(const KindRows *rows)
{
    uint32_t step = 1;
    while (step * rows->height < CHART_TICK_FONT + 3)
        step *= 2;
    return step;
}

/* Returns the label of a row: what it begins with. */
static char *row_label(const KindRows *rows, uint32_t row)
{
    g_autofree char *name = plot_data_rows_name(rows->rows, rows->request->reader, row);
    name[label_step(rows) > 1 ? strcspn(name, "-") : strlen(name)] = '\0';
    return g_steal_pointer(&name);
}

static double label_room(const KindRows *rows)
{
    double most = 0;
    for (uint32_t row = 0; row < rows->rows->rows; row += label_step(rows)) {
        g_autofree char *label = row_label(rows, row);
        most = fmax(most, plot_text_width(label, CHART_TICK_FONT, false));
    }
    return CHART_MARGIN + CHART_FONT + 10 + most + 8;
}

static void draw_labels(const KindRows *rows)
{
    const ChartFrame *frame = &rows->frame;
    PlotCanvas *canvas = frame->canvas;
    plot_canvas_group(canvas, "axis y");
    for (uint32_t row = 0; row < rows->rows->rows; row += label_step(rows)) {
        g_autofree char *label = row_label(rows, row);
        plot_canvas_text(canvas, frame->left - 8, plot_kind_rows_middle(rows, row) + 4, CHART_TICK_FONT, PLOT_RIGHT,
                         frame->theme->ink, label);
    }
    bool high = frame->bottom - frame->top > 80;
    plot_canvas_upright(canvas, CHART_MARGIN + CHART_FONT, (frame->top + frame->bottom) / 2, CHART_FONT, PLOT_MIDDLE,
                        frame->theme->ink, rows->rows->threads && high ? "rank.thread" : "rank");
    plot_canvas_group_end(canvas);
}

/* -- states ------------------------------------------------------------------------------------ */

static char *told_of(const KindRows *rows, const AnalysisInterval *interval)
{
    const TraceReader *reader = rows->request->reader;
    ChartUnit unit = plot_chart_time_unit(rows->to_ps - rows->from_ps);
    char from[CHART_LABEL], to[CHART_LABEL];
    double one = (double)unit.ps, step = (double)(rows->to_ps - rows->from_ps) / one / 1e5;
    double digit = pow(10, floor(log10(fmax(step, 1e-9))));
    plot_chart_label(PLOT_NUMBERS, (double)interval->from_ps / one, digit, from);
    plot_chart_label(PLOT_NUMBERS, (double)interval->to_ps / one, digit, to);
    GString *text = g_string_new(NULL);
    g_autofree char *name = plot_data_rows_name(rows->rows, reader, rows->rows->row_of[interval->location]);
    g_string_printf(text, "rank %s, %s to %s %s: %s", name, from, to, unit.name, analysis_state_name(interval->state));
    if (interval->state == ANALYSIS_COMPUTING)
        return g_string_free(text, FALSE);
    if (interval->function && *interval->function)
        g_string_append_printf(text, " in %s", interval->function);
    TraceSite site = trace_reader_site(reader, interval->site);
    if (interval->site && site.file)
        g_string_append_printf(text, ", %s:%u", site.file, site.line);
    if (interval->cause && *interval->cause)
        g_string_append_printf(text, " (%s)", interval->cause);
    return g_string_free(text, FALSE);
}

static void draw_exact(const KindRows *rows, AnalysisState state)
{
    const ChartFrame *frame = &rows->frame;
    PlotInk ink = state_ink(rows, state);
    for (guint i = 0; i < rows->exact->len; i++) {
        const AnalysisInterval *interval = &g_array_index(rows->exact, AnalysisInterval, i);
        if (interval->state != state)
            continue;
        double x = plot_chart_time_place(&rows->time, interval->from_ps),
               to = plot_chart_time_place(&rows->time, interval->to_ps);
        double y = plot_kind_rows_middle(rows, rows->rows->row_of[interval->location]) - rows->bar / 2;
        g_autofree char *told = rows->exact->len <= MOST_TOLD ? told_of(rows, interval) : NULL;
        PlotInk own = ink;
        own.pattern = to - x < PLOT_PATTERN_STEP ? PLOT_PLAIN : ink.pattern; /* too narrow for strokes */
        plot_canvas_rectangle(frame->canvas, x, y, fmax(to - x, 0.05), rows->bar, own, told);
    }
}

static bool is_empty(const DataGrid *grid, uint32_t row)
{
    for (uint32_t column = 0; column < grid->columns; column++)
        for (unsigned state = 0; state < ANALYSIS_STATES; state++)
            if (plot_data_grid_cell(grid, row, column)[state])
                return false;
    return true;
}

/* Returns how long something was done in a column by so many locations, at the most. */
static double whole_of(const DataGrid *grid, uint32_t column, uint32_t locations)
{
    uint64_t end = column + 1 < grid->columns ? plot_data_grid_time(grid, column + 1) : grid->to_ps;
    return (double)(end - plot_data_grid_time(grid, column)) * locations;
}

/* Draws, for one state, its shares of the columns of a row: between the states before it and those behind. */
static void draw_shares(const KindRows *rows, const DataGrid *grid, uint32_t row, AnalysisState state, double bottom,
                        double height, uint32_t locations)
{
    const ChartFrame *frame = &rows->frame;
    double width = (frame->right - frame->left) / grid->columns;
    for (uint32_t column = 0; column < grid->columns; column++) {
        const uint64_t *cell = plot_data_grid_cell(grid, row, column);
        uint64_t below = 0;
        double whole = whole_of(grid, column, locations);
        for (unsigned i = 0; i < state; i++)
            below += cell[i];
        if (!cell[state] || whole <= 0)
            continue;
        double part = fmin((double)cell[state] / whole, 1) * height, under = fmin((double)below / whole, 1) * height;
        plot_canvas_rectangle(frame->canvas, frame->left + column * width, bottom - under - part, width + 0.1, part,
                              state_ink(rows, state), NULL);
    }
}

/* Returns the state that lasted longest in a cell, or ANALYSIS_STATES if nothing was done. */
static AnalysisState longest_of(const uint64_t *cell)
{
    AnalysisState longest = ANALYSIS_STATES;
    for (AnalysisState state = 0; state < ANALYSIS_STATES; state++)
        if (cell[state] && (longest == ANALYSIS_STATES || cell[state] > cell[longest]))
            longest = state;
    return longest;
}

/* Draws the cells of a row in which a state lasted longest; neighbours are one rectangle. */
static void draw_longest(const KindRows *rows, uint32_t row, AnalysisState state)
{
    const ChartFrame *frame = &rows->frame;
    double width = (frame->right - frame->left) / rows->grid->columns;
    double y = plot_kind_rows_middle(rows, row) - rows->bar / 2;
    PlotInk ink = state_ink(rows, state);
    ink.pattern = PLOT_PLAIN; /* the rows are too low for it */
    for (uint32_t column = 0, first = 0; column <= rows->grid->columns; column++) {
        bool is = column < rows->grid->columns && longest_of(plot_data_grid_cell(rows->grid, row, column)) == state;
        if (is)
            continue;
        if (column > first)
            plot_canvas_rectangle(frame->canvas, frame->left + first * width, y, (column - first) * width, rows->bar,
                                  ink, NULL);
        first = column + 1;
    }
}

static void draw_states(const KindRows *rows)
{
    for (AnalysisState state = 0; state < ANALYSIS_STATES; state++) {
        if (!rows->used[state])
            continue;
        g_autofree char *name = g_strdup_printf("state %s", analysis_state_name(state));
        plot_canvas_group(rows->frame.canvas, name);
        if (rows->exact)
            draw_exact(rows, state);
        for (uint32_t row = 0; row < rows->rows->rows && !rows->exact; row++)
            if (rows->bar >= SHARES_HEIGHT && rows->rows->per_row == 1)
                draw_shares(rows, rows->grid, row, state, plot_kind_rows_middle(rows, row) + rows->bar / 2, rows->bar,
                            1);
            else
                draw_longest(rows, row, state);
        plot_canvas_group_end(rows->frame.canvas);
    }
}

/* -- all ranks together ------------------------------------------------------------------------ */

/* Draws the shares of all locations in a panel above the rows. */
static void draw_all(KindRows *rows, double room)
{
    ChartFrame *frame = &rows->frame;
    plot_chart_frame_area(frame, room, ALL_HEIGHT, KIND_RIGHT);
    ChartScale share = {.low = 0, .high = 100};
    plot_chart_axis_up(frame, &share, "ranks (%)");
    plot_canvas_group(frame->canvas, "all ranks");
    for (AnalysisState state = 0; state < ANALYSIS_STATES; state++)
        if (rows->used[state])
            draw_shares(rows, rows->all, 0, state, frame->bottom, ALL_HEIGHT, rows->rows->shown);
    plot_canvas_group_end(frame->canvas);
    plot_chart_axis_lines(frame);
    frame->top = frame->bottom;
}

void plot_kind_rows_draw(KindRows *rows, double height, double share)
{
    ChartFrame *frame = &rows->frame;
    rows->height = height;
    rows->bar = height * share;
    double room = label_room(rows);
    if (rows->rows->shown > ALL_FROM_ROWS) {
        room = fmax(room, CHART_MARGIN + CHART_FONT + 10 + 26 + 8);
        draw_all(rows, room);
    }
    plot_chart_frame_area(frame, room, rows->rows->rows * height, KIND_RIGHT);
    rows->time = plot_chart_axis_time(frame, rows->from_ps, rows->to_ps);
    draw_labels(rows);
    draw_states(rows);
    plot_chart_axis_lines(frame);
}

void plot_kind_rows_notes(KindRows *rows)
{
    const char *longest = "the colour of a place is what they did longest";
    g_autofree char *text = NULL;
    if (rows->rows->per_row > 1)
        text = g_strdup_printf("Each row stands for %u %s; %s.", rows->rows->per_row,
                               rows->rows->threads ? "ranks or threads" : "ranks", longest);
    else if (!rows->exact && rows->bar < SHARES_HEIGHT)
        text = g_strdup("There are too many changes to draw each: the colour of a place is what was done longest.");
    else if (!rows->exact)
        text = g_strdup("There are too many changes to draw each: columns of a row show the shares of what was done.");
    if (text)
        plot_chart_frame_note(&rows->frame, text);
    uint32_t empty = 0;
    for (uint32_t row = 0; row < rows->grid->rows; row++)
        empty += is_empty(rows->grid, row);
    if (empty == rows->grid->rows)
        plot_chart_frame_note(&rows->frame, "The recording has no calls here.");
    else if (empty && rows->rows->threads && rows->rows->per_row == 1)
        plot_chart_frame_note(&rows->frame, "Of threads without bars the trace tells only that they began.");
}
