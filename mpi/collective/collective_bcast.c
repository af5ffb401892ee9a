/* collective_bcast.c - broadcasts. Memory of every rank: the data, at offset 0.
 *
 * Trees are over virtual ranks v = (rank - root) mod n (binomial_tree.h). The child with the largest subtree is served
 * first. */
#include "mpi/collective/binomial_tree.h"
#include "mpi/collective/schedule.h"

void mpi_collective_setup_bcast(MpiPlan *plan)
{
    plan->memory = plan->bytes;
    plan->input = plan->result = 0;
}

bool mpi_collective_round_bcast_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    if (plan->rank != plan->root)
        mpi_round_receive(out, plan->root, 0, plan->bytes);
    for (uint32_t i = 0; plan->rank == plan->root && i < plan->size; i++)
        if (i != plan->root)
            mpi_round_send(out, i, 0, plan->bytes);
    return true;
}

bool mpi_collective_round_bcast_binomial(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t v = mpi_virtual_rank(plan);
    if (number >= 2)
        return false;
    if (number == 0) {
        if (v)
            mpi_round_receive(out, mpi_real_rank(plan, v & (v - 1)), 0, plan->bytes);
        return true;
    }
    for (uint64_t step = mpi_subtree(plan, v) / 2; step; step /= 2)
        if (v + step < plan->size)
            mpi_round_send(out, mpi_real_rank(plan, v + step), 0, plan->bytes);
    return true;
}

/* Each rank hands on to the next what it gets, segment by segment, so that all links carry at the same time. */
bool mpi_collective_round_bcast_chain(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    enum { SEGMENT = 8192 };
    uint32_t v = mpi_virtual_rank(plan);
    uint64_t segments = MAX(1, (plan->bytes + SEGMENT - 1) / SEGMENT);
    if (number >= segments + (v != 0))
        return false;
    uint64_t taken = number * (uint64_t)SEGMENT;
    if (v && number < segments)
        mpi_round_receive(out, mpi_real_rank(plan, v - 1), taken, MIN(SEGMENT, plan->bytes - taken));
    if (v + 1 == plan->size || (v && number == 0))
        return true;
    uint64_t given = (number - (v != 0)) * (uint64_t)SEGMENT;
    mpi_round_send(out, mpi_real_rank(plan, v + 1), given, MIN(SEGMENT, plan->bytes - given));
    return true;
}

/* -- multicast: the medium makes the copies ---------------------------------------------------- */

/* Each rank tells its parent in the tree that it and all ranks below it are ready to receive. */
bool mpi_collective_multicast_when_ready(const MpiPlan *plan, uint64_t bytes, uint32_t number, MpiRound *out)
{
    uint32_t v = mpi_virtual_rank(plan);
    if (number >= 2 || plan->size == 1)
        return false;
    if (number == 0) {
        for (uint64_t step = mpi_subtree(plan, v) / 2; step; step /= 2)
            if (v + step < plan->size)
                mpi_round_await(out, mpi_real_rank(plan, v + step));
    } else if (v == 0) {
        mpi_round_multicast(out, 0, bytes);
    } else {
        mpi_round_take(out, plan->root, 0, bytes);
        mpi_round_signal(out, mpi_real_rank(plan, v & (v - 1)));
    }
    return true;
}

/* A short message is sent at once, and kept until its receiver is ready. */
bool mpi_collective_round_bcast_multicast(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (plan->bytes == 0)
        return false;
    if (plan->bytes > plan->eager_limit)
        return mpi_collective_multicast_when_ready(plan, plan->bytes, number, out);
    if (number >= 1 || plan->size == 1)
        return false;
    if (plan->rank == plan->root)
        mpi_round_multicast(out, 0, plan->bytes);
    else
        mpi_round_receive(out, plan->root, 0, plan->bytes);
    return true;
}

/* -- scatter, then allgather (van de Geijn): each byte leaves the root once -------------------- */

/* Returns the offset of piece i of n; piece n starts at the end. */
static uint64_t piece(const MpiPlan *plan, uint64_t i)
{
    uint64_t size = (plan->bytes + plan->size - 1) / plan->size;
    return MIN(i * size, plan->bytes);
}

/* Moves the pieces [from, to) of the virtual ranks as one message. */
static void move_pieces(const MpiPlan *plan, MpiRound *out, bool send, uint32_t peer, uint64_t from, uint64_t to)
{
    uint64_t start = piece(plan, from), bytes = piece(plan, MIN(to, plan->size)) - start;
    if (send)
        mpi_round_send(out, peer, start, bytes);
    else
        mpi_round_receive(out, peer, start, bytes);
}

bool mpi_collective_round_bcast_scatter_allgather(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t v = mpi_virtual_rank(plan), n = plan->size;
    if (number >= n + 1)
        return false;
    if (number == 0) {
        if (v)
            move_pieces(plan, out, false, mpi_real_rank(plan, v & (v - 1)), v, v + mpi_subtree(plan, v));
        return true;
    }
    if (number == 1) {
        for (uint64_t step = mpi_subtree(plan, v) / 2; step; step /= 2)
            if (v + step < n)
                move_pieces(plan, out, true, mpi_real_rank(plan, v + step), v + step, v + 2 * step);
        return true;
    }
    uint32_t turn = number - 2, mine = (v + n - turn) % n, theirs = (v + n - turn - 1) % n;
    move_pieces(plan, out, false, mpi_real_rank(plan, v + n - 1), theirs, theirs + UINT64_C(1));
    move_pieces(plan, out, true, mpi_real_rank(plan, v + UINT64_C(1)), mine, mine + UINT64_C(1));
    return true;
}
