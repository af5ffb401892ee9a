/* collective_reduce.c - reductions: reduce, allreduce, reduce_scatter. (Prefix reductions: collective_scan.c.)
 *
 * combine(from, to) computes memory[to] = memory[from] op memory[to], as MPI operators do, so the left operand is
 * `from`. Operators may not commute, so algorithms combine only neighbouring runs of ranks, with the lower run on the
 * left. The result is a bracketing of a0 op a1 op ... op an-1 that depends on n and the algorithm, never on timing.
 *
 * The memory has two halves of one vector each: the accumulator (at first the rank's own input), and the incoming data.
 * After acc = acc op incoming the result is in the incoming half, so the halves change roles. The parity of k says
 * which half is the accumulator after k such combinations. */
#include "mpi/collective/schedule.h"

static uint64_t half(uint64_t combinations, uint64_t bytes)
{
    return combinations % 2 ? bytes : 0;
}

/* -- reduce ------------------------------------------------------------------------------------ */

/* The binomial tree on ranks v of n. In round r, v with bit r set (and no lower bit) sends its run [v, v + 2^r) to v -
 * 2^r. */

/* Returns the number of runs that v has combined before round r, if it is still active. */
static uint64_t taken_in(uint64_t v, uint64_t size, uint32_t round)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < round && v + (UINT64_C(1) << k) < size; k++)
        n++;
    return n;
}

/* Returns the rank at the top of the tree. If the operator commutes, that is the root. Otherwise it is rank 0, which
 * then sends the result to the root. */
static uint32_t tree_shift(const MpiPlan *plan)
{
    return plan->commutative ? plan->root : 0;
}

/* Writes a round of the tree among virtual ranks, on vectors of `bytes`. */
static void tree_round(const MpiPlan *plan, uint32_t shift, uint64_t bytes, uint32_t round, MpiRound *out)
{
    uint64_t n = plan->size, v = (plan->rank + n - shift) % n, step = UINT64_C(1) << round;
    if (v & (step - 1))
        return; /* has sent its run in an earlier round */
    uint64_t accumulator = half(taken_in(v, n, round), bytes), incoming = bytes - accumulator;
    if (v & step) {
        mpi_round_send(out, (uint32_t)((v - step + shift) % n), accumulator, bytes);
    } else if (v + step < n) {
        mpi_round_receive(out, (uint32_t)((v + step + shift) % n), incoming, bytes);
        mpi_round_combine(out, accumulator, incoming, bytes);
    }
}

/* Returns the offset of the result at the top of the tree. */
static uint64_t tree_result(const MpiPlan *plan, uint64_t bytes)
{
    return half(taken_in(0, plan->size, mpi_rounds_log2(plan->size)), bytes);
}

void mpi_collective_setup_reduce(MpiPlan *plan)
{
    bool leaf = (plan->rank + plan->size - tree_shift(plan)) % plan->size % 2 == 1 && plan->rank != plan->root;
    plan->memory = leaf ? plan->bytes : 2 * plan->bytes;
    plan->input = 0;
    plan->result = plan->root == tree_shift(plan) ? tree_result(plan, plan->bytes) : 0;
    if (plan->rank != plan->root)
        plan->result = 0;
}

bool mpi_collective_round_reduce_binomial(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size), shift = tree_shift(plan);
    if (number < rounds) {
        tree_round(plan, shift, plan->bytes, number, out);
        return true;
    }
    if (number > rounds || plan->root == shift)
        return false;
    if (plan->rank == 0)
        mpi_round_send(out, plan->root, tree_result(plan, plan->bytes), plan->bytes);
    else if (plan->rank == plan->root)
        mpi_round_receive(out, 0, plan->result, plan->bytes);
    return true;
}

/* The root's memory holds the input, the accumulator and the incoming vector. */
void mpi_collective_setup_reduce_linear(MpiPlan *plan)
{
    bool root = plan->rank == plan->root;
    plan->memory = root ? 3 * plan->bytes : plan->bytes;
    plan->input = 0;
    plan->result = root ? plan->bytes : 0;
}

/* The root combines the ranks from the last to the first, so acc = a_i op acc. */
bool mpi_collective_round_reduce_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint64_t bytes = plan->bytes, accumulator = plan->result, incoming = 2 * bytes;
    if (plan->rank != plan->root) {
        if (number == 0)
            mpi_round_send(out, plan->root, 0, bytes);
        return number == 0;
    }
    if (number >= plan->size)
        return false;
    uint32_t from = plan->size - 1 - number;
    uint64_t place = from == plan->root ? plan->input : number == 0 ? accumulator : incoming;
    if (from != plan->root)
        mpi_round_receive(out, from, place, bytes);
    if (number == 0)
        mpi_round_copy(out, place, accumulator, bytes);
    else
        mpi_round_combine(out, place, accumulator, bytes);
    return true;
}

/* -- allreduce --------------------------------------------------------------------------------- */

void mpi_collective_setup_allreduce(MpiPlan *plan)
{
    plan->memory = 2 * plan->bytes;
    plan->input = 0;
    plan->result = 0; /* every algorithm moves its result to offset 0 */
}

/* Reduces n ranks to a power of two: the first 2 * extra ranks pair up, and rank 2i gives its vector to 2i + 1. */
typedef struct Fold {
    uint32_t power, extra, rounds;
    bool in;       /* this rank takes part in the main phase */
    uint32_t rank; /* rank among those that take part */
} Fold;

static Fold fold_make(const MpiPlan *plan)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    if ((UINT64_C(1) << rounds) > plan->size)
        rounds--;
    Fold fold = {.power = 1u << rounds, .rounds = rounds};
    fold.extra = plan->size - fold.power;
    fold.in = plan->rank >= 2 * fold.extra || plan->rank % 2 == 1;
    fold.rank = plan->rank < 2 * fold.extra ? plan->rank / 2 : plan->rank - fold.extra;
    return fold;
}

static uint32_t fold_real(const Fold *fold, uint32_t rank)
{
    return rank < fold->extra ? 2 * rank + 1 : rank + fold->extra;
}

/* In each round two partners exchange vectors. The lower run is the left operand on both sides, so all ranks compute
 * the same bits. The vector of a lower partner is combined in place; with a higher partner the halves change roles. */
static uint64_t doubling_half(const Fold *fold, uint32_t round, uint64_t bytes)
{
    uint32_t higher = (uint32_t)~fold->rank & (uint32_t)((UINT64_C(1) << round) - 1); /* rounds with a higher partner */
    return half((uint64_t)__builtin_popcount(higher), bytes);
}

static void doubling_round(const MpiPlan *plan, const Fold *fold, uint32_t round, MpiRound *out)
{
    uint64_t bytes = plan->bytes, accumulator = doubling_half(fold, round, bytes), incoming = bytes - accumulator;
    uint32_t partner = fold->rank ^ 1u << round, peer = fold_real(fold, partner);
    mpi_round_receive(out, peer, incoming, bytes);
    mpi_round_send(out, peer, accumulator, bytes);
    if (partner < fold->rank)
        mpi_round_combine(out, incoming, accumulator, bytes);
    else
        mpi_round_combine(out, accumulator, incoming, bytes);
}

/* Before the main phase: the odd rank of a pair combines the even rank's vector as its left operand. */
static void fold_round(const MpiPlan *plan, const Fold *fold, MpiRound *out)
{
    if (plan->rank >= 2 * fold->extra)
        return;
    if (!fold->in) {
        mpi_round_send(out, plan->rank + 1, 0, plan->bytes);
        return;
    }
    mpi_round_receive(out, plan->rank - 1, plan->bytes, plan->bytes);
    mpi_round_combine(out, plan->bytes, 0, plan->bytes);
}

/* After the main phase: the odd rank sends the result to the even rank. */
static void unfold_round(const MpiPlan *plan, const Fold *fold, MpiRound *out)
{
    uint64_t at = doubling_half(fold, fold->rounds, plan->bytes);
    if (plan->rank < 2 * fold->extra && fold->in)
        mpi_round_send(out, plan->rank - 1, at, plan->bytes);
    else if (!fold->in)
        mpi_round_receive(out, plan->rank + 1, 0, plan->bytes);
    if (fold->in)
        mpi_round_copy(out, at, plan->result, plan->bytes);
}

bool mpi_collective_round_allreduce_recursive_doubling(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    Fold fold = fold_make(plan);
    if (number > fold.rounds + 1)
        return false;
    if (number == 0)
        fold_round(plan, &fold, out);
    else if (number == fold.rounds + 1)
        unfold_round(plan, &fold, out);
    else if (fold.in)
        doubling_round(plan, &fold, number - 1, out);
    return true;
}

/* Broadcasts the result from rank 0. */
static bool spread_round(const MpiPlan *plan, uint32_t round, MpiRound *out)
{
    MpiPlan bcast = *plan;
    bcast.root = 0;
    return mpi_collective_round_bcast_binomial(&bcast, round, out);
}

bool mpi_collective_round_allreduce_reduce_bcast(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    if (number < rounds) {
        tree_round(plan, 0, plan->bytes, number, out);
        return true;
    }
    if (number == rounds) {
        if (plan->rank == 0)
            mpi_round_copy(out, tree_result(plan, plan->bytes), plan->result, plan->bytes);
        return true;
    }
    return spread_round(plan, number - rounds - 1, out);
}

/* The reduction goes up the tree to rank 0. A rank that has sent its run waits for the result from then on, so rank 0
 * need not ask whether it is ready. */
bool mpi_collective_round_allreduce_multicast(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    if (number > rounds + 1 || plan->bytes == 0)
        return false;
    if (number < rounds) {
        if (plan->rank & (UINT32_C(1) << number) && !(plan->rank & ((UINT32_C(1) << number) - 1)))
            mpi_round_receive(out, 0, plan->result, plan->bytes);
        tree_round(plan, 0, plan->bytes, number, out);
    } else if (plan->rank == 0 && number == rounds) {
        mpi_round_copy(out, tree_result(plan, plan->bytes), plan->result, plan->bytes);
    } else if (plan->rank == 0 && plan->size > 1) {
        mpi_round_multicast(out, plan->result, plan->bytes);
    }
    return true;
}

/* -- reduce_scatter ---------------------------------------------------------------------------- */

static uint64_t vector_bytes(const MpiPlan *plan)
{
    return plan->send_bytes ? plan->input_bytes : plan->size * plan->bytes;
}

/* Reduces to rank 0, which then scatters the blocks. Memory: the two halves, then the rank's own block. */
void mpi_collective_setup_reduce_scatter(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = 2 * vector_bytes(plan);
    plan->memory = plan->result + plan->own_bytes;
}

bool mpi_collective_round_reduce_then_scatter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    uint64_t vector = vector_bytes(plan), at = tree_result(plan, vector);
    if (number < rounds) {
        tree_round(plan, 0, vector, number, out);
        return true;
    }
    if (number > rounds)
        return false;
    if (plan->rank != 0) {
        mpi_round_receive(out, 0, plan->result, plan->own_bytes);
        return true;
    }
    for (uint32_t i = 1; i < plan->size; i++)
        mpi_round_send(out, i, at + mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    mpi_round_copy(out, at + mpi_plan_send_offset(plan, 0), plan->result, plan->own_bytes);
    return true;
}

/* In round r, each rank sends a block to the rank r behind, and receives its own block from the rank r before. The
 * operands are combined in the order of rounds, so the operator must commute. */
void mpi_collective_setup_reduce_scatter_pairwise(MpiPlan *plan)
{
    plan->input = 0;
    plan->result = mpi_plan_send_offset(plan, plan->rank);
    plan->memory = vector_bytes(plan) + plan->own_bytes;
}

bool mpi_collective_round_reduce_scatter_pairwise(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint64_t n = plan->size, incoming = vector_bytes(plan);
    if (number + 1 >= n)
        return false;
    uint32_t to = (uint32_t)((plan->rank + number + 1) % n), from = (uint32_t)((plan->rank + n - number - 1) % n);
    mpi_round_receive(out, from, incoming, plan->own_bytes);
    mpi_round_send(out, to, mpi_plan_send_offset(plan, to), mpi_plan_send_bytes(plan, to));
    mpi_round_combine(out, incoming, plan->result, plan->own_bytes);
    return true;
}

/* Every rank sends every other rank its block. A rank combines the blocks from the last rank to the first. */
void mpi_collective_setup_reduce_scatter_linear(MpiPlan *plan)
{
    uint64_t vector = vector_bytes(plan);
    plan->input = 0;
    plan->result = vector + (plan->size - 1) * plan->own_bytes;
    plan->memory = vector + plan->size * plan->own_bytes;
}

bool mpi_collective_round_reduce_scatter_linear(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint64_t blocks = vector_bytes(plan), own = plan->own_bytes;
    if (number >= 1)
        return false;
    for (uint32_t i = 0; i < plan->size; i++)
        if (i != plan->rank)
            mpi_round_receive(out, i, blocks + i * own, own);
    for (uint32_t i = 0; i < plan->size; i++)
        if (i != plan->rank)
            mpi_round_send(out, i, mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    mpi_round_copy(out, mpi_plan_send_offset(plan, plan->rank), blocks + plan->rank * own, own);
    for (uint32_t i = plan->size - 1; i-- > 0;)
        mpi_round_combine(out, blocks + i * own, plan->result, own);
    return true;
}

/* -- inter-communicators: the other group's vectors (collective_inter.c) ----------------------- */

/* The root has memory for the result; members of the other group have the two halves. */
void mpi_collective_setup_reduce_inter(MpiPlan *plan)
{
    plan->input = plan->result = 0;
    plan->memory = plan->rank == plan->root ? plan->bytes : 2 * plan->bytes;
}

bool mpi_collective_round_reduce_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    if (plan->root == UINT32_MAX)
        return false;
    if (plan->rank == plan->root) {
        if (number == 0)
            mpi_round_receive(out, plan->size, 0, plan->bytes);
        return number == 0;
    }
    if (number < rounds)
        tree_round(plan, 0, plan->bytes, number, out);
    else if (number == rounds && plan->rank == 0)
        mpi_round_send(out, plan->root, tree_result(plan, plan->bytes), plan->bytes);
    return number <= rounds;
}

/* Rank 0 sends its group's reduction of `bytes` to the other group, and receives theirs in the other half. */
static void cross(const MpiPlan *plan, uint64_t bytes, MpiRound *out)
{
    uint64_t at = tree_result(plan, bytes);
    if (plan->rank != 0)
        return;
    mpi_round_receive(out, plan->size, bytes - at, bytes);
    mpi_round_send(out, plan->size, at, bytes);
}

bool mpi_collective_round_allreduce_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    if (number < rounds) {
        tree_round(plan, 0, plan->bytes, number, out);
        return true;
    }
    if (number == rounds) {
        cross(plan, plan->bytes, out);
        if (plan->rank == 0)
            mpi_round_copy(out, plan->bytes - tree_result(plan, plan->bytes), plan->result, plan->bytes);
        return true;
    }
    return spread_round(plan, number - rounds - 1, out);
}

bool mpi_collective_round_reduce_scatter_inter(const MpiPlan *plan, uint32_t number, MpiRound *out)
{
    uint32_t rounds = mpi_rounds_log2(plan->size);
    uint64_t vector = vector_bytes(plan), theirs = vector - tree_result(plan, vector);
    if (number > rounds + 1)
        return false;
    if (number < rounds)
        tree_round(plan, 0, vector, number, out);
    else if (number == rounds)
        cross(plan, vector, out);
    else if (plan->rank != 0)
        mpi_round_receive(out, 0, plan->result, plan->own_bytes);
    if (number <= rounds || plan->rank != 0)
        return true;
    for (uint32_t i = 1; i < plan->size; i++)
        mpi_round_send(out, i, theirs + mpi_plan_send_offset(plan, i), mpi_plan_send_bytes(plan, i));
    mpi_round_copy(out, theirs + mpi_plan_send_offset(plan, 0), plan->result, plan->own_bytes);
    return true;
}
