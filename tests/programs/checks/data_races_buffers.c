/* What calls of MPI read and write counts as accesses of the calling thread: buffers of sends, receives, collectives
 * and of requests, from the call that starts them to the one that completes them. Another thread, which nothing orders,
 * touches them. Buffers that are only read on both sides, gaps in datatypes, and what is done under a lock are in
 * order. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 8 };

static int rank, sent, got, read_only, column[N][2], summed, total, started, pending, under_lock, kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Request request;

static void *other(void *argument)
{
    int sum = 0;
    usleep(100000); /* all that main does is over, which orders nothing */
    sent = 1;
    sum += got;
    sum += read_only;
    for (int i = 0; i < N; i++)
        column[i][1] = i;
    column[3][0] = 1;
    sum += total;
    summed = 1;
    started = 1;
    sum += pending;
    pthread_mutex_lock(&lock);
    sum += under_lock;
    pthread_mutex_unlock(&lock);
    *(int *)argument = sum;
    return NULL;
}

/* Under a lock between the start of a receive and its end. */
static void *meanwhile(void *argument)
{
    usleep(1000);
    pthread_mutex_lock(&lock);
    *(int *)argument = kept;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, result = 0, early = 0;
    pthread_t threads[2];
    MPI_Datatype strided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(N, 1, 2, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    MPI_Send_init(&started, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        pthread_create(&threads[0], NULL, other, &result);
        pthread_create(&threads[1], NULL, meanwhile, &early);
        MPI_Send(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&read_only, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Send(column, 1, strided, 1, 4, MPI_COMM_WORLD);
        MPI_Allreduce(&summed, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request receive;
        MPI_Irecv(&pending, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &receive);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        pthread_mutex_lock(&lock);
        MPI_Recv(&under_lock, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&kept, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &receive);
        pthread_mutex_unlock(&lock);
        usleep(10000);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        pthread_join(threads[1], NULL);
        pthread_join(threads[0], NULL);
        printf("%d\n", result + got + sent + kept);
    } else {
        int in, two = 2, many[N];
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&two, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(many, N, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&two, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int tag = 6; tag <= 8; tag++)
            MPI_Send(&two, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
    MPI_Type_free(&strided);
    MPI_Finalize();
    return 0;
}
