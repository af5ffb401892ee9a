/* neighbourhoods.c - collectives along the edges of a topology (MPI-3.1 section 7.6): each process exchanges data with
 * its neighbours in the communicator's topology, of whichever kind that is (topology.h).
 *
 * There is one block per neighbour. A missing neighbour (MPI_PROC_NULL, at the border of a grid) has a block that is
 * not touched. The algorithm is in collective_neighbours.c. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/topology/topology.h"

/* -- the calls --------------------------------------------------------------------------------- */

/* Makes the task of a collective on the communicator in argument `arg`, with its neighbours. */
static bool task_parse(MpiCall *call, unsigned arg, MpiCollective collective, MpiTask **task, MpiStep *step)
{
    MpiComm *comm;
    int sources, destinations;
    if (!mpi_task_parse(call, arg, &comm, step))
        return false;
    if (!mpi_topology_degrees(comm, &sources, &destinations)) {
        *step = mpi_call_error(call, comm, MPI_ERR_TOPOLOGY,
                               "the communicator (argument %u) has no topology, so no neighbours; make one with "
                               "MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create",
                               arg + 1);
        return false;
    }
    *task = mpi_task_new(call, comm, collective);
    MpiPlan *plan = &(*task)->plan;
    (*task)->peers = g_new(int, (size_t)sources + (size_t)destinations + 1);
    plan->sources = (*task)->peers;
    plan->destinations = plan->sources + sources;
    plan->n_sources = (uint32_t)sources;
    plan->n_destinations = (uint32_t)destinations;
    plan->grid = comm->topology->kind == MPI_TOPOLOGY_CART;
    mpi_topology_neighbours(comm, (*task)->peers, (*task)->peers + sources);
    return true;
}

static MpiStep run(MpiCall *call, MpiTask *task)
{
    MpiStep step;
    MpiPlan *plan = &task->plan;
    for (uint32_t i = 0; i < plan->n_sources; i++)
        if (plan->sources[i] < 0)
            task->result.block_bytes[i] = 0; /* the block stays as it is */
    plan->recv_bytes = task->result.block_bytes;
    plan->recv_offsets = task->result.block_offsets;
    plan->result_bytes = task->result.bytes;
    plan->send_bytes = task->input.block_bytes;
    plan->send_offsets = task->input.block_offsets;
    plan->input_bytes = plan->own_bytes = task->input.bytes;
    task->has_input = task->has_result = true;
    MpiShare share = mpi_share_none(-1);
    share.pairs = plan;
    return mpi_ask_blocks(call->world, call, task, &step) && mpi_aliasing_check(call, task, &step) &&
                   mpi_ask_share(call->world, call, task->comm, &share, &step)
               ? mpi_task_run(call)
               : step;
}

static MpiStep allgather(MpiCall *call, bool equal, unsigned comm)
{
    static const MpiBlockArguments received = {.buffer = 3, .counts = 4, .places = 5, .type = 6};
    MpiTask *task;
    MpiStep step;
    if (!task_parse(call, comm, MPI_COLLECTIVE_NEIGHBOR_ALLGATHER, &task, &step) ||
        !mpi_vector_parse(call, task->comm, 0, 1, 2, 1, false, &task->input, &step))
        return step;
    uint32_t n = task->plan.n_sources;
    if (equal ? !mpi_vector_parse(call, task->comm, 3, 4, 5, n, true, &task->result, &step)
              : !mpi_vector_parse_blocks(call, task->comm, received, false, n, true, &task->result, &step))
        return step;
    if (equal)
        mpi_vector_split(&task->result, n);
    return run(call, task);
}

MPI_HANDLER(Neighbor_allgather, allgather(call, true, 6))
MPI_HANDLER(Neighbor_allgatherv, allgather(call, false, 7))

MpiStep mpi_do_Neighbor_alltoall(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    if (!task_parse(call, 6, MPI_COLLECTIVE_NEIGHBOR_ALLTOALL, &task, &step) ||
        !mpi_vector_parse(call, task->comm, 0, 1, 2, task->plan.n_destinations, false, &task->input, &step) ||
        !mpi_vector_parse(call, task->comm, 3, 4, 5, task->plan.n_sources, true, &task->result, &step))
        return step;
    mpi_vector_split(&task->input, task->plan.n_destinations);
    mpi_vector_split(&task->result, task->plan.n_sources);
    return run(call, task);
}

/* `each`: every block has its own datatype, and displacements are MPI_Aint in every form. */
static MpiStep alltoall_blocks(MpiCall *call, bool each)
{
    MpiBlockArguments sent = {.buffer = 0, .counts = 1, .places = 2, .type = 3, .wide_places = each};
    MpiBlockArguments received = {.buffer = 4, .counts = 5, .places = 6, .type = 7, .wide_places = each};
    MpiTask *task;
    MpiStep step;
    if (!task_parse(call, 8, MPI_COLLECTIVE_NEIGHBOR_ALLTOALL, &task, &step) ||
        !mpi_vector_parse_blocks(call, task->comm, sent, each, task->plan.n_destinations, false, &task->input, &step) ||
        !mpi_vector_parse_blocks(call, task->comm, received, each, task->plan.n_sources, true, &task->result, &step))
        return step;
    return run(call, task);
}

MPI_HANDLER(Neighbor_alltoallv, alltoall_blocks(call, false))
MPI_HANDLER(Neighbor_alltoallw, alltoall_blocks(call, true))
