/* The block of a send buffer is given back while the send is pending. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, *block = calloc(100, sizeof *block), *other = calloc(1, 4);
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Isend(block + 50, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(block, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    free(other);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(block);
    MPI_Finalize();
    return 0;
}
