/* Another thread than the main one calls MPI under MPI_THREAD_FUNNELED; it may ask who it is and what time it is. */
#include <mpi.h>
#include <pthread.h>

static void *other(void *argument)
{
    int main_thread, level, rank;
    MPI_Is_thread_main(&main_thread);
    MPI_Query_thread(&level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!main_thread && level == MPI_THREAD_FUNNELED && MPI_Wtime() >= 0)
        MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return argument;
}

int main(int argc, char **argv)
{
    int provided, got;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
