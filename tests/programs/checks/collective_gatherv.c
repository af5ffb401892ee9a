/* The root expects another number of items from a rank than that rank gives (section 5.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[3] = {0}, all[3], counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(value, rank == 2 ? 2 : 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
