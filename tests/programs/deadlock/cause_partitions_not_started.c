/* The sender of a partitioned message has not started it; another has not made it at all. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int data[4] = {0};
    MPI_Request request[2];
    if (rank == 0) {
        MPI_Psend_init(data, 4, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
        MPI_Recv(&in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
        MPI_Startall(2, request);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return in + out + size < 0;
}
