/* A link fails whose traffic the routing cannot send another way: the run ends, and says what could not be delivered.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000 && rank < 2; i++) {
        int ping = rank == i % 2;
        if (ping)
            MPI_Send(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
        else
            MPI_Recv(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
