/* Partitions of a send are the program's until MPI_Pready, and no longer (MPI-4.0 section 4.2). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[6] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(numbers, 3, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(numbers, 2, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; rank == 0 && i < 3; i++) {
        numbers[2 * i] = 1;
        MPI_Pready(i, request);
    }
    if (rank == 0)
        numbers[3] = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
