/* The message has arrived, but the program has not asked: its buffer must not be read yet, by printf neither. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    char text[8] = "before", other[8] = "other";
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(text, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        printf("%s\n", other);
        printf("%s\n", text);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(other, 6, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
