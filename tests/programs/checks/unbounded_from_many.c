/* Many send to one that receives from any of them and is too slow for all together; the lines of the sends differ. */
#include <mpi.h>

int main(int argc, char **argv)
{
    volatile double x = 0;
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        for (int i = 0; i < 500 * (size - 1); i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int k = 0; k < 100; k++)
                x += k;
        }
    for (int i = 0; i < 500 && rank; i++)
        if (rank % 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else
            MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
