/* statistics.c - where the time went: the table of --stats. export/statistics_json.c writes the same as JSON.
 *
 * The columns of ranks are the rows of machine/statistics.def. Everything is derived from mach_run_rank_report() and
 * the network's links. Ranks are in order of their numbers, links busiest first, then by number. So the text is the
 * same for every run of the same program.
 */
#include "base/units.h"
#include "monitor/monitor.h"
#include "monitor/report/columns.h"
#include "monitor/report/report.h"

#include <stdlib.h>

enum { MOST_RANKS = 64, BUSIEST_LINKS = 8, MOST_WORLDS = 16 };

/* -- the table --------------------------------------------------------------------------------- */

/* Ranks of which the program started some during the run. */
static void append_worlds(const Machine *machine, GString *out)
{
    uint32_t worlds = mach_run_worlds(machine);
    for (uint32_t i = 1; i < MIN(worlds, MOST_WORLDS + 1); i++) {
        MachWorld world = mach_run_world(machine, i);
        g_autofree char *time = base_units_format_time(world.time_ps);
        g_string_append_printf(out, i == 1 ? "worlds    " : "          ");
        if (world.ranks == 1)
            g_string_append_printf(out, "%u: rank %u, ", i, world.first);
        else
            g_string_append_printf(out, "%u: ranks %u-%u, ", i, world.first, world.first + world.ranks - 1);
        g_string_append_printf(out, "%s, started by rank %u at %s\n", world.command, world.by, time);
    }
    if (worlds > MOST_WORLDS + 1)
        g_string_append_printf(out, "          and %u more\n", worlds - MOST_WORLDS - 1);
}

static void append_accesses(GString *out, const char *name, uint64_t accesses, uint64_t bytes)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " %s of %" G_GUINT64_FORMAT " bytes, ", accesses, name, bytes);
}

static void append_windows(const MachRankReport *totals, GString *out)
{
    if (!totals->puts && !totals->gets && !totals->accumulates && !totals->window_ps)
        return;
    g_autofree char *waited = base_units_format_time(totals->window_ps);
    g_string_append(out, "windows   ");
    append_accesses(out, "puts", totals->puts, totals->bytes_put);
    append_accesses(out, "gets", totals->gets, totals->bytes_got);
    append_accesses(out, "accumulates", totals->accumulates, totals->bytes_accumulated);
    g_string_append_printf(out, "%s of waiting\n", waited);
}

/* What protocols other than the usual one have counted, if there is anything. */
static void append_protocols(const MachRankReport *totals, GString *out)
{
    g_autofree char *held = base_units_format_time(totals->held_ps);
    if (totals->controls_sent)
        g_string_append_printf(out, "control   %" G_GUINT64_FORMAT " messages of protocols\n", totals->controls_sent);
    if (totals->sends_held)
        g_string_append_printf(out, "held      %" G_GUINT64_FORMAT " send%s, which waited %s for room in buffers\n",
                               totals->sends_held, totals->sends_held == 1 ? "" : "s", held);
    if (totals->registrations)
        g_string_append_printf(out, "memory    %" G_GUINT64_FORMAT " regions registered for remote writes\n",
                               totals->registrations);
}

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
    append_windows(totals, out);
    append_protocols(totals, out);
    append_worlds(machine, out);
}

void mon_report_append_columns(GString *out, MachStatisticGroup group, const void *counts, unsigned share)
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
    mon_report_append_columns(out, MACH_STATISTIC_RANK, &report, 0);
    const char *type = mach_config_node_type(mach_run_config(machine), report.node);
    g_string_append_printf(out, type ? "  %s\n" : "\n", type);
}

static void append_ranks(const Machine *machine, GString *out)
{
    uint32_t ranks = mach_run_ranks(machine), shown = MIN(ranks, MOST_RANKS);
    g_string_append(out, "\n  rank  node");
    mon_report_append_columns(out, MACH_STATISTIC_RANK, NULL, 0);
    g_string_append_c(out, '\n');
    for (uint32_t rank = 0; rank < shown; rank++)
        append_rank(machine, rank, out);
    if (shown < ranks)
        g_string_append_printf(out, "  ... and %u more ranks (--json has all)\n", ranks - shown);
}

/* Who had whose core, if ranks, threads and communication threads had to share any. */
static void append_cores(const Machine *machine, const MachRankReport *totals, GString *out)
{
    uint32_t ranks = mach_run_ranks(machine), shown = MIN(ranks, MOST_RANKS);
    if (!totals->ready_ps && !totals->switches && !totals->taken_ps)
        return;
    g_string_append(out, "\n  rank  node  by others  switches  by communication threads\n");
    for (uint32_t rank = 0; rank < shown; rank++) {
        MachRankReport report;
        mach_run_rank_report(machine, rank, &report);
        g_string_append_printf(out, "%6u %5u", rank, report.node);
        mon_report_append_time(out, report.ready_ps, 11);
        g_string_append_printf(out, "%10" G_GUINT64_FORMAT, report.switches);
        mon_report_append_time(out, report.taken_ps, 26);
        g_string_append_c(out, '\n');
    }
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
                mon_report_append_columns(out, MACH_STATISTIC_CACHE, NULL, 0);
                g_string_append(out, "  (lines)\n");
                first = false;
            }
            g_string_append_printf(out, "%6u    L%u", rank, level);
            mon_report_append_columns(out, MACH_STATISTIC_CACHE, counts,
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
            mon_report_append_columns(out, MACH_STATISTIC_PREDICTOR, NULL, 0);
            g_string_append_c(out, '\n');
            first = false;
        }
        g_string_append_printf(out, "%6u", rank);
        mon_report_append_columns(out, MACH_STATISTIC_PREDICTOR, counts,
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

/* Returns the links that carried anything, busiest first: an array of BusyLink. */
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

/* Appends what the switching model has counted in addition. */
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

/* Appends the background traffic, which runs beside the ranks. */
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

/* Appends the text of the first deadlock, if deadlocks in the network were resolved. */
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
    append_cores(machine, &totals, out);
    append_caches(machine, out);
    append_predictions(machine, out);
    mon_report_append_threads(machine, MOST_RANKS, out);
    append_links(machine, totals.finish_ps, out);
    append_counters(machine, out);
    append_background(machine, out);
    append_deadlock(machine, out);
}
