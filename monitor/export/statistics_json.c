/* statistics_json.c - where the time went, as JSON (`--json`): what report/statistics.c prints for people.
 *
 * The file is an object with "orrery" (version of this layout, 1), "machine", "ranks_total", "makespan_ps", "messages",
 * "bytes", "ranks", "links" and, if the program started processes, "worlds". The keys of ranks are the rows of
 * machine/statistics.def. Keys are added, never changed
 * in meaning. All times are picoseconds, all sizes bytes, as integers. Ranks and links are in the order of their
 * numbers.
 */
#include "base/write_file.h"
#include "monitor/export/export.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void set_number(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* Adds everything that is counted in a group. */
static void set_group(json_t *object, MachStatisticGroup group, const void *counts)
{
    const MachStatistic *row = NULL;
    while ((row = mach_statistics_next(group, row)))
        set_number(object, row->key, mach_statistics_value(row, counts));
}

/* Returns the caches of a rank; NULL if memory is flat. */
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

static json_t *regions_json(const Machine *machine, uint32_t rank)
{
    json_t *rows = json_array();
    g_autoptr(GArray) regions = mach_run_regions(machine, rank);
    for (guint i = 0; i < regions->len; i++) {
        const ThreadsRegionStats *region = &g_array_index(regions, ThreadsRegionStats, i);
        json_t *row = json_object();
        json_object_set_new(row, "at", json_string(region->place));
        set_number(row, "executions", region->executions);
        set_number(row, "threads", region->threads);
        set_number(row, "time_ps", region->time_ps);
        set_number(row, "thread_ps", region->thread_ps);
        set_number(row, "barrier_ps", region->barrier_ps);
        set_number(row, "end_ps", region->end_ps);
        set_number(row, "lock_ps", region->lock_ps);
        set_number(row, "tasks", region->tasks);
        set_number(row, "imbalance_per_mille", threads_region_imbalance(region));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* Returns what a rank's threads waited for; NULL if it had only one. */
static json_t *threads_json(const Machine *machine, uint32_t rank)
{
    const ThreadsStats *counts = mach_run_thread_counts(machine, rank);
    if (!counts)
        return NULL;
    json_t *object = json_object(), *rows = json_array();
    set_group(object, MACH_STATISTIC_THREADS, counts);
    g_autoptr(GArray) locks = mach_run_locks(machine, rank);
    for (guint i = 0; i < locks->len; i++) {
        const ThreadsLockStats *lock = &g_array_index(locks, ThreadsLockStats, i);
        json_t *row = json_object();
        json_object_set_new(row, "lock", json_string(lock->name));
        set_number(row, "taken", lock->taken);
        set_number(row, "contended", lock->contended);
        set_number(row, "wait_ps", lock->wait_ps);
        set_number(row, "longest_ps", lock->longest_ps);
        json_object_set_new(row, "longest_at", json_string(lock->place));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "contended_locks", rows);
    json_object_set_new(object, "parallel_regions", regions_json(machine, rank));
    return object;
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
    json_t *threads = threads_json(machine, rank);
    if (threads)
        json_object_set_new(object, "threads", threads);
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

/* Appends a value as jansson writes it, indented by `depth`, and frees it. Values are written one by one, because a
 * tree of all ranks would take more memory than the ranks. */
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

enum { ELEMENT_DEPTH = 2 }; /* depth of the elements of "ranks" and "links" */

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

static json_t *world_json(const MachWorld *world)
{
    json_t *object = json_object();
    set_number(object, "first_rank", world->first);
    set_number(object, "ranks", world->ranks);
    json_object_set_new(object, "program", json_string(world->command));
    set_number(object, "started_by", world->by);
    set_number(object, "started_ps", world->time_ps);
    return object;
}

/* The worlds that the program started. Runs in which it started none have no such key. */
static void append_world_objects(const Machine *machine, GString *out)
{
    bool first = true;
    if (mach_run_worlds(machine) == 1)
        return;
    g_string_append(out, ",\n \"worlds\": [");
    for (uint32_t i = 1; i < mach_run_worlds(machine); i++) {
        MachWorld world = mach_run_world(machine, i);
        append_element(out, world_json(&world), &first);
    }
    g_string_append(out, "\n ]");
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

/* Returns the counters of the switching model by their keys, times as KEY_ps and amounts as KEY_bytes; NULL if it has
 * none. */
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

static GString *machine_json(const Machine *machine, const char *what_if)
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
    append_world_objects(machine, out);
    append_link_objects(mach_run_network((Machine *)machine), out);
    if (what_if)
        g_string_append_printf(out, ",\n \"what_if\": %s", what_if);
    g_string_append(out, "\n}\n");
    return out;
}

static bool write_json(const MonExportRun *run, const char *path, GError **error)
{
    g_autoptr(GString) lines = machine_json(run->machine, run->what_if);
    return base_write_report(path, lines->str, lines->len, error);
}

static bool begin(const MonExportStart *start, void **own, GError **error)
{
    (void)own, (void)error;
    mach_run_count_locks(start->machine);
    return true;
}

const MonExport mon_export_json = {.begin = begin, .write = write_json};
