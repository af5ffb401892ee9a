/* matrix.c - who sent how much to whom. Up to MOST_CELLS ranks have a row and a column each; of more, several share
 * one. */
#include "plot/kind/kind.h"

#include <math.h>

enum { MOST_CELLS = 128, SIDE = 560, MOST_NUMBERS = 12 };

typedef struct Matrix {
    DataRows *rows;
    uint64_t *bytes, *messages; /* by sender, receiver */
    uint64_t total_bytes, total_messages;
} Matrix;

static void take(void *user, const TraceEvent *event)
{
    Matrix *matrix = user;
    const DataRows *rows = matrix->rows;
    DataMessage message = plot_data_message(event);
    if (message.from >= rows->locations || message.to >= rows->locations || rows->row_of[message.from] == DATA_NO_ROW ||
        rows->row_of[message.to] == DATA_NO_ROW)
        return;
    size_t cell = (size_t)rows->row_of[message.from] * rows->rows + rows->row_of[message.to];
    matrix->bytes[cell] += message.bytes;
    matrix->messages[cell]++;
    matrix->total_bytes += message.bytes;
    matrix->total_messages++;
}

/* -- drawing ----------------------------------------------------------------------------------- */

static void draw_labels(const Matrix *matrix, const PlotRequest *request, const ChartFrame *frame, double side)
{
    uint32_t step = 1, across = 1;
    double widest = 0;
    while (step * side < CHART_TICK_FONT + 3)
        step *= 2;
    g_autofree char *last = plot_data_rows_name(matrix->rows, request->reader, matrix->rows->rows - 1);
    widest = plot_text_width(last, CHART_TICK_FONT, false);
    while (across * side < widest + 8)
        across *= 2;
    for (uint32_t i = 0; i < matrix->rows->rows; i++) {
        g_autofree char *name = plot_data_rows_name(matrix->rows, request->reader, i);
        double middle = (i + 0.5) * side;
        if (i % step == 0)
            plot_canvas_text(frame->canvas, frame->left - 7, frame->top + middle + 4, CHART_TICK_FONT, PLOT_RIGHT,
                             frame->theme->ink, name);
        if (i % across == 0)
            plot_canvas_text(frame->canvas, frame->left + middle, frame->bottom + 16, CHART_TICK_FONT, PLOT_MIDDLE,
                             frame->theme->ink, name);
    }
    plot_canvas_text(frame->canvas, frame->left + matrix->rows->rows * side / 2, frame->bottom + 36, CHART_FONT,
                     PLOT_MIDDLE, frame->theme->ink, "receiver (rank)");
    plot_canvas_upright(frame->canvas, CHART_MARGIN + CHART_FONT, (frame->top + frame->bottom) / 2, CHART_FONT,
                        PLOT_MIDDLE, frame->theme->ink, "sender (rank)");
}

/* Little and much are often some powers of ten apart, so the scale is logarithmic where they are. */
static ChartScale make_scale(const uint64_t *values, size_t count, PlotMeasure measure)
{
    uint64_t least = UINT64_MAX, most = 1;
    for (size_t i = 0; i < count; i++) {
        most = MAX(most, values[i]);
        least = values[i] ? MIN(least, values[i]) : least;
    }
    ChartScale scale = {.low = 0, .high = (double)most, .numbers = measure == PLOT_BYTES ? PLOT_SIZES : PLOT_COUNTS};
    if (least != UINT64_MAX && most / least >= 50) {
        scale.base = measure == PLOT_BYTES ? 2 : 10;
        scale.low = (double)least;
    }
    return scale;
}

static double share_of(const ChartScale *scale, uint64_t value)
{
    ChartScale unit = *scale;
    unit.pixel_low = scale->base ? 0.1 : 0; /* the least is not nothing */
    unit.pixel_high = 1;
    return plot_chart_scale_place(&unit, (double)value);
}

static void draw_cell(const ChartFrame *frame, double x, double y, double side, const ChartScale *scale, uint64_t value,
                      bool numbered, const char *told)
{
    uint32_t fill = plot_theme_heat(frame->theme, share_of(scale, value));
    char label[CHART_LABEL];
    plot_canvas_rectangle(frame->canvas, x, y, side, side, (PlotInk){.fill = fill, .line = PLOT_NONE}, told);
    plot_chart_label(scale->numbers, (double)value, scale->numbers == PLOT_SIZES && value >= 1024 ? 100 : 1, label);
    if (numbered && plot_text_width(label, 10, false) < side - 4)
        plot_canvas_text(frame->canvas, x + side / 2, y + side / 2 + 4, 10, PLOT_MIDDLE, plot_colour_on(fill), label);
}

static void draw_cells(const Matrix *matrix, const PlotRequest *request, const ChartFrame *frame,
                       const ChartScale *scale, double side)
{
    uint32_t rows = matrix->rows->rows;
    const uint64_t *values = request->measure == PLOT_BYTES ? matrix->bytes : matrix->messages;
    plot_canvas_group(frame->canvas, "cells");
    for (uint32_t from = 0; from < rows; from++)
        for (uint32_t to = 0; to < rows; to++) {
            size_t cell = (size_t)from * rows + to;
            if (!matrix->messages[cell])
                continue;
            g_autofree char *told = NULL;
            if (rows <= 64) {
                g_autofree char *one = plot_data_rows_name(matrix->rows, request->reader, from);
                g_autofree char *other = plot_data_rows_name(matrix->rows, request->reader, to);
                told = g_strdup_printf("%s to %s: %" G_GUINT64_FORMAT " messages, %" G_GUINT64_FORMAT " bytes", one,
                                       other, matrix->messages[cell], matrix->bytes[cell]);
            }
            if (values[cell] || !scale->base)
                draw_cell(frame, frame->left + to * side, frame->top + from * side, side, scale, values[cell],
                          rows <= MOST_NUMBERS, told);
        }
    plot_canvas_group_end(frame->canvas);
}

static void draw(const Matrix *matrix, const PlotRequest *request, PlotCanvas *canvas)
{
    uint32_t rows = matrix->rows->rows;
    double side = floor(fmin(SIDE / (double)rows, 62) * 4) / 4;
    bool of_bytes = request->measure == PLOT_BYTES;
    ChartFrame frame;
    g_autofree char *facts = plot_data_facts(request);
    const char *title = of_bytes ? "Bytes from rank to rank" : "Messages from rank to rank";
    double width = fmax(side * rows + 250, 560);
    plot_chart_frame_begin(&frame, canvas, request->theme, width, request->title ? request->title : title, facts);
    g_autofree char *last = plot_data_rows_name(matrix->rows, request->reader, rows - 1);
    double left = CHART_MARGIN + CHART_FONT + 14 + plot_text_width(last, CHART_TICK_FONT, false) + 8;
    plot_chart_frame_area(&frame, left, side * rows, width - left - side * rows);
    ChartScale scale = make_scale(of_bytes ? matrix->bytes : matrix->messages, (size_t)rows * rows, request->measure);
    draw_cells(matrix, request, &frame, &scale, side);
    PlotInk edge = {.fill = PLOT_NONE, .line = frame.theme->ink, .width = 1};
    plot_canvas_rectangle(canvas, frame.left, frame.top, side * rows, side * rows, edge, NULL);
    draw_labels(matrix, request, &frame, side);
    frame.below = frame.bottom + 42;
    if (matrix->total_messages)
        plot_chart_frame_ramp(&frame, of_bytes ? "bytes" : "messages", &scale);
    char bytes[CHART_LABEL];
    plot_chart_label(PLOT_SIZES, (double)matrix->total_bytes, 1, bytes);
    g_autofree char *sum = matrix->total_messages
                               ? g_strdup_printf("%" G_GUINT64_FORMAT " messages, %" G_GUINT64_FORMAT
                                                 " bytes in all, those of collective operations included.",
                                                 matrix->total_messages, matrix->total_bytes)
                               : g_strdup("There are no messages in what is shown.");
    plot_chart_frame_note(&frame, sum);
    if (matrix->rows->per_row > 1) {
        g_autofree char *text = g_strdup_printf("Each row and column stands for %u ranks.", matrix->rows->per_row);
        plot_chart_frame_note(&frame, text);
    }
    plot_chart_frame_end(&frame);
}

bool plot_draw_matrix(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    uint64_t from_ps, to_ps;
    Matrix matrix = {.rows = plot_data_span(request, &from_ps, &to_ps, error)
                                 ? plot_data_rows_new(request, MOST_CELLS, error)
                                 : NULL};
    if (!matrix.rows)
        return false;
    size_t cells = (size_t)matrix.rows->rows * matrix.rows->rows;
    DataListener listener = {.event = take, .kinds = DATA_KIND(TRACE_MESSAGE), .user = &matrix};
    matrix.bytes = g_new0(uint64_t, cells);
    matrix.messages = g_new0(uint64_t, cells);
    bool good = plot_data_read(request, &listener, error);
    if (good)
        draw(&matrix, request, canvas);
    g_free(matrix.bytes);
    g_free(matrix.messages);
    plot_data_rows_free(matrix.rows);
    return good;
}
