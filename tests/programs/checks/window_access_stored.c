/* An access begins although the target has stored before, and has told nobody. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *memory, one = 1, got = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 1) {
        memory[0] = 5;
        MPI_Barrier(MPI_COMM_SELF);
    } else {
        for (volatile int i = 0; i < 100000; i++)
            ;
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0;
}
