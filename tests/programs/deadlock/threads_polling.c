/* One thread polls for a message that nobody sends, the other one waits for a mutex that the first one has. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_lock(void *argument)
{
    pthread_mutex_lock(&lock);
    return argument;
}

int main(int argc, char **argv)
{
    int level, flag = 0, number;
    MPI_Request request;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, wait_for_lock, NULL);
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
