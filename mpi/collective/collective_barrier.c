/* collective_barrier.c - barriers: signals without data. */
#include "mpi/collective/schedule.h"

void mpi_collective_setup_barrier(MpiPlan *plan)
{
    plan->memory = plan->input = plan->result = 0;
}

/* In round r every rank signals the one 2^r further and receives a signal from the one 2^r before. After ceil(log2 n)
 * rounds it has heard, directly or not, from all ranks (Hensgen, Finkel, Manber: Two algorithms for barrier
 * synchronization, 1988).
 */
bool mpi_collective_round_barrier_dissemination(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= mpi_rounds_log2(plan->size))
        return false;
    uint64_t distance = UINT64_C(1) << number;
    mpi_round_await(out, (uint32_t)((plan->rank + plan->size - distance) % plan->size));
    mpi_round_signal(out, (uint32_t)((plan->rank + distance) % plan->size));
    return true;
}

/* All ranks signal rank 0, up a tree, and wait. Rank 0 then signals all of them by one multicast. */
bool mpi_collective_round_barrier_multicast(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    MpiPlan from_0 = *plan;
    from_0.root = 0;
    return mpi_collective_multicast_when_ready(&from_0, 0, number, out);
}

/* All ranks signal rank 0, then rank 0 signals all. */
bool mpi_collective_round_barrier_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 2)
        return false;
    bool up = number == 0;
    if (plan->rank != 0) {
        (up ? mpi_round_signal : mpi_round_await)(out, 0);
        return true;
    }
    for (uint32_t i = 1; i < plan->size; i++)
        (up ? mpi_round_await : mpi_round_signal)(out, i);
    return true;
}
