/* Ranks change a number of rank 0 under exclusive locks; in one of two orders it becomes one that rank 0 cannot bear. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *number, value;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &number, &win);
    *number = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value = 2 * value + rank;
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    assert(rank || *number != 5);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
