/* One thread waits for what another one of its rank does: completes a generalized request, cancels a receive, marks
 * partitions as ready, starts a persistent request; and requests that one thread starts and another one completes. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4, PARTITIONS = 8, ROUNDS = 5 };

static int rank, size, frees;
static MPI_Request general, cancelled, partitioned, handed[ROUNDS];
static int parts[PARTITIONS], got[ROUNDS];

static void expect(const char *what, int value, int wanted)
{
    if (value != wanted)
        printf("rank %d: %s is %d, not %d\n", rank, what, value, wanted);
}

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = rank;
    status->MPI_TAG = 7;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    frees += *(int *)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void *complete(void *argument)
{
    usleep(100);
    MPI_Grequest_complete(general);
    usleep(100);
    MPI_Cancel(&cancelled);
    return argument;
}

static void *ready(void *argument)
{
    int me = (int)(long)argument;
    for (int i = me; i < PARTITIONS; i += THREADS) {
        parts[i] = 100 * rank + i;
        usleep((unsigned)(10 * (PARTITIONS - i)));
        MPI_Pready(i, partitioned);
    }
    return argument;
}

static void *finish(void *argument)
{
    MPI_Waitall(ROUNDS, handed, MPI_STATUSES_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int provided, state = 3, flag, count, nothing, from[PARTITIONS], left, right;
    pthread_t thread, threads[THREADS];
    MPI_Status status;
    MPI_Request receive;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size, right = (rank + 1) % size;

    MPI_Grequest_start(query, release, cancel, &state, &general);
    MPI_Irecv(&nothing, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &cancelled);
    MPI_Request copy = general;
    pthread_create(&thread, 0, complete, 0);
    MPI_Wait(&copy, &status);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect("elements", count, 3);
    expect("freed", frees, 3);
    copy = cancelled;
    MPI_Wait(&copy, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("cancelled", flag, 1);
    pthread_join(thread, 0);

    MPI_Psend_init(parts, PARTITIONS, 1, MPI_INT, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &partitioned);
    MPI_Precv_init(from, PARTITIONS, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Start(&receive);
        MPI_Start(&partitioned);
        for (long k = 0; k < THREADS; k++)
            pthread_create(&threads[k], 0, ready, (void *)k);
        MPI_Request both[2] = {receive, partitioned};
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[k], 0);
        for (int k = 0; k < PARTITIONS; k++)
            expect("partition", from[k], 100 * left + k);
    }
    MPI_Request_free(&receive);
    MPI_Request_free(&partitioned);

    for (int i = 0; i < ROUNDS; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, left, 10 + i, MPI_COMM_WORLD, &handed[i]);
    pthread_create(&thread, 0, finish, 0);
    for (int i = ROUNDS; i--;)
        MPI_Send(&i, 1, MPI_INT, right, 10 + i, MPI_COMM_WORLD);
    pthread_join(thread, 0);
    for (int i = 0; i < ROUNDS; i++)
        expect("handed over", got[i], i);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
