/* One rank loads what another one has stored into shared memory: both call MPI_Win_sync, but do not wait for each other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *shared, got = 0;
    MPI_Win win;
    MPI_Aint bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 1, &bytes, &unit, &shared);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        shared[3] = 7;
        shared[4] = 8;
        MPI_Win_sync(win);
    } else {
        MPI_Win_sync(win);
        for (volatile int i = 0; i < 1000; i++)
            ;
        got = shared[3] + shared[4];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0;
}
