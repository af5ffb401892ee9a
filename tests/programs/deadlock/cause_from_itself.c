/* Rank 0 is in the loop over all ranks whose results rank 0 collects; in the other communicator ranks count otherwise. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm turned;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    if (rank == 0)
        for (int i = 0; i < size; i++)
            MPI_Recv(&in, 1, MPI_INT, size - 1 - i, 7, turned, MPI_STATUS_IGNORE);
    else
        MPI_Send(&out, 1, MPI_INT, size - 1, 7, turned);
    MPI_Finalize();
    return in + out + size < 0;
}
