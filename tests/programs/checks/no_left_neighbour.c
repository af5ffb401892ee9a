/* Rank 0 has no left neighbour, and -1 is nobody's rank (MPI-3.1 section 3.11: that is MPI_PROC_NULL). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, left = -99;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < size - 1)
        MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&left, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, left);
    MPI_Finalize();
    return 0;
}
