/* Bytes where items are meant, with arrays of the program side by side. */
#include <mpi.h>

static int numbers[10], beside[200];

int main(int argc, char **argv)
{
    int rank, size = argc * 10 * (int)sizeof(int);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(numbers, size, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(beside, size, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return beside[5];
}
