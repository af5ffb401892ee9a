/* A collective in an if (rank == 0). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_SELF);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return in + out + size < 0;
}
