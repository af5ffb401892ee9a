/* conflicts.c - the check "files": accesses of two ranks to the same bytes of a file that the standard leaves unordered
 * (MPI-4.1 section 14.6.1).
 *
 * What one rank writes and another reads or writes is certain to be seen, without atomic mode, only if sequences of
 * accesses follow each other: the first rank's ends with MPI_File_sync or MPI_File_close, and after that the other's
 * begins with MPI_File_sync or MPI_File_open. Since MPI_File_sync need not synchronise ranks, that takes three calls:
 *
 *      rank 0:  write  [sync]  barrier  [sync]
 *      rank 1:         [sync]  barrier  [sync]  read
 *
 * Here a sequence ends when its sync returns, and begins when its sync is called; so the two of one collective call
 * overlap. Opening and closing do synchronise in any library. Sequences that overlap in this run are not ordered for
 * certain, so what is found is always a fault; others are let pass.
 *
 * Two maps from bytes to the last access hold what a file's ranks have read and written. */
#include "mpi/core/findings.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

enum { MOST_PIECES = 1 << 20 }; /* in a map; a fuller one is forgotten */

/* The accesses of a rank between two calls that bracket them. */
struct MpiSequence {
    uint32_t refs;
    uint32_t rank;
    uint64_t begun_ps, ended_ps; /* UINT64_MAX: it has not ended */
};

typedef struct Use {
    uint32_t refs;
    MpiSequence *sequence; /* referenced */
    uint32_t pc;
    const char *name; /* of the call */
    bool write, atomic;
} Use;

typedef struct Piece {
    uint64_t low, high; /* low is the key in the map */
    Use *use;           /* referenced */
} Piece;

struct MpiFileUses {
    GTree *maps[2]; /* of reads and of writes: Piece, none of which overlap */
};

/* -- sequences --------------------------------------------------------------------------------- */

MpiSequence *mpi_file_sequence_new(uint32_t rank, uint64_t begun_ps)
{
    MpiSequence *sequence = g_new(MpiSequence, 1);
    *sequence = (MpiSequence){.refs = 1, .rank = rank, .begun_ps = begun_ps, .ended_ps = UINT64_MAX};
    return sequence;
}

void mpi_file_sequence_unref(MpiSequence *sequence)
{
    if (sequence && --sequence->refs == 0)
        g_free(sequence);
}

void mpi_file_sequence_end(MpiSequence *sequence, uint64_t time_ps)
{
    if (sequence)
        sequence->ended_ps = MIN(sequence->ended_ps, time_ps);
}

/* -- maps -------------------------------------------------------------------------------------- */

static void use_unref(Use *use)
{
    if (--use->refs)
        return;
    mpi_file_sequence_unref(use->sequence);
    g_free(use);
}

static void piece_free(void *data)
{
    Piece *piece = data;
    use_unref(piece->use);
    g_free(piece);
}

static gint compare_lows(gconstpointer a, gconstpointer b, gpointer user)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)user;
    return (x > y) - (x < y);
}

static GTree *map_new(void)
{
    return g_tree_new_full(compare_lows, NULL, NULL, piece_free);
}

MpiFileUses *mpi_file_uses_new(void)
{
    MpiFileUses *uses = g_new(MpiFileUses, 1);
    *uses = (MpiFileUses){{map_new(), map_new()}};
    return uses;
}

void mpi_file_uses_free(void *data)
{
    MpiFileUses *uses = data;
    g_tree_unref(uses->maps[0]);
    g_tree_unref(uses->maps[1]);
    g_free(uses);
}

/* Returns the first piece with a byte of [low, high), or NULL. */
static Piece *first_in(GTree *map, uint64_t low, uint64_t high)
{
    GTreeNode *after = g_tree_upper_bound(map, &low);
    GTreeNode *before = after ? g_tree_node_previous(after) : g_tree_node_last(map);
    Piece *piece = before ? g_tree_node_value(before) : NULL;
    if (piece && piece->high > low)
        return piece;
    piece = after ? g_tree_node_value(after) : NULL;
    return piece && piece->low < high ? piece : NULL;
}

static void insert(GTree *map, uint64_t low, uint64_t high, Use *use)
{
    Piece *piece = g_new(Piece, 1);
    *piece = (Piece){low, high, use};
    use->refs++;
    g_tree_insert(map, &piece->low, piece);
}

/* Puts the access in the place of those that the map has there. */
static void put(GTree *map, uint64_t low, uint64_t high, Use *use)
{
    Piece *piece;
    while ((piece = first_in(map, low, high))) {
        if (piece->high > high)
            insert(map, high, piece->high, piece->use);
        if (piece->low < low)
            piece->high = low;
        else
            g_tree_remove(map, &piece->low);
    }
    insert(map, low, high, use);
}

/* -- comparing --------------------------------------------------------------------------------- */

static bool is_ordered(const Use *before, const Use *now)
{
    const MpiSequence *first = before->sequence, *second = now->sequence;
    return first->rank == second->rank || (before->atomic && now->atomic) || first->ended_ps <= second->begun_ps;
}

static void tell(MpiCall *call, const MpiFile *file, const Piece *before, const Use *now, uint64_t low, uint64_t high)
{
    const Use *other = before->use;
    g_autofree char *base = g_path_get_basename(file->shared->name);
    g_autoptr(GString) what = g_string_new(NULL);
    mpi_append_call_place(what, call->process, call->name, call->pc);
    g_string_append_printf(what, " %s bytes of a file that another rank %s with ", now->write ? "writes" : "reads",
                           other->write ? "writes" : "reads");
    mpi_append_call_place(what, mpi_world_rank(call->world, other->sequence->rank)->process, other->name, other->pc);
    g_string_append(what, ", and nothing orders the two");
    g_autofree char *detail = g_strdup_printf(
        "ranks %u and %u, bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of \"%s\"", call->rank->index,
        other->sequence->rank, MAX(low, before->low), MIN(high, before->high) - 1, base);
    mpi_finding_add(call->rank, MPI_CHECK_FILES, call->entered_ps, what->str, detail,
                    "call MPI_File_sync, MPI_Barrier and MPI_File_sync between them, or MPI_File_set_atomicity before "
                    "both");
}

/* Looks for an access that this one is not ordered with. */
static bool compare(MpiCall *call, const MpiFile *file, GTree *map, const Use *now, uint64_t low, uint64_t high)
{
    const Piece *piece;
    for (uint64_t at = low; (piece = first_in(map, at, high)); at = piece->high) {
        if (!is_ordered(piece->use, now)) {
            tell(call, file, piece, now, low, high);
            return true;
        }
        if (piece->high >= high)
            break;
    }
    return false;
}

void mpi_conflicts_note(MpiCall *call, const MpiFile *file, bool write, uint64_t position, uint64_t bytes)
{
    MpiFileUses *uses = file->shared->uses;
    if (!uses || !bytes)
        return;
    Use *now = g_new(Use, 1);
    *now = (Use){1, file->sequence, call->pc, call->name, write, file->shared->atomic};
    file->sequence->refs++;
    uint64_t offset, length;
    bool told = false;
    MpiWalk walk;
    mpi_view_walk(&walk, file->view, position, bytes);
    while (mpi_view_next(&walk, &offset, &length)) {
        told = told || compare(call, file, uses->maps[true], now, offset, offset + length) ||
               (write && compare(call, file, uses->maps[false], now, offset, offset + length));
        put(uses->maps[write], offset, offset + length, now);
    }
    use_unref(now);
    if (g_tree_nnodes(uses->maps[write]) > MOST_PIECES) {
        g_tree_unref(uses->maps[write]);
        uses->maps[write] = map_new();
    }
}
