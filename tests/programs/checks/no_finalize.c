/* Processes that end without MPI_Finalize, from main and by exit(): told without --check. */
#include <mpi.h>
#include <stdlib.h>

static void give_up(void)
{
    exit(0);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 3)
        give_up();
    if (rank == 4)
        MPI_Finalize();
    return 0;
}
