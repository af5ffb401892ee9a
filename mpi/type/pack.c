/* pack.c - moves typed data between memory and packed bytes.
 *
 * The packed form is the type map's data in order, without gaps, in the representation of memory: all ranks of a
 * program have the same one. A committed type carries a layout, which is its map without primitives: adjacent runs
 * join, and loops over what has become dense disappear.
 *
 *     struct { int; float; double } x 1000 times      blocks: 3, in one loop        layout: 1 segment of 16,000 bytes
 *
 * Copying goes through nested loops. The innermost one is a strided copy per segment; elements of 1, 2, 4, 8 or 16
 * bytes are moved by single instructions. It works on host addresses. Normally the whole span of the items is readable
 * (writable) and one question to the VM is enough. There is a slow way, segment by segment. It is for types that reach
 * across regions (absolute addresses with MPI_BOTTOM) and for last items that a short message fills only in part.
 */
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

#include <string.h>

/* -- layouts ----------------------------------------------------------------------------------- */

MpiLayout *mpi_pack_layout_new(const MpiType *type)
{
    MpiSegment *segments = g_new(MpiSegment, type->n_blocks);
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        const MpiBlock *block = &type->blocks[i];
        uint64_t bytes = block->count * block->bytes;
        if (n && segments[n - 1].offset + (int64_t)segments[n - 1].bytes == block->offset) {
            segments[n - 1].bytes += bytes;
        } else {
            segments[n++] = (MpiSegment){block->offset, bytes};
        }
    }
    uint32_t n_loops = type->n_loops;
    for (; n == 1 && n_loops && type->loops[n_loops - 1].stride == (int64_t)segments[0].bytes; n_loops--) {
        segments[0].bytes *= type->loops[n_loops - 1].count;
    }
    MpiLayout *layout = g_new0(MpiLayout, 1);
    layout->segment_bytes = n ? segments[0].bytes : 0;
    for (uint32_t i = 1; i < n; i++) {
        if (segments[i].bytes != layout->segment_bytes) {
            layout->segment_bytes = 0;
        }
    }
    layout->segments = g_renew(MpiSegment, segments, n);
    layout->n_segments = n;
    layout->loops = g_memdup2(type->loops, n_loops * sizeof *type->loops);
    layout->n_loops = n_loops;
    return layout;
}

void mpi_pack_layout_free(MpiLayout *layout)
{
    if (layout) {
        g_free((MpiSegment *)layout->segments);
        g_free((MpiLoop *)layout->loops);
        g_free(layout);
    }
}

/* -- copying ----------------------------------------------------------------------------------- */

/* `gather` is a constant in all calls, so the compiler makes two functions without tests in their loops. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void move(bool gather, char *memory, char *packed, size_t bytes)
{
    if (gather) {
        memcpy(packed, memory, bytes);
    } else {
        memcpy(memory, packed, bytes);
    }
}

ALWAYS_INLINE void move_strided(bool gather, char *memory, int64_t stride, char *packed, int64_t packed_stride,
                                size_t bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        move(gather, memory + (int64_t)i * stride, packed + (int64_t)i * packed_stride, bytes);
    }
}

ALWAYS_INLINE void move_column(bool gather, char *memory, int64_t stride, char *packed, int64_t packed_stride,
                               size_t bytes, uint64_t count)
{
    switch (bytes) {
    case 1: move_strided(gather, memory, stride, packed, packed_stride, 1, count); break;
    case 2: move_strided(gather, memory, stride, packed, packed_stride, 2, count); break;
    case 4: move_strided(gather, memory, stride, packed, packed_stride, 4, count); break;
    case 8: move_strided(gather, memory, stride, packed, packed_stride, 8, count); break;
    case 16: move_strided(gather, memory, stride, packed, packed_stride, 16, count); break;
    default: move_strided(gather, memory, stride, packed, packed_stride, bytes, count);
    }
}

/* A copy in progress: the layout's loops with the loop over items around them. */
typedef struct Copy {
    const MpiSegment *segments;
    uint32_t n_segments, n_loops;
    uint64_t segment_bytes; /* see MpiLayout */
    uint64_t turn;          /* packed bytes of all segments together */
    MpiLoop loops[65];
} Copy;

static void copy_init(Copy *copy, const MpiType *type, uint64_t count)
{
    const MpiLayout *layout = type->layout;
    g_assert(layout && layout->n_loops < G_N_ELEMENTS(copy->loops));
    copy->segments = layout->segments;
    copy->n_segments = layout->n_segments;
    copy->segment_bytes = layout->segment_bytes;
    copy->turn = 0;
    for (uint32_t i = 0; i < layout->n_segments; i++) {
        copy->turn += layout->segments[i].bytes;
    }
    copy->n_loops = 0;
    if (count != 1) {
        copy->loops[copy->n_loops++] = (MpiLoop){count, type->extent};
    }
    for (uint32_t i = 0; i < layout->n_loops; i++) {
        copy->loops[copy->n_loops++] = layout->loops[i];
    }
}

/* The innermost loop. It copies segment by segment, for as many repetitions as fit into the first-level cache. */
ALWAYS_INLINE char *copy_inner(bool gather, const Copy *copy, MpiLoop loop, char *memory, char *packed)
{
    enum { TURNS = 256 };
    uint64_t step = copy->n_segments == 1 ? loop.count : TURNS;
    for (uint64_t done = 0; done < loop.count; done += step) {
        uint64_t turns = MIN(step, loop.count - done);
        char *column = packed;
        for (uint32_t i = 0; i < copy->n_segments; i++) {
            const MpiSegment *segment = &copy->segments[i];
            move_column(gather, memory + segment->offset, loop.stride, column, (int64_t)copy->turn, segment->bytes,
                        turns);
            column += segment->bytes;
        }
        memory += (int64_t)turns * loop.stride;
        packed += turns * copy->turn;
    }
    return packed;
}

/* Copies single elements that are not adjacent. */
ALWAYS_INLINE char *copy_elements(bool gather, const Copy *copy, char *memory, char *packed, size_t bytes)
{
    for (uint32_t i = 0; i < copy->n_segments; i++) {
        move(gather, memory + copy->segments[i].offset, packed + i * bytes, bytes);
    }
    return packed + copy->n_segments * bytes;
}

ALWAYS_INLINE char *copy_segments(bool gather, const Copy *copy, char *memory, char *packed)
{
    switch (copy->segment_bytes) {
    case 4: return copy_elements(gather, copy, memory, packed, 4);
    case 8: return copy_elements(gather, copy, memory, packed, 8);
    case 16: return copy_elements(gather, copy, memory, packed, 16);
    default: break;
    }
    for (uint32_t i = 0; i < copy->n_segments; i++) {
        const MpiSegment *segment = &copy->segments[i];
        if (segment->bytes == 8) {
            move(gather, memory + segment->offset, packed, 8);
        } else if (segment->bytes == 4) {
            move(gather, memory + segment->offset, packed, 4);
        } else {
            move(gather, memory + segment->offset, packed, segment->bytes);
        }
        packed += segment->bytes;
    }
    return packed;
}

/* In long lists (indexed types) a strided copy per element is not worth while; their repetitions are copied one by
 * one. */
enum { LONG_LIST = 8 };

static char *gather_level(const Copy *copy, uint32_t level, char *memory, char *packed)
{
    if (level == copy->n_loops) {
        return copy_segments(true, copy, memory, packed);
    }
    MpiLoop loop = copy->loops[level];
    if (level + 1 == copy->n_loops && copy->n_segments <= LONG_LIST) {
        return copy_inner(true, copy, loop, memory, packed);
    }
    for (uint64_t i = 0; i < loop.count; i++) {
        packed = gather_level(copy, level + 1, memory + (int64_t)i * loop.stride, packed);
    }
    return packed;
}

static char *scatter_level(const Copy *copy, uint32_t level, char *memory, char *packed)
{
    if (level == copy->n_loops) {
        return copy_segments(false, copy, memory, packed);
    }
    MpiLoop loop = copy->loops[level];
    if (level + 1 == copy->n_loops && copy->n_segments <= LONG_LIST) {
        return copy_inner(false, copy, loop, memory, packed);
    }
    for (uint64_t i = 0; i < loop.count; i++) {
        packed = scatter_level(copy, level + 1, memory + (int64_t)i * loop.stride, packed);
    }
    return packed;
}

/* -- the slow way ------------------------------------------------------------------------------ */

/* Called for each segment in order. `bytes` is limited to the rest of the packed bytes. Returns false to stop. */
typedef bool (*SegmentVisitor)(void *context, int64_t offset, char *packed, uint64_t bytes);

static bool visit_level(const Copy *copy, uint32_t level, int64_t at, char **packed, uint64_t *left,
                        SegmentVisitor visitor, void *context)
{
    if (level < copy->n_loops) {
        bool good = true;
        for (uint64_t i = 0; i < copy->loops[level].count && good && *left; i++) {
            int64_t next = at + (int64_t)i * copy->loops[level].stride;
            good = visit_level(copy, level + 1, next, packed, left, visitor, context);
        }
        return good;
    }
    for (uint32_t i = 0; i < copy->n_segments && *left; i++) {
        uint64_t bytes = MIN(*left, copy->segments[i].bytes);
        if (!visitor(context, at + copy->segments[i].offset, *packed, bytes)) {
            return false;
        }
        *packed += bytes;
        *left -= bytes;
    }
    return true;
}

/* Visits the segments of the first `bytes` packed bytes of `count` items. */
static bool visit(const MpiType *type, uint64_t count, const void *packed, uint64_t bytes, SegmentVisitor visitor,
                  void *context)
{
    Copy copy;
    copy_init(&copy, type, count);
    char *at = (char *)packed;
    return visit_level(&copy, 0, 0, &at, &bytes, visitor, context);
}

static bool visit_scatter_host(void *context, int64_t offset, char *packed, uint64_t bytes)
{
    memcpy((char *)context + offset, packed, bytes);
    return true;
}

/* Rank memory at `address`, which the type's offsets count from. */
typedef struct Place {
    VmRank *process;
    uint64_t address;
} Place;

static bool visit_gather_rank(void *context, int64_t offset, char *packed, uint64_t bytes)
{
    const Place *place = context;
    const void *from = vm_rank_read(place->process, place->address + (uint64_t)offset, bytes);
    if (from) {
        memcpy(packed, from, bytes);
    }
    return from;
}

static bool visit_scatter_rank(void *context, int64_t offset, char *packed, uint64_t bytes)
{
    const Place *place = context;
    void *to = vm_rank_write(place->process, place->address + (uint64_t)offset, bytes);
    if (to) {
        memcpy(to, packed, bytes);
    }
    return to;
}

/* -- packing and unpacking --------------------------------------------------------------------- */

void mpi_type_pack_host(const MpiType *type, uint64_t count, const void *base, void *out)
{
    if (count && type->size) {
        Copy copy;
        copy_init(&copy, type, count);
        gather_level(&copy, 0, (char *)base, out);
    }
}

void mpi_type_unpack_host(const MpiType *type, uint64_t count, void *base, const void *in, uint64_t bytes)
{
    if (!type->size || !bytes) {
        return;
    }
    uint64_t whole = bytes / type->size, rest = bytes % type->size;
    g_assert(whole + (rest > 0) <= count);
    if (whole) {
        Copy copy;
        copy_init(&copy, type, whole);
        scatter_level(&copy, 0, base, (char *)in);
    }
    if (rest) {
        char *last = (char *)base + (int64_t)whole * type->extent;
        visit(type, 1, (const char *)in + whole * type->size, rest, visit_scatter_host, last);
    }
}

/* Items that overlap (an extent or stride of 0) can have far more data than memory. More bytes than this are treated
 * as if they reached outside the process, since no program could hold their packed form. */
#define MAX_OVERLAPPING_BYTES (UINT64_C(1) << 32)

uint64_t mpi_type_span(const MpiType *type, uint64_t count, int64_t *first)
{
    *first = 0;
    if (!count || !type->size) {
        return 0;
    }
    __int128 reach = (__int128)(count - 1) * type->extent;
    __int128 span = (reach < 0 ? -reach : reach) + type->true_extent;
    *first = (int64_t)(type->true_lb + MIN(reach, 0));
    bool unholdable = (unsigned __int128)count * type->size > MAX((unsigned __int128)span, MAX_OVERLAPPING_BYTES);
    return span > INT64_MAX || unholdable ? UINT64_MAX : (uint64_t)span;
}

/* Whether a copy may touch the gaps between the data. It must not if the rank's memory accesses are watched. */
static bool may_access_gaps(const MpiType *type, const VmRank *process)
{
    return type->contiguous || !vm_rank_is_watched(process);
}

bool mpi_type_pack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, void *out)
{
    int64_t first;
    uint64_t span = mpi_type_span(type, count, &first);
    if (!span) {
        return true;
    }
    bool whole = span < UINT64_MAX && may_access_gaps(type, process);
    const char *host = whole ? vm_rank_read(process, address + (uint64_t)first, span) : NULL;
    if (!host) {
        Place place = {process, address};
        return span < UINT64_MAX && visit(type, count, out, count * type->size, visit_gather_rank, &place);
    }
    if (type->contiguous) {
        memcpy(out, host, span);
    } else {
        mpi_type_pack_host(type, count, host - first, out);
    }
    return true;
}

bool mpi_type_unpack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, const void *in,
                     uint64_t bytes)
{
    int64_t first;
    uint64_t items = type->size ? (bytes + type->size - 1) / type->size : 0;
    g_assert(items <= count);
    uint64_t span = type->contiguous ? bytes : mpi_type_span(type, items, &first);
    if (!span) {
        return true;
    }
    first = type->contiguous ? 0 : first;
    bool whole = span < UINT64_MAX && may_access_gaps(type, process);
    char *host = whole ? vm_rank_write(process, address + (uint64_t)first, span) : NULL;
    if (!host) {
        Place place = {process, address};
        return span < UINT64_MAX && visit(type, items, in, bytes, visit_scatter_rank, &place);
    }
    if (type->contiguous) {
        memcpy(host, in, bytes);
    } else {
        mpi_type_unpack_host(type, items, host - first, in, bytes);
    }
    return true;
}
