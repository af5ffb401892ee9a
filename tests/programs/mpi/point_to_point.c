/* The modes and the completion calls of chapter 3, with their statuses. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COUNT /* point_to_point_large_counts.c has another */
#define COUNT int
#endif

static int rank, size;

static void show(const char *what, MPI_Status *status)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    printf("%s: source %d tag %d count %d\n", what, status->MPI_SOURCE, status->MPI_TAG, count);
}

static void modes(void)
{
    int data[4] = {1, 2, 3, 4}, got[4] = {0};
    MPI_Status status;
    MPI_Request request;
    if (rank == 0) {
        int bytes;
        MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &bytes);
        char *buffer = malloc(bytes + MPI_BSEND_OVERHEAD), *old;
        MPI_Buffer_attach(buffer, bytes + MPI_BSEND_OVERHEAD);
        MPI_Send(data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Ssend(data, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Bsend(data, 4, MPI_INT, 1, 3, MPI_COMM_WORLD);
        data[0] = 99; /* buffered: may change */
        COUNT detached;
        MPI_Buffer_detach(&old, &detached);
        printf("detached the same buffer: %d\n", old == buffer);
        free(buffer);
        MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(data, 3, MPI_INT, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(got, 4, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        show("send", &status);
        MPI_Recv(got, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        show("ssend", &status);
        MPI_Recv(got, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, &status);
        show("bsend", &status);
        printf("buffered data: %d\n", got[0]);
        MPI_Irecv(got, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        show("rsend", &status);
        printf("request is null: %d\n", request == MPI_REQUEST_NULL);
    }
}

/* Everybody to everybody, completed by Waitsome; then by Testall. */
static void many(int n)
{
    MPI_Request *requests = malloc(2 * size * sizeof *requests);
    MPI_Status *statuses = malloc(2 * size * sizeof *statuses);
    int *in = malloc(size * n * sizeof *in), *out = malloc(n * sizeof *out), *indices = malloc(2 * size * sizeof *indices);
    int flag, done = 0, bad = 0, polls = 0;
    for (int i = 0; i < n; i++)
        out[i] = 1000 * rank + i;
    for (int round = 0; round < 2; round++) {
        memset(in, 0, size * n * sizeof *in);
        for (int i = 0; i < size; i++)
            MPI_Irecv(in + i * n, n, MPI_INT, i, 5, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < size; i++)
            (i % 2 ? MPI_Isend : MPI_Issend)(out, n, MPI_INT, i, 5, MPI_COMM_WORLD, &requests[size + i]);
        for (done = 0; round == 0 && done < 2 * size;) {
            int some;
            MPI_Waitsome(2 * size, requests, &some, indices, statuses);
            for (int i = 0; i < some; i++)
                if (indices[i] < size && statuses[i].MPI_SOURCE != indices[i])
                    bad++;
            done += some;
        }
        for (flag = 0; round == 1 && !flag; polls++)
            MPI_Testall(2 * size, requests, &flag, statuses);
        for (int i = 0; i < size * n; i++)
            bad += in[i] != 1000 * (i / n) + i % n;
        for (int i = 0; i < 2 * size; i++)
            bad += requests[i] != MPI_REQUEST_NULL;
    }
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE); /* null requests */
    if (bad || polls < 1)
        printf("rank %d: %d bad of %d\n", rank, bad, n);
    free(requests);
    free(statuses);
    free(in);
    free(out);
    free(indices);
}

/* Messages of one tag keep their order through wildcards, big ones and small ones mixed. */
static void order(void)
{
    enum { N = 12, BIG = 30000 };
    static int data[BIG];
    if (rank == 0)
        for (int i = 0; i < N; i++) {
            data[0] = i;
            MPI_Send(data, i % 3 ? 1 : BIG, MPI_INT, 1, 6, MPI_COMM_WORLD);
        }
    if (rank == 1)
        for (int i = 0; i < N; i++) {
            MPI_Status status;
            int count;
            MPI_Probe(i % 2 ? MPI_ANY_SOURCE : 0, i % 4 ? MPI_ANY_TAG : 6, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (data[0] != i || count != (i % 3 ? 1 : BIG))
                printf("message %d has number %d and %d items\n", i, data[0], count);
        }
}

static void ring(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, value = rank, got = -1;
    MPI_Status status;
    MPI_Sendrecv(&value, 1, MPI_INT, right, 3, &got, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &status);
    if (got != left || status.MPI_SOURCE != left)
        printf("sendrecv: %d\n", got);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, right, 4, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (value != left)
        printf("sendrecv_replace: %d\n", value);
    MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, &got, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    if (rank == 0)
        printf("from nobody: source is MPI_PROC_NULL %d, tag is MPI_ANY_TAG %d\n", status.MPI_SOURCE == MPI_PROC_NULL,
               status.MPI_TAG == MPI_ANY_TAG);
}

static void persistent(void)
{
    MPI_Request requests[2];
    int out = 0, in = -1, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Send_init(&out, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 5; i++) {
        out = 10 * rank + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (in != 10 * left + i)
            printf("persistent: %d\n", in);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* inactive: at once */
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void cancelled(void)
{
    MPI_Request request;
    MPI_Status status;
    int value, flag;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    if (!flag)
        printf("rank %d: not cancelled\n", rank);
    MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, &status);
    if (flag)
        printf("rank %d: a message out of nowhere\n", rank);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    modes();
    MPI_Barrier(MPI_COMM_WORLD);
    many(1);
    many(3000);
    many(20000);
    order();
    ring();
    persistent();
    cancelled();
    MPI_Finalize();
    return 0;
}
