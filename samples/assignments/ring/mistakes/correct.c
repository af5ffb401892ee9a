/* All points. */
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
    if (size > 1 && rank == 0) {
        MPI_Send(&sum, 1, MPI_LONG, right, 0, MPI_COMM_WORLD);
        MPI_Recv(&sum, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (size > 1) {
        MPI_Recv(&before, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += before;
        MPI_Send(&sum, 1, MPI_LONG, right, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum of squares: %ld\n", sum);
    MPI_Finalize();
    return 0;
}
