#include <mpi.h>
#include <stdio.h>
/* two receivers, two senders each */
int main(int argc, char **argv)
{
    int rank, a, b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d: %d %d\n", rank, a, b);
    } else {
        MPI_Send(&rank, 1, MPI_INT, rank % 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
