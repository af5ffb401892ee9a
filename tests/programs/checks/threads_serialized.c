/* Two threads call MPI at once under MPI_THREAD_SERIALIZED: while one waits, the other sends. The mutex keeps the calls
 * behind it apart. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rank;

static void work(void)
{
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&mutex);
        MPI_Sendrecv(MPI_BOTTOM, 0, MPI_INT, rank, 1, MPI_BOTTOM, 0, MPI_INT, rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
    }
}

static void *other(void *argument)
{
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    work();
    return argument;
}

int main(int argc, char **argv)
{
    int provided, got;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, 0, other, 0);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work();
    pthread_join(thread, 0);
    MPI_Finalize();
}
