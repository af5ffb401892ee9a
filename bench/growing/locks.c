/* Every rank takes the exclusive lock of rank 0's window at the same time, so that all others wait.     locks TURNS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, turns = atoi(argv[1]), *cell, seen = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &window);
    *cell = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < turns; turn++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        seen++;
        MPI_Put(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", *cell);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
