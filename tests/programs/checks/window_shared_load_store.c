/* One rank stores where another one has loaded before; nothing says that it loaded first. */
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
        got = ((short *)shared)[5];
    } else {
        for (volatile int i = 0; i < 1000; i++)
            ;
        ((short *)mine)[5] = 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got < 0;
}
