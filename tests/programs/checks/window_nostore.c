/* A fence says that nothing has been stored. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *memory, one = 1, got = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        memory[3] = 1;
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0;
}
