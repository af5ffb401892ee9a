/* What a program computes does not depend on who handles what arrives, nor on the costs of a node: long messages,
 * non-blocking and persistent collectives, partitioned messages, windows, requests that are freed and cancelled, all
 * behind computing; operators of the program run on its own processor. (progress_thread.c and others include this.) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 100000, MANY = 40 };
static int rank, size, next, before;
static volatile double sink;

static void compute(int turns)
{
    double x = 1;
    for (int i = 0; i < turns; i++)
        x = x * 0.999 + 0.5;
    sink = x;
}

static long sum_of(const char *data, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += data[i] * (i % 7 + 1);
    return sum;
}

/* Each rank sends long and short messages round, in several orders of completion. */
static long ring(void)
{
    static char out[MANY][LONG], in[MANY][LONG];
    MPI_Request requests[2 * MANY];
    int indices[2 * MANY], n, flag = 0;
    long sum = 0;
    for (int i = 0; i < MANY; i++) {
        memset(out[i], rank + i, LONG);
        MPI_Irecv(in[i], LONG, MPI_CHAR, before, i / 2, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(out[i], i % 3 ? 10 : LONG, MPI_CHAR, next, i / 2, MPI_COMM_WORLD, &requests[MANY + i]);
        if (i % 5 == 0)
            compute(3000);
    }
    for (int left = 2 * MANY; left > 0;) {
        compute(500);
        switch (left % 4) {
        case 0:
            MPI_Testsome(2 * MANY, requests, &n, indices, MPI_STATUSES_IGNORE);
            left -= n;
            break;
        case 1:
            MPI_Waitany(2 * MANY, requests, &n, MPI_STATUS_IGNORE);
            left--;
            break;
        case 2:
            MPI_Testany(2 * MANY, requests, &n, &flag, MPI_STATUS_IGNORE);
            left -= flag;
            break;
        default:
            MPI_Waitsome(2 * MANY, requests, &n, indices, MPI_STATUSES_IGNORE);
            left -= n;
        }
    }
    for (int i = 0; i < MANY; i++)
        sum += sum_of(in[i], i % 3 ? 10 : LONG);
    return sum;
}

static int operations;
static void combine(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    operations++; /* only the rank itself may do this */
    for (int i = 0; i < *n; i++)
        b[i] = a[i] + 2 * b[i] % 1000003;
}

static long collectives(void)
{
    static int numbers[20000], result[20000], all[64 * 100], scan[3];
    MPI_Request requests[6], persistent;
    MPI_Op op;
    long sum = 0;
    MPI_Op_create(combine, 0, &op);
    for (int i = 0; i < 20000; i++)
        numbers[i] = rank * i;
    MPI_Bcast_init(numbers, 20000, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent);
    for (int turn = 0; turn < 3; turn++) {
        int three[3] = {rank + turn, turn, 1};
        MPI_Iallreduce(numbers, result, 20000, MPI_INT, op, MPI_COMM_WORLD, &requests[0]);
        MPI_Iallgather(three, 3, MPI_INT, all, 3, MPI_INT, MPI_COMM_WORLD, &requests[1]);
        compute(20000);
        MPI_Iscan(three, scan, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE);
        compute(5000);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Start(&persistent);
        compute(10000);
        for (int i = 0; i < 20000; i += 97)
            sum += result[i] % 1009;
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        for (int i = 0; i < 3; i++)
            sum += scan[i] + all[(size - 1) * 3 + i];
        sum += numbers[19999] % 1009;
    }
    MPI_Request_free(&persistent);
    MPI_Op_free(&op);
    return sum;
}

static long partitioned(void)
{
    static char out[8][5000], in[8][5000];
    MPI_Request send, receive;
    int flag = 0;
    MPI_Psend_init(out, 8, 5000, MPI_CHAR, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(in, 8, 5000, MPI_CHAR, before, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Start(&receive);
    MPI_Start(&send);
    for (int i = 0; i < 8; i++) {
        memset(out[i], rank + i, 5000);
        compute(1000);
        MPI_Pready(7 - i > i ? i : i, send);
    }
    while (!flag) {
        compute(100);
        MPI_Parrived(receive, 5, &flag);
    }
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    return sum_of(in[0], 40000);
}

static long windows(void)
{
    long *memory, mine[100], theirs[100], fetched, one = 1;
    MPI_Win win;
    MPI_Win_allocate(200 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 200; i++)
        memory[i] = 0;
    for (int i = 0; i < 100; i++)
        mine[i] = rank * 100 + i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Put(mine, 100, MPI_LONG, next, 0, 100, MPI_LONG, win);
    MPI_Fetch_and_op(&one, &fetched, MPI_LONG, 0, 150, MPI_SUM, win);
    compute(20000);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(theirs, 100, MPI_LONG, next, 0, 100, MPI_LONG, win);
    compute(3000);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    long sum = rank == 0 ? memory[150] : 0;
    for (int i = 0; i < 100; i++)
        sum += theirs[i] + memory[i];
    MPI_Win_free(&win);
    return sum;
}

/* A send that is freed arrives all the same; a receive that is cancelled takes nothing. */
static long odds(void)
{
    static char out[LONG], in[LONG], never[10];
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    int cancelled, count;
    memset(out, rank + 1, LONG);
    MPI_Irecv(never, 10, MPI_CHAR, before, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    compute(100);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Isend(out, LONG, MPI_CHAR, next, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    compute(20000);
    MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    MPI_Mrecv(in, count, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return sum_of(in, count) + cancelled;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    long found[5] = {ring(), collectives(), partitioned(), windows(), odds()}, all[64 * 5];
    MPI_Gather(found, 5, MPI_LONG, all, 5, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("rank %d: %ld %ld %ld %ld %ld\n", i, all[5 * i], all[5 * i + 1], all[5 * i + 2], all[5 * i + 3],
               all[5 * i + 4]);
    MPI_Finalize();
    return 0;
}
