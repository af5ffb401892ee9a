/* Windows used as the standard has it: nothing of this is a finding. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTER, DATA, FLAG, MUTEX, LAST = 8 };

static MPI_Win win;
static int *memory, rank, size;

static void fences(void)
{
    int right = (rank + 1) % size;
    memory[DATA] = rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&rank, 1, MPI_INT, right, LAST, 1, MPI_INT, win);
    MPI_Accumulate(&rank, 1, MPI_INT, 0, COUNTER, 1, MPI_INT, MPI_SUM, win);
    memory[DATA] += memory[DATA + 1]; /* others do not touch these */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (memory[LAST] != (rank + size - 1) % size)
        printf("rank %d: fence\n", rank);
    memory[LAST] = 0;
    memory[COUNTER] = 0;
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
}

static void exposures(void)
{
    MPI_Group world, others;
    int root = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Group_excl(world, 1, &root, &others);
        for (int round = 0; round < 3; round++) {
            memory[LAST + 1] = round;
            MPI_Win_post(others, 0, win);
            MPI_Win_wait(win);
            if (memory[LAST + 1] != round + size - 1)
                printf("round %d: %d\n", round, memory[LAST + 1]);
        }
    } else {
        int one = 1;
        MPI_Group_incl(world, 1, &root, &others);
        for (int round = 0; round < 3; round++) {
            MPI_Win_start(others, 0, win);
            MPI_Accumulate(&one, 1, MPI_INT, 0, LAST + 1, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_complete(win);
        }
    }
    MPI_Group_free(&world);
    MPI_Group_free(&others);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A number that all change under exclusive locks, the owner with loads and stores. */
static void exclusive_locks(void)
{
    for (int i = 0; i < 5; i++) {
        int number;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        if (rank == 0) {
            memory[DATA]++;
        } else {
            MPI_Get(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            number++;
            MPI_Put(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
        }
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("counted %d\n", memory[DATA]);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Data, then a flag that the target polls; then an answer by a message. */
static void polling(void)
{
    volatile int *flag = &memory[FLAG];
    int number = 42, one = 1;
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(&one, 1, MPI_INT, 0, FLAG, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
    } else if (rank == 0) {
        while (!*flag)
            MPI_Win_sync(win);
        memory[DATA]++;
        number = memory[DATA];
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("data %d\n", memory[DATA]);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A mutex of atomic operations, under shared locks, around a number that is got and put. */
static void mutex(void)
{
    int one = 1, zero = 0, was, number;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < 3; i++) {
        do {
            MPI_Compare_and_swap(&one, &zero, &was, MPI_INT, 0, MUTEX, win);
            MPI_Win_flush(0, win);
        } while (was);
        MPI_Get(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        number++;
        MPI_Put(&number, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&zero, &was, MPI_INT, 0, MUTEX, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("data %d\n", memory[DATA]);
}

/* Buffers of accesses with requests are free when the epoch is over. */
static void requests(void)
{
    int got[4];
    MPI_Request request[4];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 4; i++)
        MPI_Rget(&got[i], 1, MPI_INT, (rank + 1) % size, i, 1, MPI_INT, win, &request[i]);
    MPI_Win_unlock_all(win);
    for (int i = 0; i < 4; i++)
        got[i] = 0;
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    if (got[0])
        printf("rank %d: requests\n", rank);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 16; i++)
        memory[i] = 0;
    fences();
    exposures();
    exclusive_locks();
    polling();
    mutex();
    requests();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
