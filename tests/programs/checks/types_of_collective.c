/* A reduction of ints on one rank and of floats on the other: found without --check. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[4] = {1, 2, 3, 4}, sums[4];
    float values[4] = {1, 2, 3, 4}, floats[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Allreduce(numbers, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Allreduce(values, floats, 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
