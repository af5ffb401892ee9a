/* Thread 2 of rank 0 waits for a message of rank 1, thread 1 joins it, and rank 1 waits for what would come then. */
#include <mpi.h>
#include <pthread.h>

static void *receiver(void *argument)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, receiver, NULL);
        pthread_join(thread, NULL);
        MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
