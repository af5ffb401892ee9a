/* spacetime.c - what ranks did, with the messages between them as arrows, from when and where a message was sent to
 * when and where it arrived.
 *
 * Up to MOST_ARROWS messages are drawn one by one. Of more, those between the same bands of rows at about the same time
 * are one arrow, as thick as they are many, and at each time those arrows that stand for most are drawn.
 */
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARROWS = 1200, MOST_HEADS = 500, BANDS = 48, TIMES = 48, MOST_BUNDLES = 9 /* of a time */ };

typedef struct Bundle { /* messages between two bands in a time; the first of them is drawn */
    uint64_t count, bytes, sent_ps, arrived_ps;
    uint32_t from, to; /* rows of the first */
    uint32_t time;     /* part of what is shown */
    uint32_t order;    /* among those of as many: mixed, so that those drawn are from everywhere */
} Bundle;

typedef struct Messages {
    KindRows rows;
    GArray *single; /* DataMessage, while there are few; NULL: too many */
    Bundle *bundles;
    uint32_t bands;
    uint64_t count, inner, own; /* in all; of collectives; from a row to itself */
} Messages;

static uint32_t band_of(const Messages *messages, uint32_t row)
{
    return (uint32_t)((uint64_t)row * messages->bands / messages->rows.rows->rows);
}

static void bundle(Messages *messages, const DataMessage *message, uint32_t from, uint32_t to)
{
    const KindRows *rows = &messages->rows;
    uint64_t span = rows->to_ps - rows->from_ps, since = message->arrived_ps - MIN(rows->from_ps, message->arrived_ps);
    uint32_t time = (uint32_t)MIN((unsigned __int128)since * TIMES / MAX(span, 1), TIMES - 1);
    size_t index = ((size_t)band_of(messages, from) * messages->bands + band_of(messages, to)) * TIMES + time;
    Bundle *at = &messages->bundles[index];
    if (!at->count++) {
        at->sent_ps = message->sent_ps;
        at->arrived_ps = message->arrived_ps;
        at->from = from;
        at->to = to;
        at->time = time;
        at->order = (uint32_t)(index * 2654435761u);
    }
    at->bytes += message->bytes;
}

static void take(void *user, const TraceEvent *event)
{
    Messages *messages = user;
    const DataRows *rows = messages->rows.rows;
    DataMessage message = plot_data_message(event);
    if (message.from >= rows->locations || message.to >= rows->locations || rows->row_of[message.from] == DATA_NO_ROW ||
        rows->row_of[message.to] == DATA_NO_ROW)
        return;
    uint32_t from = rows->row_of[message.from], to = rows->row_of[message.to];
    messages->count++;
    messages->inner += message.inner;
    if (from == to) {
        messages->own++;
        return;
    }
    bundle(messages, &message, from, to);
    if (messages->single && messages->single->len < MOST_ARROWS)
        g_array_append_val(messages->single, message);
    else if (messages->single)
        g_clear_pointer(&messages->single, g_array_unref);
}

/* -- drawing ----------------------------------------------------------------------------------- */

static PlotInk arrow_ink(const PlotTheme *theme, bool inner)
{
    uint32_t colour = inner ? theme->name == PLOT_PRINT ? theme->faint : theme->series[2] : theme->ink;
    return (PlotInk){.fill = PLOT_NONE, .line = colour, .width = 1, .dash = inner ? PLOT_DASHED : PLOT_SOLID};
}

/* Draws an arrow between the bars of two rows. */
static void draw_arrow(const KindRows *rows, uint32_t from, uint32_t to, uint64_t sent_ps, uint64_t arrived_ps,
                       double head, PlotInk ink, const char *told)
{
    double side = from < to ? rows->bar / 2 : -rows->bar / 2;
    PlotPoint start = {plot_chart_time_place(&rows->time, sent_ps), plot_kind_rows_middle(rows, from) + side},
              end = {plot_chart_time_place(&rows->time, arrived_ps), plot_kind_rows_middle(rows, to) - side};
    plot_canvas_arrow(rows->frame.canvas, start, end, head, ink, told);
}

static void draw_single(const Messages *messages)
{
    const KindRows *rows = &messages->rows;
    guint count = messages->single->len;
    double head = count <= MOST_HEADS && rows->height >= 12 ? fmin(7, rows->height * 0.35) : 0;
    for (guint i = 0; i < count; i++) {
        const DataMessage *message = &g_array_index(messages->single, DataMessage, i);
        PlotInk ink = arrow_ink(rows->frame.theme, message->inner);
        uint32_t from = rows->rows->row_of[message->from], to = rows->rows->row_of[message->to];
        char size[CHART_LABEL];
        plot_chart_label(PLOT_SIZES, (double)message->bytes, 1, size);
        g_autofree char *one = plot_data_rows_name(rows->rows, rows->request->reader, from);
        g_autofree char *other = plot_data_rows_name(rows->rows, rows->request->reader, to);
        g_autofree char *told =
            g_strdup_printf("message %" G_GUINT64_FORMAT " from %s to %s, %s", message->id, one, other, size);
        ink.width = count > MOST_HEADS ? 0.6 : 1;
        ink.opacity = count > MOST_HEADS ? 0.7 : 0;
        draw_arrow(rows, from, to, message->sent_ps, message->arrived_ps, head, ink, told);
    }
}

static int by_time_and_count(const void *a, const void *b)
{
    const Bundle *one = *(Bundle *const *)a, *other = *(Bundle *const *)b;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    if (one->count != other->count)
        return one->count < other->count ? 1 : -1;
    return one->order < other->order ? -1 : one->order > other->order;
}

/* Draws the bundles of most messages. Returns how many messages that were. */
static uint64_t draw_bundles(const Messages *messages, uint64_t *most)
{
    const KindRows *rows = &messages->rows;
    g_autoptr(GPtrArray) used = g_ptr_array_new();
    uint64_t drawn = 0;
    for (size_t i = 0; i < (size_t)messages->bands * messages->bands * TIMES; i++)
        if (messages->bundles[i].count)
            g_ptr_array_add(used, &messages->bundles[i]);
    if (used->len)
        qsort(used->pdata, used->len, sizeof *used->pdata, by_time_and_count);
    for (guint i = 0; i < used->len; i++)
        *most = MAX(*most, ((Bundle *)used->pdata[i])->count);
    for (guint i = 0, nth = 0; i < used->len; i++) {
        const Bundle *at = used->pdata[i];
        nth = i && at->time == ((Bundle *)used->pdata[i - 1])->time ? nth + 1 : 0;
        if (nth >= MOST_BUNDLES)
            continue;
        double share = log2(1 + (double)at->count) / log2(1 + (double)*most);
        PlotInk ink = arrow_ink(rows->frame.theme, false);
        ink.width = 0.4 + 1.8 * share;
        ink.opacity = 0.75;
        char size[CHART_LABEL];
        plot_chart_label(PLOT_SIZES, (double)at->bytes, 1, size);
        g_autofree char *told = g_strdup_printf("%" G_GUINT64_FORMAT " messages, %s", at->count, size);
        draw_arrow(rows, at->from, at->to, at->sent_ps, at->arrived_ps, 5, ink, told);
        drawn += at->count;
    }
    return drawn;
}

static void note_messages(Messages *messages, uint64_t drawn, uint64_t most)
{
    ChartFrame *frame = &messages->rows.frame;
    g_autofree char *text = NULL;
    if (!messages->count)
        text = g_strdup("There are no messages in what is shown.");
    else if (!messages->single)
        text = g_strdup_printf("Of %" G_GUINT64_FORMAT " messages, those between the same ranks at about the same time "
                               "are one arrow, of up to %" G_GUINT64_FORMAT " messages. The arrows shown stand for "
                               "%" G_GUINT64_FORMAT " of them.",
                               messages->count, most, drawn);
    if (text)
        plot_chart_frame_note(frame, text);
    if (!messages->own)
        return;
    g_autofree char *own = g_strdup_printf("Not drawn: %" G_GUINT64_FORMAT " messages from a %s to itself.",
                                           messages->own, messages->rows.rows->per_row > 1 ? "row" : "rank");
    plot_chart_frame_note(frame, own);
}

static double row_height(uint32_t rows)
{
    return rows <= 5 ? 84 : rows <= 10 ? 56 : rows <= 18 ? 40 : rows <= 32 ? 26 : fmax(fmin(20, 1000.0 / rows), 3.5);
}

static void draw(Messages *messages, PlotCanvas *canvas)
{
    KindRows *rows = &messages->rows;
    const PlotTheme *theme = rows->request->theme;
    uint64_t drawn = 0, most = 0;
    rows->tint = messages->single ? 0 : 0.45; /* arrows are to be seen on the states */
    plot_kind_rows_begin(rows, canvas, "What ranks did, and their messages");
    if (messages->count > messages->inner || (messages->count && !messages->single))
        plot_chart_frame_legend(&rows->frame, CHART_MARK_ARROW, arrow_ink(theme, false),
                                messages->single ? "message" : "messages");
    if (messages->inner && messages->single)
        plot_chart_frame_legend(&rows->frame, CHART_MARK_ARROW, arrow_ink(theme, true),
                                "within a collective operation");
    double height = row_height(rows->rows->rows);
    plot_kind_rows_draw(rows, height, height > 24 ? 12 / height : height > 10 ? 0.5 : 1);
    plot_canvas_group(canvas, "messages");
    if (messages->single)
        draw_single(messages);
    else
        drawn = draw_bundles(messages, &most);
    plot_canvas_group_end(canvas);
    plot_kind_rows_notes(rows);
    note_messages(messages, drawn, most);
    plot_chart_frame_end(&rows->frame);
}

bool plot_draw_spacetime(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    Messages messages = {.count = 0};
    bool good = plot_kind_rows_read(&messages.rows, request, error);
    if (good) {
        DataListener listener = {.event = take, .kinds = DATA_KIND(TRACE_MESSAGE), .user = &messages};
        messages.single = g_array_new(FALSE, FALSE, sizeof(DataMessage));
        messages.bands = MIN(messages.rows.rows->rows, BANDS);
        messages.bundles = g_new0(Bundle, (gsize)messages.bands * messages.bands * TIMES);
        good = plot_data_read(request, &listener, error);
        if (good)
            draw(&messages, canvas);
    }
    if (messages.single)
        g_array_unref(messages.single);
    g_free(messages.bundles);
    plot_kind_rows_clear(&messages.rows);
    return good;
}
