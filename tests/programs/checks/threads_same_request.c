/* Two threads wait for one request: the second is told. */
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;
static int value;

static void *wait(void *argument)
{
    MPI_Request copy = request;
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int provided, sent = 1;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, wait, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Finalize();
}
