/* threads.c - what threads of ranks waited for: tables of --stats. Parallel regions are in the order of their time,
 * locks in that of the time that threads waited for them, then by rank. */
#include "monitor/report/columns.h"
#include "monitor/report/report.h"

#include <stdlib.h>

enum { MOST_LOCKS = 8, MOST_REGIONS = 8 };

typedef struct RankLock {
    uint32_t rank, index;
    const ThreadsLockStats *lock;
} RankLock;

static int compare_locks(const void *a, const void *b)
{
    const RankLock *left = a, *right = b;
    if (left->lock->wait_ps != right->lock->wait_ps)
        return left->lock->wait_ps > right->lock->wait_ps ? -1 : 1;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void append_lock(const RankLock *row, GString *out)
{
    const ThreadsLockStats *lock = row->lock;
    g_string_append_printf(out, "%6u  %-26s %10" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT, row->rank, lock->name,
                           lock->taken, lock->contended);
    mon_report_append_time(out, lock->wait_ps, 13);
    mon_report_append_time(out, lock->longest_ps, 13);
    g_string_append_printf(out, "  %s\n", lock->place);
}

static void append_locks(const Machine *machine, uint32_t ranks, GString *out)
{
    g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(RankLock));
    for (uint32_t rank = 0; rank < ranks; rank++) {
        GArray *locks = mach_run_locks(machine, rank);
        g_ptr_array_add(lists, locks);
        for (guint i = 0; i < MIN(locks->len, MOST_LOCKS + 1); i++) {
            RankLock row = {rank, i, &g_array_index(locks, ThreadsLockStats, i)};
            g_array_append_val(rows, row);
        }
    }
    if (!rows->len)
        return;
    qsort(rows->data, rows->len, sizeof(RankLock), compare_locks);
    g_string_append(out,
                    "\n  rank  locks waited for longest          taken  contended       waited      longest  at\n");
    for (guint i = 0; i < MIN(rows->len, MOST_LOCKS); i++)
        append_lock(&g_array_index(rows, RankLock, i), out);
    if (rows->len > MOST_LOCKS)
        g_string_append(out, "  ... and more (--json has all)\n");
}

/* -- parallel regions -------------------------------------------------------------------------- */

typedef struct RankRegion {
    uint32_t rank, index;
    const ThreadsRegionStats *region;
} RankRegion;

static int compare_regions(const void *a, const void *b)
{
    const RankRegion *left = a, *right = b;
    if (left->region->time_ps != right->region->time_ps)
        return left->region->time_ps > right->region->time_ps ? -1 : 1;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void append_region(const RankRegion *row, GString *out)
{
    const ThreadsRegionStats *region = row->region;
    unsigned waited = threads_region_imbalance(region);
    g_string_append_printf(out, "%6u  %10" G_GUINT64_FORMAT " %7u", row->rank, region->executions, region->threads);
    mon_report_append_time(out, region->time_ps, 13);
    mon_report_append_time(out, region->barrier_ps, 13);
    mon_report_append_time(out, region->end_ps, 13);
    g_string_append_printf(out, " %5u.%u %%", waited / 10, waited % 10);
    mon_report_append_time(out, region->lock_ps, 13);
    g_string_append_printf(out, " %9" G_GUINT64_FORMAT "  %s\n", region->tasks, region->place);
}

static void append_regions(const Machine *machine, uint32_t ranks, GString *out)
{
    g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(RankRegion));
    for (uint32_t rank = 0; rank < ranks; rank++) {
        GArray *regions = mach_run_regions(machine, rank);
        g_ptr_array_add(lists, regions);
        for (guint i = 0; i < MIN(regions->len, MOST_REGIONS + 1); i++) {
            RankRegion row = {rank, i, &g_array_index(regions, ThreadsRegionStats, i)};
            g_array_append_val(rows, row);
        }
    }
    if (!rows->len)
        return;
    qsort(rows->data, rows->len, sizeof(RankRegion), compare_regions);
    g_string_append(out, "\n  rank     regions threads         time  at barriers   at the end  waited    for locks     "
                         "tasks  at\n");
    for (guint i = 0; i < MIN(rows->len, MOST_REGIONS); i++)
        append_region(&g_array_index(rows, RankRegion, i), out);
    if (rows->len > MOST_REGIONS)
        g_string_append(out, "  ... and more (--json has all)\n");
}

void mon_report_append_threads(const Machine *machine, uint32_t most, GString *out)
{
    uint32_t shown = MIN(mach_run_ranks(machine), most);
    bool first = true;
    for (uint32_t rank = 0; rank < shown; rank++) {
        const ThreadsStats *counts = mach_run_thread_counts(machine, rank);
        if (!counts)
            continue;
        if (first) {
            g_string_append(out, "\n  rank threads:");
            mon_report_append_columns(out, MACH_STATISTIC_THREADS, NULL, 0);
            g_string_append_c(out, '\n');
            first = false;
        }
        g_string_append_printf(out, "%6u         ", rank);
        mon_report_append_columns(out, MACH_STATISTIC_THREADS, counts, 0);
        g_string_append_c(out, '\n');
    }
    append_regions(machine, shown, out);
    append_locks(machine, shown, out);
}
