/* Ranks that share cores wait in every way that there is: in calls, in loops of polls, asleep, on the clock. All times
 * and counts must be the same whatever the quantum, the tier and the threads. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void compute(int turns)
{
    volatile double sum = 0.0;
    for (int i = 0; i < turns; i++)
        sum += 1.0 / (i + 1);
}

static void first(int size)
{
    int token = 1;
    compute(200000);
    for (int i = 1; i < size; i++)
        MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}

static int test_in_loop(void)
{
    int token, done = 0, times = 0;
    MPI_Request request;
    MPI_Irecv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (; !done; times++)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return times;
}

static int probe_and_sleep(void)
{
    int token, found = 0, times = 0;
    for (; !found; times++) {
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        usleep(100);
    }
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return times;
}

static int look_at_clock(void)
{
    int token, times = 0;
    double from = MPI_Wtime();
    for (; MPI_Wtime() < from + 0.001; times++)
        compute(10);
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return times;
}

int main(int argc, char **argv)
{
    int rank, size, times = 0, sum, all[2][16] = {{0}};
    struct timespec now;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        first(size);
    else
        times = rank % 3 == 0 ? test_in_loop() : rank % 3 == 1 ? probe_and_sleep() : look_at_clock();
    if (times < 0 || MPI_Wtime() <= 0)
        printf("rank %d: no time has passed\n", rank);
    usleep(1000 * (rank + 1));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    compute(20000 * (rank % 4));
    MPI_Alltoall(all[0], 1, MPI_INT, all[1], 1, MPI_INT, MPI_COMM_WORLD);
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (int i = 0; i < size; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == rank)
            printf("rank %d: sum %d, %s\n", rank, sum, now.tv_nsec > 0 ? "later" : "at once");
        usleep(500); /* what one writes comes before the next one's turn, with every way to wait */
    }
    MPI_Finalize();
    return 0;
}
