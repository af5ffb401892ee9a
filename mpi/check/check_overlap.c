/* check_overlap.c - reports buffers of one call that overlap where they must not:
 *
 *   - input and result of a collective without MPI_IN_PLACE (MPI-3.1 section 5.1): always an error
 *   - send and receive buffer of MPI_Sendrecv (section 3.10)
 *   - the received blocks of MPI_Gatherv, MPI_Alltoallw and the like (section 5.5)
 *   - the data of a type that is received into (section 4.1.11)
 *
 * Gaps are left out, so the interleaved columns of one matrix do not overlap (memory_areas.h). */
#include "mpi/check/memory_areas.h"
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

/* -- one buffer, two buffers ------------------------------------------------------------------- */

/* Checks that a buffer for incoming data does not cover a byte twice. */
static bool has_each_once(MpiWorld *world, MpiCall *call, unsigned arg, const MpiBuffer *buffer, bool written,
                          bool later, MpiStep *step)
{
    MpiArea area;
    (void)world;
    (void)later;
    if (!written || buffer->type->contiguous)
        return true;
    mpi_area_init(&area, buffer->type, buffer->count, buffer->address);
    bool twice = area.low != area.high && mpi_area_overlaps_itself(&area);
    mpi_area_clear(&area);
    if (!twice)
        return true;
    g_autoptr(GString) items = g_string_new(NULL);
    mpi_append_type_items(items, buffer->type, buffer->count, call->process);
    *step =
        mpi_finding_stop(call, MPI_CHECK_OVERLAP,
                         "argument %u, the buffer: %s have places in memory that data would come to twice; give the "
                         "type a larger extent "
                         "or other displacements",
                         arg + 1, items->str);
    return false;
}

static bool are_apart(MpiWorld *world, MpiCall *call, const MpiBuffer *send, const MpiBuffer *receive, MpiStep *step)
{
    MpiArea a, b;
    (void)world;
    mpi_area_init(&a, send->type, send->count, send->address);
    mpi_area_init(&b, receive->type, receive->count, receive->address);
    bool meet = mpi_areas_meet(&a, &b);
    mpi_area_clear(&a);
    mpi_area_clear(&b);
    if (meet)
        *step = mpi_finding_stop(call, MPI_CHECK_OVERLAP,
                                 "the send buffer (at 0x%" G_GINT64_MODIFIER
                                 "x) and the receive buffer (at 0x%" G_GINT64_MODIFIER
                                 "x) overlap; use two buffers, or MPI_Sendrecv_replace",
                                 send->address, receive->address);
    return !meet;
}

/* -- the blocks of a collective ---------------------------------------------------------------- */

typedef struct Block {
    MpiArea area; /* first member, since sets see only this */
    uint32_t number;
} Block;

/* Returns the blocks of a vector as areas, and their number in *count. */
static Block *blocks_of(const MpiVector *vector, uint32_t *count)
{
    *count = MAX(vector->n, 1);
    Block *blocks = g_new(Block, *count);
    for (uint32_t i = 0; i < *count; i++) {
        MpiVector block;
        mpi_vector_block(&block, vector, i, *count);
        mpi_area_init(&blocks[i].area, block.type, block.count, block.address);
        blocks[i].number = i;
        mpi_vector_clear(&block); /* the original vector keeps the type alive */
    }
    return blocks;
}

static void blocks_free(Block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        mpi_area_clear(&blocks[i].area);
    g_free(blocks);
}

static const Block *find(const MpiAreaSet *set, const MpiArea *area)
{
    const MpiArea *item;
    guint at = UINT_MAX;
    while ((item = mpi_area_set_next(set, area->low, area->high, &at)))
        if (mpi_areas_meet(item, area))
            return (const Block *)item;
    return NULL;
}

/* Finds the first pair of blocks that overlap: between both vectors, or within the first if `other` is NULL. */
static bool find_pair(const MpiVector *vector, const MpiVector *other, uint32_t pair[2])
{
    uint32_t n, m = 0;
    Block *blocks = blocks_of(vector, &n), *others = other ? blocks_of(other, &m) : NULL;
    const Block *found = NULL;
    MpiAreaSet set;
    mpi_area_set_init(&set);
    for (uint32_t i = 0; i < n && !found; i++) {
        if (blocks[i].area.low == blocks[i].area.high)
            continue;
        found = others ? NULL : find(&set, &blocks[i].area);
        pair[1] = i;
        mpi_area_set_add(&set, &blocks[i].area);
    }
    for (uint32_t i = 0; others && i < m && !found; i++) {
        found = others[i].area.low == others[i].area.high ? NULL : find(&set, &others[i].area);
        pair[1] = i;
    }
    if (found)
        pair[0] = found->number;
    mpi_area_set_clear(&set);
    blocks_free(blocks, n);
    if (others)
        blocks_free(others, m);
    return found;
}

/* Computes bounds: the whole vector lies in [low, high). */
static void vector_bounds(const MpiVector *vector, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (uint32_t i = 0; i < MAX(vector->n, 1); i++) {
        const MpiType *type = vector->types ? vector->types[i] : vector->type;
        uint64_t bytes = vector->n ? vector->block_bytes[i] : vector->bytes;
        if (!bytes)
            continue;
        int64_t first = 0;
        uint64_t span = mpi_type_span(type, (bytes + type->size - 1) / type->size, &first);
        uint64_t start = vector->address + (vector->n ? (uint64_t)vector->places[i] : 0) + (uint64_t)first;
        *low = MIN(*low, start);
        *high = MAX(*high, start + span);
    }
}

static bool may_meet(const MpiVector *a, const MpiVector *b)
{
    uint64_t low[2], high[2];
    vector_bounds(a, &low[0], &high[0]);
    vector_bounds(b, &low[1], &high[1]);
    return low[0] < high[1] && low[1] < high[0];
}

static bool blocks_apart(MpiWorld *world, MpiCall *call, const MpiTask *task, MpiStep *step)
{
    uint32_t pair[2];
    if (task->has_input && task->has_result && !task->in_place && may_meet(&task->input, &task->result) &&
        find_pair(&task->input, &task->result, pair)) {
        *step = mpi_call_error(call, task->comm, MPI_ERR_BUFFER,
                               "the send buffer (at 0x%" G_GINT64_MODIFIER
                               "x) and the receive buffer (at 0x%" G_GINT64_MODIFIER
                               "x) overlap; use two buffers, or MPI_IN_PLACE where it is allowed",
                               task->input.address, task->result.address);
        return false;
    }
    if (!mpi_check_is_on(world, MPI_CHECK_OVERLAP) || !task->has_result || !task->result.n ||
        !find_pair(&task->result, NULL, pair))
        return true;
    *step =
        mpi_finding_stop(call, MPI_CHECK_OVERLAP,
                         "blocks %u and %u of the receive buffer overlap, so that data would come to the same place "
                         "twice; give them other displacements or counts",
                         pair[0], pair[1]);
    return false;
}

static void begin(MpiWorld *world)
{
    mpi_hooks_add(world, &(MpiHooks){.blocks = blocks_apart});
    if (mpi_check_is_on(world, MPI_CHECK_OVERLAP))
        mpi_hooks_add_short(world, &(MpiHooks){.buffer = has_each_once, .apart = are_apart});
}

const MpiPart mpi_part_overlap = {.begin = begin};
