/* Two sides of a partitioned message: 3 partitions of 4 against 4 of 3, first the same data and then not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    float data[16] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < 2; turn++) {
        if (rank == 0)
            MPI_Psend_init(data, 3, 4, MPI_FLOAT, 1, turn, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        else
            MPI_Precv_init(data, 4, turn ? 4 : 3, MPI_FLOAT, 0, turn, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Request_free(&request);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
