/* What each rank does, so that a change of one shows in all: the debugger changes variables in it. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        x += 1;
        sum += x * rank;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d: %d %d\n", rank, x, sum);
    MPI_Finalize();
    return 0;
}
