/* A neighbourhood collective needs a topology (MPI-3.1 section 7.6). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int mine = 1, all[4];
    MPI_Init(&argc, &argv);
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
