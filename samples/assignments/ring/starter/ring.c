/* ring.c - the sum of the squares of all ranks goes round a ring. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    long sum = (long)rank * rank;
    /* Your part: receive from the left, add, send to the right. */

    if (rank == 0)
        printf("sum of squares: %ld\n", sum);
    MPI_Finalize();
    return 0;
}
