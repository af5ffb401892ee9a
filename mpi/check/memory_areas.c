/* memory_areas.c - computes the memory that buffers cover, and whether buffers meet (see memory_areas.h). */
#include "mpi/check/memory_areas.h"
#include "mpi/type/type.h"

#include <string.h>

/* MOST_STEPS limits the steps of a comparison. LOOK_BACK limits how many segments may lie in another one that begins
 * before them. */
enum { MOST_STEPS = 1 << 22, LOOK_BACK = 16 };

/* -- areas ------------------------------------------------------------------------------------- */

static int compare_segments(const void *a, const void *b)
{
    int64_t x = ((const MpiSegment *)a)->offset, y = ((const MpiSegment *)b)->offset;
    return x < y ? -1 : x > y;
}

static int compare_strides(const void *a, const void *b)
{
    int64_t x = ((const MpiLoop *)a)->stride, y = ((const MpiLoop *)b)->stride;
    return x > y ? -1 : x < y;
}

static void set_segments(MpiArea *area, const MpiLayout *layout)
{
    area->segments = layout->segments;
    area->n_segments = layout->n_segments;
    bool ordered = true;
    for (uint32_t i = 1; i < layout->n_segments && ordered; i++)
        ordered = layout->segments[i - 1].offset <= layout->segments[i].offset;
    if (ordered)
        return;
    area->segments = area->sorted = g_memdup2(layout->segments, layout->n_segments * sizeof(MpiSegment));
    qsort(area->sorted, area->n_segments, sizeof(MpiSegment), compare_segments);
}

/* A loop with a negative stride is turned into one with a positive stride that starts at the other end. */
static void add_loop(MpiArea *area, MpiLoop loop)
{
    if (loop.count == 1)
        return;
    if (loop.stride < 0) {
        area->base += (loop.count - 1) * (uint64_t)loop.stride;
        loop.stride = -loop.stride;
    }
    area->loops[area->n_loops++] = loop;
}

/* Computes where the data of each level begin and end, from the innermost level outwards. */
static void set_reach(MpiArea *area)
{
    uint32_t n = area->n_loops;
    area->reach = g_new(int64_t, 2 * (n + 1));
    int64_t low = area->segments[0].offset, high = low;
    for (uint32_t i = 0; i < area->n_segments; i++)
        high = MAX(high, area->segments[i].offset + (int64_t)area->segments[i].bytes);
    for (uint32_t level = n + 1; level-- > 0;) {
        if (level < n)
            high += (int64_t)(area->loops[level].count - 1) * area->loops[level].stride;
        area->reach[2 * level] = low;
        area->reach[2 * level + 1] = high;
    }
}

void mpi_area_init(MpiArea *area, const MpiType *type, uint64_t count, uint64_t address)
{
    *area = (MpiArea){.low = address, .high = address, .base = address};
    if (!count || !type->size)
        return;
    if (type->contiguous) {
        area->high = address + count * type->size;
        return;
    }
    set_segments(area, type->layout);
    area->loops = g_new(MpiLoop, type->layout->n_loops + 1);
    add_loop(area, (MpiLoop){count, type->extent});
    for (uint32_t i = 0; i < type->layout->n_loops; i++)
        add_loop(area, type->layout->loops[i]);
    if (area->n_loops)
        qsort(area->loops, area->n_loops, sizeof(MpiLoop), compare_strides);
    set_reach(area);
    area->low = area->base + (uint64_t)area->reach[0];
    area->high = area->base + (uint64_t)area->reach[1];
}

void mpi_area_clear(MpiArea *area)
{
    g_free(area->sorted);
    g_free(area->loops);
    g_free(area->reach);
    *area = (MpiArea){0};
}

/* -- a few bytes ------------------------------------------------------------------------------- */

/* A question about the bytes [low, high), given as offsets from the area's base. */
typedef struct Question {
    const MpiArea *area;
    int64_t low, high;
    uint32_t *steps; /* number of steps left */
} Question;

static bool segment_touches(const Question *q, int64_t at)
{
    const MpiArea *area = q->area;
    uint32_t first = 0, end = area->n_segments; /* first becomes the first one at or after high */
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (area->segments[middle].offset + at < q->high)
            first = middle + 1;
        else
            end = middle;
    }
    uint32_t least = first > LOOK_BACK ? first - LOOK_BACK : 0;
    for (uint32_t i = first; i-- > least;)
        if (area->segments[i].offset + at + (int64_t)area->segments[i].bytes > q->low)
            return true;
    return false;
}

/* Computes the iterations of a loop at `at` whose data reach into [low, high): *first to *last, none if *last is
 * less. */
static void turns_between(const MpiArea *area, uint32_t level, int64_t at, int64_t low, int64_t high, int64_t *first,
                          int64_t *last)
{
    const MpiLoop *loop = &area->loops[level];
    int64_t begin = at + area->reach[2 * level + 2], end = at + area->reach[2 * level + 3];
    *first = 0;
    *last = (int64_t)loop->count - 1;
    if (loop->stride == 0) {
        *last = begin < high && end > low ? 0 : -1;
        return;
    }
    if (end <= low)
        *first = (low - end) / loop->stride + 1;
    if (begin >= high)
        *last = -1;
    else
        *last = MIN(*last, (high - begin - 1) / loop->stride);
}

static bool level_touches(const Question *q, uint32_t level, int64_t at)
{
    if (level == q->area->n_loops)
        return segment_touches(q, at);
    int64_t first, last;
    turns_between(q->area, level, at, q->low, q->high, &first, &last);
    for (int64_t i = first; i <= last && *q->steps; i++) {
        --*q->steps;
        if (level_touches(q, level + 1, at + i * q->area->loops[level].stride))
            return true;
    }
    return false;
}

static bool touches(const MpiArea *area, uint64_t low, uint64_t high, uint32_t *steps)
{
    if (area->low == area->high || low >= area->high || high <= area->low)
        return false;
    if (!area->segments)
        return true;
    Question q = {area, (int64_t)(low - area->base), (int64_t)(high - area->base), steps};
    return level_touches(&q, 0, 0);
}

bool mpi_area_touches(const MpiArea *area, uint64_t low, uint64_t high)
{
    uint32_t steps = MOST_STEPS;
    return touches(area, low, high, &steps);
}

/* -- two areas --------------------------------------------------------------------------------- */

/* Whether segments of `a` from a level on, shifted by `at`, meet `b`. */
static bool level_meets(const MpiArea *a, uint32_t level, int64_t at, const MpiArea *b, uint32_t *steps)
{
    int64_t low = (int64_t)(b->low - a->base), high = (int64_t)(b->high - a->base);
    if (level == a->n_loops) {
        for (uint32_t i = 0; i < a->n_segments && *steps; i++) {
            uint64_t from = a->base + (uint64_t)(at + a->segments[i].offset);
            --*steps;
            if (touches(b, from, from + a->segments[i].bytes, steps))
                return true;
        }
        return false;
    }
    int64_t first, last;
    turns_between(a, level, at, low, high, &first, &last);
    for (int64_t i = first; i <= last && *steps; i++)
        if (level_meets(a, level + 1, at + i * a->loops[level].stride, b, steps))
            return true;
    return false;
}

bool mpi_areas_meet(const MpiArea *a, const MpiArea *b)
{
    uint32_t steps = MOST_STEPS;
    if (a->low == a->high || b->low == b->high || a->low >= b->high || b->low >= a->high)
        return false;
    if (!a->segments)
        return touches(b, a->low, a->high, &steps);
    if (!b->segments)
        return touches(a, b->low, b->high, &steps);
    return level_meets(a, 0, 0, b, &steps);
}

static bool segments_overlap(const MpiArea *area)
{
    int64_t end = INT64_MIN;
    for (uint32_t i = 0; i < area->n_segments; i++) {
        if (area->segments[i].bytes && area->segments[i].offset < end)
            return true;
        end = MAX(end, area->segments[i].offset + (int64_t)area->segments[i].bytes);
    }
    return false;
}

/* Returns the area of the loops from `level` on, moved up by `shift` bytes. */
static MpiArea inner_area(const MpiArea *area, uint32_t level, uint64_t shift)
{
    MpiArea inner = *area;
    inner.base += shift;
    inner.loops += level;
    inner.reach += 2 * level;
    inner.n_loops -= level;
    inner.low = inner.base + (uint64_t)inner.reach[0];
    inner.high = inner.base + (uint64_t)inner.reach[1];
    return inner;
}

/* Whether iterations of a loop overlap, given that those of the loops inside it do not. */
static bool turns_overlap(const MpiArea *area, uint32_t level)
{
    const MpiLoop *loop = &area->loops[level];
    int64_t span = area->reach[2 * level + 3] - area->reach[2 * level + 2];
    MpiArea one = inner_area(area, level + 1, 0);
    if (loop->stride == 0)
        return true;
    for (int64_t i = 1; i < (int64_t)loop->count && i * loop->stride < span && i < MOST_STEPS; i++) {
        MpiArea other = inner_area(area, level + 1, (uint64_t)(i * loop->stride));
        if (mpi_areas_meet(&one, &other))
            return true;
    }
    return false;
}

bool mpi_area_overlaps_itself(const MpiArea *area)
{
    if (!area->segments)
        return false;
    bool overlaps = segments_overlap(area);
    for (uint32_t level = area->n_loops; level-- > 0 && !overlaps;)
        overlaps = turns_overlap(area, level);
    return overlaps;
}

/* -- sets -------------------------------------------------------------------------------------- */

void mpi_area_set_init(MpiAreaSet *set)
{
    set->items = g_ptr_array_new();
    set->reach = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void mpi_area_set_clear(MpiAreaSet *set)
{
    g_ptr_array_unref(set->items);
    g_array_unref(set->reach);
}

static void renew_reach(MpiAreaSet *set, guint from)
{
    uint64_t reach = from ? g_array_index(set->reach, uint64_t, from - 1) : 0;
    g_array_set_size(set->reach, set->items->len);
    for (guint i = from; i < set->items->len; i++) {
        reach = MAX(reach, ((const MpiArea *)g_ptr_array_index(set->items, i))->high);
        g_array_index(set->reach, uint64_t, i) = reach;
    }
}

/* Returns the number of items that begin below an address. */
static guint count_below(const MpiAreaSet *set, uint64_t address)
{
    guint first = 0, end = set->items->len;
    while (first < end) {
        guint middle = first + (end - first) / 2;
        if (((const MpiArea *)g_ptr_array_index(set->items, middle))->low < address)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

void mpi_area_set_add(MpiAreaSet *set, MpiArea *item)
{
    guint at = count_below(set, item->low + 1);
    g_ptr_array_insert(set->items, (gint)at, item);
    renew_reach(set, at);
}

void mpi_area_set_remove(MpiAreaSet *set, bool (*leaves)(MpiArea *item, void *context), void *context)
{
    guint kept = 0, first = set->items->len;
    for (guint i = 0; i < set->items->len; i++) {
        MpiArea *item = g_ptr_array_index(set->items, i);
        if (leaves(item, context))
            first = MIN(first, kept);
        else
            set->items->pdata[kept++] = item;
    }
    g_ptr_array_set_size(set->items, (gint)kept);
    renew_reach(set, MIN(first, kept));
}

MpiArea *mpi_area_set_next(const MpiAreaSet *set, uint64_t low, uint64_t high, guint *at)
{
    guint i = *at == UINT_MAX ? count_below(set, high) : *at;
    while (i-- > 0 && g_array_index(set->reach, uint64_t, i) > low) {
        MpiArea *item = g_ptr_array_index(set->items, i);
        if (item->high > low && item->low < high) {
            *at = i;
            return item;
        }
    }
    *at = 0;
    return NULL;
}
