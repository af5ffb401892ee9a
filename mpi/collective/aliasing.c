/* aliasing.c - the buffers of a collective must not overlap (MPI-4.1 section 6.1); MPI_IN_PLACE is there for that.
 *
 * What a program gets that breaks the rule depends on the library and on the algorithm, so the call fails. Only what
 * can be told at little cost is looked at: data without gaps. --check=overlap finds the rest (check_overlap.c).
 */
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/type/type.h"

typedef struct Range {
    uint64_t low, high; /* addresses of the first byte, and behind the last one */
    bool sent;
} Range;

static bool is_contiguous(const MpiVector *vector)
{
    if (!vector->types)
        return vector->type->contiguous;
    for (uint32_t i = 0; i < vector->n; i++)
        if (vector->block_bytes[i] && !vector->types[i]->contiguous)
            return false;
    return true;
}

static Range range_of_block(const MpiVector *vector, uint32_t i)
{
    uint64_t low = vector->address + (uint64_t)vector->places[i];
    return (Range){.low = low, .high = low + vector->block_bytes[i]};
}

/* Returns the range from the first to the last byte of a vector without gaps in its blocks. */
static Range whole_range(const MpiVector *vector)
{
    if (!vector->n)
        return (Range){.low = vector->address, .high = vector->address + vector->bytes};
    Range whole = {.low = UINT64_MAX};
    for (uint32_t i = 0; i < vector->n; i++) {
        if (!vector->block_bytes[i])
            continue;
        Range block = range_of_block(vector, i);
        whole.low = MIN(whole.low, block.low);
        whole.high = MAX(whole.high, block.high);
    }
    return whole;
}

static void add_ranges(GArray *ranges, const MpiVector *vector, bool sent)
{
    for (uint32_t i = 0; i < MAX(vector->n, 1); i++) {
        Range range = vector->n ? range_of_block(vector, i) : whole_range(vector);
        range.sent = sent;
        if (range.low < range.high)
            g_array_append_val(ranges, range);
    }
}

static int compare_ranges(const void *a, const void *b)
{
    const Range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Whether a block of one vector overlaps a block of the other, whose ranges meet. */
static bool blocks_meet(const MpiVector *input, const MpiVector *result)
{
    g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    uint64_t ends[2] = {0, 0}; /* of the result's and the input's blocks so far */
    add_ranges(ranges, input, true);
    add_ranges(ranges, result, false);
    g_array_sort(ranges, compare_ranges);
    for (guint i = 0; i < ranges->len; i++) {
        const Range *range = &g_array_index(ranges, Range, i);
        if (range->low < ends[!range->sent])
            return true;
        ends[range->sent] = MAX(ends[range->sent], range->high);
    }
    return false;
}

/* MPI_Exscan gives rank 0 nothing, but if it fails for the others, it had better fail there. */
static bool is_exscan_of_first(const MpiCall *call, const MpiTask *task)
{
    return task->collective == MPI_COLLECTIVE_EXSCAN && task->has_input && !task->has_result && !task->in_place &&
           task->input.bytes && call->args[0] == call->args[1];
}

static bool meet(const MpiTask *task)
{
    const MpiVector *input = &task->input, *result = &task->result;
    if (!task->has_input || !task->has_result || task->in_place || !input->bytes || !result->bytes ||
        !is_contiguous(input) || !is_contiguous(result))
        return false;
    Range sent = whole_range(input), received = whole_range(result);
    return sent.low < received.high && received.low < sent.high && blocks_meet(input, result);
}

bool mpi_aliasing_check(MpiCall *call, const MpiTask *task, MpiStep *step)
{
    bool first = is_exscan_of_first(call, task);
    if (!first && !meet(task))
        return true;
    *step =
        mpi_call_error(call, task->comm, MPI_ERR_BUFFER,
                       "the send buffer (at 0x%" G_GINT64_MODIFIER "x) and the receive buffer (at 0x%" G_GINT64_MODIFIER
                       "x) overlap; use MPI_IN_PLACE or two buffers",
                       task->input.address, first ? task->input.address : task->result.address);
    return false;
}
