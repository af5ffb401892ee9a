/* Two of four partitions are never marked ready. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int data[4] = {0};
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(data, 4, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(1, request);
        MPI_Pready(3, request);
    } else {
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + out + size < 0;
}
