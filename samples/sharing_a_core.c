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

static long wait_in_library(int size)
{
    double sum;
    for (int i = 1; i < size; i++)
        MPI_Recv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return size - 1;
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

/* One part: rank 0 waits, the others work. It lasts from its first rank's beginning to its last rank's end. */
static void measure(const char *name, long (*wait)(int size), int rank, int size)
{
    double from, to, sum, first, last;
    long asked = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    from = MPI_Wtime();
    if (rank == 0) {
        asked = wait(size);
    } else {
        sum = compute();
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    to = MPI_Wtime();
    MPI_Reduce(&from, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&to, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-20s %6.2f ms, %ld calls\n", name, 1e3 * (last - first), asked);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    measure("MPI_Recv", wait_in_library, rank, size);
    measure("a loop of MPI_Test", wait_in_loop, rank, size);
    MPI_Finalize();
    return 0;
}
