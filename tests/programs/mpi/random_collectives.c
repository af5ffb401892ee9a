/* Property test: random sequences of collectives, blocking and not, on several communicators, several outstanding at a
 * time and completed in an order of each rank's own, against what the standard says that each must leave behind. The
 * seed is the first argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 250, OPEN = 6, MOST = 40, RANKS = 16 };

static unsigned long common, own;

static int draw(unsigned long *state, int n)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((*state >> 33) % n);
}

/* Element i that a rank of the communicator contributes to step s. */
static int value(int s, int member, int i)
{
    return (s * 7919 + member * 104729 + i * 31) % 1000003;
}

typedef struct Operation {
    int step, kind, root, count, active;
    MPI_Comm comm;
    MPI_Request request;
    int counts[RANKS], places[RANKS];
    int in[MOST * RANKS], out[MOST * RANKS];
} Operation;

static Operation operations[OPEN];
static int failures;

enum {
    BCAST,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    ALLTOALLV,
    GATHERV,
    ALLGATHERV,
    REDUCE_SCATTER_BLOCK,
    REDUCE_SCATTER,
    BARRIER,
    KINDS
};

static void prepare(Operation *o)
{
    int rank, size;
    MPI_Comm_rank(o->comm, &rank);
    MPI_Comm_size(o->comm, &size);
    for (int i = 0; i < MOST * RANKS; i++) {
        o->in[i] = value(o->step, rank, i);
        o->out[i] = -1;
    }
    for (int i = 0; i < size; i++) { /* member i's share in the v forms */
        o->counts[i] = (o->count + i) % 4;
        o->places[i] = 4 * i;
    }
    if (o->kind == ALLTOALLV)
        for (int i = 0; i < size; i++)
            o->counts[i] = (o->count + i + rank) % 4;
    if (o->kind == BCAST && rank == o->root)
        for (int i = 0; i < o->count; i++)
            o->out[i] = o->in[i];
}

#define EITHER(blocking, nonblocking) ((void)(is_blocking ? (blocking) : (nonblocking)))

static void begin(Operation *o, int is_blocking)
{
    int n = o->count, rank;
    MPI_Comm c = o->comm;
    MPI_Request *r = &o->request;
    MPI_Comm_rank(c, &rank);
    *r = MPI_REQUEST_NULL;
    switch (o->kind) {
    case BCAST: EITHER(MPI_Bcast(o->out, n, MPI_INT, o->root, c), MPI_Ibcast(o->out, n, MPI_INT, o->root, c, r)); break;
    case REDUCE:
        EITHER(MPI_Reduce(o->in, o->out, n, MPI_INT, MPI_SUM, o->root, c),
               MPI_Ireduce(o->in, o->out, n, MPI_INT, MPI_SUM, o->root, c, r));
        break;
    case ALLREDUCE:
        EITHER(MPI_Allreduce(o->in, o->out, n, MPI_INT, MPI_SUM, c),
               MPI_Iallreduce(o->in, o->out, n, MPI_INT, MPI_SUM, c, r));
        break;
    case SCAN:
        EITHER(MPI_Scan(o->in, o->out, n, MPI_INT, MPI_SUM, c), MPI_Iscan(o->in, o->out, n, MPI_INT, MPI_SUM, c, r));
        break;
    case EXSCAN:
        EITHER(MPI_Exscan(o->in, o->out, n, MPI_INT, MPI_SUM, c),
               MPI_Iexscan(o->in, o->out, n, MPI_INT, MPI_SUM, c, r));
        break;
    case GATHER:
        EITHER(MPI_Gather(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, c),
               MPI_Igather(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, c, r));
        break;
    case SCATTER:
        EITHER(MPI_Scatter(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, c),
               MPI_Iscatter(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, c, r));
        break;
    case ALLGATHER:
        EITHER(MPI_Allgather(o->in, n, MPI_INT, o->out, n, MPI_INT, c),
               MPI_Iallgather(o->in, n, MPI_INT, o->out, n, MPI_INT, c, r));
        break;
    case ALLTOALL:
        EITHER(MPI_Alltoall(o->in, n, MPI_INT, o->out, n, MPI_INT, c),
               MPI_Ialltoall(o->in, n, MPI_INT, o->out, n, MPI_INT, c, r));
        break;
    case ALLTOALLV:
        EITHER(MPI_Alltoallv(o->in, o->counts, o->places, MPI_INT, o->out, o->counts, o->places, MPI_INT, c),
               MPI_Ialltoallv(o->in, o->counts, o->places, MPI_INT, o->out, o->counts, o->places, MPI_INT, c, r));
        break;
    case GATHERV:
        EITHER(MPI_Gatherv(o->in, o->counts[rank], MPI_INT, o->out, o->counts, o->places, MPI_INT, o->root, c),
               MPI_Igatherv(o->in, o->counts[rank], MPI_INT, o->out, o->counts, o->places, MPI_INT, o->root, c, r));
        break;
    case ALLGATHERV:
        EITHER(MPI_Allgatherv(o->in, o->counts[rank], MPI_INT, o->out, o->counts, o->places, MPI_INT, c),
               MPI_Iallgatherv(o->in, o->counts[rank], MPI_INT, o->out, o->counts, o->places, MPI_INT, c, r));
        break;
    case REDUCE_SCATTER_BLOCK:
        EITHER(MPI_Reduce_scatter_block(o->in, o->out, n, MPI_INT, MPI_SUM, c),
               MPI_Ireduce_scatter_block(o->in, o->out, n, MPI_INT, MPI_SUM, c, r));
        break;
    case REDUCE_SCATTER:
        EITHER(MPI_Reduce_scatter(o->in, o->out, o->counts, MPI_INT, MPI_SUM, c),
               MPI_Ireduce_scatter(o->in, o->out, o->counts, MPI_INT, MPI_SUM, c, r));
        break;
    default: EITHER(MPI_Barrier(c), MPI_Ibarrier(c, r));
    }
    o->active = 1;
}

/* The sum of element i over members from .. to - 1. */
static int sum(const Operation *o, int from, int to, int i)
{
    int total = 0;
    for (int member = from; member < to; member++)
        total += value(o->step, member, i);
    return total;
}

/* What element i of the result must be; -1: untouched. */
static int expected(const Operation *o, int i, int rank, int size)
{
    int n = o->count, block = n ? i / n : 0, at = n ? i % n : 0, inside = i < n, whole = i < n * size, first = 0;
    int rooted = rank == o->root, share = i / 4 < size && i % 4 < o->counts[i / 4 < size ? i / 4 : 0];
    switch (o->kind) {
    case BCAST: return inside ? value(o->step, o->root, i) : -1;
    case REDUCE: return inside && rooted ? sum(o, 0, size, i) : -1;
    case ALLREDUCE: return inside ? sum(o, 0, size, i) : -1;
    case SCAN: return inside ? sum(o, 0, rank + 1, i) : -1;
    case EXSCAN: return inside && rank ? sum(o, 0, rank, i) : -1;
    case GATHER: return whole && rooted ? value(o->step, block, at) : -1;
    case SCATTER: return inside ? value(o->step, o->root, rank * n + i) : -1;
    case ALLGATHER: return whole ? value(o->step, block, at) : -1;
    case ALLTOALL: return whole ? value(o->step, block, rank * n + at) : -1;
    case ALLTOALLV: return share ? value(o->step, i / 4, 4 * rank + i % 4) : -1;
    case GATHERV: return share && rooted ? value(o->step, i / 4, i % 4) : -1;
    case ALLGATHERV: return share ? value(o->step, i / 4, i % 4) : -1;
    case REDUCE_SCATTER_BLOCK: return inside ? sum(o, 0, size, rank * n + i) : -1;
    case REDUCE_SCATTER:
        for (int member = 0; member < rank; member++)
            first += o->counts[member];
        return i < o->counts[rank] ? sum(o, 0, size, first + i) : -1;
    default: return -1;
    }
}

static void finish(Operation *o)
{
    int rank, size;
    MPI_Wait(&o->request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(o->comm, &rank);
    MPI_Comm_size(o->comm, &size);
    for (int i = 0; i < MOST * size; i++)
        failures += o->out[i] != expected(o, i, rank, size);
    o->active = 0;
}

/* Some of what is outstanding, in the rank's own order: it may differ between ranks as long as all begin alike. */
static void finish_some(void)
{
    MPI_Request requests[OPEN];
    int index, flag;
    for (int i = 0; i < OPEN; i++)
        requests[i] = operations[i].active ? operations[i].request : MPI_REQUEST_NULL;
    switch (draw(&own, 4)) {
    case 0: MPI_Waitany(OPEN, requests, &index, MPI_STATUS_IGNORE); break;
    case 1: MPI_Testany(OPEN, requests, &index, &flag, MPI_STATUS_IGNORE); break;
    case 2:
        index = draw(&own, OPEN);
        MPI_Test(&requests[index], &flag, MPI_STATUS_IGNORE);
        break;
    default: return;
    }
    for (int i = 0; i < OPEN; i++)
        if (operations[i].active && requests[i] != operations[i].request) {
            operations[i].request = MPI_REQUEST_NULL;
            finish(&operations[i]);
        }
}

int main(int argc, char **argv)
{
    int rank, size, all;
    MPI_Comm comms[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    common = seed;
    own = seed * 1000 + rank;
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
    for (int step = 0; step < STEPS; step++) {
        Operation *o = &operations[step % OPEN];
        if (o->active)
            finish(o);
        o->step = step;
        o->comm = comms[draw(&common, 3)];
        o->kind = draw(&common, KINDS);
        o->root = draw(&common, size);
        o->count = draw(&common, MOST / 2 + 1);
        int is_blocking = draw(&common, 3) == 0;
        prepare(o);
        begin(o, is_blocking);
        if (is_blocking)
            finish(o);
        finish_some();
    }
    for (int i = OPEN; i-- > 0;)
        if (operations[i].active)
            finish(&operations[i]);
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[2]);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("seed %lu: %d failures on %d ranks\n", seed, all, size);
    MPI_Finalize();
    return 0;
}
