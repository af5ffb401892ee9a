/* MPI_IN_PLACE on one rank only: what was meant happens, and it is told (section 5.9.6). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 2, result = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(rank == 1 ? MPI_IN_PLACE : &value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d\n", result);
    MPI_Finalize();
}
