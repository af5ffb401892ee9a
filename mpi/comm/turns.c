/* turns.c - the numbers of collectives on a communicator: which calls of its members belong together.
 *
 * Each member counts for itself how often it has called each function on the communicator. Calls with the same count
 * belong together. In a correct program this is the same as counting all collectives alike. But under MPI_ERRORS_RETURN
 * a refused call takes no turn. If one counter counted all functions, it would then differ between the refused rank and
 * the others, which may have made that call. The counters of the other functions still agree.
 *
 * Collective accesses to files that differ only in where a member's position comes from (MPI_File_write_at_all and
 * MPI_File_write_all) count as one function, for libraries mix them. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"

#include <string.h>

typedef struct Turn {
    uint32_t function; /* MpiBinding.meets */
    uint32_t taken;    /* number of calls so far */
} Turn;

struct MpiTurns {
    uint32_t n;
    Turn each[];
};

/* The row that is named like row i, but for `length` bytes at `part` of the name; row i if there is none. */
static uint32_t row_without(GHashTable *rows, uint32_t i, const char *part, size_t length)
{
    const char *name = mpi_function(i)->info.name;
    gpointer row;
    if (!part || !*part)
        return i;
    g_autofree char *other = g_strdup_printf("%.*s%s", (int)(part - name), name, part + length);
    return g_hash_table_lookup_extended(rows, other, NULL, &row) ? GPOINTER_TO_UINT(row) : i;
}

void mpi_turns_name(MpiBinding *bindings, uint32_t n)
{
    g_autoptr(GHashTable) rows = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t i = 0; i < n; i++)
        g_hash_table_insert(rows, (gpointer)mpi_function(i)->info.name, GUINT_TO_POINTER(i));
    for (uint32_t i = 0; i < n; i++) {
        const char *name = mpi_function(i)->info.name;
        size_t length = strlen(name) - (g_str_has_suffix(name, "_c") ? strlen("_c") : 0);
        bindings[i].plain = row_without(rows, i, name + length, strlen("_c"));
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t plain = bindings[i].plain;
        bindings[i].meets = row_without(rows, plain, strstr(mpi_function(plain)->info.name, "_at_all"), strlen("_at"));
    }
}

static Turn *find(const MpiComm *comm, uint32_t function)
{
    for (uint32_t i = 0; comm->turns && i < comm->turns->n; i++)
        if (comm->turns->each[i].function == function)
            return &comm->turns->each[i];
    return NULL;
}

static uint64_t number(uint32_t function, uint32_t taken)
{
    return (uint64_t)taken * MPI_FUNCTIONS + function;
}

/* Returns the next number that no call of another thread has been told, which has not taken it yet. There is such a
 * call only in programs that are wrong. */
static uint32_t behind_threads(const MpiCall *call, const MpiComm *comm, uint32_t function, uint32_t next)
{
    const MpiRank *rank = call->rank;
    for (uint32_t i = 0; rank->threads && i < mpi_threads_count(rank); i++)
        for (const MpiCall *other = mpi_threads_call(rank, i); other; other = other->outer)
            if (other != call && other->turn.comm == comm && call->world->bindings[other->function].meets == function &&
                other->turn.number >= next)
                next = other->turn.number + 1;
    return next;
}

uint64_t mpi_comm_turn(MpiCall *call, const MpiComm *comm)
{
    uint32_t function = call->world->bindings[call->function].meets;
    const Turn *turn = find(comm, function);
    call->turn.comm = comm;
    call->turn.number = behind_threads(call, comm, function, turn ? turn->taken : 0);
    return number(function, call->turn.number);
}

uint64_t mpi_comm_take_turn(const MpiCall *call, MpiComm *comm)
{
    uint32_t function = call->world->bindings[call->function].meets;
    Turn *turn = find(comm, function);
    if (!turn) {
        uint32_t n = comm->turns ? comm->turns->n : 0;
        comm->turns = g_realloc(comm->turns, sizeof(MpiTurns) + (n + 1) * sizeof(Turn));
        comm->turns->n = n + 1;
        turn = &comm->turns->each[n];
        *turn = (Turn){.function = function};
    }
    comm->collective_sequence++;
    mpi_tell_turn_taken(call->world, call, comm);
    return number(function, turn->taken++);
}

/* -- communicators on which a collective has been refused -------------------------------------- */

void mpi_comm_doubt(MpiCall *call, const MpiComm *comm)
{
    if (call->local || call->function < MPI_FUNCTION_Barrier) /* the rows before Barrier are not collectives */
        return;
    mpi_comm_doubt_all(call->world, comm);
}

void mpi_comm_doubt_all(MpiWorld *world, const MpiComm *comm)
{
    GHashTable *doubtful = mpi_slots_table(world, MPI_SLOT_DOUBTFUL, NULL, NULL, NULL, NULL);
    g_hash_table_add(doubtful, GUINT_TO_POINTER(comm->context));
}

bool mpi_comm_is_doubtful(const MpiWorld *world, uint32_t context)
{
    GHashTable *doubtful = mpi_world_slot(world, MPI_SLOT_DOUBTFUL);
    return doubtful && g_hash_table_contains(doubtful, GUINT_TO_POINTER(context));
}

guint mpi_turn_occasion_hash(gconstpointer key)
{
    const MpiOccasion *at = key;
    return (guint)((at->sequence << 20 ^ at->context) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

gboolean mpi_turn_occasion_equal(gconstpointer a, gconstpointer b)
{
    const MpiOccasion *x = a, *y = b;
    return x->context == y->context && x->sequence == y->sequence;
}

MpiLedOccasion mpi_turn_led(const MpiComm *comm, uint64_t turn)
{
    return (MpiLedOccasion){{comm->context, turn}, mpi_group_world_rank(comm->group, 0)};
}

guint mpi_turn_led_hash(gconstpointer key)
{
    const MpiLedOccasion *at = key;
    return mpi_turn_occasion_hash(&at->turn) ^ at->lead * 0x9e3779b1u;
}

gboolean mpi_turn_led_equal(gconstpointer a, gconstpointer b)
{
    const MpiLedOccasion *x = a, *y = b;
    return mpi_turn_occasion_equal(&x->turn, &y->turn) && x->lead == y->lead;
}
