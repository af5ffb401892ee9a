/* Two numbers more than the array has room for: they would go into its neighbours. */
#include <mpi.h>
#include <stdio.h>

static void receive(int *numbers, int count)
{
    MPI_Recv(numbers, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, before = 1, numbers[4] = {0}, after = 2, six[6] = {9, 9, 9, 9, 9, 9};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(six, argc + 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        receive(numbers, argc + 5);
    printf("%d %d %d\n", before, numbers[3], after);
    MPI_Finalize();
    return 0;
}
