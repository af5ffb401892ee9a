/* Nobody makes the sending side of a partitioned message. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int data[4] = {0};
    MPI_Request request;
    if (rank == 1) {
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return in + out + size < 0;
}
