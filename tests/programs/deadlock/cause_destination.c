/* Ranks count from 0: the message for the last one goes to the one before it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, size - 2, 4, MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + out + size < 0;
}
