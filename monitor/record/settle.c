/* settle.c - what a rank does as a whole whose threads do several things at once.
 *
 * The ends of its intervals divide the time into spans, in each of which the same threads do the same. The least
 * MpiActivity that is open in a span is what the rank does there: computing before overhead before blocked. */
#include "monitor/monitor.h"

enum { ACTIVITIES = MPI_ACTIVITY_BLOCKED + 1 };

typedef struct End { /* an interval begins or ends */
    uint64_t time_ps;
    guint interval;
    bool begins;
} End;

/* Equal times: in the order of the intervals, which is that of events. */
static gint compare_ends(gconstpointer a, gconstpointer b)
{
    const End *x = a, *y = b;
    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? -1 : 1;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return x->begins < y->begins ? 1 : -(x->begins > y->begins);
}

static const MonInterval *interval_at(const MonRecording *recording, guint i)
{
    return &g_array_index(recording->intervals, MonInterval, i);
}

/* Returns, by rank, whether intervals overlap. */
static bool *find_overlaps(const MonRecording *recording, bool *any)
{
    bool *overlaps = g_new0(bool, recording->ranks + 1);
    g_autofree uint64_t *until = g_new0(uint64_t, recording->ranks + 1);
    *any = false;
    for (guint i = 0; i < recording->intervals->len; i++) {
        const MonInterval *interval = interval_at(recording, i);
        *any = *any || interval->from_ps < until[interval->rank];
        overlaps[interval->rank] = overlaps[interval->rank] || interval->from_ps < until[interval->rank];
        until[interval->rank] = MAX(until[interval->rank], interval->to_ps);
    }
    return overlaps;
}

static void append(GArray *intervals, MonInterval span)
{
    MonInterval *last = intervals->len ? &g_array_index(intervals, MonInterval, intervals->len - 1) : NULL;
    if (last && last->rank == span.rank && last->activity == span.activity && last->to_ps == span.from_ps &&
        g_strcmp0(last->call, span.call) == 0)
        last->to_ps = span.to_ps;
    else
        g_array_append_val(intervals, span);
}

/* Appends the spans between the ends, which are sorted. */
static void append_spans(const MonRecording *recording, const GArray *ends, GArray *intervals)
{
    unsigned open[ACTIVITIES] = {0};
    const char *call[ACTIVITIES] = {NULL}; /* of the interval that began last, as long as it lasts */
    guint last[ACTIVITIES] = {0};
    for (guint i = 0; i < ends->len; i++) {
        const End *end = &g_array_index(ends, End, i);
        const MonInterval *interval = interval_at(recording, end->interval);
        open[interval->activity] += end->begins ? 1U : -1U;
        if (end->begins || last[interval->activity] == end->interval)
            call[interval->activity] = end->begins ? interval->call : NULL;
        if (end->begins)
            last[interval->activity] = end->interval;
        uint64_t next_ps = i + 1 < ends->len ? g_array_index(ends, End, i + 1).time_ps : end->time_ps;
        unsigned activity = 0;
        while (activity < ACTIVITIES && !open[activity])
            activity++;
        if (activity < ACTIVITIES && next_ps > end->time_ps)
            append(intervals, (MonInterval){.from_ps = end->time_ps,
                                            .to_ps = next_ps,
                                            .rank = interval->rank,
                                            .activity = (MpiActivity)activity,
                                            .call = call[activity]});
    }
}

void mon_recording_settle(MonRecording *recording)
{
    bool any;
    g_autofree bool *overlaps = find_overlaps(recording, &any);
    if (!any)
        return;
    GArray *settled = g_array_new(FALSE, FALSE, sizeof(MonInterval));
    g_autoptr(GPtrArray) ends = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (uint32_t rank = 0; rank < recording->ranks; rank++)
        g_ptr_array_add(ends, g_array_new(FALSE, FALSE, sizeof(End)));
    for (guint i = 0; i < recording->intervals->len; i++) {
        const MonInterval *interval = interval_at(recording, i);
        End both[] = {{interval->from_ps, i, true}, {interval->to_ps, i, false}};
        if (overlaps[interval->rank])
            g_array_append_vals(g_ptr_array_index(ends, interval->rank), both, 2);
        else
            g_array_append_val(settled, *interval);
    }
    for (uint32_t rank = 0; rank < recording->ranks; rank++) {
        GArray *own = g_ptr_array_index(ends, rank);
        g_array_sort(own, compare_ends);
        append_spans(recording, own, settled);
    }
    g_array_unref(recording->intervals);
    recording->intervals = settled;
}
