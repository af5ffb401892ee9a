/* MPI_Waitany between a broadcast in the background and a message. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, a = 0, b = 0, index;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ibcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    if (rank == 1) {
        MPI_Irecv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        printf("%d\n", index);
    } else if (rank == 2) {
        MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
