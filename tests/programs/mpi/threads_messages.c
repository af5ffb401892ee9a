/* Several threads of a rank send, receive and probe at once (MPI-4.1 section 11.6): each waits on its own, whoever else
 * waits. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 12, LONG = 50000 };

static int rank, size;
static pthread_barrier_t gate;

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        printf("rank %d: %s is %d, not %d\n", rank, what, got, wanted);
}

/* Each thread has a tag. Short and long messages, in all modes. */
static void exchange(int me)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int *out = malloc(LONG * sizeof *out), *in = malloc(LONG * sizeof *in);
    for (int i = 0; i < ROUNDS; i++) {
        int n = i % 3 == 2 ? LONG : i + 1;
        MPI_Request request;
        MPI_Status status;
        for (int k = 0; k < n; k++)
            out[k] = 1000 * rank + 100 * me + i + k;
        MPI_Irecv(in, LONG, MPI_INT, left, me, MPI_COMM_WORLD, &request);
        if (i % 2)
            MPI_Ssend(out, n, MPI_INT, right, me, MPI_COMM_WORLD);
        else
            MPI_Send(out, n, MPI_INT, right, me, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        int count;
        MPI_Get_count(&status, MPI_INT, &count);
        expect("count", count, n);
        expect("first", in[0], 1000 * left + 100 * me + i);
        expect("last", in[n - 1], 1000 * left + 100 * me + i + n - 1);
    }
    free(out);
    free(in);
}

/* All threads take messages from one queue: as many as there are, each once. Some look first. */
static int taken[THREADS], sum[THREADS];

static void share(int me)
{
    int left = (rank + size - 1) % size, right = (rank + 1) % size, value;
    for (int i = 0; i < ROUNDS; i++) {
        value = me * ROUNDS + i;
        MPI_Send(&value, 1, MPI_INT, right, 50, MPI_COMM_WORLD);
    }
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Message message;
        int flag = 0;
        if (me == 0)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (me == 1) {
            MPI_Mprobe(left, 50, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        } else if (me == 2) {
            while (!flag)
                MPI_Improbe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        } else {
            MPI_Probe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        taken[me]++;
        sum[me] += value;
    }
}

/* One thread waits for what another one of the rank sends. */
static void within(int me)
{
    int value = me;
    if (me % 2) {
        MPI_Recv(&value, 1, MPI_INT, rank, 60 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect("from a neighbour", value, me - 1);
    } else
        MPI_Ssend(&value, 1, MPI_INT, rank, 60 + me + 1, MPI_COMM_WORLD);
}

/* A thread waits for any of its requests, while others complete theirs. */
static void any(int me)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got[ROUNDS], seen = 0;
    MPI_Request requests[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, left, 100 + me * ROUNDS + i, MPI_COMM_WORLD, &requests[i]);
    pthread_barrier_wait(&gate);
    for (int i = ROUNDS; i--;)
        MPI_Send(&i, 1, MPI_INT, right, 100 + me * ROUNDS + i, MPI_COMM_WORLD);
    while (seen < ROUNDS) {
        int index[ROUNDS], n = 1;
        if (me % 2)
            MPI_Waitsome(ROUNDS, requests, &n, index, MPI_STATUSES_IGNORE);
        else
            MPI_Waitany(ROUNDS, requests, index, MPI_STATUS_IGNORE);
        for (int k = 0; k < n; k++)
            expect("any", got[index[k]], index[k]);
        seen += n;
    }
}

static void *work(void *argument)
{
    int me = (int)(long)argument;
    exchange(me);
    pthread_barrier_wait(&gate);
    share(me);
    pthread_barrier_wait(&gate);
    within(me);
    any(me);
    return argument;
}

int main(int argc, char **argv)
{
    int provided, main_thread, all = 0, total = 0;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    expect("level", provided, MPI_THREAD_MULTIPLE);
    MPI_Is_thread_main(&main_thread);
    expect("main", main_thread, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_barrier_init(&gate, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++) {
        all += taken[i];
        total += sum[i];
    }
    expect("messages", all, THREADS * ROUNDS);
    expect("sum", total, THREADS * ROUNDS * (THREADS * ROUNDS - 1) / 2);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
