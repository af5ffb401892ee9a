/* The wrong rank of the other group is sent to. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
    int r;
    MPI_Comm_rank(half, &r);
    if (rank % 2 == 0)
        MPI_Send(&x, 1, MPI_INT, r, 1, inter);
    else
        MPI_Recv(&x, 1, MPI_INT, (r + 1) % 2, 1, inter, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
