/* A message longer than the buffer (MPI-3.1 section 3.2.4): both sides are named. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[8] = {0};
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(numbers, 8, MPI_INT, 1, 3, MPI_COMM_WORLD);
    else
        MPI_Irecv(numbers, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
