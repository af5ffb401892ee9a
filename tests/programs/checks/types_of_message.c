/* An int is sent and a float received (MPI-3.1 section 3.3.1): found without --check, at the call that completes it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[4] = {1, 2, 3, 4};
    float values[8];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(values, 8, MPI_FLOAT, 0, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
