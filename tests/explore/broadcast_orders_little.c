/* A broadcast from rank 0 does not order what others send: rank 2's message may come before that of rank 1, though rank
 * 1 sends before the broadcast and rank 2 after it (MPI-3.1 section 5.1: collectives need not synchronize). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    if (rank == 3)
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%d ", value);
        }
    MPI_Finalize();
}
