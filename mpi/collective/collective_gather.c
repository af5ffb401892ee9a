/* collective_gather.c - gathers and scatters, between one rank and all others.
 *
 * Linear: the root exchanges a message with each rank; its own block is in its place from the start. Binomial: over
 * virtual ranks v = (rank - root) mod n, rank v holds the blocks [v, v + its subtree) in one piece, its own first. The
 * root's blocks are then in the order of virtual ranks. Two copies rotate them into the order of ranks (none for root
 * 0).
 */
#include "mpi/collective/binomial_tree.h"
#include "mpi/collective/schedule.h"

/* Returns the number of ranks in [v, v + span) that exist. */
static uint64_t existing(const MpiPlan *plan, uint64_t v, uint64_t span)
{
    return MIN(span, plan->size - v);
}

static uint64_t total(const MpiPlan *plan)
{
    return plan->size * plan->bytes;
}

/* -- linear ------------------------------------------------------------------------------------ */

void mpi_collective_setup_gather_linear(MpiPlan *plan)
{
    bool root = plan->rank == plan->root;
    plan->result = 0;
    plan->memory = !root ? plan->own_bytes : plan->recv_bytes ? plan->result_bytes : total(plan);
    plan->input = root ? mpi_plan_recv_offset(plan, plan->rank) : 0;
}

bool mpi_collective_round_gather_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    if (plan->rank != plan->root)
        mpi_round_send(out, plan->root, plan->input, plan->own_bytes);
    for (uint32_t i = 0; plan->rank == plan->root && i < plan->size; i++)
        if (i != plan->root)
            mpi_round_receive(out, i, mpi_plan_recv_offset(plan, i), mpi_plan_recv_bytes(plan, i));
    return true;
}

void mpi_collective_setup_scatter_linear(MpiPlan *plan)
{
    bool root = plan->rank == plan->root;
    plan->input = 0;
    plan->memory = !root ? plan->own_bytes : plan->send_bytes ? plan->input_bytes : total(plan);
    plan->result = root ? mpi_plan_send_offset(plan, plan->rank) : 0;
}

bool mpi_collective_round_scatter_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    if (plan->rank != plan->root)
        mpi_round_receive(out, plan->root, plan->result, plan->own_bytes);
    for (uint32_t i = 0; plan->rank == plan->root && i < plan->size; i++)
        if (i != plan->root)
            mpi_round_send(out, i, mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    return true;
}

/* -- binomial ---------------------------------------------------------------------------------- */

/* Rotates blocks between the order of virtual ranks at `by_virtual` and the order of ranks at `by_rank`. */
static void turn(const MpiPlan *plan, MpiRound *out, uint64_t by_virtual, uint64_t by_rank, bool to_rank)
{
    uint64_t high = (plan->size - plan->root) * plan->bytes, low = plan->root * plan->bytes;
    if (to_rank) {
        mpi_round_copy(out, by_virtual, by_rank + low, high);
        mpi_round_copy(out, by_virtual + high, by_rank, low);
    } else {
        mpi_round_copy(out, by_rank + low, by_virtual, high);
        mpi_round_copy(out, by_rank, by_virtual + high, low);
    }
}

/* Setup for both directions. A root other than rank 0 needs memory for the blocks twice: before and after rotating. */
void mpi_collective_setup_tree_blocks(MpiPlan *plan)
{
    uint32_t v = mpi_virtual_rank(plan);
    bool turned = v == 0 && plan->root != 0;
    plan->input = 0;
    plan->memory = existing(plan, v, mpi_subtree(plan, v)) * plan->bytes;
    plan->result = turned ? plan->memory : 0;
    if (turned)
        plan->memory *= 2;
}

bool mpi_collective_round_gather_binomial(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t v = mpi_virtual_rank(plan);
    if (number >= 2)
        return false;
    if (number == 1) {
        if (v)
            mpi_round_send(out, mpi_real_rank(plan, v & (v - 1)), 0,
                           existing(plan, v, mpi_subtree(plan, v)) * plan->bytes);
        return true;
    }
    for (uint64_t step = 1; step < mpi_subtree(plan, v); step *= 2)
        if (v + step < plan->size)
            mpi_round_receive(out, mpi_real_rank(plan, v + step), step * plan->bytes,
                              existing(plan, v + step, step) * plan->bytes);
    if (v == 0)
        turn(plan, out, 0, plan->result, true);
    return true;
}

bool mpi_collective_round_scatter_binomial(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t v = mpi_virtual_rank(plan);
    if (number >= 2)
        return false;
    if (number == 0) {
        if (v)
            mpi_round_receive(out, mpi_real_rank(plan, v & (v - 1)), 0,
                              existing(plan, v, mpi_subtree(plan, v)) * plan->bytes);
        else
            turn(plan, out, plan->result, 0, false);
        return true;
    }
    for (uint64_t step = mpi_subtree(plan, v) / 2; step; step /= 2)
        if (v + step < plan->size)
            mpi_round_send(out, mpi_real_rank(plan, v + step), plan->result + step * plan->bytes,
                           existing(plan, v + step, step) * plan->bytes);
    return true;
}
