/* collective_exchange.c - exchanges of all with all: allgather and alltoall.
 *
 * Allgather: a rank's own block is in its place in the result from the start. Only Bruck's algorithm rotates the
 * blocks, so that each rank's own block is first. Alltoall: input and result are separate. */
#include "mpi/collective/schedule.h"

/* -- allgather --------------------------------------------------------------------------------- */

void mpi_collective_setup_allgather(MpiPlan *plan)
{
    plan->result = 0;
    plan->memory = plan->recv_bytes ? plan->result_bytes : plan->size * plan->bytes;
    plan->input = mpi_plan_recv_offset(plan, plan->rank);
}

/* In each of n - 1 rounds, the block that came last is sent on to the right. */
bool mpi_collective_round_allgather_ring(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number + UINT64_C(1) >= plan->size)
        return false;
    uint32_t mine = mpi_plan_before(plan, number), theirs = mpi_plan_before(plan, number + 1);
    mpi_round_receive(out, mpi_plan_before(plan, 1), mpi_plan_recv_offset(plan, theirs),
                      mpi_plan_recv_bytes(plan, theirs));
    mpi_round_send(out, mpi_plan_behind(plan, 1), mpi_plan_recv_offset(plan, mine), mpi_plan_recv_bytes(plan, mine));
    return true;
}

/* Groups of 2^r ranks that have all their members' blocks pair up. */
bool mpi_collective_round_allgather_recursive_doubling(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= mpi_rounds_log2(plan->size))
        return false;
    uint32_t group = 1u << number, partner = plan->rank ^ group;
    uint64_t bytes = group * plan->bytes;
    mpi_round_receive(out, partner, (partner & ~(group - 1)) * plan->bytes, bytes);
    mpi_round_send(out, partner, (plan->rank & ~(group - 1)) * plan->bytes, bytes);
    return true;
}

void mpi_collective_setup_allgather_bruck(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = plan->size * plan->bytes;
    plan->memory = 2 * plan->result;
}

/* Bruck et al., Efficient algorithms for all-to-all communications, 1997. After round r a rank has the blocks of
 * itself and the 2^(r+1) - 1 ranks behind it, in that order. At the end the blocks are rotated into their places. */
bool mpi_collective_round_allgather_bruck(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    uint64_t n = plan->size, bytes = plan->bytes;
    if (number > rounds)
        return false;
    if (number == rounds) {
        mpi_round_copy(out, 0, plan->result + plan->rank * bytes, (n - plan->rank) * bytes);
        mpi_round_copy(out, (n - plan->rank) * bytes, plan->result, plan->rank * bytes);
        return true;
    }
    uint32_t have = 1u << number;
    uint64_t move = MIN(have, n - have) * bytes;
    mpi_round_receive(out, mpi_plan_behind(plan, have), have * bytes, move);
    mpi_round_send(out, mpi_plan_before(plan, have), 0, move);
    return true;
}

/* -- alltoall ---------------------------------------------------------------------------------- */

void mpi_collective_setup_alltoall(MpiPlan *plan)
{
    uint64_t input = plan->send_bytes ? plan->input_bytes : plan->size * plan->bytes;
    plan->input = 0;
    plan->result = input;
    plan->memory = input + (plan->recv_bytes ? plan->result_bytes : plan->size * plan->bytes);
}

static void copy_own(const MpiPlan *plan, MpiRound *out)
{
    mpi_round_copy(out, mpi_plan_send_offset(plan, plan->rank), mpi_plan_recv_offset(plan, plan->rank),
                   MIN(mpi_plan_send_bytes(plan, plan->rank), mpi_plan_recv_bytes(plan, plan->rank)));
}

static void exchange(const MpiPlan *plan, MpiRound *out, uint32_t from, uint32_t to)
{
    mpi_round_receive(out, from, mpi_plan_recv_offset(plan, from), mpi_plan_recv_bytes(plan, from));
    mpi_round_send(out, to, mpi_plan_send_offset(plan, to), mpi_plan_send_bytes(plan, to));
}

/* All messages at once. Each rank starts with its neighbour, so that they do not all send to the same rank first. */
bool mpi_collective_round_alltoall_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    mpi_round_all_with_all(out);
    copy_own(plan, out);
    return true;
}

/* In round r, each rank sends to the rank r behind and receives from the rank r before. */
bool mpi_collective_round_alltoall_pairwise(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= plan->size)
        return false;
    if (number == 0)
        copy_own(plan, out);
    else
        exchange(plan, out, mpi_plan_before(plan, number), mpi_plan_behind(plan, number));
    return true;
}
