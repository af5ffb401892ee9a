/* The same two ranks on two communicators: messages do not meet, receives from any source on each have one sender. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, a, b;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %d\n", a, b);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, rank == 1 ? MPI_COMM_WORLD : other);
    }
    MPI_Comm_free(&other);
    MPI_Finalize();
}
