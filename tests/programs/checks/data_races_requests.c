/* Requests of all kinds use their buffers from each start on, up to the call that shows that they are complete. A
 * thread that touches them meanwhile races; one that is made behind that call, or looks for it itself, does not. The
 * first round is right, the second one wrong. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 16 };

typedef struct Round {
    int rank, wrong, sum;
    int persistent[N], came[N];         /* of a persistent send and receive */
    int parts[2][N], arrived[2][N];     /* of a partitioned message */
    int input[N], total[N], started[N]; /* of collectives in the background, and of a persistent one */
    int put[N], got[N], asked[N];       /* of one-sided communication */
    MPI_Request partitioned;
} Round;

static Round rounds[2];

static void *touch_persistent(void *argument)
{
    Round *r = argument;
    r->persistent[3] = 1;
    return NULL;
}

static void *fill_first(void *argument)
{
    Round *r = argument;
    r->parts[0][5] = 5;
    MPI_Pready(0, r->partitioned);
    return NULL;
}

static void *fill_second(void *argument)
{
    Round *r = argument;
    r->parts[1][5] = 6;
    if (!r->wrong)
        MPI_Pready(1, r->partitioned);
    return NULL;
}

static void *look_at_part(void *argument)
{
    Round *r = argument;
    for (int there = r->wrong; !there;)
        MPI_Parrived(r->partitioned, 1, &there);
    r->sum += r->arrived[1][5];
    return NULL;
}

static void *touch_collectives(void *argument)
{
    Round *r = argument;
    r->sum += r->total[2];
    r->sum += r->started[2];
    r->input[2] = 1;
    return NULL;
}

static void *touch_remote(void *argument)
{
    Round *r = argument;
    r->put[2] = 1;
    r->sum += r->got[2];
    r->sum += r->asked[2];
    return NULL;
}

static void messages(Round *r)
{
    MPI_Request requests[2];
    pthread_t thread;
    MPI_Send_init(r->persistent, N, MPI_INT, 1 - r->rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(r->came, N, MPI_INT, 1 - r->rank, 0, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, touch_persistent, r);
        if (!r->wrong)
            pthread_join(thread, NULL);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (r->wrong)
            pthread_join(thread, NULL);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void partitions(Round *r)
{
    pthread_t threads[2];
    if (r->rank == 0)
        MPI_Psend_init(r->parts, 2, N, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r->partitioned);
    else
        MPI_Precv_init(r->arrived, 2, N, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r->partitioned);
    MPI_Start(&r->partitioned);
    if (r->rank == 0) {
        pthread_create(&threads[0], NULL, fill_first, r);
        pthread_create(&threads[1], NULL, fill_second, r);
        if (r->wrong)
            MPI_Pready(1, r->partitioned);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        MPI_Wait(&r->partitioned, MPI_STATUS_IGNORE);
    } else {
        pthread_create(&threads[0], NULL, look_at_part, r);
        if (!r->wrong)
            pthread_join(threads[0], NULL);
        MPI_Wait(&r->partitioned, MPI_STATUS_IGNORE);
        if (r->wrong)
            pthread_join(threads[0], NULL);
    }
    MPI_Request_free(&r->partitioned);
}

static void collectives(Round *r)
{
    MPI_Request requests[2];
    pthread_t thread;
    MPI_Allreduce_init(r->put, r->started, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Iallreduce(r->input, r->total, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    if (r->wrong)
        pthread_create(&thread, NULL, touch_collectives, r);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (!r->wrong)
        pthread_create(&thread, NULL, touch_collectives, r);
    pthread_join(thread, NULL);
    MPI_Request_free(&requests[0]);
}

static void remote(Round *r)
{
    MPI_Request request;
    MPI_Win window;
    pthread_t thread;
    int *memory;
    MPI_Win_allocate(3 * N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    MPI_Put(r->put, N, MPI_INT, 1 - r->rank, 0, N, MPI_INT, window);
    MPI_Get(r->got, N, MPI_INT, 1 - r->rank, N, N, MPI_INT, window);
    MPI_Rget(r->asked, N, MPI_INT, 1 - r->rank, 2 * N, N, MPI_INT, window, &request);
    if (r->wrong)
        pthread_create(&thread, NULL, touch_remote, r);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(1 - r->rank, window);
    if (!r->wrong)
        pthread_create(&thread, NULL, touch_remote, r);
    pthread_join(thread, NULL);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 2; i++) {
        Round *r = &rounds[i];
        MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
        r->wrong = i;
        messages(r);
        partitions(r);
        collectives(r);
        remote(r);
    }
    MPI_Finalize();
    return 0;
}
