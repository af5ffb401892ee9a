/* Members of one group name a root that does not take itself for one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 0;
    MPI_Comm half, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &inter);
    if (rank >= 2)
        MPI_Barrier(half);
    if (rank < 2)
        MPI_Bcast(&data, 1, MPI_INT, rank == 1 ? MPI_ROOT : MPI_PROC_NULL, inter);
    else
        MPI_Bcast(&data, 1, MPI_INT, 0, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
