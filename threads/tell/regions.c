/* regions.c - what was counted of parallel regions, by line. */
#include "threads/core/call.h"

static void row_clear(void *item)
{
    g_free(((ThreadsRegionStats *)item)->place);
}

static GArray *rows_new(void)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ThreadsRegionStats));
    g_array_set_clear_func(rows, row_clear);
    return rows;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const ThreadsRegion *x = a, *y = b;
    if (x->time_ps != y->time_ps)
        return x->time_ps > y->time_ps ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static GArray *rows_of(const ThreadsProcess *process)
{
    GArray *rows = rows_new();
    g_autoptr(GArray) regions = threads_regions_rows(process);
    g_array_sort(regions, compare);
    for (guint i = 0; i < regions->len; i++) {
        const ThreadsRegion *region = &g_array_index(regions, ThreadsRegion, i);
        GString *place = g_string_new(NULL);
        threads_place_append(process, region->pc, place);
        ThreadsRegionStats row = {.place = g_string_free(place, FALSE),
                                  .executions = region->executions,
                                  .threads = region->threads,
                                  .time_ps = region->time_ps,
                                  .thread_ps = region->thread_ps,
                                  .barrier_ps = region->barrier_ps,
                                  .end_ps = region->end_ps,
                                  .lock_ps = region->lock_ps,
                                  .tasks = region->tasks};
        g_array_append_val(rows, row);
    }
    return rows;
}

GArray *threads_world_regions(const ThreadsWorld *world, uint32_t rank)
{
    const ThreadsEnded *ended = g_hash_table_lookup(world->ended, GUINT_TO_POINTER(rank));
    if (world->processes[rank])
        return rows_of(world->processes[rank]);
    return ended ? g_array_ref(ended->regions) : rows_new();
}
