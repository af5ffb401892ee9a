/* Everybody sends to everybody before the sum is known: right, but many messages. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    long sum = (long)rank * rank, before = 0;
    for (int i = 0; i < size; i++)
        if (i != rank) {
            long square = (long)rank * rank;
            MPI_Sendrecv(&square, 1, MPI_LONG, i, 0, &before, 1, MPI_LONG, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += before;
        }
    if (rank == 0)
        printf("sum of squares: %ld\n", sum);
    MPI_Finalize();
    return 0;
}
