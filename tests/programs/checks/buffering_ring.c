/* Everybody sends before receiving: the standard's classic of a program that works as long as messages are buffered
 * (MPI-3.1 section 3.5, example 3.9). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
