/* Threads that keep to their level: collectives in an order that a mutex makes, each started without waiting; messages
 * of all threads at once; and the end by the main thread. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, TIMES = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rank, size;

static void *work(void *argument)
{
    long me = (long)argument;
    MPI_Request requests[TIMES];
    for (int i = 0; i < TIMES; i++) {
        int sent = 100 * rank + i, got;
        pthread_mutex_lock(&mutex);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[i]);
        pthread_mutex_unlock(&mutex);
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, (int)me, &got, 1, MPI_INT, (rank + size - 1) % size,
                     (int)me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got != 100 * ((rank + size - 1) % size) + i)
            printf("thread %ld of rank %d got %d\n", me, rank, got);
    }
    MPI_Waitall(TIMES, requests, MPI_STATUSES_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    MPI_Finalize();
    return 0;
}
