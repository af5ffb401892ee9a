/* In a barrier between two groups a member of the other one is missing. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm mine, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    if (rank == 3)
        MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(both);
    (void)out, (void)size;
    MPI_Finalize();
}
