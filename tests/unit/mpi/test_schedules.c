/* test_schedules.c - every algorithm of algorithms.def on 1 to 17 ranks is checked against what MPI-3.1 chapter 5 says
 * of the collective, without the rest of MPI. Ranks are stepped in random order. Messages keep only their order between
 * two ranks. A sender's memory is read when it sends, or only when the receiver takes the message (as with eager and
 * rendezvous).
 *
 * Elements are affine maps x -> a x + b modulo a prime, combined by composition. That is associative but not
 * commutative, so a wrong order of operands shows. For algorithms that need a commutative operator all maps are shifts
 * (a = 1). */
#include "mpi/collective/schedule.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PRIME = 65521, MOST_RANKS = 17 };

typedef struct Map {
    uint32_t a, b;
} Map;

/* Returns `in` op `inout`: first inout is applied, then in. */
static Map compose(Map in, Map inout)
{
    return (Map){(uint32_t)((uint64_t)in.a * inout.a % PRIME), (uint32_t)(((uint64_t)in.a * inout.b + in.b) % PRIME)};
}

/* -- a world of schedules ---------------------------------------------------------------------- */

typedef struct Parcel {
    const uint8_t *late; /* the sender's memory, if it is read only when the message is taken */
    uint8_t *copy;
    uint64_t bytes;
    uint32_t from;
} Parcel;

typedef struct Member {
    MpiPlan plan;
    MpiRound round;
    uint32_t number;
    bool begun, finished;
    uint32_t sends_open;
    bool *done; /* by message of the round */
    uint8_t *memory;
} Member;

typedef struct World {
    const MpiAlgorithm *algorithm;
    uint32_t n;
    Member members[MOST_RANKS];
    GQueue *channels[MOST_RANKS][MOST_RANKS];
    GRand *random;
    bool late;
} World;

static bool awaits(const World *world, uint32_t rank, uint32_t from)
{
    const Member *member = &world->members[rank];
    for (uint32_t i = 0; member->begun && i < member->round.n_messages; i++)
        if (member->round.messages[i].kind == MPI_SCHEDULE_RECEIVE && member->round.messages[i].peer == from)
            return true;
    return false;
}

/* Sends to one rank. A multicast above the eager limit needs a receiver that already waits for it. */
static void send_parcel(World *world, uint32_t rank, uint32_t to, const MpiScheduleStep *step)
{
    Member *member = &world->members[rank];
    Parcel *parcel = g_new0(Parcel, 1);
    cr_assert(step->kind != MPI_SCHEDULE_MULTICAST || step->bytes <= member->plan.eager_limit ||
                  awaits(world, to, rank),
              "%s: a long multicast to rank %u, which does not wait for it", world->algorithm->name, to);
    *parcel = (Parcel){.bytes = step->bytes, .from = rank};
    if (world->late)
        parcel->late = member->memory + step->from;
    else
        parcel->copy = g_memdup2(member->memory + step->from, step->bytes);
    g_queue_push_tail(world->channels[rank][to], parcel);
    member->sends_open += world->late;
}

static void begin_round(World *world, uint32_t rank)
{
    Member *member = &world->members[rank];
    mpi_round_clear(&member->round);
    if (!world->algorithm->round(&member->plan, member->number, &member->round)) {
        member->finished = true;
        return;
    }
    mpi_round_spell_out(&member->plan, &member->round);
    member->begun = true;
    g_free(member->done);
    member->done = g_new0(bool, member->round.n_messages + 1);
    for (uint32_t i = 0; i < member->round.n_messages; i++) {
        const MpiScheduleStep *step = &member->round.messages[i];
        bool multicast = step->kind == MPI_SCHEDULE_MULTICAST;
        cr_assert(multicast || (step->peer < world->n && step->peer != rank), "%s: message to itself or nobody",
                  world->algorithm->name);
        if (step->kind == MPI_SCHEDULE_RECEIVE)
            continue;
        cr_assert(world->n > 1 && step->from + step->bytes <= member->plan.memory);
        for (uint32_t to = 0; to < world->n; to++)
            if (multicast ? to != rank : to == step->peer)
                send_parcel(world, rank, to, step);
        member->done[i] = true;
    }
}

static void take(World *world, Member *member, const MpiScheduleStep *step, Parcel *parcel)
{
    cr_assert_eq(parcel->bytes, step->bytes, "%s: %lu bytes sent, %lu expected", world->algorithm->name,
                 (unsigned long)parcel->bytes, (unsigned long)step->bytes);
    cr_assert(step->to + step->bytes <= member->plan.memory);
    if (parcel->bytes)
        memcpy(member->memory + step->to, world->late ? parcel->late : parcel->copy, parcel->bytes);
    world->members[parcel->from].sends_open -= world->late;
    g_free(parcel->copy);
    g_free(parcel);
}

static void do_locals(World *world, Member *member)
{
    for (uint32_t i = 0; i < member->round.n_locals; i++) {
        const MpiScheduleStep *step = &member->round.locals[i];
        cr_assert(step->from + step->bytes <= member->plan.memory && step->to + step->bytes <= member->plan.memory);
        if (step->kind == MPI_SCHEDULE_COPY) {
            memmove(member->memory + step->to, member->memory + step->from, step->bytes);
            continue;
        }
        cr_assert_eq(step->kind, MPI_SCHEDULE_COMBINE);
        for (uint64_t at = 0; at < step->bytes; at += sizeof(Map)) {
            Map in, inout;
            memcpy(&in, member->memory + step->from + at, sizeof in);
            memcpy(&inout, member->memory + step->to + at, sizeof inout);
            inout = compose(in, inout);
            memcpy(member->memory + step->to + at, &inout, sizeof inout);
        }
    }
    (void)world;
}

/* Makes one move of a rank. Returns whether anything happened. */
static bool move(World *world, uint32_t rank)
{
    Member *member = &world->members[rank];
    if (member->finished)
        return false;
    if (!member->begun) {
        begin_round(world, rank);
        return true;
    }
    bool moved = false, all = member->sends_open == 0;
    for (uint32_t i = 0; i < member->round.n_messages; i++) {
        const MpiScheduleStep *step = &member->round.messages[i];
        if (!member->done[i]) {
            Parcel *parcel = g_queue_pop_head(world->channels[step->peer][rank]);
            if (parcel) {
                take(world, member, step, parcel);
                member->done[i] = moved = true;
            }
        }
        all = all && member->done[i];
    }
    if (!all)
        return moved;
    do_locals(world, member);
    member->number++;
    member->begun = false;
    return true;
}

static void run_world(World *world)
{
    for (uint32_t i = 0; i < world->n; i++)
        for (uint32_t j = 0; j < world->n; j++)
            world->channels[i][j] = g_queue_new();
    uint32_t idle = 0;
    while (idle < 64 * world->n) {
        uint32_t rank = (uint32_t)g_rand_int_range(world->random, 0, (gint32)world->n);
        idle = move(world, rank) ? 0 : idle + 1;
    }
    for (uint32_t i = 0; i < world->n; i++) {
        cr_assert(world->members[i].finished, "%s %s on %u ranks: rank %u hangs in round %u",
                  mpi_collective_key(world->algorithm->collective), world->algorithm->name, world->n, i,
                  world->members[i].number);
        for (uint32_t j = 0; j < world->n; j++) {
            cr_assert(g_queue_is_empty(world->channels[i][j]), "%s: message %u -> %u left over", world->algorithm->name,
                      i, j);
            g_queue_free(world->channels[i][j]);
        }
    }
}

/* -- tasks and what they must give ------------------------------------------------------------- */

typedef struct Case {
    MpiCollective collective;
    uint32_t n, root;
    uint64_t count; /* elements of a block */
    uint64_t counts[MOST_RANKS]
                   [MOST_RANKS]; /* v forms: elements from i to j (only one row or column where fewer matter) */
    bool v;
} Case;

static Map element(const World *world, uint32_t rank, uint64_t i)
{
    bool commutes = world->algorithm->needs & MPI_ALGORITHM_COMMUTATIVE;
    return (Map){commutes ? 1 : (uint32_t)((rank * 31 + i * 7 + 2) % PRIME),
                 (uint32_t)((rank * 1009 + i * 13 + 5) % PRIME)};
}

/* Returns an array for the plans of v forms, which lives as long as the world. */
static uint64_t *sizes(GPtrArray *keep, uint32_t n, uint64_t *total, uint64_t **offsets,
                       uint64_t (*of)(const Case *, uint32_t, uint32_t), const Case *c, uint32_t rank)
{
    uint64_t *bytes = g_new(uint64_t, 2 * (size_t)n);
    g_ptr_array_add(keep, bytes);
    *offsets = bytes + n;
    *total = 0;
    for (uint32_t i = 0; i < n; i++) {
        bytes[i] = of(c, rank, i) * sizeof(Map);
        (*offsets)[i] = *total;
        *total += bytes[i];
    }
    return bytes;
}

static uint64_t sent_to(const Case *c, uint32_t rank, uint32_t i)
{
    return c->counts[rank][i];
}
static uint64_t got_from(const Case *c, uint32_t rank, uint32_t i)
{
    return c->counts[i][rank];
}
static uint64_t block_of(const Case *c, uint32_t rank, uint32_t i)
{
    (void)rank;
    return c->counts[0][i];
}

static void plan_blocks(const Case *c, uint32_t rank, GPtrArray *keep, MpiPlan *plan)
{
    uint64_t *offsets;
    switch (c->collective) {
    case MPI_COLLECTIVE_ALLTOALLV:
        plan->send_bytes = sizes(keep, c->n, &plan->input_bytes, &offsets, sent_to, c, rank);
        plan->send_offsets = offsets;
        plan->recv_bytes = sizes(keep, c->n, &plan->result_bytes, &offsets, got_from, c, rank);
        plan->recv_offsets = offsets;
        break;
    case MPI_COLLECTIVE_REDUCE_SCATTER:
    case MPI_COLLECTIVE_SCATTERV:
        plan->send_bytes = sizes(keep, c->n, &plan->input_bytes, &offsets, block_of, c, rank);
        plan->send_offsets = offsets;
        plan->own_bytes = block_of(c, rank, rank) * sizeof(Map);
        break;
    default:
        plan->recv_bytes = sizes(keep, c->n, &plan->result_bytes, &offsets, block_of, c, rank);
        plan->recv_offsets = offsets;
        plan->own_bytes = block_of(c, rank, rank) * sizeof(Map);
        break;
    }
    plan->bytes = 0;
}

static void put(World *world, uint32_t rank, uint64_t at, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        Map map = element(world, rank, first + i);
        cr_assert(at + (i + 1) * sizeof map <= world->members[rank].plan.memory);
        memcpy(world->members[rank].memory + at + i * sizeof map, &map, sizeof map);
    }
}

static bool is_sender_of_all(MpiCollective c)
{
    return c == MPI_COLLECTIVE_ALLTOALL || c == MPI_COLLECTIVE_ALLTOALLV || c == MPI_COLLECTIVE_REDUCE_SCATTER;
}

static bool is_scatter(MpiCollective c)
{
    return c == MPI_COLLECTIVE_SCATTER || c == MPI_COLLECTIVE_SCATTERV;
}

static void fill_input(World *world, const Case *c, uint32_t rank)
{
    const MpiPlan *plan = &world->members[rank].plan;
    if (c->collective == MPI_COLLECTIVE_BARRIER)
        return;
    if (c->collective == MPI_COLLECTIVE_BCAST || is_scatter(c->collective)) {
        uint64_t all = c->collective == MPI_COLLECTIVE_BCAST ? c->count
                       : c->v                                ? plan->input_bytes / sizeof(Map)
                                                             : c->n * c->count;
        if (rank == c->root)
            put(world, rank, plan->input, 0, all);
        return;
    }
    uint64_t mine = c->v ? plan->own_bytes / sizeof(Map) : c->count;
    if (is_sender_of_all(c->collective))
        mine = c->v ? plan->input_bytes / sizeof(Map) : c->n * c->count;
    put(world, rank, plan->input, 0, mine);
}

static void expect(const World *world, const Case *c, uint32_t rank, uint64_t at, Map wanted, const char *what)
{
    Map got;
    const Member *member = &world->members[rank];
    cr_assert(member->plan.result + at + sizeof got <= member->plan.memory);
    memcpy(&got, member->memory + member->plan.result + at, sizeof got);
    cr_assert(got.a == wanted.a && got.b == wanted.b,
              "%s %s, %u ranks, root %u, %lu elements: rank %u has a wrong %s at byte %lu",
              mpi_collective_key(c->collective), world->algorithm->name, c->n, c->root, (unsigned long)c->count, rank,
              what, (unsigned long)at);
}

/* Returns the reduction of element i over ranks [0, upto). */
static Map reduced(const World *world, uint32_t upto, uint64_t i)
{
    Map result = element(world, upto - 1, i);
    for (uint32_t rank = upto - 1; rank-- > 0;)
        result = compose(element(world, rank, i), result);
    return result;
}

static void expect_reduction(const World *world, const Case *c, uint32_t rank, uint32_t upto)
{
    for (uint64_t i = 0; i < c->count; i++)
        expect(world, c, rank, i * sizeof(Map), reduced(world, upto, i), "element");
}

static uint64_t first_of_block(const Case *c, uint32_t rank)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < rank; i++)
        first += c->v ? c->counts[0][i] : c->count;
    return first;
}

/* Checks that each rank has the blocks of all ranks, in order. */
static void expect_all_blocks(const World *world, const Case *c, uint32_t rank)
{
    uint64_t at = 0;
    for (uint32_t from = 0; from < c->n; from++)
        for (uint64_t i = 0; i < (c->v ? c->counts[0][from] : c->count); i++, at += sizeof(Map))
            expect(world, c, rank, at, element(world, from, i), "block");
}

static void expect_exchanged(const World *world, const Case *c, uint32_t rank)
{
    uint64_t at = 0;
    for (uint32_t from = 0; from < c->n; from++) {
        uint64_t first = 0, count = c->v ? c->counts[from][rank] : c->count;
        for (uint32_t to = 0; to < rank; to++)
            first += c->v ? c->counts[from][to] : c->count;
        for (uint64_t i = 0; i < count; i++, at += sizeof(Map))
            expect(world, c, rank, at, element(world, from, first + i), "block");
    }
}

static void check_result(const World *world, const Case *c, uint32_t rank)
{
    uint64_t own = c->v ? c->counts[0][rank] : c->count;
    switch (c->collective) {
    case MPI_COLLECTIVE_BCAST:
        for (uint64_t i = 0; i < c->count; i++)
            expect(world, c, rank, i * sizeof(Map), element(world, c->root, i), "element");
        break;
    case MPI_COLLECTIVE_REDUCE:
        if (rank == c->root)
            expect_reduction(world, c, rank, c->n);
        break;
    case MPI_COLLECTIVE_AGREEMENT:
    case MPI_COLLECTIVE_ALLREDUCE: expect_reduction(world, c, rank, c->n); break;
    case MPI_COLLECTIVE_SCAN: expect_reduction(world, c, rank, rank + 1); break;
    case MPI_COLLECTIVE_EXSCAN:
        if (rank > 0)
            expect_reduction(world, c, rank, rank);
        break;
    case MPI_COLLECTIVE_REDUCE_SCATTER:
        for (uint64_t i = 0; i < own; i++)
            expect(world, c, rank, i * sizeof(Map), reduced(world, c->n, first_of_block(c, rank) + i), "element");
        break;
    case MPI_COLLECTIVE_GATHER:
    case MPI_COLLECTIVE_GATHERV:
        if (rank == c->root)
            expect_all_blocks(world, c, rank);
        break;
    case MPI_COLLECTIVE_ALLGATHER:
    case MPI_COLLECTIVE_ALLGATHERV: expect_all_blocks(world, c, rank); break;
    case MPI_COLLECTIVE_SCATTER:
    case MPI_COLLECTIVE_SCATTERV:
        for (uint64_t i = 0; i < own; i++)
            expect(world, c, rank, i * sizeof(Map), element(world, c->root, first_of_block(c, rank) + i), "element");
        break;
    case MPI_COLLECTIVE_ALLTOALL:
    case MPI_COLLECTIVE_ALLTOALLV: expect_exchanged(world, c, rank); break;
    default: break;
    }
}

static void run_case(const MpiAlgorithm *algorithm, const Case *c, bool commutative, GRand *random)
{
    World world = {.algorithm = algorithm, .n = c->n, .random = random, .late = g_rand_boolean(random)};
    g_autoptr(GPtrArray) keep = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t rank = 0; rank < c->n; rank++) {
        Member *member = &world.members[rank];
        member->plan = (MpiPlan){.rank = rank,
                                 .size = c->n,
                                 .root = c->root,
                                 .bytes = c->count * sizeof(Map),
                                 .own_bytes = c->count * sizeof(Map),
                                 .eager_limit = c->root % 2 ? UINT64_MAX : 0,
                                 .commutative = commutative};
        if (c->v)
            plan_blocks(c, rank, keep, &member->plan);
        algorithm->setup(&member->plan);
        member->memory = g_malloc0(member->plan.memory + 1);
        fill_input(&world, c, rank);
    }
    run_world(&world);
    for (uint32_t rank = 0; rank < c->n; rank++) {
        check_result(&world, c, rank);
        mpi_round_free(&world.members[rank].round);
        g_free(world.members[rank].done);
        g_free(world.members[rank].memory);
    }
}

static bool has_v_form(MpiCollective collective)
{
    return collective == MPI_COLLECTIVE_GATHERV || collective == MPI_COLLECTIVE_SCATTERV ||
           collective == MPI_COLLECTIVE_ALLGATHERV || collective == MPI_COLLECTIVE_ALLTOALLV ||
           collective == MPI_COLLECTIVE_REDUCE_SCATTER;
}

static void run_algorithm(const MpiAlgorithm *algorithm, uint32_t n, GRand *random)
{
    static const uint64_t counts[] = {0, 1, 3, 20};
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        Case c = {.collective = algorithm->collective, .n = n, .count = counts[i]};
        c.root = (uint32_t)g_rand_int_range(random, 0, (gint32)n);
        run_case(algorithm, &c, algorithm->needs & MPI_ALGORITHM_COMMUTATIVE, random);
        if (!has_v_form(algorithm->collective))
            continue;
        c.v = true;
        for (uint32_t from = 0; from < n; from++)
            for (uint32_t to = 0; to < n; to++)
                c.counts[from][to] = (uint64_t)g_rand_int_range(random, 0, 5);
        run_case(algorithm, &c, algorithm->needs & MPI_ALGORITHM_COMMUTATIVE, random);
    }
}

Test(schedules, every_algorithm_on_1_to_17_ranks)
{
    guint32 seed = 20260101;
    size_t n_rows;
    const MpiAlgorithm *rows = mpi_algorithm_rows(&n_rows);
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (size_t row = 0; row < n_rows; row++)
        for (uint32_t n = 1; n <= MOST_RANKS && !(rows[row].needs & MPI_ALGORITHM_INTER); n++) {
            if ((rows[row].needs & MPI_ALGORITHM_POWER_OF_TWO) && (n & (n - 1)))
                continue;
            run_algorithm(&rows[row], n, random);
        }
}

/* A commutative reduction to every root, where the tree is rotated (collective_reduce.c). Shifts only. */
Test(schedules, reduce_to_every_root_with_a_commuting_operator)
{
    MpiAlgorithm shifted = {0};
    size_t n_rows;
    const MpiAlgorithm *rows = mpi_algorithm_rows(&n_rows);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (size_t row = 0; row < n_rows; row++) {
        if (rows[row].collective != MPI_COLLECTIVE_REDUCE || (rows[row].needs & MPI_ALGORITHM_INTER))
            continue;
        shifted = rows[row];
        shifted.needs = MPI_ALGORITHM_COMMUTATIVE; /* makes element() choose shifts */
        for (uint32_t n = 1; n <= MOST_RANKS; n++)
            for (uint32_t root = 0; root < n; root++) {
                Case c = {.collective = MPI_COLLECTIVE_REDUCE, .n = n, .root = root, .count = 2};
                run_case(&shifted, &c, true, random);
            }
    }
}

Test(schedules, names_choose_and_needs_overrule)
{
    MpiPlan plan = {.size = 6, .bytes = 8, .commutative = false};
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, "linear", &plan)->name, "linear");
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, NULL, &plan)->name, "binomial");
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, "auto", &plan)->name, "binomial");
    /* Nothing multicasts unless the medium can, and the algorithm is asked for. */
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, "multicast", &plan)->name, "binomial");
    plan.multicast = true;
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, "multicast", &plan)->name, "multicast");
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, NULL, &plan)->name, "binomial");
    cr_assert(mpi_algorithm_multicasts("allreduce", "multicast"));
    cr_assert_not(mpi_algorithm_multicasts("allreduce", "reduce-bcast"));
    cr_assert_not(mpi_algorithm_multicasts("gather", "multicast"));
    /* 6 is no power of two, and the operator does not commute. */
    cr_assert_str_neq(mpi_algorithm_choose(MPI_COLLECTIVE_ALLGATHER, "recursive-doubling", &plan)->name,
                      "recursive-doubling");
    cr_assert_str_neq(mpi_algorithm_choose(MPI_COLLECTIVE_REDUCE_SCATTER, "pairwise", &plan)->name, "pairwise");
    plan.bytes = 1 << 20;
    cr_assert_str_eq(mpi_algorithm_choose(MPI_COLLECTIVE_BCAST, NULL, &plan)->name, "scatter-allgather");
}

Test(schedules, lists_of_names_for_config_readers)
{
    const char *const *names = mpi_algorithms("barrier");
    cr_assert_str_eq(names[0], "auto");
    cr_assert_str_eq(names[1], "dissemination");
    cr_assert_str_eq(names[2], "linear");
    cr_assert_str_eq(names[3], "multicast");
    cr_assert_null(names[4]);
    cr_assert_null(mpi_algorithms("no such collective"));
    unsigned n = 0;
    for (const char *const *key = mpi_collectives(); *key; key++, n++)
        cr_assert_not_null(mpi_algorithms(*key));
    cr_assert_eq(n, MPI_COLLECTIVE_COUNT);
}
