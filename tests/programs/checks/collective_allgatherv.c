/* The arrays of counts must be the same on all ranks (section 5.7). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[3] = {0}, all[4], counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        counts[2] = 2;
    MPI_Allgatherv(value, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
}
