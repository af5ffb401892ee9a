/* Two communicators have their barriers in different orders. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm a, b;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    if (rank == 0) { MPI_Barrier(a); MPI_Barrier(b); }
    else { MPI_Barrier(b); MPI_Barrier(a); }
    MPI_Finalize();
    return 0;
}
