/* statistics.c - where the time went: the table of --stats and the JSON of --json.
 *
 * The columns and keys of ranks are the rows of machine/statistics.def. Everything is derived from
 * mach_run_rank_report() and the network's links, in order of rank and of link number
 * (busiest first, then by number), so both texts are the same for every run of the same program.
 *
 * JSON: an object with "orrery" (version of this layout, 1), "machine", "ranks_total", "makespan_ps", "messages",
 * "bytes", "ranks" and "links". Keys are added, never changed in meaning. All times are picoseconds, all sizes bytes,
 * as integers.
 */
#include "base/units.h"
#include "base/write_file.h"
#include "monitor/monitor.h"
#include "monitor/report/report.h"

#include <jansson.h>
#include <string.h>

enum { MOST_RANKS = 64, BUSIEST_LINKS = 8 };

/* -- the table --------------------------------------------------------------------------------- */

static void append_head(const Machine *machine, const MachRankReport *totals, GString *out)
{
    const MachConfig *config = mach_run_config(machine);
    g_autofree char *makespan = base_units_format_time(totals->finish_ps);
    uint64_t all = totals->compute_ps + totals->overhead_ps + totals->blocked_ps;
    unsigned compute = mon_report_per_mille(totals->compute_ps, all),
             overhead = mon_report_per_mille(totals->overhead_ps, all);
    unsigned blocked = mon_report_per_mille(totals->blocked_ps, all);
    g_string_append_printf(out, "machine   %s, %u rank%s\n", config->name, mach_run_ranks(machine),
                           mach_run_ranks(machine) == 1 ? "" : "s");
    g_string_append_printf(out, "makespan  %s\n", makespan);
    g_string_append_printf(out, "time      compute %u.%u %%, overhead %u.%u %%, blocked %u.%u %%\n", compute / 10,
                           compute % 10, overhead / 10, overhead % 10, blocked / 10, blocked % 10);
    g_string_append_printf(out, "messages  %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " bytes\n", totals->messages_sent,
                           totals->bytes_sent);
}

/* The columns of a group: headings where counts is NULL, else what was counted. `share`: per mille, for the column
 * that shows its share. */
static void append_columns(GString *out, MachStatisticGroup group, const void *counts, unsigned share)
{
    const MachStatistic *row = NULL;
    while ((row = mach_statistics_next(group, row))) {
        if (!row->heading)
            continue;
        if (!counts)
            g_string_append_printf(out, "%*s", row->width, row->heading);
        else if (row->unit == MACH_UNIT_TIME)
            mon_report_append_time(out, mach_statistics_value(row, counts), row->width);
        else
            g_string_append_printf(out, "%*" G_GUINT64_FORMAT, row->width, mach_statistics_value(row, counts));
        if (row->share && counts)
            g_string_append_printf(out, " %4u.%u %%", share / 10, share % 10);
        else if (row->share && *row->share)
            g_string_append_printf(out, "%9s", row->share);
    }
}

static void append_rank(const Machine *machine, uint32_t rank, GString *out)
{
    MachRankReport report;
    mach_run_rank_report(machine, rank, &report);
    g_string_append_printf(out, "%6u %5u", rank, report.node);
    append_columns(out, MACH_STATISTIC_RANK, &report, 0);
    const char *type = mach_config_node_type(mach_run_config(machine), report.node);
    g_string_append_printf(out, type ? "  %s\n" : "\n", type);
}

static void append_ranks(const Machine *machine, GString *out)
{
    uint32_t ranks = mach_run_ranks(machine), shown = MIN(ranks, MOST_RANKS);
    g_string_append(out, "\n  rank  node");
    append_columns(out, MACH_STATISTIC_RANK, NULL, 0);
    g_string_append_c(out, '\n');
    for (uint32_t rank = 0; rank < shown; rank++)
        append_rank(machine, rank, out);
    if (shown < ranks)
        g_string_append_printf(out, "  ... and %u more ranks (--json has all)\n", ranks - shown);
}

static void append_caches(const Machine *machine, GString *out)
{
    uint32_t shown = MIN(mach_run_ranks(machine), MOST_RANKS);
    bool first = true;
    for (uint32_t rank = 0; rank < shown; rank++) {
        for (uint32_t level = 1; level <= MACH_CACHE_LEVELS; level++) {
            const VmCacheCounts *counts = mach_cache_counts(machine, rank, level);
            if (!counts)
                continue;
            if (first) {
                g_string_append(out, "\n  rank cache");
                append_columns(out, MACH_STATISTIC_CACHE, NULL, 0);
                g_string_append(out, "  (lines)\n");
                first = false;
            }
            g_string_append_printf(out, "%6u    L%u", rank, level);
            append_columns(out, MACH_STATISTIC_CACHE, counts,
                           mon_report_per_mille(counts->misses, counts->hits + counts->misses));
            g_string_append_c(out, '\n');
        }
    }
}

static void append_predictions(const Machine *machine, GString *out)
{
    uint32_t shown = MIN(mach_run_ranks(machine), MOST_RANKS);
    bool first = true;
    for (uint32_t rank = 0; rank < shown; rank++) {
        const VmPredictorCounts *counts = mach_run_predictor_counts(machine, rank);
        if (!counts)
            continue;
        if (first) {
            g_string_append(out, "\n  rank");
            append_columns(out, MACH_STATISTIC_PREDICTOR, NULL, 0);
            g_string_append_c(out, '\n');
            first = false;
        }
        g_string_append_printf(out, "%6u", rank);
        append_columns(out, MACH_STATISTIC_PREDICTOR, counts,
                       mon_report_per_mille(counts->mispredicted, counts->branches));
        g_string_append_c(out, '\n');
    }
}

typedef struct BusyLink {
    const NetLink *link;
    uint32_t index;
} BusyLink;

static int compare_links(const void *a, const void *b)
{
    const BusyLink *left = a, *right = b;
    if (left->link->busy_ps != right->link->busy_ps)
        return left->link->busy_ps > right->link->busy_ps ? -1 : 1;
    if (left->link->bytes != right->link->bytes)
        return left->link->bytes > right->link->bytes ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

/* The links that carried anything, busiest first; a BusyLink array. */
static GArray *busy_links(const Network *net)
{
    GArray *links = g_array_new(FALSE, FALSE, sizeof(BusyLink));
    for (uint32_t i = 0; i < net_link_count(net); i++) {
        BusyLink busy = {net_link(net, i), i};
        if (busy.link->packets)
            g_array_append_val(links, busy);
    }
    if (links->len)
        qsort(links->data, links->len, sizeof(BusyLink), compare_links);
    return links;
}

static void append_links(const Machine *machine, uint64_t makespan_ps, GString *out)
{
    const Network *net = mach_run_network((Machine *)machine);
    g_autoptr(GArray) links = busy_links(net);
    if (!links->len)
        return;
    g_string_append(out,
                    "\n  busiest links                   bytes   packets        busy       of time   waited for\n");
    for (guint i = 0; i < MIN(links->len, BUSIEST_LINKS); i++) {
        const NetLink *link = g_array_index(links, BusyLink, i).link;
        g_autofree char *from = net_vertex_name(net, link->from);
        g_autofree char *to = net_vertex_name(net, link->to);
        g_autofree char *name = g_strdup_printf("%s -> %s", from, to);
        unsigned share = mon_report_per_mille(link->busy_ps, makespan_ps);
        g_string_append_printf(out, "  %-24s %12" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT, name, link->bytes,
                               link->packets);
        mon_report_append_time(out, link->busy_ps, 12);
        g_string_append_printf(out, " %9u.%u %%", share / 10, share % 10);
        mon_report_append_time(out, link->blocked_ps, 13);
        g_string_append_c(out, '\n');
    }
    if (links->len > BUSIEST_LINKS)
        g_string_append_printf(out, "  ... and %u more links that carried something\n", links->len - BUSIEST_LINKS);
}

/* What the switching model has counted besides. */
static void append_counters(const Machine *machine, GString *out)
{
    NetCounter counters[NET_MAX_COUNTERS];
    uint32_t n = net_network_counters(mach_run_network((Machine *)machine), counters);
    if (n)
        g_string_append(out, "\n  network\n");
    for (uint32_t i = 0; i < n; i++) {
        g_string_append_printf(out, "  %-40s", counters[i].text);
        if (counters[i].kind == NET_COUNTER_TIME)
            mon_report_append_time(out, counters[i].value, 12);
        else
            g_string_append_printf(out, " %12" G_GUINT64_FORMAT "%s", counters[i].value,
                                   counters[i].kind == NET_COUNTER_BYTES ? " B" : "");
        g_string_append_c(out, '\n');
    }
}

/* What runs beside the ranks, and is not theirs. */
static void append_background(const Machine *machine, GString *out)
{
    TrafficBackgroundCounts counts;
    if (!mach_run_background_counts(machine, &counts))
        return;
    g_string_append_printf(out,
                           "\n  background traffic: %" G_GUINT64_FORMAT " messages made, %" G_GUINT64_FORMAT
                           " delivered (%" G_GUINT64_FORMAT " B",
                           counts.made, counts.delivered, counts.delivered_bytes);
    if (counts.delivered) {
        g_autofree char *mean = base_units_format_time(counts.latency_ps / counts.delivered);
        g_string_append_printf(out, ", mean latency %s", mean);
    }
    g_string_append_printf(out, "), %" G_GUINT64_FORMAT " not made because too many waited", counts.refused);
    if (counts.undeliverable)
        g_string_append_printf(out, ", %" G_GUINT64_FORMAT " undeliverable", counts.undeliverable);
    g_string_append_c(out, '\n');
}

/* In words, where deadlocks in the network have been resolved. */
static void append_deadlock(const Machine *machine, GString *out)
{
    const Network *net = mach_run_network((Machine *)machine);
    if (net_deadlocks_resolved(net))
        g_string_append_printf(out, "\n  first %s", net_first_deadlock(net));
}

void mon_print_statistics(const Machine *machine, GString *out)
{
    MachRankReport totals;
    mach_run_totals(machine, &totals);
    append_head(machine, &totals, out);
    append_ranks(machine, out);
    append_caches(machine, out);
    append_predictions(machine, out);
    append_links(machine, totals.finish_ps, out);
    append_counters(machine, out);
    append_background(machine, out);
    append_deadlock(machine, out);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static void set_number(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* All that is counted of a group. */
static void set_group(json_t *object, MachStatisticGroup group, const void *counts)
{
    const MachStatistic *row = NULL;
    while ((row = mach_statistics_next(group, row)))
        set_number(object, row->key, mach_statistics_value(row, counts));
}

/* The caches of a rank; NULL where memory is flat. */
static json_t *caches_json(const Machine *machine, uint32_t rank)
{
    json_t *caches = NULL;
    for (uint32_t level = 1; level <= MACH_CACHE_LEVELS; level++) {
        const VmCacheCounts *counts = mach_cache_counts(machine, rank, level);
        if (!counts)
            continue;
        json_t *cache = json_object();
        set_number(cache, "level", level);
        set_group(cache, MACH_STATISTIC_CACHE, counts);
        if (!caches)
            caches = json_array();
        json_array_append_new(caches, cache);
    }
    return caches;
}

static json_t *rank_json(const Machine *machine, uint32_t rank)
{
    MachRankReport report;
    json_t *object = json_object();
    mach_run_rank_report(machine, rank, &report);
    set_number(object, "rank", rank);
    set_number(object, "node", report.node);
    const char *type = mach_config_node_type(mach_run_config(machine), report.node);
    if (type)
        json_object_set_new(object, "node_type", json_string(type));
    set_group(object, MACH_STATISTIC_RANK, &report);
    json_object_set_new(object, "exit_status", json_integer(report.exit_status));
    json_t *caches = caches_json(machine, rank);
    if (caches)
        json_object_set_new(object, "caches", caches);
    const VmPredictorCounts *predictions = mach_run_predictor_counts(machine, rank);
    if (predictions)
        set_group(object, MACH_STATISTIC_PREDICTOR, predictions);
    return object;
}

static json_t *link_json(const Network *net, uint32_t index)
{
    const NetLink *link = net_link(net, index);
    g_autofree char *from = net_vertex_name(net, link->from);
    g_autofree char *to = net_vertex_name(net, link->to);
    json_t *object = json_object();
    set_number(object, "link", index);
    json_object_set_new(object, "from", json_string(from));
    json_object_set_new(object, "to", json_string(to));
    set_number(object, "bytes", link->bytes);
    set_number(object, "packets", link->packets);
    set_number(object, "busy_ps", link->busy_ps);
    set_number(object, "blocked_ps", link->blocked_ps);
    return object;
}

/* A value as jansson writes it, further in: a tree of all ranks would take more memory than the ranks. */
static void append_json(GString *out, json_t *value /* taken */, unsigned depth)
{
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(value);
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        g_string_append_printf(out, "%*s", line == text ? 0 : (int)depth, "");
        g_string_append_len(out, line, (gssize)(length + (line[length] == '\n')));
        line += length + (line[length] == '\n');
    }
    free(text);
}

enum { ELEMENT_DEPTH = 2 }; /* of the elements of "ranks" and "links" */

static void append_element(GString *out, json_t *element /* taken */, bool *first)
{
    g_string_append(out, *first ? "\n  " : ",\n  ");
    *first = false;
    append_json(out, element, ELEMENT_DEPTH);
}

static void append_rank_objects(const Machine *machine, GString *out)
{
    bool first = true;
    g_string_append(out, ",\n \"ranks\": [");
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++)
        append_element(out, rank_json(machine, rank), &first);
    g_string_append(out, first ? "]" : "\n ]");
}

static void append_link_objects(const Network *net, GString *out)
{
    bool first = true;
    g_string_append(out, ",\n \"links\": [");
    for (uint32_t i = 0; i < net_link_count(net); i++)
        if (net_link(net, i)->packets)
            append_element(out, link_json(net, i), &first);
    g_string_append(out, first ? "]" : "\n ]");
}

/* Counters of the switching model by their keys, times as KEY_ps and amounts as KEY_bytes; NULL: it has none. */
static json_t *counters_json(const Network *net)
{
    static const char *const units[] = {
        [NET_COUNTER_NUMBER] = "", [NET_COUNTER_TIME] = "_ps", [NET_COUNTER_BYTES] = "_bytes"};
    NetCounter counters[NET_MAX_COUNTERS];
    uint32_t n = net_network_counters(net, counters);
    json_t *object = n ? json_object() : NULL;
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *key = g_strconcat(counters[i].key, units[counters[i].kind], NULL);
        set_number(object, key, counters[i].value);
    }
    return object;
}

static json_t *background_json(const TrafficBackgroundCounts *counts)
{
    json_t *object = json_object();
    set_number(object, "messages_made", counts->made);
    set_number(object, "messages_delivered", counts->delivered);
    set_number(object, "bytes_delivered", counts->delivered_bytes);
    set_number(object, "latency_sum_ps", counts->latency_ps);
    set_number(object, "messages_refused", counts->refused);
    set_number(object, "messages_undeliverable", counts->undeliverable);
    return object;
}

static GString *machine_json(const Machine *machine)
{
    GString *out = g_string_new(NULL);
    MachRankReport totals;
    mach_run_totals(machine, &totals);
    json_t *root = json_object();
    set_number(root, "orrery", 1);
    json_object_set_new(root, "machine", json_string(mach_run_config(machine)->name));
    set_number(root, "ranks_total", mach_run_ranks(machine));
    set_number(root, "makespan_ps", totals.finish_ps);
    set_number(root, "messages", totals.messages_sent);
    set_number(root, "bytes", totals.bytes_sent);
    json_t *counters = counters_json(mach_run_network((Machine *)machine));
    if (counters)
        json_object_set_new(root, "network", counters);
    TrafficBackgroundCounts background;
    if (mach_run_background_counts(machine, &background))
        json_object_set_new(root, "background", background_json(&background));
    append_json(out, root, 0);
    g_string_truncate(out, out->len - strlen("\n}"));
    append_rank_objects(machine, out);
    append_link_objects(mach_run_network((Machine *)machine), out);
    g_string_append(out, "\n}\n");
    return out;
}

bool mon_statistics_write_json(const Machine *machine, const char *path, GError **error)
{
    g_autoptr(GString) lines = machine_json(machine);
    return base_write_report(path, lines->str, lines->len, error);
}
