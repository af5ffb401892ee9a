/* two_phase.c - collective buffering: who accesses which part of the file for all.
 *
 * Ranks whose views interleave would each make many small accesses. Instead, the file from the first to the last byte
 * that anybody wants is divided among aggregators, one on each node unless hints say otherwise. Each goes through its
 * part in rounds of one buffer: the members exchange data with the aggregators, and these access the file in long
 * pieces.
 *
 *      file      |  part of aggregator 0       |  part of aggregator 1       |
 *      rounds    |  0      |  1      |  2      |  0      |  1      |  2      |     a cell: aggregator and round
 *
 * The plan is the same for all members, so the first that needs it makes it, from the views, positions and sizes that
 * all have said. */
#include "mpi/comm/comm.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

#include <string.h>

/* What one member wants, from first to last. */
typedef struct Wish {
    uint64_t position, bytes, first, end; /* first == end: nothing */
} Wish;

static Wish wish_of(const MpiSaid *said)
{
    Wish wish = {.position = said->a, .bytes = said->b};
    if (!wish.bytes || !said->view || !said->view->tile_bytes)
        return (Wish){0};
    wish.first = mpi_view_offset(said->view, wish.position);
    wish.end = mpi_view_offset(said->view, wish.position + wish.bytes - 1) + 1;
    return wish;
}

/* -- who ---------------------------------------------------------------------------------------- */

/* Fills in the aggregators: the first member on each node, in the order of ranks. If there are to be more than nodes,
 * the second ones follow. */
static void choose_aggregators(MpiTwoPhase *plan, const MpiFile *file)
{
    const MpiEnv *env = &file->owner->world->env;
    uint32_t size = file->comm->group->size, wanted = file->hints.aggregators, turn = 0;
    g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL); /* node -> members taken */
    g_autofree bool *chosen = g_new0(bool, size);
    plan->ranks = g_new(uint32_t, size);
    do {
        for (uint32_t i = 0; i < size && (!wanted || plan->aggregators < wanted); i++) {
            uint32_t node = env->node ? env->node(env->user, mpi_group_world_rank(file->comm->group, i)) : 0;
            gpointer key = GUINT_TO_POINTER(node);
            if (chosen[i] || GPOINTER_TO_UINT(g_hash_table_lookup(taken, key)) > turn)
                continue;
            g_hash_table_insert(taken, key, GUINT_TO_POINTER(turn + 1));
            chosen[i] = true;
            plan->ranks[plan->aggregators++] = i;
        }
        turn++;
    } while (plan->aggregators < MIN(wanted, size));
}

/* -- what --------------------------------------------------------------------------------------- */

/* Rounds up to a multiple of the stripe, so that parts end where servers change. */
static uint64_t align(uint64_t bytes, uint64_t stripe)
{
    return stripe ? (bytes + stripe - 1) / stripe * stripe : bytes;
}

/* How the range is divided. */
typedef struct Division {
    uint64_t low, part, buffer; /* where it begins, bytes of an aggregator's part and of a round */
} Division;

static uint32_t cell_at(const MpiTwoPhase *plan, const Division *division, uint64_t offset, uint64_t *end)
{
    uint64_t far = offset - division->low, aggregator = far / division->part, within = far % division->part;
    uint64_t round = within / division->buffer;
    *end = division->low + aggregator * division->part + MIN((round + 1) * division->buffer, division->part);
    return (uint32_t)(round * plan->aggregators + aggregator);
}

/* Adds what a member wants to the cells, one share for each cell. */
static void add_wish(MpiTwoPhase *plan, const Division *division, GArray *shares, uint32_t rank, const MpiSaid *said)
{
    uint64_t offset, bytes;
    MpiWalk walk;
    guint own = shares->len;
    mpi_view_walk(&walk, said->view, said->a, said->b);
    while (mpi_view_next(&walk, &offset, &bytes)) {
        while (bytes) {
            uint64_t end;
            uint32_t cell = cell_at(plan, division, offset, &end);
            uint64_t piece = MIN(bytes, end - offset);
            MpiCell *to = &plan->cells[cell];
            to->first = MIN(to->first, offset);
            to->end = MAX(to->end, offset + piece);
            to->covered += piece;
            MpiCellShare *last = shares->len > own ? &g_array_index(shares, MpiCellShare, shares->len - 1) : NULL;
            if (last && last->cell == cell) {
                last->bytes += piece;
            } else {
                MpiCellShare share = {.rank = rank, .cell = cell, .bytes = piece};
                g_array_append_val(shares, share);
            }
            offset += piece;
            bytes -= piece;
        }
    }
}

/* Sorts by cell and rank, by counting: the shares are listed by rank already. */
static GArray *sort_shares(GArray *shares, uint64_t n_cells)
{
    guint n = shares->len;
    const MpiCellShare *from = (const MpiCellShare *)(void *)shares->data;
    GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(MpiCellShare), n);
    g_autofree uint32_t *next = g_new0(uint32_t, n_cells + 1);
    for (guint i = 0; i < n; i++)
        next[from[i].cell + 1]++;
    for (uint64_t i = 0; i < n_cells; i++)
        next[i + 1] += next[i];
    g_array_set_size(sorted, n);
    for (guint i = 0; i < n; i++)
        g_array_index(sorted, MpiCellShare, next[from[i].cell]++) = from[i];
    g_array_unref(shares);
    return sorted;
}

/* A view with file types that reach into each other may come back to a cell. */
static void join_equal(GArray *shares)
{
    guint n = 0;
    for (guint i = 0; i < shares->len; i++) {
        MpiCellShare *from = &g_array_index(shares, MpiCellShare, i);
        MpiCellShare *last = n ? &g_array_index(shares, MpiCellShare, n - 1) : NULL;
        if (last && last->cell == from->cell && last->rank == from->rank)
            last->bytes += from->bytes;
        else
            g_array_index(shares, MpiCellShare, n++) = *from;
    }
    g_array_set_size(shares, n);
}

/* Lists the shares of each member in the order of cells. */
static void index_shares(MpiTwoPhase *plan, guint n, uint32_t size)
{
    plan->own = g_new0(uint32_t, size + 1);
    plan->own_shares = g_new(uint32_t, n + 1);
    for (guint i = 0; i < n; i++)
        plan->own[plan->shares[i].rank + 1]++;
    for (uint32_t i = 0; i < size; i++)
        plan->own[i + 1] += plan->own[i];
    g_autofree uint32_t *next = g_memdup2(plan->own, (size + 1) * sizeof *next);
    for (guint i = 0; i < n; i++) {
        MpiCell *cell = &plan->cells[plan->shares[i].cell];
        if (!cell->shares++)
            cell->share = i;
        plan->own_shares[next[plan->shares[i].rank]++] = i;
    }
}

/* -- whether ------------------------------------------------------------------------------------ */

/* Whether the ranges of members overlap, in the order of ranks. */
static bool interleaved(const Wish *wishes, uint32_t size)
{
    uint64_t end = 0;
    bool any = false;
    for (uint32_t i = 0; i < size; i++) {
        if (wishes[i].first == wishes[i].end)
            continue;
        if (any && wishes[i].first < end)
            return true;
        end = wishes[i].end;
        any = true;
    }
    return false;
}

MpiTwoPhase *mpi_two_phase_new(const MpiFile *file, const MpiMeeting *meeting, bool write)
{
    enum { MOST_CELLS = 1 << 24 };
    MpiTwoPhase *plan = g_new0(MpiTwoPhase, 1);
    MpiFileWay way = file->hints.collective[write];
    g_autofree Wish *wishes = g_new(Wish, meeting->size);
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < meeting->size; i++) {
        wishes[i] = wish_of(&meeting->said[i]);
        if (wishes[i].first == wishes[i].end)
            continue;
        low = MIN(low, wishes[i].first);
        high = MAX(high, wishes[i].end);
    }
    plan->used =
        low < high && way != MPI_FILE_DISABLE && (way == MPI_FILE_ENABLE || interleaved(wishes, meeting->size));
    if (!plan->used)
        return plan;
    choose_aggregators(plan, file);
    uint64_t stripe = file->owner->world->params.files.stripe_bytes;
    Division division = {.low = stripe ? low - low % stripe : low};
    division.part = MAX(align((high - division.low + plan->aggregators - 1) / plan->aggregators, stripe), 1);
    division.buffer = MAX(file->hints.buffer_bytes, (division.part + MOST_CELLS - 1) / MOST_CELLS);
    division.buffer = MIN(division.buffer, division.part);
    plan->rounds = (uint32_t)((division.part + division.buffer - 1) / division.buffer);
    uint64_t cells = (uint64_t)plan->rounds * plan->aggregators;
    if (cells > MOST_CELLS) { /* tiny buffers: larger ones, so that the plan has room */
        division.buffer = (division.part * plan->aggregators + MOST_CELLS - 1) / MOST_CELLS;
        plan->rounds = (uint32_t)((division.part + division.buffer - 1) / division.buffer);
        cells = (uint64_t)plan->rounds * plan->aggregators;
    }
    plan->cells = g_new0(MpiCell, cells);
    for (uint64_t i = 0; i < cells; i++)
        plan->cells[i].first = UINT64_MAX;
    GArray *shares = g_array_new(FALSE, FALSE, sizeof(MpiCellShare));
    for (uint32_t i = 0; i < meeting->size; i++)
        if (wishes[i].first < wishes[i].end)
            add_wish(plan, &division, shares, i, &meeting->said[i]);
    shares = sort_shares(shares, cells);
    join_equal(shares);
    guint n = shares->len;
    plan->shares = (MpiCellShare *)(void *)g_array_free(shares, FALSE);
    index_shares(plan, n, meeting->size);
    return plan;
}

void mpi_two_phase_free(MpiTwoPhase *plan)
{
    if (!plan)
        return;
    g_free(plan->ranks);
    g_free(plan->cells);
    g_free(plan->shares);
    g_free(plan->own);
    g_free(plan->own_shares);
    g_free(plan);
}
