/* Shared memory with all that orders loads and stores: barriers, fences, locks, posts and completes, messages,
 * collectives, accumulates as flags and tickets, flags that are loaded until they change. Ranks that use different bytes
 * of a word, or only load, need no order. */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 4 };

static int rank, size, *mine, *shared, sum;
static MPI_Win win;

static void barriers(void)
{
    MPI_Win_lock_all(0, win);
    for (int turn = 0; turn < TURNS; turn++) {
        int *others = shared + 64 * ((rank + 1) % size);
        mine[turn] = rank + turn;
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        sum += others[turn];
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
}

static void fences(void)
{
    MPI_Win_fence(0, win);
    for (int turn = 0; turn < TURNS; turn++) {
        mine[turn] = rank * turn;
        MPI_Win_fence(0, win);
        sum += shared[64 * ((rank + 1) % size) + turn];
        MPI_Win_fence(0, win);
    }
}

static void locks(void)
{
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        shared[9]++;
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    sum += shared[9];
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void posts(void)
{
    MPI_Group world, other;
    int peer = 1 - rank;
    if (rank > 1)
        return;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    for (int turn = 0; turn < TURNS; turn++) {
        if (rank == 0) {
            shared[2] = turn;
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
            sum += shared[2];
        } else {
            MPI_Win_start(other, 0, win);
            shared[2] += 10;
            MPI_Win_complete(win);
        }
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
}

static void messages(void)
{
    int word = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        shared[1] = 5;
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += shared[1];
        shared[1] = 6;
    }
    MPI_Bcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD);
    sum += shared[1];
    MPI_Barrier(MPI_COMM_WORLD);
}

static int fetch(int add, int at, MPI_Op op)
{
    int old;
    MPI_Fetch_and_op(&add, &old, MPI_INT, 0, at, op, win);
    MPI_Win_flush(0, win);
    return old;
}

static void atomics(void)
{
    if (rank == 0)
        shared[4] = shared[5] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int ticket = fetch(1, 4, MPI_SUM);
    while (fetch(0, 5, MPI_NO_OP) != ticket)
        ;
    shared[20] += ticket;
    MPI_Win_sync(win);
    fetch(1, 5, MPI_SUM);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += shared[20];
    MPI_Barrier(MPI_COMM_WORLD);
}

/* `early`: the flag is there before anybody looks. */
static void flags(int early)
{
    volatile int *flag = shared + 30;
    if (rank == 0)
        *flag = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (volatile int i = 0; i < (early == (rank == 0) ? 10 : 3000); i++)
        ;
    if (rank == 0) {
        shared[31] = 11;
        MPI_Win_sync(win);
        *flag = 1;
        MPI_Win_sync(win);
    } else {
        while (!*flag)
            MPI_Win_sync(win);
        MPI_Win_sync(win);
        sum += shared[31];
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void apart(void)
{
    char *bytes = (char *)(shared + 40);
    short *halves = (short *)(shared + 41);
    if (rank < 2) {
        bytes[rank] = 1;
        halves[rank] = 2;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    sum += bytes[0] + halves[1] + shared[9];
}

int main(int argc, char **argv)
{
    int unit;
    MPI_Aint bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &shared);
    barriers();
    MPI_Barrier(MPI_COMM_WORLD);
    fences();
    locks();
    posts();
    messages();
    atomics();
    flags(0);
    flags(1);
    apart();
    MPI_Win_free(&win);
    MPI_Reduce(rank ? &sum : MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
