/* A send buffer may be read while the send is pending, but not written (MPI-3.1 section 3.7.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, numbers[100] = {0}, sum = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&numbers[10], 20, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 100; i++)
            sum += numbers[i];
        numbers[9] = sum;
        numbers[30] = 1;
        numbers[29] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(numbers, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
