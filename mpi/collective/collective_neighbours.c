/* collective_neighbours.c - collectives along the edges of a topology: all messages at once.
 *
 * Two processes may be neighbours twice, in a periodic dimension of size two, or a process may be its own neighbour.
 * Then data sent in one direction must be received from the other direction (MPI-4.0 section 8.6). Messages between two
 * ranks keep their order, so it is enough to send the two messages of a dimension in the opposite order. Edges of
 * graphs keep the order of their lists. */
#include "mpi/collective/schedule.h"

void mpi_collective_setup_neighbours(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = plan->send_bytes ? plan->input_bytes : plan->own_bytes;
    plan->memory = plan->result + plan->result_bytes;
}

static void receive_all(const MpiPlan *plan, MpiRound *out)
{
    for (uint32_t i = 0; i < plan->n_sources; i++)
        if (plan->sources[i] >= 0)
            mpi_round_receive(out, (uint32_t)plan->sources[i], mpi_plan_recv_offset(plan, i), plan->recv_bytes[i]);
}

/* Returns the neighbour that the i-th message is sent to. */
static uint32_t in_order(const MpiPlan *plan, uint32_t i)
{
    return plan->grid ? i ^ 1 : i;
}

bool mpi_collective_round_neighbour_allgather(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    receive_all(plan, out);
    for (uint32_t i = 0; i < plan->n_destinations; i++)
        if (plan->destinations[in_order(plan, i)] >= 0)
            mpi_round_send(out, (uint32_t)plan->destinations[in_order(plan, i)], plan->input, plan->own_bytes);
    return true;
}

bool mpi_collective_round_neighbour_alltoall(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    if (number >= 1)
        return false;
    receive_all(plan, out);
    for (uint32_t i = 0; i < plan->n_destinations; i++) {
        uint32_t to = in_order(plan, i);
        if (plan->destinations[to] >= 0)
            mpi_round_send(out, (uint32_t)plan->destinations[to], mpi_plan_send_offset(plan, to), plan->send_bytes[to]);
    }
    return true;
}
