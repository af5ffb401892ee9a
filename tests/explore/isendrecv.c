/* The receive of MPI_Isendrecv is a choice of its own, seen when its request is complete: rank 2's answer to what rank 0
 * sends before that may be what it takes. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first, second;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isendrecv(&rank, 1, MPI_INT, 2, 0, &first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %d\n", first, second);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank != 1)
            MPI_Recv(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
