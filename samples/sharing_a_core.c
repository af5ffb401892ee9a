/* sharing_a_core.c - what a rank that waits does to the one that it waits for, when they share a core.
 *
 * Rank 0 waits for all others, which compute for some milliseconds each. It waits in two ways: in MPI_Recv, and in a
 * loop of MPI_Test. The time of each part is what all others need on the cores that there are, and what waiting takes
 * from that.
 *
 * Build:    mpicc sharing_a_core.c -o sharing_a_core
 * Run:      orrery run -n 4 --set node.cores=1 --set node.wait=yield samples/sharing_a_core.c
 */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 400000 };

static double compute(void)
{
    volatile double sum = 0.0;
    for (int i = 0; i < TURNS; i++)
        sum += 1.0 / (i + 1);
    return sum;
}

static void wait_in_library(int size)
{
    double sum;
    for (int i = 1; i < size; i++)
        MPI_Recv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Returns how often it has asked. */
static long wait_in_loop(int size)
{
    long asked = 0;
    double sum;
    for (int i = 1; i < size; i++) {
        MPI_Request request;
        int done = 0;
        MPI_Irecv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        for (; !done; asked++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    return asked;
}

static void work(void)
{
    double sum = compute();
    MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    long asked = 0;
    double from, middle, to;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    from = MPI_Wtime();
    if (rank == 0)
        wait_in_library(size);
    else
        work();
    MPI_Barrier(MPI_COMM_WORLD);
    middle = MPI_Wtime();
    if (rank == 0)
        asked = wait_in_loop(size);
    else
        work();
    MPI_Barrier(MPI_COMM_WORLD);
    to = MPI_Wtime();
    if (rank == 0)
        printf("MPI_Recv %6.2f ms, a loop of MPI_Test %6.2f ms%s\n", 1e3 * (middle - from), 1e3 * (to - middle),
               asked ? "" : ": nobody to wait for");
    MPI_Finalize();
    return 0;
}
