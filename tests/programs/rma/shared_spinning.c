/* Algorithms that spin on shared memory: a token that goes round by flags, Peterson's lock for two, a barrier that
 * counts, a wait of a second. Each load and store has its place in virtual time, so they end, and always alike. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50 };

static int rank, size;

/* Each rank waits until the flag is its own, then gives it to the next. `polite`: with MPI_Win_sync, as the standard
 * asks. */
static void token(MPI_Win win, volatile int *shared, int polite)
{
    for (int round = 0; round < ROUNDS; round++) {
        while (shared[0] != round * size + rank)
            if (polite)
                MPI_Win_sync(win);
        shared[1] += rank;
        if (polite)
            MPI_Win_sync(win);
        shared[0]++;
    }
}

static void peterson(volatile int *shared)
{
    volatile int *wants = shared + 2, *turn = shared + 4, *counter = shared + 5;
    int other = 1 - rank;
    for (int round = 0; round < ROUNDS && rank < 2; round++) {
        wants[rank] = 1;
        *turn = other;
        while (wants[other] && *turn == other)
            ;
        int before = *counter;
        for (volatile int i = 0; i < 10 * (rank + 1); i++)
            ;
        *counter = before + 1;
        wants[rank] = 0;
    }
}

/* A rank computes for long while the others spin. */
static void long_wait(volatile int *shared)
{
    if (rank == size - 1) {
        volatile double x = 1;
        for (int i = 0; i < 2000000; i++)
            x = x * 1.0000001;
        shared[6] = 1;
    }
    while (!shared[6])
        ;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *mine;
    MPI_Win win;
    MPI_Aint bytes;
    int unit, *shared;
    MPI_Win_allocate_shared(rank ? 0 : 64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &shared);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int polite = 0; polite < 2; polite++) {
        token(win, shared, polite);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            printf("token %d, sum %d\n", shared[0], shared[1]);
        shared[0] = 0;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    peterson(shared);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("counter %d\n", shared[5]);
    long_wait(shared);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
