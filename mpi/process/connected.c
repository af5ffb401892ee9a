/* connected.c - which processes are connected (MPI-4.1 section 11.10.4), and what follows from that: MPI_Finalize waits
 * for those who are, MPI_Abort ends them.
 *
 * Processes that were started together are connected, so the worlds are what a search visits. A *bond* between worlds
 * is a communicator with members of several. It is there until all members have called MPI_Comm_disconnect;
 * MPI_Comm_free leaves it for ever. Runs in which nobody has come have one world and no bonds. */
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

typedef struct MpiBond {
    uint32_t context;
    uint32_t holders; /* members that have the communicator */
    bool stays;       /* a member has freed it */
    GArray *worlds;   /* uint32_t: first ranks of the worlds */
} MpiBond;

void mpi_connected_bond_free(void *data)
{
    MpiBond *bond = data;
    g_array_unref(bond->worlds);
    g_free(bond);
}

/* Returns the first rank of the world that a rank is in. */
static uint32_t world_of(const MpiWorld *world, uint32_t rank)
{
    const MpiProcess *process = mpi_rank_slot(&world->ranks[rank], MPI_RANK_SLOT_PROCESS);
    return process && process->origin ? mpi_group_world_rank(process->origin->children, 0) : 0;
}

/* -- bonds --------------------------------------------------------------------------------------------- */

static void add_worlds(GArray *worlds, const MpiWorld *world, const MpiGroup *group)
{
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t first = world_of(world, mpi_group_world_rank(group, i));
        guint at = 0;
        while (at < worlds->len && g_array_index(worlds, uint32_t, at) != first)
            at++;
        if (at == worlds->len)
            g_array_append_val(worlds, first);
    }
}

static guint find_bond(const MpiUniverse *universe, uint32_t context)
{
    guint i = 0;
    while (i < universe->bonds->len && ((const MpiBond *)universe->bonds->pdata[i])->context != context)
        i++;
    return i;
}

void mpi_connected_made(const MpiComm *comm)
{
    const MpiWorld *world = comm->owner->world;
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    if (!universe)
        return;
    guint at = find_bond(universe, comm->context);
    if (at < universe->bonds->len) {
        ((MpiBond *)universe->bonds->pdata[at])->holders++;
        return;
    }
    g_autoptr(GArray) worlds = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    add_worlds(worlds, world, comm->group);
    if (comm->inter)
        add_worlds(worlds, world, comm->inter->remote);
    if (worlds->len < 2)
        return;
    MpiBond *bond = g_new(MpiBond, 1);
    *bond = (MpiBond){.context = comm->context, .holders = 1, .worlds = g_steal_pointer(&worlds)};
    g_ptr_array_add(universe->bonds, bond);
}

void mpi_connected_left(const MpiCall *call, const MpiComm *comm)
{
    const MpiUniverse *universe = mpi_world_slot(call->world, MPI_SLOT_UNIVERSE);
    guint at = universe ? find_bond(universe, comm->context) : 0;
    if (!universe || at == universe->bonds->len)
        return;
    MpiBond *bond = universe->bonds->pdata[at];
    bond->stays = bond->stays || call->function != MPI_FUNCTION_Comm_disconnect;
    if (--bond->holders || bond->stays)
        return;
    g_ptr_array_remove_index(universe->bonds, at);
    mpi_connected_look(call->world, call->now);
}

/* -- searching ------------------------------------------------------------------------------------------ */

/* Marks worlds by their first ranks; returns whether a new one was marked. */
static bool spread(const MpiBond *bond, uint8_t *marked)
{
    bool any = false, all = true;
    for (guint i = 0; i < bond->worlds->len; i++) {
        bool is = marked[g_array_index(bond->worlds, uint32_t, i)];
        any = any || is;
        all = all && is;
    }
    for (guint i = 0; i < bond->worlds->len && any; i++)
        marked[g_array_index(bond->worlds, uint32_t, i)] = 1;
    return any && !all;
}

static bool is_gone(const MpiRank *rank)
{
    return rank->exited || rank->failed || rank->state == MPI_RANK_FINALIZED;
}

uint8_t *mpi_connected_with(const MpiWorld *world, uint32_t rank)
{
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    uint8_t *marked = g_malloc0(world->n_ranks);
    marked[world_of(world, rank)] = 1;
    for (bool again = true; universe && again;) {
        again = false;
        for (guint i = 0; i < universe->bonds->len; i++)
            again = spread(universe->bonds->pdata[i], marked) || again;
    }
    for (uint32_t i = 0; i < world->n_ranks; i++)
        marked[i] = marked[world_of(world, i)];
    return marked;
}

uint8_t *mpi_world_connected(const MpiWorld *world, uint32_t rank)
{
    uint8_t *marked = mpi_connected_with(world, rank);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (!marked[i] && !world->ranks[i].exited)
            return marked;
    g_free(marked);
    return NULL;
}

/* -- MPI_Finalize --------------------------------------------------------------------------------------- */

static bool has_come_to_its_end(const MpiRank *rank)
{
    const MpiProcess *process = mpi_rank_slot(rank, MPI_RANK_SLOT_PROCESS);
    return is_gone(rank) || (process && process->ends);
}

/* Whether all in the table end. */
static bool all_end(const MpiWorld *world, const uint8_t *connected)
{
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (connected[i] && !has_come_to_its_end(&world->ranks[i]))
            return false;
    return true;
}

static void let_end(MpiCall *call, uint64_t time_ps)
{
    if (call->rank->failed)
        return;
    call->engine.waiting = 0;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

bool mpi_connected_look(MpiWorld *world, uint64_t time_ps)
{
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    if (!universe || !universe->ending->len)
        return false;
    g_autofree uint8_t *waits = g_malloc0(world->n_ranks); /* those who are connected with one who does not end */
    guint before = universe->ending->len;
    for (guint i = 0; i < universe->ending->len;) {
        MpiCall *call = universe->ending->pdata[i];
        g_autofree uint8_t *connected = waits[call->rank->index] ? NULL : mpi_connected_with(world, call->rank->index);
        if (!call->rank->failed && (!connected || !all_end(world, connected))) {
            for (uint32_t k = 0; connected && k < world->n_ranks; k++)
                waits[k] |= connected[k];
            i++;
            continue;
        }
        g_ptr_array_remove_index(universe->ending, i);
        let_end(call, time_ps);
    }
    return universe->ending->len < before;
}

MpiStep mpi_process_end(MpiCall *call, MpiHandler then)
{
    MpiUniverse *universe = mpi_world_slot(call->world, MPI_SLOT_UNIVERSE);
    if (!universe || !universe->listens)
        return then(call);
    mpi_process(call->rank)->ends = true;
    mpi_connected_look(call->world, call->now);
    g_autofree uint8_t *connected = mpi_connected_with(call->world, call->rank->index);
    if (all_end(call->world, connected))
        return then(call);
    g_ptr_array_add(universe->ending, call);
    call->engine.waiting = 1;
    return mpi_call_block(call, then);
}
