/* startup.c - the least that every rank of a large run does: init, rank, one allreduce, one barrier, finalize. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime();
    if (rank == 0)
        printf("%d %.9f\n", sum, seconds);
    MPI_Finalize();
    return 0;
}
