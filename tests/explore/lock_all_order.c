/* Rank 1 changes two numbers of rank 0 under an exclusive lock, others read them under locks of all: what they see depends
 * on who was first. Readers may be there together, so their order is no choice. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, *numbers, seen[2] = {0, 0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &numbers, &win);
    numbers[0] = numbers[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        seen[0] = seen[1] = 7;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(seen, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
        MPI_Win_unlock(0, win);
    } else if (rank) {
        MPI_Win_lock_all(0, win);
        MPI_Get(seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Get(seen + 1, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_unlock_all(win);
        assert(seen[0] == seen[1]);
    }
    printf("rank %d: %d\n", rank, seen[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
