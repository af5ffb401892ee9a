/* test_kinds.c - every kind of picture, in every theme, from few ranks to 100,000: nothing is cut off, no text lies on
 * another one, the same request gives the same bytes.
 *
 * The trace is made here: an exchange with neighbours, with links, hops and waits.
 */
#include "plot/kind/kind.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const char link_name[] = "node 0 -> node 1";

typedef struct Made {
    TraceWriter *writer;
    uint32_t name, site, cause, link;
    uint64_t messages;
} Made;

static void add_link(Made *made, uint64_t from_ps, uint64_t to_ps, uint64_t busy_ps)
{
    TraceEvent event = {.kind = TRACE_LINK, .time_ps = to_ps};
    event.fields[TRACE_LINK_FROM] = from_ps;
    event.fields[TRACE_LINK_LINK] = made->link;
    event.fields[TRACE_LINK_BUSY] = busy_ps;
    trace_writer_add(made->writer, &event);
}

static void add_rank(Made *made, uint32_t rank, uint32_t ranks, uint64_t begin)
{
    TraceEvent message = {.kind = TRACE_MESSAGE, .location = rank, .time_ps = begin + 900};
    message.fields[TRACE_MESSAGE_SENDER] = (rank + 1) % ranks;
    message.fields[TRACE_MESSAGE_SENT] = begin + 100 + rank % 7;
    message.fields[TRACE_MESSAGE_ID] = ++made->messages;
    message.fields[TRACE_MESSAGE_TAG] = rank % 3 ? 5 : (uint64_t)-1;
    message.fields[TRACE_MESSAGE_BYTES] = UINT64_C(1) << rank % 21;
    TraceEvent hop = {.kind = TRACE_HOP, .location = message.fields[TRACE_MESSAGE_SENDER], .time_ps = begin + 700};
    hop.fields[TRACE_HOP_FROM] = begin + 200;
    hop.fields[TRACE_HOP_MESSAGE] = made->messages;
    hop.fields[TRACE_HOP_LINK] = made->link;
    TraceEvent wait = {.kind = TRACE_WAIT, .location = rank, .time_ps = begin + 900};
    wait.fields[TRACE_WAIT_FROM] = begin + 400;
    wait.fields[TRACE_WAIT_CAUSE] = made->cause;
    wait.fields[TRACE_WAIT_PEER] = message.fields[TRACE_MESSAGE_SENDER];
    wait.fields[TRACE_WAIT_MESSAGE] = made->messages;
    TraceEvent call = {.kind = TRACE_CALL, .location = rank, .time_ps = begin + 950, .list = (const uint64_t[]){1}};
    call.fields[TRACE_CALL_FROM] = begin + 300;
    call.fields[TRACE_CALL_BLOCKED] = 500;
    call.fields[TRACE_CALL_FUNCTION] = made->name;
    call.fields[TRACE_CALL_SITE] = made->site;
    call.fields[TRACE_CALL_ARGUMENTS] = 1;
    trace_writer_add(made->writer, &hop);
    trace_writer_add(made->writer, &message);
    trace_writer_add(made->writer, &wait);
    trace_writer_add(made->writer, &call);
}

static TraceReader *make_trace(uint32_t ranks, unsigned steps)
{
    g_autoptr(GError) error = NULL;
    char *folder = g_dir_make_tmp("plot-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "run.trace", NULL);
    Made made = {.writer = trace_writer_new(path, ranks, NULL)};
    made.name = trace_writer_text(made.writer, "MPI_Sendrecv");
    made.cause = trace_writer_text(made.writer, "late sender");
    made.link = trace_writer_text(made.writer, link_name);
    made.site = trace_writer_site(made.writer, &(TraceSite){"exchange.c", "a_function_with_quite_a_long_name", 42});
    trace_writer_note(made.writer, "program", "/a/b/a program with <a> name & more");
    trace_writer_note(made.writer, "machine", "mesh");
    for (unsigned step = 0; step < steps; step++) {
        for (uint32_t rank = 0; rank < ranks; rank++)
            add_rank(&made, rank, ranks, step * 1000 + rank % 5 * 10);
        add_link(&made, step * 1000, (step + 1) * 1000, step % 2 ? 900 : 150);
    }
    for (uint32_t rank = 0; rank < ranks; rank++)
        trace_writer_add(made.writer,
                         &(TraceEvent){.kind = TRACE_ENDED, .location = rank, .time_ps = steps * 1000 + 50});
    cr_assert(trace_writer_end(made.writer, &error));
    TraceReader *reader = trace_reader_new(path, &error);
    cr_assert(reader, "%s", error ? error->message : "");
    g_unlink(path);
    g_rmdir(folder);
    g_free(folder);
    return reader;
}

static PlotVertex vertices[] = {{0, 0, false, "node 0"}, {1, 0, false, "node 1"}, {0.5, 1, true, "switch 2"}};
static PlotEdge edges[] = {{0, 1, link_name}, {1, 0, "node 1 -> node 0"}, {0, 2, "node 0 -> switch 2"}};
static const PlotGraph graph = {"mesh", vertices, edges, 3, 3};

static const char sweep[] = "machine,ranks,makespan_ps,note\nm,1,1000000,\nm,2,600000,\nm,4,350000,\nm,8,,failed\n";
static const char rates[] =
    "name,operations,bytes,time_ps\ntriad,2000,24000,3000000\nproduct,2000000,30000,400000000\n";

static PlotTable *table_for(const PlotKind *kind)
{
    const char *text = strcmp(kind->name, "roofline") == 0 ? rates : sweep;
    return plot_table_new(text, strlen(text), NULL);
}

typedef struct Box {
    double left, right, top, bottom;
} Box;

static Box box_of(const PlotShape *shape)
{
    double width = plot_text_width(shape->text, shape->height, shape->bold), before = width * shape->align / 2;
    double up = shape->height * 0.72; /* of capitals */
    return shape->upright ? (Box){shape->x - up, shape->x, shape->y - width + before, shape->y + before}
                          : (Box){shape->x - before, shape->x - before + width, shape->y - up, shape->y};
}

static void check_texts(const PlotCanvas *canvas, const char *name)
{
    g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    for (guint i = 0; i < canvas->shapes->len; i++) {
        const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        if (shape->kind != PLOT_TEXT)
            continue;
        Box box = box_of(shape);
        cr_assert(box.left >= 0 && box.right <= canvas->width && box.top >= 0 && box.bottom <= canvas->height,
                  "%s: \"%s\" is cut off", name, shape->text);
        for (guint k = 0; k < boxes->len; k++) {
            const Box *other = &g_array_index(boxes, Box, k);
            cr_assert(box.left >= other->right || other->left >= box.right || box.top >= other->bottom ||
                          other->top >= box.bottom,
                      "%s: \"%s\" lies on \"%s\"", name, shape->text, (char *)texts->pdata[k]);
        }
        g_array_append_val(boxes, box);
        g_ptr_array_add(texts, (gpointer)shape->text);
    }
    cr_assert_gt(texts->len, 3, "%s", name);
}

static void check_shapes(const PlotCanvas *canvas, const char *name)
{
    int depth = 0;
    for (guint i = 0; i < canvas->shapes->len; i++) {
        const PlotShape *shape = &g_array_index(canvas->shapes, PlotShape, i);
        depth += (shape->kind == PLOT_GROUP) - (shape->kind == PLOT_GROUP_END);
        cr_assert_geq(depth, 0);
        if (shape->kind == PLOT_RECTANGLE)
            cr_assert(shape->x >= -0.01 && shape->x + shape->width <= canvas->width && shape->y >= 0 &&
                          shape->y + shape->height <= canvas->height && shape->width >= 0 && shape->height >= 0,
                      "%s: a rectangle at %g, %g of %g by %g", name, shape->x, shape->y, shape->width, shape->height);
        if (shape->kind == PLOT_LINE || shape->kind == PLOT_AREA)
            for (guint k = 0; k < shape->count; k++) {
                const PlotPoint *point = &g_array_index(canvas->points, PlotPoint, shape->first + k);
                cr_assert(point->x >= -1 && point->x <= canvas->width + 1 && point->y >= -1 &&
                              point->y <= canvas->height + 1,
                          "%s: a point at %g, %g", name, point->x, point->y);
            }
    }
    cr_assert_eq(depth, 0);
}

/* Draws a picture twice and looks at it. Returns it as SVG. */
static GString *draw(const PlotKind *kind, PlotRequest *request)
{
    g_autoptr(GError) error = NULL;
    GString *first = NULL;
    for (int turn = 0; turn < 2; turn++) {
        g_autoptr(PlotCanvas) canvas = plot_canvas_new(request->theme->paper);
        cr_assert(kind->draw(request, canvas, &error), "%s: %s", kind->name, error ? error->message : "");
        check_texts(canvas, kind->name);
        check_shapes(canvas, kind->name);
        GString *svg = plot_svg(canvas);
        if (first) {
            cr_assert_str_eq(first->str, svg->str);
            g_string_free(svg, TRUE);
        } else {
            first = svg;
        }
    }
    cr_assert(!strstr(first->str, "nan") && !strstr(first->str, "inf\""));
    return first;
}

static void draw_all(uint32_t ranks, unsigned steps, PlotThemeName last)
{
    g_autoptr(TraceReader) reader = make_trace(ranks, steps);
    for (const PlotKind *kind = plot_kinds; kind->name; kind++)
        for (PlotThemeName theme = PLOT_LIGHT; theme <= last; theme++) {
            g_autoptr(PlotTable) table = table_for(kind);
            PlotRequest request = {.theme = plot_theme(theme),
                                   .reader = reader,
                                   .selection = trace_selection_all(),
                                   .graph = &graph,
                                   .table = table};
            g_autoptr(GString) svg = draw(kind, &request);
            cr_assert_lt(svg->len, 4000000, "%s: %zu bytes", kind->name, (size_t)svg->len);
        }
}

Test(kinds, one_rank)
{
    draw_all(1, 3, PLOT_LIGHT);
}
Test(kinds, four_ranks)
{
    draw_all(4, 6, PLOT_PRINT);
}
Test(kinds, sixty_four_ranks)
{
    draw_all(64, 20, PLOT_LIGHT);
}
Test(kinds, a_thousand_ranks)
{
    draw_all(1024, 3, PLOT_LIGHT);
}
Test(kinds, many_changes_of_few_ranks)
{
    draw_all(3, 2500, PLOT_LIGHT);
}

Test(kinds, a_hundred_thousand_ranks)
{
    g_autoptr(TraceReader) reader = make_trace(100000, 1);
    static const char *const names[] = {"timeline", "space-time", "matrix", "flame"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        PlotRequest request = {.theme = plot_theme(PLOT_LIGHT), .reader = reader, .selection = trace_selection_all()};
        g_autoptr(GString) svg = draw(plot_kind_find(names[i], NULL), &request);
        cr_assert_lt(svg->len, 4000000);
    }
}

static unsigned count(const GString *svg, const char *part)
{
    unsigned found = 0;
    for (const char *at = svg->str; (at = strstr(at, part)); at++)
        found++;
    return found;
}

Test(kinds, pictures_show_what_is_there)
{
    g_autoptr(TraceReader) reader = make_trace(4, 6);
    PlotRequest request = {.theme = plot_theme(PLOT_LIGHT), .reader = reader, .selection = trace_selection_all()};
    g_autoptr(GString) timeline = draw(plot_kind_find("timeline", NULL), &request);
    cr_assert_eq(count(timeline, ": waiting in MPI_Sendrecv, exchange.c:42 (late sender)</title>"), 24);
    g_autoptr(GString) arrows = draw(plot_kind_find("space-time", NULL), &request);
    cr_assert_eq(count(arrows, "<title>message "), 24);
    g_autoptr(GString) matrix = draw(plot_kind_find("matrix", NULL), &request);
    cr_assert_eq(count(matrix, "<title>1 to 0: 6 messages, 6 bytes</title>"), 1);
    cr_assert_eq(count(matrix, " messages, "), 4 + 1);
    g_autoptr(GString) sizes = draw(plot_kind_find("sizes", NULL), &request);
    cr_assert_eq(count(sizes, "<title>messages of the program: 6</title>"), 2);
    cr_assert_eq(count(sizes, "<title>within collective operations: 6</title>"), 2);
    g_autoptr(GString) waits = draw(plot_kind_find("waits", NULL), &request);
    cr_assert(strstr(waits->str, "24 waits, 12 ns in all"));
    request.message_given = true;
    request.message = 7;
    g_autoptr(GString) message = draw(plot_kind_find("message", NULL), &request);
    cr_assert(strstr(message->str, "Message 7: 4 B from rank 3 to rank 2"));
    cr_assert(strstr(message->str, "node 0 -&gt; node 1"));
}

Test(kinds, heat_is_that_of_the_moment)
{
    g_autoptr(TraceReader) reader = make_trace(2, 6);
    PlotRequest request = {.theme = plot_theme(PLOT_LIGHT),
                           .reader = reader,
                           .selection = trace_selection_all(),
                           .graph = &graph,
                           .at_given = true,
                           .at_ps = 500};
    const PlotKind *kind = plot_kind_find("network", NULL);
    g_autoptr(GString) early = draw(kind, &request);
    cr_assert(strstr(early->str, "<title>node 0 -&gt; node 1: 15 %</title>"));
    request.at_ps = 1000;
    g_autoptr(GString) late = draw(kind, &request);
    cr_assert(strstr(late->str, "<title>node 0 -&gt; node 1: 90 %</title>"));
    request.at_ps = 1000000;
    g_autoptr(GError) error = NULL;
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(0);
    cr_assert(!kind->draw(&request, canvas, &error));
    cr_assert_eq(error->code, PLOT_ERROR_EMPTY);
}

/* Returns some number, often an odd one. */
static uint64_t strange(uint64_t run, uint64_t n)
{
    static const uint64_t odd[] = {0, 1, 7, 1000, 1u << 31, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX};
    uint64_t random = base_random_mix(11, run, n);
    return random % 3 ? odd[random / 3 % G_N_ELEMENTS(odd)] : random >> (random / 3 % 60);
}

static TraceReader *make_strange(unsigned run, uint32_t ranks)
{
    char *folder = g_dir_make_tmp("plot-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "run.trace", NULL);
    TraceWriter *writer = trace_writer_new(path, ranks, NULL);
    trace_writer_text(writer, link_name);
    trace_writer_site(writer, &(TraceSite){"a.c", "main", 3});
    if (run % 2)
        trace_writer_note(writer, "makespan_ps", "18446744073709551615");
    for (unsigned i = 0; i < 300; i++) {
        static const uint64_t list[TRACE_LIST] = {1};
        TraceEvent event = {.kind = (TraceKind)(strange(run, i * 20) % TRACE_KINDS), .list = list};
        event.location = (uint32_t)(strange(run, i * 20 + 1) % ranks);
        event.time_ps = strange(run, i * 20 + 2);
        for (unsigned k = 0; k < trace_kinds[event.kind].n_fields; k++)
            event.fields[k] = strange(run, i * 20 + 3 + k);
        for (unsigned k = 0; k < trace_kinds[event.kind].n_fields; k++)
            switch (trace_kinds[event.kind].fields[k].form) { /* these the writer must know */
            case TRACE_FORM_LIST: event.fields[k] %= TRACE_LIST; break;
            case TRACE_FORM_SITE: event.fields[k] %= 2; break;
            default: break;
            }
        trace_writer_add(writer, &event);
    }
    trace_writer_end(writer, NULL);
    TraceReader *reader = trace_reader_new(path, NULL);
    g_unlink(path);
    g_rmdir(folder);
    g_free(folder);
    return reader;
}

/* What is in a trace may be anything. Pictures of it are drawn or refused, and have no shapes outside. */
Test(kinds, strange_events)
{
    for (unsigned run = 0; run < 60; run++) {
        g_autoptr(TraceReader) reader = make_strange(run, 1 + run % 7);
        for (const PlotKind *kind = plot_kinds; kind->name && reader; kind++) {
            g_autoptr(PlotTable) table = table_for(kind);
            g_autoptr(PlotCanvas) canvas = plot_canvas_new(0);
            g_autoptr(GError) error = NULL;
            PlotRequest request = {.theme = plot_theme(PLOT_LIGHT),
                                   .reader = reader,
                                   .selection = trace_selection_all(),
                                   .graph = &graph,
                                   .table = table};
            if (run % 3 == 0)
                request.selection.from_ps = strange(run, 1000000);
            if (kind->draw(&request, canvas, &error)) {
                check_shapes(canvas, kind->name);
                g_autoptr(GString) svg = plot_svg(canvas);
                cr_assert(!strstr(svg->str, "nan"), "%s", kind->name);
            } else {
                cr_assert_not_null(error, "%s", kind->name);
            }
        }
    }
}

Test(kinds, names_that_are_near)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(plot_kind_find("spacetime", &error));
    cr_assert(strstr(error->message, "did you mean \"space-time\"?"));
    g_clear_error(&error);
    cr_assert_null(plot_kind_find("x", &error));
    cr_assert(strstr(error->message, "timeline, space-time"));
}

Test(kinds, tables_that_lack_something)
{
    static const struct {
        const char *kind, *text, *error;
    } cases[] = {
        {"speedup", "ranks,note\n1,x\n", "no column \"makespan_ps\""},
        {"speedup", "ranks,makespan_ps\n", "no row"},
        {"speedup", "ranks,makespan_ps\n0,5\n-1,5\n2,0\n,\nx,y\n", "no row"},
        {"latency", "a,b\n1,2\n", "neither"},
        {"latency", "a,makespan_ps\n1,2\n1,3\n", "nothing varies"},
        {"latency", "offered,latency_cycles\n", "no row"},
        {"roofline", "operations,bytes\n1,2\n", "no column \"time_ps\""},
        {"roofline", "operations,bytes,time_ps\n0,0,0\n1,,\n", "no row"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PlotTable) table = plot_table_new(cases[i].text, strlen(cases[i].text), NULL);
        g_autoptr(PlotCanvas) canvas = plot_canvas_new(0);
        PlotRequest request = {.theme = plot_theme(PLOT_LIGHT), .table = table};
        cr_assert(!plot_kind_find(cases[i].kind, NULL)->draw(&request, canvas, &error), "%zu", i);
        cr_assert(strstr(error->message, cases[i].error), "%zu: %s", i, error->message);
    }
}

static void draw_table(const char *kind, const char *text, const char *part)
{
    g_autoptr(PlotTable) table = plot_table_new(text, strlen(text), NULL);
    PlotRequest request = {.theme = plot_theme(PLOT_DARK), .table = table};
    g_autoptr(GString) svg = draw(plot_kind_find(kind, NULL), &request);
    cr_assert(strstr(svg->str, part), "%s", part);
}

static const char profile_text[] =
    "{\"schema\": \"orrery-profile\", \"machine\": \"m\", \"ranks_total\": 1, \"makespan_ps\": 70, \"nodes\": ["
    "{\"function\": \"main\", \"self\": {\"compute_ps\": 10, \"overhead_ps\": 20, \"blocked_ps\": 30}},"
    "{\"parent\": 0, \"function\": \"a\", \"self\": {\"compute_ps\": 10}}], \"functions\": ["
    "{\"function\": \"main\", \"self\": {\"compute_ps\": 10}, \"counts\": {\"instructions\": 50, \"cache_misses\": [9, "
    "5]}},"
    "{\"function\": \"a\", \"self\": {\"compute_ps\": 10}, \"counts\": {\"instructions\": 5, \"cache_misses\": [1, "
    "0]}}]}";

Test(kinds, profiles)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PlotProfile) profile = plot_profile_new(profile_text, sizeof profile_text - 1, &error);
    cr_assert(profile, "%s", error ? error->message : "");
    cr_assert(profile->misses);
    PlotRequest request = {.theme = plot_theme(PLOT_LIGHT), .profile = profile};
    g_autoptr(GString) flame = draw(plot_kind_find("flame", NULL), &request);
    cr_assert(strstr(flame->str, "<title>main: 70 ps, 100 %</title>"));
    cr_assert(strstr(flame->str, "<title>waiting: 30 ps, 42.9 %</title>"));
    g_autoptr(GString) roof = draw(plot_kind_find("roofline", NULL), &request);
    cr_assert(strstr(roof->str, "<title>main: 10, 5e+12</title>"));
    cr_assert(strstr(roof->str, "instructions per miss of the last cache"));
}

Test(kinds, profiles_that_are_none)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "line "},
        {"[1]", "no profile"},
        {"{\"schema\": \"orrery-profile\", \"nodes\": [{\"parent\": 0}]}", "no caller"},
        {"{\"schema\": \"orrery-profile\", \"nodes\": [{\"parent\": -1}]}", "no caller"},
        {"{\"schema\": \"orrery-profile\", \"functions\": [{\"parent\": 7}]}", "no caller"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_null(plot_profile_new(cases[i].text, strlen(cases[i].text), &error));
        cr_assert(strstr(error->message, cases[i].error), "%s", error->message);
    }
    static const char strange[] =
        "{\"schema\": \"orrery-profile\", \"nodes\": [7, null, {\"self\": []}], \"functions\": {}}";
    static const char *const kinds[] = {"flame", "roofline"};
    g_autoptr(PlotProfile) profile = plot_profile_new(strange, sizeof strange - 1, NULL);
    cr_assert(profile);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PlotCanvas) canvas = plot_canvas_new(0);
        PlotRequest request = {.theme = plot_theme(PLOT_LIGHT), .profile = profile};
        cr_assert(!plot_kind_find(kinds[i], NULL)->draw(&request, canvas, &error));
        cr_assert_eq(error->code, PLOT_ERROR_EMPTY);
    }
}

Test(kinds, curves)
{
    draw_table("speedup", "machine,ranks,makespan_ps\na,1,100\na,2,50\na,4,40\nb,1,100\nb,2,90\n",
               "<title>a: 4, 2.5</title>");
    draw_table("speedup", "machine,ranks,makespan_ps\na,4,100\na,8,60\n", "<title>a: 4, 4</title>");
    draw_table("latency", "traffic,offered,saturated,latency_cycles\nuniform,0.1,0,30\nuniform,0.2,1,\n",
               "<title>beyond the picture</title>");
    draw_table("latency", "bytes,ranks,makespan_ps\n1 B,2,1000000\n1 KiB,2,2000000\n1 MiB,2,90000000\n", "1 KiB");
    draw_table("roofline", "operations,bytes,time_ps\n1000,10,1000000\n", "roof of what was reached");
}
