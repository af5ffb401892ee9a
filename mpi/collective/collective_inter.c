/* collective_inter.c - collectives of inter-communicators (MPI-3.1 section 5.2.2): data go from one group to the other.
 *
 * Ranks of the plan: 0 .. size-1 are the local group, size .. size+remote-1 the remote one. In a collective with a
 * root, the root's own plan has its own rank as root, and the plans of the other group have it among their remote
 * ranks. The rest of the root's group (MPI_PROC_NULL) has no root and does nothing. Reductions use rank 0 of each
 * group: the data go up the local tree, to the other group, and from there to all its members. */
#include "mpi/collective/schedule.h"

static bool is_root(const MpiPlan *plan)
{
    return plan->root == plan->rank;
}

/* Whether the root is in the other group. */
static bool takes_part(const MpiPlan *plan)
{
    return plan->root >= plan->size && plan->root != UINT32_MAX;
}

static uint32_t other(const MpiPlan *plan, uint32_t remote_rank)
{
    return plan->size + remote_rank;
}

/* -- barrier: up to each group's rank 0, across, down ------------------------------------------ */

bool mpi_collective_round_barrier_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 3)
        return false;
    if (number == 1) {
        if (plan->rank == 0) {
            mpi_round_await(out, other(plan, 0));
            mpi_round_signal(out, other(plan, 0));
        }
        return true;
    }
    return mpi_collective_round_barrier_linear(plan, number / 2, out);
}

/* -- from the root, to the root ---------------------------------------------------------------- */

bool mpi_collective_round_bcast_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    for (uint32_t i = 0; is_root(plan) && i < plan->remote; i++)
        mpi_round_send(out, other(plan, i), 0, plan->bytes);
    if (takes_part(plan))
        mpi_round_receive(out, plan->root, 0, plan->bytes);
    return true;
}

void mpi_collective_setup_gather_inter(MpiPlan *plan)
{
    plan->input = plan->result = 0;
    plan->memory = !is_root(plan)     ? plan->own_bytes
                   : plan->recv_bytes ? plan->result_bytes
                                      : plan->remote * plan->bytes;
}

bool mpi_collective_round_gather_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    for (uint32_t i = 0; is_root(plan) && i < plan->remote; i++)
        mpi_round_receive(out, other(plan, i), mpi_plan_recv_offset(plan, i), mpi_plan_recv_bytes(plan, i));
    if (takes_part(plan))
        mpi_round_send(out, plan->root, 0, plan->own_bytes);
    return true;
}

void mpi_collective_setup_scatter_inter(MpiPlan *plan)
{
    plan->input = plan->result = 0;
    plan->memory = !is_root(plan) ? plan->own_bytes : plan->send_bytes ? plan->input_bytes : plan->remote * plan->bytes;
}

bool mpi_collective_round_scatter_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    for (uint32_t i = 0; is_root(plan) && i < plan->remote; i++)
        mpi_round_send(out, other(plan, i), mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    if (takes_part(plan))
        mpi_round_receive(out, plan->root, 0, plan->own_bytes);
    return true;
}

/* -- each to each of the other group ----------------------------------------------------------- */

void mpi_collective_setup_allgather_inter(MpiPlan *plan)
{
    plan->result = 0;
    plan->input = plan->recv_bytes ? plan->result_bytes : plan->remote * plan->bytes;
    plan->memory = plan->input + plan->own_bytes;
}

bool mpi_collective_round_allgather_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    for (uint32_t i = 0; i < plan->remote; i++)
        mpi_round_receive(out, other(plan, i), mpi_plan_recv_offset(plan, i), mpi_plan_recv_bytes(plan, i));
    for (uint32_t i = 0; i < plan->remote; i++)
        mpi_round_send(out, other(plan, i), plan->input, plan->own_bytes);
    return true;
}

void mpi_collective_setup_alltoall_inter(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = plan->input_bytes;
    plan->memory = plan->input_bytes + plan->result_bytes;
}

bool mpi_collective_round_alltoall_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    for (uint32_t i = 0; i < plan->remote; i++)
        mpi_round_receive(out, other(plan, i), mpi_plan_recv_offset(plan, i), mpi_plan_recv_bytes(plan, i));
    for (uint32_t i = 0; i < plan->remote; i++)
        mpi_round_send(out, other(plan, i), mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    return true;
}
