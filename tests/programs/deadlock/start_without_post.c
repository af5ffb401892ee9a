/* Rank 1 never posts its window. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, memory = 0;
    MPI_Win win;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &group);
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_start(group, 0, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_start(group, 0, win);
        MPI_Win_complete(win);
    }
    MPI_Win_wait(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
