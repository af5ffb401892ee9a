/* collective_scan.c - prefix reductions: rank r gets a0 op ... op ar (scan) or a0 op ... op ar-1 (exscan).
 *
 * combine(from, to) computes memory[to] = memory[from] op memory[to], see collective_reduce.c. */
#include "mpi/collective/schedule.h"

/* -- one after the other: own input at 0, what comes from the left behind it ------------------- */

void mpi_collective_setup_scan_linear(MpiPlan *plan)
{
    plan->input = plan->result = 0;
    plan->memory = 2 * plan->bytes;
}

static bool linear_round(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 2)
        return false;
    if (number == 0 && plan->rank > 0) {
        mpi_round_receive(out, plan->rank - 1, plan->bytes, plan->bytes);
        mpi_round_combine(out, plan->bytes, 0, plan->bytes);
    }
    if (number == 1 && plan->rank + 1 < plan->size)
        mpi_round_send(out, plan->rank + 1, 0, plan->bytes);
    return true;
}

bool mpi_collective_round_scan_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    return linear_round(plan, number, out);
}

/* The data from the left are the result; that of rank 0 is undefined (MPI-3.1 section 5.11.2). */
void mpi_collective_setup_exscan(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = plan->bytes;
    plan->memory = 2 * plan->bytes;
}

bool mpi_collective_round_exscan_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    return linear_round(plan, number, out);
}

/* -- recursive doubling: partial result of the group at 0, incoming, result -------------------- */

void mpi_collective_setup_scan(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = 2 * plan->bytes;
    plan->memory = 3 * plan->bytes;
}

/* Groups of 2^r ranks pair up. A rank in the upper group receives the whole reduction of the lower group. That is
 * complete even if n is no power of two, since all lower ranks exist. An upper group that is cut off sends an
 * incomplete reduction, but only results of ranks that do not exist would need the rest. */
bool mpi_collective_round_scan_recursive_doubling(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint64_t bytes = plan->bytes, partial = 0, incoming = bytes, result = plan->result;
    if (number == 0) {
        mpi_round_copy(out, partial, result, bytes);
        return true;
    }
    if (number > mpi_rounds_log2(plan->size))
        return false;
    uint32_t partner = plan->rank ^ 1u << (number - 1);
    if (partner >= plan->size)
        return true;
    mpi_round_receive(out, partner, incoming, bytes);
    mpi_round_send(out, partner, partial, bytes);
    if (partner < plan->rank) {
        mpi_round_combine(out, incoming, result, bytes);
        mpi_round_combine(out, incoming, partial, bytes);
    } else {
        mpi_round_combine(out, partial, incoming, bytes);
        mpi_round_copy(out, incoming, partial, bytes);
    }
    return true;
}
