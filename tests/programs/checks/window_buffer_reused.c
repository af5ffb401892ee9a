/* The buffer of a put is written before the put is over. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, memory[4] = {0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    int number = 1;
    MPI_Put(&number, 1, MPI_INT, 1, rank, 1, MPI_INT, win);
    number = 2;
    MPI_Put(&number, 1, MPI_INT, 1, rank + 2, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
