/* The root of a broadcast and the others do not agree on how much there is (section 5.4). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(values, 3, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
