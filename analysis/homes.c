/* homes.c - which location of a rank gets its messages. */
#include "analysis/homes.h"

uint32_t *analysis_homes(const TraceReader *reader, uint32_t n)
{
    uint32_t *homes = g_new(uint32_t, MAX(1, n));
    g_autoptr(GHashTable) of_rank = g_hash_table_new(NULL, NULL); /* rank -> 1 + location of thread 0 */
    for (uint32_t at = 0; at < n; at++) {
        TraceLocation location = trace_reader_location(reader, at);
        homes[at] = at;
        if (location.thread == 0 && location.rank != at)
            g_hash_table_insert(of_rank, GUINT_TO_POINTER(location.rank), GUINT_TO_POINTER(at + 1));
    }
    for (uint32_t at = 0; at < n; at++) {
        TraceLocation location = trace_reader_location(reader, at);
        if (location.thread == 0)
            continue;
        guint main = GPOINTER_TO_UINT(g_hash_table_lookup(of_rank, GUINT_TO_POINTER(location.rank)));
        if (main)
            homes[at] = main - 1;
        else if (location.rank < n)
            homes[at] = location.rank;
    }
    return homes;
}
