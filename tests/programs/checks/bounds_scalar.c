/* Everybody's number, gathered into room for one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine = 4, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather(&mine, 1, MPI_INT, &all, 1, MPI_INT, MPI_COMM_WORLD);
    printf("%d: %d\n", rank, all);
    MPI_Finalize();
    return 0;
}
