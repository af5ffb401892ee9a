/* views.c - the bytes of a file that a view shows (MPI-4.1 section 14.3).
 *
 * A view is never written out: a file type of a million pieces, or a file of 10 GB, takes no more memory than the
 * type's layout. A walk finds its place by division, and then goes from segment to segment:
 *
 *      tile 0            tile 1            tile 2
 *      [..##..##..##....][..##..##..##....][..##     a run ends where the next segment does not follow at once
 */
#include "mpi/file/access.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- making ------------------------------------------------------------------------------------ */

/* The pieces of a type from the inside out: where the first begins, where the last begins, where the last ends. */
typedef struct Reach {
    int64_t first, last, end;
    bool descends, overlaps;
} Reach;

static Reach reach_of(const MpiView *view)
{
    Reach reach = {0};
    for (uint32_t i = 0; i < view->n_segments; i++) {
        const MpiSegment *segment = &view->segments[i];
        if (i && segment->offset < reach.last)
            reach.descends = true;
        if (i && segment->offset < reach.end)
            reach.overlaps = true;
        reach.first = i ? reach.first : segment->offset;
        reach.last = segment->offset;
        reach.end =
            i ? MAX(reach.end, segment->offset + (int64_t)segment->bytes) : segment->offset + (int64_t)segment->bytes;
    }
    for (uint32_t i = view->n_loops; i-- > 0 && view->n_segments;) {
        const MpiLoop *loop = &view->loops[i];
        if (loop->count < 2)
            continue;
        int64_t far = (int64_t)(loop->count - 1) * loop->stride;
        reach.descends |= reach.first + loop->stride < reach.last;
        reach.overlaps |= reach.first + loop->stride < reach.end;
        reach.last += far;
        reach.end += far;
    }
    return reach;
}

static void take_layout(MpiView *view, const MpiLayout *layout)
{
    view->segments = g_new(MpiSegment, layout->n_segments + 1);
    view->before = g_new(uint64_t, layout->n_segments + 1);
    for (uint32_t i = 0; i < layout->n_segments; i++) {
        const MpiSegment *segment = &layout->segments[i];
        MpiSegment *last = view->n_segments ? &view->segments[view->n_segments - 1] : NULL;
        view->turn_bytes += segment->bytes;
        if (last && last->offset + (int64_t)last->bytes == segment->offset) {
            last->bytes += segment->bytes;
        } else if (segment->bytes) {
            view->before[view->n_segments] = view->turn_bytes - segment->bytes;
            view->segments[view->n_segments++] = *segment;
        }
    }
    view->n_loops = layout->n_loops;
    view->loops = g_memdup2(layout->loops, layout->n_loops * sizeof *layout->loops);
    while (view->n_segments == 1 && view->n_loops &&
           view->loops[view->n_loops - 1].stride == (int64_t)view->turn_bytes) {
        view->turn_bytes *= view->loops[--view->n_loops].count;
        view->segments[0].bytes = view->turn_bytes;
    }
}

static const char *find_fault(MpiView *view)
{
    Reach reach = reach_of(view);
    if (!view->tile_bytes)
        return NULL;
    if (reach.first < 0)
        return "it begins before its origin; displacements in a file type are not negative";
    if (reach.descends)
        return "its displacements do not ascend, as those of a file type must";
    if (view->tile_extent <= 0)
        return "its extent is not positive, so that it cannot be repeated";
    view->overlapping = reach.overlaps; /* file types that reach into each other when repeated are allowed */
    view->dense = view->n_segments == 1 && !view->n_loops && view->tile_extent == (int64_t)view->tile_bytes;
    if (view->dense)
        view->displacement += (uint64_t)reach.first;
    return NULL;
}

MpiView *mpi_view_new(uint64_t displacement, MpiType *etype, MpiType *filetype, const MpiType *tile,
                      const MpiRepresentation *representation, const MpiFileSizes *sizes, const char **wrong)
{
    MpiView *view = g_new0(MpiView, 1);
    view->refs = 1;
    view->given = view->displacement = displacement;
    view->etype = mpi_type_ref(etype);
    view->filetype = mpi_type_ref(filetype);
    view->representation = representation;
    view->sizes = *sizes;
    view->etype_bytes = mpi_representation_bytes(sizes, etype);
    view->tile_bytes = tile->size;
    view->tile_extent = tile->extent;
    if (tile->layout && tile->size)
        take_layout(view, tile->layout);
    *wrong = view->etype_bytes ? find_fault(view) : "an etype has no bytes";
    if (!*wrong)
        return view;
    mpi_view_unref(view);
    return NULL;
}

MpiView *mpi_view_of_bytes(void)
{
    static const MpiRepresentation native = {MPI_REP_NATIVE, "native", 0, 0, 0, 0};
    MpiType *byte = mpi_type_predefined(MPI_PRIM_BYTE);
    MpiFileSizes sizes = mpi_representation_sizes(&native);
    const char *wrong;
    return mpi_view_new(0, byte, byte, byte, &native, &sizes, &wrong);
}

MpiView *mpi_view_ref(MpiView *view)
{
    view->refs++;
    return view;
}

void mpi_view_unref(MpiView *view)
{
    if (!view || --view->refs)
        return;
    mpi_type_unref(view->etype);
    mpi_type_unref(view->filetype);
    g_free(view->segments);
    g_free(view->before);
    g_free(view->loops);
    g_free(view);
}

/* -- walking ----------------------------------------------------------------------------------- */

/* Returns the segment that byte `at` of a turn lies in. */
static uint32_t segment_at(const MpiView *view, uint64_t at)
{
    uint32_t low = 0, high = view->n_segments;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (view->before[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void mpi_view_walk(MpiWalk *walk, const MpiView *view, uint64_t position, uint64_t bytes)
{
    walk->view = view;
    walk->left = view->tile_bytes ? bytes : 0;
    walk->offset = view->displacement + position;
    if (view->dense || !walk->left)
        return;
    walk->tile = position / view->tile_bytes;
    uint64_t rest = position % view->tile_bytes, turn = rest / view->turn_bytes;
    rest %= view->turn_bytes;
    walk->base = 0;
    for (uint32_t i = view->n_loops; i-- > 0; turn /= view->loops[i].count) {
        walk->index[i] = turn % view->loops[i].count;
        walk->base += (int64_t)walk->index[i] * view->loops[i].stride;
    }
    walk->segment = segment_at(view, rest);
    walk->within = rest - view->before[walk->segment];
}

static uint64_t place(const MpiWalk *walk)
{
    const MpiView *view = walk->view;
    return view->displacement + walk->tile * (uint64_t)view->tile_extent + (uint64_t)walk->base +
           (uint64_t)view->segments[walk->segment].offset + walk->within;
}

static void next_turn(MpiWalk *walk)
{
    const MpiView *view = walk->view;
    for (uint32_t i = view->n_loops; i-- > 0;) {
        const MpiLoop *loop = &view->loops[i];
        walk->base += loop->stride;
        if (++walk->index[i] < loop->count)
            return;
        walk->base -= (int64_t)loop->count * loop->stride;
        walk->index[i] = 0;
    }
    walk->tile++;
}

/* Takes what is left of the segment, as far as it is wanted. */
static uint64_t take(MpiWalk *walk)
{
    const MpiView *view = walk->view;
    uint64_t rest = view->segments[walk->segment].bytes - walk->within, bytes = MIN(rest, walk->left);
    walk->left -= bytes;
    walk->within += bytes;
    if (bytes < rest)
        return bytes;
    walk->within = 0;
    if (++walk->segment == view->n_segments) {
        walk->segment = 0;
        next_turn(walk);
    }
    return bytes;
}

bool mpi_view_next(MpiWalk *walk, uint64_t *offset, uint64_t *bytes)
{
    if (!walk->left)
        return false;
    if (walk->view->dense) {
        *offset = walk->offset;
        *bytes = walk->left;
        walk->left = 0;
        return true;
    }
    *offset = place(walk);
    *bytes = take(walk);
    while (walk->left && place(walk) == *offset + *bytes)
        *bytes += take(walk);
    return true;
}

/* -- positions --------------------------------------------------------------------------------- */

uint64_t mpi_view_offset(const MpiView *view, uint64_t position)
{
    const unsigned __int128 most = INT64_MAX;
    if (view->dense)
        return (unsigned __int128)view->displacement + position <= most ? view->displacement + position : UINT64_MAX;
    if (!view->tile_bytes)
        return view->displacement;
    unsigned __int128 tile = (unsigned __int128)(position / view->tile_bytes) * (uint64_t)view->tile_extent;
    if (tile + view->displacement + ((uint64_t)1 << 61) > most)
        return UINT64_MAX;
    MpiWalk walk;
    mpi_view_walk(&walk, view, position, 1);
    return place(&walk);
}

uint64_t mpi_view_bytes_before(const MpiView *view, uint64_t end)
{
    if (end <= view->displacement || !view->tile_bytes)
        return 0;
    uint64_t far = end - view->displacement;
    if (view->dense)
        return far;
    /* Tiles may reach into those behind them, so begin early enough. */
    const MpiSegment *last = &view->segments[view->n_segments - 1];
    uint64_t reach = (uint64_t)last->offset + last->bytes;
    for (uint32_t i = 0; i < view->n_loops; i++)
        reach += (view->loops[i].count - 1) * (uint64_t)view->loops[i].stride;
    uint64_t extent = (uint64_t)view->tile_extent, tiles = far > reach ? (far - reach) / extent : 0;
    uint64_t position = tiles * view->tile_bytes, offset, bytes;
    MpiWalk walk;
    mpi_view_walk(&walk, view, position, (reach / extent + 2) * view->tile_bytes);
    while (mpi_view_next(&walk, &offset, &bytes) && offset < end) {
        position += MIN(bytes, end - offset);
        if (offset + bytes >= end)
            break;
    }
    return position;
}
