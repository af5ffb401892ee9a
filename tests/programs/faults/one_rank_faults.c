#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *p = NULL, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        *p = 1;
    MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD);
    printf("not reached\n");
    MPI_Finalize();
    return 0;
}
