/* collective_agreement.c - agreements of those members that are left (mpi/failure/agreement.c): a reduction to the
 * first of them, who sends the result to all.
 *
 * plan->sources lists the members that take part, in ascending order; without it all do. Operators commute. Memory: the
 * contribution, which becomes the result, at offset 0; behind it what each of those who report to this member has sent.
 *
 * When a member fails, those who are left begin anew with another list. So a schedule needs no answer to failures. */
#include "mpi/collective/binomial_tree.h"
#include "mpi/collective/schedule.h"

/* The plan among those who take part: numbers in the list are the ranks, and the first is the root. */
static MpiPlan numbered(const MpiPlan *plan)
{
    MpiPlan among = *plan;
    among.root = 0;
    if (!plan->sources)
        return among;
    uint32_t low = 0, high = plan->n_sources;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uint32_t)plan->sources[middle] <= plan->rank)
            low = middle;
        else
            high = middle;
    }
    among.rank = low;
    among.size = plan->n_sources;
    return among;
}

static uint32_t member(const MpiPlan *plan, uint64_t number)
{
    return plan->sources ? (uint32_t)plan->sources[number] : (uint32_t)number;
}

static void setup(MpiPlan *plan, uint64_t reports)
{
    plan->memory = plan->bytes * (1 + reports);
    plan->input = plan->result = 0;
}

/* Receives the report of a member into place number `at`, and combines it with what is there. */
static void take_report(const MpiPlan *plan, MpiRound *out, uint32_t from, uint32_t at)
{
    mpi_round_receive(out, member(plan, from), (1 + at) * plan->bytes, plan->bytes);
    mpi_round_combine(out, (1 + at) * plan->bytes, 0, plan->bytes);
}

/* -- a tree ------------------------------------------------------------------------------------ */

void mpi_collective_setup_agreement_tree(MpiPlan *plan)
{
    MpiPlan among = numbered(plan);
    uint64_t reports = 0;
    for (uint64_t step = mpi_subtree(&among, among.rank) / 2; step; step /= 2)
        reports += among.rank + step < among.size;
    setup(plan, reports);
}

bool mpi_collective_round_agreement_tree(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    enum { REPORTS_COME, REPORT, RESULT_COMES, RESULT, ROUNDS };
    MpiPlan among = numbered(plan);
    uint32_t v = among.rank, above = member(plan, v & (v - 1)), at = 0;
    for (uint64_t step = mpi_subtree(&among, v) / 2; step; step /= 2) {
        if (v + step >= among.size)
            continue;
        if (number == REPORTS_COME)
            take_report(plan, out, (uint32_t)(v + step), at++);
        else if (number == RESULT)
            mpi_round_send(out, member(plan, v + step), 0, plan->bytes);
    }
    if (v && number == REPORT)
        mpi_round_send(out, above, 0, plan->bytes);
    else if (v && number == RESULT_COMES)
        mpi_round_receive(out, above, 0, plan->bytes);
    return number < ROUNDS;
}

/* -- a star: the first hears all others -------------------------------------------------------- */

void mpi_collective_setup_agreement_star(MpiPlan *plan)
{
    MpiPlan among = numbered(plan);
    setup(plan, among.rank ? 0 : among.size - 1);
}

bool mpi_collective_round_agreement_star(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    enum { REPORTS, RESULTS, ROUNDS };
    MpiPlan among = numbered(plan);
    if (among.rank && number == REPORTS)
        mpi_round_send(out, member(plan, 0), 0, plan->bytes);
    else if (among.rank && number == RESULTS)
        mpi_round_receive(out, member(plan, 0), 0, plan->bytes);
    for (uint32_t i = 1; among.rank == 0 && i < among.size; i++) {
        if (number == REPORTS)
            take_report(plan, out, i, i - 1);
        else if (number == RESULTS)
            mpi_round_send(out, member(plan, i), 0, plan->bytes);
    }
    return number < ROUNDS;
}
