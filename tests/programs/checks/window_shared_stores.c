/* Two ranks store to the same shared memory under a shared lock, which keeps nobody away. */
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
    for (int i = 4; i < 8; i++)
        shared[i] = rank;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0;
}
