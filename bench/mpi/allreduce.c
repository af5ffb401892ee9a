/* allreduce.c - sums of one double over all ranks, again and again.
 *
 *     allreduce TURNS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, turns = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double value = rank, sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        value = sum / size + rank;
    }
    double seconds = MPI_Wtime();
    if (rank == 0)
        printf("%.3f %.9f\n", sum, seconds);
    MPI_Finalize();
    return 0;
}
