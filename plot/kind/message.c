/* message.c - the life of one message, hop by hop: the call that sent it, each link of its path, the call that took it.
 * Time goes from left to right, from shortly before it was sent to shortly after it arrived; each stage has a row. Of
 * the links, the time on each is drawn: waiting for the link and
 * crossing it, as the trace tells when it came to its beginning and when it had left it.
 */
#include "plot/kind/kind.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

enum { MOST_STAGES = 64, ROW = 30 };

typedef struct Stage {
    char *name;
    uint64_t from_ps, to_ps;
    PlotInk ink;
    const char *link; /* as the reader has it; NULL: no link */
    unsigned packets;
} Stage;

typedef struct Life {
    const PlotRequest *request;
    AnalysisMessage message;
    GArray *stages; /* Stage */
    guint hops;
    uint64_t longest_ps;
    bool found, any;
    uint64_t least, most; /* numbers of messages that there are */
} Life;

static void stage_clear(void *stage)
{
    g_free(((Stage *)stage)->name);
}

static void add_stage(Life *life, char *name /* taken */, uint64_t from_ps, uint64_t to_ps, PlotInk ink)
{
    Stage stage = {.name = name, .from_ps = from_ps, .to_ps = to_ps, .ink = ink};
    g_array_append_val(life->stages, stage);
}

static bool is_shown(const Life *life, uint32_t location)
{
    const GArray *chosen = life->request->selection.locations;
    for (guint i = 0; chosen && i < chosen->len; i++)
        if (g_array_index(chosen, uint32_t, i) == location)
            return true;
    return !chosen;
}

/* Finds the message that is asked for; without a number, the one that was on its way for longest. */
static bool find_message(Life *life, GError **error)
{
    TraceSelection selection = life->request->selection;
    selection.locations = NULL;
    g_autoptr(AnalysisMessages) messages = analysis_messages_new(life->request->reader, &selection);
    AnalysisMessage message;
    while (analysis_messages_next(messages, &message)) {
        uint64_t ps = message.delivered_ps - MIN(message.sent_ps, message.delivered_ps);
        life->least = life->any ? MIN(life->least, message.id) : message.id;
        life->most = MAX(life->most, message.id);
        life->any = true;
        bool wanted = life->request->message_given
                          ? message.id == life->request->message
                          : (!life->found || ps > life->longest_ps) &&
                                (is_shown(life, message.sender) || is_shown(life, message.receiver));
        if (!wanted)
            continue;
        life->found = true;
        life->longest_ps = ps;
        life->message = message;
    }
    return analysis_messages_end(messages, error);
}

/* Packets of the message that take the same link are one stage. */
static void take_hop(void *user, const TraceEvent *event)
{
    Life *life = user;
    if (event->fields[TRACE_HOP_MESSAGE] != life->message.id)
        return;
    const char *link = trace_reader_text(life->request->reader, event->fields[TRACE_HOP_LINK]);
    for (guint i = 0; i < life->stages->len; i++) {
        Stage *stage = &g_array_index(life->stages, Stage, i);
        if (stage->link != link)
            continue;
        stage->from_ps = MIN(stage->from_ps, event->fields[TRACE_HOP_FROM]);
        stage->to_ps = MAX(stage->to_ps, event->time_ps);
        stage->packets++;
        return;
    }
    if (life->stages->len >= MOST_STAGES)
        return;
    add_stage(life, g_strdup(*link ? link : "a link"), event->fields[TRACE_HOP_FROM], event->time_ps,
              plot_theme_series(life->request->theme, 1));
    Stage *stage = &g_array_index(life->stages, Stage, life->stages->len - 1);
    stage->link = link;
    stage->packets = 1;
    life->hops++;
}

static char *call_name(const Life *life, uint32_t location, const AnalysisCall *call)
{
    TraceSite site = trace_reader_site(life->request->reader, call->site);
    TraceLocation at = trace_reader_location(life->request->reader, location);
    g_autofree char *file = site.file ? g_path_get_basename(site.file) : NULL;
    return file && site.line ? g_strdup_printf("rank %u: %s, %s:%u", at.rank, call->function, file, site.line)
                             : g_strdup_printf("rank %u: %s", at.rank, call->function);
}

static void add_call(Life *life, uint32_t location, const AnalysisCall *call)
{
    if (call->function && call->to_ps > call->from_ps)
        add_stage(life, call_name(life, location, call), call->from_ps, call->to_ps,
                  plot_theme_state(life->request->theme, ANALYSIS_OVERHEAD));
}

static bool gather(Life *life, GError **error)
{
    const AnalysisMessage *message = &life->message;
    PlotRequest whole = *life->request;
    whole.selection = trace_selection_all();
    whole.selection.from_ps = message->sent_ps;
    whole.selection.to_ps = message->delivered_ps;
    add_call(life, message->sender, &message->send);
    PlotInk network = plot_theme_state(life->request->theme, ANALYSIS_PAUSED);
    add_stage(life, g_strdup("in the network"), message->sent_ps, message->delivered_ps, network);
    DataListener listener = {.event = take_hop, .kinds = DATA_KIND(TRACE_HOP), .user = life};
    if (message->delivered_ps > message->sent_ps && !plot_data_read(&whole, &listener, error))
        return false;
    add_call(life, message->receiver, &message->receive);
    return true;
}

/* -- drawing ----------------------------------------------------------------------------------- */

static void draw_stage(const ChartFrame *frame, const ChartScale *time, const Stage *stage, guint row, double room)
{
    double middle = frame->top + (row + 0.5) * ROW,
           x = plot_chart_time_place(time, stage->from_ps); /* cut at the edges */
    double to = plot_chart_time_place(time, stage->to_ps), width = fmax(to - x, 1);
    g_autofree char *name = plot_text_fit(stage->name, CHART_TICK_FONT, false, room);
    g_autofree char *exact = base_units_format_time(stage->to_ps - stage->from_ps);
    g_autofree char *told = stage->packets > 1
                                ? g_strdup_printf("%s: %s, %u packets", stage->name, exact, stage->packets)
                                : g_strdup_printf("%s: %s", stage->name, exact);
    char label[CHART_LABEL];
    double ps = (double)(stage->to_ps - stage->from_ps);
    plot_chart_label(PLOT_TIMES, ps, plot_chart_rounding(ps, 4), label);
    plot_canvas_text(frame->canvas, frame->left - 8, middle + 4, CHART_TICK_FONT, PLOT_RIGHT, frame->theme->ink, name);
    plot_canvas_rectangle(frame->canvas, x, middle - ROW * 0.3, width, ROW * 0.6, stage->ink, told);
    double wide = plot_text_width(label, CHART_TICK_FONT, false),
           left = x + width / 2 - wide / 2; /* if it fills the row */
    if (x + width + 8 + wide < frame->right)
        left = x + width + 6;
    else if (x - 6 - wide > frame->left)
        left = x - 6 - wide;
    PlotInk paper = {.fill = frame->theme->paper, .line = PLOT_NONE}; /* lines would go through the letters */
    plot_canvas_rectangle(frame->canvas, left - 3, middle - 8, wide + 6, 16, paper, NULL);
    plot_canvas_text(frame->canvas, left, middle + 4, CHART_TICK_FONT, PLOT_LEFT, frame->theme->ink, label);
}

/* Draws the moments at which the message was sent and arrived, through all rows. */
static void draw_moment(const ChartFrame *frame, const ChartScale *time, uint64_t ps, const char *what, PlotAlign align)
{
    double x = plot_chart_time_place(time, ps);
    PlotInk ink = {.fill = PLOT_NONE, .line = frame->theme->faint, .width = 1, .dash = PLOT_DASHED};
    plot_canvas_line(frame->canvas, (const PlotPoint[]){{x, frame->top - 6}, {x, frame->bottom}}, 2, ink, NULL);
    plot_canvas_text(frame->canvas, align == PLOT_RIGHT ? x - 4 : x + 4, frame->top - 8, CHART_TICK_FONT, align,
                     frame->theme->faint, what);
}

static char *title_of(const Life *life)
{
    const AnalysisMessage *message = &life->message;
    uint32_t from = trace_reader_location(life->request->reader, message->sender).rank;
    uint32_t to = trace_reader_location(life->request->reader, message->receiver).rank;
    char size[CHART_LABEL];
    plot_chart_label(PLOT_SIZES, (double)message->bytes, plot_chart_rounding((double)message->bytes, 3), size);
    return g_strdup_printf("Message %" G_GUINT64_FORMAT ": %s from rank %u to rank %u", message->id,
                           message->bytes ? size : "0 B", from, to);
}

static void draw(Life *life, PlotCanvas *canvas)
{
    const PlotRequest *request = life->request;
    const AnalysisMessage *message = &life->message;
    ChartFrame frame;
    uint64_t span = message->delivered_ps - MIN(message->sent_ps, message->delivered_ps), beside = MAX(span / 4, 1);
    uint64_t from = message->sent_ps - MIN(beside, message->sent_ps), to = message->delivered_ps + beside;
    double room = 60;
    g_autofree char *facts = plot_data_facts(request), *title = title_of(life);
    for (guint i = 0; i < life->stages->len; i++) {
        const Stage *stage = &g_array_index(life->stages, Stage, i);
        room = fmin(fmax(room, plot_text_width(stage->name, CHART_TICK_FONT, false)), 330);
    }
    plot_chart_frame_begin(&frame, canvas, request->theme, KIND_WIDTH, request->title ? request->title : title, facts);
    plot_chart_frame_legend(&frame, CHART_MARK_AREA, plot_theme_state(request->theme, ANALYSIS_OVERHEAD),
                            "in a call of MPI");
    plot_chart_frame_legend(&frame, CHART_MARK_AREA, plot_theme_state(request->theme, ANALYSIS_PAUSED),
                            "in the network");
    if (life->hops)
        plot_chart_frame_legend(&frame, CHART_MARK_AREA, plot_theme_series(request->theme, 1),
                                "waiting for a link and crossing it");
    frame.top += 12;
    plot_chart_frame_area(&frame, CHART_MARGIN + room + 10, (double)ROW * life->stages->len, KIND_RIGHT + 30);
    ChartScale time = plot_chart_axis_time(&frame, from, to);
    plot_canvas_group(canvas, "stages");
    draw_moment(&frame, &time, message->sent_ps, "sent", PLOT_RIGHT);
    draw_moment(&frame, &time, message->delivered_ps, "arrived", PLOT_LEFT);
    for (guint i = 0; i < life->stages->len; i++)
        draw_stage(&frame, &time, &g_array_index(life->stages, Stage, i), i, room);
    plot_canvas_group_end(canvas);
    plot_chart_axis_lines(&frame);
    if (!life->hops)
        plot_chart_frame_note(
            &frame, "The trace tells no hops of it: --trace-detail hops records them, where the network's model uses "
                    "links and the ranks are on different nodes.");
    plot_chart_frame_end(&frame);
}

bool plot_draw_message(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    uint64_t from_ps, to_ps;
    Life life = {.request = request};
    if (!plot_data_span(request, &from_ps, &to_ps, error) || !find_message(&life, error))
        return false;
    if (!life.any)
        return plot_data_missing(request, "messages", "", error);
    if (!life.found) {
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_EMPTY,
                    "there is no message %" G_GUINT64_FORMAT "; those recorded have numbers from %" G_GUINT64_FORMAT
                    " to %" G_GUINT64_FORMAT,
                    request->message, life.least, life.most);
        return false;
    }
    life.stages = g_array_new(FALSE, FALSE, sizeof(Stage));
    g_array_set_clear_func(life.stages, stage_clear);
    bool good = gather(&life, error);
    if (good)
        draw(&life, canvas);
    g_array_unref(life.stages);
    return good;
}
