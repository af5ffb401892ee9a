/* universe.c - what a world and a rank keep of processes that come and go (process.h). Both are made when they are
 * first needed, so that programs without them pay nothing. */
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/process/process.h"

static void universe_free(void *data)
{
    MpiUniverse *universe = data;
    mpi_group_unref(universe->all);
    g_hash_table_unref(universe->waiting);
    g_sequence_free(universe->patient);
    g_hash_table_unref(universe->ends);
    mpi_connected_free(universe->connections);
    g_clear_pointer(&universe->ports, g_hash_table_unref);
    g_clear_pointer(&universe->services, g_hash_table_unref);
    g_clear_pointer(&universe->gatherings, g_ptr_array_unref);
    g_free(universe);
}

MpiUniverse *mpi_universe(MpiWorld *world)
{
    MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    if (universe)
        return universe;
    universe = g_new0(MpiUniverse, 1);
    universe->context = world->next_context++;
    universe->all = mpi_group_new(world->room, NULL);
    universe->next_tag = 1;
    universe->ends = mpi_union_ends_new();
    universe->waiting = mpi_connect_waiting_new();
    universe->patient = g_sequence_new(NULL);
    mpi_world_set_slot(world, MPI_SLOT_UNIVERSE, universe, universe_free);
    return universe;
}

static void process_free(void *data)
{
    MpiProcess *process = data;
    if (process->universe)
        mpi_comm_unref(process->universe);
    mpi_process_origin_unref(process->origin);
    g_free(process);
}

MpiProcess *mpi_process(MpiRank *rank)
{
    MpiProcess *process = mpi_rank_slot(rank, MPI_RANK_SLOT_PROCESS);
    if (process)
        return process;
    process = g_new0(MpiProcess, 1);
    process->rank = rank;
    mpi_rank_set_slot(rank, MPI_RANK_SLOT_PROCESS, process, process_free);
    return process;
}

MpiComm *mpi_process_universe(MpiCall *call)
{
    MpiProcess *process = mpi_process(call->rank);
    const MpiUniverse *universe = mpi_universe(call->world);
    if (!process->universe)
        process->universe =
            mpi_comm_hidden(call->rank, universe->context, mpi_group_ref(universe->all), call->rank->index);
    return process->universe;
}
