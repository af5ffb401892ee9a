/* A target looks at the memory of its window until an origin has written there, and makes no call of MPI meanwhile. Each
 * loop is another one: volatile and plain memory, counting, looking at clocks, sleeping, computing and printing between
 * looks, the memory of each kind of window. All end soon after the data have come, in every quantum, tier and number of
 * threads, though others compute beside them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { NUMBERS = 32 };

static volatile double sink;

static void compute(int turns)
{
    double x = 1;
    for (int i = 0; i < turns; i++)
        x = x * 1.0000001 + i;
    sink = x;
}

static int flag_at(const int *flag)
{
    return *flag;
}

static int (*volatile look)(const int *) = flag_at; /* so that no compiler looks only once */

/* One way of waiting each; returns how long the loop was, as far as that can be told. */
static long wait_for(int way, int *flag)
{
    volatile int *own = flag;
    long turns = 0;
    double began = MPI_Wtime();
    struct timespec pause = {0, 700};
    switch (way) {
    case 0:
        while (!*own)
            ;
        break;
    case 1:
        while (!*own)
            turns++;
        break;
    case 2:
        while (!look(flag))
            turns++;
        break;
    case 3:
        while (!*own && MPI_Wtime() - began < 1)
            turns++;
        break;
    case 4:
        while (!*own && usleep(3) == 0)
            turns++;
        break;
    case 5:
        while (!*own) {
            nanosleep(&pause, NULL);
            compute(10);
        }
        break;
    case 6:
        while (!*own) {
            compute(100);
            turns++;
        }
        break;
    case 7:
        while (!*own)
            if (++turns % 100000 == 0)
                printf("still waiting\n");
        break;
    default:
        for (turns = 0; turns < 100000000 && !*own; turns++)
            ;
    }
    return turns;
}

static void try_window(const char *name, MPI_Win win, int *memory, MPI_Aint displacement)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int way = 0; way < 9; way++) {
        double put = 0, seen = 0;
        memory[0] = 0;
        MPI_Win_lock_all(0, win);
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            compute(20000 + 1000 * way);
            int one = way + 1;
            MPI_Put(&one, 1, MPI_INT, 0, displacement, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            put = MPI_Wtime();
        } else if (rank == 0) {
            long turns = wait_for(way, memory);
            seen = MPI_Wtime();
            MPI_Win_sync(win);
            if (memory[0] != way + 1 || turns < 0)
                printf("%s: way %d saw %d after %ld turns\n", name, way, memory[0], turns);
            MPI_Send(&seen, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        } else {
            compute(3000 * rank);
        }
        if (rank == 1) {
            MPI_Recv(&seen, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            double late = (seen - put) * 1e6;
            printf("%s: way %d, %s\n", name, way, late < 12 ? "soon" : "late");
        }
        MPI_Win_unlock_all(win);
    }
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int *memory, own[NUMBERS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    try_window("allocate", win, memory, 0);
    MPI_Win_free(&win);
    MPI_Win_create(own, sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    try_window("create", win, own, 0);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, own, sizeof own);
    MPI_Aint address;
    MPI_Get_address(own, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    try_window("dynamic", win, own, address);
    MPI_Win_detach(win, own);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
