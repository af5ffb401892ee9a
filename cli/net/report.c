/* report.c - the output of `orrery net`: a table with a plot of characters, CSV with SVG plots, JSON.
 *
 * Latencies are in cycles, the time of a flit on a link, as is usual for such curves. The head of the table says how
 * long a cycle is. Above saturation latency has no limit: the table leaves it out there, and the plots mark it at the
 * top.
 */
#include "base/units.h"
#include "base/write_file.h"
#include "cli/net/net.h"
#include "monitor/monitor.h"
#include "netsim/netsim.h"
#include "plot/plot.h"
#include "traffic/traffic.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static double load_number(uint64_t load)
{
    return (double)load / (double)TRAFFIC_LOAD_ONE;
}

static const NetCurve *curve_at(const NetStudy *study, guint index)
{
    return &g_array_index(study->curves, NetCurve, index);
}

static double cycles(const NetCurve *curve, uint64_t ps)
{
    return (double)ps / (double)curve->bounds.cycle_ps;
}

static char *link_name(const NetStudy *study, uint32_t link)
{
    g_autofree char *from = net_vertex_name(study->net, net_link(study->net, link)->from);
    g_autofree char *to = net_vertex_name(study->net, net_link(study->net, link)->to);
    return g_strdup_printf("%s -> %s", from, to);
}

/* -- table ------------------------------------------------------------------------------------- */

static void append_head(const NetStudy *study, const NetCurve *curve, GString *out)
{
    const NetParams *params = net_network_params(study->net);
    const TrafficBounds *bounds = &curve->bounds;
    g_autofree char *cycle = base_units_format_time(bounds->cycle_ps);
    g_string_append_printf(out, "%s: %u nodes, %s, %s, %s\n", study->config->name, bounds->nodes, params->topology,
                           params->routing, params->switching);
    g_string_append_printf(out, "traffic    %s", curve->options.pattern);
    if (traffic_pattern_has_hot_node(curve->options.pattern))
        g_string_append_printf(out, " (node %u, %u %%)", curve->options.hot_node, curve->options.hot_percent);
    const TrafficOptions *options = &curve->options;
    g_string_append_printf(out, ", messages of %.4g flit%s%s", bounds->message_flits,
                           bounds->message_flits == 1 ? "" : "s", options->n_sizes > 1 ? " on average" : "");
    if (options->injection == TRAFFIC_BURSTS)
        g_string_append_printf(out, ", in bursts of %u on average", options->burst);
    else if (options->injection == TRAFFIC_PERIODIC)
        g_string_append(out, ", periodic");
    if (bounds->senders < bounds->nodes)
        g_string_append_printf(out, "; %u nodes send nothing", bounds->nodes - bounds->senders);
    g_string_append_printf(out, "\ncycle      %s, a flit of %u B on a link\nzero load  %.2f cycles\n", cycle,
                           params->wormhole.flit_bytes, bounds->zero_load);
    if (bounds->busiest > 0) {
        g_autofree char *link =
            net_network_is_shared(study->net) ? g_strdup("the medium") : link_name(study, bounds->busiest_link);
        g_string_append_printf(out, "link full  at %.4f flits per node and cycle: %s\n", bounds->busiest, link);
    }
}

static void append_row(const NetStudy *study, const NetCurve *curve, const TrafficResult *result, GString *out)
{
    g_string_append_printf(out, "%8.4f %9.4f ", load_number(result->offered), result->accepted);
    if (result->saturated)
        g_string_append_printf(out, "%9s %7s %8s %8s %9s", "saturated", "", "", "", "");
    else
        g_string_append_printf(out, "%9.2f %7.2f %8.0f %8.0f %9.0f", result->mean, result->within,
                               cycles(curve, result->median_ps), cycles(curve, result->percentile_99_ps),
                               cycles(curve, result->most_ps));
    g_autofree char *link = net_link_count(study->net) ? link_name(study, result->busiest_link) : g_strdup("");
    g_string_append_printf(out, " %6.2f %6.1f %% %s%s\n", result->hops, 100 * result->busiest, link,
                           result->saturated || result->precise ? "" : " (less precise than asked for)");
}

static void append_size(const NetCurve *curve, uint32_t size, const TrafficResult *result, GString *out)
{
    const TrafficBySize *messages = &result->by_size[size];
    g_string_append_printf(
        out, "at load %.4f: latency %.2f of %" G_GUINT64_FORMAT " messages of %" G_GUINT64_FORMAT " B\n",
        load_number(result->offered), messages->mean, messages->messages, curve->options.sizes[size].bytes);
}

/* If there are several sizes, appends the results of each. */
static void append_sizes(const NetStudy *study, const NetCurve *curve, GString *out)
{
    for (guint i = 0; i < study->loads->len; i++)
        for (uint32_t size = 0; size < curve->options.n_sizes && curve->options.n_sizes > 1; size++)
            if (!curve->points[i].saturated)
                append_size(curve, size, &curve->points[i], out);
}

static void append_saturation(const NetStudy *study, const NetCurve *curve, GString *out)
{
    guint first = 0;
    while (first < study->loads->len && !curve->points[first].saturated)
        first++;
    if (first == study->loads->len)
        g_string_append(out, "not saturated at any of these loads\n");
    else if (curve->saturation)
        g_string_append_printf(out, "saturates at %.3f flits per node and cycle\n", load_number(curve->saturation));
    else if (first)
        g_string_append_printf(out, "saturates between %.4f and %.4f flits per node and cycle\n",
                               load_number(curve->points[first - 1].offered),
                               load_number(curve->points[first].offered));
    else
        g_string_append(out, "saturated at all of these loads\n");
}

static void append_deadlocks(const NetStudy *study, const NetCurve *curve, GString *out)
{
    for (guint i = 0; i < study->loads->len; i++)
        if (curve->points[i].deadlock) {
            g_string_append_printf(out, "deadlock at load %.4f: %s\n", load_number(curve->points[i].offered),
                                   curve->points[i].deadlock);
            return;
        }
}

static void append_counter(const NetCounter *counter, GString *out)
{
    g_autofree char *time = counter->kind == NET_COUNTER_TIME ? base_units_format_time(counter->value) : NULL;
    if (time)
        g_string_append_printf(out, "%s %s", counter->text, time);
    else
        g_string_append_printf(out, "%s %" G_GUINT64_FORMAT "%s", counter->text, counter->value,
                               counter->kind == NET_COUNTER_BYTES ? " B" : "");
}

/* Appends the counters of the switching model that are not 0. They count from the beginning of each run. */
static void append_counters(const NetStudy *study, const NetCurve *curve, GString *out)
{
    for (guint i = 0; i < study->loads->len; i++) {
        const TrafficResult *point = &curve->points[i];
        const char *before = NULL;
        for (uint32_t c = 0; c < point->n_counters; c++) {
            if (!point->counters[c].value)
                continue;
            if (before)
                g_string_append(out, before);
            else
                g_string_append_printf(out, "at load %.4f: ", load_number(point->offered));
            append_counter(&point->counters[c], out);
            before = ", ";
        }
        g_string_append(out, before ? "\n" : "");
    }
}

/* -- plot of characters ------------------------------------------------------------------------ */

enum { PLOT_ROWS = 14, PLOT_COLUMNS = 64 };

/* Returns the end of the vertical axis: some times the zero-load latency, so that most of the curve can be seen. */
static double plot_top(const NetStudy *study, const NetCurve *curve)
{
    double most = 0;
    for (guint i = 0; i < study->loads->len; i++)
        if (!curve->points[i].saturated)
            most = MAX(most, curve->points[i].mean);
    return MIN(most, 6 * curve->bounds.zero_load);
}

static void append_plot(const NetStudy *study, const NetCurve *curve, GString *out)
{
    char rows[PLOT_ROWS][PLOT_COLUMNS + 1];
    double top = plot_top(study, curve),
           right = load_number(g_array_index(study->loads, uint64_t, study->loads->len - 1));
    if (study->loads->len < 3 || !(top > 0))
        return;
    for (unsigned row = 0; row < PLOT_ROWS; row++) {
        memset(rows[row], ' ', PLOT_COLUMNS);
        rows[row][PLOT_COLUMNS] = '\0';
    }
    for (guint i = 0; i < study->loads->len; i++) {
        const TrafficResult *point = &curve->points[i];
        double height = point->saturated ? 1 : MIN(point->mean / top, 1);
        unsigned row = PLOT_ROWS - 1 - (unsigned)(height * (PLOT_ROWS - 1) + 0.5);
        unsigned column = (unsigned)(load_number(point->offered) / right * (PLOT_COLUMNS - 1));
        rows[row][column] = point->saturated ? '^' : point->mean > top ? '+' : '*';
    }
    g_string_append(out, "\nlatency in cycles (^: saturated, +: beyond the top)\n");
    for (unsigned row = 0; row < PLOT_ROWS; row++) {
        bool labelled = row == 0 || row == PLOT_ROWS - 1;
        g_autofree char *label = labelled ? g_strdup_printf("%.0f", row ? 0.0 : top) : g_strdup("");
        g_string_append_printf(out, "%8s |%s\n", label, g_strchomp(rows[row]));
    }
    g_string_append_printf(out, "%8s +", "");
    for (unsigned i = 0; i < PLOT_COLUMNS; i++)
        g_string_append_c(out, '-');
    g_string_append_printf(out, "\n%8s  0%*.4g\n%8s  offered load, flits per node and cycle\n", "", PLOT_COLUMNS - 1,
                           right, "");
}

/* Appends, for the highest load that the network took, where packets wait and how much of the bisection is used. */
static void append_hot_spot(const NetStudy *study, const NetCurve *curve, GString *out)
{
    const TrafficResult *last = NULL;
    for (guint point = 0; point < study->loads->len; point++)
        if (!curve->points[point].saturated && curve->points[point].messages)
            last = &curve->points[point];
    if (!last || !net_link_count(study->net))
        return;
    if (last->waiting > 0) {
        g_autofree char *link = link_name(study, last->hot_link);
        g_string_append_printf(out, "hot spot   at load %.4f: %.2f packets wait for %s, on average\n",
                               load_number(last->offered), last->waiting, link);
    }
    if (last->bisection >= 0)
        g_string_append_printf(out, "bisection  at load %.4f: its links are busy %.1f %% of the time\n",
                               load_number(last->offered), 100 * last->bisection);
}

void cli_net_append_text(const NetStudy *study, GString *out)
{
    for (guint i = 0; i < study->curves->len; i++) {
        const NetCurve *curve = curve_at(study, i);
        if (i)
            g_string_append_c(out, '\n');
        append_head(study, curve, out);
        g_string_append(out,
                        "\n offered  accepted   latency    +/-   median      99%      most   hops  busiest link\n");
        for (guint point = 0; point < study->loads->len; point++)
            append_row(study, curve, &curve->points[point], out);
        append_saturation(study, curve, out);
        append_hot_spot(study, curve, out);
        append_deadlocks(study, curve, out);
        append_sizes(study, curve, out);
        append_counters(study, curve, out);
        append_plot(study, curve, out);
    }
}

/* -- files ------------------------------------------------------------------------------------- */

static void append_number(GString *out, double number, const char *behind)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(out, "%s%s", g_ascii_formatd(text, sizeof text, "%.9g", number), behind);
}

static char *make_csv(const NetStudy *study)
{
    GString *out =
        g_string_new("traffic,offered,generated,accepted,saturated,latency_cycles,within_cycles,median_cycles,"
                     "percentile_99_cycles,most_cycles,hops,busiest_link_use,messages\n");
    for (guint i = 0; i < study->curves->len; i++) {
        const NetCurve *curve = curve_at(study, i);
        for (guint j = 0; j < study->loads->len; j++) {
            const TrafficResult *r = &curve->points[j];
            const double numbers[] = {r->mean, r->within, cycles(curve, r->median_ps),
                                      cycles(curve, r->percentile_99_ps), cycles(curve, r->most_ps)};
            g_string_append_printf(out, "%s,", curve->options.pattern);
            append_number(out, load_number(r->offered), ",");
            append_number(out, r->generated, ",");
            append_number(out, r->accepted, r->saturated ? ",1," : ",0,");
            for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
                if (r->saturated)
                    g_string_append_c(out, ',');
                else
                    append_number(out, numbers[k], ",");
            append_number(out, r->hops, ",");
            append_number(out, r->busiest, ",");
            g_string_append_printf(out, "%" G_GUINT64_FORMAT "\n", r->messages);
        }
    }
    return g_string_free(out, FALSE);
}

static bool write_plot(const NetStudy *study, const PlotTheme *theme, const char *path, bool latency, GError **error)
{
    bool beyond = false;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_series_free);
    for (guint i = 0; i < study->curves->len; i++) {
        const NetCurve *curve = curve_at(study, i);
        PlotSeries *series = plot_series_new(curve->options.pattern);
        g_ptr_array_add(all, series);
        for (guint j = 0; j < study->loads->len; j++) {
            const TrafficResult *result = &curve->points[j];
            PlotPoint point = {load_number(result->offered), latency ? result->mean : result->accepted};
            if (!latency || (!result->saturated && point.y <= 10 * curve->bounds.zero_load))
                g_array_append_val(series->points, point);
            else
                g_array_append_val(series->beyond, point.x);
        }
        beyond |= series->beyond->len > 0;
    }
    PlotCurves curves = {.title = study->config->name,
                         .note = beyond ? "Triangles at the top: too large to be drawn, or without limit." : NULL,
                         .x = {.name = "offered load (flits per node and cycle)"},
                         .y = {.name = latency ? "mean latency (cycles)" : "accepted (flits per node and cycle)"},
                         .series = all};
    g_autoptr(PlotCanvas) canvas = plot_canvas_new(theme->paper);
    plot_curves_draw(&curves, theme, canvas);
    g_autoptr(GString) svg = plot_svg(canvas);
    return base_write_file(path, svg->str, svg->len, error);
}

bool cli_net_write_files(const NetStudy *study, const PlotTheme *theme, const char *name, GError **error)
{
    g_autofree char *csv = g_strconcat(name, ".csv", NULL), *text = make_csv(study);
    g_autofree char *latency = g_strconcat(name, "-latency.svg", NULL);
    g_autofree char *throughput = g_strconcat(name, "-throughput.svg", NULL);
    return base_write_file(csv, text, strlen(text), error) && write_plot(study, theme, latency, true, error) &&
           write_plot(study, theme, throughput, false, error);
}

static json_t *point_json(const NetCurve *curve, const TrafficResult *r)
{
    json_t *point = json_pack("{s:f, s:f, s:f, s:b, s:f, s:f, s:I}", "offered", load_number(r->offered), "generated",
                              r->generated, "accepted", r->accepted, "saturated", r->saturated, "hops", r->hops,
                              "busiest_link_use", r->busiest, "messages", (json_int_t)r->messages);
    json_object_set_new(point, "hot_link", json_integer(r->hot_link));
    json_object_set_new(point, "hot_link_waiting", json_real(r->waiting));
    if (r->bisection >= 0)
        json_object_set_new(point, "bisection_use", json_real(r->bisection));
    json_object_set_new(point, "warm_up_ps", json_integer((json_int_t)r->warm_up_ps));
    json_object_set_new(point, "measured_ps", json_integer((json_int_t)r->measured_ps));
    if (r->deadlock)
        json_object_set_new(point, "deadlock", json_string(r->deadlock));
    for (uint32_t i = 0; i < r->n_counters; i++) {
        bool time = r->counters[i].kind == NET_COUNTER_TIME, bytes = r->counters[i].kind == NET_COUNTER_BYTES;
        g_autofree char *key = g_strconcat(r->counters[i].key, time ? "_ps" : bytes ? "_bytes" : "", NULL);
        json_object_set_new(point, key, json_integer((json_int_t)r->counters[i].value));
    }
    if (r->saturated || !r->messages)
        return point;
    json_object_set_new(point, "latency_cycles", json_real(r->mean));
    json_t *sizes = curve->options.n_sizes > 1 ? json_array() : NULL;
    for (uint32_t i = 0; sizes && i < curve->options.n_sizes; i++)
        json_array_append_new(sizes, json_pack("{s:I, s:I, s:f}", "bytes", (json_int_t)curve->options.sizes[i].bytes,
                                               "messages", (json_int_t)r->by_size[i].messages, "latency_cycles",
                                               r->by_size[i].mean));
    if (sizes)
        json_object_set_new(point, "by_size", sizes);
    if (isfinite(r->within))
        json_object_set_new(point, "within_cycles", json_real(r->within));
    json_object_set_new(point, "median_cycles", json_real(cycles(curve, r->median_ps)));
    json_object_set_new(point, "percentile_99_cycles", json_real(cycles(curve, r->percentile_99_ps)));
    json_object_set_new(point, "most_cycles", json_real(cycles(curve, r->most_ps)));
    return point;
}

static json_t *curve_json(const NetStudy *study, const NetCurve *curve)
{
    json_t *points = json_array();
    for (guint i = 0; i < study->loads->len; i++)
        json_array_append_new(points, point_json(curve, &curve->points[i]));
    json_t *object = json_pack("{s:s, s:s, s:I, s:f, s:f, s:o}", "traffic", curve->options.pattern, "injection",
                               traffic_arrivals_injections()[curve->options.injection], "cycle_ps",
                               (json_int_t)curve->bounds.cycle_ps, "message_flits", curve->bounds.message_flits,
                               "zero_load_cycles", curve->bounds.zero_load, "points", points);
    if (curve->bounds.busiest > 0)
        json_object_set_new(object, "link_full_at", json_real(curve->bounds.busiest));
    if (curve->saturation)
        json_object_set_new(object, "saturation", json_real(load_number(curve->saturation)));
    return object;
}

bool cli_net_write_json(const NetStudy *study, const char *path, GError **error)
{
    json_t *curves = json_array();
    for (guint i = 0; i < study->curves->len; i++)
        json_array_append_new(curves, curve_json(study, curve_at(study, i)));
    const NetParams *params = net_network_params(study->net);
    json_t *whole =
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:o}", "orrery", 1, "machine", study->config->name, "topology",
                  params->topology, "routing", params->routing, "switching", params->switching, "curves", curves);
    char *text = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(whole);
    bool good = base_write_report(path, text, strlen(text), error);
    free(text);
    return good;
}
