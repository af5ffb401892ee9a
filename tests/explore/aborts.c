/* MPI_Abort in one order, an exit status in another. The other ranks' messages count although the run has ended. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (value == 1)
            MPI_Abort(MPI_COMM_WORLD, 7);
        status = value == 2 ? 5 : 0;
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (volatile int i = 0; i < 100000 * (rank - 1); i++)
            ;
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return status;
}
