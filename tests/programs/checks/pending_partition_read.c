/* A partition of a receive may be read when MPI_Parrived has answered true for it, the others may not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[6] = {0}, flag = 0, sum = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(numbers, 3, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(numbers, 3, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready_range(0, 2, request);
    while (rank == 1 && !flag)
        MPI_Parrived(request, 1, &flag);
    if (rank == 1)
        sum += numbers[2];
    if (rank == 1)
        sum += numbers[1];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return sum;
}
