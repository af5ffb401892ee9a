/* rounds.c - the functions with which algorithms write their rounds (see schedule.h). */
#include "mpi/collective/schedule.h"

uint32_t mpi_rounds_log2(uint32_t size)
{
    return size > 1 ? 32 - (uint32_t)__builtin_clz(size - 1) : 0;
}

static void add_step(MpiScheduleStep **steps, uint32_t *n, uint32_t *capacity, MpiScheduleStep step)
{
    if (*n == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 2;
        *steps = g_renew(MpiScheduleStep, *steps, *capacity);
    }
    (*steps)[(*n)++] = step;
}

static void add_message(MpiRound *round, MpiScheduleStep step)
{
    add_step(&round->messages, &round->n_messages, &round->messages_capacity, step);
}

static void add_local(MpiRound *round, MpiScheduleStep step)
{
    if (step.bytes)
        add_step(&round->locals, &round->n_locals, &round->locals_capacity, step);
}

void mpi_round_send(MpiRound *round, uint32_t peer, uint64_t from, uint64_t bytes)
{
    if (bytes)
        add_message(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_SEND, .peer = peer, .from = from, .bytes = bytes});
}

void mpi_round_take(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes)
{
    add_message(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_RECEIVE, .peer = peer, .to = to, .bytes = bytes});
}

void mpi_round_receive(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes)
{
    if (bytes)
        mpi_round_take(round, peer, to, bytes);
}

void mpi_round_signal(MpiRound *round, uint32_t to)
{
    add_message(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_SEND, .peer = to});
}

void mpi_round_await(MpiRound *round, uint32_t from)
{
    add_message(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_RECEIVE, .peer = from});
}

void mpi_round_multicast(MpiRound *round, uint64_t from, uint64_t bytes)
{
    add_message(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_MULTICAST, .from = from, .bytes = bytes});
}

void mpi_round_combine(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes)
{
    add_local(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_COMBINE, .from = from, .to = to, .bytes = bytes});
}

void mpi_round_copy(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes)
{
    if (from != to)
        add_local(round, (MpiScheduleStep){.kind = MPI_SCHEDULE_COPY, .from = from, .to = to, .bytes = bytes});
}

void mpi_round_all_with_all(MpiRound *round)
{
    round->all_with_all = true;
}

void mpi_round_spell_out(const MpiPlan *plan, MpiRound *round)
{
    for (uint32_t distance = 1; round->all_with_all && distance < plan->size; distance++) {
        uint32_t from = mpi_plan_before(plan, distance), to = mpi_plan_behind(plan, distance);
        mpi_round_receive(round, from, mpi_plan_recv_offset(plan, from), mpi_plan_recv_bytes(plan, from));
        mpi_round_send(round, to, mpi_plan_send_offset(plan, to), mpi_plan_send_bytes(plan, to));
    }
    round->all_with_all = false;
}

void mpi_round_clear(MpiRound *round)
{
    round->n_messages = round->n_locals = 0;
    round->all_with_all = false;
}

void mpi_round_free(MpiRound *round)
{
    g_free(round->messages);
    g_free(round->locals);
    *round = (MpiRound){0};
}
