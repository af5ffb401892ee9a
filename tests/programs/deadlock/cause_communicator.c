/* The message comes on another communicator, which has no name. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm copy, half;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &half);
    if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, 1, 4, copy);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 1, 4, half, MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    MPI_Finalize();
    return in + out + size < 0;
}
