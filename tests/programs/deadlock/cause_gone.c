/* Waits for any rank, and all others have ended. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank > 5)
        MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return in + out + size < 0;
}
