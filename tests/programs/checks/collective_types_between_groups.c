/* The two directions of an Allgather between groups have data of their own; in the second call one of them is wrong. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    long data[16] = {0}, all[64];
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    if (rank % 2 == 0) {
        MPI_Allgather(data, 3, MPI_LONG, all, 5, MPI_INT, both);
        MPI_Allgather(data, 3, MPI_LONG, all, 5, MPI_INT, both);
    } else {
        MPI_Allgather(data, 5, MPI_INT, all, 3, MPI_LONG, both);
        MPI_Allgather(data, 5, MPI_INT, all, 3, rank == 3 ? MPI_LONG_LONG : MPI_LONG, both);
    }
    MPI_Finalize();
    return 0;
}
