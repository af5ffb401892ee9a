/* Two mistakes at once: a message with another tag, and a cycle of two ranks that has nothing to do with it. Both are
 * told, and what mends each. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    if (rank > 1) {
        MPI_Recv(&value, 1, MPI_INT, 5 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 5 - rank, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
