/* desertion.c - processes that end between MPI_Init and MPI_Finalize: to the others they have failed.
 *
 * A program that calls functions of ULFM hears of them as of any failure (machine/run/kills.c). For other programs this
 * is a mistake, which a deadlock explains best. But if a communicator on which somebody waits for such a process has an
 * error handler that lets the program go on, the wait ends with MPI_ERR_PROC_FAILED as soon as nothing else can
 * happen. */
#include "mpi/collective/schedule.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/failure/failure.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

static bool has_deserted(const MpiRank *rank)
{
    return rank->exited && !rank->failed && rank->state == MPI_RANK_ACTIVE;
}

bool mpi_world_deserted(const MpiWorld *world, uint32_t rank)
{
    return world->ranks[rank].state == MPI_RANK_ACTIVE;
}

/* Whether a process that has deserted is a member of a communicator whose handler, or that of the window or file behind
 * it, lets the program go on. */
static bool misses(MpiWorld *world, const MpiComm *comm)
{
    if (!comm)
        return false;
    const MpiRaiser *raiser = mpi_error_raiser_of(comm->owner, comm);
    if ((raiser ? raiser->errhandler : mpi_error_handler_of(comm))->sort == MPI_HANDLER_FATAL)
        return false;
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (has_deserted(&world->ranks[i]) && mpi_failure_is_member(comm, i))
            return true;
    return false;
}

/* The rank's focus is on the call. */
static bool is_in_vain(const MpiRank *rank, const MpiCall *call)
{
    if (rank->probing)
        return misses(rank->world, mpi_find_comm(rank, rank->probe_key.space >> 1));
    if (mpi_window_is_awaited(call))
        return misses(rank->world, mpi_window_awaited_comm(call));
    if (call->collective.schedule)
        return misses(rank->world, call->collective.schedule->comm);
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (request->waiter == call && mpi_request_pending(request) && misses(rank->world, request->comm))
            return true;
    return false;
}

static bool waits_in_vain(MpiRank *rank)
{
    uint32_t thread = 0;
    if (rank->exited || rank->failed)
        return false;
    for (const MpiCall *call; (call = mpi_threads_next_blocked(rank, &thread)); thread++)
        if (is_in_vain(rank, call))
            return true;
    return false;
}

bool mpi_desertion_tell(MpiWorld *world, uint64_t time_ps)
{
    bool deserted = false, awaited = false;
    for (uint32_t i = 0; i < world->n_ranks && !deserted; i++)
        deserted = has_deserted(&world->ranks[i]);
    if (!deserted)
        return false;
    mpi_plain_receives_expand(world);
    for (uint32_t i = 0; i < world->n_ranks && !awaited; i++)
        awaited = waits_in_vain(&world->ranks[i]);
    for (uint32_t i = 0; i < world->n_ranks && awaited; i++) {
        if (!has_deserted(&world->ranks[i]))
            continue;
        mpi_failures_of(world);
        world->ranks[i].failed = true;
        mpi_failure_becomes_known(world, i, time_ps);
    }
    return awaited;
}
