/* facts.c - what the page tells beside events: program, machine, statistics, findings, network. */
#include "monitor/page/parts.h"

#include <string.h>

enum { MOST_RANKS = 2000 /* in the table */, MOST_VERTICES = 4096, MOST_LINKS = 32768 };

static void set_number(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    json_object_set_new(object, key, json_string(valid));
}

/* -- statistics -------------------------------------------------------------------------------- */

/* Tells whether the rank has counted anything there; for all ranks. */
static bool is_used(const Machine *machine, const MachStatistic *row)
{
    MachRankReport report;
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++) {
        mach_run_rank_report(machine, rank, &report);
        if (mach_statistics_value(row, &report))
            return true;
    }
    return false;
}

static void add_column(json_t *columns, const char *title, const char *unit, const char *help)
{
    json_array_append_new(columns, json_pack("{s:s, s:s, s:s}", "title", title, "unit", unit, "help", help));
}

/* Returns the rows of statistics.def that say something; adds their columns. */
static GPtrArray *used_rows(const Machine *machine, json_t *columns)
{
    static const char *const units[] = {"ps", "", "bytes"};
    GPtrArray *used = g_ptr_array_new();
    const MachStatistic *row = NULL;
    add_column(columns, "rank", "", "number of the process");
    add_column(columns, "node", "", "where it ran");
    while ((row = mach_statistics_next(MACH_STATISTIC_RANK, row)))
        if (is_used(machine, row)) {
            g_ptr_array_add(used, (gpointer)row);
            add_column(columns, row->heading ? row->heading : row->key, units[row->unit], row->help);
        }
    return used;
}

static json_t *rank_row(const Machine *machine, uint32_t rank, const GPtrArray *used)
{
    MachRankReport report;
    mach_run_rank_report(machine, rank, &report);
    json_t *cells = json_pack("[i, i]", (int)rank, (int)report.node);
    for (guint i = 0; i < used->len; i++)
        json_array_append_new(cells, json_integer((json_int_t)mach_statistics_value(used->pdata[i], &report)));
    return cells;
}

static json_t *statistics_json(const Machine *machine)
{
    json_t *object = json_object(), *columns = json_array(), *rows = json_array();
    g_autoptr(GPtrArray) used = used_rows(machine, columns);
    uint32_t ranks = mach_run_ranks(machine), shown = MIN(ranks, MOST_RANKS);
    for (uint32_t rank = 0; rank < shown; rank++)
        json_array_append_new(rows, rank_row(machine, rank, used));
    g_autofree char *note = shown < ranks ? g_strdup_printf("The first %u of %u ranks", shown, ranks) : g_strdup("");
    json_object_set_new(object, "note", json_string(note));
    json_object_set_new(object, "columns", columns);
    json_object_set_new(object, "rows", rows);
    return object;
}

/* -- the network ------------------------------------------------------------------------------- */

static bool is_drawn(const Network *net)
{
    return net_vertex_count(net) <= MOST_VERTICES && net_link_count(net) <= MOST_LINKS;
}

static json_t *vertices_json(const Network *net)
{
    json_t *list = json_array();
    for (uint32_t vertex = 0; vertex < net_vertex_count(net); vertex++) {
        g_autofree char *name = net_vertex_name(net, vertex);
        double x, y;
        net_vertex_position(net, vertex, &x, &y);
        json_array_append_new(list, json_pack("[s, f, f, b]", name, x, y, vertex >= net_network_nodes(net)));
    }
    return list;
}

static json_t *links_json(const Network *net)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < net_link_count(net); i++)
        json_array_append_new(list, json_pack("[i, i]", (int)net_link(net, i)->from, (int)net_link(net, i)->to));
    return list;
}

/* Returns why the network is not drawn; NULL: it is. */
static char *network_note(const MonPage *page, const Network *net)
{
    if (!is_drawn(net))
        return g_strdup("The network is too large to be drawn.");
    if (page->network && page->network->windows && net_link_count(net))
        return NULL;
    return g_strdup_printf("The network's model (%s) does not tell which links messages take.",
                           net_network_params(net)->switching);
}

static void add_network(const MonPage *page, json_t *data)
{
    const Network *net = mach_run_network((Machine *)page->machine);
    g_autofree char *note = network_note(page, net);
    json_t *placement = json_array();
    for (uint32_t rank = 0; rank < mach_run_ranks(page->machine); rank++)
        json_array_append_new(placement, json_integer(mach_run_node_of(page->machine, rank)));
    json_object_set_new(data, "placement", placement);
    json_object_set_new(data, "vertices", note ? json_array() : vertices_json(net));
    json_object_set_new(data, "links", note ? json_array() : links_json(net));
    set_number(data, "window_ps", note ? 0 : mon_windows_length(page->network->windows));
    if (note)
        set_text(data, "network_note", note);
}

static void put_link_use(MonNetwork *network, uint32_t link, GByteArray *out)
{
    g_autoptr(GByteArray) windows = g_byte_array_new();
    uint32_t n = 0, last = 0, most = 0;
    for (uint32_t channel = 0; channel < network->channels; channel++)
        most = MAX(most, mon_windows_count(network->windows, (size_t)link * network->channels + channel));
    for (uint32_t window = 0; window < most; window++) {
        uint64_t busy_ps = 0;
        for (uint32_t channel = 0; channel < network->channels; channel++) {
            size_t place = (size_t)link * network->channels + channel;
            if (window < mon_windows_count(network->windows, place))
                busy_ps += mon_windows_use(network->windows, place, window)->busy_ps;
        }
        if (!busy_ps)
            continue;
        mon_page_put(windows, window - last);
        mon_page_put(windows, busy_ps);
        last = window;
        n++;
    }
    mon_page_put(out, n);
    g_byte_array_append(out, windows->data, windows->len);
}

GByteArray *mon_page_use(const MonPage *page)
{
    GByteArray *out = g_byte_array_new();
    const Network *net = mach_run_network((Machine *)page->machine);
    g_autofree char *note = network_note(page, net);
    for (uint32_t link = 0; !note && link < net_link_count(net); link++)
        put_link_use(page->network, link, out);
    return out;
}

/* -- all of it --------------------------------------------------------------------------------- */

static json_t *machine_json(const MachConfig *config)
{
    g_autoptr(GString) keys = g_string_new(NULL);
    json_t *object = json_object();
    mach_config_print(config, keys);
    set_text(object, "name", config->name);
    set_text(object, "description", config->description ? config->description : "");
    set_text(object, "keys", keys->str);
    return object;
}

static json_t *findings_json(const MonPage *page, MonPageSources *sources)
{
    TraceSelection selection = trace_selection_all();
    selection.kinds = UINT64_C(1) << TRACE_FINDING;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(page->trace, &selection);
    json_t *list = json_array();
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        json_t *place = mon_page_place(sources, (uint32_t)event.fields[TRACE_FINDING_SITE]);
        json_t *object = place ? place : json_object();
        set_text(object, "check", trace_reader_text(page->trace, event.fields[TRACE_FINDING_CHECK]));
        set_text(object, "text", trace_reader_text(page->trace, event.fields[TRACE_FINDING_TEXT]));
        json_array_append_new(list, object);
    }
    return list;
}

void mon_page_facts(const MonPage *page, MonPageSources *sources, json_t *data)
{
    Machine *machine = (Machine *)page->machine;
    g_autoptr(GString) end = g_string_new(NULL), losses = g_string_new(NULL);
    MachRankReport totals;
    if (mach_run_ranks(machine))
        mon_page_add_program(sources, vm_image_module(vm_rank_image(mach_run_rank(machine, 0))));
    mach_run_totals(machine, &totals);
    mach_explain(machine, end);
    set_number(data, "orrery", 1);
    set_text(data, "program", mach_run_world(machine, 0).command);
    set_text(data, "end", end->str);
    set_number(data, "makespan_ps", totals.finish_ps);
    set_number(data, "ranks_total", mach_run_ranks(machine));
    set_number(data, "findings_total", mach_findings(machine));
    json_object_set_new(data, "machine", machine_json(mach_run_config(machine)));
    json_object_set_new(data, "statistics", statistics_json(machine));
    mon_diagnosis_print(page->diagnosis, losses);
    set_text(data, "diagnosis", losses->str);
    json_object_set_new(data, "findings", findings_json(page, sources));
    add_network(page, data);
}
