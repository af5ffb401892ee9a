/* sets.c - sets of ranks: disjoint runs in ascending order, none next to another. */
#include "monitor/look.h"

typedef struct Run {
    uint32_t first, last;
} Run;

struct MonRankSet {
    GArray *runs; /* Run */
    uint32_t count;
};

static const Run *run_at(const MonRankSet *set, guint i)
{
    return &g_array_index(set->runs, Run, i);
}

MonRankSet *mon_ranks_new(void)
{
    MonRankSet *set = g_new0(MonRankSet, 1);
    set->runs = g_array_new(FALSE, FALSE, sizeof(Run));
    return set;
}

MonRankSet *mon_ranks_copy(const MonRankSet *set)
{
    MonRankSet *copy = mon_ranks_new();
    g_array_append_vals(copy->runs, set->runs->data, set->runs->len);
    copy->count = set->count;
    return copy;
}

void mon_ranks_free(MonRankSet *set)
{
    if (!set)
        return;
    g_array_unref(set->runs);
    g_free(set);
}

/* Appends a run that does not begin before the last one. */
static void append(MonRankSet *set, uint32_t first, uint32_t last)
{
    Run *end = set->runs->len ? &g_array_index(set->runs, Run, set->runs->len - 1) : NULL;
    if (end && first <= (uint64_t)end->last + 1) {
        if (last > end->last) {
            set->count += last - end->last;
            end->last = last;
        }
        return;
    }
    Run run = {first, last};
    g_array_append_val(set->runs, run);
    set->count += last - first + 1;
}

static void take_over(MonRankSet *set, MonRankSet *from)
{
    g_array_unref(set->runs);
    *set = *from;
    g_free(from);
}

void mon_ranks_add(MonRankSet *set, uint32_t first, uint32_t last)
{
    if (first > last)
        return;
    if (set->runs->len == 0 || first >= run_at(set, set->runs->len - 1)->first) {
        append(set, first, last);
        return;
    }
    g_autoptr(MonRankSet) more = mon_ranks_new();
    append(more, first, last);
    take_over(set, mon_ranks_union(set, more));
}

/* Index of the first run that does not end before `rank`. */
static guint find(const MonRankSet *set, uint32_t rank)
{
    guint low = 0, high = set->runs->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (run_at(set, middle)->last < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mon_ranks_has(const MonRankSet *set, uint32_t rank)
{
    guint i = find(set, rank);
    return i < set->runs->len && run_at(set, i)->first <= rank;
}

uint32_t mon_ranks_count(const MonRankSet *set)
{
    return set->count;
}

uint32_t mon_ranks_next(const MonRankSet *set, uint32_t from)
{
    guint i = find(set, from);
    return i < set->runs->len ? MAX(run_at(set, i)->first, from) : UINT32_MAX;
}

MonRankSet *mon_ranks_union(const MonRankSet *a, const MonRankSet *b)
{
    MonRankSet *result = mon_ranks_new();
    for (guint i = 0, k = 0; i < a->runs->len || k < b->runs->len;) {
        bool from_a = k == b->runs->len || (i < a->runs->len && run_at(a, i)->first <= run_at(b, k)->first);
        const Run *run = from_a ? run_at(a, i++) : run_at(b, k++);
        append(result, run->first, run->last);
    }
    return result;
}

MonRankSet *mon_ranks_intersection(const MonRankSet *a, const MonRankSet *b)
{
    MonRankSet *result = mon_ranks_new();
    for (guint i = 0, k = 0; i < a->runs->len && k < b->runs->len;) {
        uint32_t first = MAX(run_at(a, i)->first, run_at(b, k)->first);
        uint32_t last = MIN(run_at(a, i)->last, run_at(b, k)->last);
        if (first <= last)
            append(result, first, last);
        if (run_at(a, i)->last < run_at(b, k)->last)
            i++;
        else
            k++;
    }
    return result;
}

MonRankSet *mon_ranks_minus(const MonRankSet *a, const MonRankSet *b)
{
    MonRankSet *result = mon_ranks_new();
    guint k = 0;
    for (guint i = 0; i < a->runs->len; i++) {
        uint64_t from = run_at(a, i)->first, last = run_at(a, i)->last;
        while (k < b->runs->len && run_at(b, k)->last < from)
            k++;
        for (guint m = k; m < b->runs->len && run_at(b, m)->first <= last && from <= last; m++) {
            if (run_at(b, m)->first > from)
                append(result, (uint32_t)from, run_at(b, m)->first - 1);
            from = (uint64_t)run_at(b, m)->last + 1;
        }
        if (from <= last)
            append(result, (uint32_t)from, (uint32_t)last);
    }
    return result;
}

void mon_ranks_append(const MonRankSet *set, GString *out)
{
    if (set->runs->len == 0)
        g_string_append(out, "none");
    for (guint i = 0; i < set->runs->len; i++) {
        const Run *run = run_at(set, i);
        g_string_append_printf(out, "%s%u", i ? "," : "", run->first);
        if (run->last > run->first)
            g_string_append_printf(out, "%c%u", run->last == run->first + 1 ? ',' : '-', run->last);
    }
}
