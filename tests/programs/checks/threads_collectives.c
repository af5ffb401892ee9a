/* Two threads start collectives of one communicator at once, which no level allows; the other communicators are each
 * used by one thread. A thread that is not the main one ends MPI. */
#include <mpi.h>
#include <pthread.h>

static MPI_Comm own[2];

static void work(int i)
{
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own[i]);
}

static void *other(void *argument)
{
    work(1);
    return argument;
}

static void *end(void *argument)
{
    MPI_Finalize();
    return argument;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &own[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &own[1]);
    pthread_create(&thread, 0, other, 0);
    work(0);
    pthread_join(thread, 0);
    MPI_Comm_free(&own[0]);
    MPI_Comm_free(&own[1]);
    pthread_create(&thread, 0, end, 0);
    pthread_join(thread, 0);
}
