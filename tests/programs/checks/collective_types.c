/* The root of a broadcast sends ints, a member expects as many floats (MPI-3.1 section 5.4). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    float data[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(data, 4, rank == 2 ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
