/* ROUNDS of two messages that one receive from any source takes in either order: 2^ROUNDS matchings.     arrivals
 * ROUNDS */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, rounds = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; rank == 0 && i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
