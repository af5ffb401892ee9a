/* Rank 2 does not come to an agreement, and calls a barrier instead. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2)
        MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
