/* A receive from a rank that has ended, without MPI_Finalize, and one from a rank that has finalized. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 1)
        return 0;
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    (void)out, (void)size;
    MPI_Finalize();
}
