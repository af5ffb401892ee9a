#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, values[8];
    MPI_Request requests[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&values[i - 1], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
        for (int i = 1; i < size; i++) {
            int index;
            MPI_Waitany(size - 1, requests, &index, MPI_STATUS_IGNORE);
            printf("%d ", index);
        }
        printf("\n");
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
