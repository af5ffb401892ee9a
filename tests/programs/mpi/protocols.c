/* What a program sees of messages does not depend on the protocol that the machine has for them: all kinds of sends and
 * receives, at sizes around every limit. Other cases include this one and run it by other protocols. Nothing here sends
 * first on both sides, and what is printed does not depend on time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static const int lengths[] = {0, 1, 33, 1001, 65536, 65537, 131073};
enum { LENGTHS = sizeof lengths / sizeof *lengths, MOST = 131073 };
static char out[MOST], in[MOST];
static long wrong;

static void fill(char *data, int n, int seed)
{
    for (int i = 0; i < n; i++)
        data[i] = (char)(i * 31 + i / 251 + seed);
}

static void look(const char *data, int n, int seed)
{
    for (int i = 0; i < n; i++)
        wrong += data[i] != (char)(i * 31 + i / 251 + seed);
}

static void count(const MPI_Status *status, int n, int source, int tag)
{
    int got;
    MPI_Get_count(status, MPI_CHAR, &got);
    wrong += got != n || status->MPI_SOURCE != source || status->MPI_TAG != tag;
}

static void say(const char *what)
{
    long all;
    MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %ld wrong\n", what, all);
    wrong = 0;
}

/* Spends some time, so that either side comes first. */
static void linger(void)
{
    double from = MPI_Wtime();
    while (MPI_Wtime() < from + 0.002)
        ;
}

static void modes(void)
{
    MPI_Status status;
    char *room = malloc(MOST + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(room, MOST + MPI_BSEND_OVERHEAD);
    for (int k = 0; k < LENGTHS; k++)
        for (int mode = 0; mode < 4; mode++)
            for (int late = 0; late < 3; late++) {
                int n = lengths[k], tag = 10 * mode + late;
                if (rank == 0) {
                    fill(out, n, tag);
                    if (late == 0 || mode == 3)
                        linger();
                    if (mode == 0)
                        MPI_Send(out, n, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
                    else if (mode == 1)
                        MPI_Ssend(out, n, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
                    else if (mode == 2)
                        MPI_Bsend(out, n, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
                    else
                        MPI_Rsend(out, n, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
                    memset(out, 0, (size_t)n);
                    MPI_Recv(NULL, 0, MPI_CHAR, 1, 99, MPI_COMM_WORLD, &status);
                } else if (rank == 1) {
                    if (late == 1 && mode != 3)
                        linger();
                    memset(in, 0, (size_t)n);
                    MPI_Recv(in, MOST, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &status);
                    look(in, n, tag);
                    count(&status, n, 0, tag);
                    MPI_Send(NULL, 0, MPI_CHAR, 0, 99, MPI_COMM_WORLD);
                }
            }
    MPI_Buffer_detach(&room, &(int){0});
    free(room);
    say("modes");
}

static void to_itself(void)
{
    for (int k = 0; k < LENGTHS; k++) {
        MPI_Request request;
        MPI_Status status;
        int n = lengths[k];
        fill(out, n, k);
        memset(in, 0, MOST);
        MPI_Irecv(in, n, MPI_CHAR, k % 2 ? MPI_ANY_SOURCE : rank, 100 + k, MPI_COMM_WORLD, &request);
        MPI_Send(out, n, MPI_CHAR, rank, 100 + k, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        look(in, n, k);
        count(&status, n, rank, 100 + k);
        memset(in, 0, MOST);
        MPI_Isend(out, n, MPI_CHAR, rank, 100 + k, MPI_COMM_WORLD, &request);
        MPI_Recv(in, n, MPI_CHAR, rank, 100 + k, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        look(in, n, k);
    }
    say("to itself");
}

static void around(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int k = 0; k < LENGTHS; k++) {
        MPI_Status status;
        int n = lengths[k];
        fill(out, n, rank);
        MPI_Sendrecv(out, n, MPI_CHAR, next, k, in, MOST, MPI_CHAR, last, k, MPI_COMM_WORLD, &status);
        look(in, n, last);
        count(&status, n, last, k);
        MPI_Sendrecv_replace(out, n, MPI_CHAR, next, k, last, k, MPI_COMM_WORLD, &status);
        look(out, n, last);
    }
    say("around");
}

/* Persistent requests, started again and again; messages of one pair stay in order, with tags and without. */
static void again(void)
{
    enum { N = 6 };
    static int values[N], sent[N];
    MPI_Request requests[2 * N];
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < N; i++) {
        MPI_Recv_init(&values[i], 1, MPI_INT, last, i % 2 ? MPI_ANY_TAG : 3, MPI_COMM_WORLD, &requests[i]);
        MPI_Send_init(&sent[i], 1, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[N + i]);
    }
    for (int turn = 0; turn < 5; turn++) {
        for (int i = 0; i < N; i++)
            sent[i] = 100 * rank + 10 * turn + i;
        MPI_Startall(2 * N, requests);
        MPI_Waitall(2 * N, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < N; i++)
            wrong += values[i] != 100 * last + 10 * turn + i;
    }
    for (int i = 0; i < 2 * N; i++)
        MPI_Request_free(&requests[i]);
    say("again and again");
}

static void probes(void)
{
    for (int k = 0; k < LENGTHS; k++) {
        MPI_Status status;
        MPI_Message message;
        MPI_Request requests[2];
        int n = lengths[k], flag = 0;
        fill(out, n, k);
        if (rank == 0) {
            for (int i = 0; i < 2; i++)
                MPI_Isend(out, n, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &requests[i]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else if (rank == 1) {
            MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
            count(&status, n, 0, 5);
            static char first[MOST];
            memset(first, 0, MOST), memset(in, 0, MOST);
            MPI_Irecv(in, n, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &requests[0]); /* the second one */
            MPI_Mrecv(first, n, MPI_CHAR, &message, &status);
            MPI_Wait(&requests[0], &status);
            look(first, n, k);
            look(in, n, k);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Ssend(out, n, MPI_CHAR, 1, 6, MPI_COMM_WORLD);
        } else if (rank == 1) {
            while (!flag)
                MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
            count(&status, n, 0, 6);
            MPI_Recv(in, n, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
            look(in, n, k);
        }
    }
    say("probes");
}

/* All send to rank 0, which receives from anybody and from each, in turn. */
static void wildcards(void)
{
    enum { N = 12 };
    MPI_Status status;
    int value[3], seen[64] = {0};
    if (rank) {
        for (int i = 0; i < N; i++) {
            int mine[3] = {rank, i, rank * i};
            MPI_Send(mine, 3, MPI_INT, 0, i % 2, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    } else {
        MPI_Request requests[64];
        static int values[64][3];
        for (int i = 0; i < N; i++) {
            for (int from = 1; from < size; from++)
                MPI_Irecv(values[from], 3, MPI_INT, i % 3 ? from : MPI_ANY_SOURCE, i % 2, MPI_COMM_WORLD,
                          &requests[from]);
            MPI_Waitall(size - 1, requests + 1, MPI_STATUSES_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
            for (int from = 1; from < size; from++) {
                wrong += values[from][0] * values[from][1] != values[from][2];
                seen[values[from][0]]++;
            }
        }
        for (int from = 1; from < size; from++)
            wrong += seen[from] != N;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    for (int i = 1; i < size && !rank; i++) {
        MPI_Recv(value, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        wrong += value[0] != status.MPI_SOURCE;
    }
    say("wildcards");
}

/* A receive from any source, and behind it one that names the sender: the first message is for the first. */
static void order(void)
{
    int values[3] = {0, 0, 0};
    MPI_Request requests[3];
    if (rank == 1) {
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&values[2], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++)
            wrong += values[i] != i + 1;
    } else if (rank == 0) {
        linger();
        for (int i = 1; i <= 3; i++)
            MPI_Send(&i, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    }
    say("order");
}

static void cancelled(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag;
    for (int k = 0; k < LENGTHS; k++) {
        MPI_Irecv(in, MOST, MPI_CHAR, k % 2 ? MPI_ANY_SOURCE : (rank + 1) % size, 77, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        wrong += !flag;
        fill(out, lengths[k], k);
        if (rank == 0) {
            MPI_Issend(out, lengths[k], MPI_CHAR, 1, 78, MPI_COMM_WORLD, &request);
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &flag);
            MPI_Send(&flag, 1, MPI_INT, 1, 79, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Irecv(&flag, 1, MPI_INT, 0, 79, MPI_COMM_WORLD, &request);
            int come = 0, told = 0;
            while (!told || (!flag && !come)) { /* a synchronous send that was not cancelled wants its receive */
                if (!told)
                    MPI_Test(&request, &told, MPI_STATUS_IGNORE);
                if (!come)
                    MPI_Iprobe(0, 78, MPI_COMM_WORLD, &come, &status);
                if (come == 1 && !(told && flag)) {
                    MPI_Recv(in, MOST, MPI_CHAR, 0, 78, MPI_COMM_WORLD, &status);
                    look(in, lengths[k], k);
                    come = 2;
                }
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("cancelled");
}

/* Types with gaps, and messages that are shorter than their receive. */
static void gaps(void)
{
    enum { ROWS = 300, WIDTH = 250 };
    static int matrix[ROWS][WIDTH];
    MPI_Datatype column;
    MPI_Type_vector(ROWS, WIDTH / 2, WIDTH, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            matrix[i][j] = rank == 0 ? i * WIDTH + j : -1;
    if (rank == 0)
        MPI_Send(matrix, 1, column, 1, 1, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(matrix, 1, column, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ROWS && rank == 1; i++)
        for (int j = 0; j < WIDTH; j++)
            wrong += matrix[i][j] != (j < WIDTH / 2 ? i * WIDTH + j : -1);
    MPI_Type_free(&column);
    say("gaps");
}

static void partitions(void)
{
    enum { PARTS = 8, EACH = 20000 };
    static char data[PARTS * EACH];
    MPI_Request request;
    int flag;
    for (int turn = 0; turn < 2; turn++) {
        if (rank == 0) {
            MPI_Psend_init(data, PARTS, EACH, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            fill(data, PARTS * EACH, turn);
            for (int i = PARTS - 1; i >= 0; i--)
                MPI_Pready(i, request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Request_free(&request);
        } else if (rank == 1) {
            MPI_Precv_init(data, PARTS, EACH, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            for (int i = 0; i < PARTS; i++)
                do
                    MPI_Parrived(request, i, &flag);
                while (!flag);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            look(data, PARTS * EACH, turn);
            MPI_Request_free(&request);
        }
    }
    say("partitions");
}

static void between_groups(void)
{
    MPI_Comm half, other;
    int mine, theirs;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &other);
    MPI_Comm_rank(half, &mine);
    MPI_Comm_remote_size(other, &theirs);
    for (int k = 0; k < LENGTHS && mine < theirs; k++) {
        int n = lengths[k];
        fill(out, n, rank);
        if (rank % 2) {
            MPI_Send(out, n, MPI_CHAR, mine, k, other);
            MPI_Recv(in, n, MPI_CHAR, mine, k, other, MPI_STATUS_IGNORE);
            look(in, n, rank - 1);
        } else if (rank + 1 < size) {
            MPI_Recv(in, n, MPI_CHAR, MPI_ANY_SOURCE, k, other, MPI_STATUS_IGNORE);
            look(in, n, rank + 1);
            MPI_Send(out, n, MPI_CHAR, mine, k, other);
        }
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&other);
    say("between groups");
}

static void together(void)
{
    enum { EACH = 20000 };
    int *all = malloc(sizeof(int) * EACH * (size_t)size), *mine = malloc(sizeof(int) * EACH * (size_t)size);
    MPI_Request requests[3];
    for (int i = 0; i < EACH * size; i++)
        mine[i] = rank * 1000003 + i;
    MPI_Alltoall(mine, EACH, MPI_INT, all, EACH, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < EACH * size; i++)
        wrong += all[i] != i / EACH * 1000003 + rank * EACH + i % EACH;
    int sum = 0, one = rank + 1, least = rank;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(mine, EACH, MPI_INT, size - 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    wrong += sum != size * (size + 1) / 2;
    for (int i = 0; i < EACH; i++)
        wrong += mine[i] != (size - 1) * 1000003 + i;
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum != (rank + 1) * (rank + 2) / 2;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    wrong += least != 0;
    free(all);
    free(mine);
    say("together");
}

static void windows(void)
{
    static int shown[1000], got[1000];
    MPI_Win win;
    int next = (rank + 1) % size;
    for (int i = 0; i < 1000; i++)
        shown[i] = rank * 1000 + i;
    MPI_Win_create(shown, sizeof shown, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 1000, MPI_INT, next, 0, 1000, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 1000; i++)
        wrong += got[i] != next * 1000 + i;
    MPI_Win_free(&win);
    say("windows");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    modes();
    to_itself();
    around();
    again();
    probes();
    wildcards();
    order();
    cancelled();
    gaps();
    partitions();
    between_groups();
    together();
    windows();
    MPI_Finalize();
    return 0;
}
